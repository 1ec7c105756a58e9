# States are released like the table they were made of: one charge, one answer, and no state is answered for two data sets.
printf 'id,region,income\n' | tee one.csv two.csv >all.csv
i=0
while [ "$i" -lt 60 ]; do
    echo "$((i % 9)),$((i % 2)),$((i * 1000))" | tee -a all.csv >>"$([ $((i % 3)) = 0 ] && echo one.csv || echo two.csv)"
    i=$((i + 1))
done
dpnoise release all.csv --count --histogram income:0,20000,60000 --by region --levels region=0,1 --person-id id --max-rows 9 --max-groups 2 \
    --epsilon 1000 --yes-epsilon --csv --ledger whole.db --save-spec question.json 2>/dev/null >whole
dpnoise tally --new-secret secret
for part in one two; do dpnoise tally "$part.csv" --spec question.json --secret secret -o "$part.state"; done
dpnoise budget init people --epsilon 1500 --unit person --ledger p.db >/dev/null
dpnoise budget init again --epsilon 1500 --unit person --ledger p.db >/dev/null
# With this epsilon the noise on counts is 0. What is asked stands in the states.
release() { dpnoise release --states "$@" --secret secret --yes-epsilon --ledger p.db --csv 2>&1 | grep -v '^  '; }
release one.state two.state --dataset people | cmp - whole
echo "the same again, in another order, is free"
cp two.state renamed.state
release renamed.state one.state --dataset people | cmp - whole
dpnoise budget show people --ledger p.db --json | grep -o '"charges": [0-9]*'
echo "for another data set, alone or beside others, it is refused"
dpnoise merge one.state two.state --secret secret -o all.state >/dev/null
release one.state --dataset again
release all.state --dataset again
release all.state two.state --dataset again
echo "what was asked cannot be changed, and other lots do not fit"
release one.state --dataset again --max-rows 3
dpnoise tally --new-secret other
dpnoise release --states one.state --secret other --yes-epsilon --ledger p.db --dataset again 2>&1 || true
echo "damaged states are refused before the charge"
head -c 900 one.state >cut.state
release cut.state --dataset again
dpnoise budget show again --ledger p.db --json | grep -o '"charges": [0-9]*'
echo "merged first and in parts afterwards is refused too"
for name in first second; do dpnoise budget init $name --epsilon 1500 --unit person --ledger q.db >/dev/null; done
dpnoise release --states all.state --secret secret --yes-epsilon --ledger q.db --csv --dataset first 2>/dev/null | cmp - whole
dpnoise release --states one.state two.state --secret secret --yes-epsilon --ledger q.db --csv --dataset second 2>&1 || true
