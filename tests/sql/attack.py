"""Attacks on the extension: what an analyst may try, and what comes of it. docs/threat-model.md has the table, which is made here:

    tests/sql/attack.py        prints the table
"""
import contextlib
import sys

from cases import CASES

ATTACKS = []
MODULES = ["attacks_transactions", "attacks_roles", "attacks_names", "attacks_server", "attacks_fits"]


def attack(result):
    """Note an attack, with what comes of it; its documentation says what is tried."""

    def note(function):
        ATTACKS.append((function.__name__.replace("_", " "), function.__doc__.strip(), result))
        CASES.append(function)
        return function

    return note


@contextlib.contextmanager
def costs(office, cost, who="people/ada", own=None):
    """The data set is charged so much by what is done within, and the quota of `who` as well (or `own`)."""
    before, quota = office.spent(), office.spent(who)
    yield
    wanted = (cost, cost if own is None else own)
    got = (office.spent() - before, office.spent(who) - quota)
    assert got == wanted, f"charged {got}, not {wanted}"


def table():
    rows = [f"| {number} | {name} | {what} | {result} |" for number, (name, what, result) in enumerate(ATTACKS, 1)]
    return "\n".join(["| | attack | what is tried | result |", "|---|---|---|---|", *rows])


if __name__ == "__main__":
    sys.modules["attack"] = sys.modules["__main__"]
    for module in MODULES:
        __import__(module)
    print(table())
