/* Random words that are the same each time, for estimates alone: what they tell is public. */
#ifndef DPN_GEOMETRY_PUBLIC_SOURCE_H
#define DPN_GEOMETRY_PUBLIC_SOURCE_H

#include "random/source.h"

/* It refers to itself and must not be copied. */
typedef struct dpn_public_source {
    dpn_rng rng; /* the first member: the source that samplers are given */
    dpn_rng_pool pool;
    uint64_t state;
} dpn_public_source;

void dpn_public_source_begin(dpn_public_source *source);

#endif
