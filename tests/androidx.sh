#!/usr/bin/env bash
# An app as they are written today, with AndroidX, Material and WorkManager: each of its activities opens, each of the bugs
# marked in samples/planner crashes where it should, and two JVMs agree on a random run.
#
#   tests/androidx.sh MARMOSET
#
# Takes some three minutes, one of them to build the app; not part of ./test. Ends with 1 if something is not so.
set -euo pipefail
cd "$(dirname "$0")/.."
marmoset=$(realpath -- "$1")
samples/build build/samples planner
app=$PWD/build/samples/planner.apk
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

failed=0
check() { # check WHAT PATTERN FILE
  if grep -qE "$2" "$3"; then
    echo "ok: $1"
  else
    echo "FAILED: $1"
    cat "$3"
    failed=1
  fi
}

# Steps by their points on the display of 1080x1920@420.
crash() { # crash NAME WHERE STEPS…
  local name=$1 where=$2
  shift 2
  {
    echo '{"marmoset_trace":1,"package":"org.marmoset.planner","display":{"width":1080,"height":1920,"density":420,"status_bar":63,"navigation_bar":0},"seed":"1"}'
    echo '{"action":{"kind":"launch"}}'
    printf '{"action":{%s}}\n' "$@"
  } >"$work/trace.jsonl"
  "$marmoset" replay "$work/trace.jsonl" --app "$app" --target "crash:$where" >"$work/replay" 2>&1 || true
  check "$name" 'reached in 1 of 1' "$work/replay"
}
tap() { echo "\"kind\":\"tap\",\"x\":$1,\"y\":$2"; }
hold() { echo "\"kind\":\"long_tap\",\"x\":$1,\"y\":$2,\"duration_ms\":700"; }
wait_ms() { echo "\"kind\":\"wait\",\"duration_ms\":$1"; }
menu=$(tap 1022 136)

"$marmoset" doctor "$app" >"$work/doctor" 2>&1
check "both activities open" '2 of 2 activities open' "$work/doctor"

crash "bug 1: the section is left while it refreshes" \
  "java.lang.IllegalStateException at org.marmoset.planner.TasksFragment.refreshed(TasksFragment.java:50)" \
  '"kind":"swipe","x":540,"y":700,"to_x":540,"to_y":1500,"duration_ms":300' "$(tap 540 1850)" "$(wait_ms 2000)"
crash "bug 2: Undo after the list has become shorter" \
  "java.lang.IndexOutOfBoundsException at org.marmoset.planner.TasksModel.restore(TasksModel.java:53)" \
  "$(hold 500 690)" "$(tap 75 305)" "$(tap 75 500)" "$menu" "$(tap 800 285)" "$(tap 980 1700)"
crash "bug 3: nothing to synchronize" \
  "java.lang.NullPointerException at org.marmoset.planner.PlannerActivity.synced(PlannerActivity.java:88)" \
  "$(hold 500 690)" "$(hold 500 500)" "$(hold 500 305)" "$menu" "$(tap 800 160)" "$(wait_ms 3000)"

tests/determinism.sh "$marmoset" "$app" 3 150 >"$work/determinism" 2>&1 || true
check "two JVMs agree" '; 0 seeds differ' "$work/determinism"
exit "$failed"
