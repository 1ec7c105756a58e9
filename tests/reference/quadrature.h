/* Integrals by the tanh-sinh rule (Takahasi and Mori 1974). */
#ifndef DPN_TEST_QUADRATURE_H
#define DPN_TEST_QUADRATURE_H

#include "reference/real.h"

/* The integral of f from low to high, f analytic between them (singular ends are welcome). The step is halved until two
 * rules agree to `bits` bits; the error is then about the square of their difference. */
typedef real r_integrand(const void *context, real x);
real r_integrate(r_integrand *f, const void *context, real low, real high, int bits);

#endif
