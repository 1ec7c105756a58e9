import doctest
import importlib
import pathlib

import pytest


@pytest.mark.parametrize("name", ["", "._law", "._privacy", "._training", "._calibrate", "._ledger", "._release", "._learn", "._geometry", "._audit", "._fit", "._compare", "._add", "._register", "._tally", "._unequal"])
def test_examples(name):
    found = doctest.testmod(importlib.import_module("dpnoise" + name), optionflags=doctest.ELLIPSIS)
    assert found.failed == 0 and found.attempted > 0


def test_the_pages():
    root = pathlib.Path(__file__).parents[2]
    for page in ("docs/python.md", "README.md"):
        found = doctest.testfile(str(root / page), module_relative=False,
                                 optionflags=doctest.ELLIPSIS | doctest.NORMALIZE_WHITESPACE | doctest.IGNORE_EXCEPTION_DETAIL)
        assert found.failed == 0 and found.attempted > 0, page
