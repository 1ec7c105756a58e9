/* epsilon of sampled steps for one delta, with one choice of windows. */
#include "privacy/sampling/mixture-inverse.h"

#include "base/error.h"
#include "privacy/compose/invert.h"
#include "privacy/interval.h"
#include "privacy/sampling/mixture-saddle.h"

dpn_status dpn_attempt_guess(double *epsilon, dpn_attempt *a, double log_delta, dpn_error *why) {
    double low = 0, high = INFINITY, theta = 1, low_height = INFINITY, high_height = -INFINITY;
    dpn_mixture_cumulants k;
    dpn_status status = dpn_mixture_tilt(&k, a->all, 0, DPN_MIXTURE_ROUGH, why);
    if (status) return status;
    theta = sqrt(-2 * log_delta / k.variance);
    for (int i = 0; i < 60; i++) {
        status = dpn_mixture_tilt(&k, a->all, theta, DPN_MIXTURE_ROUGH, why);
        if (status == DPN_ENOMEM) return status;
        double height = -INFINITY;
        if (!status) {
            dpn_mixture_line_set(&a->line, &k, false, theta);
            *epsilon = k.mean - 1 / theta - 1 / (1 + theta);
            height = dpn_mixture_log_estimate(&a->line, *epsilon) - log_delta;
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

/* On which side of the target delta is for certain: 1 above it and not below the next double, -1 not above, 0 unknown. */
static int side_of(const dpn_delta *delta, double log_target) {
    if (delta->log_lower >= dpn_invert_above(log_target)) return 1;
    return delta->log_upper <= log_target * (1 + 2 * DBL_EPSILON) ? -1 : 0;
}

static double height_of(const dpn_delta *delta, double log_target) {
    return 0.5 * (delta->log_lower + delta->log_upper) - log_target;
}

/* From epsilon outwards, to where the side is certain; and a little back, as far as it stays so. */
static bool certain_end(double *end, const dpn_attempt *a, double epsilon, double step, int side, double log_target) {
    enum { FAR = 30, BACK = 3 };
    double near = 0, far = step;
    int found = -1;
    for (int i = 0; i < FAR + BACK && found < BACK; i++) {
        double away = found < 0 ? far : 0.5 * (near + far), at = epsilon - side * away;
        if (at <= 0 && side > 0 && found < 0) {
            *end = 0;
            return true;
        }
        dpn_delta delta = dpn_attempt_delta(a, at);
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
static void meet(const dpn_attempt *a, double log_target, double *epsilon, double *rate) {
    double before = NAN, before_height = NAN;
    *rate = a->how.above > 0 && a->rate > 0 ? a->rate : a->line.theta;
    for (int i = 0; i < 30; i++) {
        dpn_delta delta = dpn_attempt_delta(a, *epsilon);
        double height = isfinite(delta.log_lower) ? height_of(&delta, log_target) : delta.log_upper - log_target;
        if (i > 0 && *epsilon != before) {
            double secant = (before_height - height) / (*epsilon - before);
            if (secant > 0.1 * *rate && secant < 10 * *rate)
                *rate = secant;
            else if (a->how.above > 0 && secant > 0)
                *rate = secant;
        }
        if (fabs(height) <= 0.02 * a->accuracy || (height > 0 && isinf(delta.log_lower))) return;
        before = *epsilon;
        before_height = height;
        *epsilon = fmax(fmax(0, 0.5 * *epsilon), *epsilon + height / *rate);
        if (fabs(*epsilon - before) < 1e-15 * *epsilon) return;
    }
}

/* The line at *epsilon answers: an interval around the target, or it says where to try next. */
static bool settle(dpn_epsilon *out, dpn_attempt *a, double log_target, double *epsilon) {
    double rate, spread, low, high;
    meet(a, log_target, epsilon, &rate);
    a->epsilon = *epsilon;
    a->rate = rate;
    dpn_delta delta = dpn_attempt_delta(a, *epsilon);
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
        dpn_delta at_zero = dpn_attempt_delta(a, 0);
        if (side_of(&at_zero, log_target) == -1) high = 0;
    }
    *out = (dpn_epsilon){low, high};
    return true;
}

/* Whether small losses alone may add up to too much near epsilon, however well the rest is known. */
static bool small_is_too_much(const dpn_attempt *a, double epsilon, double log_target) {
    return a->how.small > 0 && a->log_small - a->small_theta * epsilon > log_target + log(a->accuracy);
}

dpn_status dpn_attempt_epsilon(dpn_epsilon *out, dpn_attempt *a, double delta, double epsilon, dpn_error *why) {
    double log_target = log(delta);
    bool known = epsilon > 0;
    dpn_status status = dpn_attempt_cut(a, why);
    if (!status && !known) status = dpn_attempt_guess(&epsilon, a, log_target, why);
    if (status) return status;
    for (int i = 0; i < 6; i++) {
        epsilon = fmax(epsilon, 0);
        if (i > 0 && a->how.above > 0) {
            a->how.above = fmax(epsilon, DBL_MIN);
            a->how.log_lost = log_target + log(0.1 * a->accuracy);
            status = dpn_attempt_cut(a, why);
            if (status) return status;
        }
        if (i > 0 || known || epsilon == 0)
            status = dpn_mixture_saddle(&a->line, a->all, false, epsilon, i > 0 ? a->line.theta : 0, why);
        if (!status && a->how.small > 0) status = dpn_attempt_bound_small(a, epsilon, why);
        if (!status && small_is_too_much(a, epsilon, log_target)) break;
        if (!status) status = dpn_attempt_line(a, epsilon, log_target, why);
        if (status) return status;
        dpn_delta here = dpn_attempt_delta(a, epsilon);
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
