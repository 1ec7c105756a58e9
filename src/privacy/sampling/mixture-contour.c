/* delta(epsilon) of many steps with Gaussian noise on Poisson samples, and its inverse, by sums along contours. */
#include "privacy/sampling/mixture-contour.h"

#include "base/error.h"
#include "law/special.h"
#include "privacy/interval.h"

#include <stdlib.h>

#define ROUGH 1e-4

/* Sums in the unit of their line cannot be had to less than this. */
#define LEAST_TOLERANCE 1e-16

/* Work that is done before less accuracy and other windows are tried. */
#define WORK_QUICK 1.5e7

/* ---- windows ---- */

/* How the measure is cut: what lies far right is left out if `cut`, with a mass of e^log_lost; the sum of losses smaller than `small` is taken
 * apart if that is not 0. */
typedef struct cutting {
    bool cut;
    double log_lost, small;
} cutting;

static double loss_at(const dpn_mixture *m,
                      double loss) { /* the noise where the loss of present against absent is this */
    return log((expm1(loss) + m->rate) / m->rate) / m->ratio + 0.5 * m->ratio;
}

/* The mass of 1 - V <= e^(steep (t - cut)) under the mixture is at most e^(steep^2/2 - steep cut) (1 - q + q e^(steep c)), for all steps
 * together e^log_lost with the cut that is returned. */
static double cut_for(const dpn_mixtures *all, double steep, double log_lost) {
    double log_mass = -INFINITY;
    for (size_t i = 0; i < all->terms; i++) {
        const dpn_mixture *m = &all->term[i].mixture;
        log_mass = dpn_log_add(log_mass, log(all->term[i].times) + log1p(m->rate * expm1(steep * m->ratio)));
    }
    return 0.5 * steep + (log_mass - log_lost) / steep;
}

/* The steepness with which the cut is about as near as it can be; without a cut about that of the loss. */
static double steepness(const dpn_mixtures *all, const cutting *how) {
    double steep = 1;
    if (how->cut) return fmin(fmax(sqrt(fmax(0, -2 * how->log_lost)), 4), 10);
    for (size_t i = 0; i < all->terms; i++) steep = fmax(steep, fmin(all->term[i].mixture.ratio, 3));
    return steep;
}

static void set_windows(dpn_mixtures *all, const cutting *how) {
    double steep = steepness(all, how), cut = how->cut ? cut_for(all, steep, how->log_lost) : INFINITY;
    for (size_t i = 0; i < all->terms; i++) {
        dpn_mixture *m = &all->term[i].mixture;
        m->steep = how->cut || how->small > 0 ? steep : 0;
        m->cut = cut;
        m->split = how->small > 0 ? loss_at(m, how->small) : -INFINITY;
    }
    all->rest = how->small > 0;
}

/* The small losses alone: the window that ended them becomes the cut. */
static void keep_small(dpn_mixtures *all) {
    for (size_t i = 0; i < all->terms; i++) {
        all->term[i].mixture.cut = all->term[i].mixture.split;
        all->term[i].mixture.split = -INFINITY;
    }
    all->rest = false;
}

/* ---- lines ---- */

