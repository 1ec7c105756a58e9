"""Columns of other libraries, by the C structs themselves."""
import gc

import numpy as np
import pytest

import arrow_producer as arrow
import dpnoise
from dpnoise._arrow import numpy_columns

LONG = "a region with a long name"


def kinds(offset):
    return {
        "l": arrow.column("l", [1, None, 3], offset=offset), "g": arrow.column("g", [0.5, 1.5, None], offset=offset),
        "i": arrow.column("i", [-7, 8, 9], offset=offset), "C": arrow.column("C", [250, None, 1], offset=offset),
        "L": arrow.column("L", [1, 2, 3], offset=offset), "f": arrow.column("f", [0.25, None, 4], offset=offset),
        "b": arrow.column("b", [True, False, None], offset=offset), "u": arrow.column("u", ["n", None, "süd"], offset=offset),
        "U": arrow.column("U", ["n", "", None], offset=offset), "vu": arrow.column("vu", ["n", LONG, None], offset=offset),
        "tdD": arrow.column("tdD", [0, 18262, None], offset=offset), "tsu:": arrow.column("tsu:", [0, None, 10**12], offset=offset),
        "n": arrow.column("n", [None, None, None], offset=offset), "words": arrow.dictionary([1, 0, None], ["s", "n"]),
        "holes": arrow.dictionary([1, 2, 0], ["s", "n", None]),
    }


EXPECTED = {
    "l": [1, None, 3], "g": [0.5, 1.5, None], "i": [-7, 8, 9], "C": [250, None, 1], "L": [1, 2, 3], "f": [0.25, None, 4],
    "b": [1, 0, None], "u": ["n", None, "süd"], "U": ["n", "", None], "vu": ["n", LONG, None],
    "tdD": ["1970-01-01", "2020-01-01", None], "tsu:": ["1970-01-01T00:00:00.000000", None, "1970-01-12T13:46:40.000000"],
    "n": [None, None, None], "words": ["n", "s", None], "holes": ["n", None, "s"],
}


@pytest.mark.parametrize("offset", [0, 1, 9])
def test_every_type(offset):
    table = {name: made for name, made in kinds(offset).items()}
    for shown in (arrow.OneBatch(table), arrow.Batches(table)):
        found = numpy_columns(shown)
        for name, expected in EXPECTED.items():
            values = [None if value is None or value != value else value for value in found[name].tolist()]
            assert values == expected, name


def test_releases_of_batches(ledger):
    """Two batches, one of them a part of larger columns: sums are those of all rows, and every batch is given back."""
    one = {"region": arrow.column("vu", ["north", LONG] * 50), "income": arrow.column("l", list(range(100)))}
    two = {"region": arrow.column("vu", ["north", None] * 50, offset=3), "income": arrow.column("l", [None, 1000] * 50, offset=3)}
    ledger.init("people", epsilon=1000)
    arrow.released.clear()
    answer = dpnoise.release(arrow.Batches(one, two), name="people", ledger=ledger, count=True, sum="income:0:1000", by="region",
                             levels={"region": ["north", LONG]}, missing="value:0", epsilon=400, yes_epsilon=True)
    gc.collect()
    assert arrow.released.count("array") == 2 and arrow.released.count("schema") == 1
    # The noise at epsilon 400 is far below one.
    assert [round(answer[region, "count"].value) for region in ("north", LONG)] == [100, 50]
    # Ten half-widths of a 95% interval of Laplace noise are 30 of its scales: 1e-13.
    north = answer["north", "sum(income)"]
    assert abs(north.value - sum(range(0, 100, 2))) < 5 * (north.high - north.low)
    plain = {"region": ["north", LONG] * 50 + ["north", None] * 50, "income": list(range(100)) + [None, 1000] * 50}
    ledger.init("same", epsilon=1000)
    again = dpnoise.release(plain, name="same", ledger=ledger, count=True, sum="income:0:1000", by="region",
                            levels={"region": ["north", LONG]}, missing="value:0", epsilon=400, yes_epsilon=True)
    for group in ("north", LONG):
        assert again[group, "sum(income)"].value == pytest.approx(answer[group, "sum(income)"].value, abs=10 * (north.high - north.low))


def garbage_where_missing(words, offset=0):
    """A column of views whose missing ones are long texts in a buffer that there is not."""
    made = arrow.column("vu", words, offset=offset)
    for i, word in enumerate(words, offset):
        if word is None:
            made[1][1][i] = np.frombuffer(np.array([2**31 - 1, -1, 2**30, -5], dtype="i4").tobytes(), "u1")
    return made


