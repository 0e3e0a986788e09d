#!/usr/bin/env bash
# Table 4: composition and decomposition; tell what the policy was trained on with series=.
# Usage: scripts/table4.sh OUT policy=NAME [policy.KEY=VALUE ...] [key=value ...]
# The same command goes on where it stopped.
set -euo pipefail
out=${1:?OUT is missing: a folder}; shift
perm evaluate suite=pref_compose out="$out/compose" "$@"
perm report table=4 runs="$out/compose" out="$out/table4"
