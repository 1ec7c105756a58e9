"""Private fits of tables, as `dpnoise fit` makes them, and the models that come out."""
import html
import json
import math
from typing import NamedTuple

import numpy as np

from ._audit import audit_of, claim
from ._call import Watch, call, ffi, lib, random_source, text_of, written
from ._columns import column_of, rows_of, value_bytes
from ._ledger import optional
from ._picture import interval, table
from ._privacy import choice
from ._release import Asking, declaration_of, opened
from ._source import Table, frame_of

KINDS = {"linear": lib.DPN_FIT_LINEAR, "logistic": lib.DPN_FIT_LOGISTIC, "quantile": lib.DPN_FIT_QUANTILE}
_ACCOUNTING = {"exact": lib.DPN_FIT_EXACT, "zcdp": lib.DPN_FIT_ZCDP, "paper": lib.DPN_FIT_PAPER}
_NUMBERS = ("l1", "l2", "rows", "clip", "step", "within", "share", "quantile", "sample_rate")
_COUNTS = ("passes", "points", "blocks")

SETTINGS = ("method", "noise", "ball", "fit_intercept", "raw", "identical", "accounting", "start", "smoothness", "tune", "within_l2",
            *_NUMBERS, *_COUNTS)


class Options:
    """dpn_fit_options and the texts and arrays that they refer to."""

    def __init__(self, kind, said):
        if unknown := set(said) - set(SETTINGS):
            raise TypeError(f"a fit has no setting '{unknown.pop()}'")
        self._keep = [optional(said.get(name)) for name in ("method", "noise", "ball")]
        self.c = ffi.new("dpn_fit_options *", lib.dpn_fit_options_init())
        self.c.kind = choice(KINDS, kind, "kind of fit")
        self.c.method, self.c.noise, self.c.ball = self._keep
        self.c.no_intercept = not said.get("fit_intercept", True)
        self.c.raw, self.c.identical = bool(said.get("raw")), bool(said.get("identical"))
        self.c.tune, self.c.within_l2 = bool(said.get("tune")), bool(said.get("within_l2"))
        self.c.accounting = choice(_ACCOUNTING, said.get("accounting") or "exact", "accounting")
        for name in _NUMBERS:
            setattr(self.c, name, float(said.get(name) or 0.0))
        for name in _COUNTS:
            setattr(self.c, name, int(said.get(name) or 0))
        for name, count in (("start", "starts"), ("smoothness", "smoothnesses")):
            if said.get(name) is not None:
                self._keep.append(np.array(said[name], dtype=np.float64, ndmin=1))
                setattr(self.c, name, ffi.from_buffer("double[]", self._keep[-1]))
                setattr(self.c, count, len(self._keep[-1]))


