"""Columns of data frames and arrays as the library reads them, without copies where their types allow it."""
import numpy as np

from ._call import ffi, lib


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


def _is_missing(value):
    return value is None or value != value or type(value).__name__ in ("NAType", "NaTType")


def _fields(values):
    """Texts as dpn_field, and the bytes that they refer to."""
    encoded = [b"" if _is_missing(value) else str(value).encode("utf-8", "surrogatepass") for value in values]
    data = ffi.new("char[]", b"".join(encoded))
    lengths = np.array([len(one) for one in encoded], dtype=np.uintp)
    starts = np.concatenate(([0], np.cumsum(lengths)[:-1])).astype(np.uintp) if len(encoded) else lengths
    fields = np.empty(len(encoded), dtype=[("text", np.uintp), ("length", np.uintp)])
    fields["text"], fields["length"] = starts + int(ffi.cast("uintptr_t", data)), lengths
    return fields, data


class Columns:
    """dpn_column for each name; keeps alive what they refer to."""

    def __init__(self, frame, names):
        self.rows, self._keep = rows_of(frame), []
        self.c = ffi.new("dpn_column[]", max(1, len(names)))
        for i, name in enumerate(names):
            self._put(self.c[i], column_of(frame, name))

    def _put(self, out, values):
        missing = None
        if hasattr(values, "isna"):  # pandas: also its own integers with holes, categories and texts
            missing = np.asarray(values.isna(), dtype=bool)
            if values.dtype.kind in "iub" and missing.any():
                values = values.fillna(0)
        if getattr(values, "dtype", None) is not None and getattr(values.dtype, "kind", "O") in "iub":
            array = np.asarray(values)
            if array.dtype == np.uint64 and array.size and array.max() > np.iinfo(np.int64).max:
                array = array.astype(object)
            else:
                array = array.astype(np.int64, copy=False)
        else:
            array = np.asarray(values)
        if array.ndim != 1 or len(array) != self.rows:
            raise ValueError("a column is a list of as many values as there are rows")
        if array.dtype.kind in "iub":
            array, out.kind, kind = array.astype(np.int64, copy=False), lib.DPN_VALUE_INTEGER, "int64_t[]"
        elif array.dtype.kind == "f":
            array, out.kind, kind = array.astype(np.float64, copy=False), lib.DPN_VALUE_REAL, "double[]"
        else:
            if missing is None:
                missing = np.array([_is_missing(value) for value in array.tolist()], dtype=bool)
            array, data = _fields(array.tolist())
            self._keep.append(data)
            out.kind, kind = lib.DPN_VALUE_TEXT, None
        if array.size and array.strides[0] < 0:
            array = np.ascontiguousarray(array)
        self._keep.append(array)
        out.data = ffi.cast("void *", array.ctypes.data)
        out.stride = array.strides[0] if array.size else array.itemsize
        if missing is not None and missing.any():
            bits = np.packbits(~missing, bitorder="little")
            self._keep.append(bits)
            out.valid = ffi.cast("unsigned char *", bits.ctypes.data)
