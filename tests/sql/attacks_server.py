"""Attacks on what lies beside the function: errors, logs, statistics, the file of the ledger, backups and standbys."""
import os
import shutil
import signal

from attack import attack, costs
from cases import same
from pq import Refused


@attack("every row is read: a field that cannot be used follows a public rule")
def poisoned_rows(office):
    """rows that make casts, sums and text fail: NaN, infinities, 1e308, empty and endless texts"""
    office.admin.rows("""CREATE TABLE poison (v text, f float8, n numeric, region text);
        INSERT INTO poison SELECT (ARRAY['', 'NaN', 'inf', '1e999999', repeat('9', 100000), 'x', NULL, E'\\t7', '0x10', '1,5'])[1 + i % 10],
            (ARRAY['NaN', 'Infinity', '-Infinity', '1e308', '-1e308', '0', NULL])[1 + i % 7]::float8, (ARRAY['NaN', 'Infinity', '1e1000', '-1e1000', NULL])[1 + i % 5]::numeric,
            repeat('x', 1000) FROM generate_series(1, 500) i; GRANT SELECT ON poison TO dpnoise_reader""")
    office.tool("register", "poison", office.server.url(), "--table", "poison", "--number", "v:0:10", "--number", "f:0:10", "--number", "n:0:10", "--category", "region", "--epsilon", "1000",
                "--delta", "0.0001", "--most-epsilon", "100")
    session = office.session("carl")
    for column in ("v", "f", "n"):
        for kind in ("sum", "mean"):
            same(len(session.rows(f"""SELECT * FROM dp_release('poison', '{{"{kind}": "{column}", "epsilon": "10"}}')""")), 1)
        assert session.rows(f"""SELECT * FROM dp_release('poison', '{{"sum": "{column}", "by": ["region"], "missing": "skip", "epsilon": "10", "delta": "1e-6"}}')""") is not None
    session.close()


@attack("one sentence, always the same; the charge stands, and the reason is in the server's log alone")
def failure_while_rows_are_read(office):
    """rows that the server cannot read, to learn from its message what is in them"""
    office.admin.rows("""CREATE TYPE mark AS ENUM ('low', 'secret-of-dora'); CREATE TABLE marks (age int, mark mark);
        INSERT INTO marks VALUES (1, 'low'), (2, 'secret-of-dora'); GRANT SELECT ON marks TO dpnoise_reader""")
    office.tool("register", "marks", office.server.url(), "--table", "marks", "--number", "age:0:10", "--category", "mark=low,high", "--epsilon", "10")
    office.admin.rows("DELETE FROM pg_enum WHERE enumlabel = 'secret-of-dora'")  # a row of a catalogue that is lost
    session = office.session("carl")
    error = session.refused("""SELECT * FROM dp_release('marks', '{"sum": "age", "by": ["mark"], "epsilon": "1"}')""")
    same(error.code, "58030")
    assert "secret" not in error.all and "mark" not in error.all and "enum" not in error.all and not session.notices, error.all
    same(office.spent("marks"), 1000)
    assert "secret-of-dora" not in session.refused("""SELECT * FROM dp_release('marks', '{"sum": "age", "by": ["mark"], "epsilon": "2"}')""").all
    assert "has no answer: invalid internal value for enum" in open(office.server.log).read()
    session.close()


@attack("nothing of it reaches the client")
def messages(office):
    """client_min_messages = debug5, and auto_explain with the numbers of rows of nested statements"""
    office.admin.rows("""ALTER ROLE ada SET session_preload_libraries = 'auto_explain'; ALTER ROLE ada SET auto_explain.log_min_duration = 0;
        ALTER ROLE ada SET auto_explain.log_analyze = on; ALTER ROLE ada SET auto_explain.log_nested_statements = on; ALTER ROLE ada SET log_executor_stats = on""")
    session = office.session()
    session.rows("SET client_min_messages = debug5; SET debug_print_plan = on")
    question, cost = office.question()
    session.notices.clear()
    with costs(office, cost):
        session.rows(f"SELECT * FROM {question}")
    told = "\n".join(session.notices)
    assert "Seq Scan" not in told and "rows=2000" not in told and "FROM public.people" not in told, told
    assert "Function Scan" in told  # it was on
    office.admin.rows("ALTER ROLE ada RESET ALL")
    session.close()


