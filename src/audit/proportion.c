/* The bounds of Clopper and Pearson. */
#include "audit/proportion.h"

#include <float.h>
#include <math.h>

#define PI 3.14159265358979323846

/* A relative error of a tail that covers the one measured by far; a bound is moved until its tail is below
 * alpha (1 - SLACK). */
static const double slack = 1e-8;

/* ---- One probability ---- */

/* log n! - log(sqrt(2 pi n) (n/e)^n), for whole n >= 0 and 0 by convention for 0. */
static double stirling_error(double n) {
    if (n == 0) return 0;
    if (n < 16) {
        double factorial = 1; /* exact */
        for (double i = 2; i <= n; i++) factorial *= i;
        return log(factorial) - (n + 0.5) * log(n) + n - 0.5 * log(2 * PI);
    }
    double square = n * n;
    return (1.0 / 12 - (1.0 / 360 - (1.0 / 1260 - (1.0 / 1680 - 1.0 / 1188 / square) / square) / square) / square) / n;
}

/* x log(x/m) + m - x, which is small where x is near m: Loader 2000. */
static double deviance(double x, double m) {
    if (x == 0) return m;
    if (fabs(x - m) >= 0.1 * (x + m)) return x * log(x / m) + m - x;
    /* With v = (x - m)/(x + m): log(x/m) = 2 (v + v^3/3 + ...). */
    double v = (x - m) / (x + m), power = 2 * x * v, sum = (x - m) * v;
    for (int i = 3; i < 100; i += 2) {
        power *= v * v;
        double next = sum + power / i;
        if (next == sum) break;
        sum = next;
    }
    return sum;
}

/* log P(X = k) for 0 < k < n; q = 1 - p. */
static double log_mass(double k, double n, double p, double q) {
    return stirling_error(n) - stirling_error(k) - stirling_error(n - k) - deviance(k, n * p) - deviance(n - k, n * q) -
           0.5 * log(2 * PI * k * ((n - k) / n));
}

/* ---- Tails ---- */

/* The continued fraction of the incomplete beta function (modified Lentz): P(X >= k) = P(X = k) q times this, for
 * 0 < k < n. It converges in a few times n^(1/2) steps near the mean, and in a few where the tail is small. */
static double tail_fraction(double k, double n, double p) {
    static const double tiny = 1e-300;
    enum { MOST_STEPS = 1000000 };
    double a = k, b = n - k + 1, c = 1, d = 1 - (a + b) * p / (a + 1);
    d = 1 / (fabs(d) < tiny ? tiny : d);
    double value = d;
    for (int i = 1; i < MOST_STEPS; i++) {
        double even = i * (b - i) * p / ((a + 2 * i - 1) * (a + 2 * i));
        d = 1 / (1 + even * d);
        c = 1 + even / c;
        value *= c * d;
        double odd = -(a + i) * (a + b + i) * p / ((a + 2 * i) * (a + 2 * i + 1));
        d = 1 + odd * d;
        d = 1 / (fabs(d) < tiny ? tiny : d);
        c = 1 + odd / c;
        if (fabs(c) < tiny) c = tiny;
        value *= c * d;
        if (fabs(c * d - 1) < 4 * DBL_EPSILON) break;
    }
    return value;
}

static double log_complement(double log_p) {
    return log_p >= 0 ? -INFINITY : log_p > -0.7 ? log(-expm1(log_p)) : log1p(-exp(log_p));
}

/* The tail on the side where the fraction converges fast; the other one is its complement. */
static double log_above(double k, double n, double p, double q) {
    if (k <= 0) return 0;
    if (k > n) return -INFINITY;
    if (k == n) return n * (p < 0.5 ? log(p) : log1p(-q));
    if (p < (k + 1) / (n + 3)) return fmin(0, log_mass(k, n, p, q) + log(q) + log(tail_fraction(k, n, p)));
    return log_complement(log_above(n - k + 1, n, q, p));
}

double dpn_binomial_log_above(uint64_t k, uint64_t n, double p) {
    return log_above((double)k, (double)n, p, 1 - p);
}

double dpn_binomial_log_below(uint64_t k, uint64_t n, double p) {
    return log_above((double)(n - k), (double)n, 1 - p, p);
}

/* ---- Bounds ---- */

/* Halve the interval between good and bad = k/n, on the scale of logarithms, until it is a billionth of what it was. */
static double search(uint64_t k, uint64_t n, double log_alpha, double good, double bad,
                     double (*log_tail)(uint64_t, uint64_t, double)) {
    const double seen = bad;
    for (int i = 0; i < 200; i++) {
        double middle = sqrt(good) * sqrt(bad);
        if (fabs(bad - good) <= 1e-9 * fmin(good, fabs(seen - good)) || middle == good || middle == bad) break;
        if (log_tail(k, n, middle) <= log_alpha)
            good = middle;
        else
            bad = middle;
    }
    return good;
}

double dpn_proportion_lower(uint64_t k, uint64_t n, double alpha) {
    double log_alpha = log(alpha) + log1p(-slack), count = (double)k, trials = (double)n;
    if (k == 0) return 0;
    if (k == n) return exp(log_alpha / trials) * (1 - 4 * DBL_EPSILON);
    /* P(X >= k) <= (n p)^k: at this p the tail is below alpha. */
    double good = exp(log_alpha / count) / trials;
    return search(k, n, log_alpha, good, count / trials, dpn_binomial_log_above);
}

double dpn_proportion_upper(uint64_t k, uint64_t n, double alpha) {
    double log_alpha = log(alpha) + log1p(-slack), trials = (double)n;
    if (k == n) return 1;
    if (k == 0) return -expm1(log_alpha / trials) * (1 + 4 * DBL_EPSILON);
    double good = 1 - DBL_EPSILON, bad = (double)k / trials;
    if (dpn_binomial_log_below(k, n, good) > log_alpha) return 1;
    return search(k, n, log_alpha, good, bad, dpn_binomial_log_below);
}

uint64_t dpn_binomial_rare(uint64_t n, double p, double alpha) {
    double log_alpha = log(alpha);
    if (!(p > 0)) return 0;
    if (!(p < 1)) return n;
    uint64_t rare = 0, common = (uint64_t)ceil((double)n * p); /* the median is at most that */
    if (common > n) common = n;
    while (rare < common) {
        uint64_t middle = rare + (common - rare) / 2;
        if (dpn_binomial_log_below(middle, n, p) <= log_alpha)
            rare = middle + 1;
        else
            common = middle;
    }
    return rare;
}
