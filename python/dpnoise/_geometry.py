"""Norm balls and the K-norm mechanism: joint noise for answers that move together."""
import math
from typing import NamedTuple

import numpy as np

from ._call import call, ffi, lib, random_source


class Volume(NamedTuple):
    """log_lower <= log <= log_upper of a volume; exact, or with an error probability below 1e-6."""

    log: float
    log_lower: float
    log_upper: float
    exact: bool
    acceptance: float


class MeanNorms(NamedTuple):
    """Expected norms of noise and their standard errors, which are 0 where a formula gives them."""

    l1: float
    l2: float
    linf: float
    l1_error: float
    l2_error: float
    linf_error: float
    variance: np.ndarray
    variance_error: float


class TestPower(NamedTuple):
    """The most power of a test about one record: as printed by the paper, and by privacy in both directions."""

    printed: float
    both: float


TestPower.__test__ = False  # no test of pytest's


def _numbers(values, shape):
    array = np.ascontiguousarray(values, dtype=np.float64)
    if array.ndim != shape:
        raise ValueError("a vector is a list of numbers, points are a list of vectors" if shape == 2 else "a vector is a list of numbers")
    return array


def _doubles(array):
    return ffi.from_buffer("double[]", array)


def _lp(out, p, weights):
    call(lib.dpn_ball_lp, out, len(weights), p, _doubles(np.array(weights)))


def _points(function):
    def make(out, rows):
        array = np.array(rows)
        call(function, out, array.shape[1], _doubles(array), len(array))

    return make


def _joined(function):
    def make(out, *recipes):
        parts = [_built(recipe) for recipe in recipes]
        try:
            call(function, out, ffi.new("dpn_norm_ball *[]", parts), len(parts))
        except BaseException:
            for part in parts:
                lib.dpn_ball_free(part)
            raise

    return make


def _image(out, recipe, matrix):
    inner = _built(recipe)
    try:
        call(lib.dpn_ball_image, out, inner, _doubles(np.array(matrix)))
    except BaseException:
        lib.dpn_ball_free(inner)
        raise


_MAKERS = {
    "lp": _lp,
    "hull": _points(lib.dpn_ball_hull),
    "points": _points(lib.dpn_ball_points),
    "k2": lambda out: call(lib.dpn_ball_k2, out),
    "k3": lambda out: call(lib.dpn_ball_k3, out),
    "regression": lambda out, predictors: call(lib.dpn_ball_regression, out, predictors),
    "regression-hull": lambda out, pieces: call(lib.dpn_ball_regression_hull, out, pieces),
    "sum": _joined(lib.dpn_ball_sum),
    "product": _joined(lib.dpn_ball_product),
    "intersection": _joined(lib.dpn_ball_intersection),
    "image": _image,
}


def _built(recipe):
    """A dpn_norm_ball of its own, to be freed or given away: those that are joined belong to what they become."""
    out = ffi.new("dpn_norm_ball **")
    _MAKERS[recipe[0]](out, *recipe[1:])
    return out[0]


def _rows(points):
    return tuple(tuple(row) for row in _numbers(points, 2).tolist())