/* The least point of K(x) - x epsilon - log|x (1 + x)|, to a tenth of its width, from `start` if that is not 0. */
static dpn_status saddle(dpn_mixture_line *line, dpn_mixtures *all, bool middle, double epsilon, double start,
                         dpn_error *why) {
    double low = middle ? -1 : 0, high = middle ? 0 : INFINITY, x = middle ? -0.5 : start;
    dpn_mixture_cumulants k;
    if (!middle && !(start > 0)) {
        dpn_status status = dpn_mixture_tilt(&k, all, 0, ROUGH, why);
        if (status) return status;
        double gap = epsilon - k.mean, root = sqrt(gap * gap + 6 * k.variance);
        x = gap > 0 ? (gap + root) / (2 * k.variance) : 3 / (root - gap);
    }
    for (int i = 0; i < 80; i++) {
        dpn_status status = dpn_mixture_tilt(&k, all, x, ROUGH, why);
        if (status && (middle || x < 1e-3)) return status;
        double slope = INFINITY, curvature = 1; /* too far */
        if (!status) {
            slope = k.mean - epsilon - 1 / x - 1 / (1 + x);
            curvature = k.variance + 1 / (x * x) + 1 / ((1 + x) * (1 + x));
            if (fabs(slope) <= 0.1 * sqrt(curvature)) {
                dpn_mixture_line_set(line, &k, middle, x);
                return DPN_OK;
            }
        }
        *(slope < 0 ? &low : &high) = x;
        double next = status ? 0.25 * x : x - slope / curvature, target = k.mean - slope;
        if (!status && !middle && slope > 0) /* the mean grows exponentially where large losses take over */
            next = fmin(next, x - log(k.mean / target) * k.mean / k.variance);
        if (!middle) next = fmin(fmax(next, x / 16), 4 * x);
        if (!(next > low && next < high)) next = isinf(high) ? 2 * x : 0.5 * (low + high);
        if (isfinite(high) && high - low <= 1e-6 * fabs(high)) break;
        x = next;
    }
    return dpn_fail(why, DPN_EACCURACY, "the contour has no saddle point");
}

static double log_unit(const dpn_mixture_line *line, double epsilon) {
    return dpn_two_value(dpn_two_subtract(line->k.value, dpn_two_product(line->theta, epsilon)));
}

static double log_estimate(const dpn_mixture_line *line, double epsilon) {
    return log_unit(line, epsilon) + log(line->estimate);
}

/* log of the Chernoff bound of the line: an upper bound of delta, of 1 - delta on the middle line. */
static double log_most(const dpn_mixture_line *line, double epsilon) {
    double unit = log_unit(line, epsilon);
    return unit + log(dpn_mixture_chernoff_factor(line->middle, line->theta)) + line->k.error +
           4 * DBL_EPSILON * (1 + fabs(unit));
}

/* ---- an answer with one cutting ---- */

/* A line, and bounds of what it leaves out: of the sum of small losses e^(log_small - small_theta epsilon), and e^log_lost. */
typedef struct attempt {
    dpn_mixtures *all;
    cutting how;
    double accuracy, work, width; /* width: of epsilon over max(1, epsilon), 0 if the accuracy alone counts */
    double finest, goal;          /* the accuracy that is asked for at most, for the width that is wanted */
    double epsilon, rate;         /* that were seen last: rate is that at which log delta falls */
    dpn_mixture_line line;
    double log_small, small_theta;
} attempt;

static dpn_delta attempt_delta(const attempt *a, double epsilon) {
    double lower, upper;
    dpn_mixture_line_delta(&lower, &upper, &a->line, epsilon);
    if (a->how.small > 0) upper = dpn_log_add(upper, a->log_small - a->small_theta * epsilon);
    if (a->how.cut) upper = dpn_log_add(upper, a->how.log_lost + 1e-9);
    return dpn_delta_between(lower, fmin(0, upper + 4 * DBL_EPSILON));
}

static bool accurate(const dpn_delta *delta, double accuracy) {
    return delta->log_upper - delta->log_lower <= log1p(accuracy);
}

