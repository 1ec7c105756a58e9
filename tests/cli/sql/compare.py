"""Random declarations on random tables: the sums that an engine makes are those of dpnoise tally, or the engine is not asked.

usage: compare.py ENGINE HOW_MANY SEED

Without persons the sums are compared as they are. Rows of persons are chosen when a state is answered: there the answers of both ways are compared, with
an epsilon so large that counts have no noise, and other numbers as far as their noise allows.
"""
import csv
import json
import os
import random
import subprocess
import sys

sys.dont_write_bytecode = True
from engines import ENGINES
from two_servers import ClickHouseServers
from questions import Maker, columns_of

name, how_many, seed = sys.argv[1], int(sys.argv[2]), int(sys.argv[3])
engine = {**ENGINES, "clickhouse-servers": ClickHouseServers}[name]()
maker = Maker(random.Random(f"{name} {seed}"), engine)


def dpnoise(*words, ok=True):
    done = subprocess.run(["dpnoise", *map(str, words)], capture_output=True, text=True)
    if ok and done.returncode:
        raise SystemExit(f"{words}\n{done.stderr}")
    return done


def remove(*files):
    for file in files:
        if os.path.exists(file):
            os.remove(file)


def make_query(table, spec, secret):
    used = columns_of(spec)
    types = [word for c in table.columns if c.name in used for word in ("--type", f"{c.name}={c.kind}")]
    return dpnoise("sql", "--spec", "spec.json", "--dialect", engine.name_of, *engine.table, *types, *secret, ok=False)


def told(given, spec, groups, delta):
    """The numbers of a release, by their keys. A count would have noise once in e^40 times."""
    remove("l.db", "l.db.key")
    plenty = 10**4 if delta else 10**6 if any(s["kind"] == "quantile" for s in spec["statistics"]) else 10**12
    answer = dpnoise("release", *given, "--spec", "spec.json", "--secret", "secret", "--dataset", "t", "--ledger", "l.db", "--epsilon", plenty, "--delta", delta,
                     "--noise", "laplace", "--yes-epsilon", "--csv", ok=False)
    if answer.returncode and "accuracy" not in answer.stderr:  # of a plan for so large an epsilon
        raise SystemExit(f"{given}\n{answer.stderr}")
    lines = list(csv.reader(answer.stdout.splitlines(keepends=True)))
    return {tuple(line[:groups]): dict(zip(lines[0][groups:], line[groups:])) for line in lines[1:]}


def near(one, other):
    """Counts are the same, and other numbers no further apart than twenty of their intervals, which noise is once in e^60 times, and the last of
    four digits."""
    for what in one:
        if what.startswith(("count", "histogram", "left")) and one[what] != other[what]:
            return False
        ends = [(x.get(what + "_low95"), x.get(what + "_high95")) for x in (one, other)]
        if all(low and high for low, high in ends) and one[what] and other[what]:
            width = max(float(high) - float(low) for low, high in ends)
            if abs(float(one[what]) - float(other[what])) > 20 * width + 1e-4 * abs(float(one[what])):
                return False
    return True


def alike(one, other, groups, most_rows):
    """The same answers. Keys that are not declared are shown above a threshold: the noise decides on those of two persons, and on no others."""
    with open("sums.csv", newline="") as file:
        lines = list(csv.reader(file))
    few = {tuple(line[:groups]) for line in lines[1:] if int(line[groups]) <= 2 * most_rows}
    for key in one.keys() | other.keys():
        if key in one and key in other:
            if not near(one[key], other[key]):
                return False
        elif key not in few:
            return False
    return True


def body(file):
    """What a state counts: without the declaration, the number of all rows given, and the check."""
    with open(file, "rb") as state:
        return state.read().split(b"\n", 2)[2][248:-32]


def compare(table, spec, sql, secret):
    engine.run(sql)
    dpnoise("tally", *engine.source, "--spec", "spec.json", *secret, "-o", "rows.state")
    dpnoise("tally", "sums.csv", "--sums", "--spec", "spec.json", *secret, "-o", "sums.state")
    answers = None
    if secret:
        groups = len(spec.get("by", []))
        delta = 1e-6 if any("levels" not in by for by in spec.get("by", [])) else 0
        answers = [told(given, spec, groups, delta) for given in (["--states", "rows.state"], ["--sums", "sums.csv"])]
        same = alike(*answers, groups, int(spec["max_rows"]))
    else:
        same = body("rows.state") == body("sums.state")
    if not same:
        with open("sums.csv") as file:
            raise SystemExit(f"the sums differ: {spec}\n{sql}\n{file.read()}\n{answers}\n{table}")
    return bool(answers and answers[0])


def main():
    dpnoise("tally", "--new-secret", "secret")
    pushed = refused = tables = persons = 0
    reasons = {}
    while pushed < how_many:
        if pushed + refused > 30 * how_many + 300:
            raise SystemExit(f"{refused} declarations were not pushed")
        if tables * 12 <= pushed + refused:  # a new table for every dozen
            table = maker.table()
            engine.make(table)
            tables += 1
        spec = maker.question(table)
        with open("spec.json", "w") as out:
            json.dump(spec, out, ensure_ascii=False)
        secret = ["--secret", "secret"] if "person" in spec else []
        made = make_query(table, spec, secret)
        if made.returncode:
            refused += 1
            reasons[made.stderr] = reasons.get(made.stderr, 0) + 1
            continue
        persons += compare(table, spec, made.stdout, secret)
        pushed += 1
    print(f"{name}: the same sums" if persons or not engine.persons else f"{name}: no persons were tried")
    if os.environ.get("SHOW"):
        print(f"{pushed} pushed, {refused} not, {tables} tables, {persons} with persons", file=sys.stderr)
        for why, times in sorted(reasons.items(), key=lambda x: -x[1])[:40]:
            print(times, why.strip(), file=sys.stderr)


code = 0
try:
    main()
except SystemExit as problem:
    print(problem, file=sys.stderr)
    code = 1
engine.close()
sys.stdout.flush()
sys.stderr.flush()
os._exit(code)  # at an ordinary end the threads of chDB may wait for each other
