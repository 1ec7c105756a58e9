"""Questions to registered tables."""
import json
import os
import re

import attack
from cases import case, same
from server import SOURCE

SUM = """SELECT key->>'region', statistic, value, low, high FROM dp_release('people', '{"count": true, "sum": "income", "by": ["region"], "epsilon": "200"}')"""


@case
def the_answer(office):
    """the answer is the exact sums and a little noise, with error bars, and costs what was asked"""
    before, own = office.spent(), office.spent("people/ada")
    session = office.session()
    rows = session.rows(SUM)
    exact = {region: (float(count), float(total)) for region, count, total in office.admin.rows("SELECT region, count(*), sum(income) FROM people GROUP BY 1")}
    same([(r[0], r[1]) for r in rows], [(region, what) for region in ("north", "south") for what in ("count", "sum(income)")])
    for region, what, value, low, high in rows:
        truth = exact[region][what != "count"]
        assert float(low) <= float(value) <= float(high) and abs(float(value) - truth) < (1 if what == "count" else 1000)  # e^-100 at most
    same((office.spent() - before, office.spent("people/ada") - own), (200000, 200000))
    # Once more it is the same answer, for nothing; to bob it costs his quota alone.
    same(session.rows(SUM), rows)
    other = office.session("bob")
    same(other.rows(SUM), rows)
    same((office.spent() - before, office.spent("people/ada") - own, office.spent("people/bob")), (200000, 200000, 200000))
    # The command has the same ledger, and gives the same answer.
    said = office.tool("release", "people", "--count", "--sum", "income", "--by", "region", "--epsilon", "200", "--yes-epsilon", "--json")
    same(values(said), [float(r[2]) for r in rows])
    session.close()
    other.close()


@case
def every_type(office):
    """columns of every type are read as the command reads them"""
    office.admin.rows("""
        CREATE TYPE mood AS ENUM ('sad', 'happy'); CREATE DOMAIN money_like AS numeric(10, 2);
        CREATE TABLE types (i2 smallint, i8 bigint, f4 real, f8 double precision, n numeric, d money_like, t text, v varchar(20), c char(5), b boolean, day date,
            at timestamptz, m mood, "odd "" name" integer, gone integer);
        ALTER TABLE types DROP COLUMN gone;
        INSERT INTO types SELECT i % 7, i * 1000000000::bigint, i * 0.1::real, CASE i % 5 WHEN 0 THEN 'NaN' WHEN 1 THEN 'Infinity' WHEN 2 THEN '-0' ELSE i * 0.1 END,
            CASE i % 6 WHEN 0 THEN 'NaN' WHEN 1 THEN NULL ELSE i * 0.01 END, i * 0.5, i::text, CASE WHEN i % 4 = 0 THEN 'NA' ELSE ' ' || i || ' ' END, i % 3, i % 2 = 0,
            date '2026-01-01' + i % 3, timestamptz '2026-01-01 12:00+03' + (i % 2) * interval '1 day', CASE WHEN i % 2 = 0 THEN 'sad' ELSE 'happy' END::mood, i % 10
            FROM generate_series(1, 500) i;
        GRANT SELECT ON types TO dpnoise_reader""")
    numbers = {"i2": "0:6", "i8": "0:1000000000000", "f4": "0:50", "f8": "0:50", "n": "0:5", "d": "0:250", "t": "0:500", "v": "0:500", 'odd " name': "0:10"}
    levels = {"c": "1    ,2    ", "b": "t,f", "day": "2026-01-01,2026-01-02", "at": "2026-01-01 09:00:00+00,2026-01-02 09:00:00+00", "m": "sad,happy"}
    quoted = lambda name: '"' + name.replace('"', '""') + '"' if '"' in name else name
    options = [word for name, bounds in numbers.items() for word in ("--number", f"{quoted(name)}:{bounds}")]
    options += [word for name, words in levels.items() if name != "c" for word in ("--category", f"{name}={words}")] + ["--category", 'c="1    ","2    "']
    for name, ledger in (("types", office.server.ledger), ("types", office.server.ledger + "-2")):
        office.server.tool("register", name, office.server.url(), "--table", "types", *options, "--epsilon", "1000000", "--most-epsilon", "100000", "--ledger", ledger)
    office.admin.rows("SET extra_float_digits = -3; SET datestyle = 'German'; SET timezone = 'Asia/Tokyo'")  # what a session sets is not heard
    for number, level in [(number, "m") for number in numbers] + [("f8", level) for level in levels if level != "m"]:
        most = int(numbers[number].split(":")[1])
        edges = [str(most * part / 20) for part in (0, 1, 7, 13, 20)]
        asked = {"statistics": [{"kind": "count"}, {"kind": "histogram", "column": number, "edges": edges}], "by": [{"column": level}], "epsilon": "1000"}
        spec = json.dumps(asked).replace("'", "''")
        rows = office.admin.rows(f"SELECT value FROM dp_release('types', '{spec}')")
        done = office.server.tool("release", "types", "--count", "--histogram", f"{quoted(number)}:{','.join(edges)}", "--by", level, "--epsilon", "1000", "--yes-epsilon",
                                  "--json", "--ledger", office.server.ledger + "-2")  # whose rows come by COPY, as text
        same((number, level, [float(r[0]) for r in rows]), (number, level, values(done)))
        assert sum(float(r[0]) for r in rows) > 50
    for change, code in [("ALTER TABLE types ALTER b TYPE bytea USING 'x'", "42809"), ("ALTER TABLE types DROP b", "42703")]:
        office.admin.rows(change)
        same(office.admin.refused(f"""SELECT * FROM dp_release('types', '{{"count": true, "by": ["b"], "epsilon": {len(code)}.{code[1]}}}')""").code, code)
    office.admin.rows("RESET ALL")


