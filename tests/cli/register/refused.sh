# What is refused leaves no ledger and no entry behind.
printf 'id,region,income\n1,north,31000\n2,south,42000\n' >people.csv
try() { dpnoise register "$@" 2>&1 >/dev/null | sed "s|$PWD|PWD|g"; }
try
try people
try people people.csv
try people people.csv more --epsilon 1
try people absent.csv --epsilon 1
try people people.csv --number income --epsilon 1
try people people.csv --number income:5:1 --epsilon 1
try people people.csv --number age:0:120 --epsilon 1
try people people.csv --category 'region=@people.csv' --epsilon 1
try people people.csv --category 'region=north,north' --epsilon 1
try people people.csv --where-columns region --epsilon 1
try people people.csv --max-rows 3 --epsilon 1
try people people.csv --least-epsilon 1 --most-epsilon 0.5 --epsilon 1
try people people.csv --epsilon 0
try people people.csv --na NA, --epsilon 1
try people people.csv --log nowhere/x.log --epsilon 1
try people --show
try people --amend people.csv
try people --show --amend
try people people.csv --amend
echo '{"source": {"kind": "file", "path": "people.csv"}}' >relative.json
try people --from relative.json --epsilon 1
echo '{"source": {"kind": "file", "path": "/x"}, "colums": []}' >slip.json
try people --from slip.json --epsilon 1
ls

echo "beside a registration"
dpnoise register people people.csv --number income:0:1 --person-id id --epsilon 1 >/dev/null
ln -s people.csv link.csv
ln people.csv hard.csv
try link link.csv --epsilon 1
try hard ./hard.csv --epsilon 1
try people people.csv --epsilon 1
printf '{"source": {"kind": "file", "path": "%s"}}' "$PWD/people.csv" >again.json
try again --from again.json --epsilon 1
sed 's/people.csv/link.csv/' again.json >link.json
try again --from link.json --epsilon 1
for log in people.csv hard.csv dpnoise-ledger.db dpnoise-ledger.db-wal dpnoise-ledger.db.key; do try people --amend --log $log; done
try people --amend --epsilon 2
try people --amend --relation replace
try people --amend --person-id region
try people --amend --drop wealth
dpnoise budget init crew --alias-of people >/dev/null
try crew people.csv --epsilon 1
try nobody --show
dpnoise budget init rows --epsilon 1 >/dev/null
printf 'id\n1\n' >rows.csv
try rows rows.csv --person-id id
dpnoise budget history | awk '{ print $3, $4 }'

echo "nothing that is said is ignored"
for verb in --amend --new-version --show; do
    try people $verb --from again.json
    try people $verb --table people
done
try people people.csv --moved --from again.json
try fresh --from again.json --table people --epsilon 1
