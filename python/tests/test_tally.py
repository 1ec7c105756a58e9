"""Sums of parts, from Python and from the shell, are those of the whole."""
import pickle
import stat
import subprocess

import pytest

import dpnoise
from conftest import TOOL

ASKED = dict(count=True, sum="income:0:1000", by="region", levels={"region": ["north", "south"]}, epsilon="1")
ROWS = {"region": ["north", "south", "south", None] * 25, "income": list(range(0, 1000, 10))}


def part(rows, of):
    return {name: column[rows] for name, column in of.items()}


def test_any_order_and_grouping():
    whole = dpnoise.Tally(**ASKED).update(ROWS).state()
    parts = [dpnoise.Tally(**ASKED).update(part(slice(i, None, 4), ROWS)) for i in (2, 0, 3, 1)]
    assert sum(parts).state() == whole and (parts[3] + parts[0] + parts[1] + parts[2]).state() == whole
    sent = [pickle.loads(pickle.dumps(one)) for one in parts]  # as dask and Spark send them
    first = sent.pop()
    for one in sent:
        first += one
    assert first.state() == whole and parts[0].columns == ["region", "income"]
    with pytest.raises(dpnoise.DomainError):
        first.merge(dpnoise.Tally(count=True, sum="income:0:999", epsilon=1).update(ROWS))
    with pytest.raises(dpnoise.ParseError):
        first.merge(whole[:-1])


def test_persons_share_a_secret():
    asked = dict(count=True, sum="x:0:9", person="id", max_rows=2, epsilon=1)
    with pytest.raises(ValueError, match="secret"):
        dpnoise.Tally(**asked)
    secret = dpnoise.Tally.new_secret()
    rows = {"id": [1, 1, 1, 2, 2, 3] * 5, "x": list(range(30))}
    whole = dpnoise.Tally(secret=secret, **asked).update(rows)
    parts = [dpnoise.Tally(secret=secret, **asked).update(part(slice(i, None, 2), rows)) for i in (1, 0)]
    assert (parts[0] + parts[1]).state() == whole.state()
    with pytest.raises(dpnoise.DomainError):
        whole.merge(dpnoise.Tally(secret=dpnoise.Tally.new_secret(), **asked).update(rows))


def test_released_once(ledger):
    ledger.init("people", epsilon=1000)
    ledger.init("others", epsilon=1000)
    tally = dpnoise.Tally(**ASKED).update(ROWS)
    answer = tally.release(ledger=ledger, name="people", epsilon=500)
    # At epsilon 500 the noise on counts is far below one.
    assert [round(answer[region, "count"].value) for region in ("north", "south")] == [25, 50]
    again = tally.release(ledger=ledger, name="people", epsilon=500)
    assert again.stored and again["north", "count"] == answer["north", "count"] and ledger["people"].charges == 1
    with pytest.raises(dpnoise.DomainError, match="people"):
        tally.release(ledger=ledger, name="others", epsilon=1)
    assert ledger["others"].charges == 0


def test_registered(ledger, tmp_path):
    (tmp_path / "people.csv").write_text("region,income\nnorth,10\n")
    (tmp_path / "twins.csv").write_text("region,income\nnorth,10\n")
    for name in ("people", "twins"):
        dpnoise.register(name, tmp_path / f"{name}.csv", ledger=ledger, numbers={"income": (0, 1000)}, categories={"region": ["north", "south"]},
                        epsilon=1000, most_epsilon=600)
    tally = dpnoise.Tally(**ASKED).update(ROWS)
    answer = tally.release(ledger=ledger, name="people", epsilon=500)
    assert round(answer["south", "count"].value) == 50
    assert tally.release(ledger=ledger, name="people", epsilon=500).stored and ledger["people"].charges == 1
    with pytest.raises(dpnoise.DomainError, match="people"):
        tally.release(ledger=ledger, name="twins", epsilon=1)
    wide = dpnoise.Tally(count=True, sum="income:0:2000", epsilon=1).update(ROWS)
    with pytest.raises(dpnoise.DomainError, match="income"):
        wide.release(ledger=ledger, name="twins")
    assert ledger["twins"].charges == 0


def test_files_of_the_shell(tmp_path, shell):
    table, question = tmp_path / "people.csv", tmp_path / "question.json"
    table.write_text("region,income\n" + "".join(f"{r or ''},{i}\n" for r, i in zip(*ROWS.values())))
    question.write_text(dpnoise.Tally(**ASKED).text)
    subprocess.run([TOOL, "tally", table, "--spec", question, "-o", tmp_path / "shell.state"], check=True, capture_output=True)
    own = dpnoise.Tally(**ASKED).update(table)
    assert own.state() == dpnoise.Tally(**ASKED).update(ROWS).state()
    own.save(tmp_path / "own.state")
    assert (tmp_path / "own.state").read_bytes() == (tmp_path / "shell.state").read_bytes()
    assert stat.S_IMODE((tmp_path / "own.state").stat().st_mode) == 0o600
    assert dpnoise.Tally.load(tmp_path / "shell.state").state() == own.state()
    with pytest.raises(FileExistsError):
        own.save(tmp_path / "own.state")
    with pytest.raises(dpnoise.ParseError):
        dpnoise.Tally.load(table)
