"""From a guarantee to the noise with the least error, and noise on numbers."""
import decimal
import html
import json

import numpy as np

from ._call import Watch, call, encoded, ffi, lib, number_text, printed, random_source, text_of, workspace, written
from ._law import Law
from ._privacy import Epsilon, _delta, _interval, choice, set_of

_OBJECTIVES = {"mse": lib.DPN_OBJECTIVE_MSE, "mae": lib.DPN_OBJECTIVE_MAE, "interval95": lib.DPN_OBJECTIVE_INTERVAL95}
_CONDITIONS = {"exact": lib.DPN_CONDITION_EXACT, "sufficient": lib.DPN_CONDITION_SUFFICIENT,
               "zcdp": lib.DPN_CONDITION_ZCDP}


class Plan:
    """Which noise each answer gets, what it costs in error, and what it is certified to guarantee."""

    def __init__(self, text):
        """Read the JSON of a plan, as `dpnoise calibrate --json` prints it. Such a text claims nothing: ask `profile`."""
        made, data = ffi.new("dpn_plan *"), text.encode()
        call(lib.dpn_plan_read, made, data, len(data))
        self._keep(made)

    def _keep(self, made):
        self._c = ffi.gc(made, lib.dpn_plan_free)
        return self

    @classmethod
    def _made(cls, made):
        return cls.__new__(cls)._keep(made)

    family = property(lambda self: text_of(self._c.family))
    epsilon = property(lambda self: self._c.epsilon)
    delta = property(lambda self: _delta(self._c.delta), doc="Certified: `delta.upper` is at most the delta asked for.")
    mse = property(lambda self: self._c.mse, doc="The sum of the variances.")
    error = property(lambda self: self._c.error, doc="What was minimised.")
    dim = property(lambda self: self._c.dimension)
    note = property(lambda self: text_of(self._c.note))
    pure = property(lambda self: bool(self._c.pure))

    @property
    def noise(self):
        """The noise of each answer as text."""
        return [printed(lib.DPN_BLOCK_TEXT_SIZE, lib.dpn_block_print, lib.dpn_plan_block(self._c, i), 0)
                for i in range(self.dim)]

    @property
    def law(self):
        """The law, if all answers have the same noise of a law, else None."""
        laws = [lib.dpn_plan_law(self._c, i) for i in range(self.dim)]
        found = {None if law == ffi.NULL else Law._of(law[0]) for law in laws}
        return found.pop() if len(found) == 1 else None

    @property
    def variance(self):
        return np.array(ffi.unpack(self._c.variance, self.dim))

    def to_json(self):
        return written(lib.dpn_plan_write, self._c)

    def _plan_set(self):
        """The dpn_sensitivity that it was made for, which refers to the plan."""
        of = ffi.new("dpn_sensitivity *")
        call(lib.dpn_plan_sensitivity, of, self._c)
        return of

    def _plan_profile(self, epsilon, delta, options):
        of = self._plan_set()
        if delta is None:
            out = ffi.new("dpn_delta *")
            call(lib.dpn_plan_delta, out, ffi.NULL, workspace(), self._c, of, self._c.times, epsilon, options)
            return _delta(out)
        out = ffi.new("dpn_epsilon *")
        call(lib.dpn_plan_epsilon, out, ffi.NULL, workspace(), self._c, of, self._c.times, delta, options)
        return _interval(Epsilon, out)

    def __repr__(self):
        noise = self.noise
        shown = noise[0] if len(set(noise)) == 1 else ", ".join(noise[:4]) + (", ..." if self.dim > 4 else "")
        return f"<Plan {shown}: epsilon {self.epsilon:g}, delta <= {self.delta.upper:.6g}, mse {self.mse:.8g}>"


def _calibration(objective, condition, weight, identical, shape, times, watch, keep):
    options = ffi.new("dpn_calibration_options *", lib.dpn_calibration_options_init())
    options.objective = choice(_OBJECTIVES, objective, "objective")
    options.condition = choice(_CONDITIONS, condition, "condition")
    options.identical, options.times, options.workspace = identical, times, workspace()
    if shape is not None:
        options.shape_min, options.shape_max = shape if isinstance(shape, (tuple, list)) else (shape, shape)
    if weight is not None:
        keep.append(np.array(weight, dtype=np.float64, ndmin=1))
        options.weight = ffi.from_buffer("double[]", keep[-1])
    watch.put(options)
    return options


def calibrate(family, epsilon, delta=0.0, sensitivity=1.0, *, objective="mse", condition="exact", weight=None,
              identical=False, shape=None, times=1, progress=None):
    """The noise of a family with the least error that is (epsilon, delta)-private.

    >>> calibrate("laplace", 1).law
    Law('laplace(scale=1)')
    >>> calibrate("gaussian", 1, 1e-6).mse
    17.847...
    """
    of, watch, keep, made = set_of(sensitivity), Watch(progress), [], ffi.new("dpn_plan *")
    options = _calibration(objective, condition, weight, identical, shape, times, watch, keep)
    watch.call(lib.dpn_calibrate, made, encoded(family), epsilon, delta, of._c, options)
    return Plan._made(made)


