/* Integrals of exponentials of quadratics in closed form, for real coefficients.
 *
 * They are what a Renyi divergence of piecewise Gaussian and exponential noise is made of: error functions where the
 * quadratic is concave, exponentials where it is linear, Dawson's function where it is convex.
 */
#ifndef DPN_PRIVACY_RENYI_EXP_QUADRATIC_H
#define DPN_PRIVACY_RENYI_EXP_QUADRATIC_H

#include "privacy/loss/shape.h"

/* mantissa * exp(exponent); `size` is the sum of the magnitudes of the terms of the exponent, whose rounding counts. */
typedef struct dpn_scaled {
    double mantissa, exponent, size;
} dpn_scaled;

/* The integral of exp(q(s)) over 0 <= s <= length; length may be +inf if q falls there.
 * Accuracy relative to the exact integral of the given coefficients DPN_EXP_QUADRATIC_ERROR is a thousand times the
 *          largest error seen (tests/unit/privacy/t-exp-quadratic.c); besides, the exponent has the rounding error of
 *          its terms, a few ulps of `size`.
 */
dpn_scaled dpn_exp_quadratic(const dpn_quadratic *q, double length);

#define DPN_EXP_QUADRATIC_ERROR 1e-12

#endif
