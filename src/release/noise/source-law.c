/* Independent draws of one law, for every coordinate of a block. */
#include "release/noise/source.h"

static dpn_status make(void **sampler, const dpn_source_request *request, dpn_error *why) {
    dpn_sampler *made;
    const dpn_block *block = request->block;
    dpn_status status = dpn_sampler_new(&made, &block->law, request->exponent[block->coordinate[0]], why);
    if (!status) *sampler = made;
    return status;
}

static dpn_status draw(int64_t *noise, size_t count, const void *sampler, dpn_rng *rng, dpn_error *why) {
    return dpn_sampler_draw(noise, sampler, rng, count, why);
}

static void release(void *sampler) {
    dpn_sampler_free(sampler);
}

const struct dpn_source_kind dpn_source_law = {.make = make, .draw = draw, .free = release};
