# The demonstration runs, begins with a private table and the line of its ledger, and leaves its pictures, and only those.
if [ -n "${DPN_FEW:-}" ]; then echo "skip: each command has cases of its own for sanitizers" >&2; exit 77; fi
"$CASES"/../../demo/run "$(command -v dpnoise)" out >said 2>&1
sed -n '/./{p;q;}' said
grep -c '^\(north\|south\|east\|west\)  *[a-z]*  *[0-9]* +- [0-9]*  *[0-9]* +-' said
grep -c '^  ledger .* head 4:' said
grep -c 'from the ledger, free of charge' said
grep -c '^exit code 1$' said
ls out
grep -c "</svg>" out/*.svg
grep -c '</html>' out/census.html