/* The nodes, again with less tolerance if the answer is smaller than was thought; unless it is for certain not the one that is looked for. */
static dpn_status make_line(attempt *a, double epsilon, double log_target, dpn_error *why) {
    double log_answer = a->line.middle ? 0 : log_estimate(&a->line, epsilon);
    if (log_target < log_answer) log_answer = log_target - 1;
    a->line.tolerance = a->accuracy * exp(fmin(700, log_answer - log_unit(&a->line, epsilon)));
    double before = INFINITY;
    for (int i = 0; i < 3; i++) {
        dpn_status status = dpn_mixture_line_make(&a->line, a->all, epsilon, a->work, why);
        if (status) return status;
        double lower, upper;
        dpn_mixture_line_delta(&lower, &upper, &a->line, epsilon);
        if (upper - lower <= 0.8 * log1p(a->accuracy)) return DPN_OK;
        if (upper < log_target - 1 || lower > log_target + 1) return DPN_OK;
        if (upper - lower > 0.5 * before) break; /* rounding, which no tolerance mends */
        before = upper - lower;
        double answer = a->line.middle ? 0 : exp(fmin(lower, upper) - log_unit(&a->line, epsilon));
        a->line.tolerance =
            answer > 0 ? fmin(0.3 * a->accuracy * answer, 0.1 * a->line.tolerance) : 1e-4 * a->line.tolerance;
        if (a->line.tolerance < 1e-15) break;
    }
    return dpn_fail(why, DPN_EACCURACY, "the contour sum does not reach the accuracy");
}

/* A bound of the sum of small losses alone, the least at epsilon. */
static dpn_status bound_small(attempt *a, double epsilon, dpn_error *why) {
    dpn_mixture_line line = {0};
    keep_small(a->all);
    dpn_status status = saddle(&line, a->all, false, epsilon, 0, why);
    if (!status) {
        a->small_theta = line.theta;
        a->log_small = log_most(&line, epsilon) + line.theta * epsilon;
    }
    set_windows(a->all, &a->how);
    return status;
}

static dpn_status forward(attempt *a, double epsilon, dpn_error *why) {
    set_windows(a->all, &a->how);
    dpn_status status = a->how.small > 0 ? bound_small(a, epsilon, why) : DPN_OK;
    if (!status) status = saddle(&a->line, a->all, false, epsilon, 0, why);
    return status ? status : make_line(a, epsilon, NAN, why);
}

/* ---- epsilon for one delta ---- */

/* Where the estimate of delta is the given one: theta, and epsilon = K'(theta) - 1/theta - 1/(1 + theta). */
static dpn_status guess_epsilon(double *epsilon, attempt *a, double log_delta, dpn_error *why) {
    double low = 0, high = INFINITY, theta = 1, low_height = INFINITY, high_height = -INFINITY;
    dpn_mixture_cumulants k;
    dpn_status status = dpn_mixture_tilt(&k, a->all, 0, ROUGH, why);
    if (status) return status;
    theta = sqrt(-2 * log_delta / k.variance);
    for (int i = 0; i < 60; i++) {
        status = dpn_mixture_tilt(&k, a->all, theta, ROUGH, why);
        if (status == DPN_ENOMEM) return status;
        double height = -INFINITY;
        if (!status) {
            dpn_mixture_line_set(&a->line, &k, false, theta);
            *epsilon = k.mean - 1 / theta - 1 / (1 + theta);
            height = log_estimate(&a->line, *epsilon) - log_delta;
            if (fabs(height) < 0.2 || (isfinite(high) && high < low * (1 + 1e-6))) return DPN_OK;
        }
        if (height > 0) {
            low = theta;
            low_height = height;
        } else {
            high = theta;
            high_height = height;
        }
        if (high < 1e-12 || low > 1e12) break;
        double share = low_height / (low_height - high_height); /* of the way, in log theta */
        if (!(share > 0.1)) share = 0.1;
        if (!(share < 0.9)) share = i % 2 ? 0.5 : 0.9;
        if (!isfinite(high_height) || !isfinite(low_height)) share = 0.5;
        if (isinf(high))
            theta = low * 2.5;
        else
            theta = low > 0 ? low * pow(high / low, share) : high / 2.5;
    }
    return dpn_fail(why, DPN_EACCURACY, "no line of the contour suits delta");
}

/* On which side of the target delta is for certain: 1 above, -1 not above, 0 unknown. */
static int side_of(const dpn_delta *delta, double log_target) {
    double rounding = -2 * DBL_EPSILON * log_target;
    return delta->log_lower >= log_target + rounding ? 1 : delta->log_upper <= log_target - rounding ? -1 : 0;
}

