import sqlite3

import numpy as np
import pytest

import dpnoise

ROWS = {"region": ["north", "south", "south", None] * 250, "income": list(range(1000)), "age": [20.5, None, 40, 61] * 250}


def test_budgets(ledger):
    ledger.init("people", epsilon=1, delta="1e-6")
    head = ledger.charge("people", epsilon="0.1", note="first")
    for _ in range(8):
        ledger.charge("people", epsilon="0.1")
    assert ledger["people"].left_pure == "0.1" and ledger["people"].charges == 9
    with pytest.raises(dpnoise.BudgetError, match="0.11 asked, 0.1 left"):
        ledger.charge("people", epsilon="0.11")
    assert ledger["people"].left_pure == "0.1" and "people" in ledger and "others" not in ledger
    with pytest.raises(KeyError):
        ledger["others"]
    assert [entry.kind for entry in ledger.history()][:3] == ["ledger", "budget", "charge"]
    assert next(entry for entry in ledger.history() if entry.kind == "charge").note == "first"
    assert ledger.verify(head).startswith("11:")
    ledger.renew("people", "a new year")
    assert ledger["people"].periods == 2 and [account.name for account in ledger] == ["people"]


def test_charges_of_plans_and_runs(ledger):
    ledger.init("people", epsilon=3, delta="1e-5")
    ledger.charge("people", plan=dpnoise.calibrate("gaussian", 0.1, 1e-7))
    run = dpnoise.Accountant()
    run.step(2.0, 0.001, 100)
    ledger.charge("people", training=run)
    assert ledger["people"].charges == 2 and 0 < ledger["people"].spent_epsilon < 3


def test_a_closed_ledger_is_told(ledger):
    ledger.close()
    with pytest.raises(dpnoise.DomainError, match="closed"):
        ledger["people"]


def asked(**more):
    return dict(count=True, mean=("income", 0, 1000), by="region", levels={"region": ["north", "south"]}, **more)


@pytest.mark.parametrize("frame", ["dict", "pandas", "arrays"])
def test_columns_in_memory(ledger, frame):
    data = ROWS
    if frame == "pandas":
        pandas = pytest.importorskip("pandas")
        data = pandas.DataFrame(ROWS)
        data["region"] = data["region"].astype("category")
    if frame == "arrays":
        data = {"region": np.array(ROWS["region"], dtype=object), "income": np.arange(2000.0)[::2] / 2}
    ledger.init("people", epsilon=100)
    answer = dpnoise.release(data, name="people", ledger=ledger, **asked(epsilon=50, yes_epsilon=True))
    # At epsilon 50 the noise on a count is far below 1, and the means are exact to a hundredth.
    assert round(answer["north", "count"].value) == 250 and round(answer["south", "count"].value) == 500
    north = [income for region, income in zip(ROWS["region"], ROWS["income"]) if region == "north"]
    assert answer["north", "mean(income)"].value == pytest.approx(np.mean(north), abs=3)
    assert answer.groups == [("north",), ("south",)] and answer["north", "count"].kind == "exact"
    again = dpnoise.release(data, name="people", ledger=ledger, **asked(epsilon=50, yes_epsilon=True))
    assert again["south", "count"] == answer["south", "count"] and again.stored and ledger["people"].charges == 1
    assert "north" in str(answer)


def test_files_and_the_shell_share_a_ledger(ledger, tmp_path, shell):
    table = tmp_path / "people.csv"
    table.write_text("region,income\n" + "".join(f"{r or ''},{i}\n" for r, i in zip(ROWS["region"], ROWS["income"])))
    ledger.init("people", epsilon=100)
    answer = dpnoise.release(table, ledger=ledger, **asked(epsilon=50, yes_epsilon=True))
    told = shell("release", table, "--count", "--mean", "income:0:1000", "--by", "region", "--levels",
                 "region=north,south", "--epsilon", 50, "--ledger", ledger.path, "--yes-epsilon")
    for row in told["rows"]:
        cell = answer[row["group"]["region"], row["statistic"]]
        # The shell rounds to the digits that are worth printing.
        assert cell.value == pytest.approx(row["value"], abs=0.06 * (cell.high - cell.low))
        assert cell.kind == row["interval"]
    assert ledger["people"].charges == 1
    told = shell("release", table, "--count", "--epsilon", 20, "--ledger", ledger.path, "--yes-epsilon", "--dry-run")
    asked_here = dpnoise.release(table, ledger=ledger, count=True, epsilon=20, yes_epsilon=True, dry_run=True)
    assert told["declaration"] == asked_here["question"]
    link = tmp_path / "other.csv"
    link.symlink_to(table)
    ledger.init("other", epsilon=100)
    with pytest.raises(dpnoise.DomainError, match="people"):
        dpnoise.release(link, ledger=ledger, **asked(epsilon=1))
    assert ledger["other"].charges == 0


