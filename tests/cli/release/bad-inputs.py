"""Bad inputs of dpnoise release: each is refused with one sentence, the right exit code, and the budget as documented.

Misuse (exit code 2) and files that cannot be opened or have no usable first row (3) leave no ledger behind. Data that turn
out to be bad later (3) keep the one charge, and the sentence says so and nothing of the data: fields of bad rows hold the
word SECRET wherever a word fits, and it must not come back. Prints how many cases there are, and what is wrong.

With DPN_LONG=1 all of them are tried, and fields of 100 MB; else every fourth, and fields of 2 MB.
"""
import gzip
import json
import os
import sqlite3
import subprocess
import sys

GOOD = b"id,region,age,income\n1,north,30,1000\n2,south,40,2000\n3,north,50,3000\n"
LONG = os.environ.get("DPN_LONG") == "1"
HUGE = (100 if LONG else 2) << 20
cases = failures = 0
heard = set()  # the sentences about bad data: one, whatever is bad


def skipped():
    """Count a case; whether it is left out of a quick run."""
    global cases
    cases += 1
    return not LONG and cases % 4 != 0


def say(number, *what):
    global failures
    failures += 1
    print(number, *what)


def run(words, stdin=b""):
    done = subprocess.run(["dpnoise", "release", *words], input=stdin, capture_output=True)
    return done.returncode, done.stdout.decode("utf-8", "replace"), done.stderr.decode("utf-8", "replace")


def clean():
    for name in os.listdir("."):
        if name.startswith("dpnoise-ledger.db") or name.startswith("out"):
            os.unlink(name)


def check(what, said, wanted_code, phrase):
    """One line of one sentence, without control characters, and nothing on standard output."""
    returned, out, err = said
    if returned != wanted_code:
        say(what, f"exit code {returned}, not {wanted_code}: {err.strip()[:160]}")
    if out:
        say(what, f"printed {out[:80]!r}")
    if err.count("\n") != 1 or not err.startswith("dpnoise release: ") or len(err) < 30 or len(err) > 300:
        say(what, f"is not one sentence: {err[:300]!r}")
    if any(ord(c) < 32 for c in err[:-1]) or "SECRET" in err:
        say(what, f"tells too much: {err!r}")
    if phrase and phrase not in err:
        say(what, f"does not say '{phrase}': {err.strip()}")


def misuse(*words, phrase="", code=2, stdin=b"", data="people.csv"):
    """Refused before anything is charged: no ledger, no other file."""
    if skipped():
        return
    clean()
    words = [*([data] if data is not None else []), *words]
    what = " ".join(words)[:100]
    check(what, run(words, stdin), code, phrase)
    left = [name for name in os.listdir(".") if name.startswith(("dpnoise-ledger", "out", ".dpnoise"))]
    if left:
        say(what, f"left {left}")


def charges():
    shown = subprocess.run(["dpnoise", "budget", "show", "--json"], capture_output=True, text=True)
    return sum(budget["charges"] for budget in json.loads(shown.stdout)["budgets"])


def bad_data(what, data, *words, name="bad.csv"):
    """Found bad after the charge, which stands."""
    if skipped():
        return
    clean()
    with open(name, "wb") as file:
        file.write(data)
    said = run([name, "--epsilon", "1", *(words or ["--sum", "income:0:9000"])])
    check(what, said, 3, "its charge stands, and the reason is for the curator of the data alone (dpnoise release --check)")
    heard.add(said[2])
    if len(heard) > 1:
        say(what, f"is told apart from others: {said[2]}")
    if charges() != 1:
        say(what, f"{charges()} charges, not 1")


def left_out(what, data, *words, name="bad.csv"):
    """A row that cannot be used is left out: there is an answer, and nothing in it but noise tells."""
    if skipped():
        return
    clean()
    with open(name, "wb") as file:
        file.write(data)
    returned, out, err = run([name, "--epsilon", "1", *(words or ["--sum", "income:0:9000"])])
    if returned != 0 or err or "SECRET" in out or "guarantee  (1, 0)" not in out:
        say(what, f"exit code {returned}: {out[:200]!r} {err[:200]!r}")
    if charges() != 1:
        say(what, f"{charges()} charges, not 1")


def bad_source(what, data, phrase="", name="bad.csv", words=(), code=3):
    """A file without a first row that can be used: nothing is charged."""
    with open(name, "wb") as file:
        file.write(data)
    misuse("--sum", "income:0:9000", "--epsilon", "1", *words, phrase=phrase, code=code, data=name)


# ---- Options ----

E1 = ["--epsilon", "1"]