static double height_of(const dpn_delta *delta, double log_target) {
    return 0.5 * (delta->log_lower + delta->log_upper) - log_target;
}

/* From epsilon outwards, to where the side is certain; and a little back, as far as it stays so. */
static bool certain_end(double *end, const attempt *a, double epsilon, double step, int side, double log_target) {
    enum { FAR = 30, BACK = 3 };
    double near = 0, far = step;
    int found = -1;
    for (int i = 0; i < FAR + BACK && found < BACK; i++) {
        double away = found < 0 ? far : 0.5 * (near + far), at = epsilon - side * away;
        if (at <= 0 && side > 0 && found < 0) {
            *end = 0;
            return true;
        }
        dpn_delta delta = attempt_delta(a, at);
        bool certain = side_of(&delta, log_target) == side;
        if (certain) {
            *end = at;
            far = away;
        } else {
            near = away;
            if (found < 0) far = 2 * away;
        }
        if (certain || found >= 0) found++;
    }
    return found >= 0;
}

/* Where the line's delta meets the target: *epsilon moves there, as far as the line can tell; *rate becomes the rate at which log delta
 * falls. */
static void meet(const attempt *a, double log_target, double *epsilon, double *rate) {
    double before = NAN, before_height = NAN;
    *rate = a->line.theta;
    for (int i = 0; i < 30; i++) {
        dpn_delta delta = attempt_delta(a, *epsilon);
        double height = isfinite(delta.log_lower) ? height_of(&delta, log_target) : delta.log_upper - log_target;
        if (i > 0 && *epsilon != before) {
            double secant = (before_height - height) / (*epsilon - before);
            if (secant > 0.1 * *rate && secant < 10 * *rate) *rate = secant;
        }
        if (fabs(height) <= 0.02 * a->accuracy || (height > 0 && isinf(delta.log_lower))) return;
        before = *epsilon;
        before_height = height;
        *epsilon = fmax(fmax(0, 0.5 * *epsilon), *epsilon + height / *rate);
        if (fabs(*epsilon - before) < 1e-15 * *epsilon) return;
    }
}

/* The line at *epsilon answers: an interval around the target, or it says where to try next. */
static bool settle(dpn_epsilon *out, attempt *a, double log_target, double *epsilon) {
    double rate, spread, low, high;
    meet(a, log_target, epsilon, &rate);
    a->epsilon = *epsilon;
    a->rate = rate;
    dpn_delta delta = attempt_delta(a, *epsilon);
    spread = fmax(0.6 * (delta.log_upper - delta.log_lower), 1e-14) + fabs(height_of(&delta, log_target));
    double step = spread / rate + 4 * DBL_EPSILON * *epsilon;
    if (!certain_end(&low, a, *epsilon, step, 1, log_target) || !certain_end(&high, a, *epsilon, step, -1, log_target))
        return false;
    double widest = fmin(2.5 * a->accuracy / rate, a->width > 0 ? a->width * fmax(1, high) : INFINITY);
    if (high - low > widest + 1e-12 * high && low > 0) {
        double needed = 0.7 * a->accuracy * a->width * fmax(1, high) / (high - low);
        if (a->width > 0 && needed < a->accuracy) a->accuracy = fmax(needed, a->finest);
        return false;
    }
    if (low == 0) { /* perhaps it is 0 */
        dpn_delta at_zero = attempt_delta(a, 0);
        if (side_of(&at_zero, log_target) == -1) high = 0;
    }
    *out = (dpn_epsilon){low, high};
    return true;
}

/* Whether small losses alone may add up to too much near epsilon, however well the rest is known. */
static bool small_is_too_much(const attempt *a, double epsilon, double log_target) {
    return a->how.small > 0 && a->log_small - a->small_theta * epsilon > log_target + log(a->accuracy);
}

