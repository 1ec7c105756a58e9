# A Parquet file is read by DuckDB: the sums are those of the same rows as text.
# shellcheck disable=SC2012 # names without surprises
library=${DPNOISE_DUCKDB:-$(ls "$CASES"/../../node_modules/@duckdb/node-bindings-linux-x64/libduckdb.so /usr/lib/*/libduckdb.so /usr/local/lib/libduckdb.so 2>/dev/null | head -1)}
if [ -z "$library" ]; then echo "skip: there is no libduckdb.so; DPNOISE_DUCKDB names one" >&2 && exit 77; fi
LD_LIBRARY_PATH=$(dirname "$library")
export LD_LIBRARY_PATH
/usr/bin/python3 - "$library" <<'PY'
import csv
import ctypes
import sys

library = ctypes.CDLL(sys.argv[1])
base, connection, result = ctypes.c_void_p(), ctypes.c_void_p(), ctypes.create_string_buffer(256)
assert library.duckdb_open(None, ctypes.byref(base)) == 0 and library.duckdb_connect(base, ctypes.byref(connection)) == 0
sql = b"""COPY (SELECT i AS id, CASE WHEN i % 7 = 0 THEN NULL WHEN i = 5 THEN 'NaN'::DOUBLE ELSE i * 0.1 END AS "odd ""x", 'region ' || i % 3 AS region
    FROM range(5000) t(i)) TO 'people.parquet' (FORMAT parquet)"""
assert library.duckdb_query(connection, sql, result) == 0
with open("people.csv", "w", newline="") as out:
    write = csv.writer(out)
    write.writerow(["id", 'odd "x', "region"])
    for i in range(5000):
        write.writerow([i, "" if i % 7 == 0 else "nan" if i == 5 else f"{i // 10}.{i % 10}", f"region {i % 3}"])
PY
dpnoise release people.csv --count --mean '"odd ""x":0:500' --by region --epsilon 1 --delta 1e-6 --dry-run --save-spec question.json >/dev/null
for kind in csv parquet; do dpnoise tally people.$kind --spec question.json -o $kind.state >/dev/null; done
cmp csv.state parquet.state && echo "the same sums"
# DuckDB makes the sums itself, as exactly as they are made here; what it cannot know is read here.
compare() {
    for how in '' --pull; do
        # shellcheck disable=SC2086 # an option or none
        dpnoise release people.parquet "$@" $how --epsilon 2000 --yes-epsilon --dataset people --ledger "l$how.db" --new-budget --json >"answer$how.json" 2>/dev/null
    done
    /usr/bin/python3 -c '
import json
one, other = (json.load(open(name)) for name in ("answer.json", "answer--pull.json"))
assert len(one["rows"]) > 1 and [row["value"] for row in one["rows"]] == [row["value"] for row in other["rows"]], (one["rows"], other["rows"])
print("the same answer," if any("DuckDB made the sums" in note for note in one["notes"]) else "the rows are read,", "DuckDB" in json.dumps(other["notes"]))'
    rm l*.db*
}
compare --count --histogram '"odd ""x":0,0.1,7.25,100,499.9' --by region --levels 'region=region 0,region 2'
compare --count --histogram '"odd ""x":0,10,499' --where 'id>=100' --where 'id<4000' --by region --levels 'region=region 1,nowhere'
compare --count --histogram '"odd ""x":0,10,499' --person-id id --max-rows 1
compare --count --histogram 'id:0,1000,4998' --where 'region=region 1'
compare --count --by region --delta 0.000001
head -c 20000 people.parquet >cut.parquet
dpnoise tally cut.parquet --spec question.json -o cut.state 2>&1
