#include "release/noise/vector-source.h"

#include <dpnoise/vector-sampler.h>

dpn_status dpn_vector_source_draw(int64_t *noise, size_t count, const void *sampler, dpn_rng *rng, dpn_error *why) {
    (void)count;
    return dpn_vector_sampler_draw(noise, sampler, rng, why);
}

void dpn_vector_source_free(void *sampler) {
    dpn_vector_sampler_free(sampler);
}