def bad_options():
    misuse(data=None, phrase="the data are missing")
    misuse(*E1, "--count", data="", phrase="empty")
    misuse("other.csv", "--count", *E1, phrase="one table")
    misuse(*E1, phrase="what shall be released")
    misuse("--count", phrase="--epsilon is missing")
    for value in ["0", "-1", "nan", "inf", "1e999999999", "0x1", "", "one", "1,5", "1e-400", "1 ", " 1", "1e", "--", "+-1"]:
        misuse("--count", f"--epsilon={value}", phrase="epsilon")
    for value in ["-1", "1", "2", "nan", "inf", "0x1p-9", "", "tiny", "1e999999999", "0,1", "1e-500"]:
        misuse("--count", *E1, f"--delta={value}", phrase="delta")
    for kind in ["sum", "mean", "variance"]:
        for value in ["", "income", "income:", "income:0", "income:0:", "income::1", ":0:1", "income:0:1:2", "income:1:0", "income:1:1",
                      "income:a:1", "income:0:b", "income:nan:1", "income:0:inf", "income:-inf:0", "income:0x0:1", "income:0:1e999999999",
                      "income:0,5:1", '"income:0:1']:
            misuse(f"--{kind}={value}", *E1, phrase={"": f"--{kind}", "income": "lower and upper are missing"}.get(value, ""))
        misuse(f"--{kind}", "wealth:0:1", *E1, phrase="wealth")
        misuse(f"--{kind}", "Income:0:1", *E1, phrase="Income")
        misuse(f"--{kind}", *E1, phrase="needs a value")
    for value in ["", "age", "age:", "age:0", "age:0,0", "age:1,0", "age:0,1,1", "age:0,x", "age:0:1:0", "age:0:1:-2", "age:1:0:4", "age:0:1:1.5",
                  "age:0:1:1e12", "age:inf,0", "age:0,-inf", "age:nan,1", "age:0,,1", "age:0:1:2:3", ":0,1", "age:0:1:"]:
        misuse(f"--histogram={value}", *E1)
    for value in ["", "age", "age:0.5", "age:0.5:0", "age:0:0:1", "age:1:0:1", "age:-0.5:0:1", "age:1.5:0:1", "age:half:0:1", "age:0.5:1:0",
                  "age:0.5:1:1", "age:nan:0:1", "age:0.5:0:inf", "age:0.5:0:1:2:3:4"]:
        misuse(f"--quantile={value}", *E1)
    for value in ["", "age", "age:0:1", "age:0:1,", "age:0:1,income", "age:0:1,income:1:0", "age:0:1,age:0:1", ",", "age:0:1;income:0:1"]:
        misuse(f"--covariance={value}", *E1)
    for value in ["", ",", "region,", ",region", "region,,age", "region,region", "wealth", "Region"]:
        misuse("--count", *E1, f"--by={value}")
    for value in ["", "region", "region=", "=a", "region=a,a", "region=a,,b", "age=1", "region=@", "region=@nothing.txt", "region=@empty.txt",
                  "region=@twice.txt", "region=@zero.bin", '"region=a']:
        missing = value in ("region=@", "region=@nothing.txt")
        misuse("--count", *E1, "--by", "region", f"--levels={value}", code=3 if missing else 2)
    misuse("--count", *E1, "--levels", "region=a", phrase="is not a column of --by")
    misuse("--count", *E1, "--by", "region", "--levels", "region=a", "--levels", "region=b", phrase="twice")
    for value in ["", "age", "age>", ">18", "age=>18", "age>>18", "age>young", "age<0x1", "age>=nan", "wealth>1", "age>1e999999999x"]:
        misuse("--count", *E1, f"--where={value}")
    misuse("--count", *E1, "--person-id", "", phrase="--person-id")
    misuse("--count", *E1, "--person-id", "nobody", phrase="nobody")
    for option in ["--max-rows", "--max-groups"]:
        misuse("--count", *E1, option, "2", phrase="--person-id")
        for value in ["0", "-1", "1.5", "many", "1e30", ""]:
            misuse("--count", *E1, "--person-id", "id", f"{option}={value}", phrase=option)
    misuse("--count", *E1, "--relation", "swap", phrase="--relation")
    misuse("--count", *E1, "--missing", "ignore", phrase="--missing")
    misuse("--count", *E1, "--noise", "gausian", phrase="did you mean gaussian")
    misuse("--count", *E1, "--noise", "", phrase="--noise")
    misuse("--count", *E1, "--noise", "gaussian", phrase="")
    misuse("--sum", "income:0:1", *E1, "--noise", "gaussian")
    for value in ["0", "-1", "65", "two", ""]:
        misuse("--count", *E1, f"--threads={value}", phrase="--threads")
    for pair in [("--dry-run", "--check"), ("--csv", "--json"), ("--check", "--report=out.html"), ("--dry-run", "--csv"), ("--check", "--fresh")]:
        if "--json" not in pair:
            misuse("--count", *E1, *pair, phrase="exclude")
    for option in ["--count", "--by=region", "--epsilon=1", "--delta=0", "--spec=a", "--csv", "--check", "--dataset=a", "--relation=replace"]:
        misuse("--count", *E1, option, option, phrase="twice")
    for option in ["--counts", "--epsilom", "--group-by", "-x", "--sum-of"]:
        misuse("--count", *E1, f"{option}=1", phrase="unknown option")
    misuse("--count=1", *E1, phrase="takes no value")
    for value in ["", "x" * 101, "a\nb", "a\x1b[2J"]:
        misuse("--count", *E1, f"--dataset={value}")
        misuse("--count", *E1, f"--user={value}")
    misuse("--count", *E1, f"--note={'n' * 1001}", phrase="--note")
    misuse("--count", *E1, "--note=two\nlines", phrase="--note")
    misuse("--count", *E1, "--ledger=", phrase="--ledger")
    misuse("--count", *E1, "--ledger-key=", phrase="--ledger-key")
    misuse("--count", *E1, "--wait=0", phrase="--wait")
    misuse("--count", *E1, "--report=/nowhere/out.html", phrase="--report", code=3)
    misuse("--count", *E1, "--save-spec=/nowhere/out.json", phrase="--save-spec", code=3)
    misuse("--count", *E1, "--ledger=/nowhere/l.db", code=3)
    misuse("--count", *E1, "--ledger=people.csv", code=3)
    misuse("--count", *E1, data="-", stdin=GOOD, phrase="--dataset")
    misuse("--count", *E1, data="nothing.csv", code=3)
    misuse("--count", *E1, data=".", code=3)
    misuse("--count", *E1, "--table", "people", phrase="")


