# Data that were released once, without a registration, have a budget: no other name, link, budget or registration gives them a second
# one, and "one person" stays the column that it was.
printf 'id,visit,cost\n1,a,5\n1,b,5\n2,c,5\n' >visits.csv
try() { "$@" 2>&1 >/dev/null | sed "s|$PWD|PWD|g"; }
ask() { try dpnoise release "$@" --count --epsilon 1; }
dpnoise release visits.csv --person-id id --sum cost:0:10 --epsilon 1 >/dev/null
dpnoise budget history | awk '{ print $3, $4 }'
echo "other names"
ln -s visits.csv link.csv
ask link.csv --person-id id
ask link.csv --person-id id --new-budget
ask visits.csv --person-id id --dataset other --new-budget
ln visits.csv hard.csv
ask hard.csv --person-id id --new-budget
ask ./hard.csv --person-id id --new-budget --dataset third
rm hard.csv
dpnoise budget init second --epsilon 5 --unit person >/dev/null
ask visits.csv --person-id id --dataset second
ask link.csv --person-id id --dataset second
dpnoise budget init nick --alias-of second >/dev/null
ask visits.csv --person-id id --dataset nick
dpnoise budget init second/ada --epsilon 1 --of second >/dev/null
ask visits.csv --person-id id --dataset second/ada
echo "standard input"
ask - --person-id id --dataset second --ledger dpnoise-ledger.db <visits.csv
ask - --person-id id --dataset fourth --new-budget --ledger dpnoise-ledger.db <link.csv
{ read -r _ && ask - --person-id id --dataset second --ledger dpnoise-ledger.db; } <visits.csv
try dpnoise register second - <visits.csv
try dpnoise register fifth - --epsilon 5 <visits.csv
dpnoise register piped - --text visit --person-id id --epsilon 5 >/dev/null </dev/null
ask piped <visits.csv
echo "a registration"
try dpnoise register fresh visits.csv --person-id id --epsilon 5
try dpnoise register fresh link.csv --person-id id --epsilon 5
try dpnoise register second visits.csv --person-id id
try dpnoise register visits visits.csv --person-id id --epsilon 5
echo "another person"
dpnoise budget renew visits --note 'so that there is something to spend' >/dev/null
ask visits.csv --person-id visit
ask link.csv --person-id visit --dataset visits
ask - --person-id visit --dataset visits --ledger dpnoise-ledger.db <visits.csv
try dpnoise register visits visits.csv --person-id visit
dpnoise budget show visits --json | near charges=0

echo "what the curator may"
dpnoise release link.csv --dataset visits --person-id id --count --epsilon 0.5 --json | near ledger.remaining.epsilon=0.5 stored=false
dpnoise register visits visits.csv --person-id id --number cost:0:10 >/dev/null
dpnoise release visits --count --epsilon 0.25 --json | near ledger.remaining.epsilon=0.25
dpnoise budget show --json | /usr/bin/python3 -c 'import json, sys
print([b["name"] for b in json.load(sys.stdin)["budgets"] if b["charges"]])'

# A budget that was planned is bound by its first charge, and what is refused binds nothing.
printf 'x\n1\n' >a.csv
dpnoise budget init a --epsilon 1 >/dev/null
dpnoise budget init b --epsilon 2 >/dev/null
ask a.csv --dataset a --where 'x<2' --dry-run
try dpnoise release a.csv --dataset a --count --epsilon 3
dpnoise release a.csv --dataset b --count --epsilon 1.5 --json | near stored=false
ask a.csv --dataset a
dpnoise budget history | awk '{ print $3, $4 }' | tail -n 2

# Names of tables in other letters, or with their path spelled otherwise, are the same tables.
/usr/bin/python3 -c 'import sqlite3
with sqlite3.connect("t.db") as db:
    db.execute("CREATE TABLE people (x)")'
dpnoise release t.db --table people --dataset people --count --epsilon 1 --ledger t.ledger >/dev/null
ask sqlite:./t.db --table PEOPLE --dataset more --new-budget --ledger t.ledger
ask sqlite:file:t.db --table people --dataset more --new-budget --ledger t.ledger
ask 'sqlite:file:t.db?mode=ro' --table people --dataset more --new-budget --ledger t.ledger
try dpnoise register more sqlite:file:t.db --table people --epsilon 1 --ledger t.ledger
try dpnoise register more t.db --table People --epsilon 1 --ledger t.ledger
