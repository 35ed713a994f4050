#!/usr/bin/env bash
# The same seed gives the same run in another JVM: each seed is explored twice, each time in a JVM of its own, and every
# step must meet the same screen at the same time.
#
#   tests/determinism.sh MARMOSET APK SEEDS EVENTS
#
# SEEDS is a number (1 to that) or a list ("3 17"). Says for each seed that differs where it does, and ends with 1 if one
# does. KEEP=FOLDER keeps the run records of seeds that differ; EXPLORE holds more options for explore (default: --strategy random).
set -euo pipefail
# shellcheck source=tests/steps.sh
source "$(dirname "$0")/steps.sh"
marmoset=$(realpath -- "$1")
apk=$(realpath -- "$2")
seeds=$3
events=$4
[[ $seeds == *" "* ]] || seeds=$(seq -s " " 1 "$seeds")
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

differ=0
compared=0
steps=0
for seed in $seeds; do
  for run in a b; do
    explore_steps "$work/$run" "$apk" --seed "$seed" --events "$events"
  done
  compared=$((compared + 1))
  steps=$((steps + $(wc -l <"$work/a.steps")))
  if ! cmp -s "$work/a.steps" "$work/b.steps"; then
    differ=$((differ + 1))
    echo "seed $seed differs: $(diff "$work/a.steps" "$work/b.steps" | grep '^[<>]' | head -2 | cut -c1-200 | paste -sd' ')"
    if [[ -n ${KEEP:-} ]]; then
      mkdir -p "$KEEP"
      rm -rf "$KEEP/seed-$seed-a" "$KEEP/seed-$seed-b"
      cp -r "$work/a" "$KEEP/seed-$seed-a"
      cp -r "$work/b" "$KEEP/seed-$seed-b"
    fi
  fi
  rm -rf "${work:?}"/*
done
echo "$(basename "$apk"): $compared seeds, $steps steps twice; $differ seeds differ"
[[ $differ == 0 ]]
