/* K-norm noise of an l2 ball: what one coordinate gets.
 *
 * The density on m coordinates is proportional to exp(-|v|_2). It is a mixture of Gaussian densities: each coordinate is
 * (2Y)^(1/2) Z with Y of the law Gamma((m+1)/2), the same for all, and Z normal (docs/proofs/calibrate/blocks.md).
 */
#ifndef DPN_CALIBRATE_L2_NOISE_H
#define DPN_CALIBRATE_L2_NOISE_H

#include "calibrate/problem.h"

/* P(X > t) for t >= 0. Accuracy: measured, relative error below 1e-12 (tests/unit/calibrate/t-blocks.c). */
double dpn_l2_noise_sf(double m, double t);

/* The error of a coordinate for l2 sensitivity 1 at epsilon 1: E X^2 = m + 1, E |X|, and the t with P(X > t) = 0.025. */
double dpn_l2_noise_error(double m, dpn_objective objective);

/* The largest epsilon of K-norm noise of an l2 ball that keeps the problem's guarantee on moves within the ball, nearly: its delta
 * is to be certified. At least `least`, which is known to keep it; 0 if that is not known to be improved. */
double dpn_l2_noise_epsilon(const dpn_problem *problem, size_t dimension, double least);

#endif
