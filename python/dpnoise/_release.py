"""Private statistics of a table or a data frame."""
import html
import json
import os
import pathlib
from typing import NamedTuple

from ._call import Watch, call, encoded, error_of, ffi, lib, number_text, random_source, text_of
from ._columns import value_text
from ._ledger import Ledger, head_text, optional
from ._source import Table, frame_of, registered_table

_KINDS = ("count", "sum", "mean", "histogram", "quantile", "variance", "covariance")


class Cell(NamedTuple):
    """A private number and its 95% interval; `kind` says what that promises: exact, conservative or conditional."""

    value: float
    low: float
    high: float
    kind: str

    def __float__(self):
        return self.value


class Answer:
    """Groups and their numbers: answer["count"], answer["north", "count"], or all of it by to_pandas()."""

    def __init__(self, c, by, standing):
        self.by, self.outputs = by, [text_of(c.output[o]) for o in range(c.outputs)]
        self.groups = [tuple(text_of(c.key[g * c.bys + k]) for k in range(c.bys)) for g in range(c.groups)]
        self._cells = {}
        for g, key in enumerate(self.groups):
            for o, output in enumerate(self.outputs):
                cell = c.cell[g * c.outputs + o]
                kind = text_of(lib.dpn_interval_kind_name(cell.kind)) or ""
                self._cells[key, output] = Cell(cell.value, cell.low, cell.high, kind)
        self.head = head_text(standing.head)
        self.stored = bool(standing.stored)

    def __getitem__(self, key):
        *group, output = key if isinstance(key, tuple) else (key,)
        return self._cells[tuple(group), output]

    def __iter__(self):
        return iter(self.groups)

    def __len__(self):
        return len(self.groups)

    def to_pandas(self):
        import pandas

        rows = []
        for group in self.groups:
            row = dict(zip(self.by, group))
            for output in self.outputs:
                cell = self._cells[group, output]
                row[output], row[output + " low"], row[output + " high"] = cell.value, cell.low, cell.high
            rows.append(row)
        return pandas.DataFrame(rows)

    def __str__(self):
        table = [list(self.by) + self.outputs]
        for group in self.groups:
            cells = (self._cells[group, output] for output in self.outputs)
            table.append(list(group) + [f"{cell.value:.6g} [{cell.low:.6g}, {cell.high:.6g}]" for cell in cells])
        widths = [max(len(row[i]) for row in table) for i in range(len(table[0]))]
        return "\n".join("  ".join(word.ljust(width) for word, width in zip(row, widths)).rstrip() for row in table)

    __repr__ = __str__

    def _repr_html_(self):
        head = "".join(f"<th>{html.escape(word)}</th>" for word in (*self.by, *self.outputs))
        rows = []
        for group in self.groups:
            cells = (self._cells[group, output] for output in self.outputs)
            words = [html.escape(key) for key in group] + [f"{cell.value:.6g} <small>[{cell.low:.6g}, {cell.high:.6g}]</small>" for cell in cells]
            rows.append("<tr>" + "".join(f"<td>{word}</td>" for word in words) + "</tr>")
        return f"<table><tr>{head}</tr>{''.join(rows)}</table><small>values and 95% intervals</small>"


# ---- the question ----


def _statistics(kind, said):
    """The statistics of one kind, each a dict of the declaration or a text as in the shell."""
    if said is None or said is False:
        return []
    if said is True:
        return [{"kind": kind}] if kind == "count" else [""]
    if isinstance(said, dict):
        said = [(column, *(bounds if isinstance(bounds, (tuple, list)) else (bounds,))) for column, bounds in said.items()]
    elif isinstance(said, (str, tuple)):
        said = [said]
    made = []
    for one in said:
        if isinstance(one, str):
            made.append(one)
            continue
        if not isinstance(one, (tuple, list)):
            raise TypeError(f"{kind}: a text as in the shell, or a tuple of a column and its bounds, not {one!r}")
        column, *numbers = one
        numbers = [number_text(number) for number in numbers]
        if len(numbers) > {"histogram": len(numbers), "quantile": 4}.get(kind, 2):
            raise ValueError(f"{kind} of '{column}': there are more numbers than it takes")
        if kind == "histogram":
            made.append({"kind": kind, "column": column, "edges": numbers})
        elif kind == "quantile":
            names = ("quantile", "lower", "upper", "step")
            made.append({"kind": kind, "column": column, **dict(zip(names, numbers))})
        elif kind == "covariance":
            raise ValueError("a covariance is written as in the shell: 'a:0:1,b:0:10'")
        else:
            made.append({"kind": kind, "column": column, **dict(zip(("lower", "upper"), numbers))})
    return made


