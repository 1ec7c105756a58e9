# The papers are recomputed; every value agrees, every figure is there.
if [ -n "${DPN_FEW:-}" ]; then echo "skip: each command has cases of its own for sanitizers" >&2; exit 77; fi
"$CASES"/../../paper/run "$(command -v dpnoise)" out | tail -n 2 | sed 's/^[0-9]* values/N values/'
grep -c -e '| agrees |' out/README.md
for figure in $(sed -n 's/^!\[.*](\(.*\))$/\1/p' out/README.md); do grep -c '</svg>' "out/$figure"; done
