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
ask() { dpnoise release "$@" --count --epsilon 1000 --yes-epsilon --ledger l.db --csv 2>/dev/null | sed -n 2p | cut -d , -f 1; }
ask p.db --dataset people --table people
ask there/p.db --dataset people --table people
ask p.db --dataset people --table other
ask sqlite:p.db --dataset people --table PEOPLE
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

# Rows that are split otherwise are other rows; how those of registered data are split is registered.
printf 'x\n"1\n2"\n3\n' >m.csv
dpnoise budget init m --epsilon 5000 --ledger l.db >/dev/null
ask m.csv --dataset m
ask m.csv --dataset m --multiline
ask m.csv --dataset m
dpnoise register m m.csv --number x:0:1 --epsilon 5000 --most-epsilon 1000 --ledger r.db >/dev/null
for data in m m.csv; do dpnoise release $data --count --epsilon 1 --multiline --ledger r.db 2>&1 || echo "exit code $?"; done
dpnoise register m --amend --multiline --ledger r.db | head -n 2 | sed "s|$PWD|PWD|"
for data in m m.csv; do dpnoise release $data --count --epsilon 1000 --yes-epsilon --multiline --ledger r.db --csv 2>/dev/null | sed -n 2p | cut -d , -f 1; done
