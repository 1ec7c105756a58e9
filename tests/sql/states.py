"""Exact sums as aggregates, in every plan the same."""
import os
import sqlite3
from fractions import Fraction

from cases import case, same

STATES = "dp_count_state(*), dp_sum_state(x, -5, 100), dp_moments_state(x, -5, 100), dp_histogram_state(x, '{0,1,10,50}')"


def table(office, name, rows):
    office.admin.rows(f"""DROP TABLE IF EXISTS {name} CASCADE; CREATE TABLE {name} AS SELECT CASE i % 11 WHEN 0 THEN NULL WHEN 1 THEN 'NaN' WHEN 2 THEN 'Infinity' WHEN 3 THEN -1e300
        WHEN 4 THEN 0.1 ELSE (i * 7919 % 100003) / 997.0 END::float8 AS x, i % 3 AS part FROM generate_series(1, {rows}) i; ANALYZE {name}""")


@case
def every_plan(office):
    """serial, parallel, merged, partitioned and foreign plans give the same bytes"""
    table(office, "numbers", 20000)
    admin = office.admin
    admin.rows("SET max_parallel_workers_per_gather = 0")
    serial = admin.rows(f"SELECT {STATES} FROM numbers")
    admin.rows("SET max_parallel_workers_per_gather = 3")
    plan = "\n".join(row[0] for row in admin.rows(f"EXPLAIN SELECT {STATES} FROM numbers"))
    assert "Partial Aggregate" in plan and "Gather" in plan, plan
    same(admin.rows(f"SELECT {STATES} FROM numbers"), serial)
    admin.rows("SET max_parallel_workers_per_gather = 0")
    merged = "SELECT dp_merge(a), dp_merge(b), dp_merge(c), dp_merge(d) FROM (SELECT %s FROM %s GROUP BY part) s(a, b, c, d)"
    same(admin.rows(merged % (STATES, "numbers")), serial)
    same(admin.rows(f"SELECT {STATES} FROM (SELECT * FROM numbers ORDER BY x DESC) r"), serial)
    # Each shard offers a view of its states, and another server adds them.
    admin.rows(f"""CREATE EXTENSION IF NOT EXISTS postgres_fdw; CREATE SERVER shard FOREIGN DATA WRAPPER postgres_fdw OPTIONS (host '{office.server.place}', dbname 'postgres');
        CREATE USER MAPPING FOR tester SERVER shard OPTIONS (user 'tester', password_required 'false');
        CREATE VIEW shard_states AS SELECT part, {STATES} FROM numbers GROUP BY part; CREATE FOREIGN TABLE far (part int, dp_count_state bytea, dp_sum_state bytea, dp_moments_state bytea,
        dp_histogram_state bytea) SERVER shard OPTIONS (table_name 'shard_states')""")
    same(admin.rows("SELECT dp_merge(dp_count_state), dp_merge(dp_sum_state), dp_merge(dp_moments_state), dp_merge(dp_histogram_state) FROM far"), serial)
    admin.rows("RESET max_parallel_workers_per_gather")


@case
def in_sqlite(office):
    """the aggregates of the SQLite extension give the same bytes"""
    module = os.path.join(os.environ.get("DPN_BUILD_ROOT", os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "..", "build")), "sql/sqlite/dpnoise.so")
    if not os.path.exists(module) or not hasattr(sqlite3.Connection, "enable_load_extension"):
        return
    table(office, "numbers", 3000)
    host = sqlite3.connect(":memory:")
    host.enable_load_extension(True)
    host.load_extension(module)
    host.execute("CREATE TABLE numbers (x)")
    host.executemany("INSERT INTO numbers VALUES (?)", [(None if x is None else float(x),) for x, in office.admin.rows("SELECT x FROM numbers")])
    here = host.execute(f"SELECT {STATES.replace('{', '').replace('}', '').replace('(*)', '()')} FROM numbers").fetchone()
    there, = office.admin.rows(f"SELECT {STATES} FROM numbers")
    same([r"\x" + one.hex() for one in here], list(there))


@case
def the_numbers(office):
    """with next to no noise the numbers are those of the definition"""
    table(office, "numbers", 3000)
    rows = [row[0] for row in office.admin.rows("SELECT x FROM numbers")]
    used = [min(max(Fraction(x), -5), 100) for x in rows if x and x not in ("NaN", "Infinity")]
    noisy = lambda sql: [float(row[0]) for row in office.admin.rows(sql)]
    same(noisy("SELECT value FROM dp_noisy_count((SELECT dp_count_state(*) FROM numbers), 1000)"), [3000.0])
    total, = noisy("SELECT value FROM dp_noisy_sum((SELECT dp_sum_state(x, -5, 100) FROM numbers), -5, 100, 1e7)")
    assert abs(total - float(sum(used))) < 0.1, (total, float(sum(used)))
    variance, = noisy("SELECT value FROM dp_noisy_moments((SELECT dp_moments_state(x, -5, 100) FROM numbers), -5, 100, 1e7)")
    mean = sum(used) / len(used)
    exact = float(sum(x * x for x in used) / len(used) - mean * mean)
    assert abs(variance - exact) < 0.001 * exact, (variance, exact)
    values = [float(x) for x in rows if x and x not in ("NaN", "Infinity")]
    bins = [sum(a <= x < b or (b == 50 and x == b) for x in values) for a, b in ((0, 1), (1, 10), (10, 50))]
    same(noisy("SELECT value FROM dp_noisy_histogram((SELECT dp_histogram_state(x, '{0,1,10,50}') FROM numbers), '{0,1,10,50}', 1000)"), [float(b) for b in bins])