class Fit:
    """A dpn_fit. Rows are numbers, or fields where there are words or predicates."""

    def __init__(self, options):
        made = ffi.new("dpn_fit **")
        call(lib.dpn_fit_new, made, options.c)
        self.options, self.c = options, ffi.gc(made[0], lib.dpn_fit_free)

    @property
    def columns(self):
        names = []
        while (name := text_of(lib.dpn_fit_column(self.c, len(names)))) is not None:
            names.append(name)
        return names

    def plan(self, declaration):
        call(lib.dpn_fit_plan, self.c, declaration)
        return self

    def numbers(self, matrix):
        call(lib.dpn_fit_numbers, self.c, ffi.from_buffer("double[]", matrix), len(matrix))

    def read(self, table):
        """All rows of a `Table` that delivers the columns of the fit."""
        for fields, rows in table.batches():
            call(lib.dpn_fit_rows, self.c, fields, rows)
        call(lib.dpn_fit_unusable, self.c, table.unusable())

    def frame(self, frame):
        """All rows of columns in memory: numbers as the numbers that Python prints, what is missing as a missing field."""
        columns = [_texts(column_of(frame, name)) for name in self.columns]
        if any(len(column) != rows_of(frame) for column in columns):
            raise ValueError("a column is a list of as many values as there are rows")
        data = [one for row in zip(*columns) for one in row]
        whole = ffi.new("char[]", b"".join(one for one in data if one is not None) or b"\0")
        fields = np.zeros(len(data), dtype=[("text", np.uintp), ("length", np.uintp)])
        lengths = np.array([0 if one is None else len(one) for one in data], dtype=np.uintp)
        there = np.array([one is not None for one in data], dtype=bool)
        starts = int(ffi.cast("uintptr_t", whole)) + np.concatenate(([0], np.cumsum(lengths)[:-1])).astype(np.uintp)
        fields["text"], fields["length"] = np.where(there, starts, 0), lengths
        call(lib.dpn_fit_rows, self.c, ffi.cast("dpn_field *", fields.ctypes.data), rows_of(frame))

    def run(self, progress=None):
        """Fit, with a bar if that is asked for; Ctrl-C ends it."""
        made = ffi.new("dpn_model **")
        self.watched(progress, lib.dpn_fit_run, made, self.c, random_source())
        return Model._of(made[0])

    def watched(self, progress, function, *arguments):
        watch = Watch(progress)
        lib.dpn_fit_watch(self.c, lib.dpn_python_progress, lib.dpn_python_cancelled, watch.handle)
        try:
            watch.call(function, *arguments)
        finally:
            lib.dpn_fit_watch(self.c, ffi.NULL, ffi.NULL, ffi.NULL)

    def answer(self, asking, progress=None):
        """The model of a question that is paid: fitted, or given again."""
        text = ffi.new("char **")
        self.watched(progress, lib.dpn_question_result, text, asking.c, random_source())
        return Model(text_of(text[0]))


def _texts(column):
    return [value_bytes(value) for value in (column.tolist() if hasattr(column, "tolist") else column)]


# ---- models ----


class Coefficient(NamedTuple):
    """A coefficient in the data's units, with its 95% interval; `Model.interval` says what that accounts for."""

    name: str
    value: float
    low: float
    high: float


class Model:
    """A fitted model, read from the text that `dpnoise fit --json` prints."""

    def __init__(self, text):
        made, data = ffi.new("dpn_model **"), text.encode()
        call(lib.dpn_model_read, made, data, len(data))
        self._keep(made[0])

    def _keep(self, made):
        self._c = ffi.gc(made, lib.dpn_model_free)

    @classmethod
    def _of(cls, made):
        out = cls.__new__(cls)
        out._keep(made)
        return out

    kind = property(lambda self: text_of(lib.dpn_fit_kind_name(self._c.kind)))
    method = property(lambda self: text_of(self._c.method))
    is_private = property(lambda self: bool(self._c.is_private))
    intercept = property(lambda self: bool(self._c.intercept), doc="Whether the first coefficient is a constant.")
    interval = property(lambda self: text_of(self._c.interval), doc="'noise', 'sampling', or '' without intervals.")
    epsilon = property(lambda self: text_of(self._c.epsilon))
    delta = property(lambda self: text_of(self._c.delta))
    target = property(lambda self: text_of(self._c.target))
    bounds = property(lambda self: (self._c.lower, self._c.upper), doc="Of the target.")
    releases = property(lambda self: json.loads(text_of(self._c.releases) or "[]"), doc="What was drawn, and its plans.")

    @property
    def coefficients(self):
        all_of = (self._c.coefficient[i] for i in range(self._c.coefficients))
        return [Coefficient(text_of(one.name), one.value, one.low, one.high) for one in all_of]

    @property
    def features(self):
        """(column, level) of each; the level of a number is None."""
        return [(text_of(self._c.feature[i].column), text_of(self._c.feature[i].level)) for i in range(self._c.features)]

    def detail(self, coefficient, what):
        """What descent did with a coefficient: its "sensitivity", "smoothness", "clip", "step" or "noise"."""
        return lib.dpn_model_detail(self._c, coefficient, what.encode())

    def predict(self, data):
        """The mean, probability or quantile for each row of a data frame; NaN where a field is no number."""
        columns = [_texts(column_of(data, name)) for name, _ in self.features]
        out, field = np.empty(rows_of(data)), ffi.new("dpn_field[]", max(1, len(columns)))
        for i, row in enumerate(zip(*columns)):
            keep = [ffi.NULL if one is None else ffi.new("char[]", one) for one in row]
            for j, text in enumerate(keep):
                field[j].text, field[j].length = text, 0 if text == ffi.NULL else len(text) - 1
            out[i] = lib.dpn_model_predict(self._c, field)
        return out

    def to_json(self):
        return written(lib.dpn_model_write, self._c)

    def __reduce__(self):
        return Model, (self.to_json(),)

    def _repr_html_(self):
        all_of = self.coefficients
        ends = [end for one in all_of for end in (one.low, one.value, one.high) if math.isfinite(end)]
        rows = [(html.escape(one.name), f"{one.value:.6g}", f"{one.low:.6g} to {one.high:.6g}" if math.isfinite(one.low) else "",
                 interval(one.low, one.value, one.high, min(*ends, 0), max(*ends, 0)) if math.isfinite(one.low) else "") for one in all_of]
        words = f"(epsilon {self.epsilon}, delta {self.delta})-private" if self.is_private else "NOT PRIVATE"
        return table(("coefficient", "value", "95% interval", ""), rows) + f"<small>{html.escape(self.kind)} fit by {html.escape(self.method)}: {words}</small>"

    def __repr__(self):
        lines = [f"<Model {self.kind} by {self.method}, epsilon {self.epsilon}, delta {self.delta}" if self.is_private
                 else f"<Model {self.kind}, NOT PRIVATE"]
        lines += [f"  {one.name} {one.value:.6g} [{one.low:.6g}, {one.high:.6g}]" for one in self.coefficients]
        return "\n".join(lines) + ">"


