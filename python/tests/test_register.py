"""Registering from Python is the shell's: one budget for data, the same people."""
import json
import subprocess

import pytest

import dpnoise
from conftest import TOOL


@pytest.fixture
def people(tmp_path):
    path = tmp_path / "people.csv"
    path.write_text("id,region,income\n" + "".join(f"{i},{'north' if i % 2 else 'south'},{100 * i}\n" for i in range(1000)))
    return path


def registered(ledger, people, **more):
    return dpnoise.register("people", people, ledger=ledger, numbers={"income": (0, 200000, "EUR")},
                            categories={"region": ["north", "south"]}, where=["region"], person="id", epsilon=2, **more)


def test_what_the_shell_registers(ledger, people, tmp_path):
    registered(ledger, people, population=1000, most_epsilon=1, max_rows=2)
    other = tmp_path / "shell.db"
    subprocess.run([TOOL, "register", "people", people, "--number", "income:0:200000:EUR", "--category", "region=north,south",
                    "--where-columns", "region", "--person-id", "id", "--population", "1000", "--most-epsilon", "1", "--max-rows", "2",
                    "--epsilon", "2", "--ledger", other], check=True, capture_output=True)
    with dpnoise.Ledger(other) as shells:
        assert shells.registration("people") == ledger.registration("people")
        assert shells["people"][1:] == ledger["people"][1:]
    answer = dpnoise.release("people", ledger=ledger, count=True, mean="income", by="region", epsilon="1")
    assert len(answer) == 2 and ledger["people"].unit == "person"
    with pytest.raises(dpnoise.DomainError, match="most"):
        dpnoise.release("people", ledger=ledger, count=True, epsilon="1.5")


def test_data_have_one_budget(ledger, people, tmp_path):
    registered(ledger, people)
    link = tmp_path / "link.csv"
    link.symlink_to(people)
    with pytest.raises(dpnoise.DomainError, match="registered as 'people'"):
        dpnoise.register("again", link, ledger=ledger, epsilon=1)
    with pytest.raises(dpnoise.DomainError, match="registered already"):
        dpnoise.register("people", people, ledger=ledger)
    with pytest.raises(KeyError, match="wages"):
        dpnoise.register("other", people, ledger=ledger, numbers={"wages": (0, 1)}, epsilon=1)
    with pytest.raises(TypeError, match="colour"):
        dpnoise.register("other", people, ledger=ledger, colour="red", epsilon=1)
    assert [account.name for account in ledger] == ["people"]


def test_amendments(ledger, people, tmp_path):
    registered(ledger, people)
    dpnoise.release("people", ledger=ledger, count=True, epsilon="0.5")
    dpnoise.amend("people", ledger=ledger, numbers={"income": (0, 100000)}, drop=["region"], where=[])
    columns = ledger.registration("people")["columns"]
    assert [(column["name"], column["upper"]) for column in columns] == [("income", "100000")] and ledger["people"].version == 1
    assert dpnoise.release("people", ledger=ledger, count=True, epsilon="0.5").stored
    with pytest.raises(dpnoise.DomainError, match="note"):
        dpnoise.amend("people", ledger=ledger, person="region")
    dpnoise.amend("people", ledger=ledger, new_version=True)
    assert ledger["people"].version == 2
    assert not dpnoise.release("people", ledger=ledger, count=True, epsilon="0.5").stored and ledger["people"].charges == 2
    moved = tmp_path / "moved.csv"
    people.rename(moved)
    dpnoise.amend("people", ledger=ledger, data=moved)
    assert ledger.registration("people")["source"]["path"] == str(moved)
    with pytest.raises(KeyError, match="not registered"):
        dpnoise.amend("nobody", ledger=ledger)


def test_data_in_memory(ledger):
    rows = {"x": [1.0, 2.0, 3.0] * 100}
    dpnoise.register("frame", rows, ledger=ledger, numbers={"x": (0, 10)}, epsilon=100, most_epsilon=100)
    answer = dpnoise.release(rows, name="frame", ledger=ledger, mean="x", count=True, epsilon=95, yes_epsilon=True)
    assert round(answer["count"].value) == 300 and json.dumps(ledger.registration("frame"))
    with pytest.raises(dpnoise.DomainError):
        dpnoise.release(rows, name="frame", ledger=ledger, mean="x:0:11", epsilon=1)


def test_export_and_back(tmp_path):
    with dpnoise.Ledger(tmp_path / "one.db", create=True) as one:
        one.init("people", epsilon=2)
        head, text = one.charge("people", epsilon="0.5"), one.export()
        key = tmp_path / "one.db.key"
        with dpnoise.Ledger.from_export(tmp_path / "two.db", text, key=key) as two:
            assert two["people"].left_pure == "1.5"
            assert two.verify(head) == one.verify(head)
            assert two.export() == text
        with pytest.raises(dpnoise.Error):  # there is a file of that name
            dpnoise.Ledger.from_export(tmp_path / "two.db", text, key=key)
        with pytest.raises(dpnoise.Error):  # the chain does not hold
            dpnoise.Ledger.from_export(tmp_path / "three.db", text.replace("0.5", "0.1"), key=key)
