# Equal fits are one question: a default that is written out, the method that auto takes, and rows that only a choice looks at cost nothing more.
awk 'BEGIN { print "x,y"; for (i = 0; i < 300; i++) print i % 13 / 13 "," i % 13 / 26 + i % 7 / 70 }' >data.csv
fit() { kind=$1; shift; dpnoise fit "$kind" data.csv --target y:0:1 --features x:0:1 --epsilon 1 --json "$@" | python3 -c 'import json, sys; print(json.load(sys.stdin)["stored"])'; }
dpnoise budget init data --epsilon 5 --ledger dpnoise-ledger.db >/dev/null
fit linear
fit linear --method auto
fit linear --method two-step
fit linear --rows 1000000
fit quantile
fit quantile --quantile 0.5 --method kng --within 2
fit quantile --quantile 0.25
dpnoise budget show data --ledger dpnoise-ledger.db --json | near spent.epsilon=4
# What was fitted is said: the quantile, and the setting of a private choice.
dpnoise fit quantile data.csv --target y:0:1 --features x:0:1 --epsilon 1 --quantile 0.25 | head -1
dpnoise fit linear data.csv --target y:0:1 --features x:0:1 --epsilon 1 --tune private --method moments | grep -c '^  chosen     {"fit": "linear", "method": "moments"'
