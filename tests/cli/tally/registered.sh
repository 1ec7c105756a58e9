# Registered data take no states and no sums: the ledger could not note them, and they would be answered under every registration. Nothing is charged.
printf 'id,income\n1,1000\n2,3000\n' >a.csv
printf 'id,income\n3,2000\n' >b.csv
dpnoise release a.csv --count --epsilon 1 --dry-run --save-spec question.json >/dev/null
for part in a b; do dpnoise tally $part.csv --spec question.json -o $part.state >/dev/null; done
for name in A B; do
    cp a.csv $name.csv
    dpnoise register $name $name.csv --number income:0:9000 --epsilon 5 --ledger l.db >/dev/null 2>&1
done
dpnoise register PP b.csv --number income:0:9000 --person-id id --epsilon 5 --ledger l.db >/dev/null 2>&1
dpnoise budget init other --alias-of A --ledger l.db >/dev/null
dpnoise budget init ada --of A --epsilon 1 --ledger l.db >/dev/null
for name in A B PP other ada; do dpnoise release --states a.state b.state --dataset $name --ledger l.db 2>&1 || echo "exit $?"; done
dpnoise release --states a.state --dataset A --ledger l.db --dry-run 2>&1 || echo "exit $?"
printf 'x\n1\n' >sums.csv
dpnoise release --sums sums.csv --spec question.json --dataset A --ledger l.db 2>&1 || echo "exit $?"
for name in A B PP; do dpnoise budget show $name --ledger l.db --json | grep -o '"charges": [0-9]*'; done
echo "a data set that is not registered gets them, once"
for name in first second; do dpnoise budget init $name --epsilon 5 --ledger l.db >/dev/null; done
dpnoise release --states a.state b.state --dataset first --ledger l.db --csv 2>/dev/null | head -n 1
dpnoise release --states a.state --dataset second --ledger l.db 2>&1 || echo "exit $?"
echo "also when it is registered afterwards"
cp a.csv first.csv
dpnoise register first first.csv --number income:0:9000 --ledger l.db >/dev/null 2>&1
for name in first second; do dpnoise release --states b.state --dataset $name --ledger l.db 2>&1 || echo "exit $?"; done
