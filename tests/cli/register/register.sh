# A data set is registered, shown, written and read back; its changes are entries of the chain.
printf 'id,region,income,note\n1,north,31000,a\n2,south,,b\n3,west,900000,c\n,north,x,d\n' >people.csv
said() { sed "s|$PWD|PWD|g"; }
dpnoise register people people.csv --number income:0:200000:EUR --category region=north,south --text note --where-columns region,income \
    --person-id id --max-rows 2 --na NA,? --population 1000 --log people.log --epsilon 1 --delta 1e-6 | said | sed '/^and its budget/,$d'
dpnoise register people --show --json >shown.json
near name=people version=1 unit=person relation=add-remove total.epsilon=1 least_epsilon=0.001 most_epsilon=10 schema.0.unit=EUR \
    registration.max_rows=2 source.kind=file <shown.json
/usr/bin/python3 -c 'import json; print(json.dumps(json.load(open("shown.json"))["registration"]))' >registration.json
dpnoise register people --from registration.json --epsilon 1 --delta 1e-6 --ledger other.db >/dev/null
dpnoise register people --show --json --ledger other.db | diff shown.json -

echo "changes"
dpnoise register people --amend --drop note --number income:0:100000 --category region --note 'nobody asks for notes' | sed -n '/columns/,/predicates/p'
dpnoise register people --new-version --json 2>/dev/null | near version=2
mv people.csv moved.csv
dpnoise register people moved.csv --moved | said | sed -n '/version/p'
dpnoise budget history | grep -c registration
dpnoise budget verify >/dev/null

echo "a budget of before"
printf 'x\n1\n' >old.csv
dpnoise budget init old --epsilon 2 --ledger o.db >/dev/null
dpnoise register old old.csv --number x:0:1 --ledger o.db --json 2>/dev/null | near version=1 total.epsilon=2 least_epsilon=0.002

echo "from a file to standard input"
dpnoise register old - --moved --ledger o.db </dev/null | head -n 1
