"""Exact sums of parts of a table, made anywhere and released once."""
import json
import os

from ._call import ParseError, call, ffi, lib, number_text, random_source, text_of, written
from ._release import Answer, Asking, declaration_of, opened
from ._source import Table, frame_of

_FIRST = b"dpnoise state, raw data for the curator alone\n"  # of a file, as `dpnoise tally` writes it
_WORD = "states"


def _declaration(text):
    c, data = ffi.new("dpn_declaration *"), text.encode()
    call(lib.dpn_declaration_read, c, data, len(data))
    return ffi.gc(c, lib.dpn_declaration_free)


class Tally:
    """The exact sums of some rows that a question needs: RAW DATA, like the rows themselves, for the curator alone. Tallies of parts are merged in
    any order, and the whole is released with one charge.

    The question is that of `release`, or `text=`, a specification as `dpnoise release --save-spec` writes it. Where persons are protected all parts
    share a `secret` of `Tally.new_secret()`.

    >>> asked = dict(count=True, mean=("income", 0, 100), epsilon="1")
    >>> one = Tally(**asked).update({"income": [10, 20]})
    >>> two = Tally(**asked).update({"income": [30]})
    >>> (one + two).state() == Tally(**asked).update({"income": [30, 20, 10]}).state()
    True
    """

    def __init__(self, text=None, *, secret=None, **question):
        if text is None:
            declaration = declaration_of(question)
            self.text = written(lib.dpn_declaration_write, declaration)
        elif question:
            raise TypeError("a question is given as text or in parts, not both")
        else:
            declaration = _declaration(text)
            self.text = written(lib.dpn_declaration_write, declaration)
        if declaration.person and secret is None:
            raise ValueError("where persons are protected all parts share a secret: Tally.new_secret()")
        if secret is not None and len(secret) != lib.DPN_TALLY_SECRET_SIZE:
            raise ValueError(f"a secret has {lib.DPN_TALLY_SECRET_SIZE} bytes")
        self.secret = None if secret is None else bytes(secret)
        query, tally = ffi.new("dpn_query **"), ffi.new("dpn_tally **")
        call(lib.dpn_query_new_shape, query, declaration)
        self._query = ffi.gc(query[0], lib.dpn_query_free)
        call(lib.dpn_tally_new_with, tally, self._query, self._c_secret(), random_source())
        # The tally refers to the query, which is to be freed after it.
        self._c = ffi.gc(tally[0], lambda c, query=self._query: lib.dpn_tally_free(c))

    @staticmethod
    def new_secret():
        """Of the lottery that chooses among the rows of persons who have too many: 32 bytes, for all parts."""
        out = ffi.new("dpn_tally_secret *")
        call(lib.dpn_tally_secret_new, out, random_source())
        return bytes(ffi.buffer(out.byte))

    def _c_secret(self):
        if self.secret is None:
            return ffi.NULL
        out = ffi.new("dpn_tally_secret *")
        ffi.memmove(out.byte, self.secret, len(self.secret))
        return out

    @property
    def columns(self):
        """What is read of each part."""
        names = []
        while (name := text_of(lib.dpn_query_column(self._query, len(names)))) is not None:
            names.append(name)
        return names

    # ---- rows, and other tallies ----

    def update(self, data, *, table=None):
        """Add the rows of a data frame, an Arrow table, a file or a database. Returns the tally."""
        source = Table(data, table=table) if isinstance(data, (str, bytes)) or hasattr(data, "__fspath__") else frame_of(data, "rows")
        try:
            source.want(self.columns)
            source.feed(self._c)
        finally:
            source.close()
        return self

    def merge(self, *others):
        """Add what others hold, each a Tally or the bytes of a state; they stay as they are. Returns the tally."""
        for other in others:
            state = other.state() if isinstance(other, Tally) else other
            call(lib.dpn_tally_add_state, self._c, state, len(state))
        return self

    def __iadd__(self, other):
        return self.merge(other)

    def __add__(self, other):
        return Tally(self.text, secret=self.secret).merge(self, other)

    def __radd__(self, other):
        """So that sum() works, which begins with 0."""
        return self if other == 0 else NotImplemented

    # ---- elsewhere ----

    def state(self):
        """All that it holds, as bytes: the same for the same rows, in whatever order they came. RAW DATA."""
        out, length = ffi.new("unsigned char **"), ffi.new("size_t *")
        call(lib.dpn_tally_write, out, length, self._c)
        try:
            return bytes(ffi.buffer(out[0], length[0]))
        finally:
            lib.dpn_tally_state_free(out[0], length[0])

    def save(self, path):
        """A file as `dpnoise tally` writes it, for its owner alone."""
        with open(os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "wb") as file:
            file.write(_FIRST + self.text.encode() + b"\n" + self.state())

    @classmethod
    def load(cls, path, *, secret=None):
        """Read such a file."""
        with open(path, "rb") as file:
            data = file.read()
        head, line, state = data[: len(_FIRST)], *data[len(_FIRST) :].partition(b"\n")[::2]
        if head != _FIRST:
            raise ParseError(f"'{os.fspath(path)}' holds no state with its question")
        return cls(line.decode(), secret=secret).merge(state)

    def __reduce__(self):
        return _restored, (self.text, self.secret, self.state())

    def __repr__(self):
        return f"<Tally of {', '.join(self.columns) or 'rows'}: raw data>"

    # ---- the answer ----

    def release(self, *, ledger, name, epsilon=None, delta=None, user=None, note=None, fresh=False, progress=None):
        """Charge once, and answer as `release` does. Epsilon and delta may differ from those of the question. The ledger notes the
        state: it belongs to this data set, registered or not, from then on."""
        document = json.loads(self.text)
        for what, amount in (("epsilon", epsilon), ("delta", delta)):
            if amount is not None:
                document[what] = number_text(amount)
        ledger, close = opened(ledger)
        asking, secret = None, self._c_secret()
        ledger._lock.acquire()
        try:
            asking = Asking(_States(self), ledger, name, _declaration(json.dumps(document)), user=user, note=note, fresh=fresh,
                            progress=progress, secret=secret)
            asking.pay_and_read([], lambda source: source.feed(lib.dpn_question_tally(asking.c)))
            out = ffi.new("dpn_answer **")
            call(lib.dpn_question_answer, out, asking.c, random_source())
            asked = lib.dpn_question_declaration(asking.c)
            return Answer(out[0], [text_of(asked.by[k].column) for k in range(asked.bys)], asking.standing)
        finally:
            if asking is not None:
                asking.close()
            ledger._lock.release()
            if close:
                ledger.close()


