# One question in, one answer out; stored answers are given again; the registration fills in bounds, levels and persons.
printf 'id,region,income\n1,north,31000\n2,south,42000\n3,north,7\n' >people.csv
dpnoise register people people.csv --number income:0:200000 --category region=north,south --where-columns region --person-id id \
    --epsilon 3000 --most-epsilon 1000 --log people.log --ledger desk.db >/dev/null
ask() { dpnoise ask --ledger desk.db --analyst ada --shared 2>/dev/null | sed "s/what is left.*/what is left/"; }
# With this epsilon the noise on counts is 0.
echo '{"dataset": "people", "statistics": [{"kind": "count"}], "by": [{"column": "region"}], "epsilon": "1000"}' >question
ask <question >first
near dataset=people analyst=ada rows.0.value=2 rows.1.value=1 rows.0.group.region=north stored=false unit=person charged.epsilon=1000 remaining.epsilon=2000 <first
near repeat=false <first
# A repeat costs nothing, and says so.
ask <question | near stored=true repeat=true charged.epsilon=0 charged.delta=0 charged.converted=false remaining.epsilon=2000 rows.0.value=2
echo '{"statistics": [{"kind": "mean", "column": "income"}], "where": [{"column": "region", "is": "=", "value": "south"}], "epsilon": "1000", "dataset": "people"}' |
    ask | near declaration.statistics.0.upper=200000 declaration.person=id stored=false
echo '{"dataset": "people", "statistics": [{"kind": "sum", "column": "income"}], "epsilon": "1001"}' | ask
echo '{"dataset": "people", "statistics": [{"kind": "sum", "column": "income"}], "epsilon": "1000"}' | ask | near charged.epsilon=1000 remaining.epsilon=0
echo '{"dataset": "people", "statistics": [{"kind": "variance", "column": "income"}], "epsilon": "2"}' | ask

# What the service itself gets wrong.
dpnoise ask --ledger desk.db <question || echo "exit code $?"
dpnoise ask --analyst ada <question || echo "exit code $?"
dpnoise ask --analyst ada/eve --ledger desk.db <question || echo "exit code $?"
dpnoise ask --analyst ada --ledger none.db <question || echo "exit code $?"
dpnoise ask --analyst ada --ledger desk.db <question || echo "exit code $?"
ls
