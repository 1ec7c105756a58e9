/* Renyi divergences of subbotin noise with 1 < p, p not 2. */
#ifndef DPN_PRIVACY_RENYI_SUBBOTIN_H
#define DPN_PRIVACY_RENYI_SUBBOTIN_H

#include "law/family.h"
#include "privacy/renyi/tilted.h"

/* The divergence of order 1 + theta, theta >= 0, at a shift > 0, by the double-exponential rule. */
dpn_growth dpn_subbotin_divergence(const dpn_law *law, double shift, double theta);

#endif
