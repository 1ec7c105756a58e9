/* Renyi divergences of noise on the integers from its psi alone. */
#ifndef DPN_PRIVACY_RENYI_TERMS_H
#define DPN_PRIVACY_RENYI_TERMS_H

#include "law/family.h"
#include "privacy/renyi/tilted.h"

/* The divergence of order 1 + theta, theta >= 0, at a whole shift > 0; the error is infinite where it is out of reach. */
dpn_growth dpn_terms_divergence(const dpn_law *law, double shift, double theta);

/* Its two ways: term by term, and by smooth sums, which serve wide noise. */
dpn_growth dpn_terms_few(const dpn_law *law, double shift, double theta);
dpn_growth dpn_terms_many(const dpn_law *law, double shift, double theta);

/* What smooth sums err by, as in profile/generic.c: a thousand times the largest error seen. */
#define DPN_SMOOTH_ERROR 1e-9

#endif