def _words(said):
    return [] if said is None else [said] if isinstance(said, str) else list(said)


def declaration_of(said):
    """A dpn_declaration of what was said: JSON for what has parts, the shell's grammar for texts."""
    document = json.loads(json.dumps(said.pop("question", None) or {}))
    typed = []
    for kind in _KINDS:
        for one in _statistics(kind, said.pop(kind, None)):
            if isinstance(one, str):
                typed.append((kind, one))
            else:
                document.setdefault("statistics", []).append(one)
    levels = said.pop("levels", None) or {}
    if unknown := set(levels) - set(_words(said.get("by"))):
        raise ValueError(f"there are levels of '{unknown.pop()}', which is not in by")
    if by := _words(said.pop("by", None)):
        document["by"] = [{"column": column, **({"levels": [value_text(level) for level in levels[column]]} if column in levels else {})}
                          for column in by]
    wheres = _words(said.pop("where", None))
    for name in ("epsilon", "delta"):
        if said.get(name) is not None:
            document[name] = number_text(said[name])
    for name in ("person", "max_rows", "max_groups", "per_person", "relation", "missing", "na", "noise", "nonnegative",
                 "consistent", "count_left_out"):
        if said.get(name) is not None:
            document[name] = said[name]
    text = json.dumps(document).encode()
    c = ffi.new("dpn_declaration *")
    call(lib.dpn_declaration_read, c, text, len(text))
    c = ffi.gc(c, lib.dpn_declaration_free)
    for kind, one in typed:
        call(lib.dpn_declare_statistic, c, _kind(kind), encoded(one))
    for one in wheres:
        call(lib.dpn_declare_where, c, encoded(one))
    return c


def _kind(name):
    i = 0
    while (found := text_of(lib.dpn_statistic_kind_name(i))) is not None:
        if found == name:
            return i
        i += 1
    raise ValueError(f"there is no statistic '{name}'")


def opened(ledger):
    """A ledger that is given, or one that is opened for this call; and whether it has to be closed."""
    return (ledger, False) if isinstance(ledger, Ledger) else (Ledger(ledger), True)


class Asking:
    """One question through the library's protocol: put, charged, fed, answered."""

    def __init__(self, data, ledger, name, declaration, *, user, note, fresh, progress, inquiry=ffi.NULL, table=None, secret=ffi.NULL):
        self._ledger, self._watch, self.c, self.source = ledger, Watch(progress), None, None
        registered = isinstance(data, str) and not os.path.exists(data) and data in ledger
        if registered and ledger.registration(data) is None:
            raise ValueError(f"'{data}' has a budget and is not registered: say which data it is about, with name='{data}'")
        if isinstance(data, (str, pathlib.PurePath)):
            if not registered:
                self.source = Table(data, table=table)
                name = name or pathlib.PurePath(data).stem
            else:
                name = data
        else:
            if not name:
                raise ValueError("data in memory need a name: that of their budget in the ledger")
            self.source = data if hasattr(data, "may_be") else frame_of(data, name)
        self._keep = [optional(name), optional(user), optional(note)]
        options = ffi.new("dpn_question_options *", lib.dpn_question_options_init())
        options.secret = secret
        options.analyst, options.note, options.fresh, options.inquiry = self._keep[1], self._keep[2], fresh, inquiry
        options.hulls = lib.dpn_exact_hulls()
        self._watch.put(options)
        options.states = hasattr(self.source, "check")  # made elsewhere, and noted beside a registration too
        if self.source and (options.states or not (name in ledger and ledger.registration(name))):
            options.place = self.source.place
            self._handle = ffi.new_handle(self.source)
            options.same, options.same_context = lib.dpn_python_same, self._handle
        made = ffi.new("dpn_question **")
        self._watch.call(lib.dpn_question_new, made, ledger._open(), self._keep[0], declaration, options)
        self.c = ffi.gc(made[0], lib.dpn_question_free)
        registration = lib.dpn_question_registration(self.c)
        if self.source is None:
            self.source = registered_table(registration)
        elif registration != ffi.NULL and not self.source.may_be(registration.source):
            raise ValueError(f"'{name}' is registered with other data")
        if options.states:
            self.source.check(self.c)

    @property
    def standing(self):
        return lib.dpn_question_look(self.c)

    @property
    def is_free(self):
        return self.standing.state in (lib.DPN_QUESTION_STORED, lib.DPN_QUESTION_OTHERS)

    def cost(self):
        cost = ffi.new("dpn_cost *")
        call(lib.dpn_question_preview, cost, ffi.NULL, self.c)
        return cost

    def pay_and_read(self, columns, feed, want=None):
        """Charge, and if rows are needed give them to `feed`. What fails after the charge says nothing of the data."""
        want = want or self.source.want
        if not self.is_free:
            want(columns)
        call(lib.dpn_question_charge, self.c, random_source())
        if self.standing.state != lib.DPN_QUESTION_CHARGED:
            return
        try:
            feed(self.source)
        except BaseException as error:
            why = ffi.new("dpn_error *", {"status": lib.DPN_EIO})
            reason = str(error).encode("utf-8", "replace")[:200]
            ffi.memmove(why.sentence, reason, len(reason))
            status = lib.dpn_question_fail(self.c, why, why)
            if isinstance(error, Exception):
                raise error_of(status, why) from None
            raise

    def close(self):
        """The question goes before its ledger."""
        if self.c is not None:
            ffi.release(self.c)
            self.c = None
        if self.source is not None:
            self.source.close()