/* From `epsilon` on, or if that is 0 from a guess. */
static dpn_status inverse(dpn_epsilon *out, attempt *a, double delta, double epsilon, dpn_error *why) {
    double log_target = log(delta);
    bool known = epsilon > 0;
    set_windows(a->all, &a->how);
    dpn_status status = known ? DPN_OK : guess_epsilon(&epsilon, a, log_target, why);
    if (status) return status;
    for (int i = 0; i < 6; i++) {
        epsilon = fmax(epsilon, 0);
        if (i > 0 || known || epsilon == 0)
            status = saddle(&a->line, a->all, false, epsilon, i > 0 ? a->line.theta : 0, why);
        if (!status && a->how.small > 0) status = bound_small(a, epsilon, why);
        if (!status && small_is_too_much(a, epsilon, log_target)) break;
        if (!status) status = make_line(a, epsilon, log_target, why);
        if (status) return status;
        dpn_delta here = attempt_delta(a, epsilon);
        if (epsilon == 0 && side_of(&here, log_target) == -1) {
            *out = (dpn_epsilon){0, 0};
            return DPN_OK;
        }
        double before = epsilon, accuracy = a->accuracy;
        if (settle(out, a, log_target, &epsilon)) return DPN_OK;
        if (fabs(epsilon - before) * a->rate < 0.1 && !(a->accuracy < accuracy))
            break; /* the next line would be the same */
    }
    return dpn_fail(why, DPN_EACCURACY, "the contour sum does not find epsilon");
}

/* ---- which cutting ---- */

/* Shares of epsilon below which losses are small. */
static const double small_share[] = {0.5, 0.25, 0.12, 0.06, 0.03, 0.015};

/* Nothing lies beyond the largest loss of absent against present, -log(1 - q) in each step. */
static double largest_absent(const dpn_mixtures *all) {
    double largest = 0;
    for (size_t i = 0; i < all->terms; i++) largest -= all->term[i].times * log1p(-all->term[i].mixture.rate);
    return largest * (1 + 8 * DBL_EPSILON * (double)(all->terms + 1));
}

static bool beyond_largest(const dpn_mixtures *all, double epsilon) {
    return all->terms == 0 || (all->absent && epsilon >= largest_absent(all));
}

static void end_attempt(attempt *a) {
    dpn_mixture_line_free(&a->line);
    set_windows(a->all, &(cutting){0});
}

/* log of about the delta of the largest single loss, to begin with: n q P(noise beyond where the loss is epsilon). */
static double log_single(const dpn_mixtures *all, double epsilon) {
    double sum = -INFINITY;
    for (size_t i = 0; i < all->terms; i++) {
        const dpn_mixture *m = &all->term[i].mixture;
        double t = fmax(0, loss_at(m, epsilon) - m->ratio);
        sum = dpn_log_add(sum, log(m->rate * all->term[i].times) - 0.5 * t * t - 2 * log1p(t) - 1);
    }
    return sum;
}

/* How often the person is seen: about what the losses log(1 - q) of the other steps take from that of one. */
static double times_seen(const dpn_mixtures *all) {
    double seen = 0;
    for (size_t i = 0; i < all->terms; i++) seen += all->term[i].times * all->term[i].mixture.rate;
    return seen;
}

/* The same to first order in n q: q [Q(t - c) - e^u Q(t)] at the noise t whose loss makes up for that of the other steps; Q is the
 * normal tail. */
static double log_rare(const dpn_mixtures *all, double epsilon) {
    double sum = -INFINITY, others = times_seen(all);
    for (size_t i = 0; i < all->terms; i++) {
        const dpn_mixture *m = &all->term[i].mixture;
        double c = m->ratio, t = loss_at(m, epsilon + others), u = c * (t - 0.5 * c), far = dpn_log_q(t - c);
        sum = dpn_log_add(sum, log(m->rate * all->term[i].times) + far + log(-expm1(u + dpn_log_q(t) - far)));
    }
    return sum;
}

