"""Attacks by regressions, and on how rows are read."""
import json
import threading
import time

from attack import attack, costs
from cases import same

SPEC = '{"mean": ["income", "age"], "epsilon": "%s"}'


def fit(office):
    office.admin.rows("GRANT EXECUTE ON FUNCTION dp_fit(text, jsonb) TO ada")
    epsilon, cost = office.fresh()
    return f"SELECT * FROM dp_fit('people', '{SPEC % epsilon}')", cost


@attack("the charge stands, and the model is given again for nothing")
def fit_rolled_back(office):
    """fit, look at the model, and roll back: by transaction, savepoint and exception"""
    session = office.session()
    ask, cost = fit(office)
    with costs(office, cost):
        session.rows("BEGIN")
        model = session.rows(ask)
        session.rows("ROLLBACK; BEGIN; SAVEPOINT s")
        same(session.rows(ask), model)
        session.rows("ROLLBACK TO s; COMMIT")
    session.close()


@attack("refused before the charge: what is not registered is not read")
def fit_beyond_the_registration(office):
    """columns, bounds, levels and settings beyond what is registered, and fits without a guarantee"""
    session = office.session()
    with costs(office, 0):
        for spec, code in [('{"mean": ["income", "id"], "epsilon": "1"}', "22003"), ('{"mean": ["income:0:5000", "age"], "epsilon": "1"}', "22003"), ('{"mean": ["income"], "epsilon": "1"}', "22003"),
                           ('{"count": true, "epsilon": "1"}', "22003"), ('{"mean": ["income", "age"], "by": ["note"], "epsilon": "1"}', "22003"),
                           ('{"mean": ["income", "age"], "epsilon": "1", "fit": {"kind": "linear", "method": "non-private"}}', "22P02"),
                           ('{"mean": ["income", "age"], "epsilon": "1", "fit": []}', "22P02"), ('{"mean": ["income", "age"], "epsilon": "1", "fit": {"kind": "linear", "l2": -1}}', "22003"),
                           ('{"mean": ["income", "age"], "epsilon": "1", "fit": {"kind": "linear", "path": "/etc/passwd"}}', "22P02"), ('{"mean": ["income", "age"], "epsilon": "201"}', "22003"),
                           ('{"mean": ["income", "age"], "where": ["income>1"], "epsilon": "1"}', "22003"), ('{"mean": ["income", "age"], "epsilon": "1", "analyst": "bob"}', "22P02")]:
            same((spec, session.refused(f"SELECT * FROM dp_fit('people', '{spec}')").code), (spec, code))
    session.close()


@attack("a model like any other: what a row holds makes no fit fail")
def fit_of_hostile_rows(office):
    """rows with NaN, infinities, numbers of a thousand digits, and none at all"""
    office.admin.rows("""CREATE TABLE odd_rows (a numeric, b float8, c text); GRANT SELECT ON odd_rows TO dpnoise_reader; GRANT EXECUTE ON FUNCTION dp_fit(text, jsonb) TO carl""")
    office.tool("register", "odd_rows", office.server.url(), "--table", "odd_rows", "--number", "a:0:1", "--number", "b:0:1", "--number", "c:0:1", "--epsilon", "1000", "--most-epsilon", "100")
    session = office.session("carl")
    for number, insert in enumerate(["SELECT 1 WHERE false", """INSERT INTO odd_rows VALUES ('NaN', 'NaN', 'NaN'), ('Infinity', '-Infinity', '1e999999999'), (repeat('9', 1000)::numeric,
            1e308, repeat('9', 100000)), (1e-1000, 5e-324, '0x1p-3'), (NULL, NULL, NULL), (0.5, 0.5, E'0.5\\n')"""], 1):
        office.admin.rows(insert)
        same(len(session.rows(f"""SELECT * FROM dp_fit('odd_rows', '{{"mean": ["a", "b", "c"], "epsilon": "{number}"}}') WHERE value IS NOT NULL""")), 3)
    session.close()


