/* Draws as doubles, for callers that have no use for steps. */
#define _DEFAULT_SOURCE /* explicit_bzero */
#include "random/sampler.h"

#include "base/error.h"

#include <math.h>
#include <string.h>

enum { BATCH = 512 };

/* steps times 2^exponent is one product, exact up to 2^53 steps: from 2^-1074 on it is a double. */
static void scale(double *out, const int64_t *steps, size_t count, double grid) {
    for (size_t i = 0; i < count; i++) out[i] = (double)steps[i] * grid;
}

dpn_status dpn_sampler_values(double *out, const dpn_sampler *sampler, dpn_rng *rng, size_t count, dpn_error *why) {
    if (sampler == NULL || rng == NULL || (out == NULL && count > 0))
        return dpn_fail(why, DPN_EDOMAIN, "a draw needs a sampler, a random source and a place to put it");
    if (sampler->grid_exponent < -1074 || sampler->grid_exponent > 960)
        return dpn_fail(why, DPN_EDOMAIN, "doubles hold grids from 2^-1074 to 2^960, not 2^%d", sampler->grid_exponent);
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
