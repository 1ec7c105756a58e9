/* What is expected of coefficients before anybody looks, from public facts alone. */
#ifndef DPN_LEARN_PRIOR_H
#define DPN_LEARN_PRIOR_H

#include "learn/fit.h"

/* The variance of coefficient i in the scaled unit, 0 being the intercept. Target and features lie in [-1, 1], and what all
 * features explain together is not more than the target varies: each of p gets its share of 1/2. It decides which noise is
 * least and how much a noisy fit is shrunk, never a guarantee. */
static inline double dpn_prior_variance(const dpn_fit *fit, size_t i) {
    if (i == 0) return fit->options.no_intercept ? 0 : 0.25;
    return 0.5 / (double)fit->features;
}

#endif