def release(data, *, ledger, name=None, question=None, count=None, sum=None, mean=None, variance=None, histogram=None,
            quantile=None, covariance=None, by=None, levels=None, where=None, person=None, max_rows=None, max_groups=None,
            per_person=None, relation=None, epsilon=None, delta=None, yes_epsilon=False, missing=None, na=None, noise=None, nonnegative=None,
            consistent=None, count_left_out=None, table=None, user=None, note=None, fresh=False, dry_run=False,
            progress=None):
    """Private statistics of `data`: the name of a registered data set, a path or database address, or columns in memory (a
    DataFrame, a dict of arrays), which need the name of their budget.

    Statistics are texts as in the shell, "income:0:200000", or tuples ("income", 0, 200000), or lists or dicts of these.
    The charge is on the disk before the first row is read; the same question again is free and gives the same answer, also if a
    data frame of that name has changed since: fresh=True asks and pays again. dry_run=True tells whether the charge fits.

    >>> import tempfile
    >>> with Ledger(tempfile.mkdtemp() + "/people.db", create=True) as ledger:
    ...     _ = ledger.init("people", epsilon=1)
    ...     people = {"region": ["north", "south"] * 500, "income": list(range(1000))}
    ...     answer = release(people, name="people", ledger=ledger, count=True, mean=("income", 0, 1000), by="region",
    ...                      levels={"region": ["north", "south"]}, epsilon="0.5")
    ...     north = answer["north", "count"]
    ...     print(north.low < north.value < north.high, ledger["people"].left_pure)
    True 0.5
    """
    said = dict(locals())
    if epsilon is not None and float(epsilon) > 10 and not yes_epsilon:
        raise ValueError("an epsilon above 10 protects almost nothing: say yes_epsilon=True if it is meant")
    for own in ("data", "ledger", "name", "yes_epsilon", "table", "user", "note", "fresh", "dry_run", "progress"):
        said.pop(own)
    declaration = declaration_of(said)
    ledger, close = opened(ledger)
    asking = None
    ledger._lock.acquire()
    try:
        asking = Asking(data, ledger, name, declaration, user=user, note=note, fresh=fresh, progress=progress, table=table)
        query = lib.dpn_question_query(asking.c)
        if dry_run:
            cost = asking.cost()
            return {"fits": bool(cost.fits), "spent_before": cost.before.epsilon, "spent_after": cost.after.epsilon,
                    "free": asking.is_free, "question": json.loads(text_of(lib.dpn_question_text(asking.c)))}
        columns, i = [], 0
        while (column := text_of(lib.dpn_query_column(query, i))) is not None:
            columns.append(column)
            i += 1
        asking.pay_and_read(columns, lambda source: source.feed(lib.dpn_question_tally(asking.c)))
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
