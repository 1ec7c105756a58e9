"""Reference values of log E exp(z L), L the privacy loss of a law at a shift, for tests/vectors/loss-mgf.csv.

The expectation is integrated (on the integers, summed) from the densities with 60 digits, on the intervals between all points where
a density or the loss changes its formula; parameters and arguments are taken at their exact binary values. Run:
python3 loss-mgf.py > ../vectors/loss-mgf.csv
"""
import datetime
import math
import random

from mpmath import mp, mpf, mpc, exp, log, quad, inf, cosh, floor

mp.dps = 60


def gaussian(sigma):
    return lambda t: t * t / (2 * sigma**2), [mpf(0)], inf, sigma


def laplace(scale):
    return lambda t: abs(t) / scale, [mpf(0)], inf, scale


def flipped_huber(alpha, gamma):
    def psi(t):
        t = abs(t)
        return alpha * t / gamma**2 if t <= alpha else (t * t + alpha**2) / (2 * gamma**2)

    return psi, [mpf(0), alpha, -alpha], inf, gamma


def osgt(m, sigma):
    return lambda t: (t * t / 2 + m * abs(t)) / sigma**2, [mpf(0)], inf, sigma


def huber(alpha, gamma):
    def psi(t):
        t = abs(t)
        return t * t / (2 * gamma**2) if t <= alpha else (alpha * t - alpha**2 / 2) / gamma**2

    return psi, [alpha, -alpha], inf, max(gamma, gamma**2 / alpha)


def truncated_laplace(scale, bound):
    return lambda t: abs(t) / scale, [mpf(0)], bound, scale


def logistic(scale):
    return lambda t: 2 * log(cosh(t / (2 * scale))), [mpf(0)], inf, scale


def subbotin(p, scale):
    fine = 8 if p < 9 else 120  # for a large p the density is nearly a box
    steps = [scale * mpf(k) / fine for k in range(-2 * fine, 2 * fine + 1)]
    return lambda t: (abs(t) / scale) ** p / p, steps, inf, scale


FAMILIES = {
    "gaussian": (gaussian, ["sigma"]),
    "laplace": (laplace, ["scale"]),
    "flipped-huber": (flipped_huber, ["alpha", "gamma"]),
    "osgt": (osgt, ["m", "sigma"]),
    "huber": (huber, ["alpha", "gamma"]),
    "truncated-laplace": (truncated_laplace, ["scale", "bound"]),
    "logistic": (logistic, ["scale"]),
    "discrete-gaussian": (gaussian, ["sigma"]),
    "discrete-laplace": (laplace, ["scale"]),
    "discrete-flipped-huber": (flipped_huber, ["alpha", "gamma"]),
    "discrete-osgt": (osgt, ["m", "sigma"]),
    "subbotin": (subbotin, ["p", "scale"]),
}
POWERS = [1.01, 1.05, 1.2, 1.5, 1.9, 1.999, 2.1, 2.13, 2.5, 3.0, 3.7, 6.0, 9.5, 20.0]


def pieces(f, cuts, centres, unit, low, high):
    """The integral of f from low to high, cut at the cuts and around the centres of its mass."""
    points = set(c for c in cuts if low < c < high)
    for c in centres:
        for k in (-40, -12, -6, -3, -1, 0, 1, 3, 6, 12, 40):
            if low < c + k * unit < high:
                points.add(c + k * unit)
    ends = sorted(points | {low, high} - {-inf, inf})
    if low == -inf:
        ends = [ends[0] - 400 * unit] + ends
    if high == inf:
        ends = ends + [ends[-1] + 400 * unit]
    return mp.fsum(quad(f, [a, b]) for a, b in zip(ends, ends[1:]))


