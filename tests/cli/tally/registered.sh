# States of registered data: noted beside the registration, under whose limits they are answered, and refused for every other data set.
printf 'id,income\n1,1000\n2,3000\n' >a.csv
printf 'id,income\n3,2000\n' >b.csv
for name in A B; do
    cp a.csv $name.csv
    dpnoise register $name $name.csv --number income:0:9000 --epsilon 5000 --most-epsilon 1000 --ledger l.db >/dev/null 2>&1
done
cp b.csv PP.csv
dpnoise register PP PP.csv --number income:0:9000 --person-id id --epsilon 5000 --most-epsilon 1000 --ledger l.db >/dev/null 2>&1
dpnoise budget init other --alias-of A --ledger l.db >/dev/null
dpnoise budget init ada --of A --epsilon 2000 --ledger l.db >/dev/null
dpnoise budget init plain --epsilon 5000 --ledger l.db >/dev/null
charges() { for name in "$@"; do dpnoise budget show "$name" --ledger l.db --json | grep -o '"charges": [0-9]*'; done; }
ledger='--ledger l.db'
release() { dpnoise release "$@" $ledger --yes-epsilon --csv 2>&1 || echo "exit $?"; }
numbers() { release "$@" | sed -n 's/^\([0-9]*\),\([0-9]*\),.*/\1/p'; }
# With this epsilon the noise on counts is 0: what is released is what was tallied.
dpnoise release A --count --epsilon 900 --dry-run --save-spec question.json --ledger l.db >/dev/null
for part in a b; do dpnoise tally $part.csv --spec question.json -o $part.state >/dev/null; done
dpnoise merge a.state b.state -o ab.state >/dev/null
numbers --states a.state b.state --dataset A
echo "again it is free, by another name too; a quota pays"
release --states b.state a.state --dataset other | grep -c 'free of charge'
release --states b.state a.state --dataset ada | grep -c 'charged to this quota alone'
charges A ada
echo "nobody else gets them: registered or not, alone, merged, beside others"
dpnoise tally b.csv --spec question.json -o c.state >/dev/null
printf 'id,income\n1,9000\n2,9000\n3,9000\n4,9000\n5,9000\n' >d.csv
dpnoise tally d.csv --spec question.json -o d.state >/dev/null
for states in a.state 'b.state a.state' ab.state 'd.state a.state' c.state; do
    for name in B plain; do release --states $states --dataset $name; done
done
charges B plain
echo "and what others had first A does not get"
numbers --states d.state --dataset plain
release --states d.state a.state --dataset A
echo "the answer of the states is not that of the file, nor of other states"
numbers A --count --epsilon 900
numbers --states a.state --dataset A
charges A
echo "what the registration refuses is refused, and states of another question, before anything is charged"
dpnoise release a.csv --count --histogram income:0,9001 --epsilon 1 --dry-run --save-spec wide.json --ledger none.db >/dev/null
dpnoise release a.csv --count --histogram income:0,9000 --epsilon 1 --dry-run --save-spec rows.json --ledger none.db >/dev/null
for spec in wide rows; do dpnoise tally a.csv --spec $spec.json -o $spec.state >/dev/null; done
release --states wide.state --dataset A
release --states rows.state --dataset PP
release --states rows.state --spec question.json --dataset A
release --states a.state --epsilon 1001 --dataset A
dpnoise release --states a.state --dataset B --ledger l.db --dry-run 2>&1 || echo "exit $?"
charges A B PP
echo "persons are those that are registered, with a secret"
dpnoise tally --new-secret secret
dpnoise release PP --count --epsilon 900 --dry-run --save-spec persons.json --ledger l.db >/dev/null
for part in a b; do dpnoise tally $part.csv --spec persons.json --secret secret -o p$part.state >/dev/null; done
numbers --states pa.state pb.state --secret secret --dataset PP
release --states pa.state pb.state --secret secret --dataset A
charges A PP
echo "sums are states like others"
printf 'dpn_rows,dpn_0\n7,7\n' >sums.csv
numbers --sums sums.csv --spec question.json --dataset A
release --sums sums.csv --spec question.json --dataset B
dpnoise tally sums.csv --sums --spec question.json -o e.state >/dev/null
release --states e.state --dataset B
echo "a new version is new data: they are paid again, and noted already"
dpnoise register A --new-version --note more --ledger l.db >/dev/null
numbers --states a.state b.state --dataset A
charges A
dpnoise budget history A --ledger l.db --json | grep -o '"kind": "source"' | sort | uniq -c
echo "the ledger is read again, exported and imported"
dpnoise budget verify --ledger l.db >/dev/null && echo verified
dpnoise budget export --ledger l.db >export.txt
dpnoise budget import export.txt --ledger copy.db --ledger-key l.db.key >/dev/null && echo imported
ledger='--ledger copy.db --ledger-key l.db.key'
release --states b.state --dataset B
echo "also when it is registered afterwards"
for name in first second; do dpnoise budget init $name --epsilon 5000 --ledger m.db >/dev/null; done
ledger='--ledger m.db'
numbers --states a.state b.state --dataset first
cp a.csv first.csv
dpnoise register first first.csv --number income:0:9000 --most-epsilon 1000 --ledger m.db >/dev/null 2>&1
release --states b.state --dataset second
numbers --states b.state --dataset first
echo "parts beside one that is known are noted too, under names that tell nothing"
for name in third fourth; do dpnoise budget init $name --epsilon 5000 --ledger n.db >/dev/null; done
ledger='--ledger n.db'
numbers --states a.state --dataset third
numbers --states a.state b.state --dataset third
release --states b.state --dataset fourth
release --states ab.state --dataset fourth
digest() { tail -c 32 "$1" | od -An -v -tx1 | tr -d ' \n' | cut -c1-16; }
for state in a b ab; do dpnoise budget export --ledger n.db | grep -c "$(digest $state.state)" || true; done
dpnoise budget export --ledger n.db | grep -o '"what": "[a-z]*' | sort | uniq -c
echo "parts without rows are of nobody"
printf 'id,income\n' >empty.csv
dpnoise tally empty.csv --spec question.json -o empty.state >/dev/null
cp empty.state nobody.state
numbers --states c.state empty.state --dataset third
numbers --states d.state empty.state nobody.state --dataset fourth
release --states empty.state a.state nobody.state --dataset fourth
