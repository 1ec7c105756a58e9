"""Attacks that try to have other rows read, or foreign code run."""
from attack import attack, costs
from cases import same

EXACT = """SELECT pg_catalog.int8(value) FROM dp_release('people', '{"count": true, "where": ["age>=%d"], "epsilon": "100"}')"""


def counts_people(office, session, age):
    """The answer is about the registered table: noise of e^-100 apart, the number of its rows."""
    same(float(session.one(EXACT % age)), float(office.admin.one(f"SELECT count(*) FROM public.people WHERE age >= {age}")))


@attack("the registered table is read, by its own name")
def search_path(office):
    """a table of the same name in a schema of one's own, first in search_path"""
    office.admin.rows("CREATE SCHEMA mine AUTHORIZATION ada")
    session = office.session()
    session.rows("CREATE TABLE mine.people (age int, region text, income float8); INSERT INTO mine.people VALUES (50, 'north', 1); SET search_path = mine, public")
    counts_people(office, session, 11)
    session.close()


@attack("the registered table is read, by its own name")
def temporary_table(office):
    """a temporary table of the same name, which comes before all others"""
    session = office.session()
    session.rows("CREATE TEMP TABLE people (age int); CREATE TEMP VIEW pg_class AS SELECT 1 AS oid; SET search_path = pg_temp, public")
    counts_people(office, session, 12)
    session.close()


@attack("not called: the statement has names in it and nothing else")
def operators_and_casts(office):
    """operators, casts and functions of one's own, first in search_path"""
    session = office.session()
    session.rows("""CREATE TABLE mine.called (what text);
        CREATE FUNCTION mine.spy(integer, integer) RETURNS boolean LANGUAGE plpgsql AS $$ BEGIN INSERT INTO mine.called VALUES ('operator'); RETURN true; END $$;
        CREATE OPERATOR mine.>= (LEFTARG = integer, RIGHTARG = integer, FUNCTION = mine.spy); CREATE OPERATOR mine.= (LEFTARG = integer, RIGHTARG = integer, FUNCTION = mine.spy);
        CREATE FUNCTION mine.int4out(integer) RETURNS text LANGUAGE sql AS $$ SELECT 'x'::text $$; CREATE FUNCTION mine.quote_ident(text) RETURNS text LANGUAGE sql AS $$ SELECT 'x' $$;
        CREATE TYPE mine.text AS (x int); CREATE DOMAIN mine.int4 AS integer CHECK (VALUE < 0); SET search_path = mine, pg_catalog, public""")
    counts_people(office, session, 13)
    same(session.one("SELECT pg_catalog.count(*) FROM mine.called"), "0")
    session.close()


@attack("not called")
def function_of_the_same_name(office):
    """dp_release of one's own, with arguments that fit better"""
    session = office.session()
    session.rows("CREATE FUNCTION mine.dp_release(text, text) RETURNS text LANGUAGE sql AS $$ SELECT 'mine' $$")
    other = office.session("bob")
    counts_people(office, other, 14)  # who does not have ada's schema in the path does not see it
    same(session.refused("CREATE OR REPLACE FUNCTION public.dp_release(text, jsonb) RETURNS text LANGUAGE sql AS $$ SELECT 'mine' $$").code[:2], "42")
    session.close()
    other.close()


@attack("refused before the charge: a view can fail, or call functions, row by row")
def view_in_place_of_the_table(office):
    """the registered name leads to a view"""
    office.admin.rows("CREATE TABLE shop (age int, region text, income float8); GRANT SELECT ON shop TO dpnoise_reader")
    office.register("shop", "shop", "--epsilon", "10")
    office.admin.rows("""ALTER TABLE shop RENAME TO shop_rows; CREATE VIEW shop AS SELECT age / 0 AS age, region, income FROM shop_rows; GRANT SELECT ON shop TO dpnoise_reader""")
    session = office.session()
    with costs(office, 0), named(office, "shop", 0):
        same(session.refused("""SELECT * FROM dp_release('shop', '{"count": true, "epsilon": "1"}')""").code, "42809")
    office.admin.rows("DROP VIEW shop")
    session.close()


class named:
    """What another data set is charged."""

    def __init__(self, office, name, cost):
        self.office, self.name, self.cost = office, name, cost

    def __enter__(self):
        self.before = self.office.spent(self.name)

    def __exit__(self, kind, *_):
        if not kind:
            same(self.office.spent(self.name) - self.before, self.cost)


@attack("refused before the charge: the reader may not read a stranger's table")
def table_of_the_caller(office):
    """the registered table is gone, and an analyst creates one of that name"""
    session = office.session()
    ask = """SELECT * FROM dp_release('shop', '{"count": true, "epsilon": "1"}')"""
    with named(office, "shop", 0):
        same(session.refused(ask).code, "42809")
        session.rows("CREATE TABLE public.shop (age int, region text, income float8)")
        same(session.refused(ask).code, "42501")
    session.rows("DROP TABLE public.shop")
    session.close()


@attack("refused before the charge: rows would be left out without a word")
def row_security(office):
    """policies on the table that show the reader some of its rows"""
    office.admin.rows("ALTER TABLE people ENABLE ROW LEVEL SECURITY; CREATE POLICY p ON people FOR SELECT TO dpnoise_reader USING (age < 5)")
    session = office.session()
    question, cost = office.question()
    session.rows("SET row_security = on")
    with costs(office, 0):
        same(session.refused(f"SELECT * FROM {question}").code, "42809")
    office.admin.rows("DROP POLICY p ON people; ALTER TABLE people DISABLE ROW LEVEL SECURITY")
    with costs(office, cost):
        session.rows(f"SELECT * FROM {question}")
    session.close()


