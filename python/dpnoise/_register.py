"""Data sets as their curator registers them."""
import json
import pathlib

from ._call import call, encoded, ffi, lib, number_text
from ._ledger import decimal, head_text, optional
from ._source import Table

_LIMITS = ("person", "relation", "missing", "multiline", "na")
_COUNTS = ("max_rows", "max_groups", "population", "memory")
_AMOUNTS = ("least_epsilon", "most_epsilon", "most_delta")


def _columns(numbers, categories, texts):
    for name, bounds in (numbers or {}).items():
        lower, upper, *unit = bounds
        yield {"name": name, "type": "number", "lower": number_text(lower), "upper": number_text(upper), **({"unit": unit[0]} if unit else {})}
    for name, levels in (categories or {}).items():
        yield {"name": name, "type": "category", **({} if levels is None else {"levels": [str(level) for level in levels]})}
    for name in texts or ():
        yield {"name": name, "type": "text"}


def _changed(document, said):
    """A registration as JSON with what is said put into it; columns that it has are replaced."""
    columns = list(_columns(said.pop("numbers", None), said.pop("categories", None), said.pop("texts", None)))
    gone = {column["name"] for column in columns} | set(said.pop("drop", None) or ())
    document["columns"] = [column for column in document.get("columns", []) if column["name"] not in gone] + columns
    if (where := said.pop("where", None)) is not None:
        document["where"] = list(where)
    for name in _LIMITS + _COUNTS + _AMOUNTS:
        value = said.pop(name, None)
        if value is not None:
            document[name] = number_text(value) if name in _AMOUNTS else str(value) if name in _COUNTS else value
    if said:
        raise TypeError(f"a registration has no '{next(iter(said))}'")
    return document


def _read(document):
    text = json.dumps(document).encode()
    c = ffi.new("dpn_registration *")
    call(lib.dpn_registration_read, c, text, len(text))
    return ffi.gc(c, lib.dpn_registration_free)


def _record(ledger, name, document, data, *, table=None, epsilon=None, delta=0, note=None, user=None, again=False, new_version=False):
    options, keep = ffi.new("dpn_register_options *", lib.dpn_register_options_init()), [optional(note), optional(user)]
    options.note, options.user, options.again, options.new_version = keep[0], keep[1], again, new_version
    found = None
    if isinstance(data, (str, pathlib.PurePath)):
        found = Table(data, table=table, multiline=bool(document.get("multiline")))
        named = {column["name"] for column in document["columns"]} | ({document["person"]} if document.get("person") else set())
        if missing := named - set(found.columns):
            raise KeyError(f"the data have no column '{min(missing)}'")
        options.identity = found.identity
    try:
        if found is None and data is not None:
            document["source"] = {"kind": "declared", "what": name}
        registration = _read(document)
        if found is not None:
            call(lib.dpn_place_copy, ffi.addressof(registration, "source"), found.place)
        if epsilon is not None:
            filter_ = ffi.new("dpn_filter **")
            call(lib.dpn_filter_new_default, filter_, decimal(epsilon), decimal(delta))
            kept = ffi.gc(filter_[0], lib.dpn_filter_free)
            plan = ffi.new("dpn_filter_plan *", lib.dpn_filter_plan_of(kept))
            options.plan = plan
        head = ffi.new("dpn_head *")
        with ledger._lock:
            call(lib.dpn_register, head, ledger._open(), encoded(name), registration, options)
        return head_text(head[0])
    finally:
        if found is not None:
            found.close()


def register(name, data, *, ledger, epsilon=None, delta=0, table=None, note=None, user=None, **said):
    """Register a data set: where it is, what its columns are, whom it protects and what one question may ask. Returns the head of the entry.

    `data` is a path or a database address; anything else is data in memory, known by the name alone. `numbers` are columns with their bounds,
    {"income": (0, 200000)}, or with a unit (0, 200000, "EUR"); `categories` have levels, or None where they are chosen privately; `texts` are
    words; `where` lists columns that predicates may use. Further: person, max_rows, max_groups, relation, missing, na, multiline, population,
    least_epsilon, most_epsilon, most_delta, memory. `epsilon` and `delta` are the budget, if the data set has none yet.

    >>> import tempfile
    >>> from dpnoise import Ledger
    >>> place = pathlib.Path(tempfile.mkdtemp())
    >>> _ = (place / "people.csv").write_text("region,income\\nnorth,31000\\nsouth,42000\\n")
    >>> with Ledger(place / "ledger.db", create=True) as ledger:
    ...     _ = register("people", place / "people.csv", ledger=ledger, numbers={"income": (0, 200000)},
    ...                  categories={"region": ["north", "south"]}, epsilon=1)
    ...     ledger.registration("people")["columns"][0]["upper"]
    '200000'
    """
    return _record(ledger, name, _changed({"source": {"kind": "declared", "what": name}}, said), data, table=table, epsilon=epsilon,
                   delta=delta, note=note, user=user)


def amend(name, *, ledger, data=None, table=None, new_version=False, note=None, user=None, **said):
    """Change a registration: columns and limits as for `register`, `drop` columns; `data` says that the same data are now there;
    new_version=True that they have changed, so that stored answers are not given any more."""
    document = ledger.registration(name) if name in ledger else None
    if document is None:
        raise KeyError(f"'{name}' is not registered")
    return _record(ledger, name, _changed(document, said), data, table=table, note=note, user=user, again=True, new_version=new_version)
