/* The profile of one release before sampling, prepared to be asked at many points. */
#ifndef DPN_PRIVACY_SAMPLING_BASE_H
#define DPN_PRIVACY_SAMPLING_BASE_H

#include "privacy/compose/compose.h"

/* A convex polygon through corners (e^nu, e^log_h), level after the last, and a line to (0, e^log_start) before the first. */
typedef struct dpn_polygon {
    double *nu, *log_h;
    size_t corners;
    double log_start;
} dpn_polygon;

/* Either the view of a single loss, or of the two around a Gaussian whose sensitivity carries a rounding; or, for several
 * losses, polygons above and below the profile of their composition. All losses are symmetric: exchanging P and Q does not
 * change the profile. */
typedef struct dpn_base {
    bool single;
    dpn_loss_view lesser, greater;
    dpn_loss loss[2];
    dpn_polygon above, below;
    bool infinite;  /* some mass has an infinite loss */
    double largest; /* finite loss, +inf if there is none; what lies beyond `reach` has a delta below 1e-32 */
    double reach;
} dpn_base;

/* Errors   DPN_EUNSUPPORTED for explicit losses, DPN_EACCURACY, DPN_ENOMEM, DPN_EDOMAIN. Close it also after an error.
 */
dpn_status dpn_base_open(dpn_base *out, const dpn_part *part, size_t parts, dpn_error *why);
void dpn_base_close(dpn_base *base);

/* Whether the release has Gaussian noise: then sensitivity/sigma, and a bound of its relative error. */
bool dpn_base_gaussian(double *ratio, double *doubt, const dpn_base *base);

/* Bounds of log delta(epsilon). */
dpn_status dpn_base_log_delta(double *lower, double *upper, const dpn_base *base, double epsilon, dpn_error *why);

/* A convex function that is nowhere above the profile: bounds of its height at x = e^epsilon, a number that is at least minus its
 * slope to the right, and one that is at most minus its slope to the left. */
dpn_status dpn_base_height(double *lower, double *upper, const dpn_base *base, double epsilon, dpn_error *why);
double dpn_base_above(const dpn_base *base, double epsilon);
double dpn_base_at_least(const dpn_base *base, double epsilon);

#endif
