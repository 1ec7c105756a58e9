/* From a bracket of log delta to the public interval. */
#ifndef DPN_PRIVACY_INTERVAL_H
#define DPN_PRIVACY_INTERVAL_H

#include <dpnoise/privacy.h>
#include <float.h>
#include <math.h>

#define DPN_PI 3.14159265358979323846

/* log(e^a + e^b). */
static inline double dpn_log_add(double a, double b) {
    double top = fmax(a, b);
    return top == -INFINITY ? top : top + log1p(exp(fmin(a, b) - top));
}

/* delta in [e^log_lower, e^log_upper]: the ends are moved outwards by more than the error of exp, and cut to [0, 1]. */
static inline dpn_delta dpn_delta_between(double log_lower, double log_upper) {
    double lower = fmin(log_lower, 0), upper = fmin(log_upper, 0);
    double least = exp(lower), most = exp(upper);
    return (dpn_delta){.lower = least * (1 - 4 * DBL_EPSILON) > DBL_MIN ? least * (1 - 4 * DBL_EPSILON) : 0,
                       .upper = upper == -INFINITY ? 0 : fmin(1, most * (1 + 4 * DBL_EPSILON) + DBL_TRUE_MIN),
                       .log_lower = lower,
                       .log_upper = upper};
}

/* delta = value, whose computation lost at most `error` relative to it. */
static inline dpn_delta dpn_delta_near(double value, double error) {
    if (value <= 0) return (dpn_delta){0, 0, -INFINITY, -INFINITY};
    return dpn_delta_between(log(value) - error - 2 * DBL_EPSILON * (1 + fabs(log(value))),
                             log(value) + error + 2 * DBL_EPSILON * (1 + fabs(log(value))));
}

#endif
