#!/usr/bin/env bash
# The whole program on the sample app, in a real JVM: explore, replay, minimize, resume after kill -9, Ctrl-C, errors.
#
#   tests/end_to_end.sh MARMOSET LEDGER.APK
#
# Prints one line per check; stops at the first that fails.
set -euo pipefail
marmoset=$(realpath -- "$1")
apk=$(realpath -- "$2")
models=$(dirname "$(realpath -- "$0")")/../samples/models
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work"
passed=0

check() { # check WHAT ACTUAL EXPECTED
  [[ $2 == "$3" ]] || { echo "FAILED: $1: got '$2', expected '$3'"; exit 1; }
  echo "ok: $1"
  passed=$((passed + 1))
}
status() { # status EXPECTED COMMAND…
  local expected=$1 actual=0
  shift
  "$@" >out.txt 2>err.txt || actual=$?
  [[ $actual == "$expected" ]] || { echo "FAILED: '$*' ended with $actual, not $expected"; cat err.txt; exit 1; }
}

explore=("$marmoset" --json explore "$apk" --strategy random --seed 5)
ape=("$marmoset" --json explore "$apk" --seed 5)  # The default.

status 1 "${explore[@]}" --events 3000 --stop-on-crash --out a
trace=$(jq -r '.crashes[0].trace' out.txt)
check "a crash is found" "$(jq '.crashes | length' out.txt)" 1

status 1 "${explore[@]}" --events 3000 --stop-on-crash --out b
check "the same seed gives the same bytes" "$(cmp a/crashes/1.trace.jsonl b/crashes/1.trace.jsonl && echo same)" same

check "the methods entered are counted" \
  "$(jq -c '.coverage | [.app_methods > 50, .app_methods < .of_app_methods]' out.txt)" "[true,true]"
check "and listed" "$(awk -F'\t' '$1 != "" && $3 == "app"' b/coverage/methods.tsv | wc -l)" \
  "$(jq .coverage.app_methods out.txt)"
check "and their curve ends there" "$(tail -1 b/coverage/curve.tsv | cut -f3)" "$(jq .coverage.app_methods out.txt)"

status 1 "${explore[@]}" --events 3000 --stop-on-crash --no-coverage --out uncounted
check "counting changes no byte of the trace" \
  "$(cmp a/crashes/1.trace.jsonl uncounted/crashes/1.trace.jsonl && echo same)" same
check "--no-coverage counts nothing" "$(jq .coverage out.txt)$(ls uncounted | grep -c coverage || true)" null0

status 0 "$marmoset" --json replay "$trace" --times 2
check "the trace replays" "$(jq -c '[.runs, .reached, .details[0].found_by_point]' out.txt)" "[2,2,0]"

status 0 "$marmoset" --json minimize "$trace" --out minimal --confirm 5
check "it is minimal and confirmed" "$(jq -c '[.one_minimal, .reached, .runs]' out.txt)" "[true,5,5]"
case $(jq -r .target out.txt) in
  *SummaryActivity.groupBy*) expected=4 ;;
  *ExpenseStore.read*) expected=7 ;;
  *BalancesActivity.show*) expected=6 ;;
  *) expected=unknown ;;
esac
check "its length is the known one" "$(jq .events_after out.txt)" "$expected"
check "there are pictures" "$(ls minimal/*.png | wc -l)" "$((expected - 1))"

status 0 "$marmoset" export monkey minimal/minimal.trace.jsonl -o minimal.monkey
status 0 "$marmoset" import monkey minimal.monkey --apk "$apk" --display 1080x1920@420 -o monkey.trace.jsonl
status 0 "$marmoset" --json replay monkey.trace.jsonl --target crash
check "as a script of Monkey it crashes, too" "$(jq .reached out.txt)" 1

status 0 "$marmoset" --json minimize minimal/minimal.trace.jsonl --devices 2 --confirm 4 --out two
check "two devices find no fewer" "$(jq -c '[.devices, .events_after, .reached, .runs]' out.txt)" "[2,$expected,4,4]"

# A crash by chance: counted, not believed at once.
status 1 "$marmoset" --json explore "$models/upload.yaml" --seed 3 --events 400 --stop-on-crash --out upload
status 1 "$marmoset" --json minimize upload/crashes/1.trace.jsonl --vary-seed --devices 3 --out flaky
check "a flaky crash is counted" \
  "$(jq -c '[.events_after, (.accept | startswith("a sequential test")), .pre_check.missed > 0]' out.txt)" "[4,true,true]"
status 4 "$marmoset" --json minimize upload/crashes/1.trace.jsonl --vary-seed --accept 18/20 --out rare
check "too rare a crash is refused" "$(jq -r .reason out.txt | wc -l)" 1

