#!/usr/bin/env bash
# Every class of an app with probes in it passes the JVM's verifier after conversion, and every method of the list has its
# probe there.
#
#   tests/verify_probes.sh MARMOSET HOSTED APK…
#
# HOSTED is the folder that hosted/setup filled. An APK that is not there is skipped.
set -euo pipefail
here=$(cd "$(dirname "$0")" && pwd)
marmoset=$(realpath -- "$1")
hosted=$(realpath -- "$2")
shift 2
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
path="$hosted/marmoset-hosted.jar:$hosted/lib/*"
framework=$(echo "$hosted"/sdk/*.jar)
mkdir "$work/classes"
javac --release 17 -Xlint:all,-path -Werror -cp "$path" -d "$work/classes" "$here/coverage/marmoset/check/VerifyApp.java"

failed=0
for apk in "$@"; do
  name=$(basename "$apk")
  [[ -f $apk ]] || { echo "skipped: $name is not there"; continue; }
  rm -rf "$work/out" "$work"/probed.apk*
  "$marmoset" --json apk instrument "$apk" -o "$work/probed.apk" --key "$work/key.pem" >"$work/probed.json"
  java "@$hosted/jvm-flags" marmoset.hosted.Convert "$work/probed.apk" "$work/out"
  echo "$name: $(jq -r '"\(.methods) methods with a probe, \(.skipped) skipped, \(.without_code) without code"' "$work/probed.json")"
  echo "  not converted: $(jq -c '.failed_methods' "$work/out/report.json")"
  java -Xverify:all -XX:-PrintWarnings -cp "$path:$framework:$work/classes" marmoset.check.VerifyApp "$framework" "$work/out/classes.jar" \
    >"$work/verified.txt" || failed=1
  sed 's/^/  /' "$work/verified.txt"
  probes=$(jq '.methods' "$work/probed.json")
  lost=$(jq '.failed_methods | length' "$work/out/report.json")
  calls=$(sed -n 's/.* \([0-9]*\) of them call a probe$/\1/p' "$work/verified.txt")
  ((calls == probes - lost)) || { echo "  FAILED: $probes methods got a probe, $lost were lost, $calls have one"; failed=1; }
done
[[ $failed == 0 ]] && echo "ok" || { echo "FAILED: a class does not verify or a probe is missing"; exit 1; }
