#!/usr/bin/env bash
# Probes change nothing that an app does: with the same seed the app, the app with its methods counted, and the app that
# `marmoset apk instrument` rewrote do the same steps, meet the same screens at the same times, and crash alike.
#
#   tests/probes_change_nothing.sh MARMOSET EVENTS APK…
#
# An APK that is not there is skipped. An app that differs from itself, because its threads race, is compared up to the
# step where it does, and that is said. More options for explore (a strategy, a seed) in EXPLORE.
set -euo pipefail
# shellcheck source=tests/steps.sh
source "$(dirname "$0")/steps.sh"
marmoset=$(realpath -- "$1")
events=$2
shift 2
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
failed=0

for apk in "$@"; do
  name=$(basename "$apk")
  [[ -f $apk ]] || { echo "skipped: $name is not there"; continue; }
  rm -rf "${work:?}"/*
  "$marmoset" apk instrument "$apk" -o "$work/rewritten.apk" --key "$work/key.pem" >"$work/instrument.txt"
  explore_steps "$work/plain" "$apk" --events "$events" --no-coverage
  explore_steps "$work/again" "$apk" --events "$events" --no-coverage
  explore_steps "$work/counted" "$apk" --events "$events"
  explore_steps "$work/rewritten" "$work/rewritten.apk" --events "$events" --no-coverage
  steps=$(wc -l <"$work/plain.steps")
  screens=$(sqlite3 "$work/plain/run.sqlite" "SELECT count(DISTINCT screen_after) FROM steps")
  own=$(equal_steps "$work/plain.steps" "$work/again.steps")
  echo "$name: $steps steps, $screens screens; the app agrees with itself on $own"
  for other in counted rewritten; do
    same=$(equal_steps "$work/plain.steps" "$work/$other.steps")
    echo "  $other: $same steps agree"
    if ((same < own)); then
      diff "$work/plain.steps" "$work/$other.steps" | cut -c1-300 | head -4
      failed=1
    fi
  done
done
[[ $failed == 0 ]] && echo "ok" || { echo "FAILED: probes changed what an app did"; exit 1; }
