"""From a guarantee to the noise with the least error."""
import numpy as np

from ._call import ParseError, Watch, call, encoded, ffi, lib, printed, text_of, workspace, written
from ._law import Law
from ._privacy import Epsilon, _delta, _interval, choice, meant, set_of

_OBJECTIVES = {"mse": lib.DPN_OBJECTIVE_MSE, "mae": lib.DPN_OBJECTIVE_MAE, "interval95": lib.DPN_OBJECTIVE_INTERVAL95}
_BALLS = {"box": lib.DPN_BALL_BOX, "l1": lib.DPN_BALL_L1, "l2": lib.DPN_BALL_L2, "linf": lib.DPN_BALL_LINF, "hull": lib.DPN_BALL_HULL}
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


def calibration_options(*, objective="mse", condition="exact", weight=None, identical=False, shape=None, times=1, ball=None, watch, keep):
    """dpn_calibration_options; `keep` holds what they refer to."""
    options = ffi.new("dpn_calibration_options *", lib.dpn_calibration_options_init())
    options.objective = choice(_OBJECTIVES, objective, "objective")
    options.condition = choice(_CONDITIONS, condition, "condition")
    options.identical, options.times, options.workspace, options.hulls = identical, times, workspace(), lib.dpn_exact_hulls()
    if shape is not None:
        options.shape_min, options.shape_max = shape if isinstance(shape, (tuple, list)) else (shape, shape)
    if ball is not None:
        options.has_ball, options.ball = True, choice(_BALLS, ball, "ball")
    if weight is not None:
        keep.append(np.array(weight, dtype=np.float64, ndmin=1))
        options.weight = ffi.from_buffer("double[]", keep[-1])
    watch.put(options)
    return options


def _mechanisms():
    names = []
    while (name := text_of(lib.dpn_mechanism_name(len(names)))) is not None:
        names.append(name)
    return names


def _epsilon_or_error(epsilon, error):
    if (epsilon is None) == (error is None):
        raise TypeError("give epsilon, for the least error, or error, for the least epsilon")


def calibrate(family, epsilon=None, delta=0.0, sensitivity=1.0, *, error=None, objective="mse", condition="exact", weight=None,
              identical=False, shape=None, times=1, ball=None, progress=None):
    """The noise of a family with the least error that is (epsilon, delta)-private; or, with `error`, the least epsilon with an error of at
    most that. Families are those of laws (`families`), and "k-norm", "blocks", "start-box", "start-staircase", "random-box", "spherical", "truncated-staircase", "discrete-staircase".

    >>> calibrate("laplace", 1).law
    Law('laplace(scale=1)')
    >>> calibrate("gaussian", 1, 1e-6).mse
    17.847...
    >>> round(calibrate("laplace", error=8).epsilon, 9)
    0.5
    """
    _epsilon_or_error(epsilon, error)
    if family not in (known := _mechanisms()):
        raise ParseError(f"there is no family '{family}'{meant(family, known)}")
    of, watch, keep, made = set_of(sensitivity), Watch(progress), [], ffi.new("dpn_plan *")
    options = calibration_options(objective=objective, condition=condition, weight=weight, identical=identical, shape=shape, times=times,
                                  ball=ball, watch=watch, keep=keep)
    function = lib.dpn_calibrate if error is None else lib.dpn_calibrate_epsilon
    watch.call(function, made, encoded(family), epsilon if error is None else error, delta, of._c, options)
    return Plan._made(made)
