# Random questions in DuckDB: the sums of its query are those of the tally, persons included (a thousand with DPN_LONG=1).
# shellcheck disable=SC2012 # names without surprises
library=${DPNOISE_DUCKDB:-$(ls "$CASES"/../../node_modules/@duckdb/node-bindings-linux-x64/libduckdb.so /usr/lib/*/libduckdb.so /usr/local/lib/libduckdb.so 2>/dev/null | head -1)}
[ -n "$library" ] || { echo "skip: there is no libduckdb.so; DPNOISE_DUCKDB names one" >&2 && exit 77; }
many=12
if [ -n "${DPN_LONG:-}" ]; then many=1000; fi
DPNOISE_DUCKDB=$library /usr/bin/python3 "$CASES/sql/compare.py" duckdb $many 1