@case
def every_step(office):
    """a sum is that of the steps of the decimals that its values are, to the last one, half way between two steps too"""
    office.admin.rows("""DROP TABLE IF EXISTS steps; CREATE TABLE steps AS SELECT (CASE i % 4 WHEN 0 THEN (i * 37 % 8192 - 4000) / 8192.0 WHEN 1 THEN (i * 7919 % 100003) / 997.0
        WHEN 2 THEN (i % 50) * 0.1 + 0.00048828125 ELSE 1e9 / i - 3 END)::float8 AS x FROM generate_series(1, 4000) i""")
    decimals = [Fraction(row[0]) for row in office.admin.rows("SELECT x FROM steps")]
    total = Fraction(float(office.admin.one("SELECT value FROM dp_noisy_sum((SELECT dp_sum_state(x, -5, 100) FROM steps), -5, 100, 1e8)")))
    found = []
    for exponent in range(6, 24):
        steps = sum(min(max((x * 2**exponent + Fraction(1, 2)).__floor__(), -5 * 2**exponent), 100 * 2**exponent) for x in decimals)
        if total == Fraction(steps, 2**exponent):
            found.append(exponent)
    assert found, total  # one of the grids gives it exactly; by chance one does with probability 1e-4


@case
def no_rows(office):
    """no rows are answered like any others, in every plan"""
    for workers in (0, 3):
        office.admin.rows(f"SET max_parallel_workers_per_gather = {workers}")
        same(office.admin.one("SELECT dp_sum_state(x, 0, 1) FROM numbers WHERE x = 17.25"), None)
        low, high = office.admin.rows("SELECT low, high FROM dp_noisy_sum((SELECT dp_sum_state(x, 0, 1) FROM numbers WHERE x = 17.25), 0, 1, 1)")[0]
        assert float(low) < float(high)
    same(office.admin.one("SELECT value FROM dp_noisy_count(NULL, 1000)"), "0")
    assert len({row[0] for row in office.admin.rows("SELECT value FROM generate_series(1, 40) g, LATERAL dp_noisy_count(CASE WHEN g > 0 THEN NULL::bytea END, 0.01)")}) > 20
    same(office.admin.rows("SELECT provolatile, proparallel FROM pg_proc WHERE proname LIKE 'dp_noisy%' GROUP BY 1, 2"), [["v", "r"]])
    office.admin.rows("RESET max_parallel_workers_per_gather")


@case
def bounds_that_change(office):
    """bounds that change from row to row, states that do not fit, and calls by themselves are refused"""
    table(office, "numbers", 100)
    for sql, code in [("SELECT dp_sum_state(x, part, 5) FROM numbers", "22023"), ("SELECT dp_sum_state(x, NULL, 5) FROM numbers", "22004"), ("SELECT dp_sum_state(x, 5, 5) FROM numbers", "22003"),
                      ("SELECT dp_sum_state(x, 'NaN', 5) FROM numbers", "22023"), ("SELECT dp_histogram_state(x, ARRAY[part, 5]) FROM numbers", "22023"),
                      ("SELECT dp_histogram_state(x, '{}') FROM numbers", "22023"), ("SELECT dp_histogram_state(x, '{3,2}') FROM numbers", "22003"),
                      ("SELECT dp_merge(s) FROM (SELECT dp_sum_state(x, 0, 1) FROM numbers UNION ALL SELECT dp_sum_state(x, 0, 2) FROM numbers) u(s)", "22023"),
                      ("SELECT * FROM dp_noisy_sum((SELECT dp_sum_state(x, 0, 1) FROM numbers), 0, 2, 1)", "22023"),
                      ("SELECT * FROM dp_noisy_count((SELECT dp_sum_state(x, 0, 1) FROM numbers), 1)", "22023"), ("SELECT * FROM dp_noisy_count(NULL, NULL)", "22004"),
                      ("SELECT * FROM dp_noisy_count(NULL, 0)", "22003")]:
        same((sql, office.admin.refused(sql).code), (sql, code))
    for sql in ("SELECT dp_count_step(NULL)", "SELECT dp_state_final(NULL)"):  # by the server itself, which has said it in two ways
        assert office.admin.refused(sql).code in ("42883", "0A000"), sql


@case
def hostile_states(office):
    """bytes that no aggregate wrote are refused, and the server goes on"""
    import random
    random.seed(20)
    table(office, "numbers", 300)
    state = bytes.fromhex(office.admin.one("SELECT encode(dp_moments_state(x, -5, 100), 'hex') FROM numbers"))
    pid = office.admin.one("SELECT pg_backend_pid()")
    for trial in range(300):
        bad = bytearray(state)
        if trial % 3 == 0:
            bad = bad[:random.randrange(len(bad))]
        else:
            for _ in range(1 + trial % 4):
                bad[random.randrange(len(bad))] ^= 1 << random.randrange(8)
        if bytes(bad) == state:
            continue
        try:
            office.admin.rows(f"SELECT dp_merge(s) FROM (VALUES ('\\x{bad.hex()}'::bytea), ('\\x{state.hex()}')) v(s)")
            raise AssertionError(f"taken: {bad.hex()}")
        except Exception as error:
            assert getattr(error, "code", "")[:2] in ("22", "0A", "54"), error
    same(office.admin.one("SELECT pg_backend_pid()"), pid)
