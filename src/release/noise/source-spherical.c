/* One draw of spherical noise, for all coordinates of a block together. */
#include "release/noise/vector-source.h"

#include "base/error.h"

#include <dpnoise/vector-sampler.h>
#include <stdlib.h>

/* The sides are those for the gridded answers. */
static dpn_status make(void **sampler, const dpn_source_request *request, dpn_error *why) {
    const dpn_block *block = request->block;
    if (!block->side) return dpn_fail(why, DPN_EDOMAIN, "the plan does not tell the sides of its spherical noise");
    int *exponent = malloc(block->count * sizeof *exponent);
    if (!exponent) return dpn_fail(why, DPN_ENOMEM, "no memory for the samplers");
    for (size_t i = 0; i < block->count; i++) exponent[i] = request->exponent[block->coordinate[i]];
    dpn_vector_sampler *made = NULL;
    dpn_status status =
        dpn_vector_sampler_spherical(&made, block->count, block->side, block->epsilon, block->beta, exponent, why);
    free(exponent);
    if (!status) *sampler = made;
    return status;
}

const struct dpn_source_kind dpn_source_spherical = {
    .own_grids = true, .make = make, .draw = dpn_vector_source_draw, .free = dpn_vector_source_free};
