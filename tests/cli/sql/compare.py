"""Random declarations on random tables: the sums that an engine makes are those of dpnoise tally, or the engine is not asked.

usage: compare.py ENGINE HOW_MANY SEED

Values are what engines treat differently: halves of steps, the double below 1/2, infinities, NaN, NULL, -0, single precision, exact numbers
of many digits, texts with quotes and backslashes. Both ways see the same texts: PostgreSQL and SQLite are read by dpnoise itself, the tables of
DuckDB and ClickHouse are written to a file with the shortest texts that Python prints.
"""
import csv
import ctypes
import os
import random
import sqlite3
import struct
import subprocess
import sys

engine, how_many, seed = sys.argv[1], int(sys.argv[2]), int(sys.argv[3])
draw = random.Random(f"{engine} {seed}")
NAMES = ["id", 'odd "name', "we'ir\\d", "x", "y", "z", "Größe"]
TEXTS = ["a", "A", "b b", " a", "", "NA", "it's", 'q"q', "back\\slash", "ä", "á", "ß", None, "0.5", "-"]
TYPES = {"postgresql": ["integer", "real", "single", "decimal"], "sqlite": ["integer", "real"], "duckdb": ["integer", "real", "single"],
         "clickhouse": ["integer", "real", "single"]}[engine]


def dpnoise(*words, ok=True):
    done = subprocess.run(["dpnoise", *map(str, words)], capture_output=True, text=True)
    if ok and done.returncode:
        raise SystemExit(f"{words}\n{done.stderr}")
    return done


def single(x):
    return struct.unpack("f", struct.pack("f", x))[0]


def value(kind):
    if draw.random() < 0.08:
        return None
    if kind == "integer":
        return draw.choice([draw.randrange(-5, 130), draw.randrange(-10**6, 10**6), 2**63 - 1, -(2**63), 10**17 + 1, 0, 64, 63, 65, 18])
    if kind == "decimal":
        return draw.choice(["NaN", "Infinity", "-Infinity", "0.5", "-0.50", "17.99999999999999999999999999", "18", "1e40", "-1e-40",
                            f"{draw.randrange(-10**9, 10**9)}e-{draw.randrange(12)}", f"{draw.randrange(-2**20, 2**20) / 2**12:.20f}"])
    x = draw.choice([draw.uniform(-10, 130), draw.randrange(-100, 130) / 8, draw.randrange(-2**20, 2**20) / 2**draw.randrange(8, 20), 0.49999999999999994,
                     0.5, -0.5, 1.5, -0.0, float("inf"), float("-inf"), float("nan"), 1e300, -1e300, 5e-324, 17.999999999999996, 18, 0.1, 0.3, 64.5])
    if kind == "single":
        x = single(x) if abs(x) < 1e38 or x in (float("inf"), float("-inf")) else 1e30 if x == x else x
    if engine == "sqlite" and x != x:
        return None
    return float(x)


class Duck:
    """The library of DuckDB, through its C interface."""

    def __init__(self, name):
        self.library = ctypes.CDLL(name)
        self.library.duckdb_value_varchar.restype = ctypes.c_void_p
        self.library.duckdb_value_varchar.argtypes = [ctypes.c_void_p, ctypes.c_uint64, ctypes.c_uint64]
        self.library.duckdb_column_name.restype = ctypes.c_char_p
        self.library.duckdb_result_error.restype = ctypes.c_char_p
        for name in ["duckdb_row_count", "duckdb_column_count"]:
            getattr(self.library, name).restype = ctypes.c_uint64
        self.base, self.connection = ctypes.c_void_p(), ctypes.c_void_p()
        assert self.library.duckdb_open(None, ctypes.byref(self.base)) == 0
        assert self.library.duckdb_connect(self.base, ctypes.byref(self.connection)) == 0

    def run(self, sql):
        result = ctypes.create_string_buffer(256)
        if self.library.duckdb_query(self.connection, sql.encode(), result):
            raise SystemExit(f"{sql}\n{self.library.duckdb_result_error(result)}")
        rows, columns = self.library.duckdb_row_count(result), self.library.duckdb_column_count(result)
        names = [self.library.duckdb_column_name(result, ctypes.c_uint64(c)).decode() for c in range(columns)]
        texts = [[ctypes.string_at(self.library.duckdb_value_varchar(result, c, r)).decode() for c in range(columns)] for r in range(rows)]
        self.library.duckdb_destroy_result(result)
        return [names, *texts]


