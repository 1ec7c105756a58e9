# A table whose rows can fail when they are read: on another server, under a policy that raises. The server is not asked for sums then, whose failure would tell
# whether the rows that the question asks for are among those that fail.
cat >work.sh <<'WORK'
psql -Xq -v ON_ERROR_STOP=1 -v host="$PGHOST" <<'SQL'
CREATE EXTENSION postgres_fdw;
CREATE TABLE base AS SELECT i % 10 AS k, i::float8 AS x FROM generate_series(1, 1000) i;
CREATE VIEW trap AS SELECT k, CASE WHEN k = 3 AND x < 10 THEN 1 / (k - 3) ELSE x END AS x FROM base;
CREATE SERVER other FOREIGN DATA WRAPPER postgres_fdw OPTIONS (host :'host', dbname 'postgres');
CREATE USER MAPPING FOR tester SERVER other OPTIONS (user 'tester');
CREATE TABLE parted (k int, x float8) PARTITION BY LIST (k);
CREATE TABLE lower PARTITION OF parted DEFAULT PARTITION BY LIST (k);
CREATE FOREIGN TABLE part PARTITION OF lower DEFAULT SERVER other OPTIONS (table_name 'trap');
CREATE TABLE parent (k int, x float8);
CREATE FOREIGN TABLE child () INHERITS (parent) SERVER other OPTIONS (table_name 'trap');
CREATE FUNCTION shown(float8) RETURNS bool LANGUAGE plpgsql COST 100000 AS $$BEGIN IF $1 < 4 THEN RAISE EXCEPTION 'a row'; END IF; RETURN true; END$$;
CREATE TABLE guarded AS TABLE base;
ALTER TABLE guarded ENABLE ROW LEVEL SECURITY;
CREATE POLICY few ON guarded USING (shown(x));
CREATE ROLE reader LOGIN;
GRANT SELECT ON guarded TO reader;
GRANT EXECUTE ON FUNCTION pg_control_system() TO reader;
CREATE TABLE plain (k int, x float8) PARTITION BY LIST (k);
CREATE TABLE plain_part PARTITION OF plain DEFAULT;
INSERT INTO plain TABLE base;
SQL
ask() {
    dpnoise release postgresql:// --table "$@" --epsilon 2000 --yes-epsilon --new-budget --ledger l.db --csv 2>notes.txt || echo "$*: exit $?"
    grep -c 'the server made the sums' notes.txt || true
    rm -f l.db*
}
for table in parted parent; do
    for where in k=2 k=3; do ask $table --sum x:0:10 --where $where; done
done
for where in k=5 k=3; do PGUSER=reader ask guarded --sum x:0:10 --where $where; done
echo "plain partitions, and a policy that is not for this reader"
ask plain --sum x:0:10 --where k=2 | tail -n 1
ask guarded --sum x:0:10 --where k=2 | tail -n 1
echo "a database that is not in UTF-8 is read"
psql -Xq -c "CREATE DATABASE old ENCODING 'LATIN1' TEMPLATE template0"
PGDATABASE=old psql -Xq -c 'CREATE TABLE people AS SELECT i % 3 AS k, i AS x FROM generate_series(1, 100) i'
PGDATABASE=old ask people --where k=2 --count
echo "backslashes in quotes do not change the lots of persons"
psql -Xq -c 'CREATE TABLE visits AS SELECT i % 12 AS k, i AS x FROM generate_series(1, 100) i'
PGOPTIONS='-c standard_conforming_strings=off' ask visits --person-id k --max-rows 2 --count | cut -d , -f 1
WORK
with-postgres sh work.sh
