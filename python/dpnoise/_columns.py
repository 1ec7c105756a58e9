"""Columns of data frames and arrays as the library reads them, without copies where their types allow it.

Integers and booleans (True is 1) are integers, floats are reals, all else is text: bytes as they are, dates as ISO 8601, numbers within columns of
objects as they would be in a column of their own. None, NaN, NaT, pandas.NA and masked values are missing, and so is what has no text. The types of
a column may be refused, and never a value in it: that would be an answer about the data for nothing.
"""
from collections.abc import Sequence
from decimal import Decimal

import numpy as np

from ._call import ffi, lib, printed


def column_of(frame, name):
    try:
        return frame[name]
    except (KeyError, IndexError, ValueError):
        raise KeyError(f"the data have no column '{name}'") from None


def rows_of(frame):
    if hasattr(frame, "keys") and not hasattr(frame, "shape"):
        lengths = {len(frame[name]) for name in frame.keys()}
        if len(lengths) > 1:
            raise ValueError("the columns differ in length")
        return lengths.pop() if lengths else 0
    return len(frame)


def is_missing(value):
    if value is None or type(value).__name__ in ("NAType", "NaTType", "MaskedConstant"):
        return True
    try:
        if isinstance(value, Decimal):
            return Decimal.is_nan(value)
        if isinstance(value, (np.datetime64, np.timedelta64)):
            return bool(np.isnat(value))
        return isinstance(value, (float, np.floating)) and bool(np.isnan(value))
    except Exception:
        return True


def value_text(value):
    """A value as text: equal to what a column of its own type is compared with."""
    if isinstance(value, str):
        return value
    if isinstance(value, bytes):
        return value.decode("utf-8")
    if isinstance(value, (bool, np.bool_)):
        return str(int(value))
    if isinstance(value, (float, np.floating)):
        text = printed(lib.DPN_NUMBER_SIZE, lib.dpn_number_print, float(value))
        return "0" if text == "-0" else text
    if isinstance(value, (complex, np.complexfloating)):
        raise TypeError("complex numbers are neither numbers nor texts here")
    return str(value)


def value_bytes(value):
    """The bytes of a field, or None if it is missing. Total: whatever a value does when it is asked for its text, it is missing then."""
    try:
        if is_missing(value):
            return None
        if isinstance(value, (bytes, bytearray, memoryview)):
            return bytes(value)
        return str.encode(value_text(value), "utf-8", "surrogatepass")
    except Exception:
        return None


def texts_as_fields(encoded):
    """Bytes as dpn_field, those of None empty, and the memory that they refer to."""
    encoded = [one or b"" for one in encoded]
    data = ffi.new("char[]", b"".join(encoded))
    lengths = np.array([len(one) for one in encoded], dtype=np.uintp)
    starts = np.concatenate(([0], np.cumsum(lengths)[:-1])).astype(np.uintp) if len(encoded) else lengths
    fields = np.empty(len(encoded), dtype=[("text", np.uintp), ("length", np.uintp)])
    fields["text"], fields["length"] = starts + int(ffi.cast("uintptr_t", data)), lengths
    return fields, data


def _plain(values):
    """A NumPy array of whatever a column is, and what is missing in it, or None if that is for the values to say."""
    if isinstance(values, np.ma.MaskedArray):
        return values.data, np.ma.getmaskarray(values)
    if hasattr(values, "isna"):  # pandas
        if getattr(values, "ndim", 1) != 1:
            raise ValueError("a column stands several times in the data")
        if values.dtype == object:
            return values.to_numpy(), None
        missing = np.asarray(values.isna(), dtype=bool)
        if values.dtype.kind == "M":
            values = values.astype(str)
        return (values.to_numpy(dtype=object) if not isinstance(values.dtype, np.dtype) else values.to_numpy()), missing
    return (_listed(values) if isinstance(values, Sequence) and not isinstance(values, (str, bytes)) else np.asarray(values)), None


def _listed(values):
    """An array of numbers or times if NumPy makes one of a list; else of the objects themselves, whatever they are."""
    try:
        array = np.asarray(values)
        if array.dtype.kind in "iubfM" and array.ndim == 1:
            return array
    except Exception:
        pass
    array = np.empty(len(values), dtype=object)
    for i, value in enumerate(values):
        array[i] = value
    return array


def _narrowed(array, missing):
    """Objects that are all integers, booleans or floats, as pandas keeps columns with holes, as such an array; else as they are."""
    if array.dtype.kind == "c":
        raise TypeError("complex numbers are neither numbers nor texts here")
    if array.dtype.kind == "u" and array.size and array.max() > np.iinfo(np.int64).max:
        return array.astype(object)
    if array.dtype.kind in "iub":
        return array.astype(np.int64, copy=False)
    if array.dtype.kind == "f":
        return array.astype(np.float64, copy=False)
    if array.dtype.kind == "M":
        return array.astype(str).astype(object)
    if array.dtype.kind != "O":
        return array.astype(object)
    kinds = {type(value) for value, gone in zip(array.tolist(), missing) if not gone}
    if not kinds or not kinds <= {int, bool, np.int64, np.int32, np.bool_, float, np.float64, np.float32}:
        return array
    filled = np.where(missing, 0, array)
    if kinds <= {int, bool, np.int64, np.int32, np.bool_}:
        return filled.astype(np.int64) if all(-(2**63) <= int(value) < 2**63 for value in filled.tolist()) else array
    return filled.astype(np.float64) if kinds <= {float, np.float64, np.float32} else array


class Columns:
    """dpn_column for each name; keeps alive what they refer to."""

    def __init__(self, frame, names):
        self.rows, self._keep = rows_of(frame), []
        self.c = ffi.new("dpn_column[]", max(1, len(names)))
        for i, name in enumerate(names):
            self._put(self.c[i], column_of(frame, name))

    def _put(self, out, values):
        array, missing = _plain(values)
        if array.ndim != 1 or len(array) != self.rows:
            raise ValueError("a column is a list of as many values as there are rows")
        if missing is None and array.dtype.kind in "OM":
            missing = np.array([is_missing(value) for value in array.tolist()], dtype=bool)
        array = _narrowed(array, missing)
        if array.dtype.kind == "i":
            out.kind = lib.DPN_VALUE_INTEGER
        elif array.dtype.kind == "f":
            out.kind = lib.DPN_VALUE_REAL
        else:
            gone = np.zeros(len(array), dtype=bool) if missing is None else missing
            encoded = [None if one else value_bytes(value) for value, one in zip(array.tolist(), gone)]
            missing = np.array([one is None for one in encoded], dtype=bool)
            array, data = texts_as_fields(encoded)
            self._keep.append(data)
            out.kind = lib.DPN_VALUE_TEXT
        if array.size and array.strides[0] < 0:
            array = np.ascontiguousarray(array)
        self._keep.append(array)
        out.data = ffi.cast("void *", array.ctypes.data)
        out.stride = array.strides[0] if array.size else array.itemsize
        if missing is not None and missing.any():
            bits = np.packbits(~missing, bitorder="little")
            self._keep.append(bits)
            out.valid = ffi.cast("unsigned char *", bits.ctypes.data)