def values(done):
    """The numbers that the command printed."""
    return [float(row["value"]) for row in json.loads(done.stdout)["rows"]]


@case
def narrowed(office):
    """predicates and bounds narrow what is registered, and nothing widens it"""
    session = office.session()
    value = session.one("""SELECT value FROM dp_release('people', '{"count": true, "where": ["age>=18", "region=north"], "epsilon": "100"}')""")
    same(float(value), float(office.admin.one("SELECT count(*) FROM people WHERE age >= 18 AND region = 'north'")))
    for spec, code in [('{"sum": "income:0:5000"}', "22003"), ('{"sum": "note"}', "22003"), ('{"count": true, "by": ["note"]}', "22003"), ('{"count": true, "where": ["income>1"]}', "22003"),
                       ('{"count": true, "person": "note"}', "22003"), ('{"count": true, "by": [{"column": "region", "levels": ["east"]}]}', "22003"),
                       ('{"count": true, "epsilon": "201"}', "22003"), ('{"count": true, "epsilon": "1e-9"}', "22003"), ('{"count": true, "relation": "replace"}', "22003"),
                       ('{"count": true, "dataset": "people"}', "22P02"), ('{"count": true, "analyst": "bob"}', "22P02"), ('{}', "22003"), ('[]', "22P02"), ('"x"', "22P02"), ('1', "22P02"),
                       ('{"count": true, "epsilon": 1e999999}', "22003"), ('{"sum": "nothing"}', "22003")]:
        text = spec if "epsilon" in spec or not spec.startswith("{") or spec == "{}" else spec[:-1] + ', "epsilon": "1"}'
        before = office.spent()
        try:
            rows = session.rows(f"SELECT * FROM dp_release('people', '{text}')")
            raise AssertionError(f"{text} gave {rows}")
        except Exception as error:
            same((text, getattr(error, "code", error)), (text, code))
        same(office.spent(), before)
    session.close()


