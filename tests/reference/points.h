/* Where the members of a law are tested: arguments, probabilities, and arguments of the moment generating function. */
#ifndef DPN_TEST_POINTS_H
#define DPN_TEST_POINTS_H

#include "reference/reference.h"

#include <dpnoise/law.h>

/* Any t: at quantiles of all depths, log-uniform around E|X| = spread, near zero, at and beside breakpoints, beyond
 * underflow, where psi is about to overflow, with both signs. The library's own isf serves to place points (it is tested
 * elsewhere). */
double points_argument(draw_source *source, const dpn_law *law, const ref_law *reference, const double *parameter,
                       double spread);

/* 1e-300 <= p <= 1 - 2^-53: log-uniform from both ends, near 1/2, uniform. */
double points_probability(draw_source *source);

/* s > 0: small, ordinary, near the pole (bound) on both sides or, if there is none, huge up to the overflow of log_mgf. */
double points_tilt(draw_source *source, const ref_law *reference, double bound, double spread);

#endif
