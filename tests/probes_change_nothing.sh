#!/usr/bin/env bash
# Probes change nothing that an app does: with the same seed the app, the app with its methods counted, and the app that
# `marmoset apk instrument` rewrote do the same steps, meet the same screens at the same times, and crash alike.
#
#   tests/probes_change_nothing.sh MARMOSET EVENTS APK…
#
# An APK that is not there is skipped. An app that differs from itself, because its threads race, is compared up to the
# step where it does, and that is said. More options for explore (a strategy, a seed) in EXPLORE.
set -euo pipefail
marmoset=$(realpath -- "$1")
events=$2
shift 2
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
failed=0

explore() { # explore FOLDER APK [FLAGS…]
  local folder=$1 apk=$2 code=0
  shift 2
  # shellcheck disable=SC2086
  "$marmoset" --json --exit-zero explore "$apk" --events "$events" --out "$folder" "$@" ${EXPLORE:-} >"$folder.json" 2>"$folder.err" || code=$?
  [[ $code == 0 ]] || { echo "FAILED: explore $apk ended with $code"; cat "$folder.err"; exit 1; }
  sqlite3 "$folder/run.sqlite" "SELECT number, episode, action, selector, activity_after, screen_after, at_ms,
    ifnull((SELECT exception || ' ' || frame FROM crashes WHERE id = crash), ''), ifnull(host_gap, '') FROM steps
    ORDER BY number" >"$folder.steps"
}
agree() { # agree A B: how many steps agree before the first that does not
  cmp -s "$1" "$2" && wc -l <"$1" && return
  local line
  line=$(cmp "$1" "$2" 2>/dev/null | sed -n 's/.*line \([0-9]*\).*/\1/p')
  echo $((${line:-1} - 1))
}

for apk in "$@"; do
  name=$(basename "$apk")
  [[ -f $apk ]] || { echo "skipped: $name is not there"; continue; }
  rm -rf "${work:?}"/*
  "$marmoset" apk instrument "$apk" -o "$work/rewritten.apk" --key "$work/key.pem" >"$work/instrument.txt"
  explore "$work/plain" "$apk" --no-coverage
  explore "$work/again" "$apk" --no-coverage
  explore "$work/counted" "$apk"
  explore "$work/rewritten" "$work/rewritten.apk" --no-coverage
  steps=$(wc -l <"$work/plain.steps")
  screens=$(sqlite3 "$work/plain/run.sqlite" "SELECT count(DISTINCT screen_after) FROM steps")
  own=$(agree "$work/plain.steps" "$work/again.steps")
  echo "$name: $steps steps, $screens screens; the app agrees with itself on $own"
  for other in counted rewritten; do
    same=$(agree "$work/plain.steps" "$work/$other.steps")
    echo "  $other: $same steps agree"
    if ((same < own)); then
      diff "$work/plain.steps" "$work/$other.steps" | cut -c1-300 | head -4
      failed=1
    fi
  done
done
[[ $failed == 0 ]] && echo "ok" || { echo "FAILED: probes changed what an app did"; exit 1; }