@attack("refused before the charge, by PostgreSQL")
def right_revoked(office):
    """the reader has lost its right on a column"""
    office.admin.rows("REVOKE SELECT ON people FROM dpnoise_reader; GRANT SELECT (region) ON people TO dpnoise_reader")
    session = office.session()
    epsilon, cost = office.fresh()
    ask = """SELECT * FROM dp_release('people', '{"sum": "income", "epsilon": "%s"}')""" % epsilon
    with costs(office, 0):
        same(session.refused(ask).code, "42501")
    office.admin.rows("GRANT SELECT ON people TO dpnoise_reader")
    with costs(office, cost):
        session.rows(ask)
    session.close()


@attack("the types' own text, whatever the session sets")
def settings_of_the_session(office):
    """extra_float_digits, DateStyle, TimeZone, bytea_output, session_replication_role and the planner's switches"""
    session = office.session()
    session.rows("""SET extra_float_digits = -15; SET datestyle = 'SQL, DMY'; SET timezone = 'Pacific/Apia'; SET enable_seqscan = off; SET default_transaction_isolation = 'serializable';
        SET transform_null_equals = on; SET lc_numeric = 'C'; SET work_mem = '64kB'; SET array_nulls = off; SET standard_conforming_strings = off""")
    counts_people(office, session, 15)
    session.close()


@attack("refused as a name that is not there; nothing of it is SQL")
def injection(office):
    """SQL, paths and quotes in names of data sets and columns"""
    session = office.session()
    with costs(office, 0):
        for name in ("people; DROP TABLE people", "../ledger", "people''--", '"', "", " ", "people ", "PEOPLE", "p" * 5000, "\u202epeople"):
            assert session.refused(f"""SELECT * FROM dp_release($x${name}$x$, '{{"count": true, "epsilon": 1}}')""").code[:2] in ("22", "42")
        for column in ('income"; DROP TABLE people; --', "income) FROM pg_authid --", "ctid", "tableoid", "*", "people"):
            spec = '{"sum": "\\"%s\\"", "epsilon": 1}' % column.replace('"', '\\"\\"').replace("\\\\", "\\")
            assert session.refused(f"SELECT * FROM dp_release('people', $x${spec}$x$)").code in ("22003", "22P02")
    same(office.admin.one("SELECT count(*) > 0 FROM people"), "t")
    session.close()


@attack("refused, or a column like any other")
def odd_columns(office):
    """columns called like statements are, with quotes and capitals"""
    name = 'X"; DROP TABLE people; --'
    quoted = name.replace('"', '""')
    office.admin.rows(f'CREATE TABLE odd ("{quoted}" int, "select" text); INSERT INTO odd SELECT i % 5, $$a$$ FROM generate_series(1, 100) i; GRANT SELECT ON odd TO dpnoise_reader')
    office.tool("register", "odd", office.server.url(), "--table", "odd", "--number", f'"{quoted}":0:10', "--category", "select=a,b", "--epsilon", "1000", "--most-epsilon", "500")
    spec = {"statistics": [{"kind": "sum", "column": name}], "by": ["select"], "epsilon": "500"}
    import json
    session = office.session("carl")  # nobody has a quota of this data set: its budget alone is charged
    rows = session.rows(f"SELECT key->>'select', round(value)::int FROM dp_release('odd', $x${json.dumps(spec)}$x$)")
    same(rows, [["a", "200"], ["b", "0"]])
    session.close()


@attack("refused with a sentence, in bounded time and memory")
def hostile_questions(office):
    """questions that are deep, long, repeated, full of controls, or absurd"""
    session = office.session()
    deep = '{"by": ' + "[" * 1000 + "]" * 1000 + "}"
    many = '{"count": true, "epsilon": 1, "where": [' + ", ".join(['"age>1"'] * 2000) + "]}"
    wide = '{"statistics": [' + ", ".join('{"kind": "mean", "column": "c%d"}' % i for i in range(3000)) + '], "epsilon": 1}'
    with costs(office, 0):
        for spec in (deep, many, wide, '{"count": true, "epsilon": "1", "by": ["\\u0001"]}', '{"count": true, "epsilon": "1", "noise": "none"}', '{"count": true, "epsilon": true}',
                     '{"quantile": "age:0.5:0:100:0.0000001", "epsilon": 1}', '{"histogram": "age:0:100:100000000", "epsilon": 1}', '{"count": null, "epsilon": 1}',
                     '{"count": true, "epsilon": "0x1p0"}', '{"count": true, "epsilon": "1", "delta": "1"}', '{"count": true, "epsilon": "-1"}', '{"count": true, "epsilon": "nan"}'):
            assert session.refused(f"SELECT * FROM dp_release('people', $x${spec}$x$)").code in ("22003", "22P02", "0A000", "53200"), spec[:60]
        session.refused("SELECT * FROM dp_release('people', '{\"count\": true, \"epsilon\": \"\\u0000\"}')")
    same(session.one("SELECT 1"), "1")
    session.close()


@attack("the last one counts, as jsonb has it; it is what is charged")
def members_twice(office):
    """a question that says epsilon twice"""
    session = office.session()
    _, cost = question = office.fresh()
    with costs(office, cost):
        session.rows(f"""SELECT * FROM dp_release('people', '{{"count": true, "epsilon": "0.0001", "epsilon": "{question[0]}"}}')""")
    session.close()
