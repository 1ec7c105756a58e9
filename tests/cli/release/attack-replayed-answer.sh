# An answer is never given for other data: not for a database of the same name elsewhere, another table, or the next version.
/usr/bin/python3 -c 'import os, sqlite3
os.mkdir("there")
for path, rows in (("p.db", 3), ("there/p.db", 5)):
    with sqlite3.connect(path) as db:
        for table in "people", "other":
            db.execute("CREATE TABLE " + table + " (x)")
            db.executemany("INSERT INTO " + table + " VALUES (?)", [(1,)] * (rows + (table == "other")))'
dpnoise budget init people --epsilon 5000 --ledger l.db >/dev/null
# With this epsilon the noise is 0.
ask() { dpnoise release "$@" --count --epsilon 1000 --yes-epsilon --dataset people --ledger l.db --csv 2>/dev/null | sed -n 2p | cut -d , -f 1; }
ask p.db --table people
ask there/p.db --table people
ask p.db --table other
ask sqlite:p.db --table PEOPLE
dpnoise budget show people --ledger l.db --json | near charges=3

# With a registration only the curator's word ends an answer.
printf 'x\n1\n' >t.csv
dpnoise register t t.csv --number x:0:1 --epsilon 5000 --most-epsilon 1000 --ledger r.db >/dev/null
count() { dpnoise release t --count --epsilon 1000 --yes-epsilon --ledger r.db --csv 2>/dev/null | sed -n 2p | cut -d , -f 1; }
count
printf 'x\n1\n1\n' >t.csv
count
mkdir new && printf 'x\n1\n1\n1\n' >new/t.csv
dpnoise release new/t.csv --dataset t --count --epsilon 1000 --yes-epsilon --ledger r.db 2>&1 || echo "exit code $?"
dpnoise register t --new-version --ledger r.db >/dev/null
count
