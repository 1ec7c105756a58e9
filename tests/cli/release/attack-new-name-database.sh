# A view, or a name with its schema, gives no new budget; an answer is never that of another database.
if [ -z "${PGHOST-}" ]; then exec with-postgres sh -eu "$0"; fi
ask() { dpnoise release "$@" --count --epsilon 0.25 2>&1 | sed -n 's/^dpnoise release: //p; s/^  note       made .*/made/p; s/^\( *note *from the ledger\).*/stored/p'; }
psql -q -c 'CREATE TABLE people (id int); INSERT INTO people VALUES (1), (2); CREATE VIEW v AS TABLE people' -c 'CREATE DATABASE other'
psql -q -d other -c 'CREATE TABLE people (id int)'
dpnoise budget init people --epsilon 1 --ledger l.db >/dev/null
ask postgresql:/// --table people
ask postgresql:/// --table people --ledger l.db
for table in people public.people v public.v; do
    echo "$table"
    ask postgresql:/// --table $table --ledger l.db
done
echo "the right name"
ask postgresql:/// --table public.people --dataset people --ledger l.db
ask postgresql:///postgres --table people --ledger l.db
echo "another database"
ask postgresql:///other --table people --ledger l.db
ask postgresql:///other --table people --ledger l.db
dpnoise budget show --ledger l.db --json | near budgets.0.charges=2
echo "a view of a ledger of its own"
ask postgresql:/// --table v --ledger v.db
ask postgresql:/// --table v --ledger v.db --new-budget
/usr/bin/python3 -c 'import sqlite3
for name in "a", "b":
    with sqlite3.connect(name + ".db") as db:
        db.execute("CREATE TABLE t (x)")
        db.execute("CREATE VIEW v AS SELECT * FROM t")'
ask a.db --table v
dpnoise budget init both --epsilon 1 >/dev/null
ask a.db --table t --dataset both
ask a.db --table T --dataset both
mkdir there && mv b.db there/a.db
ask there/a.db --table t --dataset both --ledger dpnoise-ledger.db
dpnoise budget show --json | near budgets.0.charges=2
