# "One person" is a column: whoever asks cannot name another one, by which a visit passes for a person.
printf 'id,visit,cost\n1,a,5\n1,b,5\n2,c,5\n' >visits.csv
dpnoise register visits visits.csv --number cost:0:10 --text visit --where-columns visit --person-id id --epsilon 1 >/dev/null
ask() { dpnoise release visits "$@" --sum cost --epsilon 0.25 2>&1; }
ask --person-id visit || echo "exit code $?"
ask --person-id cost || echo "exit code $?"
dpnoise release visits.csv --person-id visit --sum cost --epsilon 0.25 2>&1 || echo "exit code $?"
echo '{"statistics": [{"kind": "sum", "column": "cost"}], "person": "visit", "epsilon": "0.25"}' >spec.json
dpnoise release visits --spec spec.json 2>&1 || echo "exit code $?"
dpnoise budget show visits --json | near charges=0
ask --person-id id --json | near unit=person declaration.person=id
ask --json | near unit=person declaration.person=id stored=true