@attack("refused, or without effect: the ledger of the server is charged, or there is no answer")
def settings_of_the_server(office):
    """see or set dpnoise.ledger, in the session, for a role, or before the module is loaded"""
    session = office.session()
    same(session.rows("SELECT dp_pdf('laplace(scale=1)', 0)"), [["0.5"]])
    same(session.refused("SHOW dpnoise.ledger").code, "42501")
    for sql in ("SET dpnoise.ledger = '/tmp/mine.db'", "ALTER ROLE ada SET dpnoise.ledger = '/tmp/mine.db'", "SELECT set_config('dpnoise.ledger', '/tmp/mine.db', false)",
                "ALTER SYSTEM SET dpnoise.ledger = '/tmp/mine.db'"):
        assert session.refused(sql).code in ("55P02", "42501"), sql
    session.close()
    for early in ("SET dpnoise.ledger = '/tmp/mine.db'", "SELECT set_config('dpnoise.ledger', '/tmp/mine.db', false)", "options"):
        question, cost = office.question()
        before, told = office.spent(), None
        try:
            session = office.session(more="options='-c dpnoise.ledger=/tmp/mine.db'" if early == "options" else "")
            if early != "options":
                session.rows(early)
            session.rows(f"SELECT * FROM {question}")
        except Refused as error:
            told = error.code  # outright, where the module is loaded with the server
            assert told in ("F0000", "55P02", "42501", "08000"), error
        same(office.spent() - before, 0 if told else cost)
        session.close()


def with_ledger(office, path, action):
    """Point the server to another file for the time of an action."""
    before = office.server.settings[0]
    office.server.stop()
    office.server.settings[0] = f"dpnoise.ledger={path}"
    office.server.start()
    office.admin = office.server.session()
    try:
        action()
    finally:
        office.admin.close()
        office.server.stop()
        office.server.settings[0] = before
        office.server.start()
        office.admin = office.server.session()


@attack("refused: a backup of the data directory would give budget back")
def ledger_among_the_data(office):
    """the ledger lies in the server's data directory"""
    place = office.server.room
    office.server.run("cp", office.server.ledger, office.server.ledger + ".key", f"{place}/data/")

    def action():
        question, _ = office.question()
        session = office.session()
        same(session.refused(f"SELECT * FROM {question}").code, "F0000")
        session.close()

    with_ledger(office, f"{place}/data/ledger.db", action)
    office.server.run("rm", f"{place}/data/ledger.db", f"{place}/data/ledger.db.key")


@attack("refused")
def ledger_that_others_write(office):
    """the ledger's directory may be written by others, its key be read by others, or it is not there"""
    session = office.session()
    directory, key = os.path.dirname(office.server.ledger), office.server.ledger + ".key"
    for path, loose, right, code in ((directory, 0o777, 0o700, "F0000"), (key, 0o644, 0o600, "58030")):
        question, cost = office.question()
        os.chmod(path, loose)
        fresh = office.session()
        with costs(office, 0):
            error = fresh.refused(f"SELECT * FROM {question}")
            same(error.code, code)
            assert office.server.room not in error.all  # where it is, is not told
        os.chmod(path, right)
        with costs(office, cost):
            fresh.rows(f"SELECT * FROM {question}")
        fresh.close()
    session.close()


@attack("noticed: the session refuses, and goes on when the file is back")
def ledger_put_aside(office):
    """the file is replaced by an older copy while sessions are open"""
    session = office.session()
    question, cost = office.question()
    session.rows(f"SELECT * FROM {question}")
    office.server.run("cp", "-p", office.server.ledger, office.server.ledger + ".new")
    office.server.run("mv", office.server.ledger, office.server.ledger + ".aside")
    office.server.run("mv", office.server.ledger + ".new", office.server.ledger)
    other, _ = office.question()
    same(session.refused(f"SELECT * FROM {other}").code, "58030")
    office.server.run("mv", office.server.ledger + ".aside", office.server.ledger)
    third, cost = office.question()
    with costs(office, cost):
        session.rows(f"SELECT * FROM {third}")
    session.close()


@attack("refused: the data set is registered for one server and one database")
def dump_and_restore(office):
    """restore a dump into another database, to ask again"""
    dump = office.server.dump("-t", "people", "postgres")
    office.admin.rows("CREATE DATABASE copy")
    office.server.psql("-d", "copy", "-c", "CREATE EXTENSION dpnoise", "-c", "GRANT EXECUTE ON FUNCTION dp_release(text, jsonb) TO ada")
    office.server.psql("-d", "copy", input=dump)
    session = office.session(database="copy")
    question, _ = office.question()
    with costs(office, 0):
        same(session.refused(f"SELECT * FROM {question}").code, "42809")
    session.close()
    office.admin.rows("DROP DATABASE copy")