# ---- what is asked ----


def _bounded(said):
    """("income", 0, 100) of "income:0:100"; ("income",) where bounds are registered."""
    if not isinstance(said, str):
        return tuple(said)
    parts = said.rsplit(":", 2)
    return tuple(parts) if len(parts) == 3 else (said,)


class Asked:
    """A fit that is asked: its declaration, its options, and what is left for the question."""

    def __init__(self, kind, target, features, said):
        settings = {name: said.pop(name) for name in SETTINGS if name in said}
        if settings.get("method") == "non-private":
            said.setdefault("epsilon", 1)  # which nothing is made of
        self.options = Options(kind, settings)
        levels = {column: list(words) for column, words in (said.pop("levels", None) or {}).items()}
        features = [features] if isinstance(features, (str, tuple)) else list(features)
        numbers = [one for one in map(_bounded, features) if one[0] not in levels]
        listed = {name: said.pop(name) for name in ("where", "person", "max_rows", "relation", "epsilon", "delta", "missing", "na") if name in said}
        self.declaration = declaration_of({"mean": [_bounded(target), *numbers], "by": list(levels) or None, "levels": levels or None, **listed})
        self.rest = said


def fit(kind, data, *, target, features, ledger=None, name=None, user=None, note=None, fresh=False, table=None, public=None, progress=None,
        **said):
    """A private fit of a table: `kind` is "linear", "logistic" or "quantile", `data` as for `release`.

    `target` and `features` are columns with public bounds, "income:0:100000" or ("income", 0, 100000); those with `levels` are words.
    Settings are those of the shell: method, passes, clip, l1, l2, noise, quantile, sample_rate, blocks, tune ... With a `ledger` the fit is
    charged before a row is read; without one nothing is recorded, and the caller keeps the budget. `public` rows with the same columns
    choose the setting. `progress` is told the share that is done, or True for a bar.

    >>> people = {"hours": [38, 40, 20, 12] * 500, "income": [31000, 42000, 18000, 9000] * 500}
    >>> model = fit("linear", people, target="income:0:100000", features="hours:0:80", epsilon=5)
    >>> [one.name for one in model.coefficients]
    ['(intercept)', 'hours']
    """
    asked = Asked(kind, target, features, said)
    if asked.rest:
        raise TypeError(f"fit has no argument '{next(iter(asked.rest))}'")
    if public is not None:
        asked.options = _tuned(asked, public)
    made = Fit(asked.options)
    if ledger is None:
        made.plan(asked.declaration)
        _read(made, data, table)
        return made.run(progress)
    ledger, close = opened(ledger)
    asking = None
    ledger._lock.acquire()
    try:
        asking = Asking(data, ledger, name, asked.declaration, user=user, note=note, fresh=fresh, progress=None, table=table,
                        inquiry=lib.dpn_fit_inquiry(made.c))
        asking.pay_and_read(made.columns, lambda source: source.feed_fit(made), want=asking.source.want_fit)
        return made.answer(asking, progress)
    finally:
        if asking is not None:
            asking.close()
        ledger._lock.release()
        if close:
            ledger.close()