class NormBall:
    """A convex, bounded, symmetric set around 0, whose norm is 1 on its surface. Noise of density exp(-epsilon |v|/sensitivity) is
    epsilon-private for answers whose moves have at most the norm `sensitivity`.

    >>> ball = NormBall.box([1, 2])
    >>> ball.norm([0.5, 2]), [0.5, 1] in ball
    (1.0, True)
    >>> (ball & NormBall.l1([2, 2])).volume().exact
    False
    >>> NormBall.hull([[2, 0], [1, 2], [1, -2]]).rvs(5, epsilon=0.5).shape
    (5, 2)
    """

    __slots__ = ("_c", "_recipe", "__weakref__")

    def __init__(self, recipe):
        self._recipe = recipe
        self._c = ffi.gc(_built(recipe), lib.dpn_ball_free)

    # ---- making them ----

    @classmethod
    def lp(cls, p, weights):
        """|(u_i/weight_i)_i|_p <= 1; a whole number of weights stands for so many ones."""
        weights = (1.0,) * weights if isinstance(weights, int) else tuple(_numbers(weights, 1).tolist())
        return cls(("lp", float(p), weights))

    @classmethod
    def l1(cls, weights):
        return cls.lp(1, weights)

    @classmethod
    def l2(cls, weights):
        return cls.lp(2, weights)

    @classmethod
    def box(cls, weights):
        """|u_i| <= weight_i."""
        return cls.lp(math.inf, weights)

    @classmethod
    def hull(cls, points):
        """The convex hull of points and their negatives, in exact arithmetic; of up to 10 dimensions."""
        return cls(("hull", _rows(points)))

    @classmethod
    def points(cls, points):
        """The same hull for up to 256 dimensions; it has norms, and no volume or draws."""
        return cls(("points", _rows(points)))

    @classmethod
    def k2(cls):
        """The moves of (sum x, 2 sum x^2), x within [-1, 1], one record replaced."""
        return cls(("k2",))

    @classmethod
    def k3(cls):
        """The moves of (sum x, sum y, sum xy)."""
        return cls(("k3",))

    @classmethod
    def regression(cls, predictors):
        """A ball around the moves of all sums of a linear regression."""
        return cls(("regression", int(predictors)))

    @classmethod
    def regression_hull(cls, pieces=8):
        """The hull of these for one predictor, from outside."""
        return cls(("regression-hull", int(pieces)))

    def image(self, matrix):
        """{A u : u in the ball}."""
        rows = _rows(matrix)
        if len(rows) != self.dim or len(rows[0]) != self.dim:
            raise ValueError(f"a square matrix of {self.dim} rows is needed")
        return NormBall(("image", self._recipe, rows))

    def __and__(self, other):
        return NormBall(("intersection", self._recipe, other._recipe))

    def __add__(self, other):
        """Blocks of coordinates, the norm the sum of both."""
        return NormBall(("sum", self._recipe, other._recipe))

    def __mul__(self, other):
        """Blocks of coordinates, the norm the larger of both."""
        return NormBall(("product", self._recipe, other._recipe))

    def __reduce__(self):
        return NormBall, (self._recipe,)

    def __eq__(self, other):
        return isinstance(other, NormBall) and self._recipe == other._recipe

    def __hash__(self):
        return hash(self._recipe)

    def __repr__(self):
        return f"<NormBall {self._recipe[0]} of {self.dim} dimensions>"

    # ---- measures ----

    @property
    def dim(self):
        return lib.dpn_ball_dimension(self._c)

    def _vector(self, values):
        array = _numbers(values, 1)
        if len(array) != self.dim:
            raise ValueError(f"a vector of {self.dim} numbers is needed")
        return _doubles(array)

    def norm(self, u):
        return lib.dpn_ball_norm(self._c, self._vector(u))

    def norm_upper(self, u):
        """A number not below the norm, for guarantees."""
        out = ffi.new("double *")
        call(lib.dpn_ball_norm_upper, out, self._c, self._vector(u))
        return out[0]

    def __contains__(self, u):
        return bool(lib.dpn_ball_contains(self._c, self._vector(u)))

    def support(self, direction):
        """The largest inner product with a direction; NaN where there is no formula."""
        return lib.dpn_ball_support(self._c, self._vector(direction))

    def half_widths(self):
        out = np.empty(self.dim)
        lib.dpn_ball_half_widths(_doubles(out), self._c)
        return out

    @property
    def vertices(self):
        """Of a hull."""
        out = np.empty((lib.dpn_ball_vertices(self._c), self.dim))
        for i in range(len(out)):
            lib.dpn_ball_vertex(_doubles(out[i]), self._c, i)
        return out

    @property
    def facets(self):
        """How many simplices the exact triangulation of a hull has."""
        return lib.dpn_ball_facets(self._c)

    def volume(self, points=100_000):
        out = ffi.new("dpn_volume *")
        call(lib.dpn_ball_volume, out, self._c, random_source(), points)
        return Volume(out.log, out.log_lower, out.log_upper, bool(out.exact), out.acceptance)

    def sensitivity(self, points):
        """A number not below the norm of all these moves: what `rvs` takes."""
        array, out = _numbers(points, 2), ffi.new("double *")
        if array.shape[1] != self.dim:
            raise ValueError(f"moves of {self.dim} numbers are needed")
        call(lib.dpn_sensitivity_upper, out, self._c, _doubles(array), len(array))
        return out[0]

    def is_inside(self, other, scale=1.0, other_scale=1.0):
        """Whether scale times this ball lies within other_scale times the other one: True, False, or None where it is not known."""
        found = lib.dpn_ball_inside(self._c, scale, other._c, other_scale)
        return {lib.DPN_ORDER_INSIDE: True, lib.DPN_ORDER_NOT_INSIDE: False}.get(found)

    # ---- the noise ----

    def entropy(self, epsilon=1.0, sensitivity=1.0, points=100_000):
        """Of the noise, in nats."""
        return lib.dpn_knorm_entropy(self.dim, sensitivity / epsilon, self.volume(points).log)

    def mean_norms(self, epsilon=1.0, sensitivity=1.0, points=100_000):
        out, variance = ffi.new("dpn_mean_norms *"), np.empty(self.dim)
        call(lib.dpn_ball_mean_norms, out, _doubles(variance), self._c, sensitivity / epsilon, random_source(), points)
        return MeanNorms(out.l1, out.l2, out.linf, out.l1_error, out.l2_error, out.linf_error, variance, out.variance_error)

    def conditional_variance(self, direction, epsilon=1.0, sensitivity=1.0):
        """The variance of the noise on the line through a direction."""
        return lib.dpn_knorm_conditional_variance(self._c, sensitivity / epsilon, self._vector(direction))

    def depth(self, x, epsilon=1.0, sensitivity=1.0):
        """The probability that noise lies further out than x."""
        return lib.dpn_knorm_depth(self._c, sensitivity / epsilon, self._vector(x))

    def radius(self, probability, epsilon=1.0, sensitivity=1.0):
        """That many times the ball is the smallest set that holds the noise with a probability."""
        return lib.dpn_knorm_radius(self.dim, sensitivity / epsilon, probability)

    def rvs(self, size=None, *, epsilon=1.0, sensitivity=1.0, grid_exponent=None):
        """Exact draws on a grid, rows of `dim` numbers."""
        # The rate is rounded down, so that the guarantee is not more than asked for.
        rate = math.nextafter(epsilon / sensitivity, 0) if hasattr(math, "nextafter") else float(np.nextafter(epsilon / sensitivity, 0))
        grids = ([math.frexp(half / rate * 2.0**-16)[1] - 1 for half in self.half_widths()] if grid_exponent is None
                 else [int(grid_exponent)] * self.dim)
        made = ffi.new("dpn_ball_sampler **")
        call(lib.dpn_ball_sampler_new, made, self._c, rate, ffi.new("int[]", grids))
        sampler, source = ffi.gc(made[0], lib.dpn_ball_sampler_free), random_source()
        count = 1 if size is None else int(size)
        steps = np.empty((count, self.dim), dtype=np.int64)
        c = ffi.from_buffer("int64_t[]", steps)
        for i in range(count):
            call(lib.dpn_ball_sampler_draw, c + i * self.dim, sampler, source)
        out = np.ldexp(steps.astype(np.float64), np.array(grids, dtype=np.int32))
        return out[0] if size is None else out


def linear_moves(matrix, low, high):
    """The moves of sums of A x, x in a box, one record replaced: points for `NormBall.hull`.

    >>> linear_moves([[1, 1], [1, -1]], [0, 0], [1, 1]).tolist()
    [[2.0, 0.0], [0.0, -2.0]]
    """
    a, low, high = _numbers(matrix, 2), _numbers(low, 1), _numbers(high, 1)
    if len(low) != a.shape[1] or len(high) != a.shape[1]:
        raise ValueError("the box has an end of each kind for every column of the matrix")
    out = np.empty((2 ** (a.shape[1] - 1), len(a)))
    call(lib.dpn_space_linear, _doubles(out), len(a), _doubles(a), a.shape[1], _doubles(low), _doubles(high))
    return out


def power_of_test(epsilon, level):
    """The most power that a test of this level about one record can have, seen what is epsilon-private.

    >>> power_of_test(1, 0.05).printed
    0.1359...
    """
    found = lib.dpn_knorm_power(epsilon, level)
    return TestPower(found.printed, found.both)