@attack("the budget does not come back: it is not in the backup")
def point_in_time_recovery(office):
    """put the data directory back from a copy that was made before the charge"""
    place = office.server.room
    office.admin.close()
    office.server.stop()
    office.server.run("cp", "-a", f"{place}/data", f"{place}/old")
    office.server.start()
    session = office.session()
    question, cost = office.question()
    with costs(office, cost):
        answer = session.rows(f"SELECT * FROM {question}")
    session.close()
    office.server.stop()
    office.server.run("rm", "-r", f"{place}/data")
    office.server.run("mv", f"{place}/old", f"{place}/data")
    office.server.start()
    office.admin = office.server.session()
    session = office.session()
    with costs(office, 0):
        same(session.rows(f"SELECT * FROM {question}"), answer)
    session.close()


@attack("refused: a server in recovery does not answer")
def standby(office):
    """ask a hot standby, whose budget nobody keeps"""
    office.admin.close()
    office.server.stop()
    office.server.run("touch", f"{office.server.room}/data/standby.signal")
    office.server.start()
    session = office.session()
    same(session.one("SELECT pg_is_in_recovery()"), "t")
    question, _ = office.question()
    with costs(office, 0):
        same(session.refused(f"SELECT * FROM {question}").code, "25006")
    session.close()
    office.server.stop()
    office.server.run("rm", f"{office.server.room}/data/standby.signal")
    office.server.start()
    office.admin = office.server.session()


@attack("the charge stands: it was on the disk before the answer")
def crash_of_the_server(office):
    """end the server at once, right after the answer"""
    session = office.session()
    question, cost = office.question()
    before = office.spent()
    session.rows("BEGIN")
    session.rows(f"SELECT * FROM {question}")
    office.server.stop(signal.SIGQUIT)
    session.close()
    office.admin.close()
    office.server.start()
    office.admin = office.server.session()
    same(office.spent() - before, cost)


@attack("refused by PostgreSQL")
def reading_the_table(office):
    """read the table, its statistics, its pages or the ledger's file without the function"""
    session = office.session()
    for sql in ("SELECT * FROM people", "COPY people TO STDOUT", "SELECT pg_read_file('base')", "TABLE people", "SELECT * FROM people TABLESAMPLE SYSTEM (1)", "ANALYZE VERBOSE people, people",
                f"COPY (SELECT 1) TO '{office.server.ledger}'", "SELECT lo_import('/etc/passwd')"):
        try:
            session.rows(sql)
            assert sql.startswith("ANALYZE"), sql
        except Refused as error:
            same((sql, error.code), (sql, "42501"))
    same(session.rows("SELECT * FROM pg_stats WHERE tablename = 'people'"), [])
    session.close()


@attack("**not stopped**: PostgreSQL tells every user how many rows a table has, about; see below")
def row_counts_in_the_catalogue(office):
    """pg_class.reltuples, pg_stat_user_tables, pg_relation_size"""
    session = office.session()
    same(session.one("SELECT reltuples FROM pg_class WHERE relname = 'people'"), "2000")
    assert int(session.one("SELECT pg_relation_size('people')")) > 0
    # Whoever revokes these rights has closed it.
    office.admin.rows("REVOKE SELECT ON pg_class FROM PUBLIC; REVOKE EXECUTE ON FUNCTION pg_relation_size(regclass, text), pg_stat_get_live_tuples(oid) FROM PUBLIC")
    same(session.refused("SELECT reltuples FROM pg_class WHERE relname = 'people'").code, "42501")
    same(session.refused("SELECT pg_relation_size('people', 'main')").code, "42501")
    question, cost = office.question()
    with costs(office, cost):  # the function itself needs none of them
        session.rows(f"SELECT * FROM {question}")
    office.admin.rows("GRANT SELECT ON pg_class TO PUBLIC; GRANT EXECUTE ON FUNCTION pg_relation_size(regclass, text), pg_stat_get_live_tuples(oid) TO PUBLIC")
    session.close()


@attack("no two sessions have a block of random bits in common")
def shared_random_bits(office):
    """the module is loaded before the fork: do backends inherit a random source?"""
    office.server.stop()
    office.server.settings.append("shared_preload_libraries=dpnoise")
    office.server.start()
    sessions = [office.session() for _ in range(100)]
    drawn = [row[0] for session in sessions for row in session.rows("SELECT * FROM dp_sample('gaussian(sigma=1)', 20, 2 ^ -53)")]
    same(len(set(drawn)), 2000)  # 2000 draws of some 2^54 values: two are equal by chance with probability 1e-10
    for session in sessions:
        session.close()
    office.admin = office.server.session()
    question, cost = office.question()
    session = office.session()
    with costs(office, cost):
        session.rows(f"SELECT * FROM {question}")
    session.close()