def log_mgf(family, parameters, shift, z):
    """log of E e^(zL) given that L is finite."""
    psi, corners, end, unit = FAMILIES[family][0](*parameters)

    def tilted(t):
        return exp(z * psi(t + shift) - (1 + z) * psi(t))

    if family.startswith("discrete"):
        centre = int(z.real * shift)
        reach = int(60 * unit + 60) + int(shift) + int(max(corners + [mpf(0)]))
        ks = range(min(-reach, centre - reach), max(reach, centre + reach) + 1)
        return log(mp.fsum(tilted(mpf(k)) for k in ks) / mp.fsum(exp(-psi(mpf(k))) for k in ks))
    cuts = corners + [c - shift for c in corners]
    low, high = (-inf, inf) if end == inf else (-end, end - shift)
    peak, width = z.real * shift, unit
    if family == "subbotin" and z.real > 0:  # where z (t + shift)^(p-1) = (1 + z) t^(p-1)
        p, scale = parameters
        peak = shift / ((1 + 1 / z.real) ** (1 / (p - 1)) - 1)
        bend = (p - 1) * ((1 + z.real) * peak ** (p - 2) - z.real * (peak + shift) ** (p - 2)) / scale**p
        width = min(unit, 1 / mp.sqrt(bend))
    centres = [mpf(0), -shift, peak, -shift - peak]
    if width < unit:
        cuts = cuts + [peak + k * width for k in (-12, -6, -3, -1, 1, 3, 6, 12)]
    top = pieces(tilted, cuts, centres, unit, low, high)
    return log(top / pieces(lambda t: exp(-psi(t)), cuts, [mpf(0), -shift], unit, low, high))


def rows():
    rng = random.Random(20240)
    for family in FAMILIES:
        for i in range(6 if family.startswith("discrete") else 14):
            scale = 10 ** rng.uniform(-1, 2)
            ratio = 10 ** rng.uniform(-2, 1.3)
            if family == "subbotin":
                parameters = [POWERS[i], scale]
            elif family in ("flipped-huber", "huber", "osgt", "discrete-flipped-huber", "discrete-osgt"):
                parameters = [scale * ratio, scale]
            elif family == "truncated-laplace":
                parameters = [scale, scale * rng.uniform(2, 40)]
            else:
                parameters = [scale]
            shift = scale * 10 ** rng.uniform(-4 if i % 3 == 0 else -1.5, 0.7)
            if family.startswith("discrete"):
                parameters = [p / scale * rng.uniform(0.8, 6) for p in parameters]
                if family == "discrete-flipped-huber":
                    parameters[0] = math.ceil(parameters[0]) + (0.5 if i % 2 else 0)
                shift = float(rng.randint(1, 3))
            if family == "truncated-laplace":
                shift = min(shift, parameters[1])
            unit = parameters[0] if len(parameters) == 1 or family == "truncated-laplace" else parameters[1]
            reach = unit / shift  # tilts of a few standard deviations of a Gaussian loss
            theta = rng.choice([-0.5, -0.2, rng.uniform(0.01, 1), rng.uniform(0, 3) * reach, 6 * reach])
            theta = min(theta, 300.0)
            omega = rng.choice([0.0, rng.uniform(0, 0.3) * reach, rng.uniform(0, 5) * reach, 20 * reach])
            if family == "subbotin":  # milder, since the loss grows like a power of the noise
                shift = scale * 10 ** rng.uniform(-2.5, 0.4 if POWERS[i] < 4 else -0.5)
                reach = scale / shift
                theta = [-0.2, 0.7, min(rng.uniform(0, 2) * reach, 1.5 if POWERS[i] >= 3 else 300)][i % 3]
                omega = [0.3, 2, 8, 20][i % 4] * reach
            yield family, parameters, shift, theta, omega


print("# log E exp((theta + i omega) L | L finite), L the privacy loss of the law at the shift.")
print("# Generator: tests/reference/loss-mgf.py, mpmath %s at %d digits, %s." % (mp.__class__ and __import__("mpmath").__version__, mp.dps, datetime.date.today()))
print("# law;shift;theta;omega;re;im;log of the same at omega = 0")
for family, parameters, shift, theta, omega in rows():
    names = FAMILIES[family][1]
    text = "%s(%s)" % (family, ",".join("%s=%r" % pair for pair in zip(names, parameters)))
    exact = [mpf(p) for p in parameters]
    value = log_mgf(family, exact, mpf(shift), mpc(theta, omega))
    real = log_mgf(family, exact, mpf(shift), mpc(theta, 0)).real
    print("%s;%r;%r;%r;%s;%s;%s" % (text, shift, theta, omega, mp.nstr(value.real, 22), mp.nstr(value.imag, 22), mp.nstr(real, 22)), flush=True)
