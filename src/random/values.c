/* Draws as doubles, for callers that have no use for steps. */
#define _DEFAULT_SOURCE /* explicit_bzero */
#include "random/sampler.h"

#include "base/error.h"

#include <math.h>
#include <string.h>

enum { BATCH = 512, LARGEST = 960 }; /* 2^63 steps of the largest grid are a double */

/* One product, exact up to 2^53 steps: the grid is a normal power of two. */
static void scale(double *out, const int64_t *steps, size_t count, double grid) {
    for (size_t i = 0; i < count; i++) out[i] = (double)steps[i] * grid;
}

dpn_status dpn_sampler_values(double *out, const dpn_sampler *sampler, dpn_rng *rng, size_t count, dpn_error *why) {
    if (sampler == NULL || rng == NULL || (out == NULL && count > 0))
        return dpn_fail(why, DPN_EDOMAIN, "a draw needs a sampler, a random source and a place to put it");
    if (sampler->grid_exponent > LARGEST) /* fine ones, below 2^-600, were refused by dpn_sampler_new */
        return dpn_fail(why, DPN_EDOMAIN, "the grid of doubles is at most 2^%d, not 2^%d", LARGEST,
                        sampler->grid_exponent);
    int64_t steps[BATCH];
    double grid = ldexp(1, sampler->grid_exponent);
    dpn_status status = DPN_OK;
    for (size_t at = 0; at < count && !status; at += BATCH) {
        size_t now = count - at < BATCH ? count - at : BATCH;
        status = dpn_sampler_draw(steps, sampler, rng, now, why);
        if (!status) scale(out + at, steps, now, grid);
    }
    explicit_bzero(steps, sizeof steps);
    if (status) memset(out, 0, count * sizeof *out);
    return status;
}
