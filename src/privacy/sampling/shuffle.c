/* Reports of a local randomizer, shuffled: the clones of Feldman, McMillan and Talwar 2023, summed with bounds on both sides.
 *
 * Everything is made of one question: a coin that shows heads with probability w or 1 - w is thrown among m others, each of which shows heads with
 * probability p. How far apart are the two numbers of heads? docs/proofs/privacy/shuffle.md */
#include "base/error.h"
#include "privacy/interval.h"

#include <dpnoise/sampling.h>

#define HALF_LOG_2_PI 0.91893853320467274178

#define ROUND (0.5 * DBL_EPSILON)

/* The number of clones is looked at in so many pieces for each standard deviation, and what is e^-ENOUGH of the rest is bounded as a whole. After MOST_PIECES the
 * pieces grow, and Chernoff's bound serves. */
enum { PIECES = 32, ENOUGH = 30, MOST_PIECES = 2048 };
#define MOST_REPORTS 0x1p31

/* ---- binomial laws ---- */

/* Coins: m of them, each shows heads with probability p and tails with r = 1 - p, both known to 4 units of rounding. */
typedef struct coins {
    double m, p, r;
} coins;

/* Something between two bounds; in log_... the logarithm of it. */
typedef struct bounds {
    double lower, upper;
} bounds;

/* log n! - log(sqrt(2 pi n) (n/e)^n), n >= 1, to 300 units of rounding. */
static double stirling_error(double n) {
    if (n < 16) return log(tgamma(n + 1)) - (n + 0.5) * log(n) + n - HALF_LOG_2_PI;
    double square = n * n;
    return (1.0 / 12 - (1.0 / 360 - (1.0 / 1260 - 1.0 / (1680 * square)) / square) / square) / n;
}

/* x log(x/y) + y - x. Near x = y by a series in (x-y)/(x+y) (Loader 2000). *error grows by a bound of the error, if y is known to 6
 * units. */
static double deviance(double x, double y, double *error) {
    if (x == 0) {
        *error += 12 * ROUND * y;
        return y;
    }
    double far = fabs(x - y);
    *error += 12 * ROUND * far;
    if (far >= 0.1 * (x + y)) {
        double main = x * log(x / y);
        *error += 4 * ROUND * (fabs(main) + x + y);
        return main + y - x;
    }
    double v = (x - y) / (x + y), term = 2 * x * v, sum = (x - y) * v;
    for (int i = 1; i < 60; i++) {
        term *= v * v;
        double more = sum + term / (2 * i + 1);
        if (more == sum) break;
        sum = more;
    }
    *error += 128 * ROUND * fabs(sum);
    return sum;
}

/* log of (1 - other), whichever of the two is known better. */
static double log_of(double share, double other) {
    return share > 0.5 ? log1p(-other) : log(share);
}

/* log P(k heads). */
static bounds log_heads(double k, const coins *c) {
    double m = c->m, error = 0, value;
    if (k < 0 || k > m) return (bounds){-INFINITY, -INFINITY};
    if (k == 0 || k == m) {
        value = k == 0 ? m * log_of(c->r, c->p) : m * log_of(c->p, c->r);
        error = 4 * ROUND * fabs(value) + 8 * ROUND * m * (k == 0 ? c->p / c->r : c->r / c->p);
        return (bounds){value - error, value + error};
    }
    value = stirling_error(m) - stirling_error(k) - stirling_error(m - k) - deviance(k, m * c->p, &error) -
            deviance(m - k, m * c->r, &error) - HALF_LOG_2_PI - 0.5 * log(k / m * (m - k));
    error += ROUND * (1024 + 8 * fabs(value));
    return (bounds){value - error, value + error};
}

/* 1/(1 + d1/(1 + d2/(... d_last))), the continued fraction of the incomplete beta function (DLMF 8.17.22), from its end, with a bound of
 * its rounding errors. */
static bounds fraction(double j, const coins *c, int last) {
    double a = j, b = c->m - j + 1, value = 1, error = 0;
    for (int k = last; k > 0; k--) {
        double i = k / 2;
        double d = k % 2 ? -(a + i) * (a + b + i) * c->p / ((a + 2 * i) * (a + 2 * i + 1))
                         : i * (b - i) * c->p / ((a + 2 * i - 1) * (a + 2 * i));
        double share = d / value;
        error = fabs(share) * (error / value + 16 * ROUND) + 2 * ROUND * (1 + fabs(share));
        value = 1 + share;
        if (!(value > 4 * error)) return (bounds){0, INFINITY};
    }
    return (bounds){1 / (value + 1.01 * error) * (1 - 2 * DBL_EPSILON),
                    1 / (value - 1.01 * error) * (1 + 2 * DBL_EPSILON)};
}

