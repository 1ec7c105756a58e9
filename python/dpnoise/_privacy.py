"""What noise guarantees: profiles, compositions, Renyi divergences, conversions. Every answer is an interval that contains the true value."""
import difflib
from typing import NamedTuple

import numpy as np

from ._call import ParseError, call, encoded, error_of, ffi, lib, printed, text_of, workspace
from ._law import Law, law_of


class Delta(NamedTuple):
    """lower <= delta <= upper; as a float it is `upper`, the one that may back a guarantee."""

    lower: float
    upper: float
    log_lower: float
    log_upper: float

    def __float__(self):
        return self.upper


class Epsilon(NamedTuple):
    """lower <= epsilon <= upper; as a float it is `upper`, the one that may back a guarantee."""

    lower: float
    upper: float

    def __float__(self):
        return self.upper


class Divergence(NamedTuple):
    """lower <= divergence <= upper."""

    lower: float
    upper: float

    def __float__(self):
        return self.upper


def _delta(c):
    return Delta(c.lower, c.upper, c.log_lower, c.log_upper)


def _interval(kind, c):
    return kind(c.lower, c.upper)


_RELATIONS = {"add-remove": lib.DPN_ADD_REMOVE, "replace": lib.DPN_REPLACE}
_UNITS = {"row": lib.DPN_ROW, "person": lib.DPN_PERSON}


def meant(word, names):
    """The end of a sentence about a name that there is not: the one that is near, or all of them."""
    near = difflib.get_close_matches(str(word), names, n=1)
    return f"; did you mean '{near[0]}'?" if near else f": {', '.join(names)}"


def choice(names, word, what):
    if word not in names:
        raise ParseError(f"there is no {what} '{word}'{meant(word, names)}")
    return names[word]


class Sensitivity:
    """How far one unit can move the answers: all the bounds that are given hold at once.

    >>> Sensitivity(dim=3, linf=1, max_changed=1)
    Sensitivity(dim=3, linf=1.0, max_changed=1)
    >>> Sensitivity.histogram(10, relation="replace").max_changed
    2
    """

    def __init__(self, dim=None, *, bound=None, max_changed=0, l1=0.0, l2=0.0, linf=0.0, vertices=None,
                 relation="add-remove", unit="row"):
        self._bound = None if bound is None else np.array(bound, dtype=np.float64, ndmin=1)
        self._vertices = None if vertices is None else np.array(vertices, dtype=np.float64, ndmin=2)
        if dim is None:
            dim = len(self._bound) if bound is not None else self._vertices.shape[1] if vertices is not None else 1
        wrong = self._bound is not None and len(self._bound) != dim
        if wrong or (self._vertices is not None and self._vertices.shape[1] != dim):
            raise ValueError(f"there are {dim} answers, and as many numbers are needed for each")
        self.dim, self.max_changed = int(dim), int(max_changed)
        self.l1, self.l2, self.linf = float(l1), float(l2), float(linf)
        self.relation, self.unit = relation, unit
        self._c = ffi.new("dpn_sensitivity *", {
            "dimension": self.dim, "max_changed": self.max_changed, "l1": self.l1, "l2": self.l2, "linf": self.linf,
            "relation": choice(_RELATIONS, relation, "relation"), "unit": choice(_UNITS, unit, "unit")})
        if self._bound is not None:
            self._c.bound = ffi.from_buffer("double[]", self._bound)
        if self._vertices is not None:
            self._c.vertex, self._c.vertices = ffi.from_buffer("double[]", self._vertices), len(self._vertices)

    @classmethod
    def histogram(cls, bins, rows=1, *, relation="add-remove", unit="row"):
        """Counts of bins in which every row counts once; a unit has at most so many rows."""
        made = ffi.new("dpn_sensitivity *")
        call(lib.dpn_sensitivity_histogram, made, bins, rows, choice(_RELATIONS, relation, "relation"))
        return cls(made.dimension, max_changed=made.max_changed, l1=made.l1, l2=made.l2, linf=made.linf,
                   relation=relation, unit=unit)

    def __repr__(self):
        said = [f"dim={self.dim}"]
        said += [f"{name}={getattr(self, name)!r}" for name in ("l1", "l2", "linf", "max_changed") if getattr(self, name)]
        if self._bound is not None:
            said.append(f"bound={self._bound.tolist()}")
        if self._vertices is not None:
            said.append(f"vertices={self._vertices.tolist()}")
        said += [f"{name}={getattr(self, name)!r}" for name, usual in (("relation", "add-remove"), ("unit", "row"))
                 if getattr(self, name) != usual]
        return f"Sensitivity({', '.join(said)})"


