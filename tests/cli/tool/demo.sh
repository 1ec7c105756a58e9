# The demonstration runs, ends with a private table and the line of its ledger, and leaves its pictures, and only those.
"$CASES"/../../demo/run "$(command -v dpnoise)" out >said 2>&1
grep -c '^\(north\|south\|east\|west\)  *[a-z]*  *[0-9]* +- [0-9]*  *[0-9]* +-' said
grep -c '^  ledger .* head 4:' said
grep -c 'from the ledger, free of charge' said
grep -c '^exit code 1$' said
ls out
grep -c "</svg>" out/*.svg
grep -c '</html>' out/census.html
