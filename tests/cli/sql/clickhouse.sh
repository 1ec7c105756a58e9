# Random questions in ClickHouse, by its library chDB: the sums of its query are those of the tally, persons included. The library has half a gigabyte: long runs alone.
# shellcheck disable=SC2012 # names without surprises
[ -n "${DPN_LONG:-}" ] || { echo "skip: ClickHouse takes part in long runs" >&2 && exit 77; }
library=${DPNOISE_CHDB:-$(ls "$CASES"/../../node_modules/@chdb/lib-linux-x64-gnu/libchdb.so /usr/lib/*/libchdb.so /usr/local/lib/libchdb.so 2>/dev/null | head -1)}
[ -n "$library" ] || { echo "skip: there is no libchdb.so; DPNOISE_CHDB names one" >&2 && exit 77; }
DPNOISE_CHDB=$library /usr/bin/python3 "$CASES/sql/compare.py" clickhouse 1000 1
