# Persons: one with many rows counts as one (two rows of hers move the slope by less than 0.006, and 0.01 is allowed), the charge is what was declared, and registered persons need no option.
awk 'BEGIN { print "id,x,y"; for (i = 0; i < 1500; i++) { x = (i % 101) / 50 - 1; print i "," x "," x / 2; print "loud," x ",1" } }' >people.csv
fit() { dpnoise fit linear people.csv --target y:-1:1 --features x:-1:1 --method moments --epsilon 1e5 --yes-epsilon "$@"; }
fit --person-id id --json | near 2e-2 coefficients.1.value=0.5 unit=person ledger.remaining.epsilon=0
dpnoise fit linear people.csv --target y:-1:1 --features x:-1:1 --epsilon 1 --person-id id --max-rows 3 --dry-run --ledger none.db | unwrapped | sed -n '/guarantee/p; /persons/p'
# What the releases guarantee is about one of three rows of a person, and the answer and its model say so.
dpnoise fit linear people.csv --target y:-1:1 --features x:-1:1 --epsilon 1 --person-id id --max-rows 3 --method moments --new-budget --ledger three.db --json >three.json
near max_rows=3 unit=person model.max_rows=3 model.unit=person <three.json
dpnoise predict three.json people.csv | wc -l
fit --max-rows 2 --ledger none.db || echo "exit code $?"
fit --person-id id --relation replace --ledger none.db || echo "exit code $?"
dpnoise register people people.csv --number x:-1:1 --number y:-1:1 --person-id id --max-rows 2 --epsilon 3e5 --most-epsilon 1e5 --ledger desk.db >/dev/null
dpnoise fit linear people --target y --features x --method functional --epsilon 1e5 --yes-epsilon --ledger desk.db --json | near 2e-2 coefficients.1.value=0.5 unit=person ledger.remaining.epsilon=200000
