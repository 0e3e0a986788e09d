#!/usr/bin/env bash
# Table 2: preferences on SinglePref, LIBERO's own tasks on the same layouts, and ComprePref.
# Usage: scripts/table2.sh OUT policy=NAME [policy.KEY=VALUE ...] [key=value ...]
# The same command goes on where it stopped.
set -euo pipefail
out=${1:?OUT is missing: a folder}; shift
perm evaluate suite=single_pref out="$out/single" "$@"
perm evaluate suite=single_pref wording=original out="$out/original" "$@"
perm evaluate suite=compre_pref out="$out/compre" "$@"
perm report table=2 runs="$out/single,$out/original,$out/compre" out="$out/table2"
