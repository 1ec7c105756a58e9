"""How Python calls the library: statuses become exceptions, texts become str, handles are kept per thread."""
import os
import threading

from ._core import ffi, lib
from ._progress import shown


class Error(Exception):
    """A call that the library refused. `status` is the library's name for the reason, DPN_EDOMAIN for example."""

    status = ""


class DomainError(Error, ValueError):
    """An argument lies outside the domain of the function."""


class ParseError(Error, ValueError):
    """Text that does not follow its grammar."""


class BudgetError(Error):
    """The privacy budget does not allow the charge."""


class AccuracyError(Error, ArithmeticError):
    """The accuracy asked for cannot be reached."""


class EntropyError(Error):
    """The kernel's random source failed."""


class NoMemoryError(Error, MemoryError):
    """There is not enough memory."""


class FileError(Error, OSError):
    """A file could not be read or written."""


class UnsupportedError(Error, NotImplementedError):
    """A valid request that this build or mechanism does not serve."""


_CLASSES = {
    lib.DPN_EDOMAIN: DomainError,
    lib.DPN_EPARSE: ParseError,
    lib.DPN_EBUDGET: BudgetError,
    lib.DPN_EACCURACY: AccuracyError,
    lib.DPN_EENTROPY: EntropyError,
    lib.DPN_ENOMEM: NoMemoryError,
    lib.DPN_EIO: FileError,
    lib.DPN_EUNSUPPORTED: UnsupportedError,
}


def text_of(chars):
    return None if chars == ffi.NULL else ffi.string(chars).decode("utf-8", "replace")


def error_of(status, why):
    error = _CLASSES.get(status, Error)(text_of(why.sentence) or text_of(lib.dpn_status_text(status)))
    error.status = text_of(lib.dpn_status_name(status))
    return error


def call(function, *arguments):
    """Call a function whose last argument is a dpn_error."""
    why = ffi.new("dpn_error *")
    status = function(*arguments, why)
    if status:
        raise error_of(status, why)


def written(function, *arguments):
    """The text that a function (char **text, size_t *length, ...) writes."""
    text, length = ffi.new("char **"), ffi.new("size_t *")
    call(function, text, length, *arguments)
    try:
        return ffi.buffer(text[0], length[0])[:].decode("utf-8")
    finally:
        lib.free(text[0])


def printed(size, function, *arguments):
    """The text that a function prints into room of this size, its first argument."""
    room = ffi.new("char[]", size)
    function(room, *arguments)
    return text_of(room)


def encoded(text):
    """A text for C, in which a NUL would end it early."""
    if "\0" in text:
        raise ValueError("a text must not hold a NUL character")
    return text.encode()


def number_text(number):
    """A number as the decimal that was meant: 0.1 is 1/10, not the double next to it."""
    if isinstance(number, str):
        return number
    if isinstance(number, int):
        return str(number)
    return repr(float(number))


# ---- what each thread has for itself ----

_mine = threading.local()


def _own(name, make, free):
    """A handle of this thread in this process: after a fork the child makes its own."""
    kept = getattr(_mine, name, None)
    if kept is None or kept[0] != os.getpid():
        handle = ffi.new(f"dpn_{name} **")
        make(handle)
        kept = (os.getpid(), ffi.gc(handle[0], free))
        setattr(_mine, name, kept)
    return kept[1]


def random_source():
    return _own("rng", lambda handle: call(lib.dpn_rng_new, handle), lib.dpn_rng_free)


def _new_workspace(handle):
    if lib.dpn_workspace_new(handle):
        raise NoMemoryError("no memory for a workspace")


def workspace():
    return _own("workspace", _new_workspace, lib.dpn_workspace_free)


# ---- long calls: progress, and Ctrl-C ----


class Watch:
    """Lets a long call report its progress and be interrupted. In the call: options.progress, options.cancelled, options.context.

    `progress` is a function that is told the share that is done, or True for a bar.
    """

    def __init__(self, progress=None):
        self.progress, self._end = shown(progress)
        self.interrupted = None
        self.handle = ffi.new_handle(self)

    def put(self, options):
        options.context = self.handle
        options.cancelled = lib.dpn_python_cancelled
        options.progress = lib.dpn_python_progress

    def call(self, function, *arguments):
        try:
            call(function, *arguments)
        except Error:
            if self.interrupted:
                raise self.interrupted from None
            raise
        finally:
            self._end()


def _report(exception, value, traceback):
    """What a callback raised, Ctrl-C above all, ends the call and is raised where it was made."""
    context = traceback.tb_frame.f_locals.get("context") if traceback else None
    if context is not None:
        ffi.from_handle(context).interrupted = value


@ffi.def_extern(onerror=_report)
def dpn_python_progress(context, done):
    watch = ffi.from_handle(context)
    if watch.progress and not watch.interrupted:
        watch.progress(done)


@ffi.def_extern(error=True, onerror=_report)
def dpn_python_cancelled(context):
    return ffi.from_handle(context).interrupted is not None
