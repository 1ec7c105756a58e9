/* K-norm noise of a box: what one coordinate gets.
 *
 * The density on m coordinates is proportional to exp(-max |v_i|/lambda_i), so that v_i = lambda_i R U_i with R of the law
 * Gamma(m + 1) and U_i uniform in [-1, 1]. At another epsilon everything shrinks by it. docs/proofs/calibrate/blocks.md.
 */
#ifndef DPN_CALIBRATE_BOX_NOISE_H
#define DPN_CALIBRATE_BOX_NOISE_H

#include <dpnoise/calibrate.h>

/* P(R U > t) for t >= 0. Accuracy: measured, a few ulps times the number of terms that count, about 12 sqrt(m) of them
 * (tests/unit/calibrate/t-blocks.c). */
double dpn_box_noise_sf(double m, double t);

/* The error of a coordinate of sensitivity 1 at epsilon 1: E X^2 = (m+1)(m+2)/3, E |X| = (m+1)/2, and the t with
 * P(X > t) = 0.025. */
double dpn_box_noise_error(double m, dpn_objective objective);

#endif
