#!/usr/bin/env bash
# Figure 4, one point: PrefScale for a policy trained on series=L1|L2|L3|L4|NUMBER.
# Then: perm report table=figure4 runs=OUT1,OUT2,... out=DIR
# Usage: scripts/figure4.sh OUT policy=NAME [policy.KEY=VALUE ...] [key=value ...]
# The same command goes on where it stopped.
set -euo pipefail
out=${1:?OUT is missing: a folder}; shift
perm evaluate suite=pref_scale out="$out" "$@"