@case
def nothing_is_granted(office):
    """PUBLIC has nothing, the owner can do nothing but read, and NULL asks nothing"""
    dora = office.session("dora")
    question, _ = office.question()
    same(dora.refused(f"SELECT * FROM {question}").code, "42501")
    same(office.admin.rows("SELECT rolsuper, rolcanlogin, rolcreaterole, rolcreatedb FROM pg_roles WHERE rolname = 'dpnoise_reader'"), [["f"] * 4])
    same(office.admin.rows("SELECT r.rolname, prosecdef, proparallel, provolatile, proconfig IS NOT NULL FROM pg_proc JOIN pg_roles r ON r.oid = proowner WHERE proname = 'dp_release'"),
         [["dpnoise_reader", "t", "u", "v", "t"]])
    same(office.admin.rows("SELECT count(*) FROM dp_release(NULL, '{}')"), [["0"]])
    dora.close()


@case
def the_table_of_attacks(office):
    """docs/threat-model.md has every attack that is tried here"""
    with open(os.path.join(SOURCE, "docs/threat-model.md"), encoding="utf-8") as page:
        assert attack.table() in page.read(), "write it anew: tests/sql/attack.py prints it"


@case
def the_page(office):
    """docs/postgresql.md: what it shows runs"""
    with open(os.path.join(SOURCE, "docs/postgresql.md"), encoding="utf-8") as page:
        question, setting_up, plans, fit = re.findall(r"```sql\n(.*?)```", page.read(), re.S)
    session = office.session()
    same(len(session.rows(question)), 2)
    office.admin.rows("GRANT EXECUTE ON FUNCTION dp_fit(text, jsonb) TO ada")
    same([row[0] for row in session.rows(fit)], ["(intercept)", "age", "region=south"])
    session.close()
    office.admin.rows("CREATE DATABASE page")
    session = office.session("tester", database="page")
    session.rows("CREATE TABLE people (income float8)")
    session.rows(setting_up)
    same(session.one("SELECT has_function_privilege('ada', 'dp_release(text, jsonb)', 'EXECUTE') AND has_table_privilege('dpnoise_reader', 'people', 'SELECT')"), "t")
    same(len(session.rows(plans)), 5)
    session.close()
    restored(office)
    office.admin.rows("DROP DATABASE page")


def restored(office):
    """A dump of that database brings back the extension, its owner and who may run it."""
    dump = office.server.dump("page")
    office.admin.rows("CREATE DATABASE restored")
    office.server.psql("-d", "restored", input=dump)
    session = office.session("tester", database="restored")
    same(session.rows("""SELECT has_function_privilege('ada', p.oid, 'EXECUTE'), has_function_privilege('dora', p.oid, 'EXECUTE'), r.rolname, prosecdef, cardinality(proconfig)
        FROM pg_proc p JOIN pg_roles r ON r.oid = proowner WHERE proname = 'dp_release'"""), [["t", "f", "dpnoise_reader", "t", "6"]])
    session.close()
    office.admin.rows("DROP DATABASE restored")


@case
def an_update(office):
    """ALTER EXTENSION UPDATE keeps rights, owner and budget"""
    with open(f"{office.server.extensions}/dpnoise--0.1.0--0.1.0.next.sql", "w", encoding="utf-8") as script:
        script.write("CREATE FUNCTION dp_next(law text, t float8) RETURNS float8 LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE AS 'MODULE_PATHNAME', 'dp_pdf';\n")
    os.chmod(script.name, 0o644)
    session = office.session()
    question, cost = office.question()
    with attack.costs(office, cost):
        answer = session.rows(f"SELECT * FROM {question}")
        office.admin.rows("ALTER EXTENSION dpnoise UPDATE TO '0.1.0.next'")
        same(session.rows(f"SELECT * FROM {question}"), answer)
    same(session.one("SELECT dp_next('laplace(scale=1)', 0)"), "0.5")
    same(office.admin.one("SELECT r.rolname FROM pg_proc JOIN pg_roles r ON r.oid = proowner WHERE proname = 'dp_release'"), "dpnoise_reader")
    session.close()