def set_of(sensitivity):
    """A number is a box of one answer, a list that of several."""
    if isinstance(sensitivity, Sensitivity):
        return sensitivity
    return Sensitivity(bound=np.atleast_1d(np.asarray(sensitivity, dtype=np.float64)))


def _one_of(epsilon, delta):
    if (epsilon is None) == (delta is None):
        raise TypeError("give epsilon, to be told delta, or delta, to be told epsilon")


def _options(accuracy):
    if accuracy is None:
        return ffi.NULL
    options = ffi.new("dpn_accounting_options *", lib.dpn_accounting_options_init())
    options.accuracy = accuracy
    return options


_DELTA, _ERROR, _NUMBERS, _profile_delta = ffi.typeof("dpn_delta *"), ffi.typeof("dpn_error *"), (int, float), lib.dpn_profile_delta


def profile(law, sensitivity=1.0, *, epsilon=None, delta=None, accuracy=None):
    """delta for an epsilon, or the least epsilon for a delta, of noise on one answer or on a `Sensitivity` set.

    `law` is a `Law`, its text, a list with one for each answer, or a `Plan`.

    >>> profile("gaussian(sigma=1)", epsilon=1).upper
    0.126936737...
    >>> round(profile("laplace(scale=2)", 1, delta=0).upper, 12)
    0.5
    """
    if type(law) is Law and delta is None and accuracy is None and epsilon is not None and type(sensitivity) in _NUMBERS:
        # What is asked most: a few microseconds count.
        out, why = ffi.new(_DELTA), ffi.new(_ERROR)
        status = _profile_delta(out, law._c, sensitivity, epsilon, why)
        if status:
            raise error_of(status, why)
        return Delta(out.lower, out.upper, out.log_lower, out.log_upper)
    _one_of(epsilon, delta)
    if hasattr(law, "_plan_profile"):
        return law._plan_profile(epsilon, delta, _options(accuracy))
    several = isinstance(law, (list, tuple))
    if not several and accuracy is None and isinstance(sensitivity, (int, float)):
        one = law_of(law)
        if delta is None:
            out = ffi.new("dpn_delta *")
            call(lib.dpn_profile_delta, out, one._c, sensitivity, epsilon)
            return _delta(out)
        out = ffi.new("dpn_epsilon *")
        call(lib.dpn_profile_epsilon, out, one._c, sensitivity, delta)
        return _interval(Epsilon, out)
    laws = [law_of(one) for one in (law if several else [law])]
    c = ffi.new("dpn_law[]", [one._c[0] for one in laws])
    of = set_of(sensitivity)
    if delta is None:
        out = ffi.new("dpn_delta *")
        call(lib.dpn_sensitivity_delta, out, ffi.NULL, workspace(), c, len(laws), of._c, epsilon, _options(accuracy))
        return _delta(out)
    out = ffi.new("dpn_epsilon *")
    call(lib.dpn_sensitivity_epsilon, out, ffi.NULL, workspace(), c, len(laws), of._c, delta, _options(accuracy))
    return _interval(Epsilon, out)


# ---- compositions ----


