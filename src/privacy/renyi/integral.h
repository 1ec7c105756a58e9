/* Renyi divergences of noise on the reals, from its psi alone. */
#ifndef DPN_PRIVACY_RENYI_INTEGRAL_H
#define DPN_PRIVACY_RENYI_INTEGRAL_H

#include "law/family.h"
#include "privacy/renyi/tilted.h"

/* The divergence of order 1 + theta, theta >= 0, at a shift > 0, by the double-exponential rule, of a log-concave regular law
 * (law/family.h) whose support has no end; the error is infinite where it is out of reach. */
dpn_growth dpn_integral_divergence(const dpn_law *law, double shift, double theta);

#endif