/* With what is far right left out. How much may be left out depends on the answer. */
static dpn_status forward_cut(dpn_delta *out, attempt *a, double epsilon, double share, dpn_error *why) {
    double log_delta = log_single(a->all, epsilon), before = INFINITY;
    dpn_status status = DPN_OK;
    for (int i = 0; i < 5 && !status && fabs(log_delta - before) > 1; i++) {
        before = log_delta;
        a->how = (cutting){true, log_delta + log(0.1 * a->accuracy), 0};
        set_windows(a->all, &a->how);
        status = saddle(&a->line, a->all, false, epsilon, 0, why);
        if (!status) log_delta = fmax(log_delta, log_estimate(&a->line, epsilon) - 3);
    }
    for (int i = 0; i < 3 && !status; i++) {
        a->how = (cutting){true, log_delta + log(0.1 * a->accuracy), share * epsilon};
        status = forward(a, epsilon, why);
        if (status) break;
        *out = attempt_delta(a, epsilon);
        if (accurate(out, a->accuracy)) return DPN_OK;
        log_delta = fmin(log_delta - 2, out->log_lower);
    }
    return status ? status : dpn_fail(why, DPN_EACCURACY, "the contour sum does not reach the accuracy");
}

dpn_status dpn_mixture_delta(dpn_delta *out, dpn_mixtures *all, double epsilon, double accuracy, double log_enough,
                             double work, dpn_error *why) {
    attempt a = {.all = all, .accuracy = accuracy, .work = work};
    all->spent = 0;
    if (beyond_largest(all, epsilon)) {
        *out = dpn_delta_between(-INFINITY, -INFINITY);
        return DPN_OK;
    }
    dpn_mixture_cumulants k;
    set_windows(all, &a.how);
    dpn_status status = dpn_mixture_tilt(&k, all, 0, ROUGH, why);
    if (status) return status;
    bool middle = epsilon < k.mean - 3 * sqrt(k.variance);
    status = saddle(&a.line, all, middle, epsilon, 0, why);
    if (!status && !middle && log_most(&a.line, epsilon) <= log_enough) {
        *out = dpn_delta_between(-INFINITY, log_most(&a.line, epsilon));
        return DPN_OK;
    }
    if (!status) status = make_line(&a, epsilon, NAN, why);
    if (!status) *out = attempt_delta(&a, epsilon);
    for (size_t i = 0; status == DPN_EACCURACY && !middle && !all->absent && epsilon > 0; i++) {
        if (i > sizeof small_share / sizeof *small_share) break;
        double share = i ? small_share[i - 1] : 0;
        if (i) { /* small losses apart, without a cut */
            a.how = (cutting){false, 0, share * epsilon};
            status = forward(&a, epsilon, why);
            if (!status) {
                *out = attempt_delta(&a, epsilon);
                if (!accurate(out, accuracy)) status = DPN_EACCURACY;
            }
        }
        if (status == DPN_EACCURACY) status = forward_cut(out, &a, epsilon, share, why);
    }
    end_attempt(&a);
    return status;
}

/* About the epsilon of the largest single loss. */
static double single_epsilon(const dpn_mixtures *all, double log_delta,
                             double (*log_at)(const dpn_mixtures *, double)) {
    double low = 1e-12, high = 700;
    for (int i = 0; i < 40; i++) {
        double middle = sqrt(low * high);
        *(log_at(all, middle) > log_delta ? &low : &high) = middle;
    }
    return low;
}

/* Whether the person is seen so rarely that epsilon is the loss of one step: losses are next to atoms, and their whole sum
 * takes too many nodes. */
static bool is_rare(const dpn_mixtures *all, double epsilon) {
    double seen = times_seen(all), ratio = INFINITY;
    for (size_t i = 0; i < all->terms; i++) ratio = fmin(ratio, all->term[i].mixture.ratio);
    return !all->absent && seen < 0.02 && seen < 0.1 * epsilon && ratio > 1;
}