class Guarantee:
    """What is known of a mechanism: pure(epsilon=1), approximate(epsilon=1,delta=1e-6), zcdp(rho=0.5), renyi(order=8,divergence=1),
    gdp(mu=1).

    >>> Guarantee("gdp(mu=1)").convert(epsilon=1).delta
    0.126936737...
    """

    def __init__(self, text):
        self._c = ffi.new("dpn_guarantee *")
        call(lib.dpn_guarantee_parse, self._c, encoded(text))

    @classmethod
    def _of(cls, c):
        out = cls.__new__(cls)
        out._c = ffi.new("dpn_guarantee *", c)
        return out

    epsilon = property(lambda self: self._c.epsilon)
    delta = property(lambda self: self._c.delta)
    xi = property(lambda self: self._c.xi)
    rho = property(lambda self: self._c.rho)
    order = property(lambda self: self._c.order)
    divergence = property(lambda self: self._c.divergence)
    mu = property(lambda self: self._c.mu)

    def __str__(self):
        return printed(lib.DPN_GUARANTEE_TEXT_SIZE, lib.dpn_guarantee_print, self._c)

    def __repr__(self):
        return f"Guarantee('{self}')"

    def __eq__(self, other):
        return isinstance(other, Guarantee) and str(self) == str(other)

    def __hash__(self):
        return hash(str(self))

    def convert(self, to=None, *, epsilon=None, delta=None, order=None, rule="tightest"):
        """See `convert`."""
        return convert(self, to, epsilon=epsilon, delta=delta, order=order, rule=rule)


def _rules():
    names, i = {}, 0
    while (name := text_of(lib.dpn_rule_name(i))) is not None:
        names[name] = i
        i += 1
    return names


def convert(guarantee, to=None, *, epsilon=None, delta=None, order=None, group=None, rule="tightest"):
    """What follows from a guarantee (a list: which all hold): with `epsilon` or `delta` approximate privacy, with `order` a Renyi
    divergence, to="zcdp", "gdp", "replace", "add-remove" those, with `group` the guarantee of groups of so many, or the others of them.

    >>> convert("zcdp(rho=0.1)", delta=1e-6)
    Guarantee('approximate(epsilon=2.1419...,delta=1e-06)')
    """
    if epsilon is not None and delta is not None:
        raise TypeError("give epsilon, to be told delta, or delta, to be told epsilon")
    if [epsilon is None and delta is None, order is None, to is None].count(False) > 1:
        raise TypeError("a guarantee is converted to one notion: give epsilon or delta, order, or to")
    all_of = [one if isinstance(one, Guarantee) else Guarantee(one)
              for one in (guarantee if isinstance(guarantee, (list, tuple)) else [guarantee])]
    if len(all_of) != 1 and epsilon is None and delta is None:
        raise TypeError("several guarantees are converted together to epsilon or delta")
    c = ffi.new("dpn_guarantee[]", [one._c[0] for one in all_of])
    out = ffi.new("dpn_conversion *")
    by = choice(_rules(), rule, "rule")
    if group is not None and len(all_of) == 1 and (epsilon is not None or delta is not None):
        function = lib.dpn_convert_group_to_delta if delta is None else lib.dpn_convert_group_to_epsilon
        call(function, out, c, group, epsilon if delta is None else delta, by)
        return Guarantee._of(out.guarantee)
    if group is not None and to == "gdp":
        call(lib.dpn_convert_group_to_gdp, out, c, group)
        return Guarantee._of(out.guarantee)
    if group is not None:  # first: what is asked then is asked of what holds for groups
        for i in range(len(all_of)):
            call(lib.dpn_convert_to_group, out, c + i, group)
            c[i] = out.guarantee
    if epsilon is not None:
        call(lib.dpn_convert_to_delta, out, c, len(all_of), epsilon, by)
    elif delta is not None:
        call(lib.dpn_convert_to_epsilon, out, c, len(all_of), delta, by)
    elif order is not None:
        call(lib.dpn_convert_to_renyi, out, c, order)
    elif to == "zcdp":
        call(lib.dpn_convert_to_zcdp, out, c, by)
    elif to is not None or group is None:
        ways = {"gdp": lib.dpn_convert_to_gdp, "replace": lib.dpn_convert_to_replace,
                "add-remove": lib.dpn_convert_to_add_remove}
        if to == "add-remove" and group is not None:
            raise TypeError("group and to='add-remove' exclude each other")
        call(choice(ways, to, "notion to convert to without epsilon, delta or order"), out, c)
    return Guarantee._of(out.guarantee)


