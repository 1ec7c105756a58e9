"""Engines that compare.py asks: how each makes a table, and the sums of a query.

Both ways see the same texts: PostgreSQL and SQLite are read by dpnoise itself, the tables of DuckDB and ClickHouse are written to a file with
the shortest texts that Python prints. Of single precision those are the engine's own: it may write a whole number with more digits than it needs.
"""
import csv
import ctypes
import math
import os
import sqlite3
import struct
import subprocess

# Types of each kind, with the least and the largest whole number, or the places, that they hold.
SMALL = {8: (-(2**7), 2**7 - 1), 16: (-(2**15), 2**15 - 1), 32: (-(2**31), 2**31 - 1), 64: (-(2**63), 2**63 - 1)}


def single(x):
    return struct.unpack("f", struct.pack("f", x))[0]


def shell(words, **more):
    done = subprocess.run(words, capture_output=True, text=True, **more)
    if done.returncode:
        raise SystemExit(f"{words} {more}\n{done.stderr}")
    return done.stdout


class Engine:
    """What engines share."""

    name_of = None
    source = ["t.csv", "--multiline"]
    table = ["--table", "t"]
    quote = '"'
    persons = True
    without = ()  # names of columns that it does not take

    def name(self, name):
        return self.quote + name.replace(self.quote, 2 * self.quote) + self.quote

    def text(self, x):
        return "'" + x.replace("'", "''") + "'"

    def literal(self, x, kind, sql_type):
        if x is None:
            return "NULL"
        if kind == "text":
            return self.text(x)
        if kind == "integer":
            return str(x) if x != -(2**63) else "(-9223372036854775807 - 1)"
        return f"CAST('{x}' AS {sql_type})"

    def columns(self, table):
        return ", ".join(f"{self.name(c.name)} {c.type}" for c in table.columns)

    def values(self, table):
        return ", ".join("(" + ", ".join(self.literal(x, c.kind, c.type.split(" ")[0]) for x, c in zip(row, table.columns)) + ")" for row in table.rows)

    def close(self):
        """What the engine started ends."""

    def write_rows(self, table):
        singles = sorted({x for row in table.rows for x, c in zip(row, table.columns) if c.kind == "single" and x is not None and abs(x) < math.inf})
        texts = dict(zip(singles, self.single_texts(singles) if singles else []))
        assert all(single(float(text)) == x for x, text in texts.items())
        with open("t.csv", "w", newline="") as out:
            write = csv.writer(out)
            write.writerow(c.name for c in table.columns)
            for row in table.rows:
                write.writerow("" if x is None else texts[x] if c.kind == "single" and x in texts else repr(x) if isinstance(x, float) else x
                               for x, c in zip(row, table.columns))

    @staticmethod
    def write_sums(lines):
        with open("sums.csv", "w", newline="") as out:
            csv.writer(out).writerows(lines)


class PostgreSQL(Engine):
    """A server that psql finds. One collation takes letters of both cases for the same: keys and words are compared byte by byte all the same."""

    name_of = "postgresql"
    source = ["postgresql://", "--table", "t"]
    table = ["--table", "t", "--schema", "public"]
    types = {"integer": [("bigint", SMALL[64]), ("integer", SMALL[32]), ("smallint", SMALL[16])], "real": [("float8", None)], "single": [("float4", None)],
             "decimal": [("numeric", None), ("numeric(20,6)", 6)], "text": [("text COLLATE nobody_cares", None), ("text", None), ("varchar(99)", None)]}

    def __init__(self):
        self.psql("CREATE COLLATION nobody_cares (provider = icu, locale = 'und-u-ks-level2', deterministic = false)")

    def psql(self, sql, *options):
        return shell(["psql", "-X", "-q", "-v", "ON_ERROR_STOP=1", *options], input=sql)

    def text(self, x):
        return "E" + super().text(x).replace("\\", "\\\\")

    def make(self, table):
        self.psql(f"DROP TABLE IF EXISTS t; CREATE TABLE t ({self.columns(table)}); INSERT INTO t VALUES {self.values(table)};")

    def run(self, sql):
        with open("sums.csv", "w", newline="") as out:
            out.write(self.psql("SET extra_float_digits = 1;\n" + sql + ";\n", "--csv"))


class SQLite(Engine):
    """Python's own."""

    name_of = "sqlite"
    source = ["t.db"]
    persons = False
    types = {"integer": [("INTEGER", SMALL[64]), ("", SMALL[64])], "real": [("REAL", None), ("", None)],
             "text": [("TEXT COLLATE NOCASE", None), ("TEXT COLLATE RTRIM", None), ("", None)]}

    def make(self, table):
        if os.path.exists("t.db"):
            os.remove("t.db")
        with sqlite3.connect("t.db") as base:
            base.execute(f"CREATE TABLE t ({self.columns(table)})")
            base.executemany(f"INSERT INTO t VALUES ({', '.join('?' * len(table.columns))})", table.rows)
        base.close()

    def run(self, sql):
        base = sqlite3.connect("t.db")
        cursor = base.execute(sql)
        self.write_sums([[c[0] for c in cursor.description], *cursor.fetchall()])
        base.close()


