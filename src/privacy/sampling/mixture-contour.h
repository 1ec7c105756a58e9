/* delta(epsilon) of many steps with Gaussian noise on Poisson samples, and its inverse, by sums along contours: those of compose/contour.h
 * with the transforms of mixture.h. Losses that are too rare to matter are cut off, and where most steps hardly lose anything the sum of
 * small losses is taken apart (docs/proofs/privacy/near-atoms.md).
 */
#ifndef DPN_PRIVACY_SAMPLING_MIXTURE_CONTOUR_H
#define DPN_PRIVACY_SAMPLING_MIXTURE_CONTOUR_H

#include "privacy/sampling/mixture-line.h"

/* An interval of delta(epsilon), epsilon >= 0, with upper/lower - 1 <= accuracy, in at most about `work` operations a line. If
 * delta is for certain at most e^log_enough, an interval with such an upper end and the lower end 0 will do.
 * Errors   DPN_EACCURACY where the accuracy takes more work than that; DPN_ENOMEM. */
dpn_status dpn_mixture_delta(dpn_delta *out, dpn_mixtures *mixtures, double epsilon, double accuracy, double log_enough,
                             double work, dpn_error *why);

/* The least epsilon >= 0 with delta(epsilon) <= delta, 0 < delta < 1/4. Both ends are certified: delta(upper) <= delta, and delta(lower) >=
 * delta or lower = 0. They are about as far apart as delta to the given accuracy allows; where that is not easily had, at most width max(1,
 * epsilon).
 * Errors   as above. */
dpn_status dpn_mixture_epsilon(dpn_epsilon *out, dpn_mixtures *mixtures, double delta, double accuracy, double width,
                               double work, dpn_error *why);

/* The least Chernoff bound: log delta(epsilon) <= *log_upper, epsilon >= 0. */
dpn_status dpn_mixture_chernoff(double *log_upper, dpn_mixtures *mixtures, double epsilon, dpn_error *why);

/* The same, with what is known of a single large loss where the person is seen rarely, and a lower end from that, -inf if there is none. */
dpn_status dpn_mixture_bound(double *log_lower, double *log_upper, dpn_mixtures *mixtures, double epsilon,
                             dpn_error *why);

void dpn_mixtures_free(dpn_mixtures *mixtures);

#endif
