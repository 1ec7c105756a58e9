# Tables of databases are registered by server, database, schema and name, and found again by these.
if [ -z "${PGHOST-}" ]; then exec with-postgres sh -eu "$0"; fi
psql -q -c 'CREATE TABLE people (id int, x int); INSERT INTO people VALUES (1, 1), (2, 5); CREATE VIEW v AS TABLE people' -c 'CREATE DATABASE other'
psql -q -d other -c 'CREATE TABLE people (id int, x int)'
reg() { dpnoise register "$@" --ledger l.db 2>&1 | sed 's/PostgreSQL [0-9]*/PostgreSQL SYSTEM/' | sed '/^  [^i]/d; /^and its budget/,$d'; }
reg people 'postgresql:///?password=geheim' --table people --number x:0:10 --person-id id --epsilon 5000 --most-epsilon 1000
reg people postgresql:/// --table people --number x:0:10 --person-id id --epsilon 5000 --most-epsilon 1000
reg again postgresql:///postgres --table public.people --number x:0:10 --epsilon 1
dpnoise register people --show --json --ledger l.db | near source.kind=postgresql source.schema=public source.database=postgres registration.source.connect=postgresql:///
count() { dpnoise release people --count --epsilon 1000 --yes-epsilon --ledger l.db --csv 2>/dev/null | sed -n 2p | cut -d , -f 1; }
count
psql -q -c 'INSERT INTO people VALUES (3, 3)'
count
dpnoise release postgresql:/// --table public.people --count --epsilon 1 --ledger l.db 2>&1 || echo "exit code $?"
dpnoise release postgresql:/// --table people --count --epsilon 1000 --yes-epsilon --ledger l.db --json | near stored=true
echo '{"dataset": "people", "statistics": [{"kind": "sum", "column": "x"}], "epsilon": "1000"}' |
    dpnoise ask --ledger l.db --analyst ada --shared | near 'rows.0.statistic=sum(x)' stored=false
# The same address, another database: nothing is read there.
PGDATABASE=other dpnoise release people --mean x --epsilon 1 --ledger l.db 2>&1 || echo "exit code $?"
dpnoise budget show people --ledger l.db --json | near charges=2
reg people postgresql:///other --table people --moved

/usr/bin/python3 -c 'import sqlite3
with sqlite3.connect("p.db") as db:
    db.execute("CREATE TABLE People (x)")
    db.execute("CREATE VIEW v AS SELECT x FROM People")'
ln -s p.db q.db
reg lite p.db --table people --number x:0:1 --epsilon 1 | sed "s|$PWD|PWD|"
reg other q.db --table PEOPLE --number x:0:1 --epsilon 1
reg view sqlite:p.db --table v --number x:0:1 --epsilon 1 | sed "s|$PWD|PWD|"
dpnoise release lite --count --epsilon 0.5 --ledger l.db --json | near ledger.dataset=lite