def test_databases(ledger, tmp_path):
    with sqlite3.connect(tmp_path / "data.sqlite") as database:
        database.execute("create table visits (age real, ward text)")
        database.executemany("insert into visits values (?, ?)", [(age, "a") for age in range(100)])
    database.close()
    ledger.init("visits", epsilon=100)
    answer = dpnoise.release(tmp_path / "data.sqlite", ledger=ledger, name="visits", count=True, mean="age:0:100", epsilon=60, yes_epsilon=True)
    assert round(answer["count"].value) == 100 and answer["mean(age)"].value == pytest.approx(49.5, abs=1)


def test_addresses_of_sqlalchemy(ledger, tmp_path, monkeypatch):
    from dpnoise._source import address

    with sqlite3.connect(tmp_path / "data.sqlite") as database:
        database.execute("create table visits (age real)")
        database.executemany("insert into visits values (?)", [(age,) for age in range(100)])
    database.close()
    ledger.init("visits", epsilon=1000)
    monkeypatch.chdir(tmp_path)
    for there in (f"sqlite:///{tmp_path}/data.sqlite", "sqlite:///data.sqlite"):
        answer = dpnoise.release(there, ledger=ledger, name="visits", count=True, epsilon=60, yes_epsilon=True)
        assert round(answer["count"].value) == 100
    assert ledger["visits"].charges == 1  # the same place, however it is spelled
    assert address("postgresql+psycopg2://host/d") == "postgresql://host/d" and address("people.csv") == "people.csv"


def test_nothing_is_spent_by_refusals(ledger):
    ledger.init("people", epsilon=1)
    said = dict(name="people", ledger=ledger, epsilon="0.5")
    with pytest.raises(KeyError, match="no column 'wages'"):
        dpnoise.release(ROWS, mean="wages:0:1", **said)
    with pytest.raises(dpnoise.ParseError):
        dpnoise.release(ROWS, mean="income:0", **said)
    with pytest.raises(dpnoise.BudgetError):
        dpnoise.release(ROWS, count=True, name="people", ledger=ledger, epsilon=2)
    with pytest.raises(ValueError, match="need a name"):
        dpnoise.release(ROWS, count=True, ledger=ledger, epsilon=1)
    with pytest.raises(dpnoise.DomainError):
        dpnoise.release(ROWS, count=True, name="strangers", ledger=ledger, epsilon="0.5")
    assert ledger["people"].charges == 0
    preview = dpnoise.release(ROWS, count=True, dry_run=True, **said)
    assert preview["fits"] and preview["spent_after"] == 0.5 and ledger["people"].charges == 0


def test_failures_after_the_charge_say_nothing(ledger, monkeypatch):
    from dpnoise import _source

    def broken(self, tally):
        raise ValueError("row 17: income 51300")

    monkeypatch.setattr(_source.Frame, "feed", broken)
    ledger.init("people", epsilon=1)
    with pytest.raises(dpnoise.FileError) as refused:
        dpnoise.release(ROWS, count=True, name="people", ledger=ledger, epsilon="0.5")
    assert "51300" not in str(refused.value) and refused.value.__cause__ is None and ledger["people"].charges == 1


