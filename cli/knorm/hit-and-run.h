/* Approximate noise on a ball. */
#ifndef DPNOISE_CLI_KNORM_HIT_AND_RUN_H
#define DPNOISE_CLI_KNORM_HIT_AND_RUN_H

#include "kit/fail.h"

#include <dpnoise/geometry.h>

/* Count vectors, row by row, each `steps` steps of a chain after the one before. For every ball that has a norm, also those
 * without exact draws. The law is not that of the mechanism but near it, and nobody can say how near.
 * Domain   rate > 0, steps >= 1; some 10 dimension^2 are the custom.
 * Errors   DPN_EENTROPY, DPN_EACCURACY, DPN_ENOMEM. On error out is not written. */
dpn_status hit_and_run(double *out, size_t count, const dpn_norm_ball *ball, double rate, size_t steps, dpn_rng *rng,
                       dpn_error *why);

#endif
