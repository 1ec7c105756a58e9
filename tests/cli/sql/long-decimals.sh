# Exact numbers with as many places as PostgreSQL keeps, next to where a step begins: the server's sums are the tally's.
cat >work.sh <<'EOF'
psql -Xq -v ON_ERROR_STOP=1 -c 'CREATE TABLE long (x numeric)' -c "INSERT INTO long SELECT v + s * ('1e-' || p)::numeric FROM (SELECT 3 * 2::numeric ^ m FROM generate_series(-3, 30) m) a(v),
    (VALUES (1), (-1), (0)) b(s), (VALUES (10), (999), (1001), (15000), (16383)) c(p)"
psql -X --csv -c 'TABLE long' >long.csv
dpnoise release long.csv --count --sum x:0:4000000000 --variance x:0:4000000000 --epsilon 1 --dry-run --save-spec question.json >/dev/null
dpnoise sql --spec question.json --dialect postgresql --table long --schema public --type x=decimal >query.sql
psql -Xq --csv -f query.sql >sums.csv
EOF
with-postgres sh work.sh
dpnoise tally long.csv --spec question.json -o rows.state >/dev/null
dpnoise tally sums.csv --sums --spec question.json -o sums.state >/dev/null
cmp rows.state sums.state && head -1 sums.csv && echo "the same sums"
