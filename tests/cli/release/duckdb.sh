# A table of a DuckDB database: the sums are those of the same rows as text, and DuckDB makes them itself where no row can make it fail.
# shellcheck disable=SC2012 # names without surprises
library=${DPNOISE_DUCKDB:-$(ls "$CASES"/../../node_modules/@duckdb/node-bindings-linux-x64/libduckdb.so /usr/lib/*/libduckdb.so /usr/local/lib/libduckdb.so 2>/dev/null | head -1)}
if [ -z "$library" ]; then echo "skip: there is no libduckdb.so; DPNOISE_DUCKDB names one" >&2 && exit 77; fi
LD_LIBRARY_PATH=$(dirname "$library")
export LD_LIBRARY_PATH
cat >make.py <<'PY'
import ctypes
import sys

library = ctypes.CDLL(sys.argv[1])
base, connection = ctypes.c_void_p(), ctypes.c_void_p()
assert library.duckdb_open(sys.argv[2].encode(), ctypes.byref(base)) == 0 and library.duckdb_connect(base, ctypes.byref(connection)) == 0
for sql in sys.stdin.read().split(";"):
    result = ctypes.create_string_buffer(256)
    assert library.duckdb_query(connection, sql.encode(), result) == 0, sql
library.duckdb_disconnect(ctypes.byref(connection))
library.duckdb_close(ctypes.byref(base))
PY
make() { /usr/bin/python3 make.py "$library" "$1"; }
mkdir "o'dd"
make "o'dd/people.db" <<'SQL'
CREATE TABLE "Odd ""people" AS SELECT i AS id, CASE WHEN i % 7 = 0 THEN NULL WHEN i = 5 THEN 'NaN'::DOUBLE ELSE i * 0.1::DOUBLE END AS "odd ""x", 'region ' || i % 3 AS region FROM range(5000) t(i);
CREATE TABLE other (a INTEGER);
CREATE TABLE "!loud" AS SELECT i AS a FROM range(3) t(i);
CREATE TABLE computed (a INTEGER, b INTEGER GENERATED ALWAYS AS (a + 1));
CREATE VIEW shown AS SELECT * FROM other;
CREATE SCHEMA more;
CREATE TABLE more.elsewhere (a INTEGER)
SQL
make one.db <<'SQL'
CREATE TABLE lonely AS SELECT i % 10 AS x FROM range(100) t(i)
SQL
awk 'BEGIN { print "id,\"odd \"\"x\",region"; for (i = 0; i < 5000; i++) print i "," (i % 7 == 0 ? "" : i == 5 ? "nan" : int(i / 10) "." i % 10) ",region " i % 3 }' >people.csv
dpnoise release people.csv --count --mean '"odd ""x":0:500' --by region --epsilon 1 --delta 1e-6 --dry-run --save-spec question.json >/dev/null
dpnoise tally people.csv --spec question.json -o csv.state >/dev/null
dpnoise tally "o'dd/people.db" --table 'odd "PEOPLE' --spec question.json -o duck.state >/dev/null
cmp csv.state duck.state && echo "the same sums"
try() { dpnoise "$@" 2>&1 || echo "exit $?"; }
for table in shown computed elsewhere nothing "o'ther"; do try tally "o'dd/people.db" --table "$table" --spec question.json -o x.state; done
try tally "o'dd/people.db" --spec question.json -o x.state
dpnoise release "o'dd/people.db" --table '!LOUD' --count --epsilon 2000 --yes-epsilon --csv --ledger loud.db 2>/dev/null
dpnoise release one.db --count --histogram x:0,5,9 --epsilon 2000 --yes-epsilon --csv --ledger l.db 2>notes.txt
grep -c 'DuckDB made the sums' notes.txt
echo "it is one table, whatever it is called"
ln one.db hard.db
ln -s one.db soft.db
for name in one.db hard.db soft.db; do try release $name --table LONELY --count --epsilon 1 --csv --dataset again --new-budget --ledger l.db; done
echo "registered"
make three.db <<'SQL'
CREATE TABLE lonely AS SELECT i % 10 AS x FROM range(100) t(i)
SQL
dpnoise register three three.db --table lonely --number x:0:9 --epsilon 5000 --most-epsilon 3000 --ledger l.db >/dev/null
dpnoise register three --show --ledger l.db | grep -c 'table lonely of .*three.db'
dpnoise release three --count --epsilon 2000 --yes-epsilon --csv --ledger l.db 2>/dev/null
echo "a text that has the word is a text"
printf 'a,b,c,d,DUCK\n1,2,3,4,5\n' >text.csv
dpnoise release text.csv --count --epsilon 2000 --yes-epsilon --csv --ledger m.db 2>/dev/null
head -c 9000 one.db >cut.db
try release cut.db --count --epsilon 1 --ledger n.db --new-budget
echo "changes in a log are not read, whole or damaged"
cat >crash.py <<'PY'
import ctypes
import os
import sys

library = ctypes.CDLL(sys.argv[1])
base, connection = ctypes.c_void_p(), ctypes.c_void_p()
assert library.duckdb_open(b"log.db", ctypes.byref(base)) == 0 and library.duckdb_connect(base, ctypes.byref(connection)) == 0
for sql in ["CREATE TABLE t AS SELECT i AS x FROM range(100) t(i)", "CHECKPOINT", "INSERT INTO t SELECT i FROM range(100) t(i)"]:
    assert library.duckdb_query(connection, sql.encode(), ctypes.create_string_buffer(256)) == 0, sql
os._exit(0)
PY
/usr/bin/python3 crash.py "$library"
try release log.db --count --epsilon 2000 --yes-epsilon --csv --ledger o.db
head -c 40 log.db.wal >part && mv part log.db.wal
try release log.db --count --epsilon 2000 --yes-epsilon --csv --ledger o.db
ls o.db 2>/dev/null || echo "nothing was charged"
: >log.db.wal
dpnoise release log.db --count --epsilon 2000 --yes-epsilon --csv --ledger o.db 2>/dev/null
