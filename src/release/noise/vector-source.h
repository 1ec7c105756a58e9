/* What all joint noise that is drawn by a dpn_vector_sampler shares. */
#ifndef DPN_NOISE_VECTOR_SOURCE_H
#define DPN_NOISE_VECTOR_SOURCE_H

#include "release/noise/source.h"

/* One vector, and the end of the sampler: members draw and free of a row. */
dpn_status dpn_vector_source_draw(int64_t *noise, size_t count, const void *sampler, dpn_rng *rng, dpn_error *why);
void dpn_vector_source_free(void *sampler);

#endif
