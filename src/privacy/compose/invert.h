/* The epsilon at which a profile falls to a given delta. */
#ifndef DPN_PRIVACY_INVERT_H
#define DPN_PRIVACY_INVERT_H

#include <dpnoise/privacy.h>

typedef struct dpn_inversion {
    /* delta(epsilon) with upper/lower - 1 <= accuracy (0: the default). */
    dpn_status (*delta)(dpn_delta *out, void *context, double epsilon, double accuracy, dpn_error *why);
    void *context;
    double accuracy;
    double end; /* delta(end) is for certain not above the delta that is looked for; +inf if no such number is known */
    double
        first; /* about the epsilon that is looked for: the search climbs from there, since far beyond it delta may be out of reach; 0 if
                   * nobody knows */
    double width; /* if the accuracy is 0: an interval of about width max(1, epsilon) is narrow enough; 0 if not */
} dpn_inversion;

/* Where to begin: about the epsilon of a Gaussian loss N(m^2/2, m^2) that has at_zero at 0. */
double dpn_invert_first(double at_zero, double delta);

/* Where log delta is at least this, delta is above the target for certain, whose logarithm is given, and, if that is a normal
 * double, not below the next one. */
double dpn_invert_above(double log_target);

/* The least epsilon >= 0 with delta(epsilon) <= delta, 0 < delta < 1, as an interval, which for normal delta also holds that of every number up to
 * the next double. Errors: those of the profile. */
dpn_status dpn_invert(dpn_epsilon *out, const dpn_inversion *of, double delta, dpn_error *why);

#endif
