"""Two copies of SQLite in one process do not share a ledger."""
import ctypes
import shutil
import sqlite3

import pytest

import dpnoise
from dpnoise import _sqlite


def library():
    return next(path for path in _sqlite._mapped() if "libsqlite3" in path)


def test_pythons_own_module_has_the_same_copy(ledger):
    """On this machine both are linked with the system's library."""
    ledger.init("people", epsilon=1)
    if "_sqlite3" in __import__("sys").builtin_module_names:
        pytest.skip("this Python has SQLite inside")
    assert not _sqlite.has_another_copy()
    with sqlite3.connect(f"file:{ledger.path}?mode=ro", uri=True) as peek:
        assert peek.execute("select count(*) from sqlite_master").fetchone()[0] > 0
        ledger.charge("people", epsilon="0.5")
    peek.close()
    assert ledger["people"].left_pure == "0.5"


# The copy stays in the process: this is tried in another one.
STRANGER = """
import ctypes, sys, dpnoise
from dpnoise import _sqlite
path, copy = sys.argv[1:]
ledger = dpnoise.Ledger(path, create=True)
ledger.init("people", epsilon=1)
other = ctypes.CDLL(copy)
assert _sqlite.has_another_copy()
ledger.charge("people", epsilon="0.25")  # it is loaded, and has nothing open
handle = ctypes.c_void_p()
assert other.sqlite3_open(path.encode(), ctypes.byref(handle)) == 0
assert other.sqlite3_exec(handle, b"select * from sqlite_master", None, None, None) == 0
for refused in (lambda: ledger.charge("people", epsilon="0.25"), lambda: dpnoise.Ledger(path)):
    try:
        refused()
    except dpnoise.DomainError as error:
        assert "another copy of SQLite" in str(error)
    else:
        raise SystemExit("it was not refused")
other.sqlite3_close.argtypes = [ctypes.c_void_p]
assert other.sqlite3_close(handle) == 0
ledger.charge("people", epsilon="0.25")
assert ledger["people"].left_pure == "0.5"
print("refused")
"""


def test_a_second_copy_is_refused(tmp_path):
    import subprocess
    import sys

    copy = tmp_path / "stranger-sqlite.so"
    import sqlite3  # noqa: F401 so that the library is mapped

    shutil.copy(library(), copy)
    assert ctypes.sizeof(ctypes.c_void_p) == 8
    done = subprocess.run([sys.executable, "-c", STRANGER, str(tmp_path / "ledger.db"), str(copy)], capture_output=True, text=True)
    assert done.stdout == "refused\n", done.stderr
