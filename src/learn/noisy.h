/* Noisy moments, and what can be made of them. */
#ifndef DPN_LEARN_NOISY_H
#define DPN_LEARN_NOISY_H

#include "learn/cells.h"
#include "learn/method.h"

/* Announce the release of cells with the least noise for (epsilon, delta): of the family that the options name, or of the best
 * one. The error that is least is that of coefficients as they are expected before anybody looks: see noisy.c. */
dpn_status dpn_noisy_announce(size_t *release, dpn_fit *fit, const dpn_cells *cells, const char *what, double epsilon,
                              double delta, dpn_error *why);

/* Z'Z with noise, width^2 numbers, and the variance of the noise on each cell. Free also after an error. */
typedef struct dpn_noisy_moments {
    double *moments, *variance;
} dpn_noisy_moments;

dpn_status dpn_noisy_draw(dpn_noisy_moments *out, dpn_fit *fit, const dpn_cells *cells, size_t release, dpn_rng *rng,
                          dpn_error *why);
void dpn_noisy_free(dpn_noisy_moments *noisy);

/* Least squares of noisy moments: as they are (raw), or knowing the noise. */
dpn_status dpn_noisy_estimate(dpn_fit_estimate *out, const dpn_fit *fit, const dpn_cells *cells,
                              const dpn_noisy_moments *noisy, dpn_error *why);

#endif
