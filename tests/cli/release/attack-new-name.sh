# A budget belongs to data and not to a name: a link, another directory, standard input and a lost ledger give no new one.
ask() { dpnoise release "$@" --count --epsilon 1 2>&1 | sed -n 's/^dpnoise release: //p; s/^  note       made .*/made/p' | sed "s|$PWD|PWD|g; s/exceeds what is left.*/exceeds what is left/"; }
printf 'id\n1\n2\n' >visits.csv
dpnoise budget init visits --epsilon 1 >/dev/null
dpnoise release visits.csv --count --epsilon 0.5 >/dev/null
ask visits.csv

echo "links"
ln -s visits.csv visits2.csv
ask visits2.csv
ask visits2.csv --dataset visits
mkdir elsewhere
ln -s ../visits.csv elsewhere/visits.csv
ask elsewhere/visits.csv
(cd elsewhere && ask visits.csv)
ln visits.csv elsewhere/hard.csv
ask elsewhere/hard.csv
ask elsewhere/hard.csv --ledger dpnoise-ledger.db
rm elsewhere/hard.csv

echo "standard input"
ask - --dataset visits <visits.csv
(cd elsewhere && ask - --dataset visits <../visits.csv)
(cd elsewhere && DPNOISE_LEDGER=../dpnoise-ledger.db && export DPNOISE_LEDGER && ask - --dataset visits <../visits.csv)
ask - --dataset new --ledger dpnoise-ledger.db <visits.csv

echo "a lost ledger"
mv dpnoise-ledger.db kept
ask visits.csv
: >dpnoise-ledger.db
ask visits.csv
rm dpnoise-ledger.db
ask visits.csv --new-budget
mv kept dpnoise-ledger.db
ask visits.csv
ls -A elsewhere

echo "a new budget for what has one"
ask visits2.csv --new-budget
dpnoise budget show --json | near budgets.0.name=visits budgets.0.charges=1
