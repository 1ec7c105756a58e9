"""Attacks that try to have an answer without its charge."""
import os
import signal
import threading
import time

from attack import attack, costs
from cases import same
from pq import Refused

CHARGED = "the charge stands"


@attack(CHARGED)
def rollback(office):
    """ask, read the answer, and roll back"""
    session = office.session()
    question, cost = office.question()
    with costs(office, cost):
        session.rows("BEGIN")
        same(len(session.rows(f"SELECT * FROM {question}")), 1)
        session.rows("ROLLBACK")
    session.close()


@attack(CHARGED)
def savepoint(office):
    """ask within a savepoint and go back to it"""
    session = office.session()
    question, cost = office.question()
    with costs(office, cost):
        session.rows("BEGIN; SAVEPOINT s")
        session.rows(f"SELECT * FROM {question}")
        session.rows("ROLLBACK TO s; RELEASE s; COMMIT")
    session.close()


@attack(CHARGED)
def exception_block(office):
    """ask in PL/pgSQL, raise, catch, and keep the value in a variable"""
    session = office.session()
    question, cost = office.question()
    with costs(office, cost):
        session.rows(f"""DO $$ DECLARE v float8; BEGIN
            BEGIN SELECT value INTO v FROM {question}; RAISE EXCEPTION 'no'; EXCEPTION WHEN OTHERS THEN PERFORM set_config('my.v', v::text, false); END;
            END $$""")
        assert float(session.one("SELECT current_setting('my.v')")) > 1000
    session.close()


@attack(CHARGED)
def read_only_transaction(office):
    """ask where nothing can be written"""
    session = office.session()
    question, cost = office.question()
    with costs(office, cost):
        session.rows("BEGIN TRANSACTION READ ONLY")
        session.rows(f"SELECT * FROM {question}")
        session.rows("COMMIT")
    session.close()


@attack(CHARGED)
def prepared_transaction(office):
    """PREPARE TRANSACTION after the answer, and roll that back"""
    session = office.session()
    question, cost = office.question()
    with costs(office, cost):
        session.rows("BEGIN")
        session.rows(f"SELECT * FROM {question}")
        session.rows("PREPARE TRANSACTION 'p'")
        session.rows("ROLLBACK PREPARED 'p'")
    session.close()


@attack("charged when the first row is fetched, and it stands")
def cursor_then_abort(office):
    """declare a cursor, fetch one row, abort"""
    session = office.session()
    question, cost = office.question()
    with costs(office, cost):
        session.rows("BEGIN")
        session.rows(f"DECLARE c CURSOR FOR SELECT * FROM {question}")
        session.rows("FETCH 1 FROM c")
        session.rows("ROLLBACK")
    session.close()


@attack(CHARGED)
def cursor_with_hold(office):
    """a cursor WITH HOLD, which runs at commit"""
    session = office.session()
    question, cost = office.question()
    with costs(office, cost):
        session.rows(f"BEGIN; DECLARE c CURSOR WITH HOLD FOR SELECT * FROM {question}; COMMIT")
        same(len(session.rows("FETCH ALL FROM c")), 1)
    session.close()


@attack(CHARGED)
def deferred_error(office):
    """ask, and let a deferred constraint fail the commit"""
    session = office.session()
    question, cost = office.question()
    session.rows("CREATE TEMP TABLE d (x int UNIQUE DEFERRABLE INITIALLY DEFERRED)")
    with costs(office, cost):
        session.rows("BEGIN")
        session.rows("INSERT INTO d VALUES (1), (1)")
        session.rows(f"SELECT * FROM {question}")
        same(session.refused("COMMIT").code, "23505")
    session.close()


@attack("charged; the message is the division's alone")
def error_after_the_answer(office):
    """divide by the answer's distance from itself, in the same statement"""
    session = office.session()
    question, cost = office.question()
    with costs(office, cost):
        same(session.refused(f"SELECT 1 / (value - value) FROM {question}").code, "22012")
    session.close()


