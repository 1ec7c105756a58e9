"""Tables that speak the Arrow C data interface, made with ctypes alone: what pyarrow or polars would show."""
import ctypes

import numpy as np


class Schema(ctypes.Structure):
    pass


class Array(ctypes.Structure):
    pass


class Stream(ctypes.Structure):
    pass


release_schema = ctypes.CFUNCTYPE(None, ctypes.POINTER(Schema))
release_array = ctypes.CFUNCTYPE(None, ctypes.POINTER(Array))
Schema._fields_ = [("format", ctypes.c_char_p), ("name", ctypes.c_char_p), ("metadata", ctypes.c_char_p), ("flags", ctypes.c_int64),
                   ("n_children", ctypes.c_int64), ("children", ctypes.POINTER(ctypes.POINTER(Schema))),
                   ("dictionary", ctypes.POINTER(Schema)), ("release", release_schema), ("private_data", ctypes.c_void_p)]
Array._fields_ = [("length", ctypes.c_int64), ("null_count", ctypes.c_int64), ("offset", ctypes.c_int64), ("n_buffers", ctypes.c_int64),
                  ("n_children", ctypes.c_int64), ("buffers", ctypes.POINTER(ctypes.c_void_p)),
                  ("children", ctypes.POINTER(ctypes.POINTER(Array))), ("dictionary", ctypes.POINTER(Array)),
                  ("release", release_array), ("private_data", ctypes.c_void_p)]
Stream._fields_ = [("get_schema", ctypes.CFUNCTYPE(ctypes.c_int, ctypes.POINTER(Stream), ctypes.POINTER(Schema))),
                   ("get_next", ctypes.CFUNCTYPE(ctypes.c_int, ctypes.POINTER(Stream), ctypes.POINTER(Array))),
                   ("get_last_error", ctypes.CFUNCTYPE(ctypes.c_void_p, ctypes.POINTER(Stream))),
                   ("release", ctypes.CFUNCTYPE(None, ctypes.POINTER(Stream))), ("private_data", ctypes.c_void_p)]

new_capsule = ctypes.pythonapi.PyCapsule_New
new_capsule.restype, new_capsule.argtypes = ctypes.py_object, [ctypes.c_void_p, ctypes.c_char_p, ctypes.c_void_p]
REASON = ctypes.create_string_buffer(b"row 17 of 'income' is damaged")
ROWS = object()
released = []
alive = []


@release_schema
def drop_schema(schema):
    schema.contents.release = release_schema()
    released.append("schema")


@release_array
def drop_array(array):
    array.contents.release = release_array()
    released.append("array")


def bits(flags, offset):
    return np.packbits([0] * offset + [int(flag) for flag in flags], bitorder="little")


def column(kind, values, *, offset=0, valid=None):
    """(format, buffers, dictionary) of a column whose first `offset` values belong to somebody else."""
    there = [value is not None for value in values] if valid is None else valid
    missing = not all(there)
    buffers = [bits(there, offset) if missing else None]
    filled = [value if one else (0 if kind not in "uUvuz" else "") for value, one in zip(values, there)]
    if kind == "b":
        buffers.append(bits(filled, offset))
    elif kind in ("u", "U"):
        encoded = [b"not yours"] * offset + [value.encode() for value in filled]
        ends = np.cumsum([0] + [len(one) for one in encoded])
        buffers += [ends.astype("i4" if kind == "u" else "i8"), np.frombuffer(b"".join(encoded) or b"\0", dtype="u1")]
    elif kind == "vu":
        views, long = np.zeros((offset + len(filled), 16), dtype="u1"), b""
        for i, value in enumerate(filled, offset):
            data = value.encode()
            views[i, :4] = np.frombuffer(np.int32(len(data)).tobytes(), "u1")
            if len(data) <= 12:
                views[i, 4 : 4 + len(data)] = np.frombuffer(data, "u1")
            else:
                views[i, 4:8] = np.frombuffer(data[:4], "u1")
                views[i, 12:16] = np.frombuffer(np.int32(len(long)).tobytes(), "u1")
                long += data
        buffers += [views, np.frombuffer(long or b"\0", "u1"), np.array([len(long)])]
    elif kind != "n":
        types = {"l": "i8", "g": "f8", "i": "i4", "C": "u1", "L": "u8", "f": "f4", "tdD": "i4", "tsu:": "i8"}
        buffers.append(np.array([77] * offset + filled, dtype=types[kind]))
    return kind, (buffers if kind != "n" else []), len(values), offset, None


