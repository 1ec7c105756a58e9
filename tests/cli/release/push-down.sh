# A PostgreSQL server makes the sums by itself: the answer is that of the rows, which do not leave it. With this epsilon there is no noise.
# dear: random tables pushed and pulled; attack-pushed-failure and sql/ reach the same code
cat >work.sh <<'EOF'
psql -Xq <<'SQL'
CREATE TABLE people AS SELECT i % 17 AS id, (ARRAY['north', 'south'])[1 + i % 2] AS region, i * 0.25::float8 AS income, '12' AS text
    FROM generate_series(1, 500) i;
INSERT INTO people VALUES (1, 'north', 'NaN', ''), (2, 'south', 'Infinity', ''), (NULL, NULL, NULL, NULL);
CREATE FUNCTION raises() RETURNS float8 LANGUAGE plpgsql AS $$BEGIN RAISE EXCEPTION 'the row of a person'; END$$;
CREATE VIEW trap AS SELECT id, CASE WHEN id = 3 THEN raises() ELSE income END AS income FROM people;
SQL
ask() {
    rm -f l.db*
    dpnoise release postgresql:// --table people "$@" --epsilon 1000 --yes-epsilon --delta 1e-6 --ledger l.db --json 2>&1
}
for question in "--count --by region --levels region=north,south --where income<100" "--count --histogram income:0,10,100 --by region" \
    "--count --person-id id --max-rows 3"; do
    ask $question >pushed
    ask $question --pull >pulled
    grep -c 'the server made the sums' pushed pulled
    python3 -c '
import json
one, other = (json.load(open(name))["rows"] for name in ("pushed", "pulled"))
print("the same" if one == other and one else (one, other))'
done
# Operators that others put into a schema of the search path do not run, whatever types they take.
psql -Xq <<'SQL'
CREATE TABLE seen (what text);
CREATE FUNCTION public.takes(float8, bigint) RETURNS bool LANGUAGE plpgsql AS $$BEGIN RAISE EXCEPTION 'taken'; END$$;
CREATE OPERATOR public.= (LEFTARG = float8, RIGHTARG = bigint, FUNCTION = public.takes);
CREATE FUNCTION public.adds(numeric, bigint) RETURNS numeric LANGUAGE plpgsql AS $$BEGIN RAISE EXCEPTION 'taken'; END$$;
CREATE OPERATOR public.+ (LEFTARG = numeric, RIGHTARG = bigint, FUNCTION = public.adds);
SQL
ask --count --mean income:0:1e-5 >pushed
grep -c 'the server made the sums' pushed
# Keys that are not declared, and views, are read here: a key that is too long, or a row that cannot be computed, would tell by failing which
# rows the question selects.
psql -Xqc "INSERT INTO people VALUES (9, repeat('x', 2000000), 43500, '')" -c 'CREATE VIEW rates AS SELECT *, income / id AS rate FROM people'
for least in 43000 44000; do
    ask --count --by region --where "income>=$least" >pushed || echo "exit $?"
    grep -c 'the server made the sums' pushed
done
# Texts that are to be numbers are read here.
ask --sum text:0:100 >pushed
grep -c 'the server made the sums' pushed
# A query that fails after the charge tells no more than that.
dpnoise release postgresql:// --table trap --sum income:0:100 --epsilon 1 --ledger l.db --new-budget 2>&1 || echo "exit $?"
EOF
with-postgres sh work.sh