class _States:
    """A state in the place of rows: known by its name, the beginning of its SHA-256."""

    def __init__(self, tally):
        name = ffi.new("char[]", lib.DPN_TALLY_STATE_NAME_SIZE)
        self._state = tally.state()
        call(lib.dpn_tally_check_state, name, tally._c, self._state, len(self._state))
        self._name = text_of(name)[:16]
        self._what = ffi.new("char[]", f"{_WORD} {self._name}".encode())
        self.place = ffi.new("dpn_place *", {"kind": lib.DPN_PLACE_DECLARED, "what": self._what})

    def check(self, question):
        """Of a registered data set the question is what its registration left of it."""
        call(lib.dpn_question_check_state, question, self._state, len(self._state), random_source())

    def want(self, names):
        """All is there."""

    def feed(self, tally):
        call(lib.dpn_tally_add_state, tally, self._state, len(self._state))

    def is_also(self, place):
        """A state that was answered for one data set is not answered for another, alone or beside others."""
        what = text_of(place.what) if place.kind == lib.DPN_PLACE_DECLARED else None
        return bool(what) and what.split(" ")[0] == _WORD and self._name in what.split(" ")[1:]

    def may_be(self, place):
        return True

    def close(self):
        self._state = None


def _restored(text, secret, state):
    return Tally(text, secret=secret).merge(state)
