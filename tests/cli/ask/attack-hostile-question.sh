# No question touches a file, names who asks, widens what is registered or learns why the data cannot be read; and none of
# these costs anything.
printf 'id,region,income,visit\n1,north,31000,a\n2,south,42000,b\n' >people.csv
dpnoise register people people.csv --number income:0:200000 --category region=north,south --text visit --where-columns region \
    --person-id id --epsilon 1 --log people.log --ledger desk.db >/dev/null
ask() { dpnoise ask --ledger desk.db --analyst ada --shared 2>/dev/null | sed 's/ no such member.*"}/ no such member/'; }
q() { echo "{\"dataset\": \"people\", $1}" | ask; }
count='"statistics": [{"kind": "count"}]'
echo "not a question"
printf '' | ask
echo 'SELECT 1' | ask
head -c 2000000 /dev/zero | tr '\0' '[' | ask
printf '%040000d' 0 | tr 0 '[' | ask
echo '[]' | ask
echo "{$count, \"epsilon\": 1}" | ask
echo "who asks, and which data"
q "$count, \"epsilon\": 0.5, \"analyst\": \"eve\""
q "$count, \"epsilon\": 0.5, \"user\": \"eve\""
echo "{\"dataset\": \"people.csv\", $count, \"epsilon\": 0.5}" | ask
echo "{\"dataset\": \"$PWD/people.csv\", $count, \"epsilon\": 0.5}" | ask | sed "s|$PWD|PWD|"
echo "files"
for member in levels report save_spec log ledger spec table source note fresh; do q "$count, \"epsilon\": 0.5, \"$member\": \"@people.csv\""; done
q "$count, \"by\": [{\"column\": \"region\", \"levels\": \"@people.csv\"}], \"epsilon\": 0.5"
for option in --report --save-spec --log --user --new-budget --check --spec --fresh --dry-run; do
    dpnoise ask $option=x --ledger desk.db --analyst ada </dev/null 2>/dev/null || echo "exit code $?"
done
echo "wider than registered"
q '"statistics": [{"kind": "sum", "column": "region"}], "epsilon": 0.5'
q '"statistics": [{"kind": "sum", "column": "income", "lower": 0, "upper": 200001}], "epsilon": 0.5'
q '"statistics": [{"kind": "sum", "column": "wealth"}], "epsilon": 0.5'
q "$count, \"where\": [{\"column\": \"income\", \"is\": \"<\", \"value\": 5}], \"epsilon\": 0.5"
q "$count, \"by\": [{\"column\": \"region\", \"levels\": [\"east\"]}], \"epsilon\": 0.5"
q "$count, \"person\": \"visit\", \"epsilon\": 0.5"
q "$count, \"max_rows\": 2, \"epsilon\": 0.5"
q "$count, \"epsilon\": 0.000999"
q "$count, \"epsilon\": 11"
q "$count, \"epsilon\": 0.5, \"delta\": 0.999"
echo "data that cannot be read"
mv people.csv away
q "$count, \"epsilon\": 0.5"
printf 'id,region\n1,north\n' >people.csv
q '"statistics": [{"kind": "mean", "column": "income"}], "epsilon": 0.5'
sed "s|$PWD|PWD|; s/^[^ ]* //" people.log
stat -c %a people.log
dpnoise budget show people --ledger desk.db --json | near charges=0
ls
