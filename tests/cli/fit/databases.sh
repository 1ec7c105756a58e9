# Fits of tables of databases are those of the same rows in a file: without noise to the last digit, with little noise about the same, by address and by name.
if [ -z "${PGHOST-}" ]; then exec with-postgres sh -eu "$0"; fi
awk 'BEGIN { print "id,x,region,y"; for (i = 0; i < 2000; i++) { x = (i * 37 % 2001 - 1000) / 1000; s = i % 3 == 1;
    print i % 1000 "," (i % 50 == 7 ? "" : x) "," (i % 90 == 8 ? "other" : s ? "s" : "n") "," 0.5 * x + 0.25 * s + (i * 71 % 101 - 50) / 1000 } }' >people.csv
psql -q -c 'CREATE TABLE people (id int, x numeric, region text, y double precision)' -c "\\copy people FROM people.csv CSV HEADER"
/usr/bin/python3 - <<'END'
import csv, sqlite3
with sqlite3.connect("p.db") as db:
    db.execute("CREATE TABLE people (id INTEGER, x REAL, region TEXT, y REAL)")
    rows = [[field or None for field in row] for row in csv.reader(open("people.csv"))][1:]
    db.executemany("INSERT INTO people VALUES (?, ?, ?, ?)", rows)
END
columns="--target y:-1:1 --features x:-1:1,region --levels region=n,s"
for kind in linear logistic; do
    for source in people.csv "p.db --table people" "postgresql:/// --table people"; do
        dpnoise fit $kind $source $columns --method non-private --json 2>/dev/null | sed 's/.*"coefficients": //' | tee last | cksum
    done | sort -u | wc -l
    grep -o '"name"' last | wc -l
done
rm last
# With little noise, by address: charged once, and free again.
check() { near "$@" coefficients.0.name='(intercept)' coefficients.1.name=x coefficients.2.name=region=s; }
for source in "p.db --table people" "postgresql:/// --table people"; do
    dpnoise budget init d --epsilon 500000 --ledger l.db >/dev/null
    fit() { dpnoise fit linear $source $columns --epsilon 100000 --yes-epsilon --dataset d --ledger l.db --json "$@" 2>/dev/null; }
    fit --method moments | check 0.01 coefficients.1.value=0.5 coefficients.2.value=0.25 stored=false
    fit --method objective --within l2:1 | check 0.05 coefficients.1.value=0.5 coefficients.2.value=0.25 stored=false
    fit --method two-step | check 0.01 coefficients.1.value=0.5 coefficients.2.value=0.25 stored=false
    fit --method two-step | near stored=true
    dpnoise budget show d --ledger l.db --json | near charges=3 spent.epsilon=300000
    rm l.db*
done
# By name, with persons told apart by a column of the database; bounds and levels are the registered ones.
dpnoise register lite p.db --table people --number x:-1:1 --number y:-1:1 --category region=n,s --person-id id --max-rows 2 --epsilon 400000 --most-epsilon 200000 --ledger r.db >/dev/null
dpnoise register served postgresql:/// --table people --number x:-1:1 --number y:-1:1 --category region=n,s --person-id id --max-rows 2 --epsilon 400000 --most-epsilon 200000 --ledger r.db >/dev/null
for name in lite served; do
    dpnoise fit linear $name --target y --features x,region --max-rows 2 --method moments --epsilon 200000 --yes-epsilon --ledger r.db --json 2>/dev/null | check 0.01 coefficients.1.value=0.5 coefficients.2.value=0.25
    dpnoise fit linear $name --target y --features x,region --method non-private --ledger r.db 2>&1 || echo "exit code $?"
done
# A table that is not there, and a column that is not, before anything is charged.
dpnoise fit linear postgresql:/// --table peeple --target y:-1:1 --features x:-1:1 --epsilon 1 --dataset n --ledger n.db 2>&1 || echo "exit code $?"
dpnoise fit linear p.db --table people --target y:-1:1 --features xx:-1:1 --epsilon 1 --dataset n --ledger n.db 2>&1 || echo "exit code $?"
ls
