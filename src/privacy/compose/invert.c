/* The epsilon at which a profile falls to a given delta, by a search on the certified ends. */
#include "privacy/compose/invert.h"

#include "base/error.h"
#include "privacy/interval.h"

/* The search for log delta(epsilon) = log_target; the profile decreases. */
typedef struct search {
    const dpn_inversion *of;
    double coarse, fine; /* accuracies: to see on which side the target is, and to find it */
    dpn_error *why;
    double log_target, under, above; /* delta is not above the target, and above it for certain: up to and from there */

    /* delta is above the target at low, and not above it at high, for certain. middle - log_target at both. */
    double low, high, low_height, high_height;
} search;

/* What delta at epsilon says: the bracket becomes narrower, or the target is between its ends. */
static dpn_status look(search *s, double epsilon, double accuracy, bool *between, double *spread) {
    dpn_delta delta;
    dpn_status status = s->of->delta(&delta, s->of->context, epsilon, accuracy, s->why);
    if (status) return status;
    double height = 0.5 * (delta.log_lower + delta.log_upper) - s->log_target;
    *spread = delta.log_upper - delta.log_lower;
    *between = false;
    if (delta.log_upper <= s->under) {
        s->high = epsilon;
        s->high_height = height;
    } else if (delta.log_lower >= s->above) {
        s->low = epsilon;
        s->low_height = height;
    } else {
        *between = true;
    }
    return DPN_OK;
}

/* Where delta vanishes, or far enough. `first` is about the size of the losses, so that no step goes absurdly deep. */
static dpn_status bracket(search *s, double first) {
    bool between;
    double spread;
    s->high = s->of->end;
    s->high_height = -INFINITY;
    for (double epsilon = s->of->first; epsilon > 0 && epsilon < s->high && epsilon < 1e300; epsilon *= 1.5) {
        dpn_status status = look(s, epsilon, s->coarse, &between, &spread);
        if (status == DPN_EACCURACY) break;
        if (status) return status;
    }
    for (double epsilon = first; isinf(s->high); epsilon *= 4) {
        dpn_status status = look(s, epsilon, s->coarse, &between, &spread);
        if (status) return status;
        if (epsilon > 1e300) return dpn_fail(s->why, DPN_EACCURACY, "epsilon is beyond 1e300");
    }
    return DPN_OK;
}

/* A point inside the bracket: on the chord of the heights, or in the middle. */
static double inside(const search *s, bool halve) {
    double middle = s->low + 0.5 * (s->high - s->low);
    if (halve || !isfinite(s->high_height) || !isfinite(s->low_height)) return middle;
    double chord = s->low + (s->high - s->low) * (s->low_height / (s->low_height - s->high_height));
    double margin = 1e-3 * (s->high - s->low);
    return fmin(fmax(chord, s->low + margin), s->high - margin);
}

/* Close to the largest loss delta itself may be out of reach. The bracket is certain all the same. */
static dpn_status settle(const search *s, dpn_status status) {
    return status == DPN_EACCURACY && s->high - s->low <= 1e-6 * s->high ? DPN_OK : status;
}

/* Halve the bracket, or better, until the target lies within the uncertainty of delta at *at. */
static dpn_status narrow(search *s, double accuracy, double *at, bool *between, double *spread) {
    *between = false;
    for (int i = 0; i < 100 && !*between && s->high - s->low > 1e-12 * s->high; i++) {
        *at = inside(s, i % 4 == 3);
        dpn_status status = look(s, *at, accuracy, between, spread);
        if (status) return status;
    }
    return DPN_OK;
}

/* From there push both ends to where the side is certain. */
static dpn_status widen(search *s, double accuracy, double at, double spread) {
    /* log delta falls at a rate of about this near the root. */
    double low_rate = s->low_height / (at - s->low), high_rate = -s->high_height / (s->high - at);
    double rate = fmax(isfinite(high_rate) ? high_rate : 0, isfinite(low_rate) ? low_rate : 0);
    double first = rate > 0 ? spread / rate : 1e-9 * at;
    for (int side = 0; side < 2; side++)
        for (double step = fmax(first, 1e-15 * at);; step *= 2) {
            bool between;
            double next = side ? at + step : at - step;
            if (side ? next >= s->high : next <= s->low) break;
            dpn_status status = look(s, next, accuracy, &between, &spread);
            if (status) return status;
            if (!between) break;
        }
    return DPN_OK;
}

