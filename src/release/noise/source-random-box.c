/* One draw of a random box, for all coordinates of a block together. */
#include "release/noise/vector-source.h"

#include "base/error.h"

#include <dpnoise/vector-sampler.h>
#include <stdlib.h>

static dpn_status make(void **sampler, const dpn_source_request *request, dpn_error *why) {
    const dpn_block *block = request->block;
    size_t count = block->count;
    dpn_vector_sampler *made = NULL;
    double *number = malloc(3 * count * sizeof *number), *c = number + count, *beta = c + count;
    int *exponent = malloc(count * sizeof *exponent);
    dpn_status status = number && exponent ? DPN_OK : dpn_fail(why, DPN_ENOMEM, "no memory for the samplers");
    for (size_t i = 0; i < count && !status; i++) {
        number[i] = request->plan->sensitivity[block->coordinate[i]];
        c[i] = block->box_start ? block->box_start[i] : 1;
        beta[i] = block->box_beta ? block->box_beta[i] : block->beta;
        exponent[i] = request->exponent[block->coordinate[i]];
    }
    if (!status) status = dpn_vector_sampler_random_box(&made, count, number, block->epsilon, c, beta, exponent, why);
    free(number);
    free(exponent);
    if (!status) *sampler = made;
    return status;
}

const struct dpn_source_kind dpn_source_random_box = {
    .own_grids = true, .make = make, .draw = dpn_vector_source_draw, .free = dpn_vector_source_free};