# A race: the recorded order of threads always has the same end, other orders have another one.
{
  jq -c 'select(.marmoset_trace) | .seed = "1" | .crash = "java.lang.NullPointerException"' "$trace"
  echo '{"action":{"kind":"launch"}}'
  at=100
  for id in menu_settings parallel BACK menu_balances calculate; do
    at=$((at + 450))
    jq -nc --arg id "$id" --argjson at $at '
      if $id == "BACK" then {action: {kind: "key", key: $id}, at_ms: $at}
      else {action: {kind: "tap", x: 1, y: 1}, at_ms: $at,
            selector: {id: "org.marmoset.ledger:id/\($id)", text: "", desc: "", class: "", path: "", label: "",
                       bounds: [0, 0, 2, 2], fraction: [0.5, 0.5]}} end'
  done
} >race.trace.jsonl
"$marmoset" --json replay race.trace.jsonl --target crash --times 20 >out.txt 2>err.txt || true
check "a race has one outcome" "$(jq -c '[.reached, .missed] | sort' out.txt)" "[0,20]"
status 1 "$marmoset" --json replay race.trace.jsonl --target crash --times 20 --vary-schedule
cp out.txt varied.txt
check "other orders have both" "$(jq '.reached > 2 and .missed > 2 and .unresolved == 0' out.txt)" true
status 1 "$marmoset" --json replay race.trace.jsonl --target crash --times 20 --vary-schedule
check "and the same ones in another JVM" "$(jq -c '[.details[].verdict]' out.txt)" "$(jq -c '[.details[].verdict]' varied.txt)"

# Another phone: the trace carries it.
status 1 "${explore[@]}" --events 3000 --stop-on-crash --profile pixel-7 --out phone
phone_trace=$(jq -r '.crashes[0].trace' out.txt)
check "a trace carries its device profile" "$(jq -r 'select(.marmoset_trace).profile.build.model' "$phone_trace")" "Pixel 7"
status 0 "$marmoset" --json replay "$phone_trace"
check "and is replayed on it" "$(jq -c '[.reached, .details[0].found_by_point]' out.txt)" "[1,0]"
mkdir -p bare/sdk && touch bare/stamp
MARMOSET_HOSTED=$PWD/bare status 10 "$marmoset" explore "$apk" --sdk 24 --out unknown
check "an Android that is not installed is told how to be" "$(grep -c 'run hosted/setup .* 24 in' err.txt)" 1
status 2 "$marmoset" explore "$apk" --profile phablet --out unknown
check "an unknown profile is told the known ones" "$(grep -c 'mi5-android6, phone, pixel-7' err.txt)" 1
check "and leaves no run behind" "$(ls unknown | wc -l)" 0

# kill -9: nothing is lost but the step in flight, no JVM stays, the run goes on.
"${ape[@]}" --events 3000 --out killed >/dev/null 2>&1 &
pid=$!
while [[ ! -s killed/run.sqlite ]]; do sleep 0.2; done
sleep 8
jvm=$(pgrep -P $pid)
kill -9 $pid
wait $pid 2>/dev/null || true
sleep 1
# One that nobody has reaped yet is dead, too.
check "kill -9 leaves no JVM" "$(ps -o stat= -p "$jvm" | grep -vc '^Z' || true)" 0
status 1 "$marmoset" --json explore --resume --out killed --events 600
check "a killed run is resumed" "$(jq .events out.txt)" 600
status 1 "${ape[@]}" --events 600 --out whole
check "and is what it would have been" \
  "$(cmp killed/crashes/1.trace.jsonl whole/crashes/1.trace.jsonl && echo same)" same
check "its coverage too" "$(cmp killed/coverage/methods.tsv whole/coverage/methods.tsv && echo same)" same

# Ctrl-C: a clean end, results kept.
setsid "${explore[@]}" --events 3000 --out stopped >out.txt 2>err.txt &
pid=$!
while kill -0 $pid; do
  sleep 0.5
  steps=$(sqlite3 stopped/run.sqlite 'SELECT count(*) FROM steps' 2>/dev/null || true)
  ((${steps:-0} < 5)) || break
done
kill -INT $pid
code=0
wait $pid || code=$?
check "Ctrl-C ends with 19" "$code" 19
check "and keeps the run" "$(jq -r .end out.txt)" stopped

# A study goes on in its folder, but not with runs that were made otherwise.
study=("$marmoset" bench explore --strategies random --seeds 1 --out study)
cp "$models/tip.yaml" app.yaml
status 0 "${study[@]}" app.yaml --events 50
status 0 "${study[@]}" app.yaml "$models/upload.yaml" --events 50
status 2 "${study[@]}" app.yaml --events 60
status 2 "${study[@]}" app.yaml --events 50 --display 720x1280@320
check "a study with another display is refused" "$(grep -c 'its runs have display default' err.txt)" 1
cp "$models/upload.yaml" app.yaml
status 2 "${study[@]}" app.yaml --events 50
check "and with another app of the same name" "$(grep -c 'its runs have app app' err.txt)" 1

# Bad input names the file.
head -c 30000 "$apk" >cut.apk
status 2 "$marmoset" explore cut.apk --out c
check "a truncated APK is named" "$(grep -c cut.apk err.txt)" 1
status 10 env MARMOSET_HOSTED=/nonexistent "$marmoset" explore "$apk" --out d
check "a missing set-up has a remedy" "$(grep -c 'hosted/setup' err.txt)" 1
status 0 "$marmoset" doctor
echo "$passed passed, 0 failed"