/* Whether nearer points, where delta was known better, have shown that the target is not about `at`. */
static bool passed(const search *s, double at) {
    return s->high < at || s->low > at;
}

/* Where delta is known only within a wide interval, the ends are where its own ends meet the target: halve the way to each. */
static dpn_status sharpen(search *s, double accuracy, double at) {
    for (int side = 0; side < 2; side++) {
        double near = at;
        for (int i = 0; i < 30 && !passed(s, at); i++) {
            bool between;
            double spread, far = side ? s->high : s->low, middle = 0.5 * (near + far);
            if (fabs(far - near) <= 1e-3 * fabs(far - at) + 1e-9 * at) break;
            dpn_status status = look(s, middle, accuracy, &between, &spread);
            if (status) return status;
            if (between) near = middle;
        }
    }
    return DPN_OK;
}

/* The accuracy of delta that a width of epsilon needs, from the rate at which log delta falls across the bracket. */
static double enough_for_width(const search *s) {
    double rate = (s->low_height - s->high_height) / (s->high - s->low);
    if (s->fine > 0 || !(s->of->width > 0) || !(rate > 0 && isfinite(rate))) return s->fine;
    return fmin(fmax(0.3 * rate * s->of->width * fmax(1, s->high), 1e-5), s->coarse);
}

/* Coarsely first: it is cheaper, and far from the root a small relative error of delta may not be had. */
static dpn_status locate(search *s) {
    for (int i = 0, again = 0; i < 2; i++) {
        double accuracy = i == 0 ? s->coarse : enough_for_width(s), at = s->high, spread = 0;
        bool between;
        dpn_status status = narrow(s, accuracy, &at, &between, &spread);
        bool wide = between && spread > 2 * log1p(fmax(accuracy, 0.01)); /* an accuracy that could not be had */
        if (!status && between) status = widen(s, accuracy, at, spread);
        if (!status && wide && i == 1) status = sharpen(s, accuracy, at);
        if (status) return settle(s, status);
        if (wide && i == 1 && passed(s, at) && again++ < 20) i--;
    }
    return DPN_OK;
}

double dpn_invert_first(double at_zero, double delta) {
    double m = 2.5 * at_zero, z = sqrt(-2 * log(delta));
    return 0.8 * m * z + 0.5 * m * m;
}

/* Normal doubles follow each other by at most 2^-52 of their size. */
double dpn_invert_above(double log_target) {
    return log_target + DBL_EPSILON * (1 - 2 * log_target);
}

dpn_status dpn_invert(dpn_epsilon *out, const dpn_inversion *of, double delta, dpn_error *why) {
    dpn_delta at_zero;
    search s = {.of = of,
                .coarse = fmax(of->accuracy, 0.05),
                .fine = of->accuracy,
                .why = why,
                .log_target = log(delta),
                .under = log(delta) * (1 + 2 * DBL_EPSILON),
                .above = dpn_invert_above(log(delta))};
    dpn_status status = of->delta(&at_zero, of->context, 0, s.coarse, why);
    if (!status && at_zero.log_upper > s.under && !(at_zero.log_lower >= s.above))
        status = of->delta(&at_zero, of->context, 0, s.fine, why); /* near the target */
    if (status) return status;
    if (at_zero.log_upper <= s.under) {
        *out = (dpn_epsilon){0, 0};
        return DPN_OK;
    }
    s.low_height = at_zero.log_lower - s.log_target;
    if (!(s.low_height > 0)) s.low_height = INFINITY; /* 0 is an end for certain, its height is not */
    status = bracket(&s, fmax(at_zero.lower, 1e-300));
    if (!status) status = locate(&s);
    if (!status) *out = (dpn_epsilon){s.low, s.high};
    return status;
}