@attack("the search for the noise ends, and nothing is charged")
def fit_cancelled_while_planned(office):
    """cancel a fit while its noise is looked for"""
    office.admin.rows("CREATE TABLE broad AS SELECT 1 AS c0" + "".join(f", 1 AS c{i}" for i in range(1, 30)))
    office.admin.rows("GRANT SELECT ON broad TO dpnoise_reader; GRANT EXECUTE ON FUNCTION dp_fit(text, jsonb) TO carl")
    office.tool("register", "broad", office.server.url(), "--table", "broad", *[word for i in range(30) for word in ("--number", f"c{i}:0:1")], "--epsilon", "10", "--delta", "0.00001")
    session = office.session("carl")
    pid = session.one("SELECT pg_backend_pid()")
    spec = json.dumps({"mean": [f"c{i}" for i in range(30)], "epsilon": "1", "delta": "0.000001"})

    def cancel():
        time.sleep(0.3)
        office.admin.rows(f"SELECT pg_cancel_backend({pid})")

    before = office.spent("broad")
    thread = threading.Thread(target=cancel)
    thread.start()
    try:
        session.rows(f"SELECT * FROM dp_fit('broad', '{spec}')")
        planned = True
    except Exception as error:
        planned = False
        same(getattr(error, "code", error), "57014")
    thread.join()
    same(office.spent("broad") - before, 1000 if planned else 0)
    session.close()


@attack("refused before the charge")
def foreign_partition(office):
    """a partition that is a foreign table, or a child that inherits, which can fail or tell another server row by row"""
    office.admin.rows("""CREATE EXTENSION IF NOT EXISTS file_fdw; CREATE SERVER files FOREIGN DATA WRAPPER file_fdw;
        CREATE TABLE parts (age integer, region text, income float8) PARTITION BY RANGE (age); CREATE TABLE parts_low PARTITION OF parts FOR VALUES FROM (0) TO (50);
        INSERT INTO parts SELECT i % 50, 'north', i FROM generate_series(1, 100) i; GRANT SELECT ON parts TO dpnoise_reader""")
    office.register("parts", "parts", "--epsilon", "10")
    session = office.session("carl")
    ask = """SELECT * FROM dp_release('parts', '{"count": true, "epsilon": "%s"}')"""
    session.rows(ask % "0.5")
    office.admin.rows("""CREATE FOREIGN TABLE parts_high PARTITION OF parts FOR VALUES FROM (50) TO (100) SERVER files OPTIONS (filename '/nowhere', format 'csv')""")
    before = office.spent("parts")
    same(session.refused(ask % "0.25").code, "42809")
    office.admin.rows("GRANT EXECUTE ON FUNCTION dp_fit(text, jsonb) TO carl")
    same(session.refused("""SELECT * FROM dp_fit('parts', '{"mean": ["income", "age"], "epsilon": "0.25"}')""").code, "42809")
    office.admin.rows("DROP FOREIGN TABLE parts_high")
    same(office.spent("parts"), before)
    session.rows(ask % "0.25")
    session.close()


@attack("read a few at a time: the server needs no more memory than for one")
def long_texts(office):
    """rows whose texts are compressed from megabytes"""
    office.admin.rows("""CREATE TABLE texts (age integer, region text, income float8); INSERT INTO texts SELECT 1, repeat('x', 1000000), 1 FROM generate_series(1, 40);
        GRANT SELECT ON texts TO dpnoise_reader""")
    office.register("texts", "texts", "--epsilon", "1000", "--most-epsilon", "100")
    session = office.session("carl")
    pid = session.one("SELECT pg_backend_pid()")
    same(session.one("""SELECT value FROM dp_release('texts', '{"count": true, "by": ["region"], "epsilon": "100"}') LIMIT 1"""), "0")
    with open(f"/proc/{pid}/status", encoding="ascii") as status:
        peak = next(int(line.split()[1]) for line in status if line.startswith("VmHWM"))
    assert peak < 45000, peak  # 40 MB at once, and 24 MB otherwise
    session.close()
