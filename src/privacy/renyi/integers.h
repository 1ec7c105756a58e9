/* Renyi divergences of noise on the integers. */
#ifndef DPN_PRIVACY_RENYI_INTEGERS_H
#define DPN_PRIVACY_RENYI_INTEGERS_H

#include "law/family.h"
#include "privacy/renyi/tilted.h"

/* The divergence of order 1 + theta, theta >= 0, at a whole shift > 0; the error is infinite where it is out of reach. */
dpn_growth dpn_integers_divergence(const dpn_law *law, double shift, double theta);

#endif
