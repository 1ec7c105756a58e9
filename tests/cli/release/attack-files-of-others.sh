# The data and logs of other data sets in the ledger are neither printed as levels or specifications nor written over, by any name.
printf 'x\n1\n' >mine.csv
printf 'region,x\nnorth,1\n' >theirs.csv
printf 'region\nnorth\n' >open.csv
printf 'region,x\nnorth,1\n' >table.csv
/usr/bin/python3 -c 'import sqlite3
with sqlite3.connect("p.sqlite") as db:
    db.execute("CREATE TABLE people (x)")'
dpnoise register mine mine.csv --number x:0:1 --epsilon 1 --ledger l.db >/dev/null
dpnoise register theirs theirs.csv --number x:0:1 --log theirs.log --epsilon 1 --ledger l.db >/dev/null
dpnoise register people p.sqlite --number x:0:1 --epsilon 1 --ledger l.db >/dev/null
dpnoise release open.csv --new-budget --count --epsilon 1 --ledger l.db >/dev/null
: >theirs.log
ln -s theirs.csv link
ln open.csv hard
before=$(sha256sum theirs.csv theirs.log open.csv p.sqlite)
try() { { dpnoise "$@" --ledger l.db 2>&1 || echo "exit code $?"; } | sed "s|$PWD|PWD|g"; }
for file in theirs.csv link theirs.log hard open.csv p.sqlite; do
    try release mine --count --epsilon 0.5 --report $file
    try release mine --count --epsilon 0.5 --save-spec $file --dry-run
    try release mine --spec $file --epsilon 0.5 --dry-run --json
    try release table.csv --dataset table --by region --levels region=@$file --count --epsilon 0.5 --dry-run --json
done
echo "register"
for file in theirs.csv hard p.sqlite; do
    try register table table.csv --category region=@$file --epsilon 1
    try register table table.csv --log $file --epsilon 1
    try register table --from $file --epsilon 1
    try register mine --amend --log $file
done
try register mine --amend --log theirs.log | grep '^mine'
[ "$before" = "$(sha256sum theirs.csv theirs.log open.csv p.sqlite)" ]
dpnoise budget history --ledger l.db | awk '$3 == "charge"' | wc -l
