# One text of a Parquet file is no UTF-8, and DuckDB fails at it. Whether a question fails does not depend on the rows that it asks for: that would tell
# where the text is.
# shellcheck disable=SC2012 # names without surprises
library=${DPNOISE_DUCKDB:-$(ls "$CASES"/../../node_modules/@duckdb/node-bindings-linux-x64/libduckdb.so /usr/lib/*/libduckdb.so /usr/local/lib/libduckdb.so 2>/dev/null | head -1)}
if [ -z "$library" ]; then echo "skip: there is no libduckdb.so; DPNOISE_DUCKDB names one" >&2 && exit 77; fi
LD_LIBRARY_PATH=$(dirname "$library")
export LD_LIBRARY_PATH
/usr/bin/python3 - "$library" <<'PY'
import ctypes
import sys

library = ctypes.CDLL(sys.argv[1])
base, connection, result = ctypes.c_void_p(), ctypes.c_void_p(), ctypes.create_string_buffer(256)
assert library.duckdb_open(None, ctypes.byref(base)) == 0 and library.duckdb_connect(base, ctypes.byref(connection)) == 0
sql = b"""COPY (SELECT i AS id, CASE WHEN i = 5500 THEN 'ZQ' ELSE 'k' || i % 3 END AS k FROM range(6144) t(i))
    TO 'people.parquet' (FORMAT parquet, ROW_GROUP_SIZE 2048, COMPRESSION uncompressed)"""
assert library.duckdb_query(connection, sql, result) == 0
with open("people.parquet", "rb") as file:
    text = file.read()
assert b"ZQ" in text
with open("people.parquet", "wb") as file:
    file.write(text.replace(b"ZQ", b"\xff\xfe"))
PY
for rows in 'id<1000' 'id<6000' 'id>=1000000'; do
    for how in '' --pull; do
        # shellcheck disable=SC2086 # an option or none
        dpnoise release people.parquet --count --by k --levels k=k0,k1 --where "$rows" $how --epsilon 1 --ledger l.db --new-budget --csv >answer 2>/dev/null || echo "$rows $how: exit $?"
        rm -f l.db*
    done
done
# Without the column there is an answer.
dpnoise release people.parquet --count --where 'id<1000' --epsilon 2000 --yes-epsilon --ledger l.db --csv 2>/dev/null