class DuckDB(Engine):
    """The library of DuckDB, through its C interface."""

    name_of = "duckdb"
    types = {"integer": [("BIGINT", SMALL[64]), ("INTEGER", SMALL[32]), ("SMALLINT", SMALL[16]), ("TINYINT", SMALL[8]), ("UINTEGER", (0, 2**32 - 1))],
             "real": [("DOUBLE", None)], "single": [("FLOAT", None)], "text": [("VARCHAR COLLATE NOCASE", None), ("VARCHAR COLLATE NOACCENT", None), ("VARCHAR", None)]}

    def __init__(self):
        self.library = ctypes.CDLL(os.environ["DPNOISE_DUCKDB"])
        self.library.duckdb_value_varchar.restype = ctypes.c_void_p
        self.library.duckdb_value_varchar.argtypes = [ctypes.c_void_p, ctypes.c_uint64, ctypes.c_uint64]
        self.library.duckdb_free.argtypes = [ctypes.c_void_p]
        self.library.duckdb_column_name.restype = ctypes.c_char_p
        self.library.duckdb_result_error.restype = ctypes.c_char_p
        for name in ["duckdb_row_count", "duckdb_column_count"]:
            getattr(self.library, name).restype = ctypes.c_uint64
        self.base, self.connection = ctypes.c_void_p(), ctypes.c_void_p()
        assert self.library.duckdb_open(None, ctypes.byref(self.base)) == 0
        assert self.library.duckdb_connect(self.base, ctypes.byref(self.connection)) == 0

    def cell(self, result, column, row):
        text = self.library.duckdb_value_varchar(result, column, row)
        value = ctypes.string_at(text).decode()
        self.library.duckdb_free(text)
        return value

    def ask(self, sql):
        result = ctypes.create_string_buffer(256)
        if self.library.duckdb_query(self.connection, sql.encode(), result):
            raise SystemExit(f"{sql}\n{self.library.duckdb_result_error(result)}")
        rows, columns = self.library.duckdb_row_count(result), self.library.duckdb_column_count(result)
        names = [self.library.duckdb_column_name(result, ctypes.c_uint64(c)).decode() for c in range(columns)]
        texts = [[self.cell(result, c, r) for c in range(columns)] for r in range(rows)]
        self.library.duckdb_destroy_result(result)
        return [names, *texts]

    def single_texts(self, numbers):
        return self.ask("SELECT " + ", ".join(f"CAST(CAST('{x!r}' AS FLOAT) AS VARCHAR)" for x in numbers))[1]

    def make(self, table):
        self.ask("DROP TABLE IF EXISTS t")
        self.ask(f"CREATE TABLE t ({self.columns(table)})")
        self.ask(f"INSERT INTO t VALUES {self.values(table)}")
        self.write_rows(table)

    def run(self, sql):
        self.write_sums(self.ask(sql))


class ClickHouse(Engine):
    """The library of ClickHouse, chDB, through its C interface."""

    name_of = "clickhouse"
    quote = "`"
    types = {"integer": [("Nullable(Int64)", SMALL[64]), ("Nullable(Int32)", SMALL[32]), ("Nullable(Int8)", SMALL[8]), ("Nullable(UInt32)", (0, 2**32 - 1)),
                         ("Int64", SMALL[64])], "real": [("Nullable(Float64)", None), ("Float64", None)],
             "single": [("Nullable(Float32)", None)], "text": [("Nullable(String)", None), ("String", None), ("LowCardinality(Nullable(String))", None)]}

    def __init__(self):
        self.library = ctypes.CDLL(os.environ["DPNOISE_CHDB"])
        for function, result, given in [("chdb_connect", ctypes.POINTER(ctypes.c_void_p), [ctypes.c_int, ctypes.c_void_p]),
                                        ("chdb_query", ctypes.c_void_p, [ctypes.c_void_p, ctypes.c_char_p, ctypes.c_char_p]),
                                        ("chdb_result_error", ctypes.c_char_p, [ctypes.c_void_p]), ("chdb_result_buffer", ctypes.c_void_p, [ctypes.c_void_p]),
                                        ("chdb_result_length", ctypes.c_size_t, [ctypes.c_void_p]), ("chdb_destroy_query_result", None, [ctypes.c_void_p])]:
            getattr(self.library, function).restype, getattr(self.library, function).argtypes = result, given
        self.connection = self.library.chdb_connect(1, (ctypes.c_char_p * 1)(b"clickhouse"))[0]

    def name(self, name):
        return "`" + name.replace("\\", "\\\\").replace("`", "\\`") + "`"

    def text(self, x):
        return super().text(x.replace("\\", "\\\\"))

    def literal(self, x, kind, sql_type):
        if x is not None and kind in ("real", "single"):  # whose reading of texts makes 0 of the least number
            return f"toFloat64({x!r})" if kind == "real" else f"toFloat32({x!r})"
        return super().literal(x, kind, sql_type)

    def ask(self, sql):
        result = self.library.chdb_query(self.connection, sql.encode(), b"CSVWithNames")
        error, length = self.library.chdb_result_error(result), self.library.chdb_result_length(result)
        if error:
            raise SystemExit(f"{sql}\n{error.decode()}")
        text = ctypes.string_at(self.library.chdb_result_buffer(result), length).decode() if length else ""
        self.library.chdb_destroy_query_result(result)
        return text

    def single_texts(self, numbers):
        return next(csv.reader(self.ask("SELECT " + ", ".join(f"toString(toFloat32({x!r})) AS c{i}" for i, x in enumerate(numbers))).splitlines()[1:]))

    def make(self, table):
        self.ask("DROP TABLE IF EXISTS t")
        self.ask(f"CREATE TABLE t ({self.columns(table)}) ENGINE = Memory")
        self.ask(f"INSERT INTO t VALUES {self.values(table)}")
        self.write_rows(table)

    def run(self, sql):
        with open("sums.csv", "w", newline="") as out:
            out.write(self.ask(sql))


ENGINES = {engine.name_of: engine for engine in (PostgreSQL, SQLite, DuckDB, ClickHouse)}
