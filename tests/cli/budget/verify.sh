# What somebody does to the file without the key is found, and said.
dpnoise budget init people --epsilon 1 --ledger l.db >/dev/null
for i in 1 2 3 4; do
    dpnoise budget charge people --epsilon 0.1 --note "charge $i" --ledger l.db | tail -n 1 >head
    if [ "$i" = 2 ]; then cp l.db old.db; fi
done
head=$(sed 's/.* //' head)
dpnoise budget verify --ledger l.db --head "$head" | sed '/head  /d'
cp l.db kept.db

# changed SQL: the database is changed by python's SQLite, then verified with the head.
changed() {
    cp kept.db l.db
    python3 -c 'import sqlite3, sys
with sqlite3.connect("l.db") as db: db.executescript(sys.argv[1])' "$1"
    dpnoise budget verify --ledger l.db --head "$head" 2>&1 | sed 's/[0-9a-f]\{16\}/HEAD/'
    dpnoise budget charge people --epsilon 0.01 --ledger l.db >/dev/null 2>&1 || echo "no charge: $?"
}
changed "UPDATE entry SET text = replace(text, '0.1', '0.01') WHERE number = 4"
changed "DELETE FROM entry WHERE number = 4"
changed "UPDATE entry SET number = 9 WHERE number = 4; UPDATE entry SET number = 4 WHERE number = 5; UPDATE entry SET number = 5 WHERE number = 9"
changed "INSERT INTO entry SELECT 7, text, tag FROM entry WHERE number = 6"
changed "CREATE TRIGGER gone AFTER INSERT ON entry BEGIN DELETE FROM entry WHERE number = new.number; END"

changed "DELETE FROM entry WHERE number >= 5"

# An old copy: only who kept a head can tell.
cp old.db l.db
dpnoise budget verify --ledger l.db | sed '/head  /d'
dpnoise budget verify --ledger l.db --head "$head" 2>&1 | sed 's/[0-9a-f]\{16\}/HEAD/'

# A key that others may read is no key, nor is that of another ledger.
cp kept.db l.db
chmod 644 l.db.key
dpnoise budget show --ledger l.db || echo $?
chmod 600 l.db.key
dpnoise budget init other --epsilon 1 --ledger m.db >/dev/null
dpnoise budget show --ledger l.db --ledger-key m.db.key || echo $?
