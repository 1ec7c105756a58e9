# Three PostgreSQL servers: each offers a view of its sums, and one of them reads all three by asynchronous foreign scans. The numbers are those of one
# table; so are those of states that were made of each server's sums. With DPN_LONG=1.
[ -n "${DPN_LONG:-}" ] || { echo "skip: three servers are started with DPN_LONG=1 only" >&2 && exit 77; }
ls /usr/share/postgresql/*/extension/postgres_fdw.control >/dev/null 2>&1 || { echo "skip: PostgreSQL's postgres_fdw is not installed" >&2 && exit 77; }
awk 'BEGIN { print "id,region,income"; for (i = 0; i < 30000; i++) print i % 97 "," substr("nse", 1 + i % 3, 1) "," (i * 7919 % 200003) / 8 }' >all.csv
dpnoise release all.csv --count --mean income:0:20000 --variance income:0:20000 --histogram income:0,5000,30000 --by region --levels region=n,s,e --epsilon 1 \
    --dry-run --save-spec question.json >/dev/null
dpnoise sql --spec question.json --dialect postgresql --table part --schema public --type income=real >query.sql
cat >work.sh <<'EOF'
# The servers are in $ONE, $TWO and $PGHOST; rows are dealt out to them by their persons.
psql -Xq -c 'CREATE EXTENSION postgres_fdw'
number=0
for host in "$ONE" "$TWO" "$PGHOST"; do
    awk -F, -v n=$number 'NR == 1 || $1 % 3 == n' all.csv >part-$number.csv
    psql -h "$host" -Xq -v ON_ERROR_STOP=1 -c 'CREATE TABLE part (id int, region text, income float8)' -c "\\copy part FROM part-$number.csv CSV HEADER" \
        -c 'SET search_path = pg_catalog' -c "CREATE VIEW public.sums AS $(sed 1d query.sql)"
    psql -h "$host" -Xq --csv -c 'TABLE sums' >part-$number.sums
    dpnoise tally part-$number.sums --sums --spec question.json -o part-$number.state >/dev/null
    psql -Xq -v ON_ERROR_STOP=1 \
        -c "CREATE SERVER s$number FOREIGN DATA WRAPPER postgres_fdw OPTIONS (host '$host', dbname 'postgres', async_capable 'true')" \
        -c "CREATE USER MAPPING FOR tester SERVER s$number OPTIONS (user 'tester')" -c "CREATE SCHEMA s$number" \
        -c "IMPORT FOREIGN SCHEMA public LIMIT TO (sums) FROM SERVER s$number INTO s$number"
    number=$((number + 1))
done
sums=$(psql -XAt -c "SELECT string_agg(format('sum(%I)::int8 AS %I', attname, attname), ', ' ORDER BY attnum) FROM pg_attribute
    WHERE attrelid = 's0.sums'::regclass AND attname LIKE 'dpn%'")
query="SELECT region, $sums FROM (TABLE s0.sums UNION ALL TABLE s1.sums UNION ALL TABLE s2.sums) t GROUP BY region"
psql -XAt -c "EXPLAIN $query" | grep -c 'Async Foreign Scan'
psql -X --csv -c "$query" >all.sums
# The same by plproxy, where it is installed: a function that runs on all servers.
if ls /usr/share/postgresql/*/extension/plproxy.control >/dev/null 2>&1; then
    psql -Xq -v ON_ERROR_STOP=1 -c 'CREATE EXTENSION plproxy' -c "CREATE SERVER cluster FOREIGN DATA WRAPPER plproxy OPTIONS (modular_mapping '1',
        p0 'host=$ONE dbname=postgres', p1 'host=$TWO dbname=postgres', p2 'host=$PGHOST dbname=postgres')" \
        -c "CREATE USER MAPPING FOR PUBLIC SERVER cluster OPTIONS (user 'tester')" \
        -c "CREATE FUNCTION everywhere() RETURNS SETOF sums LANGUAGE plproxy AS \$\$ CLUSTER 'cluster'; RUN ON ALL; SELECT * FROM sums; \$\$"
    psql -X --csv -c "SELECT region, $sums FROM everywhere() GROUP BY region" >proxy.sums
else
    cp all.sums proxy.sums
fi
EOF
# shellcheck disable=SC2016 # each shell has its own server
with-postgres sh -c 'ONE=$PGHOST with-postgres sh -c "TWO=\$PGHOST with-postgres sh work.sh"'
dpnoise tally all.csv --spec question.json -o one.state >/dev/null
dpnoise tally all.sums --sums --spec question.json -o fdw.state >/dev/null
dpnoise merge part-*.state -o merged.state >/dev/null
dpnoise tally proxy.sums --sums --spec question.json -o proxy.state >/dev/null
cmp one.state fdw.state && cmp one.state proxy.state && cmp one.state merged.state && echo "three servers have the sums of one"