/* Whether losses that hardly count would take over near the line that suits delta: whether leaving them out changes the transform there
 * or a little further right. */
static bool cut_helps(attempt *a, double delta, double log_lost, dpn_error *why) {
    double epsilon;
    dpn_mixture_cumulants cut, plain;
    set_windows(a->all, &(cutting){true, log_lost, 0});
    if (guess_epsilon(&epsilon, a, log(delta), why)) return false;
    double rho = a->line.theta + 6 * a->line.width;
    if (dpn_mixture_tilt(&cut, a->all, rho, ROUGH, why)) return false;
    set_windows(a->all, &(cutting){0});
    if (dpn_mixture_tilt(&plain, a->all, rho, ROUGH, why)) return true;
    return dpn_two_value(dpn_two_subtract(plain.value, cut.value)) > 0.1;
}

/* delta(0), the total variation distance, is at most the sum of those of the steps. */
static bool zero_will_do(const dpn_mixtures *all, double delta) {
    double sum = 0;
    for (size_t i = 0; i < all->terms; i++) {
        const dpn_mixture *m = &all->term[i].mixture;
        sum += all->term[i].times * m->rate * erf(m->ratio * (1 + m->doubt) / sqrt(8)) * (1 + 16 * DBL_EPSILON);
    }
    return sum * (1 + 4 * DBL_EPSILON * (double)(all->terms + 1)) <= delta;
}

/* About the epsilon and the rate at which log delta falls there, to begin with: those of the largest single loss, or as if the sum were
 * Gaussian, with delta about s n(z)/z^2 at mean + z s. The larger one counts. */
static void begin(attempt *a, double log_delta) {
    double single = single_epsilon(a->all, log_delta, log_rare), z = sqrt(-2 * log_delta);
    bool rare = is_rare(a->all, single);
    dpn_mixture_cumulants k;
    if (!rare) single = single_epsilon(a->all, log_delta, log_single);
    a->epsilon = single;
    a->rate = (log_single(a->all, single) - log_single(a->all, 1.1 * single)) / (0.1 * single);
    if (rare) a->rate = (log_rare(a->all, single) - log_rare(a->all, 1.01 * single)) / (0.01 * single);
    set_windows(a->all, &a->how);
    if (dpn_mixture_tilt(&k, a->all, 0, ROUGH, NULL) || !(k.variance > 0)) return;
    double deviation = sqrt(k.variance);
    for (int i = 0; i < 4; i++) z = sqrt(fmax(0.1, 2 * (log(fmin(deviation, 1)) - 0.9 - 2 * log(z) - log_delta)));
    if (!(k.mean + z * deviation > single)) return;
    a->epsilon = k.mean + z * deviation;
    a->rate = z / deviation;
}

/* What is enough for a width of epsilon, where the accuracy is not easily had. */
static void loosen(attempt *a, double delta, double accuracy, double width) {
    a->accuracy = fmax(accuracy, fmin(1e-2, 1.5 * width * fmax(1, a->epsilon) * a->rate));
    a->width = a->accuracy > accuracy ? width : 0;
    a->finest = accuracy;
    a->goal = width;
    a->how = (cutting){a->how.cut, log(delta) + log(0.1 * a->accuracy), 0};
}

/* From what is known of epsilon by now. */
static dpn_status with_share(dpn_epsilon *out, attempt *a, double delta, double share, double work, dpn_error *why) {
    if (a->goal > 0) loosen(a, delta, a->finest, a->goal);
    a->how.small = share * a->epsilon;
    a->work = work;
    a->line.work = 0;
    return inverse(out, a, delta, a->epsilon, why);
}

/* Whether the person is in many samples, so that no losses are next to atoms. */
static bool is_often(const dpn_mixtures *all) {
    double most = 0;
    for (size_t i = 0; i < all->terms; i++) most = fmax(most, all->term[i].mixture.rate);
    return most > 0.1;
}