def test_columns_of_all_kinds(ledger):
    """Each kind of column is compared with its levels as one would type them, and what is missing is missing."""
    pandas = pytest.importorskip("pandas")
    kinds = {
        "bool": (np.array([True, False, True]), [True, False], [2, 1]),
        "float": (np.array([1.0, 2.5, 1.0]), [1.0, 2.5], [2, 1]),
        "object": (np.array([1.0, 2, "x"], dtype=object), [1, 2, "x"], [1, 1, 1]),
        "bytes": (np.array([b"n", b"s", b"n"]), ["n", "s"], [2, 1]),
        "date": (np.array(["2020-01-01", "2020-01-02", "2020-01-01"], dtype="M8[D]"), ["2020-01-01", "2020-01-02"], [2, 1]),
        "nullable": (pandas.array([True, None, True], dtype="boolean"), [True, False], [2, 0]),
        "string": (pandas.array(["n", None, "n"], dtype="string"), ["n", "s"], [2, 0]),
    }
    ledger.init("p", epsilon=100000)
    for name, (column, levels, counts) in kinds.items():
        data = {"k": pandas.Series(column) if name in ("nullable", "string") else column}
        answer = dpnoise.release(data, name="p", ledger=ledger, count=True, by="k", levels={"k": levels}, epsilon=100,
                                 yes_epsilon=True, fresh=True)
        assert [round(answer[group + ("count",)].value) for group in answer] == counts, name
    numbers = {
        "masked": np.ma.masked_array([1.0, 50.0, 2.0], mask=[False, True, False]),
        "Float64": pandas.Series([1.0, None, 2.0], dtype="Float64"),
        "Int64": pandas.Series([1, None, 2], dtype="Int64"),
        "None": np.array([1, None, 2], dtype=object),
    }
    for name, column in numbers.items():
        answer = dpnoise.release({"v": column}, name="p", ledger=ledger, sum="v:0:100", epsilon=5000, yes_epsilon=True, fresh=True)
        assert answer["sum(v)"].value == pytest.approx(3, abs=0.5), name
    with pytest.raises(TypeError, match="complex"):
        dpnoise.release({"v": np.array([1j])}, name="p", ledger=ledger, sum="v:0:1", epsilon=1)
    with pytest.raises(ValueError, match="not in by"):
        dpnoise.release(ROWS, name="p", ledger=ledger, count=True, levels={"region": ["a"]}, epsilon=1)
    with pytest.raises(ValueError, match="yes_epsilon"):
        dpnoise.release(ROWS, name="p", ledger=ledger, count=True, epsilon=11)
    with pytest.raises(ValueError, match="NUL"):
        dpnoise.release(ROWS, name="p\0q", ledger=ledger, count=True, epsilon=1)


def test_registered_data_are_not_those_in_memory(ledger, tmp_path, shell):
    import subprocess

    from conftest import TOOL

    (tmp_path / "reg.csv").write_text("x\n" + "1\n" * 100)
    subprocess.run([TOOL, "register", "reg", tmp_path / "reg.csv", "--number", "x:0:10", "--epsilon", "5", "--ledger", ledger.path],
                   check=True, capture_output=True)
    with pytest.raises(ValueError, match="registered with other data"):
        dpnoise.release({"x": [9.0] * 7}, name="reg", ledger=ledger, count=True, epsilon=1)
    assert ledger["reg"].charges == 0
    answer = dpnoise.release("reg", ledger=ledger, count=True, mean="x", epsilon="4")
    assert abs(answer["count"].value - 100) < 10 and ledger["reg"].left_pure == "1"


def test_threads_share_a_ledger(ledger):
    """Calls wait for each other: none is lost, and the ledger verifies."""
    import copy
    import pickle
    import threading

    ledger.init("p", epsilon=100)
    threads = [threading.Thread(target=lambda: [ledger.charge("p", "0.25") for _ in range(10)]) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert ledger["p"].charges == 40 and ledger.verify()
    assert copy.deepcopy(ledger) is ledger
    with pickle.loads(pickle.dumps(ledger)) as other:
        assert other["p"].charges == 40


def test_a_fork_has_no_ledger(ledger):
    """What a child inherits is refused there, and so is the same file, whose locks are its parent's; nothing is charged, and the parent goes on."""
    import os

    ledger.init("p", epsilon=1)
    read, write = os.pipe()
    child = os.fork()
    if child == 0:
        said = b"charged"
        try:
            ledger.charge("p", "0.25")
        except dpnoise.Error as refused:
            said = type(refused).__name__.encode()
        try:
            with dpnoise.Ledger(ledger.path) as own:
                own.charge("p", "0.5")
            said += b", own charged"
        except dpnoise.Error as refused:
            said += b", " + str(refused).encode()
        os.write(write, said)
        os._exit(0)
    os.waitpid(child, 0)
    said = os.read(read, 1000).decode()
    assert said.startswith("FileError, a ledger was open when this process was forked"), said
    ledger.charge("p", "0.25")
    assert ledger["p"].charges == 1 and ledger.verify()