def _read(made, data, table=None):
    source = Table(data, table=table) if isinstance(data, (str, bytes)) or hasattr(data, "__fspath__") else frame_of(data, "rows")
    try:
        source.want_fit(made.columns)
        source.feed_fit(made)
    finally:
        source.close()


def _tuned(asked, public):
    rows = Fit(asked.options).plan(asked.declaration)
    _read(rows, public)
    return tuned_options(rows, asked.options, asked.declaration)[0]


def tuned_options(rows, options, declaration):
    """The options that do best on the public rows of a planned fit, and their cost."""
    chosen, cost = ffi.new("dpn_fit_options *"), ffi.new("double *")
    call(lib.dpn_fit_tune, chosen, cost, rows.c, options.c, declaration)
    out = Options.__new__(Options)
    out._keep, out.c = [options], chosen
    return out, cost[0]


def forecast(kind, rows, *, target, features, **said):
    """How far a fit is likely to be from the same fit without noise, if a table has so many rows: made-up ones are fitted.

    >>> forecast("linear", 1000, target="y:0:1", features="x:0:1", epsilon=1) > 0
    True
    """
    asked, error = Asked(kind, target, features, said), ffi.new("double *")
    made = Fit(asked.options).plan(asked.declaration)
    call(lib.dpn_fit_forecast, error, made.c, int(rows), random_source())
    return error[0]


def audit_fit(kind, *, target, features, samples=20_000, epsilon_claimed=None, delta_claimed=None, confidence=0.999, progress=None, **said):
    """Draw whole fits of made-up tables that differ by one row, and try to refute what they claim. Nothing is read or spent."""
    asked = Asked(kind, target, features, said)
    options = ffi.new("dpn_audit_fit_options *", lib.dpn_audit_fit_options_init())
    options.fit, options.declaration, options.samples, options.confidence = asked.options.c, asked.declaration, int(samples), confidence
    claim(options, epsilon_claimed, delta_claimed)
    watch, out = Watch(progress), ffi.new("dpn_audit *")
    watch.put(options)
    watch.call(lib.dpn_audit_fit, out, options, random_source())
    return audit_of(out)


class Experiment(NamedTuple):
    """What papers report of a tuned fit. NOT PRIVATE."""

    rows: int
    passes: int
    step: float
    clip: float
    tuned: float
    nmse: float
    nmse_error: float
    distance: float
    test: float
    plain_test: float


def experiment(kind, data, *, target, features, trials=20, as_declared=False, seed=0, **said):
    """NOT PRIVATE: standardise the columns, tune passes, step and clip of "cd" or "gd" on the rows, as papers do, and measure."""
    asked = Asked(kind, target, features, said)
    made = Fit(asked.options).plan(asked.declaration)
    _read(made, data)
    options = ffi.new("dpn_experiment_options *", lib.dpn_experiment_options_init())
    options.trials, options.as_declared, options.seed = trials, as_declared, seed
    out = ffi.new("dpn_experiment *")
    call(lib.dpn_fit_experiment, out, made.c, options, random_source())
    return Experiment(out.rows, out.passes, out.step, out.clip, out.tuned, out.nmse.mean, out.nmse.error, out.distance.mean,
                      out.test.mean, out.plain_test)


def methods():
    """The methods of fitting, and a sentence about each.

    >>> "kng" in methods()
    True
    """
    found = {}
    while (name := text_of(lib.dpn_fit_method_name(len(found)))) is not None:
        found[name] = text_of(lib.dpn_fit_method_about(len(found)))
    return found
