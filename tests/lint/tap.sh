# Test cases in sh that print TAP. Source it, call expect for each case, end with tap_done.
# shellcheck shell=sh
cases=0 failures=0
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT

# expect STATUS WORDS NAME COMMAND...: the command ends with this status (0 or 1) and prints these words.
expect() {
    wanted=$1 words=$2 name=$3
    shift 3
    cases=$((cases + 1)) status=0
    "$@" >"$scratch/output" 2>&1 || status=1
    if [ $status = "$wanted" ] && { [ -z "$words" ] || grep -qF -e "$words" "$scratch/output"; }; then
        echo "ok $cases - $name"
    else
        echo "not ok $cases - $name"
        echo "# status $status, wanted $wanted and the words '$words'"
        sed 's/^/# /' "$scratch/output"
        failures=$((failures + 1))
    fi
}

tap_done() {
    echo "1..$cases"
    exit "$((failures > 0))"
}