/* P(at least j heads)/P(j - 1 heads) term by term, j - 1 at least the mean: every ratio of neighbours is at most 1. */
static bounds tail_sum(double j, const coins *c) {
    double sum = 0, term = 1, rest = 0, count = 0;
    for (double i = j; i <= c->m; i++) {
        double ratio = (c->m - i + 1) * c->p / (i * c->r);
        term *= ratio;
        sum += term;
        count++;
        if (ratio < 1 &&
            term * ratio < 1e-13 * sum * (1 - ratio)) { /* what follows is no more than a geometric series */
            rest = term * ratio / (1 - ratio);
            break;
        }
    }
    double error = 16 * ROUND * (count + 1);
    return (bounds){sum * (1 - error), (sum + rest) * (1 + error)};
}

/* The same: P(at least j)/P(j) is r times the fraction. Two convergents of which the numbers differ by 2 lie on either side of it
 * (DLMF 8.17.23). */
static bounds tail_ratio(double j, const coins *c) {
    if (c->m * c->p < 4096 || !(c->p * (c->m + 3) < (j + 1) * (1 - 8 * DBL_EPSILON)) || j + 4200 > c->m)
        return tail_sum(j, c);
    double next = (c->m - j + 1) * c->p / (j * c->r) * c->r; /* P(j)/P(j - 1), times r */
    for (int last = 16; last <= 8192; last *= 2) {
        bounds one = fraction(j, c, last), other = fraction(j, c, last + 2);
        double lower = fmin(one.lower, other.lower), upper = fmax(one.upper, other.upper);
        double rounding = fmin(3 * (other.upper - other.lower), 1e-6 * lower); /* more terms would not help */
        if (upper - lower <= fmax(1e-11 * lower, rounding))
            return (bounds){next * lower * (1 - 16 * ROUND), next * upper * (1 + 16 * ROUND)};
    }
    return tail_sum(j, c);
}

/* log sup_E P(E) - e^epsilon Q(E), P and Q the numbers of heads with a coin of log odds `local`, or -local, among the others: the event is `at
 * least j heads`. 0 <= epsilon < local. */
static bounds log_apart(const coins *c, double local, double epsilon) {
    double w = 1 / (1 + exp(-local)), gain = w * -expm1(epsilon - local);
    double least =
        gain /
        (w * (exp(epsilon) - exp(-local))); /* j heads have P > xQ if P(j)/P(j-1) of the others is less than this */
    double j = fmin(c->m + 1, floor((c->m + 1) * c->p / (least * c->r + c->p)) + 1), more = expm1(epsilon);
    bounds tail = more > 0 ? tail_ratio(j, c) : (bounds){0, 0}, heads = log_heads(j - 1, c);
    double lower = gain * (1 - 16 * ROUND) - more * tail.upper * (1 + 16 * ROUND);
    double upper = gain * (1 + 16 * ROUND) - more * tail.lower * (1 - 16 * ROUND);
    return (bounds){lower > 0 ? heads.lower + log(lower) - 4 * ROUND * fabs(heads.lower + log(lower)) : -INFINITY,
                    upper > 0 ? heads.upper + log(upper) + 4 * ROUND * fabs(heads.upper + log(upper)) : -INFINITY};
}

/* ---- the clones ---- */

/* log of a bound of the mass of c0 .. c1 heads: from one to the next it changes by a ratio that is largest at c0. */
static double log_mass(double c0, double c1, const coins *c) {
    double count = c1 - c0 + 1, slope = log((c->m - c0) * c->p / ((c0 + 1) * c->r)) + 32 * ROUND, sum = log(count);
    if (count > 1 && fabs(count * slope) > 1e-9) /* what overflows is infinite, and a bound */
        sum = log(expm1(count * slope) / expm1(slope));
    else if (count > 1)
        sum += fmax(0, count * slope);
    return log_heads(c0, c).upper + sum + 64 * ROUND;
}

/* log of Chernoff's bound of the mass of at most k heads, k below the mean. */
static double log_at_most(double k, const coins *c) {
    double error = 0, value = -deviance(k, c->m * c->p, &error) - deviance(c->m - k, c->m * c->r, &error);
    return value + error;
}

/* log of a bound of the mass of Bin(m, q) further than `away` from its mean, on one side. */
static double log_beyond(double mean, double away, bool above) {
    return -0.5 * away * away / (above ? mean + away / 3 : mean);
}

/* log delta: each of the others is with probability 2/(e^local + 1) a clone of the one report, which shows either of two values alike. delta falls
 * with the number of clones, so that it is taken at the first of each piece. From the mean outwards, until what is beyond does not count. */