def bad_specifications():
    misuse("--spec", "nothing.json", phrase="--spec", code=3)
    misuse("--spec", ".", phrase="--spec", code=3)
    count = '{"statistics": [{"kind": "count"}], "epsilon": "1"'
    texts = ["", "{", "[]", "null", '"count"', "{}", '{"epsilon": "1"}', '{"statistics": []}', '{"statistics": {}, "epsilon": "1"}',
             '{"statistics": [1], "epsilon": "1"}', '{"statistics": [{}], "epsilon": "1"}', '{"statistics": [{"kind": "median"}], "epsilon": "1"}',
             '{"statistics": [{"kind": "sum"}], "epsilon": "1"}', '{"statistics": [{"kind": "sum", "column": "income"}], "epsilon": "1"}',
             '{"statistics": [{"kind": "sum", "column": "income", "lower": "1", "upper": "0"}], "epsilon": "1"}',
             '{"statistics": [{"kind": "sum", "column": "", "lower": "0", "upper": "1"}], "epsilon": "1"}',
             '{"statistics": [{"kind": "count", "colour": "red"}], "epsilon": "1"}',
             count + "", count + "}}", count + ', "epsilon": "2"}', count + ', "by": "region"}', count + ', "by": [{"levels": ["a"]}]}',
             count + ', "by": [{"column": "region", "levels": []}]}', count + ', "by": [{"column": "region", "levels": ["a", "a"]}]}',
             count + ', "where": [{"column": "age", "is": "~", "value": "1"}]}', count + ', "where": [{"column": "age", "is": ">", "value": "x"}]}',
             count + ', "delta": "1"}', count + ', "delta": "-1"}', count + ', "relation": "swap"}', count + ', "missing": "maybe"}',
             count + ', "max_rows": "0"}', count + ', "max_groups": "-1"}', count + ', "nonnegative": "yes"}', count + ', "person": ""}',
             count + ', "surprise": 1}', count + ', "epsilon": }', count + "}\n{}", "\x00", "\ufeff" + count + "}", "[" * 100000]
    for text in texts:
        with open("spec.json", "w") as file:
            file.write(text)
        misuse("--spec", "spec.json", code=2)
    with open("spec.json", "w", encoding="utf-16") as file:
        file.write(count + "}")
    misuse("--spec", "spec.json")


# ---- Data ----