class ClickHouse:
    """The library of ClickHouse, chDB, through its C interface."""

    def __init__(self, name):
        self.library = ctypes.CDLL(name)
        for function, result, given in [("chdb_connect", ctypes.POINTER(ctypes.c_void_p), [ctypes.c_int, ctypes.c_void_p]),
                                        ("chdb_query", ctypes.c_void_p, [ctypes.c_void_p, ctypes.c_char_p, ctypes.c_char_p]),
                                        ("chdb_result_error", ctypes.c_char_p, [ctypes.c_void_p]), ("chdb_result_buffer", ctypes.c_void_p, [ctypes.c_void_p]),
                                        ("chdb_result_length", ctypes.c_size_t, [ctypes.c_void_p]), ("chdb_destroy_query_result", None, [ctypes.c_void_p])]:
            getattr(self.library, function).restype, getattr(self.library, function).argtypes = result, given
        self.connection = self.library.chdb_connect(1, (ctypes.c_char_p * 1)(b"clickhouse"))[0]

    def run(self, sql):
        result = self.library.chdb_query(self.connection, sql.encode(), b"CSVWithNames")
        error, length = self.library.chdb_result_error(result), self.library.chdb_result_length(result)
        if error:
            raise SystemExit(f"{sql}\n{error.decode()}")
        text = ctypes.string_at(self.library.chdb_result_buffer(result), length).decode() if length else ""
        self.library.chdb_destroy_query_result(result)
        return text


def psql(sql, *options):
    done = subprocess.run(["psql", "-X", "-q", "-v", "ON_ERROR_STOP=1", *options], input=sql, capture_output=True, text=True)
    if done.returncode:
        raise SystemExit(f"{sql}\n{done.stderr}")
    return done.stdout


def quoted(name):
    if engine == "clickhouse":
        return "`" + name.replace("\\", "\\\\").replace("`", "\\`") + "`"
    return '"' + name.replace('"', '""') + '"'


def literal(x, kind):
    if x is None:
        return "NULL"
    if isinstance(x, str) and kind != "decimal":
        return ("E" if engine == "postgresql" else "") + "'" + x.replace("'", "''").replace("\\", "\\\\" if engine in ("postgresql", "clickhouse") else "\\") + "'"
    if engine == "clickhouse" and kind in ("real", "single"):  # whose reading of texts makes 0 of the least number
        return f"toFloat64({x!r})" if kind == "real" else f"toFloat32({x!r})"
    if kind in ("real", "single", "decimal"):
        return f"CAST('{x}' AS {SQL_TYPE[kind]})"
    return str(x) if x != -(2**63) else "(-9223372036854775807 - 1)"


SQL_TYPE = {"postgresql": {"integer": "bigint", "real": "float8", "single": "float4", "decimal": "numeric", "text": "text"},
            "duckdb": {"integer": "BIGINT", "real": "DOUBLE", "single": "FLOAT", "text": "VARCHAR"},
            "clickhouse": {"integer": "Nullable(Int64)", "real": "Nullable(Float64)", "single": "Nullable(Float32)", "text": "Nullable(String)"},
            "sqlite": {"integer": "INTEGER", "real": "REAL", "text": "TEXT"}}[engine]
# Texts that compare without regard to case: keys and words are compared byte by byte all the same.
SCHEMA = ["--schema", "public"] if engine == "postgresql" else []
COLLATED = {"postgresql": " COLLATE nobody_cares", "clickhouse": ""}.get(engine, " COLLATE NOCASE")
if engine == "postgresql":
    psql("CREATE COLLATION nobody_cares (provider = icu, locale = 'und-u-ks-level2', deterministic = false)")
duck = Duck(os.environ["DPNOISE_DUCKDB"]) if engine == "duckdb" else ClickHouse(os.environ["DPNOISE_CHDB"]) if engine == "clickhouse" else None


def make_table(kinds, rows):
    columns = ", ".join(f"{quoted(n)} {SQL_TYPE[k]}{COLLATED if k == 'text' else ''}" for n, k in zip(NAMES, kinds))
    if engine == "sqlite":
        if os.path.exists("t.db"):
            os.remove("t.db")
        with sqlite3.connect("t.db") as base:
            base.execute(f"CREATE TABLE t ({columns})")
            base.executemany(f"INSERT INTO t VALUES ({', '.join('?' * len(NAMES))})", rows)
        base.close()
        return
    values = ", ".join("(" + ", ".join(literal(x, k) for x, k in zip(row, kinds)) + ")" for row in rows)
    made = f"({columns}) ENGINE = Memory" if engine == "clickhouse" else f"({columns})"
    statements = f"DROP TABLE IF EXISTS t; CREATE TABLE t {made}; INSERT INTO t VALUES {values};"
    if engine == "postgresql":
        psql(statements)
        return
    for statement in statements.split(";")[:2]:
        duck.run(statement)
    duck.run(f"INSERT INTO t VALUES {values}")
    with open("t.csv", "w", newline="") as out:
        write = csv.writer(out)
        write.writerow(NAMES)
        for row in rows:
            write.writerow("" if x is None else shortest(x) if k == "single" else repr(x) if isinstance(x, float) else x for x, k in zip(row, kinds))


