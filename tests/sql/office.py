"""A server with the extension, a table of people that is registered, and analysts who may ask and may not read.

ada and bob have a quota each; carl may ask and has none, dora may do nothing. `team` is a role with a quota, and ada and bob are its members.
"""
import json
import sqlite3
import threading

from server import Server

ROWS = 2000
COUNT = '{"count": true, "epsilon": "%s"}'


class Office:
    def __init__(self, **settings):
        self.server = Server(**settings)
        self.admin = self.server.session()
        self.admin.rows("CREATE EXTENSION dpnoise")
        self.admin.rows(f"""
            CREATE TABLE people (id integer, region text, income double precision, age integer, note text);
            INSERT INTO people SELECT i, CASE WHEN i % 3 = 0 THEN 'north' ELSE 'south' END, (i * 37) % 1000, i % 90, 'x'
                FROM generate_series(1, {ROWS}) i;
            ANALYZE people;
            GRANT SELECT ON people TO dpnoise_reader;
            CREATE ROLE ada LOGIN; CREATE ROLE bob LOGIN; CREATE ROLE carl LOGIN; CREATE ROLE dora LOGIN; CREATE ROLE team;
            GRANT team TO ada, bob;
            GRANT CREATE ON SCHEMA public TO ada, bob, carl;
            GRANT EXECUTE ON FUNCTION dp_release(text, jsonb) TO ada, bob, carl, team;""")
        self.register("people", "people", "--epsilon", "100000", "--most-epsilon", "200")
        for who in ("ada", "bob", "team"):
            self.quota("people", who, "50000")
        self.next, self.lock = 0, threading.Lock()

    def tool(self, *arguments, **more):
        return self.server.tool(*arguments, "--ledger", self.server.ledger, **more)

    def register(self, name, table, *more):
        self.tool("register", name, self.server.url(), "--table", table, "--number", "income:0:1000", "--number", "age:0:100",
                  "--category", "region=north,south", "--where-columns", "age,region", *more)

    def quota(self, name, who, epsilon):
        self.tool("budget", "init", f"{name}/{who}", "--of", name, "--epsilon", epsilon)

    def spent(self, name="people"):
        """What the ledger has recorded, read from its file without the library: the sum of epsilon, in thousandths."""
        with sqlite3.connect(f"file:{self.server.ledger}?mode=ro", uri=True) as ledger:
            entries = [json.loads(text) for text, in ledger.execute("SELECT text FROM entry ORDER BY number")]
        ledger.close()
        return sum(round(1000 * float(entry["epsilon"])) for entry in entries if entry["kind"] == "charge" and name in (entry["name"], entry.get("of")))

    def fresh(self):
        """An epsilon that no question has had yet: a question that was not asked before."""
        with self.lock:
            self.next += 1
            return f"0.{10 + self.next:03d}", 10 + self.next

    def question(self):
        """A new question as SQL, and its cost in thousandths."""
        epsilon, cost = self.fresh()
        return f"""dp_release('people', '{COUNT % epsilon}')""", cost

    def session(self, user="ada", **more):
        return self.server.session(user, **more)

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.admin.close()
        self.server.__exit__()

