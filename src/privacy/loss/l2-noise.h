/* The loss of noise with the density proportional to exp(-rate |x|_2) in m >= 2 dimensions, moved by 1 in the l2 norm.
 *
 * Around the two centres the points are told by the sum and the difference of their distances. The difference t = cos x, 0 <= x <=
 * pi, is the loss over the rate, and what the sum leaves of the density is in closed form:
 *
 *     density of x = N w(x),  w(x) = exp(-rate sin^2(x/2)) sin^(m-2)(x) (excess + sin^2 x),
 *     excess = 2 (m-1)/rate K_(m/2)(rate/2)/K_(m/2-1)(rate/2),
 *
 * K the modified Bessel functions. So the profile and the divergences are integrals of entire functions over an interval
 * (docs/proofs/privacy/l2-noise.md).
 */
#ifndef DPN_PRIVACY_LOSS_L2_NOISE_H
#define DPN_PRIVACY_LOSS_L2_NOISE_H

#include "privacy/loss/loss.h"

/* epsilon is the rate, count the dimension. */
extern const struct dpn_loss_kind dpn_loss_kind_l2;

/* K_(v+1)(z)/K_v(z) for v = twice/2 >= 0 and z > 0. Accuracy measured: relative error below 1e-14, twice up to 10^4
 * (tests/unit/privacy/t-l2-noise.c). */
double dpn_bessel_ratio(double twice, double z);

#endif
