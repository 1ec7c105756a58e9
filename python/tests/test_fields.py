"""What a field of a table in memory may hold: anything, and no release fails for it."""
from decimal import Decimal

import numpy as np
import pytest

import dpnoise


class Silent:
    def __str__(self):
        raise RuntimeError("this row is mine")


class Hidden:
    @property
    def __class__(self):
        raise RuntimeError("this row is mine")


NO_TEXT = [b"\xff", "\ud800", Silent(), Hidden(), 1 + 2j, [3, 4], 10**5000, Decimal("sNaN"), Decimal("NaN"), np.float64("nan"), np.datetime64("NaT"), (), {}]


@pytest.mark.parametrize("shape", ["list", "tuple", "objects", "pandas"])
def test_no_value_makes_a_release_fail(ledger, shape):
    """Each would be a free answer about its row. Where a number is asked for it is missing; as a key it is none of the levels."""
    def shaped(values):
        array = np.empty(len(values), dtype=object)
        for i, value in enumerate(values):
            array[i] = value
        if shape == "pandas":
            return pytest.importorskip("pandas").Series(array)
        return {"list": list, "tuple": tuple, "objects": lambda _: array}[shape](values)

    def table(odd, number):
        data = {"region": shaped(["north"] * 50 + odd), "income": shaped([1] * 50 + number)}
        return pytest.importorskip("pandas").DataFrame(data) if shape == "pandas" else data

    asked = dict(count=True, sum="income:0:100", by="region", where="income>0", levels={"region": ["north"]}, missing="value:40", epsilon="1")
    for number, odd in enumerate(NO_TEXT):
        alone = dpnoise.Tally(**asked).update(table([odd, "north"], [2, odd])).state()
        assert alone == dpnoise.Tally(**asked).update({"region": ["north"] * 50 + ["elsewhere", "north"], "income": [1] * 50 + [2, None]}).state(), number
    ledger.init("people", epsilon=1000)
    answer = dpnoise.release(table(NO_TEXT, NO_TEXT), name="people", ledger=ledger, count=True, by="region", levels={"region": ["north"]},
                             epsilon=400, yes_epsilon=True)
    # At epsilon 400 the noise is far below one half.
    assert round(answer["north", "count"].value) == 50 and ledger["people"].charges == 1


def test_bytes_are_read_as_in_a_file(tmp_path):
    """The same exact sums: a key that is no UTF-8 is left out in both."""
    asked = dict(count=True, by="region", levels={"region": ["north", "süd"]}, where="region!=north", epsilon="1")
    words = [b"north", "süd".encode(), b"\xff", b"s\xc3", b""]
    table = tmp_path / "people.csv"
    table.write_bytes(b"region,income\n" + b"".join(word + b",1\n" for word in words))
    in_memory = dpnoise.Tally(**asked).update({"region": words})
    assert in_memory.state() == dpnoise.Tally(**asked).update(table).state()
    assert in_memory.state() != dpnoise.Tally(**asked).update({"region": words[:1]}).state()


def test_fits_read_what_has_no_text_as_missing():
    """Without noise the fit is that of the same rows with None."""
    x = [i / 50 for i in range(50)]

    def slope(odd):
        columns = {"x": [*x, odd], "y": [0.5 * one for one in x] + [odd]}
        return dpnoise.fit("linear", columns, target="y:0:1", features="x:0:1", method="non-private").coefficients

    for number, odd in enumerate(NO_TEXT):
        assert slope(odd) == slope(None), number


def test_large_numbers_are_numbers():
    asked = dict(sum="income:0:100", epsilon="1")
    state = dpnoise.Tally(**asked).update({"income": ["1.5", "1" + "0" * 400]}).state()
    assert dpnoise.Tally(**asked).update({"income": [1.5, 10**400]}).state() == state
