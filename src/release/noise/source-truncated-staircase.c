/* Independent draws of staircases that end, for all coordinates of a block. */
#include "release/noise/source-staircase.h"

#include "base/error.h"

#include <dpnoise/vector-sampler.h>
#include <stdlib.h>

dpn_status dpn_source_staircase_make(void **sampler, const dpn_source_request *request, dpn_error *why) {
    const dpn_block *block = request->block;
    dpn_vector_sampler *made = NULL;
    double *scale = malloc(block->count * sizeof *scale);
    int *exponent = malloc(block->count * sizeof *exponent);
    dpn_status status = scale && exponent ? DPN_OK : dpn_fail(why, DPN_ENOMEM, "no memory for the samplers");
    for (size_t i = 0; i < block->count && !status; i++) {
        scale[i] = block->step > 0 ? 1 : request->plan->sensitivity[block->coordinate[i]];
        exponent[i] = request->exponent[block->coordinate[i]];
    }
    if (!status)
        status = dpn_vector_sampler_staircase(&made, block->count, scale, block->step, block->epsilon, block->low,
                                              block->high, block->theta, exponent, why);
    free(scale);
    free(exponent);
    if (!status) *sampler = made;
    return status;
}

const struct dpn_source_kind dpn_source_truncated_staircase = {.own_grids = true,
                                                               .make = dpn_source_staircase_make,
                                                               .draw = dpn_vector_source_draw,
                                                               .free = dpn_vector_source_free};
