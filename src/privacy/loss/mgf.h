/* The moment generating function of a loss at complex arguments, in closed form.
 *
 * On a segment the integrand is the exponential of a complex quadratic; its integral is a difference of two values of
 * Faddeeva's function w(z) = exp(-z^2) erfc(-iz), scaled so that nothing overflows. The rule of a loss (loss/rule.h)
 * is more accurate near the real axis and for weak losses; this is faster at high frequencies, and the two check each
 * other.
 */
#ifndef DPN_PRIVACY_LOSS_MGF_H
#define DPN_PRIVACY_LOSS_MGF_H

#include "privacy/loss/shape.h"

#include <complex.h>

/* Whether a shape has segments, all of them quadratic. */
bool dpn_mgf_is_closed(const dpn_shape *shape);

/* The integral of e^(z L - top) + e^(-(1+z) L - top) over the segments of a symmetric shape of that kind that is
 * neither Gaussian nor listed, and over its atoms. E e^(zL) given that L is finite is the quotient of this at z and at 0.
 * Accuracy relative to the sum of the integrals of the absolute values of the integrands, DPN_MGF_ERROR times their
 *          number is a thousand times the largest error seen (tests/unit/privacy/t-loss-mgf.c).
 */
double complex dpn_mgf_segments(const dpn_shape *shape, double complex z, double top);
double complex dpn_mgf_atoms(const dpn_shape *shape, double complex z, double top);

#define DPN_MGF_ERROR 1e-11

#endif