def _times(said):
    """How many times, the first of what is said, if anything is; nothing follows it."""
    if len(said) > 1:
        raise TypeError("a part is a law, its sensitivity and its times, or a guarantee and its times")
    if said and int(said[0]) != said[0]:
        raise ValueError(f"a part occurs a whole number of times, not {said[0]!r}")
    return int(said[0]) if said else 1


def _parts(parts):
    """Laws with sensitivities, and guarantees, from [(what, sensitivity, times), ...]; of a guarantee (what, times)."""
    losses, known = [], []
    for part in parts:
        what, *rest = part if isinstance(part, (list, tuple)) else (part,)
        guarantee = what if isinstance(what, Guarantee) else None
        law = what if isinstance(what, Law) else None
        if guarantee is None and law is None:
            try:
                law = Law(what)
            except ParseError:
                guarantee = Guarantee(what)
        if guarantee is not None:
            known.append({"guarantee": guarantee._c[0], "times": _times(rest)})
        else:
            loss = ffi.new("dpn_loss *")
            call(lib.dpn_loss_law, loss, law._c, float(rest[0]) if rest else 1.0)
            losses.append({"loss": loss[0], "times": _times(rest[1:])})
    return ffi.new("dpn_part[]", losses), len(losses), ffi.new("dpn_known[]", known), len(known)


def compose(parts, *, epsilon=None, delta=None, accuracy=None):
    """delta or epsilon of many releases together: [(law, sensitivity, times), ("pure(epsilon=0.1)", times), ...].

    >>> compose([("gaussian(sigma=10)", 1, 100)], delta=1e-6).upper
    4.88...
    >>> compose([("approximate(epsilon=1,delta=0.001)", 30)], delta=0.06).upper
    21.709...
    """
    _one_of(epsilon, delta)
    part, parts_, known, count = _parts(parts)
    function, out = ((lib.dpn_compose_known_delta, ffi.new("dpn_delta *")) if delta is None
                     else (lib.dpn_compose_known_epsilon, ffi.new("dpn_epsilon *")))
    call(function, out, ffi.NULL, workspace(), part, parts_, known, count, epsilon if delta is None else delta,
         _options(accuracy))
    return _delta(out) if delta is None else _interval(Epsilon, out)


class Zcdp(NamedTuple):
    """Every order a has a Renyi divergence of at most xi + a rho."""

    xi: float
    rho: float


class Condition(NamedTuple):
    """The delta that a condition of a paper allows, the order that gave it, and whether no smaller delta is true."""

    delta: float
    log_delta: float
    order: float
    exact: bool


def _laws(law):
    laws = [law_of(one) for one in (law if isinstance(law, (list, tuple)) else [law])]
    return ffi.new("dpn_law[]", [one._c[0] for one in laws]), len(laws)


def _is_composition(law):
    return isinstance(law, list) and any(isinstance(part, tuple) for part in law)


def _lossy_parts(parts):
    part, count, _, known = _parts(parts)
    if known:
        raise ValueError("divergences are those of laws, not of guarantees: see `convert`")
    return part, count


