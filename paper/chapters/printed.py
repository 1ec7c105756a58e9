"""Formulas as the papers print them, in plain floating point: what the tool says is set beside them."""
import math
from statistics import NormalDist

NORMAL = NormalDist()


def q(x):
    return 0.5 * math.erfc(x / math.sqrt(2))


def erfi(x):
    """2/sqrt(pi) times the integral of exp(t^2) from 0 to x, by its series."""
    term, total, n = x, x, 0
    while abs(term) > 1e-17 * abs(total):
        n += 1
        term *= x * x / n
        total += term / (2 * n + 1)
    return 2 / math.sqrt(math.pi) * total


# ---- FH ----
def fh_omega(alpha, gamma):
    b = alpha / gamma
    return 2 * (math.sqrt(2 * math.pi) * q(b) + 2 / b * math.sinh(b * b / 2))


def fh_pdf(alpha, gamma, t):
    rho = alpha * abs(t) if abs(t) <= alpha else (t * t + alpha * alpha) / 2
    return math.exp(-rho / gamma ** 2) / (gamma * fh_omega(alpha, gamma) * math.exp(-alpha ** 2 / gamma ** 2 / 2))


def fh_cdf(alpha, gamma, t):
    b, omega = alpha / gamma, fh_omega(alpha, gamma)
    if abs(t) <= alpha:
        return 0.5 + 2 / (b * omega) * math.exp(alpha * (alpha - abs(t)) / (2 * gamma ** 2)) * math.sinh(alpha * t / (2 * gamma ** 2))
    return 0.5 + math.copysign(1, t) * (0.5 - math.sqrt(2 * math.pi) / omega * q(abs(t) / gamma))


def fh_quantile(alpha, gamma, u):
    b, omega = alpha / gamma, fh_omega(alpha, gamma)
    s, v = math.copysign(1, 2 * u - 1), abs(2 * u - 1)
    if min(u, 1 - u) >= math.sqrt(2 * math.pi) * q(b) / omega:
        return -gamma ** 2 / alpha * s * math.log(1 - b * omega / 2 * v * math.exp(-b * b / 2))
    return gamma * s * -NORMAL.inv_cdf(omega * (1 - v) / (2 * math.sqrt(2 * math.pi)))


def fh_variance(alpha, gamma):
    b = alpha / gamma
    x = b * b / 2
    return gamma ** 2 * (1 - (2 / b) ** 3 * (x * math.cosh(x) - math.sinh(x)) / fh_omega(alpha, gamma))


def fh_fisher(alpha, gamma):
    b = alpha / gamma
    x = b * b / 2
    return (1 + 4 / (b * fh_omega(alpha, gamma)) * (x * math.exp(x) - math.sinh(x))) / gamma ** 2


def fh_mgf(alpha, gamma, s):
    b = alpha / gamma

    def p(sign):
        m = b + gamma * s * sign
        return math.expm1(m * b) * math.exp(-m * m / 2) / (m * math.sqrt(2 * math.pi)) + q(m)

    return math.sqrt(2 * math.pi) / fh_omega(alpha, gamma) * (p(1) + p(-1)) * math.exp(gamma ** 2 * s * s / 2)


def fh_orlicz(alpha, gamma, s):
    b = alpha / gamma
    x = b * b / 2
    c = math.sqrt(2 * math.pi) / fh_omega(alpha, gamma) * (
        math.sqrt(1 / s - 1) * math.exp(-(1 / s - 1) * x) * (erfi(b / math.sqrt(2 * s)) - erfi((1 - s) * b / math.sqrt(2 * s)))
        + 2 * q(math.sqrt(1 - s) * b))
    return c / math.sqrt(1 - s)


def fh_theta(alpha, gamma):
    return gamma * -NORMAL.inv_cdf(math.sqrt(math.pi / 2) / fh_omega(alpha, gamma))


def r(alpha, d):
    return alpha ** 2 - max(alpha - d, 0) ** 2


def r_inverse(nu, d):
    return math.sqrt(nu) if nu < d * d else (nu + d * d) / (2 * d)


def fh_table_i(alpha, gamma, d, epsilon):
    """(case, t1, delta) by Theorem 3, as FH Table I has it."""
    b, g2 = alpha / gamma, gamma ** 2
    omega = fh_omega(alpha, gamma)
    c, w = math.exp(b * b / 2) / (b * omega), math.sqrt(2 * math.pi) / omega
    e = math.exp(epsilon)
    tails = q(gamma * epsilon / d - d / (2 * gamma)) - e * q(gamma * epsilon / d + d / (2 * gamma))
    nu1, nu2 = (max(d - alpha, 0) ** 2 + 2 * alpha * d) / (2 * g2), (d + 2 * alpha) * d / (2 * g2)
    if epsilon < (d - 2 * alpha) * d / (2 * g2):
        return 1, g2 * epsilon / d - d / 2, 1 - w + w * tails
    if epsilon < min(2 * alpha - d, d) * alpha / g2:
        return 2, g2 * epsilon / (2 * alpha) - d / 2, (1 - e) / 2 + c * (1 + e - 2 * math.exp(epsilon / 2 - alpha * d / (2 * g2)))
    if (max(2 * alpha, d) ** 2 - 2 * alpha * d) / (2 * g2) <= epsilon < nu1:
        root = math.sqrt(2 * (g2 * epsilon + alpha * d))
        t1 = root - alpha - d
        return 3, t1, 0.5 + c * (1 - math.exp(alpha * t1 / g2)) - e * w * q((root - alpha) / gamma)
    if epsilon < nu2:
        root = math.sqrt(2 * (g2 * epsilon - alpha * d))
        return 4, root + alpha - d, 0.5 - c * (1 - math.exp(alpha * (d - alpha - root) / g2)) - e * w * q((root + alpha) / gamma)
    return 5, g2 * epsilon / d - d / 2, w * tails


# ---- OSGT ----
def osgt_variance(m, sigma):
    b = m / sigma
    return sigma ** 2 + m ** 2 - m * sigma * NORMAL.pdf(b) / q(b)


def osgt_cdf(m, sigma, y):
    return q((m - y) / sigma) / (2 * q(m / sigma)) if y <= 0 else 1 - q((m + y) / sigma) / (2 * q(m / sigma))


def osgt_delta(m, sigma, d, epsilon):
    """Theorem 1, (15)."""
    a, c, b = sigma / d, sigma / (2 * m + d), m / sigma
    if sigma ** 2 * epsilon / d <= d / 2 + m:
        return 1 - (q(1 / (2 * c) - c * epsilon) + math.exp(epsilon) * q(1 / (2 * c) + c * epsilon)) / (2 * q(b))
    return (q(a * epsilon - 1 / (2 * a)) - math.exp(epsilon) * q(a * epsilon + 1 / (2 * a))) / (2 * q(b))


def osgt_bound(m, sigma, d2, k, order):
    """The right side of (16)."""
    tail = q(m / sigma)
    return order * d2 ** 2 / (2 * sigma ** 2) + k / (order - 1) * math.log((1 - tail) / tail)
