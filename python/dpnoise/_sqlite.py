"""Whether somebody else in this process has a ledger open with another copy of SQLite.

The system drops all locks that a process has on a file when any descriptor of it is closed. One copy of SQLite knows its own descriptors and takes
care; two copies do not know each other, and a ledger could be charged twice. Python's own module and this package share the system's
library where both are linked with it.
"""
import os
import sys

from ._call import DomainError, lib

_FDS = "/proc/self/fd"
_ours = set()  # descriptors that ledgers of this package have


def _descriptors(path):
    """Of this process, that lead to a file."""
    try:
        there = os.stat(path)
        names = os.listdir(_FDS)
    except OSError:
        return set()
    found = set()
    for name in names:
        try:
            status = os.stat(f"{_FDS}/{name}")
        except OSError:
            continue
        if (status.st_dev, status.st_ino) == (there.st_dev, there.st_ino):
            found.add(int(name))
    return found


def _mapped():
    """The files of this process that have SQLite in their name."""
    with open("/proc/self/maps", encoding="utf-8", errors="surrogateescape") as maps:
        return {line.split(None, 5)[5].strip() for line in maps if "sqlite" in line.rsplit("/", 1)[-1]}


def has_another_copy():
    """Whether another copy of SQLite is loaded than the one of this package."""
    import ctypes

    if "_sqlite3" in sys.builtin_module_names:
        return True
    ours = lib.dpn_python_sqlite()
    for path in _mapped():
        try:
            theirs = ctypes.CDLL(path, mode=os.RTLD_NOLOAD | os.RTLD_LAZY).sqlite3_libversion
        except (AttributeError, OSError):
            return True  # it is inside, and does not show itself
        if ctypes.cast(theirs, ctypes.c_void_p).value != ours:
            return True
    return False


def refuse_shared(path):
    """DomainError if the file is open by somebody else in this process, with another copy of SQLite."""
    if _descriptors(path) - _ours and has_another_copy():
        raise DomainError(f"'{os.fspath(path)}' is open in this process with another copy of SQLite, whose locks would be lost: close it there first")


class Opening:
    """With a ledger being opened inside: which descriptors became ours."""

    def __init__(self, path):
        self._path = path

    def __enter__(self):
        refuse_shared(self._path)
        self._before = _descriptors(self._path)

    def __exit__(self, *_):
        _ours.update(_descriptors(self._path) - self._before)
