"""Tables of other libraries by the Arrow C data interface (`__arrow_c_stream__`, `__arrow_c_array__`), without pyarrow.

Columns of int64 and float64 are read where they are, texts too but for a list of where each begins. Other integers, floats and booleans are widened;
dates and times become ISO 8601; dictionaries are looked up.
"""
import ctypes

import numpy as np

from ._call import ffi, lib
from ._columns import texts_as_fields, value_bytes

_pointer = ctypes.pythonapi.PyCapsule_GetPointer
_pointer.restype, _pointer.argtypes = ctypes.c_void_p, [ctypes.py_object, ctypes.c_char_p]

_WIDENED = {"c": "i1", "C": "u1", "s": "i2", "S": "u2", "i": "i4", "I": "u4", "L": "u8", "e": "f2", "f": "f4", "l": "i8", "g": "f8"}
_TEXTS = {"u": "i4", "z": "i4", "U": "i8", "Z": "i8"}
_TIMES = {"tdD": ("i4", "D"), "tdm": ("i8", "ms"), "tss:": ("i8", "s"), "tsm:": ("i8", "ms"), "tsu:": ("i8", "us"), "tsn:": ("i8", "ns")}
_FIELD = [("text", np.uintp), ("length", np.uintp)]


def speaks_arrow(data):
    return hasattr(data, "__arrow_c_stream__") or hasattr(data, "__arrow_c_array__")


def _struct(capsule, name, kind):
    return ffi.cast(f"struct {kind} *", _pointer(capsule, name))


def _text(chars):
    return ffi.string(chars).decode("utf-8")


def _format(schema):
    return _text(schema.format)


def _readable(schema):
    """Whether a column can be read, by its type alone."""
    if schema.dictionary:
        return _readable(schema.dictionary)
    kind = _format(schema)
    return kind in ("b", "n", "vu", "vz") or kind in _WIDENED or kind in _TEXTS or kind in _TIMES


class ArrowColumns:
    """What an object of another library shows of its columns. A stream is read once."""

    def __init__(self, data):
        self._batches_seen = 0
        if hasattr(data, "__arrow_c_stream__"):
            self._keep = data.__arrow_c_stream__()
            self._stream = _struct(self._keep, b"arrow_array_stream", "ArrowArrayStream")
            self._schema = ffi.new("struct ArrowSchema *")
            self._asked(self._stream.get_schema(self._stream, self._schema))
            self._schema = ffi.gc(self._schema, _released)
        else:
            self._keep = data.__arrow_c_array__()
            self._stream = None
            self._schema = _struct(self._keep[0], b"arrow_schema", "ArrowSchema")
        if _format(self._schema) != "+s":
            raise TypeError("a table is needed, and this is a single column")
        self.names = [_text(self._schema.children[i].name) for i in range(self._schema.n_children)]
        if len(set(self.names)) != len(self.names):
            raise ValueError("two columns have the same name")

    def _asked(self, error):
        if error:
            said = self._stream.get_last_error(self._stream)
            raise OSError(error, _text(said) if said else "the stream of columns failed")

    def indices(self, names):
        """Where columns are; KeyError for one that is not there, TypeError for one whose type is not read."""
        found = []
        for name in names:
            if name not in self.names:
                raise KeyError(f"the data have no column '{name}'")
            found.append(self.names.index(name))
            schema = self._schema.children[found[-1]]
            if not _readable(schema):
                raise TypeError(f"column '{name}' is of the Arrow type '{_format(schema)}', which is not read: cast it to numbers or text")
        return found

    def batches(self):
        """The record batches, each alive until the next."""
        if self._stream is None:
            if not self._batches_seen:
                self._batches_seen = 1
                yield _struct(self._keep[1], b"arrow_array", "ArrowArray")
            return
        while True:
            array = ffi.new("struct ArrowArray *")
            self._asked(self._stream.get_next(self._stream, array))
            if not array.release:
                return
            yield ffi.gc(array, _released)

    def c_columns(self, batch, indices):
        """dpn_column for each, of the rows that are there, which of all rows those are, or None for all of them, and what must stay alive."""
        out, keep, chosen = ffi.new("dpn_column[]", max(1, len(indices))), [batch], _valid(batch, batch.offset, batch.length)
        for i, index in enumerate(indices):
            _put(out[i], self._schema.children[index], batch.children[index], batch.offset, batch.length, chosen, keep)
        return out, chosen, keep


