# To be sourced: an exploration as text, for comparing runs step by step. REQUIRES: $marmoset.

# explore_steps FOLDER APK [FLAGS…]: explores; FOLDER.steps then has one line for each step. More options in EXPLORE,
# by default a strategy that does not look at coverage.
explore_steps() {
  local folder=$1 apk=$2 code=0
  shift 2
  # shellcheck disable=SC2086
  "$marmoset" --json --exit-zero explore "$apk" --out "$folder" "$@" ${EXPLORE:---strategy random} >"$folder.json" 2>"$folder.err" || code=$?
  [[ $code == 0 ]] || { echo "FAILED: explore $apk $* ended with $code"; cat "$folder.err"; exit 1; }
  sqlite3 "$folder/run.sqlite" "SELECT number, episode, action, selector, activity_after, screen_after, at_ms,
    ifnull((SELECT exception || ' ' || frame FROM crashes WHERE id = crash), ''),
    ifnull((SELECT place FROM host_gaps WHERE id = host_gap), '') FROM steps ORDER BY number" >"$folder.steps"
}

# equal_steps A B: how many lines of the two files agree before the first that does not.
equal_steps() {
  cmp -s "$1" "$2" && wc -l <"$1" && return
  local line
  line=$(cmp "$1" "$2" 2>/dev/null | sed -n 's/.*line \([0-9]*\).*/\1/p')
  echo $((${line:-1} - 1))
}