@attack("EXPLAIN runs nothing and costs nothing; EXPLAIN ANALYZE is charged")
def explain_analyze(office):
    """see the plan with numbers of rows, but no answer"""
    session = office.session()
    question, cost = office.question()
    with costs(office, 0):
        session.rows(f"EXPLAIN (VERBOSE) SELECT * FROM {question}")
    with costs(office, cost):
        plan = "\n".join(row[0] for row in session.rows(f"EXPLAIN (ANALYZE, VERBOSE) SELECT * FROM {question}"))
        assert "2000" not in plan and "people" in plan  # the question, not the rows behind it
    session.close()


@attack("charged once; the answer is one answer")
def prepared_statement(office):
    """prepare a question and execute it a hundred times, to average the noise away"""
    session = office.session()
    question, cost = office.question()
    with costs(office, cost):
        session.rows(f"PREPARE q AS SELECT value FROM {question}")
        same(len({session.one("EXECUTE q") for _ in range(100)}), 1)
    session.close()


@attack("charged once; the answer is one answer")
def lateral_repetition(office):
    """run the function for each of a hundred rows"""
    session = office.session()
    question, cost = office.question()
    with costs(office, cost):
        same(session.rows(f"SELECT count(*), count(DISTINCT value) FROM generate_series(1, 100) g, LATERAL (SELECT value FROM {question} WHERE g > 0) q"), [["100", "1"]])
    session.close()


@attack("each is charged")
def lateral_questions(office):
    """ask ten different questions in one statement"""
    session = office.session()
    specs = [office.fresh() for _ in range(10)]
    with costs(office, sum(cost for _, cost in specs)):
        values = ", ".join(f"('{epsilon}')" for epsilon, _ in specs)
        same(session.rows(f"""SELECT count(*), count(DISTINCT receipt) FROM (VALUES {values}) v(e),
            LATERAL dp_release('people', jsonb_build_object('count', true, 'epsilon', e))"""), [["10", "10"]])
    session.close()


@attack("charged; what is left unread of an answer was paid all the same")
def unread_rows(office):
    """LIMIT 0, WHERE false, a CTE that nobody reads, EXISTS"""
    session = office.session()
    question, cost = office.question()
    with costs(office, 0):  # none of these runs it, and none tells anything
        session.rows(f"SELECT * FROM {question} LIMIT 0")
        session.rows(f"SELECT * FROM {question} WHERE false")
        session.rows(f"WITH c AS (SELECT * FROM {question}) SELECT 1")
    with costs(office, cost):
        session.rows(f"SELECT EXISTS (SELECT FROM {question})")
    session.close()


@attack("charged once")
def windows_and_aggregates(office):
    """use the answer in windows, aggregates and set operations"""
    session = office.session()
    question, cost = office.question()
    with costs(office, cost):
        same(session.rows(f"""SELECT count(DISTINCT v) FROM (SELECT avg(value) OVER () v FROM {question} UNION ALL SELECT max(value) FROM {question}) u"""), [["1"]])
    session.close()


@attack(CHARGED)
def copy_out(office):
    """COPY (SELECT ...) TO STDOUT"""
    session = office.session()
    question, cost = office.question()
    with costs(office, cost):
        same(len(session.rows(f"COPY (SELECT value FROM {question}) TO STDOUT")), 1)
    session.close()


@attack(CHARGED)
def create_table_as(office):
    """keep the answer in a table, and drop it by rolling back"""
    session = office.session()
    question, cost = office.question()
    with costs(office, cost):
        session.rows(f"BEGIN; CREATE TEMP TABLE kept AS SELECT * FROM {question}")
        same(session.one("SELECT count(*) FROM kept"), "1")
        session.rows("ROLLBACK")
    session.close()


