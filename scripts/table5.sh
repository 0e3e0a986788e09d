#!/usr/bin/env bash
# Table 5: preferences against each other and against the task.
# Usage: scripts/table5.sh OUT policy=NAME [policy.KEY=VALUE ...] [key=value ...]
# The same command goes on where it stopped.
set -euo pipefail
out=${1:?OUT is missing: a folder}; shift
perm evaluate suite=pref_conflict out="$out/conflict" "$@"
perm report table=5 runs="$out/conflict" out="$out/table5"
