"""Vectors of unequal sensitivities: how unequal they are, and which of two needs less noise."""
from typing import NamedTuple

import numpy as np

from ._call import call, ffi, lib


class Inequality(NamedTuple):
    """`gini` is 0 if all are equal; `gain` is how many times the mean squared error of Gaussian noise with a sigma for each answer identical noise has."""

    gini: float
    gain: float


def _vector(sensitivities):
    made = np.array(sensitivities, dtype=np.float64, ndmin=1)
    if made.ndim != 1:
        raise ValueError("sensitivities are a list of numbers")
    return made


def inequality(sensitivities):
    """How unequal sensitivities are, and what noise of its own for each answer gains.

    >>> inequality([1, 1, 1, 1])
    Inequality(gini=0.0, gain=1.0)
    >>> inequality([0, 0, 0, 1])
    Inequality(gini=0.75, gain=4.0)
    """
    made, out = _vector(sensitivities), ffi.new("dpn_inequality *")
    call(lib.dpn_inequality_of, out, ffi.from_buffer("double[]", made), len(made))
    return Inequality(out.gini, out.gain)


def majorises(first, second):
    """Whether the squares of one vector, divided by their sum, majorise those of another: then with the same l2 norm it needs no more
    Gaussian noise. Of two vectors neither may majorise the other.

    >>> majorises([1, 2, 3], [1, 1, 1]), majorises([1, 1, 1], [1, 2, 3])
    (True, False)
    """
    first, second, out = _vector(first), _vector(second), ffi.new("bool *")
    if len(first) != len(second):
        raise ValueError("the two vectors differ in length")
    call(lib.dpn_majorises, out, ffi.from_buffer("double[]", first), ffi.from_buffer("double[]", second), len(first))
    return bool(out[0])
