# The first release makes a budget and spends it, the same question is free, another one is refused and --fresh pays again.
printf 'region,income\nnorth,31000\nsouth,42000\n' >people.csv
ask() { dpnoise release people.csv "$@" || echo "exit code $?"; }
budget() { sed -n '/^  budget/p; /^  note/,$p' | sed 's/answered .* UTC/answered TIME/'; }
ask --count --epsilon 0.5 | budget
ask --count --epsilon 0.5 --json >first.json
ask --count --epsilon 0.50 --json >again.json
near stored=true ledger.charged.epsilon=0.5 ledger.remaining.epsilon=0 <again.json
/usr/bin/python3 -c 'import json; assert json.load(open("first.json"))["rows"] == json.load(open("again.json"))["rows"]'
ask --count --epsilon 0.5 | budget
ask --count --epsilon 0.1
ask --count --epsilon 0.5 --fresh
dpnoise budget show --json | near budgets.0.name=people budgets.0.charges=1

# A budget that was planned: exact sums, a stored answer by any alias, and a slip of the name is no new budget.
dpnoise budget init staff --epsilon 1 --alias crew --ledger l.db >/dev/null
for i in 1 2 3 4 5 6 7 8 9; do ask --sum "income:0:$i" --epsilon 0.1 --dataset crew --ledger l.db --json; done |
    grep -c '"stored": false'
ask --sum income:0:9 --epsilon 0.1 --dataset staff --ledger l.db --json | near stored=true
ask --count --epsilon 0.1 --dataset staff --ledger l.db | budget
ask --count --epsilon 0.1 --where 'region=north' --dataset staff --ledger l.db
ask --count --epsilon 0.1 --dataset stafff --ledger l.db

# Another file about the same data set is another question; what the data say now is not looked at.
dpnoise budget init both --epsilon 1 --ledger b.db >/dev/null
cp people.csv january.csv
ask --count --epsilon 0.25 --dataset both --ledger b.db --json | near stored=false
dpnoise release january.csv --count --epsilon 0.25 --dataset both --ledger b.db --json | near stored=false
rm january.csv
dpnoise release january.csv --count --epsilon 0.25 --dataset both --ledger b.db --json | near stored=true
ask --count --epsilon 0.25 --dataset both --ledger b.db --fresh --json | near stored=false

# Against a budget for replace a release for add-remove counts twice; about another unit it is refused.
dpnoise budget init swap --epsilon 1 --relation replace --ledger s.db >/dev/null
ask --count --epsilon 0.25 --dataset swap --ledger s.db --json |
    near ledger.charged.converted=true ledger.charged.epsilon=0.5 ledger.remaining.epsilon=0.5
ask --count --epsilon 0.25 --relation replace --dataset swap --ledger s.db --json | near ledger.remaining.epsilon=0.25
dpnoise budget init persons --epsilon 1 --unit person --ledger p.db >/dev/null
ask --count --epsilon 0.25 --dataset persons --ledger p.db
