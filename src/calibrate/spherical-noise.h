/* Spherical noise: what one coordinate gets.
 *
 * The density on m coordinates is proportional to exp(-alpha |v| - beta |v|^2/2), |.| the l2 norm. It is a mixture of Gaussian densities
 * (docs/proofs/privacy/spherical.md, section 5).
 */
#ifndef DPN_CALIBRATE_SPHERICAL_NOISE_H
#define DPN_CALIBRATE_SPHERICAL_NOISE_H

#include <dpnoise/calibrate.h>

/* P(X > t) of a coordinate, t >= 0. alpha and beta are positive. Accuracy: measured, relative error below 1e-11
 * (tests/unit/calibrate/t-spherical.c). */
double dpn_spherical_sf(double m, double alpha, double beta, double t);

/* The error of a coordinate: E X^2, E |X|, and the t with P(X > t) = 0.025. Accuracy likewise. */
double dpn_spherical_error(double m, double alpha, double beta, dpn_objective objective);

#endif