def shortest(x):
    """The shortest decimal that is nearest to this number of single precision."""
    return next((t for t in (f"{x:.{p}g}" for p in range(1, 10)) if x == x and abs(x) < 1e39 and single(float(t)) == x), repr(x))


def run_query(sql):
    if engine == "postgresql":
        open("sums.csv", "w").write(psql("SET extra_float_digits = 1;\n" + sql + ";\n", "--csv"))
        return
    if engine == "clickhouse":
        open("sums.csv", "w").write(duck.run(sql))
        return
    if engine == "duckdb":
        lines = duck.run(sql)
    else:
        base = sqlite3.connect("t.db")
        cursor = base.execute(sql)
        lines = [[c[0] for c in cursor.description], *cursor.fetchall()]
        base.close()
    with open("sums.csv", "w", newline="") as out:
        csv.writer(out).writerows(lines)


def number(x):
    return draw.choice([x, x, x, f"{x}.5", f"{x / 8}", f"{x}.00000000000000001"])


def declare(kinds):
    """Options of a random question."""
    words, numeric = [], [n for n, k in zip(NAMES, kinds) if k != "text"]
    quote = lambda n: '"' + n.replace('"', '""') + '"'
    for _ in range(draw.randrange(1, 4)):
        low = draw.choice([0, -10, -1, 5])
        high = low + draw.choice([1, 7, 100, 100, 1000, 10**5, 10**8])
        column = quote(draw.choice(numeric))
        kind = draw.choice(["count", "sum", "mean", "variance", "histogram", "quantile", "covariance"])
        edges = ",".join(sorted({str(number(e)) for e in draw.sample(range(-5, 130), draw.randrange(2, 6))}, key=float))
        if edges.count(",") == 0:
            continue
        if kind == "count":
            words += ["--count"]
        elif kind in ("sum", "mean", "variance"):
            words += [f"--{kind}", f"{column}:{low}:{high}"]
        elif kind == "histogram":
            words += ["--histogram", f"{column}:{draw.choice(['-inf,', ''])}{edges}{draw.choice([',inf', ''])}"]
        elif kind == "quantile":
            words += ["--quantile", f"{column}:0.5:{edges}" if draw.random() < 0.5 else f"{column}:0.25:0:20:2"]
        elif len(numeric) > 1:
            a, b = draw.sample(numeric, 2)
            words += ["--covariance", f"{quote(a)}:{low}:{high},{quote(b)}:0:64"]
    if not words:
        words = ["--count"]
    words = [w for i, w in enumerate(words) if not (w == "--count" and "--count" in words[:i])]
    groups = draw.sample([NAMES[1], NAMES[2]] + [n for n, k in zip(NAMES, kinds) if k == "integer"][:1], draw.randrange(0, 3))
    groups = [g for g in groups if not any(quote(g) in w for w in words)]
    if groups:
        words += ["--by", ",".join(quote(g) for g in groups)]
        for g in groups:
            if draw.random() < 0.5:
                words += ["--levels", quote(g) + "=" + ",".join(quote(t) for t in ["a", "it's", "back\\slash", "ä", "64", "0"])]
    for _ in range(draw.randrange(0, 3)):
        n = draw.randrange(len(NAMES))
        if kinds[n] == "text":
            words += ["--where", quote(NAMES[n]) + draw.choice(["=", "!="]) + draw.choice(["a", '"it\'s"', "ä", "back\\slash"])]
        else:
            words += ["--where", quote(NAMES[n]) + draw.choice(["=", "!=", "<", "<=", ">", ">="]) + str(number(draw.choice([0, 18, 64, 5])))]
    if draw.random() < 0.3:
        words += ["--missing", f"value:{number(18)}"]
    if draw.random() < 0.3:
        words += ["--count-left-out"]
    if draw.random() < 0.3:
        words += ["--na", "NA,18,-,a"]
    if engine != "sqlite" and draw.random() < 0.35:
        if "--count" not in words:
            words += ["--count"]
        words += ["--person-id", "id", "--max-rows", draw.randrange(1, 4)] + (["--max-groups", draw.randrange(1, 3)] if groups else [])
    return words


