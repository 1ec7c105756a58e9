/* Noisy moments, and what can be made of them. */
#ifndef DPN_LEARN_NOISY_H
#define DPN_LEARN_NOISY_H

#include "learn/cells.h"
#include "learn/method.h"

/* Announce the release of cells for (epsilon, delta): with the least noise, of the family that the options name or of the best one; or, with a
 * ball, with K-norm noise of that ball around all cells (NULL: none). The error that is least is that of coefficients as they are expected before
 * anybody looks: see noisy.c. */
dpn_status dpn_noisy_announce(size_t *release, dpn_fit *fit, const dpn_cells *cells, const char *what, double epsilon,
                              double delta, const dpn_ball_kind *ball, dpn_error *why);

/* Z'Z with noise, width^2 numbers; the noisy cells that it is made of, and the variance of the noise on each. Free also after an error. */
typedef struct dpn_noisy_moments {
    double *moments, *value, *variance;
} dpn_noisy_moments;

dpn_status dpn_noisy_draw(dpn_noisy_moments *out, dpn_fit *fit, const dpn_cells *cells, size_t release, dpn_rng *rng,
                          dpn_error *why);
void dpn_noisy_free(dpn_noisy_moments *noisy);

/* The cells as they are expected after a look at the noisy ones, and how far they may still be off: each has a prior from public facts, in the
 * number of rows, and the posterior mean and variance of a normal law replace value and variance; moments follow. The number of
 * rows and what has the target stay as they are. */
void dpn_noisy_expect(dpn_noisy_moments *noisy, const dpn_fit *fit, const dpn_cells *cells);

/* Least squares of noisy moments: as they are (raw), or knowing the noise. */
dpn_status dpn_noisy_estimate(dpn_fit_estimate *out, const dpn_fit *fit, const dpn_cells *cells,
                              const dpn_noisy_moments *noisy, dpn_error *why);

#endif