/* With small losses apart or not, whatever takes less work: the fewer losses are small the more nodes it takes, but the less do
 * small losses add up to. */
static dpn_status any_share(dpn_epsilon *out, attempt *a, double delta, double work, dpn_error *why) {
    enum { SHARES = sizeof small_share / sizeof *small_share };
    bool rare = is_rare(a->all, a->epsilon) && times_seen(a->all) < 3e-3;
    dpn_status status = rare ? DPN_EACCURACY : with_share(out, a, delta, 0, WORK_QUICK, why);
    double whole = rare ? INFINITY : a->line.work;
    size_t i = a->all->absent || is_often(a->all) ? SHARES : 0;
    a->line.work = 0;
    for (; i < SHARES && status == DPN_EACCURACY && !(a->line.work > fmin(whole, work)); i++)
        status = with_share(out, a, delta, small_share[i], fmin(whole, work), why);
    if (status == DPN_EACCURACY && rare) status = with_share(out, a, delta, 0, WORK_QUICK, why);
    if (status == DPN_EACCURACY && !rare && whole > WORK_QUICK && whole < 2 * work)
        status = with_share(out, a, delta, 0, work, why);
    for (i = i > 0 ? i - 1 : 0; i < SHARES && status == DPN_EACCURACY && whole < work; i++)
        status = with_share(out, a, delta, small_share[i], work, why);
    return status;
}

dpn_status dpn_mixture_epsilon(dpn_epsilon *out, dpn_mixtures *all, double delta, double accuracy, double width,
                               double work, dpn_error *why) {
    attempt a = {.all = all, .accuracy = accuracy, .work = work};
    all->spent = 0;
    if (zero_will_do(all, delta)) {
        *out = (dpn_epsilon){0, 0};
        return DPN_OK;
    }
    double log_lost = log(delta) + log(0.1 * accuracy);
    dpn_status status = DPN_EACCURACY;
    bool far = !all->absent && cut_helps(&a, delta, log_lost, why);
    a.how = (cutting){far, log_lost, 0};
    begin(&a, log(delta));
    if (far && width > 0) {
        loosen(&a, delta, accuracy, width);
        status = any_share(out, &a, delta, work, why);
    }
    if (status == DPN_EACCURACY) {
        a.accuracy = accuracy;
        a.width = 0;
        a.how = (cutting){far, log_lost, 0};
        a.work = fmin(work, WORK_QUICK);
        status = inverse(out, &a, delta, 0, why);
    }
    if (status == DPN_EACCURACY) {
        loosen(&a, delta, accuracy, width);
        status = any_share(out, &a, delta, work, why);
    }
    end_attempt(&a);
    return status;
}

dpn_status dpn_mixture_chernoff(double *log_upper, dpn_mixtures *all, double epsilon, dpn_error *why) {
    dpn_mixture_line line = {0};
    all->spent = 0;
    if (beyond_largest(all, epsilon)) {
        *log_upper = -INFINITY;
        return DPN_OK;
    }
    dpn_mixture_cumulants k;
    set_windows(all, &(cutting){0});
    dpn_status status = dpn_mixture_tilt(&k, all, 0, ROUGH, why);
    if (status) return status;
    bool middle = epsilon < k.mean - 3 * sqrt(k.variance);
    if (!middle) status = saddle(&line, all, false, epsilon, 0, why);
    if (!status) *log_upper = middle ? 0 : fmin(0, log_most(&line, epsilon));
    return status;
}

void dpn_mixtures_free(dpn_mixtures *all) {
    for (size_t i = 0; i < all->terms; i++) {
        dpn_mixture_rule_free(&all->term[i].rule);
        dpn_mixture_decay_free(&all->term[i].decay);
    }
    free(all->term);
    *all = (dpn_mixtures){0};
}