def renyi(law, sensitivity=1.0, *, order):
    """The Renyi divergence of noise at an order, or a list of them at several orders. `law` is as for `profile`, or a composition,
    [(law, sensitivity, times), ...].

    >>> renyi("gaussian(sigma=1)", order=3).upper
    1.5...
    >>> renyi([("gaussian(sigma=10)", 1, 100)], order=3).upper
    1.5...
    """
    orders = np.atleast_1d(np.asarray(order, dtype=np.float64))
    c_orders = ffi.from_buffer("double[]", orders)
    out = ffi.new("dpn_divergence[]", len(orders))
    if hasattr(law, "_plan_set"):
        call(lib.dpn_plan_renyi, out, ffi.NULL, law._c, law._plan_set(), law._c.times, c_orders, len(orders))
    elif _is_composition(law):
        call(lib.dpn_renyi_compose, out, *_lossy_parts(law), c_orders, len(orders))
    else:
        call(lib.dpn_renyi_sensitivity, out, ffi.NULL, *_laws(law), set_of(sensitivity)._c, c_orders, len(orders))
    found = [_interval(Divergence, out[i]) for i in range(len(orders))]
    return found if np.ndim(order) else found[0]


def zcdp(law, sensitivity=1.0):
    """Concentrated differential privacy of noise, a `Plan` or a composition: an upper bound.

    >>> round(zcdp("gaussian(sigma=1)").rho, 9)
    0.5
    """
    out = ffi.new("dpn_zcdp *")
    if hasattr(law, "_plan_set"):
        call(lib.dpn_plan_zcdp, out, law._c, law._plan_set(), law._c.times)
    elif _is_composition(law):
        call(lib.dpn_zcdp_compose, out, *_lossy_parts(law))
    else:
        call(lib.dpn_zcdp_sensitivity, out, ffi.NULL, *_laws(law), set_of(sensitivity)._c)
    return Zcdp(out.xi, out.rho)


def _named(name_of, about_of):
    found, i = {}, 0
    while (name := text_of(name_of(i))) is not None:
        found[name] = text_of(about_of(i))
        i += 1
    return found


def renyi_bounds():
    """Bounds of Renyi divergences that papers state, and a sentence about each."""
    return _named(lib.dpn_renyi_bound_name, lib.dpn_renyi_bound_describe)


def renyi_bound(name, law, sensitivity=1.0, *, order):
    """A bound by its name, to compare with `renyi`.

    >>> renyi_bound("osgt-16", "osgt(m=15,sigma=25)", order=8) >= renyi("osgt(m=15,sigma=25)", order=8).lower
    True
    """
    out = ffi.new("double *")
    call(lib.dpn_renyi_bound, out, encoded(name), law_of(law)._c, set_of(sensitivity)._c, order)
    return out[0]


def conditions():
    """Conditions for privacy that papers state, and a sentence about each.

    >>> "fh-theorem-8" in conditions()
    True
    """
    return _named(lib.dpn_condition_name, lib.dpn_condition_describe)


def condition(name, law, sensitivity=1.0, *, epsilon):
    """What a condition says at an epsilon, to compare with `profile`."""
    out = ffi.new("dpn_conditioned *")
    call(lib.dpn_condition_delta, out, encoded(name), workspace(), *_laws(law), set_of(sensitivity)._c, epsilon)
    return Condition(out.delta, out.log_delta, out.order, bool(out.exact))


def shuffle(local, reports, *, epsilon=None, delta=None):
    """The guarantee if so many persons send one report each of a randomizer that is `local`-private, and nobody knows whose it is.

    >>> shuffle(1, 10_000, delta=1e-6).upper < 0.1
    True
    """
    _one_of(epsilon, delta)
    if delta is None:
        out = ffi.new("dpn_delta *")
        call(lib.dpn_shuffle_delta, out, int(reports), local, epsilon)
        return _delta(out)
    out = ffi.new("dpn_epsilon *")
    call(lib.dpn_shuffle_epsilon, out, int(reports), local, delta)
    return _interval(Epsilon, out)
