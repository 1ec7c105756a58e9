/* What is expected of coefficients before anybody looks, from public facts alone. */
#ifndef DPN_LEARN_PRIOR_H
#define DPN_LEARN_PRIOR_H

#include "learn/fit.h"

/* The variance of coefficient i in the scaled unit, 0 being the intercept. Target and features lie in [-1, 1], and what all
 * features explain together is not more than the target varies: each of p gets its share of 1/2. Log odds lie in [-4, 4], chances of 0.018 to 0.982.
 * It decides which noise is least and how much a noisy fit is shrunk, never a guarantee. */
static inline double dpn_prior_variance(const dpn_fit *fit, size_t i) {
    double square = fit->options.kind == DPN_FIT_LOGISTIC ? 16 : 1;
    if (i == 0) return fit->options.no_intercept ? 0 : 0.25 * square;
    return 0.5 * square / (double)fit->features;
}

/* The mean over rows of z_i z_j, i <= j, not both 0, of columns of dpn_rows without the target: bounds are wider than the data, so that a number
 * has a mean square of some 0.2 of what they allow, and two of them go together in either direction; a level has some share of the rows. */
typedef struct dpn_prior_cell {
    double mean, variance;
} dpn_prior_cell;

static inline dpn_prior_cell dpn_prior_of_cell(const dpn_fit *fit, size_t i, size_t j) {
    bool one = i > 0 && fit->variable[i - 1].is_level, other = fit->variable[j - 1].is_level;
    if (i == 0 && other) return (dpn_prior_cell){0.3, 0.09};
    if (one && other) return (dpn_prior_cell){0.1, 0.01};
    if (i == 0) return (dpn_prior_cell){0, 0.04};
    return i == j ? (dpn_prior_cell){0.2, 0.02} : (dpn_prior_cell){0, 0.01};
}

#endif
