# Each limit that a question says, within those that are registered, is what it gets, and none beyond them; what it does not say is what is registered.
printf 'id,region,income\n1,north,31000\n2,south,?\n3,north,7\n' >people.csv
dpnoise register people people.csv --number income:0:200000 --category region --person-id id --max-rows 4 --max-groups 3 --missing value:5 \
    --na '?' --population 1000 --epsilon 100 --delta 1e-4 --most-delta 1e-5 >/dev/null
ask() { dpnoise release people --count --by region --epsilon 0.5 --dry-run "$@" --json 2>&1 || echo "exit code $?"; }
# What the declaration leaves out is 1 row, 1 group and skip.
said() {
    echo "$*"
    ask "$@" | python3 -c 'import json, sys
said = json.load(sys.stdin)["declaration"]
print("   ", *(said.get(name) for name in ("max_rows", "max_groups", "delta", "missing", "na", "relation")))'
}
said --delta 1e-6
said --delta 1e-6 --max-rows 2
said --delta 1e-6 --max-groups 1
said --delta 1e-6 --max-groups 2
said --delta 1e-6 --max-rows 1 --max-groups 2
said --delta 1e-7 --max-rows 4 --max-groups 3
said --delta 1e-7 --missing value:5.0 --na '?' --relation add-remove
echo "wider"
ask --delta 1e-6 --max-rows 5
ask --delta 1e-6 --max-groups 4
ask --delta 1e-6 --max-groups 1000000000
ask --delta 1.1e-5
ask --delta 1e-6 --missing value:6
ask --delta 1e-6 --missing skip
ask --delta 1e-6 --na x
ask --delta 1e-6 --relation replace