def dictionary(indices, words):
    kind, buffers, length, offset, _ = column("i", indices)
    return kind, buffers, length, offset, column("u", words)


def c_array(made):
    kind, buffers, length, offset, words = made
    alive.append(buffers)
    pointers = (ctypes.c_void_p * max(1, len(buffers)))(*[None if one is None else one.ctypes.data for one in buffers])
    out = Array(length, -1 if buffers and buffers[0] is not None else 0, offset, len(buffers), 0, pointers, None, None, drop_array, None)
    if words:
        out.dictionary = ctypes.pointer(c_array(words))
    alive.append((pointers, out))
    return out


def c_schema(name, made):
    out = Schema(made[0].encode(), name.encode(), None, 2, 0, None, None, drop_schema, None)
    if made[4]:
        out.dictionary = ctypes.pointer(c_schema("", made[4]))
    alive.append(out)
    return out


def batch(columns):
    """A batch of columns; under the name ROWS, which rows are there and the number of those that are not, as the struct tells it."""
    there, null_count = columns.get(ROWS, (None, 0))
    columns = {name: made for name, made in columns.items() if name != ROWS}
    children = [ctypes.pointer(c_array(made)) for made in columns.values()]
    pointers = (ctypes.POINTER(Array) * len(children))(*children)
    whole = None if there is None else bits(there, 0)
    valid = (ctypes.c_void_p * 1)(None if whole is None else whole.ctypes.data)
    out = Array(next(iter(columns.values()))[2], null_count, 0, 1, len(children), valid, pointers, None, drop_array, None)
    alive.append((children, pointers, whole, valid, out))
    return out


def schema(columns):
    children = [ctypes.pointer(c_schema(name, made)) for name, made in columns.items() if name != ROWS]
    pointers = (ctypes.POINTER(Schema) * len(children))(*children)
    out = Schema(b"+s", b"", None, 0, len(children), pointers, None, drop_schema, None)
    alive.append((children, pointers, out))
    return out


class OneBatch:
    """As a pyarrow.RecordBatch."""

    def __init__(self, columns):
        self._columns = columns

    def __arrow_c_array__(self, requested_schema=None):
        of, array = schema(self._columns), batch(self._columns)
        return (new_capsule(ctypes.addressof(of), b"arrow_schema", None), new_capsule(ctypes.addressof(array), b"arrow_array", None))


class Batches:
    """As a pyarrow.Table or a polars.DataFrame; `fails` after so many batches."""

    def __init__(self, *batches, fails=None):
        self._batches, self._fails = batches, fails

    def __arrow_c_stream__(self, requested_schema=None):
        waiting = list(enumerate(self._batches))

        def get_schema(_, out):
            ctypes.memmove(out, ctypes.byref(schema(self._batches[0])), ctypes.sizeof(Schema))
            return 0

        def get_next(_, out):
            if self._fails is not None and (not waiting or waiting[0][0] >= self._fails):
                return 5
            one = batch(waiting.pop(0)[1]) if waiting else Array()
            ctypes.memmove(out, ctypes.byref(one), ctypes.sizeof(Array))
            return 0

        functions = dict(Stream._fields_)
        stream = Stream(functions["get_schema"](get_schema), functions["get_next"](get_next),
                        functions["get_last_error"](lambda _: ctypes.addressof(REASON)), functions["release"](lambda _: None), None)
        alive.append(stream)
        return new_capsule(ctypes.addressof(stream), b"arrow_array_stream", None)