static double log_upper_at(double reports, double local, double epsilon) {
    double g = exp(-local);
    coins others = {reports - 1, 2 * g / (1 + g), -expm1(-local) / (1 + g)}, clones = {0, 0.5, 0.5};
    double m = others.m, mean = m * others.p, none = log_apart(&clones, local, epsilon).upper, sum = -INFINITY,
           added = 0;
    if (m == 0) return none;
    double width = fmax(1, floor(sqrt(mean * others.r) / PIECES)), middle = floor(mean);
    for (double first = middle; first <= m; first += width, added++) {
        clones.m = first;
        double here = log_apart(&clones, local, epsilon).upper;
        double beyond = log_beyond(mean, fmax(0, first - mean), true) + here;
        if (beyond < sum - ENOUGH) {
            sum = dpn_log_add(sum, beyond);
            break;
        }
        sum = dpn_log_add(sum, log_mass(first, fmin(first + width - 1, m), &others) + here);
    }
    for (double last = middle - 1; last >= 0; last -= width, added++) {
        if (added >= MOST_PIECES) width = fmax(width, floor((mean - last) / 64));
        double beyond = log_beyond(mean, mean - last, false) + none, first = fmax(0, last - width + 1);
        if (beyond < sum - ENOUGH) {
            sum = dpn_log_add(sum, beyond);
            break;
        }
        clones.m = first;
        double mass = added < MOST_PIECES ? log_mass(first, last, &others) : log_at_most(last, &others);
        sum = dpn_log_add(sum, mass + log_apart(&clones, local, epsilon).upper);
    }
    return sum + 8 * ROUND * (added + 8) * (1 + fabs(fmax(sum, -1e300)));
}

/* What randomised response of one bit reaches: one report of 0 or 1 among others that are all 1. */
static double log_lower_at(double reports, double local, double epsilon) {
    coins others = {reports - 1, 1 / (1 + exp(local)), 1 / (1 + exp(-local))};
    return log_apart(&others, local, epsilon).lower;
}

/* ---- the public functions ---- */

static dpn_status check(uint64_t reports, double local, dpn_error *why) {
    if (reports < 1 || (double)reports > MOST_REPORTS)
        return dpn_fail(why, DPN_EDOMAIN, "there must be at least 1 report and at most 2^31");
    if (!(local >= 0 && local <= 100))
        return dpn_fail(why, DPN_EDOMAIN, "the local epsilon must lie between 0 and 100");
    return DPN_OK;
}

/* log of the lower or the upper end of delta. Beyond the local epsilon there is no loss, and shuffling does no harm. */
static double log_end(uint64_t reports, double local, double epsilon, bool upper) {
    coins nobody = {0, 0.5, 0.5};
    if (epsilon >= local) return -INFINITY;
    if (!upper) return fmin(log_lower_at((double)reports, local, epsilon), 0);
    double alone = fmin(0, log_apart(&nobody, local, epsilon).upper);
    return fmin(alone, log_upper_at((double)reports, local, epsilon));
}

static dpn_delta delta_at(uint64_t reports, double local, double epsilon) {
    double upper = log_end(reports, local, epsilon, true);
    return dpn_delta_between(fmin(log_end(reports, local, epsilon, false), upper), upper);
}

dpn_status dpn_shuffle_delta(dpn_delta *out, uint64_t reports, double local, double epsilon, dpn_error *why) {
    dpn_status status = check(reports, local, why);
    if (!status && !(epsilon >= 0)) status = dpn_fail(why, DPN_EDOMAIN, "epsilon must not be negative");
    if (!status) *out = delta_at(reports, local, epsilon);
    return status;
}

dpn_status dpn_shuffle_epsilon(dpn_epsilon *out, uint64_t reports, double local, double delta, dpn_error *why) {
    dpn_status status = check(reports, local, why);
    if (!status && !(delta >= 0 && delta <= 1)) status = dpn_fail(why, DPN_EDOMAIN, "delta must lie in [0, 1]");
    if (status) return status;
    double end[2], log_delta = log(delta); /* of the lower and of the upper end of delta */
    for (int side = 0; side < 2; side++) {
        double low = 0, high = local, goal = log_delta - (side ? 4 : -4) * DBL_EPSILON * (1 + fabs(log_delta));
        if (delta == 0) goal = -INFINITY;
        if (log_end(reports, local, 0, side) <= goal) high = 0;
        for (int i = 0; i < 60 && high - low > 1e-9 * high; i++) {
            double middle = 0.5 * (low + high);
            *(log_end(reports, local, middle, side) <= goal ? &high : &low) = middle;
        }
        end[side] = side ? high : low;
    }
    *out = (dpn_epsilon){fmin(end[0], end[1]), end[1]};
    return DPN_OK;
}
