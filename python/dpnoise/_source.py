"""Where rows come from: a data frame or a table that the library reads itself."""
import os

from ._call import call, encoded, ffi, lib, text_of
from ._columns import Columns


class Frame:
    """Columns in memory: a pandas DataFrame, a dict of arrays, a structured array."""

    def __init__(self, frame, name):
        self._frame, self._columns = frame, None
        self._what = ffi.new("char[]", encoded(name))
        self.place = ffi.new("dpn_place *", {"kind": lib.DPN_PLACE_DECLARED, "what": self._what})

    def want(self, names):
        """All that can go wrong with the columns goes wrong here, before the charge."""
        self._columns = Columns(self._frame, names)

    def feed(self, tally):
        call(lib.dpn_tally_columns, tally, self._columns.c, self._columns.rows)

    def is_also(self, place):
        """Whether a place that the ledger knows is this by another name: only their curator could tell."""
        return False

    def may_be(self, place):
        """Whether it may be what was registered: that was declared, and not found somewhere."""
        return place.kind == lib.DPN_PLACE_DECLARED

    def close(self):
        self._columns = None


_KINDS = {lib.DPN_TABLE_FILE: lib.DPN_PLACE_FILE, lib.DPN_TABLE_SQLITE: lib.DPN_PLACE_SQLITE,
          lib.DPN_TABLE_POSTGRESQL: lib.DPN_PLACE_POSTGRESQL}
_ORIGINS = {place: origin for origin, place in _KINDS.items()}
_PARTS = ("path", "table", "system", "database", "schema")


class Table:
    """A CSV file, an SQLite database or a PostgreSQL table."""

    def __init__(self, source, *, table=None, schema=None, multiline=False):
        texts = [ffi.NULL if one is None else ffi.new("char[]", encoded(one)) for one in (table, schema)]
        options = ffi.new("dpn_table_options *", lib.dpn_table_options_init())
        options.table, options.schema, options.multiline = texts[0], texts[1], multiline
        made = ffi.new("dpn_table **")
        call(lib.dpn_table_open, made, os.fsencode(os.fspath(source)), options)
        self._c = ffi.gc(made[0], lib.dpn_table_close)
        identity = ffi.new("dpn_table_identity *")
        call(lib.dpn_table_identify, identity, self._c)
        self._identity = ffi.gc(identity, lib.dpn_table_identity_free)
        self._connect = ffi.new("char[]", os.fsencode(os.fspath(source)))
        place = {"kind": _KINDS.get(identity.origin, lib.DPN_PLACE_DECLARED)}
        place.update({part: getattr(identity, part) for part in _PARTS})
        if identity.origin == lib.DPN_TABLE_POSTGRESQL:
            if identity.password:
                raise ValueError("the address holds a password, which a ledger must not keep: put it into ~/.pgpass")
            place["connect"] = self._connect
        if identity.origin == lib.DPN_TABLE_STREAM:
            raise ValueError("a pipe has no place: read it into a data frame and give that a name")
        self.place = ffi.new("dpn_place *", place)

    def want(self, names):
        columns = ffi.new("size_t[]", max(1, len(names)))
        for i, name in enumerate(names):
            call(lib.dpn_table_find, columns + i, self._c, encoded(name))
        call(lib.dpn_table_want, self._c, columns, len(names))

    def batches(self):
        fields, rows = ffi.new("dpn_field **"), ffi.new("size_t *")
        while True:
            call(lib.dpn_table_next, fields, rows, self._c)
            if rows[0] == 0:
                return
            yield fields[0], rows[0]

    def unusable(self):
        return lib.dpn_table_unusable(self._c, ffi.NULL)

    def feed(self, tally):
        for fields, rows in self.batches():
            call(lib.dpn_tally_rows, tally, fields, rows)
        call(lib.dpn_tally_unusable, tally, self.unusable())

    def is_also(self, place):
        """Whether a place that the ledger knows is this table by another name."""
        if place.kind not in _ORIGINS:
            return False
        other = ffi.new("dpn_table_identity *", {"origin": _ORIGINS[place.kind]})
        for part in _PARTS:
            setattr(other, part, getattr(place, part))
        return bool(lib.dpn_table_identity_same(other, self._identity))

    may_be = is_also

    def close(self):
        ffi.release(self._c)


def registered_table(registration):
    """The table behind a registration, a dpn_registration."""
    place = registration.source
    if place.kind == lib.DPN_PLACE_DECLARED:
        raise ValueError(f"these data are declared as '{text_of(place.what)}': give them as data=")
    source = place.connect if place.kind == lib.DPN_PLACE_POSTGRESQL else place.path
    table = Table(text_of(source), table=text_of(place.table), schema=text_of(place.schema),
                  multiline=bool(registration.multiline))
    if place.kind == lib.DPN_PLACE_POSTGRESQL and not table.is_also(place):
        raise OSError("the server is not the one that is registered")
    return table


@ffi.def_extern(error=True)
def dpn_python_same(context, other):
    """In doubt data are the same: then the question is refused, and nothing is spent."""
    return ffi.from_handle(context).is_also(other)