def insist(session, sql):
    """A statement that a timeout, its own or that of the one before, may hit on a busy machine: until it is done."""
    while True:
        try:
            return session.rows(sql)
        except Refused as error:
            same(error.code, "57014")


@attack("an answer that was given was charged; without an answer it may have been")
def cancel_at_any_moment(office):
    """cancel the statement sooner and later, many times, and by statement_timeout"""
    session = office.session()
    answers = paid = 0
    before = office.spent()
    for pause in range(24):
        question, cost = office.question()
        insist(session, f"SET statement_timeout = '{1 + pause} ms'")
        try:
            session.rows(f"SELECT * FROM {question}")
            answers += cost
        except Refused as error:
            same(error.code, "57014")
        paid += cost
    insist(session, "RESET statement_timeout")
    assert answers <= office.spent() - before <= paid
    same(insist(session, "SELECT 1"), [["1"]])
    session.close()


@attack("the wait ends at once, nothing is charged")
def cancel_while_the_ledger_is_busy(office):
    """another process keeps the ledger locked: is the session stuck?"""
    import sqlite3
    session = office.session()
    question, cost = office.question()
    with costs(office, 0):
        other = sqlite3.connect(office.server.ledger, isolation_level=None)
        other.execute("BEGIN EXCLUSIVE")
        session.start(f"SELECT * FROM {question}")
        assert not session.wait(0.3)
        office.admin.rows(f"SELECT pg_cancel_backend({session.pid})")
        assert session.wait(8)  # the ledger's own patience is 10 seconds
        try:
            session.finish()
            raise AssertionError("not cancelled")
        except Refused as error:
            same(error.code, "57014")
        other.execute("ROLLBACK")
        other.close()
    with costs(office, cost):
        session.rows(f"SELECT * FROM {question}")
    session.close()


@attack(CHARGED)
def terminate(office):
    """the session is ended right after the answer was sent"""
    session = office.session()
    question, cost = office.question()
    with costs(office, cost):
        session.rows("BEGIN")
        session.rows(f"SELECT * FROM {question}")
        office.admin.rows(f"SELECT pg_terminate_backend({session.pid}, 5000)")
    session.close()


@attack("all charges are there, exactly")
def many_sessions(office):
    """twenty-four sessions charge at once"""
    asked = [[office.fresh() for _ in range(3)] for _ in range(24)]
    troubles = []

    def work(specs):
        try:
            session = office.session("ada")
            for epsilon, _ in specs:
                session.rows(f"""SELECT * FROM dp_release('people', '{{"count": true, "epsilon": "{epsilon}"}}')""")
            session.close()
        except Exception as error:
            troubles.append(error)

    with costs(office, sum(cost for specs in asked for _, cost in specs)):
        workers = [threading.Thread(target=work, args=(specs,)) for specs in asked]
        for worker in workers:
            worker.start()
        for worker in workers:
            worker.join()
        same(troubles, [])


@attack("every answer that a client has was charged; the server comes back")
def kill_nine(office):
    """kill -9 of a backend while others ask"""
    acknowledged, asked = [], []
    before = office.spent()

    def work():
        try:
            session = office.session("ada")
            for _ in range(200):
                epsilon, cost = office.fresh()
                asked.append(cost)
                session.rows(f"""SELECT * FROM dp_release('people', '{{"count": true, "epsilon": "{epsilon}"}}')""")
                acknowledged.append(cost)
        except Refused:
            pass

    office.admin.close()
    workers = [threading.Thread(target=work) for _ in range(4)]
    for worker in workers:
        worker.start()
    while len(acknowledged) < 20:
        time.sleep(0.01)
    victim = office.session()
    os.kill(victim.pid, signal.SIGKILL)
    for worker in workers:
        worker.join()
    office.server.await_ready()
    office.admin = office.server.session()
    office.tool("budget", "verify")  # which also puts the file in order
    spent = office.spent() - before
    assert sum(acknowledged) <= spent <= sum(asked), (sum(acknowledged), spent, sum(asked))
