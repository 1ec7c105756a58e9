#!/usr/bin/python3
"""What a release of a large table takes, as ratios within one run: `dpnoise release --sum --by` of 500 MB of comma-separated text beside
`wc -l` of the same file, the whole command; what persons add to it; and the query that is pushed down to DuckDB beside its own clamped sum.

usage: release.py [MEGABYTES [ROWS]]   (500 and 10000000)

The clock says little on a busy machine: beside it stands what processors worked, as if two threads had shared it evenly. Each is the least
of some runs. What cannot be run is skipped with a line.
"""
import ctypes
import glob
import os
import resource
import shutil
import subprocess
import sys
import tempfile
import time

SOURCE = os.path.abspath(os.path.join(os.path.dirname(__file__), ".."))
TOOL = os.path.join(os.environ.get("DPN_BUILD_ROOT", os.path.join(SOURCE, "build")), "dpnoise")
REGIONS = ["north", "south", "east", "west", "abroad"]
RUNS = 5


def cost(words):
    """Seconds of the clock and of processors that a command takes: the least of some runs."""
    best = [float("inf"), float("inf")]
    for _ in range(RUNS):
        used, began = resource.getrusage(resource.RUSAGE_CHILDREN), time.monotonic()
        subprocess.run(words(), check=True, stdout=subprocess.DEVNULL)
        took, after = time.monotonic() - began, resource.getrusage(resource.RUSAGE_CHILDREN)
        work = after.ru_utime + after.ru_stime - used.ru_utime - used.ru_stime
        best = [min(best[0], took), min(best[1], work)]
    return best


def write_rows(path, size):
    """Rows of some 110 bytes until there are so many; returns how many."""
    state, rows, written = 1, 0, 0
    filler = "Married-civ-spouse,Exec-managerial,Not-in-family,White,United-States"
    with open(path, "w", encoding="ascii") as file:
        file.write("id,age,region,weight,status,occupation,relationship,race,country,income\n")
        while written < size:
            block = []
            for _ in range(10000):
                state = (state * 6364136223846793005 + 1442695040888963407) % 2**64
                a, b = state >> 33, state >> 40
                block.append(f"p{a % 1000000:06},{17 + a % 73},{REGIONS[b % 5]},{20000 + b % 900000},{filler},{b % 200000}.{a % 100:02}\n")
            text = "".join(block)
            written += file.write(text)
            rows += len(block)
    return rows


def release_rows(place, megabytes):
    path = f"{place}/people.csv"
    rows = write_rows(path, megabytes * 1000000)
    ledgers = iter(range(1000))

    def release(*more):
        def words():
            return [TOOL, "release", path, "--sum", "income:0:200000", "--by", "region", "--levels", "region=" + ",".join(REGIONS),
                    "--epsilon", "1", "--new-budget", "--ledger", f"{place}/{next(ledgers)}.ledger", *more]
        return words

    counted = cost(lambda: ["wc", "-l", path])
    plain = cost(release())
    persons = cost(release("--person-id", "id", "--max-rows", "2", "--max-groups", "2"))
    print(f"{megabytes} MB of CSV, {rows} rows: wc -l takes {counted[0]:.3f} s")
    print(f"release --sum --by: {100 * counted[0] / plain[0]:.0f}% of its speed by the clock, {100 * counted[1] / (plain[1] / 2):.0f}% by the work of two threads (target 60%)")
    print(f"persons: {1e9 * (persons[1] - plain[1]) / rows:.0f} ns of work a row more; {persons[0] / plain[0]:.1f} times the clock")


class Duck:
    """DuckDB's library, through its C interface."""

    def __init__(self, name):
        self.library = ctypes.CDLL(name)
        self.library.duckdb_result_error.restype = ctypes.c_char_p
        base, self.connection = ctypes.c_void_p(), ctypes.c_void_p()
        if self.library.duckdb_open(None, ctypes.byref(base)) or self.library.duckdb_connect(base, ctypes.byref(self.connection)):
            raise SystemExit("DuckDB does not open")

    def run(self, sql):
        result = ctypes.create_string_buffer(256)
        if self.library.duckdb_query(self.connection, sql.encode(), result):
            raise SystemExit(self.library.duckdb_result_error(result).decode())
        self.library.duckdb_destroy_result(result)

    def work(self, *queries):
        """Seconds of processors that each takes, in turns: the least of some runs."""
        best = [float("inf")] * len(queries)
        for _ in range(RUNS):
            for i, sql in enumerate(queries):
                began = time.process_time()
                self.run(sql)
                best[i] = min(best[i], time.process_time() - began)
        return best


def question(place):
    """The sum of a column as a question that is saved."""
    with open(f"{place}/small.csv", "w", encoding="ascii") as file:
        file.write("x\n1\n")
    spec = f"{place}/question.json"
    subprocess.run([TOOL, "release", f"{place}/small.csv", "--sum", "x:0:100", "--epsilon", "1", "--dry-run", "--save-spec", spec], check=True,
                   stdout=subprocess.DEVNULL)
    return spec


def push_down(place, rows):
    there = [os.environ.get("DPNOISE_DUCKDB", ""), f"{SOURCE}/node_modules/@duckdb/node-bindings-linux-x64/libduckdb.so",
             *glob.glob("/usr/lib/*/libduckdb.so"), "/usr/local/lib/libduckdb.so"]
    library = next((name for name in there if name and os.path.exists(name)), None)
    if not library:
        print("skipped: there is no libduckdb.so; DPNOISE_DUCKDB names one")
        return
    sql = subprocess.run([TOOL, "sql", "--spec", question(place), "--dialect", "duckdb", "--table", "numbers", "--type", "x=real"], check=True,
                         capture_output=True, text=True).stdout
    duck = Duck(library)
    duck.run("SET threads = 1")
    duck.run(f"CREATE TABLE numbers AS SELECT (i * 7919 % 100003) / 997.0::DOUBLE AS x FROM range({rows}) t(i)")
    duck.run(f"COPY numbers TO '{place}/numbers.parquet' (FORMAT parquet)")
    for name, source in [("table", "numbers"), ("Parquet", f"'{place}/numbers.parquet'")]:
        own, exact = duck.work(f"SELECT sum(least(greatest(x, 0), 100)) FROM {source}", sql.replace('"numbers"', source))
        print(f"DuckDB, {name} of {rows} rows: sum(least(greatest())) {1e9 * own / rows:.1f} ns a row; pushed down {1e9 * exact / rows:.1f}, "
              f"ratio {exact / own:.2f} (target 1.5)")


def main():
    megabytes = int(sys.argv[1]) if len(sys.argv) > 1 else 500
    rows = int(sys.argv[2]) if len(sys.argv) > 2 else 10000000
    memory = "/dev/shm" if os.access("/dev/shm", os.W_OK) else None
    place = tempfile.mkdtemp(prefix="dpnoise-bench-", dir=memory)
    try:
        release_rows(place, megabytes)
        push_down(place, rows)
    finally:
        shutil.rmtree(place)


main()
