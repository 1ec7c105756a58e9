"""Noise on numbers."""
import decimal
import json

import numpy as np

from ._calibrate import calibration_options
from ._call import Watch, call, encoded, ffi, lib, number_text, printed, random_source, written
from ._privacy import set_of


class Noisy:
    """Numbers with noise: `value`, `low` and `high` of their 95% intervals, and the plan in `plan`. `text` has all digits. `head` is the
    entry of the charge, if there was one."""

    def __init__(self, text, half, plan, shape, head):
        self.text = text
        self.value = np.array([float(one) for one in text]).reshape(shape)
        self.half_width = np.array(half).reshape(shape)
        self.low, self.high = self.value - self.half_width, self.value + self.half_width
        self.plan, self.head = plan, head

    def __array__(self, dtype=None, copy=None):
        return np.asarray(self.value, dtype=dtype)

    def __repr__(self):
        return f"<Noisy {self.value!r} +- {self.half_width!r}>"


class _Borrowed:
    """A plan that belongs to a release."""

    def __init__(self, c):
        self._c = c


def _exact(value):
    return number_text(str(value) if isinstance(value, (str, int, decimal.Decimal)) else float(value)).encode()


def add(values, epsilon, delta=0.0, sensitivity=1.0, *, family=None, ball=None, whole=False, grid_exponent=None, objective="mse", weight=None,
        identical=False, ledger=None, name=None, note=None, user=None, progress=None):
    """Values with exact noise, which may be published once. With a `ledger` and the `name` of a budget they are charged before noise is drawn;
    else nothing is written down.

    Values are numbers, or decimal texts of any length. One number as sensitivity is the bound of each of them.

    >>> noisy = add(1204, epsilon=1, whole=True)
    >>> noisy.text[0].lstrip("-").isdigit()
    True
    """
    given = np.asarray(values, dtype=object)
    if given.ndim and np.ndim(sensitivity) == 0 and not hasattr(sensitivity, "_c"):
        sensitivity = np.full(given.size, float(sensitivity))
    of, watch, keep = set_of(sensitivity), Watch(progress), []
    if of.dim != given.size:
        raise ValueError(f"there are {given.size} values and a sensitivity of {of.dim} answers")
    chosen = ffi.NULL if family is None and ball is None else ffi.new("char[]", encoded(family or "k-norm"))
    options = ffi.new("dpn_release_options *", lib.dpn_release_options_init())
    options.epsilon, options.delta, options.set, options.family, options.whole = float(epsilon), float(delta), of._c, chosen, whole
    calibration = calibration_options(objective=objective, weight=weight, identical=identical, ball=ball, watch=watch, keep=keep)
    options.calibration = calibration
    if grid_exponent is not None:
        options.has_grid, options.grid_exponent = True, grid_exponent
    made = ffi.new("dpn_release **")
    watch.call(lib.dpn_release_new, made, options)
    release = ffi.gc(made[0], lib.dpn_release_free)
    steps = ffi.new("int64_t[]", of.dim)
    for i, value in enumerate(given.ravel()):
        call(lib.dpn_release_parse, steps + i, release, i, _exact(value))
    head = None
    if ledger is not None:
        from ._release import opened

        ledger, close = opened(ledger)
        try:
            head = ledger.charge(name, epsilon, delta, plan=_Borrowed(lib.dpn_release_plan(release)), note=note, user=user)
        finally:
            if close:
                ledger.close()
    call(lib.dpn_release_draw, steps, release, random_source(), steps)
    texts = [printed(lib.DPN_RELEASE_TEXT_SIZE, lib.dpn_release_print, release, i, steps[i]) for i in range(of.dim)]
    half = [lib.dpn_release_interval95(release, i) for i in range(of.dim)]
    return Noisy(texts, half, json.loads(written(lib.dpn_plan_write, lib.dpn_release_plan(release))), given.shape, head)
