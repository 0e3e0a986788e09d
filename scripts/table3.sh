#!/usr/bin/env bash
# Table 3: the same for a tuned policy over ten repeats, and on unseen layouts.
# Usage: scripts/table3.sh OUT policy=NAME [policy.KEY=VALUE ...] [key=value ...]
# The same command goes on where it stopped.
set -euo pipefail
out=${1:?OUT is missing: a folder}; shift
perm evaluate suite=single_pref repeats=10 out="$out/single" "$@"
perm evaluate suite=single_pref repeats=10 wording=original out="$out/original" "$@"
perm evaluate suite=compre_pref repeats=10 out="$out/compre" "$@"
perm evaluate suite=pref_scale split=unseen_layout condition=A repeats=10 out="$out/unseen" "$@"
perm report table=3 runs="$out/single,$out/original,$out/compre,$out/unseen" out="$out/table3"
