"""Samples against a claim: a lower bound on epsilon that no honest mechanism exceeds."""
from typing import NamedTuple

from ._call import Watch, ffi, lib, random_source
from ._law import law_of
from ._privacy import set_of


class AuditPoint(NamedTuple):
    """The claim (epsilon, delta), and what the samples say there."""

    epsilon: float
    delta: float
    epsilon_lower: float
    delta_lower: float
    power: float


class Audit(NamedTuple):
    """What an audit found. `passed` is False if a lower bound exceeds its claim, which is refuted then; True proves nothing."""

    passed: bool
    at: AuditPoint
    points: list
    confidence: float
    samples: int
    pairs: int
    events: int

    def __bool__(self):
        return self.passed


def _point(c):
    return AuditPoint(c.epsilon, c.delta, c.epsilon_lower, c.delta_lower, c.power)


def audit_of(c):
    return Audit(bool(getattr(c, "pass")), _point(c.at),
                 [_point(c.point[i]) for i in range(lib.DPN_AUDIT_POINTS)], c.confidence, c.samples, c.pairs, c.events)


def claim(options, epsilon, delta):
    if epsilon is not None:
        options.claimed, options.epsilon = True, epsilon
    if delta is not None:
        options.delta = delta


def audit(noise, sensitivity=1.0, *, samples=1_000_000, epsilon=None, delta=None, grid_exponent=None, progress=None):
    """Draw noise as releases do, on neighbouring answers, and try to refute the certified profile, or the claim (epsilon, delta).

    `noise` is a law, a list with one for each answer, or a `Plan`, which has its own sensitivity set.

    >>> bool(audit("laplace(scale=1)", samples=20_000))
    True
    >>> bool(audit("laplace(scale=0.5)", epsilon=1, samples=20_000))
    False
    """
    options = ffi.new("dpn_audit_options *", lib.dpn_audit_options_init())
    if hasattr(noise, "_plan_set"):
        of = noise._plan_set()
        options.plan, options.set = noise._c, of
    else:
        laws = [law_of(one) for one in (noise if isinstance(noise, (list, tuple)) else [noise])]
        c, of = ffi.new("dpn_law[]", [one._c[0] for one in laws]), set_of(sensitivity)
        options.law, options.laws, options.set = c, len(laws), of._c
    options.samples = int(samples)
    claim(options, epsilon, delta)
    options.at_delta = delta is not None
    if grid_exponent is not None:
        options.has_grid, options.grid_exponent = True, grid_exponent
    return _run(lib.dpn_audit_run, options, progress)


def audit_release(*, samples=20_000, epsilon_claimed=None, delta_claimed=None, confidence=0.999, progress=None, **question):
    """Draw whole releases of made-up tables that differ by one unit, and try to refute what the question declares. The
    question is that of `release`; nothing is read or spent.

    >>> bool(audit_release(count=True, epsilon="1", samples=2000))
    True
    """
    from ._release import declaration_of

    options = ffi.new("dpn_audit_release_options *", lib.dpn_audit_release_options_init())
    declaration = declaration_of(question)
    options.declaration, options.samples, options.confidence = declaration, int(samples), confidence
    claim(options, epsilon_claimed, delta_claimed)
    return _run(lib.dpn_audit_release, options, progress)


def _run(function, options, progress):
    watch, out = Watch(progress), ffi.new("dpn_audit *")
    watch.put(options)
    watch.call(function, out, options, random_source())
    return audit_of(out)
