/* Reports of a local randomizer, shuffled: the clones of Feldman, McMillan and Talwar 2021, summed with bounds on both sides.
 *
 * Everything is made of one question: a coin that shows heads with probability w or 1 - w is thrown among m others, each of which shows heads with
 * probability p. How far apart are the two numbers of heads? docs/proofs/privacy/shuffle.md */
#include "base/error.h"
#include "privacy/interval.h"

#include <dpnoise/sampling.h>

#define HALF_LOG_2_PI 0.91893853320467274178

/* A bound of the relative error of everything below, a hundred times what the rounding of its parts adds up to. */
#define DOUBT 1e-9

/* The number of clones is looked at in so many pieces for each standard deviation, and what is e^-ENOUGH of the rest is bounded as a whole. */
enum { PIECES = 32, ENOUGH = 30 };
#define MOST_REPORTS 0x1p31

/* ---- binomial laws ---- */

/* log n! - log(sqrt(2 pi n) (n/e)^n), n >= 1. */
static double stirling_error(double n) {
    if (n < 16) return log(tgamma(n + 1)) - (n + 0.5) * log(n) + n - HALF_LOG_2_PI;
    double square = n * n;
    return (1.0 / 12 - (1.0 / 360 - (1.0 / 1260 - 1.0 / (1680 * square)) / square) / square) / n;
}

/* x log(x/y) + y - x. Near x = y by a series in (x-y)/(x+y) (Loader 2000). */
static double deviance(double x, double y) {
    if (fabs(x - y) >= 0.1 * (x + y)) return x * log(x / y) + y - x;
    double v = (x - y) / (x + y), term = 2 * x * v, sum = (x - y) * v;
    for (int i = 1; i < 60; i++) {
        term *= v * v;
        double more = sum + term / (2 * i + 1);
        if (more == sum) break;
        sum = more;
    }
    return sum;
}

/* log P(k heads of m). */
static double log_heads(double k, double m, double p) {
    if (k < 0 || k > m) return -INFINITY;
    if (k == 0) return m * log1p(-p);
    if (k == m) return m * log(p);
    return stirling_error(m) - stirling_error(k) - stirling_error(m - k) - deviance(k, m * p) -
           deviance(m - k, m * (1 - p)) - HALF_LOG_2_PI - 0.5 * log(k / m * (m - k));
}

/* P(at least j heads of m)/P(j - 1 heads), j - 1 at least the mean: every ratio of neighbours is at most 1. */
static double tail_ratio(double j, double m, double p) {
    double sum = 0, term = 1;
    for (double i = j; i <= m; i++) {
        double ratio = (m - i + 1) * p / (i * (1 - p));
        term *= ratio;
        sum += term;
        if (ratio < 1 && term * ratio < 1e-13 * sum * (1 - ratio)) return sum + term * ratio / (1 - ratio);
    }
    return sum;
}

/* log sup_E P(E) - e^epsilon Q(E), P and Q the numbers of heads with a coin of log odds `local`, or -local, among m others: the event is `at least j
 * heads`. 0 <= epsilon < local. */
static double log_apart(double m, double p, double local, double epsilon) {
    double w = 1 / (1 + exp(-local)), gain = w * -expm1(epsilon - local);
    double least =
        gain /
        (w * (exp(epsilon) - exp(-local))); /* j heads have P > xQ if P(j)/P(j-1) of the others is less than this */
    double j = fmin(m + 1, floor((m + 1) * p / (least * (1 - p) + p)) + 1);
    double height = gain - expm1(epsilon) * tail_ratio(j, m, p);
    return height > 0 ? log_heads(j - 1, m, p) + log(height) : -INFINITY;
}

/* ---- the clones ---- */

/* log of the mass of c0 .. c1 of Bin(m, q). */
static double log_mass(double c0, double c1, double m, double q) {
    double sum = 1, term = 1;
    for (double c = c0; c < c1; c++) {
        term *= (m - c) * q / ((c + 1) * (1 - q));
        sum += term;
    }
    return log_heads(c0, m, q) + log(sum);
}

/* log of a bound of the mass of Bin(m, q) further than `away` from its mean, on one side. */
static double log_beyond(double mean, double away, bool above) {
    return -0.5 * away * away / (above ? mean + away / 3 : mean);
}

/* log delta: each of the others is with probability e^-local a clone of the one report, which shows either of two values alike. delta falls with
 * the number of clones, so that it is taken at the first of each piece. From the mean outwards, until what is beyond does not count. */
static double log_upper_at(double reports, double local, double epsilon) {
    double q = exp(-local), m = reports - 1, mean = m * q, none = log_apart(0, 0.5, local, epsilon), sum = -INFINITY;
    if (m == 0) return none;
    double width = fmax(1, floor(sqrt(mean * (1 - q)) / PIECES)), middle = floor(mean);
    for (double first = middle; first <= m; first += width) {
        double here = log_apart(first, 0.5, local, epsilon),
               beyond = log_beyond(mean, fmax(0, first - mean), true) + here;
        if (beyond < sum - ENOUGH) {
            sum = dpn_log_add(sum, beyond);
            break;
        }
        sum = dpn_log_add(sum, log_mass(first, fmin(first + width - 1, m), m, q) + here);
    }
    for (double last = middle - 1; last >= 0; last -= width) {
        double beyond = log_beyond(mean, mean - last, false) + none, first = fmax(0, last - width + 1);
        if (beyond < sum - ENOUGH) return dpn_log_add(sum, beyond);
        sum = dpn_log_add(sum, log_mass(first, last, m, q) + log_apart(first, 0.5, local, epsilon));
    }
    return sum;
}

/* What randomised response of one bit reaches: one report of 0 or 1 among others that are all 1. */
static double log_lower_at(double reports, double local, double epsilon) {
    return log_apart(reports - 1, 1 / (1 + exp(local)), local, epsilon);
}

/* ---- the public functions ---- */

static dpn_status check(uint64_t reports, double local, dpn_error *why) {
    if (reports < 1 || (double)reports > MOST_REPORTS)
        return dpn_fail(why, DPN_EDOMAIN, "there must be at least 1 report and at most 2^31");
    if (!(local >= 0 && local <= 100))
        return dpn_fail(why, DPN_EDOMAIN, "the local epsilon must lie between 0 and 100");
    return DPN_OK;
}

/* Beyond the local epsilon there is no loss. */
static dpn_delta delta_at(uint64_t reports, double local, double epsilon) {
    if (epsilon >= local) return (dpn_delta){0, 0, -INFINITY, -INFINITY};
    double upper = log_upper_at((double)reports, local, epsilon), lower = log_lower_at((double)reports, local, epsilon);
    double alone = log_apart(0, 0.5, local, epsilon); /* shuffling does no harm */
    upper = fmin(fmin(upper, alone) + DOUBT, 0);
    return dpn_delta_between(fmin(lower - DOUBT, upper), upper);
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
    double end[2]; /* of the lower and of the upper end of delta */
    for (int side = 0; side < 2; side++) {
        double low = 0, high = local;
        dpn_delta at = delta_at(reports, local, 0);
        if ((side ? at.upper : at.lower) <= delta) high = 0;
        for (int i = 0; i < 60 && high - low > 1e-9 * high; i++) {
            double middle = 0.5 * (low + high);
            at = delta_at(reports, local, middle);
            *((side ? at.upper : at.lower) <= delta ? &high : &low) = middle;
        }
        end[side] = side ? high : low;
    }
    *out = (dpn_epsilon){fmin(end[0], end[1]), end[1]};
    return DPN_OK;
}