class Comparison(list):
    """Plans, the least error first; `left_out` says why other families have none."""

    left_out: dict

    def __str__(self):
        lines = [f"{'family':<24} {'error':>14} {'mse':>14} {'delta <=':>12}"]
        lines += [f"{plan.family:<24} {plan.error:>14.8g} {plan.mse:>14.8g} {plan.delta.upper:>12.4g}" for plan in self]
        return "\n".join(lines)

    def __repr__(self):
        return str(self)

    def _repr_html_(self):
        worst = max((plan.error for plan in self), default=1)
        row = ("<tr><td>{}</td><td>{:.8g}</td><td>{:.8g}</td><td><svg width='160' height='12' role='img' aria-label='{:.3g}'>"
               "<rect width='{:.1f}' height='12' fill='#4477aa'/></svg></td></tr>")
        rows = "".join(row.format(html.escape(plan.family), plan.error, plan.mse, plan.error, 160 * plan.error / worst)
                       for plan in self)
        return f"<table><tr><th>family</th><th>error</th><th>mse</th><th></th></tr>{rows}</table>"

    def to_pandas(self):
        import pandas

        return pandas.DataFrame([{"family": plan.family, "error": plan.error, "mse": plan.mse,
                                  "epsilon": plan.epsilon, "delta_upper": plan.delta.upper,
                                  "noise": plan.noise[0] if len(set(plan.noise)) == 1 else "; ".join(plan.noise)}
                                 for plan in self])


def compare(epsilon, delta=0.0, sensitivity=1.0, *, objective="mse", condition="exact", weight=None, identical=False,
            times=1, progress=None):
    """Every family, calibrated and ranked.

    >>> compare(1, 1e-6)[0].mse <= calibrate("gaussian", 1, 1e-6).mse
    True
    """
    of, watch, keep = set_of(sensitivity), Watch(progress), []
    options = _calibration(objective, condition, weight, identical, None, times, watch, keep)
    out = ffi.new("dpn_comparison *")
    watch.call(lib.dpn_compare, out, epsilon, delta, of._c, options)
    ranked = Comparison()
    ranked.left_out = {}
    for i in range(out.rows):
        row = out.row[i]
        if row.status:
            ranked.left_out[text_of(row.family)] = text_of(row.why.sentence)
        else:
            # The plan moves into an object of its own, and the comparison forgets it.
            mine = ffi.new("dpn_plan *", row.plan)
            ffi.memmove(ffi.addressof(out.row[i], "plan"), ffi.new("dpn_plan *"), ffi.sizeof("dpn_plan"))
            ranked.append(Plan._made(mine))
    lib.dpn_comparison_free(out)
    return ranked


# ---- noise on numbers ----


class Noisy:
    """Numbers with noise: `value`, `low` and `high` of their 95% intervals, and the plan in `plan`. `text` has all digits."""

    def __init__(self, text, half, plan, shape):
        self.text = text
        self.value = np.array([float(one) for one in text]).reshape(shape)
        self.half_width = np.array(half).reshape(shape)
        self.low, self.high = self.value - self.half_width, self.value + self.half_width
        self.plan = plan

    def __repr__(self):
        return f"<Noisy {self.value!r} +- {self.half_width!r}>"


def add(values, epsilon, delta=0.0, sensitivity=1.0, *, family=None, whole=False, grid_exponent=None):
    """Values with exact noise, which may be published once. Nothing is written down: budgets are a `Ledger`'s business.

    Values are numbers, or decimal texts of any length. One number as sensitivity is the bound of each of them.

    >>> noisy = add(1204, epsilon=1, whole=True)
    >>> noisy.text[0].lstrip("-").isdigit()
    True
    """
    given = np.asarray(values, dtype=object)
    if given.ndim and np.ndim(sensitivity) == 0 and not hasattr(sensitivity, "_c"):
        sensitivity = np.full(given.size, float(sensitivity))
    of = set_of(sensitivity)
    if of.dim != given.size:
        raise ValueError(f"there are {given.size} values and a sensitivity of {of.dim} answers")
    name = ffi.NULL if family is None else ffi.new("char[]", encoded(family))
    options = ffi.new("dpn_release_options *", lib.dpn_release_options_init())
    options.epsilon, options.delta, options.set, options.family, options.whole = epsilon, delta, of._c, name, whole
    if grid_exponent is not None:
        options.has_grid, options.grid_exponent = True, grid_exponent
    made = ffi.new("dpn_release **")
    call(lib.dpn_release_new, made, options)
    release = ffi.gc(made[0], lib.dpn_release_free)
    steps = ffi.new("int64_t[]", of.dim)
    for i, value in enumerate(given.ravel()):
        exact = value if isinstance(value, (str, int, decimal.Decimal)) else float(value)
        call(lib.dpn_release_parse, steps + i, release, i, number_text(str(exact) if not isinstance(exact, float) else exact).encode())
    call(lib.dpn_release_draw, steps, release, random_source(), steps)
    texts = [printed(lib.DPN_RELEASE_TEXT_SIZE, lib.dpn_release_print, release, i, steps[i]) for i in range(of.dim)]
    half = [lib.dpn_release_interval95(release, i) for i in range(of.dim)]
    return Noisy(texts, half, json.loads(written(lib.dpn_plan_write, lib.dpn_release_plan(release))), given.shape)