def _released(struct):
    if struct.release:
        struct.release(struct)


def _numbers(pointer, kind, first, count):
    """Numbers of an Arrow buffer, where they are."""
    size = np.dtype(kind).itemsize
    if count == 0:
        return np.empty(0, dtype=kind)
    return np.frombuffer(ffi.buffer(ffi.cast("char *", pointer) + first * size, count * size), dtype=kind)


def _bits(pointer, first, count):
    whole = np.frombuffer(ffi.buffer(pointer, (first + count + 7) // 8), dtype=np.uint8)
    return np.unpackbits(whole, bitorder="little")[first : first + count]


def _address(pointer):
    return int(ffi.cast("uintptr_t", pointer))


def _fields(kind, array, first, count):
    """Texts as dpn_field that point into the buffers. What stands where a text is missing means nothing, and is not followed."""
    out = np.empty(count, dtype=_FIELD)
    if kind in _TEXTS:
        offsets = _numbers(array.buffers[1], _TEXTS[kind], first, count + 1 if count else 0)
        if count:
            out["text"] = offsets[:-1].astype(np.uintp) + np.uintp(_address(array.buffers[2]))
            out["length"] = np.diff(offsets)
        return out
    views = _numbers(array.buffers[1], [("length", "i4"), ("head", "i4"), ("buffer", "i4"), ("offset", "i4")], first, count)
    buffers = np.array([_address(array.buffers[i]) for i in range(2, array.n_buffers - 1)] or [0], dtype=np.uintp)
    there = _valid(array, first, count)
    inside = views["length"] <= 12 if there is None else (views["length"] <= 12) | ~there
    here = np.uintp(_address(array.buffers[1]) + 4) + 16 * (first + np.arange(count, dtype=np.uintp))
    outside = buffers[np.where(inside, 0, views["buffer"])] + np.where(inside, 0, views["offset"]).astype(np.uintp)
    out["text"], out["length"] = np.where(inside, here, outside), views["length"] if there is None else np.where(there, views["length"], 0)
    return out


def _times(kind, array, first, count):
    number, unit = _TIMES[kind]
    return _numbers(array.buffers[1], number, first, count).astype(np.int64).astype(f"M8[{unit}]")


def _valid(array, first, count):
    """Which values are there, or None for all: by their bits, for the number of those that are not may be unknown."""
    if not array.n_buffers or not array.buffers[0]:
        return None
    return _bits(array.buffers[0], first, count).astype(bool)


def _values(schema, array, first, count, keep):
    """A NumPy array of int64, float64 or dpn_field; None if all are missing."""
    kind = _format(schema)
    if kind == "n":
        return None
    if kind == "b":
        return _bits(array.buffers[1], first, count).astype(np.int64) if count else np.empty(0, np.int64)
    if kind in _WIDENED:
        numbers = _numbers(array.buffers[1], _WIDENED[kind], first, count)
        if kind == "L" and count and numbers.max() > np.iinfo(np.int64).max:
            return _texts(numbers.astype(object).tolist(), keep)
        return numbers.astype(np.float64 if numbers.dtype.kind == "f" else np.int64, copy=False)
    if kind in _TIMES:
        return _texts(_times(kind, array, first, count).astype(str).tolist(), keep)
    return _fields(kind, array, first, count)


def _texts(values, keep):
    fields, data = texts_as_fields([value_bytes(value) for value in values])
    keep.append(data)
    return fields


def _looked_up(schema, array, first, count, keep):
    """The values behind the indices of a dictionary, and which of them are there."""
    there = _valid(array, first, count)
    index = _numbers(array.buffers[1], _WIDENED[_format(schema)], first, count).astype(np.int64)
    if there is not None:
        index = np.where(there, index, 0)
    words = array.dictionary
    if words.length == 0:
        return None, np.zeros(count, dtype=bool)
    values = _values(schema.dictionary, words, words.offset, words.length, keep)
    known = _valid(words, words.offset, words.length)
    if values is None:
        return None, np.zeros(count, dtype=bool)
    if known is not None:
        there = known[index] if there is None else there & known[index]
    return values[index], there


_KINDS = {"i": lib.DPN_VALUE_INTEGER, "f": lib.DPN_VALUE_REAL, "V": lib.DPN_VALUE_TEXT}


def _put(out, schema, array, offset, rows, chosen, keep):
    first = array.offset + offset
    if schema.dictionary or chosen is not None:
        values, there = _looked_up(schema, array, first, rows, keep) if schema.dictionary else \
            (_values(schema, array, first, rows, keep), _valid(array, first, rows))
        if chosen is not None:
            values, there = (None if one is None else one[chosen] for one in (values, there))
        if there is not None:
            bits = np.packbits(there, bitorder="little")
            keep.append(bits)
            out.valid = ffi.cast("unsigned char *", bits.ctypes.data)
    else:
        values = _values(schema, array, first, rows, keep)
        if values is not None and array.buffers[0]:
            # Bits are counted from the start of the buffer, and so are values: both are moved by whole bytes.
            out.valid = ffi.cast("unsigned char *", array.buffers[0]) + first // 8
            out.first = first % 8
    if values is None:
        out.kind = lib.DPN_VALUE_MISSING
        return
    keep.append(values)
    out.kind, out.stride = _KINDS[values.dtype.kind], values.itemsize
    # `first` counts values too: begin that many before, which are there as bits and never read.
    out.data = ffi.cast("void *", values.ctypes.data - out.first * values.itemsize)


def numpy_columns(data):
    """All columns as NumPy arrays: numbers with NaN for what is missing, or objects with None. A row that is not there is missing in all."""
    table, parts = ArrowColumns(data), None
    indices = table.indices(table.names)
    for batch in table.batches():
        c, chosen, _keep = table.c_columns(batch, indices)
        got = [_as_numpy(c[i], batch.length if chosen is None else int(chosen.sum())) for i in range(len(indices))]
        if chosen is not None:
            got = [_spread(one, chosen) for one in got]
        parts = got if parts is None else [np.concatenate([one, more]) for one, more in zip(parts, got)]
    return dict(zip(table.names, parts if parts is not None else [np.empty(0) for _ in indices]))


def _spread(values, chosen):
    """Values where they were among all rows."""
    out = np.full(len(chosen), None, dtype=object) if values.dtype.kind == "O" else np.full(len(chosen), np.nan)
    out[chosen] = values
    return out


def _read(data):
    """A text, or the bytes themselves if they are none."""
    try:
        return data.decode("utf-8")
    except UnicodeDecodeError:
        return data


def _as_numpy(c, rows):
    there = np.ones(rows, dtype=bool)
    if c.valid:
        there = _bits(c.valid, c.first, rows).astype(bool)
    if c.kind == lib.DPN_VALUE_MISSING or rows == 0:
        return np.full(rows, np.nan)
    start = ffi.cast("char *", c.data) + c.first * c.stride
    kind = {lib.DPN_VALUE_INTEGER: np.int64, lib.DPN_VALUE_REAL: np.float64}.get(c.kind)
    if kind is not None:
        values = np.frombuffer(ffi.buffer(start, rows * 8), dtype=kind)
        return values.copy() if there.all() else np.where(there, values.astype(np.float64), np.nan)
    fields = np.frombuffer(ffi.buffer(start, rows * 16), dtype=_FIELD)
    out = np.empty(rows, dtype=object)
    for i, (at, length) in enumerate(fields.tolist()):
        out[i] = _read(ffi.buffer(ffi.cast("char *", at), length)[:]) if there[i] else None
    return out