def told_of_persons(given):
    """The counts of a release, by their keys: they have no noise with this epsilon."""
    for left in ("l.db", "l.db.key"):
        if os.path.exists(left):
            os.remove(left)
    answer = dpnoise("release", *given, "--spec", "spec.json", "--secret", "secret", "--dataset", "t", "--ledger", "l.db", "--epsilon", 1000,
                     "--yes-epsilon", "--csv", ok=False)
    if answer.returncode and "accuracy" not in answer.stderr:  # of a plan for so large an epsilon
        raise SystemExit(f"{given}\n{answer.stderr}")
    counts = {}
    for line in csv.DictReader(answer.stdout.splitlines()):
        key = tuple(x for n, x in line.items() if n in NAMES)
        counts[key] = {n: x for n, x in line.items() if n.startswith(("count", "histogram", "left"))}
    return counts


def alike(one, other, most_rows):
    """The same counts. Keys that are not declared are shown above a threshold: the noise decides on those of two persons, and on no others."""
    few = set()
    for line in csv.DictReader(open("sums.csv", newline="")):
        if int(line["dpn_rows"]) <= 2 * most_rows:
            few.add(tuple(x for n, x in line.items() if n in NAMES))
    return all(one.get(key) == other.get(key) for key in one.keys() | other.keys() if key not in few or key in one.keys() & other.keys())


def body(name):
    """What a state counts: without the declaration, the number of all rows given, and the check."""
    state = open(name, "rb").read().split(b"\n", 2)[2]
    return state[248:-32]


dpnoise("tally", "--new-secret", "secret")
pushed = refused = tables = persons = 0
while pushed < how_many:
    if pushed + refused > 30 * how_many + 300:
        raise SystemExit(f"{refused} declarations were not pushed")
    if tables * 12 <= pushed + refused:  # a new table for every dozen
        kinds = ["text", "text", "text"] + [draw.choice(TYPES) for _ in range(4)]
        rows = [[str(draw.randrange(12)) if draw.random() < 0.9 else draw.choice([None, " ", "ö"]), draw.choice(TEXTS), draw.choice(TEXTS),
                 *(value(k) for k in kinds[3:])] for _ in range(draw.randrange(1, 120))]
        make_table(kinds, rows)
        tables += 1
    source = {"postgresql": ["postgresql://", "--table", "t"], "sqlite": ["t.db"], "duckdb": ["t.csv"], "clickhouse": ["t.csv"]}[engine]
    words = declare(kinds)
    if os.path.exists("spec.json"):
        os.remove("spec.json")
    asked = dpnoise("release", *source, *words, "--epsilon", 1, "--delta", "1e-6", "--ledger", "none.db", "--noise", "laplace", "--dry-run", "--save-spec", "spec.json", ok=False)
    if asked.returncode:
        refused += 1
        continue
    secret = ["--secret", "secret"] if "--person-id" in words else []
    types = [w for n, k in zip(NAMES, kinds) if n in open("spec.json").read().replace('\\"', '"').replace("\\\\", "\\") for w in ("--type", f"{n}={k}")]
    made = dpnoise("sql", "--spec", "spec.json", "--dialect", engine, "--table", "t", *SCHEMA, *types, *secret, ok=False)
    while made.returncode and "no column" in made.stderr:
        unused = made.stderr.split("the question has no column '", 1)[1].rstrip("'\n")
        keep = []
        for flag, word in zip(types[::2], types[1::2]):
            if word.rsplit("=", 1)[0] != unused:
                keep += [flag, word]
        types = keep
        made = dpnoise("sql", "--spec", "spec.json", "--dialect", engine, "--table", "t", *SCHEMA, *types, *secret, ok=False)
    if made.returncode:
        refused += 1
        continue
    run_query(made.stdout)
    dpnoise("tally", *source, "--spec", "spec.json", *secret, "-o", "rows.state")
    dpnoise("tally", "sums.csv", "--sums", "--spec", "spec.json", *secret, "-o", "sums.state")
    if secret:
        answers = [told_of_persons(given) for given in (["--states", "rows.state"], ["--sums", "sums.csv"])]
        same = alike(*answers, int(words[words.index("--max-rows") + 1]))
        persons += bool(answers[0])
    else:
        same = body("rows.state") == body("sums.state")
    if not same:
        raise SystemExit(f"the sums differ: {words}\n{made.stdout}\n{open('sums.csv').read()}\n{[answers] if secret else ''}\n{rows}")
    pushed += 1
print(f"{engine}: the same sums" if persons or engine == "sqlite" else f"{engine}: no persons were tried")
if os.environ.get("SHOW"):
    print(f"{pushed} pushed, {refused} not, {tables} tables, {persons} with persons", file=sys.stderr)
