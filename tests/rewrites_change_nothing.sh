#!/usr/bin/env bash
# What hosted/setup does to the framework and to Robolectric's libraries (direct calls, remembered look-ups) changes
# nothing that can be seen: with the same seed an app meets the same screens at the same times as on the jars
# as they were shipped.
#
#   tests/rewrites_change_nothing.sh MARMOSET HOSTED EVENTS APK…
#
# HOSTED is a folder that hosted/setup made. An APK that is not there is skipped. More options for explore in EXPLORE.
set -euo pipefail
# shellcheck source=tests/steps.sh
source "$(dirname "$0")/steps.sh"
marmoset=$(realpath -- "$1")
hosted=$(realpath -- "$2")
events=$3
shift 3
# Beside the folder, whose files are linked into it.
work=$(mktemp -d "$hosted.XXXXXX")
trap 'rm -rf "$work"' EXIT
failed=0

# The same installation on the original libraries, and on a framework without direct calls; the device's clock and order of
# threads are rewritten into both.
shipped=$work/shipped
cp -al "$hosted" "$shipped"
rm -rf "$shipped/lib" "$shipped/sdk" "$shipped/jvm-flags"
mv "$shipped/lib-original" "$shipped/lib"
mkdir "$shipped/sdk"
cp "$hosted/sdk/34" "$shipped/sdk/"
read -r jar _ <"$shipped/sdk/34"
java -cp "$shipped/marmoset-hosted.jar:$shipped/lib/*" marmoset.hosted.DirectCalls --keep-calls \
  "$shipped/sdk-original/$jar" "$shipped/sdk/$jar"
sed "s|$hosted|$shipped|g" "$hosted/jvm-flags" >"$shipped/jvm-flags"

for apk in "$@"; do
  name=$(basename "$apk")
  [[ -f $apk ]] || { echo "skipped: $name is not there"; continue; }
  rm -rf "$work"/ours* "$work"/theirs*
  MARMOSET_HOSTED=$hosted explore_steps "$work/ours" "$apk" --events "$events" --no-coverage
  MARMOSET_HOSTED=$shipped explore_steps "$work/theirs" "$apk" --events "$events" --no-coverage
  if cmp -s "$work/ours.steps" "$work/theirs.steps"; then
    echo "$name: $(wc -l <"$work/ours.steps") steps agree"
  else
    echo "FAILED: $name: after $(equal_steps "$work/ours.steps" "$work/theirs.steps") equal steps"
    diff "$work/ours.steps" "$work/theirs.steps" | cut -c1-300 | head -4 || true
    failed=1
  fi
done
exit $failed
