"""Where rows come from: a data frame or a table that the library reads itself."""
import os

from ._call import call, encoded, ffi, lib, text_of
from ._arrow import ArrowColumns, numpy_columns, speaks_arrow
from ._columns import Columns, column_of


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

    def want_fit(self, names):
        for name in names:
            column_of(self._frame, name)

    def feed_fit(self, fit):
        fit.frame(self._frame)

    def is_also(self, place):
        """Whether a place that the ledger knows is this by another name: only their curator could tell."""
        return False

    def may_be(self, place):
        """Whether it may be what was registered: that was declared, and not found somewhere."""
        return place.kind == lib.DPN_PLACE_DECLARED

    def close(self):
        self._columns = None


class ArrowFrame(Frame):
    """Columns that another library shows by the Arrow C data interface, batch after batch."""

    def want(self, names):
        self._columns = ArrowColumns(self._frame)
        self._indices = self._columns.indices(names)

    def feed(self, tally):
        for batch in self._columns.batches():
            columns, chosen, _keep = self._columns.c_columns(batch, self._indices)
            rows = batch.length if chosen is None else int(chosen.sum())
            call(lib.dpn_tally_columns, tally, columns, rows)
            call(lib.dpn_tally_unusable, tally, batch.length - rows)

    def want_fit(self, names):
        ArrowColumns(self._frame).indices(names)

    def feed_fit(self, fit):
        fit.frame(numpy_columns(self._frame))


def frame_of(data, name):
    """Pandas shows its columns by Arrow only where pyarrow is installed: it is read as itself."""
    return ArrowFrame(data, name) if speaks_arrow(data) and not hasattr(data, "iloc") else Frame(data, name)


def address(source):
    """A path or address as the library reads it: those of SQLAlchemy, sqlite:///people.db and postgresql+psycopg2://host/d, are known too."""
    if not isinstance(source, str):
        return source
    kind, there, rest = source.partition("://")
    if there and kind.split("+")[0] == "sqlite":
        return "sqlite:" + rest[1:] if rest.startswith("/") else source
    if there and kind.split("+")[0] in ("postgresql", "postgres"):
        return f"{kind.split('+')[0]}://{rest}"
    return source


class Table:
    """A CSV file, an SQLite database or a PostgreSQL table that is named, or with `place` one that is written down."""

    def __init__(self, source, *, table=None, multiline=False, place=None):
        made, identity, found = ffi.new("dpn_table **"), ffi.new("dpn_table_identity *"), ffi.new("dpn_place *")
        if place is None:
            name = ffi.NULL if table is None else ffi.new("char[]", encoded(table))
            options = ffi.new("dpn_table_options *", lib.dpn_table_options_init())
            options.table, options.multiline = name, multiline
            source = os.fsencode(os.fspath(address(source)))
            call(lib.dpn_table_open, made, source, options)
        else:
            source = ffi.string(place.connect if place.connect else place.path)
            call(lib.dpn_place_open, made, place, multiline)
        self._c = ffi.gc(made[0], lib.dpn_table_close)
        call(lib.dpn_place_of_table, found, identity, self._c, source)
        self.identity, self.place = ffi.gc(identity, lib.dpn_table_identity_free), ffi.gc(found, lib.dpn_place_free)
        if identity.origin == lib.DPN_TABLE_STREAM:
            raise ValueError("a pipe has no place: read it into a data frame and give that a name")

    @property
    def columns(self):
        return [text_of(lib.dpn_table_column(self._c, i)) for i in range(lib.dpn_table_columns(self._c))]

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

    def want_fit(self, names):
        self.want(names)

    def feed_fit(self, fit):
        fit.read(self)

    def is_also(self, place):
        """Whether a place that the ledger knows is this table by another name."""
        return bool(lib.dpn_place_is(ffi.addressof(place) if ffi.typeof(place).kind == "struct" else place, self.identity))

    may_be = is_also

    def close(self):
        ffi.release(self._c)


def registered_table(registration):
    """The table behind a registration, a dpn_registration."""
    place = registration.source
    if place.kind == lib.DPN_PLACE_DECLARED:
        raise ValueError(f"these data are declared as '{text_of(place.what)}': give them as data=")
    return Table(None, place=ffi.addressof(place), multiline=bool(registration.multiline))


@ffi.def_extern(error=True)
def dpn_python_same(context, other):
    """In doubt data are the same: then the question is refused, and nothing is spent."""
    return ffi.from_handle(context).is_also(other)
