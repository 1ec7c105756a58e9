# Operators and functions of others that stand first in the search path are not called by the query that is printed, nor where dpnoise looks for the table.
cat >work.sh <<'EOF'
printf 'x,k,n\n1.5,a,1\n-3,b,2\n7,a,3\n0,b,4\n' >t.csv
psql -Xq -v ON_ERROR_STOP=1 -c 'CREATE TABLE t (x float8, k text, n numeric)' -c '\copy t FROM t.csv CSV HEADER' -c 'CREATE SCHEMA mine'
# Operators and functions by the same names and with the same arguments, in a schema of one's own.
psql -Xq -v ON_ERROR_STOP=1 <<'SQL'
DO $$
DECLARE
    o record;
    body text := ' LANGUAGE plpgsql AS $f$BEGIN RAISE EXCEPTION $w$called$w$; END$f$';
BEGIN
    FOR o IN SELECT oprname, oprleft::regtype l, oprright::regtype r, oprresult::regtype t, row_number() OVER () i FROM pg_operator
             WHERE oprleft IN ('float8'::regtype, 'numeric'::regtype, 'text'::regtype, 'int8'::regtype, 'int4'::regtype, 'oid'::regtype, 'name'::regtype, '"char"'::regtype)
             AND oprkind = 'b' AND oprright IN (oprleft, 'text'::regtype) LOOP
        EXECUTE format('CREATE FUNCTION mine.f%s(%s, %s) RETURNS %s', o.i, o.l, o.r, o.t) || body;
        EXECUTE format('CREATE OPERATOR mine.%s (LEFTARG = %s, RIGHTARG = %s, FUNCTION = mine.f%s)', o.oprname, o.l, o.r, o.i);
    END LOOP;
    FOR o IN SELECT p.proname, pg_get_function_identity_arguments(p.oid) a, p.prorettype::regtype t FROM pg_proc p
             WHERE proname IN ('floor', 'abs', 'trunc', 'sha256', 'convert_to', 'length', 'octet_length', 'ceil', 'mod', 'div') AND pronamespace = 'pg_catalog'::regnamespace LOOP
        EXECUTE format('CREATE FUNCTION mine.%I(%s) RETURNS %s', o.proname, o.a, o.t) || body;
    END LOOP;
END $$
SQL
PGOPTIONS='-c search_path=mine,pg_catalog,public'
export PGOPTIONS
dpnoise release t.csv --count --sum x:0:5 --variance n:0:5 --histogram x:0,2,9 --where 'n<4.5' --by k --levels k=a,b --epsilon 1 --dry-run --save-spec question.json >/dev/null
dpnoise sql --spec question.json --dialect postgresql --table t --schema public --type x=real --type n=decimal >query.sql
head -n 1 query.sql
psql -Xq -v ON_ERROR_STOP=1 --csv -f query.sql >sums.csv || echo "exit $?"
echo "without the first line they are called"
sed 1d query.sql | psql -Xq -v ON_ERROR_STOP=1 --csv 2>&1 | grep -c 'ERROR:  called'
echo "the only table is found, and another by its name"
for how in '' '--table t' '--table t --pull'; do
    # shellcheck disable=SC2086 # words or none
    dpnoise release postgresql:// $how --dataset t --count --epsilon 2000 --yes-epsilon --ledger "$(mktemp -d)/l.db" --csv 2>notes || cat notes
done
EOF
with-postgres sh work.sh
dpnoise tally t.csv --spec question.json -o rows.state >/dev/null
dpnoise tally sums.csv --sums --spec question.json -o sums.state >/dev/null
cmp rows.state sums.state && echo "the same sums"
