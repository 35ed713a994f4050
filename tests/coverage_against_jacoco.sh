#!/usr/bin/env bash
# The methods that a run's coverage names are those that JaCoCo sees in the same run, in the same JVM. Each difference is
# listed with its reason; one without a reason fails.
#
#   tests/coverage_against_jacoco.sh MARMOSET HOSTED EVENTS APK…
#
# HOSTED is the folder that hosted/setup filled. JaCoCo comes from Maven. The app runs without bubblewrap, since JaCoCo
# writes a file: use apps that you trust. An APK that is not there is skipped.
set -euo pipefail
here=$(cd "$(dirname "$0")" && pwd)
marmoset=$(realpath -- "$1")
hosted=$(realpath -- "$2")
events=$3
shift 3
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
jacoco=0.8.14
jar=$work/org.jacoco.core-$jacoco.jar
mvn -q -B org.apache.maven.plugins:maven-dependency-plugin:2.8:copy "-Dartifact=org.jacoco:org.jacoco.core:$jacoco" \
  "-DoutputDirectory=$work" >"$work/mvn.log" 2>&1 || { cat "$work/mvn.log"; exit 1; }
path="$hosted/marmoset-hosted.jar:$hosted/lib/*:$jar"
mkdir "$work/classes" "$work/hosted"
javac --release 17 -Xlint:all,-path -Werror -cp "$path" -d "$work/classes" "$here"/coverage/marmoset/check/*.java

# The same device, with JaCoCo in its JVM.
echo "Premain-Class: marmoset.check.JacocoAgent" >"$work/manifest"
jar --create --file "$work/agent.jar" --manifest "$work/manifest"
sed "s|^-cp .*|-cp \"$path:$work/classes\"|" "$hosted/jvm-flags" >"$work/hosted/jvm-flags"
echo "-javaagent:$work/agent.jar=$work/jacoco.exec" >>"$work/hosted/jvm-flags"
cp "$hosted/stamp" "$work/hosted/stamp"
export XDG_CACHE_HOME=$work/cache

failed=0
for apk in "$@"; do
  [[ -f $apk ]] || { echo "skipped: $(basename "$apk") is not there"; continue; }
  rm -rf "$work/run" "$work/jacoco.exec" "$work/cache"
  # Converted by the plain device: JaCoCo has no part in that.
  code=0
  MARMOSET_HOSTED=$hosted "$marmoset" --exit-zero explore "$apk" --events 1 --out "$work/run" >"$work/out.txt" 2>"$work/err.txt" || code=$?
  rm -rf "$work/run"
  # shellcheck disable=SC2086
  [[ $code != 0 ]] || MARMOSET_HOSTED=$work/hosted "$marmoset" --exit-zero explore "$apk" --events "$events" --out "$work/run" \
    --unsafe-no-sandbox ${EXPLORE:-} >"$work/out.txt" 2>"$work/err.txt" || code=$?
  [[ $code == 0 && -f $work/jacoco.exec ]] || { echo "FAILED: explore ended with $code"; cat "$work/err.txt"; exit 1; }
  echo "$(basename "$apk"): $(head -2 "$work/out.txt" | tr '\n' ' ')"
  java -cp "$path:$work/classes" marmoset.check.CompareWithJacoco "$work/jacoco.exec" \
    "$(echo "$work"/cache/marmoset/apps/*-probes*/classes.jar)" "$work/run" || failed=1
done
[[ $failed == 0 ]] && echo "ok" || { echo "FAILED: a difference has no reason"; exit 1; }
