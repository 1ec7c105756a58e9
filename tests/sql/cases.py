"""Cases of a test, as TAP: a function that returns passed, one that raises failed, or cannot run here if it raises Skip."""
import os
import sys
import time
import traceback

CASES = []


class Skip(Exception):
    """A case that cannot run here, and why."""


def case(function):
    """Note a function of the office as a case; its first line of documentation is its name."""
    CASES.append(function)
    return function


def run(office, wanted):
    """Run those whose names hold one of the words, or all; the exit code."""
    chosen = [c for c in CASES if not wanted or any(word in c.__name__ for word in wanted)]
    failed = 0
    for number, function in enumerate(chosen, 1):
        name = (function.__doc__ or function.__name__).strip().splitlines()[0]
        try:
            began = time.monotonic()
            function(office)
            print(f"ok {number} - {name}" + (f" # {time.monotonic() - began:.1f} s" if os.environ.get("DPN_TIMES") else ""), flush=True)
        except Skip as reason:
            print(f"ok {number} - {name} # SKIP {reason}", flush=True)
        except Exception:
            failed += 1
            print(f"not ok {number} - {name}\n# " + traceback.format_exc().replace("\n", "\n# "), flush=True)
    print(f"1..{len(chosen)}")
    return 1 if failed else 0


def same(got, wanted):
    assert got == wanted, f"{got!r}, not {wanted!r}"


def near(got, wanted, relative):
    assert abs(float(got) - wanted) <= relative * abs(wanted), f"{got}, not {wanted}"


def skip(reason):
    print(f"1..0 # SKIP {reason}")
    print(reason, file=sys.stderr)
    sys.exit(0)
