"""Noise laws."""
import html
import math

import numpy as np

from ._call import call, encoded, ffi, lib, printed, random_source, text_of
from ._picture import line


class Law:
    """A noise law: symmetric about zero, immutable, equal to another if it is the same to the last bit.

    >>> law = Law("flipped-huber(alpha=3,gamma=1)")
    >>> law == Law("flipped-huber", alpha=3, gamma=1)
    True
    >>> abs(law.sf(0.5) + law.cdf(0.5) - 1) < 1e-15
    True
    >>> law.rvs(3).shape
    (3,)
    """

    __slots__ = ("_c", "_text", "_samplers", "__weakref__")

    def __init__(self, text, **parameters):
        made = ffi.new("dpn_law *")
        if parameters:
            text = "%s(%s)" % (text, ",".join(f"{name}={float(value)!r}" for name, value in parameters.items()))
        call(lib.dpn_law_parse, made, encoded(text))
        self._keep(made)

    @classmethod
    def _of(cls, law):
        """A copy of a dpn_law."""
        out = cls.__new__(cls)
        out._keep(ffi.new("dpn_law *", law))
        return out

    def _keep(self, made):
        object.__setattr__(self, "_c", made)
        object.__setattr__(self, "_text", printed(lib.DPN_LAW_TEXT_SIZE, lib.dpn_law_print, made))
        object.__setattr__(self, "_samplers", {})

    def __setattr__(self, name, value):
        raise AttributeError("a law does not change")

    def __repr__(self):
        return f"Law('{self._text}')"

    def __str__(self):
        return self._text

    def _repr_html_(self):
        end = 4 * self.std()
        points = range(-round(end) - 1, round(end) + 2) if self.is_integer else [end * (i / 80 - 1) for i in range(161)]
        return f"<code>{html.escape(self._text)}</code><br>{line(self.pdf(list(points)).tolist())}"

    def __eq__(self, other):
        return isinstance(other, Law) and self._text == other._text

    def __hash__(self):
        return hash(self._text)

    def __reduce__(self):
        return Law, (self._text,)

    # ---- what it is ----

    @property
    def family(self):
        """The name of the family."""
        return text_of(lib.dpn_law_family(self._c))

    @property
    def parameters(self):
        """The parameters by name."""
        names = families()[self.family]
        return {name: lib.dpn_law_parameter(self._c, name.encode()) for name in names}

    @property
    def is_integer(self):
        """Whether the law lives on the integers."""
        return bool(lib.dpn_law_is_integer(self._c))

    @property
    def is_log_concave(self):
        return bool(lib.dpn_law_is_log_concave(self._c))

    def support(self):
        """The smallest and the largest value."""
        end = lib.dpn_law_support(self._c)
        return -end, end

    # ---- at points: numbers in, numbers out; arrays in, arrays out ----

    def _many(self, function, points):
        given = np.asarray(points, dtype=np.float64)
        there = np.ascontiguousarray(given)
        out = np.empty_like(there)
        function(ffi.from_buffer("double[]", out), self._c, ffi.from_buffer("double[]", there), there.size)
        return out.reshape(given.shape) if given.ndim else out.item()

    def pdf(self, t):
        """The density, on the integers the probability."""
        return self._many(lib.dpn_law_pdf_many, t)

    pmf = pdf

    def logpdf(self, t):
        return self._many(lib.dpn_law_log_pdf_many, t)

    logpmf = logpdf

    def cdf(self, t):
        """P(X <= t)."""
        return self._many(lib.dpn_law_cdf_many, t)

    def sf(self, t):
        """P(X > t), with all its digits where it is small."""
        return self._many(lib.dpn_law_sf_many, t)

    def logcdf(self, t):
        return self._many(lib.dpn_law_log_cdf_many, t)

    def logsf(self, t):
        return self._many(lib.dpn_law_log_sf_many, t)

    def ppf(self, p):
        """The least t with cdf(t) >= p."""
        return self._many(lib.dpn_law_quantile_many, p)

    def isf(self, p):
        """The least t with sf(t) <= p."""
        return self._many(lib.dpn_law_isf_many, p)

    def interval(self, confidence=0.95):
        """The ends of the central interval that holds this probability."""
        end = self.isf((1 - confidence) / 2)
        return -end, end

    # ---- of the whole law ----

    def mean(self):
        return 0.0

    def median(self):
        return 0.0

    def var(self):
        return lib.dpn_law_variance(self._c)

    def std(self):
        return math.sqrt(self.var())

    def mean_abs(self):
        """E|X|."""
        return lib.dpn_law_mean_abs(self._c)

    def entropy(self):
        """In nats."""
        return lib.dpn_law_entropy(self._c)

    def fisher(self):
        """The Fisher information of location."""
        return lib.dpn_law_fisher(self._c)

    def nfi(self):
        """Fisher information times variance: 1 for the Gaussian, which is the least."""
        return lib.dpn_law_nfi(self._c)

    def logmgf(self, s):
        """log E exp(s X); inf at and beyond `mgf_bound`."""
        return np.vectorize(lambda one: lib.dpn_law_log_mgf(self._c, one), otypes=[float])(s)[()]

    def mgf_bound(self):
        return lib.dpn_law_mgf_bound(self._c)

    # ---- privacy loss ----

    def loss(self, t, shift=1.0):
        """log pdf(t)/pdf(t + shift): how much likelier the noise t is under the true answer than under one that is lower by the shift."""
        return np.vectorize(lambda one: lib.dpn_privacy_loss(self._c, shift, one), otypes=[float])(t)[()]

    def loss_centred(self, t, shift=1.0):
        """log pdf(t - shift/2)/pdf(t + shift/2), odd in t."""
        return np.vectorize(lambda one: lib.dpn_privacy_loss_centred(self._c, shift, one), otypes=[float])(t)[()]

    # ---- from a variance ----

    @classmethod
    def of_variance(cls, family, variance, *, shape=None, scale=None):
        """The law of a family with a variance, and a shape or scale where the family has two parameters. No guarantee.

        >>> abs(Law.of_variance("flipped-huber", 16, scale=7).var() - 16) < 1e-9
        True
        """
        made = ffi.new("dpn_law *")
        if scale is not None:
            call(lib.dpn_design_of_scale, made, encoded(family), variance, scale)
        else:
            call(lib.dpn_design_of_shape, made, encoded(family), variance, 0.0 if shape is None else shape)
        return cls._of(made[0])

    # ---- draws ----

    def _grid(self):
        """As `dpnoise sample` chooses it: 1 on the integers, else the largest power of two at most 2^-16 of the deviation."""
        return 0 if self.is_integer else math.frexp(self.std())[1] - 1 - 16

    def _sampler(self, exponent):
        sampler = self._samplers.get(exponent)
        if sampler is None:
            made = ffi.new("dpn_sampler **")
            call(lib.dpn_sampler_new, made, self._c, exponent)
            sampler = self._samplers.setdefault(exponent, ffi.gc(made[0], lib.dpn_sampler_free))
        return sampler

    def rvs(self, size=None, *, grid_exponent=None, out=None):
        """Independent draws, exact on a grid of 2^grid_exponent: floats, on the integers int64.

        The random numbers are cryptographic and cannot be seeded: noise that can be repeated is noise that can be
        subtracted. For noise on data use `add`, which never adds floating-point numbers.
        """
        sampler = self._sampler(self._grid() if grid_exponent is None else int(grid_exponent))
        kind, draw = ("int64", lib.dpn_sampler_draw) if self.is_integer else ("float64", lib.dpn_sampler_values)
        if out is None:
            out = np.empty(() if size is None else size, dtype=kind)
        elif out.dtype != kind or not out.flags.c_contiguous:
            raise ValueError(f"out must be a contiguous array of {kind}")
        c = ffi.from_buffer("int64_t[]" if self.is_integer else "double[]", out, require_writable=True)
        call(draw, c, sampler, random_source(), out.size)
        return out if out.ndim else out.item()


def families():
    """The families of laws and the names of their parameters.

    >>> families()["osgt"]
    ['m', 'sigma']
    """
    out, i = {}, 0
    while (name := text_of(lib.dpn_family_name(i))) is not None:
        parameters, j = [], 0
        while (parameter := text_of(lib.dpn_family_parameter(i, j))) is not None:
            parameters.append(parameter)
            j += 1
        out[name] = parameters
        i += 1
    return out


def law_of(law):
    return law if isinstance(law, Law) else Law(law)