def bad_sources():
    bad_source("empty", b"")
    bad_source("only a line end", b"\n")
    bad_source("UTF-16", "id,income\n1,2\n".encode("utf-16"))
    bad_source("UTF-16 without mark", "id,income\n1,2\n".encode("utf-16-le"))
    bad_source("NUL in the first row", b"id,inc\0ome\n1,2\n")
    bad_source("column twice", b"income,income\n1,2\n")
    bad_source("column without a name", b"income,\n1,2\n")
    bad_source("open quote", b'"income\n1\n')
    bad_source("text after a quote", b'"income"x\n1\n')
    bad_source("no such column", b"id,wages\n1,2\n", code=2, phrase="income")
    bad_source("a damaged gzip", gzip.compress(GOOD)[:15], name="bad.csv.gz")
    bad_source("a gzip of nothing", gzip.compress(b""), name="bad.csv.gz")
    bad_source("a broken database", b"SQLite format 3\0" + b"x" * 100, name="bad.db")
    bad_source("a first row that is too long", b"x" * HUGE)
    for name in ["two.db", "none.db"]:
        if os.path.exists(name):
            os.unlink(name)
        with sqlite3.connect(name) as database:
            for table in ["a", "b"] if name == "two.db" else []:
                database.execute(f"CREATE TABLE {table} (income)")
    misuse("--sum", "income:0:1", *E1, data="two.db", phrase="one must be named")
    misuse("--sum", "income:0:1", *E1, "--table", "c", data="two.db")
    misuse("--sum", "income:0:1", *E1, data="none.db", code=3)
    server = {"data": "postgresql://127.0.0.1:1/none"}
    misuse("--sum", "income:0:1", *E1, "--table", "a", **server, phrase="--ledger is missing")
    misuse("--sum", "income:0:1", *E1, "--table", "a", "--ledger", "out.db", **server, code=3)


def bad_rows():
    head = b"id,income\n1,100\n"
    numbers = ["", "SECRET", "0x10", "0x1p3", "inf", "-inf", "nan", "NaN", "Infinity", "1 000", "1_000", "1.000,5", "$1", "1e", "e1", ".", "-",
               "+", "--1", "1-", "1e+", "1e1.5", "\u0661", "1\u00a0", "1\t2", "true", "NULL", "1/2", "10%", "\u2212" + "5", "1e5e5", "0b1", "1d3", "1f"]
    for text in numbers:
        left_out(f"the number {text!r}", head + f'2,"{text}"\n'.encode())
    left_out("a locale's comma", head + b'2,"1,5"\n')
    left_out("a locale's comma, unquoted", head + b"2,1,5\n")
    left_out("a short row", head + b"2\n")
    left_out("a long row", head + b"2,3,SECRET\n")
    left_out("an empty row", head + b"\n2,3\n")
    left_out("an open quote", head + b'2,"SECRET\n')
    left_out("a quote within", head + b'2,SEC"RET\n')
    left_out("text after a quote", head + b'2,"3"SECRET\n')
    left_out("a NUL", head + b"2,3\0SECRET\n")
    left_out("a NUL in another column", head + b"SEC\0RET,3\n")
    left_out("UTF-16 later", head + "2,3\n".encode("utf-16-le"))
    left_out("a field that is too long", head + b"2," + b"7" * HUGE + b"\n")
    bad_data("a damaged gzip", gzip.compress(head * 20000)[:-200], name="bad.csv.gz")
    left_out("a quantile of words", head + b"2,SECRET\n", "--quantile", "income:0.5:0:1")
    left_out("a histogram of words", head + b"2,SECRET\n", "--histogram", "income:0,1")
    left_out("a covariance of words", b"id,income\nSECRET,1\n", "--covariance", "id:0:1,income:0:1")
    left_out("a mean of an empty field", head + b"2,\n", "--mean", "income:0:1")
    left_out("no person", b"id,income\n,100\n", "--count", "--person-id", "id")
    if os.path.exists("bad.db"):
        os.unlink("bad.db")
    with sqlite3.connect("words.db") as database:
        database.execute("CREATE TABLE t (income)")
        database.execute("INSERT INTO t VALUES ('SECRET')")
    with open("words.db", "rb") as file:
        left_out("words in a database", file.read(), name="bad.db")
    with sqlite3.connect("null.db") as database:
        database.execute("CREATE TABLE t (income)")
        database.execute("INSERT INTO t VALUES (NULL)")
    with open("null.db", "rb") as file:
        left_out("NULL in a database", file.read(), name="bad.db")


def main():
    for name, data in [("people.csv", GOOD), ("other.csv", GOOD), ("empty.txt", b"\n\n"), ("twice.txt", b"a\na\n"), ("zero.bin", b"a\0b\n")]:
        with open(name, "wb") as file:
            file.write(data)
    bad_options()
    bad_specifications()
    bad_sources()
    bad_rows()
    print("at least 300 cases" if cases >= 300 else f"{cases} cases")
    return failures > 0


if __name__ == "__main__":
    sys.exit(main())
