# Random questions, without persons, to two ClickHouse servers that share the rows: the sums of the recipe with remote() are those of the tally. The version of
# Debian 12, which this tries, has no window functions. Long runs alone.
[ -n "${DPN_LONG:-}" ] || { echo "skip: ClickHouse takes part in long runs" >&2 && exit 77; }
PATH=$PATH:/usr/sbin command -v clickhouse-server >/dev/null || { echo "skip: Debian's clickhouse-server is not installed" >&2 && exit 77; }
/usr/bin/python3 "$CASES/sql/compare.py" clickhouse-servers 1000 1
