# Without --rows a linear fit buys their number, and takes one of the ways that it announces: few rows by descent, many by moments. What is charged is epsilon, once, whichever way is taken.
awk 'BEGIN { print "x,y"; for (i = 0; i < 300; i++) print i % 13 / 13 "," i % 13 / 26 + i % 7 / 70 }' >few.csv
awk 'BEGIN { print "x,y"; for (i = 0; i < 9000; i++) print i % 13 / 13 "," i % 13 / 26 + i % 7 / 70 }' >many.csv
dpnoise budget init few --epsilon 3 --ledger dpnoise-ledger.db >/dev/null
dpnoise budget init many --epsilon 3 --ledger dpnoise-ledger.db >/dev/null
fit() { data=$1; shift; dpnoise fit linear "$data" --target y:0:1 --features x:0:1 "$@"; }
fit few.csv --epsilon 1 --dry-run
for data in few many; do
    fit $data.csv --epsilon 1 --json | python3 -c 'import json, sys; m = json.load(sys.stdin); r = m["releases"]; print(m["method"], m["interval"], r[0]["what"], [x.get("alternative", 0) for x in r], ["detail" in x for x in r].count(True))'
    dpnoise budget show $data --ledger dpnoise-ledger.db --json | near spent.epsilon=1
done
# A number that is public is not bought: rows are replaced, and all of them are used.
fit few.csv --epsilon 1 --delta 1e-6 --relation replace --missing value:0 --dry-run | grep -o -e '^  [a-z]* *cd, [0-9]* pass[es]*' -e '^  [a-z]* *functional: [a-z]*' -e '^  release.*'
