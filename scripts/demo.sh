#!/usr/bin/env bash
# The whole journey on one task: demonstrations, four policies, one table. What is done stays done.
set -euo pipefail
cd "$(dirname "$0")/.."

perm=.venv/bin/perm
task=single/1-7_104
out=out/demo

$perm suite show "$task"
$perm generate task="$task" demos=2 images=128 workers=2 out="$out/demos"
$perm dataset check "$out/demos/${task}_demo.hdf5"

evaluate() { $perm evaluate task="$task" episodes=2 workers=2 out="$out/$1" "${@:2}"; }
evaluate expert policy=expert
evaluate ignoring policy=expert policy.ignore_preference=true
evaluate replay policy=replay policy.path="$out/demos"
evaluate random policy=random
$perm report runs="$out/expert,$out/ignoring,$out/replay,$out/random" out="$out/report"

echo
echo "Report:        $out/report/report.html"
echo "Demonstration: $out/demos/${task}_demo.hdf5"
