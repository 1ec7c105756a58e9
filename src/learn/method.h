/* A method of fitting: one file, one row of methods.def. */
#ifndef DPN_LEARN_METHOD_H
#define DPN_LEARN_METHOD_H

#include "learn/fit.h"
#include "learn/settings.h"

/* What a method finds, in the scaled unit: b[0] is the intercept (0 without one), b[j] the coefficient of feature j - 1, so
 * that target ~ b[0] + sum_j b[j] x_j, or its log odds. `covariance`, (features + 1)^2 numbers, is that of the error that
 * `interval` speaks of (dpn_model.interval); the interval is "" if it is not known. The caller has allocated both, all 0. `null`, of the same size, is the sum of v v' over directions v that
 * the rows say nothing about, or the noise leaves too little of: what depends on one has no interval. NULL: nobody asks. */
typedef struct dpn_fit_estimate {
    double *b, *covariance, *null;
    const char *interval;
    const char *method; /* which was taken, where the number of rows decides (counted.h); NULL: that of the fit */
} dpn_fit_estimate;

struct dpn_fit_method {
    const char *name, *about;
    bool linear, logistic, quantile;
    bool is_not_private;
    bool needs_delta; /* nothing of it is pure */
    bool sums_alone;  /* it looks at sums of products (dpn_rows_moments) and at no row */
    unsigned
        uses; /* the settings that it looks at (settings.h); it writes what it takes for those that are not said to fit->settled */
    /* Public: look at fit->options, features, epsilon, delta and relation, announce every release (dpn_fit_announce) and keep what
     * the run needs in *state. No row has been read. NULL: nothing to plan. */
    dpn_status (*plan)(void **state, dpn_fit *fit, dpn_error *why);
    /* After the charge: look at fit->rows, draw what was announced (dpn_fit_draw), estimate. */
    dpn_status (*run)(dpn_fit_estimate *out, dpn_fit *fit, const void *state, dpn_rng *rng, dpn_error *why);
    void (*free)(void *state); /* NULL: free() */
};

/* By index, and by name; NULL past the end, and for an unknown one. */
const struct dpn_fit_method *dpn_fit_method_at(size_t index);
const struct dpn_fit_method *dpn_fit_method_find(const char *name);

#endif