@pytest.mark.parametrize("offset", [0, 3])
def test_what_stands_where_a_text_is_missing_is_not_followed(ledger, offset):
    made = garbage_where_missing(["north", None, LONG, None] * 25, offset)
    assert numpy_columns(arrow.OneBatch({"region": made}))["region"].tolist() == ["north", None, LONG, None] * 25
    ledger.init("people", epsilon=1000)
    answer = dpnoise.release(arrow.Batches({"region": made}), name="people", ledger=ledger, count=True, by="region",
                             levels={"region": ["north", LONG]}, epsilon=400, yes_epsilon=True)
    assert [round(answer[region, "count"].value) for region in ("north", LONG)] == [25, 25]
    words = (*arrow.column("i", [0, 2, 1])[:4], garbage_where_missing(["n", None, LONG]))
    assert numpy_columns(arrow.OneBatch({"region": words}))["region"].tolist() == ["n", LONG, None]


@pytest.mark.parametrize("null_count", [-1, 75])
def test_rows_that_are_null_as_a_whole_are_unusable(ledger, tmp_path, null_count):
    """By their bits, whatever the struct says of their number: as rows of a file that cannot be read. What their fields hold is not looked at."""
    there = [True, False, False, False] * 25
    table = {arrow.ROWS: (there, null_count), "income": arrow.column("l", [7, 1000, None, 1000] * 25),
             "region": arrow.dictionary([0, 1, 1, None] * 25, ["north", "south"]), "note": garbage_where_missing(["a", None, "b", "c"] * 25)}
    asked = dict(count=True, sum="income:0:1000", by="region", levels={"region": ["north", "south"]}, where="note!=d", epsilon="1")
    broken = tmp_path / "people.csv"
    broken.write_text("income,region,note\n" + "7,north,a\n1000\n\"\n1000,south,b,c\n" * 25)
    assert dpnoise.Tally(**asked).update(arrow.OneBatch(table)).state() == dpnoise.Tally(**asked).update(broken).state()
    ledger.init("people", epsilon=1000)
    answer = dpnoise.release(arrow.Batches(table), name="people", ledger=ledger, count=True, epsilon=400, yes_epsilon=True)
    assert round(answer["count"].value) == 25
    income = numpy_columns(arrow.OneBatch(table))["income"]
    assert np.isnan(income).tolist() == [not one for one in there] and set(income[there]) == {7}
    nobody = {**table, arrow.ROWS: ([False] * 100, null_count)}
    answer = dpnoise.release(arrow.Batches(nobody), name="people", ledger=ledger, count=True, epsilon=400, yes_epsilon=True, fresh=True)
    assert round(answer["count"].value) == 0


def test_bytes_that_are_no_text_are_read_by_fits():
    kind, buffers, *rest = arrow.column("u", ["a", "b"])
    buffers[2] = np.frombuffer(b"\xffb", dtype="u1")
    assert numpy_columns(arrow.OneBatch({"word": ("z", buffers, *rest)}))["word"].tolist() == [b"\xff", "b"]


def test_what_is_not_read_is_told_before_the_charge(ledger):
    ledger.init("people", epsilon=1)
    said = dict(name="people", ledger=ledger, epsilon="0.5", count=True)
    with pytest.raises(KeyError, match="no column 'wages'"):
        dpnoise.release(arrow.OneBatch({"income": arrow.column("l", [1])}), sum="wages:0:1", **said)
    odd = arrow.column("l", [1])
    with pytest.raises(TypeError, match="not read"):
        dpnoise.release(arrow.OneBatch({"income": ("tDs", *odd[1:])}), sum="income:0:1", **said)
    assert ledger["people"].charges == 0


def test_a_stream_that_fails_after_the_charge_says_nothing(ledger):
    ledger.init("people", epsilon=1)
    rows = {"income": arrow.column("l", [1, 2, 3])}
    with pytest.raises(dpnoise.FileError) as refused:
        dpnoise.release(arrow.Batches(rows, rows, fails=1), name="people", ledger=ledger, epsilon="0.5", count=True, sum="income:0:9")
    assert "17" not in str(refused.value) and refused.value.__cause__ is None and ledger["people"].charges == 1


def test_fits_take_such_tables():
    rng = np.random.default_rng(1)
    x = rng.uniform(-1, 1, 5000)
    model = dpnoise.LinearRegression(epsilon=5, bounds=(-1, 1), target_bounds=(-1, 1))
    model.fit(arrow.OneBatch({"a": arrow.column("g", x.tolist())}), 0.5 * x)
    assert model.coef_[0] == pytest.approx(0.5, abs=0.05) and list(model.feature_names_in_) == ["a"]
