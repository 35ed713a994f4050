#!/usr/bin/env bash
# The hosted device on other SDK levels than the default: the tests of the real device on each (DeviceTest), and whether two
# JVMs agree on a random run of the sample app.
#
#   tests/sdk_levels.sh MARMOSET [LEVEL...]      without levels: all from 23 to 35
#
# Takes some three minutes a level, and fetches each framework once (80 to 200 MB); not part of ./test. Needs build/samples.
# Ends with 1 if something is not so.
set -euo pipefail
cd "$(dirname "$0")/.."
marmoset=$(realpath -- "$1")
shift
[[ $# -gt 0 ]] || set -- $(seq 23 35)
app=$PWD/build/samples/ledger.apk
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
hosted/setup build/hosted "$@"
export MARMOSET_HOSTED=$PWD/build/hosted

failed=0
check() { # check WHAT COMMAND…
  local what=$1
  shift
  if "$@" >"$work/output" 2>&1; then
    echo "ok: $what"
  else
    echo "FAILED: $what"
    sed -n '/^Results/,/^Tests run/p; /differ/p' "$work/output"
    failed=1
  fi
}
for level in "$@"; do
  check "SDK $level: the tests of the device" \
    mvn -q -B -f hosted/pom.xml test -Dtest=DeviceTest -Dmarmoset.test.apk="$app" -Dmarmoset.test.sdk="$level"
  check "SDK $level: two JVMs agree" env EXPLORE="--strategy random --sdk $level" tests/determinism.sh "$marmoset" "$app" 2 100
done
exit "$failed"
