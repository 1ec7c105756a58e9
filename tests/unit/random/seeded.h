/* A random source for tests that can be repeated: words of SplitMix64, without end. It is no part of the library. */
#ifndef TESTS_UNIT_RANDOM_SEEDED_H
#define TESTS_UNIT_RANDOM_SEEDED_H

#include "random/source.h"
#include "reference/draw.h"

typedef struct seeded {
    dpn_rng rng; /* the first member: the source that samplers are given */
    dpn_rng_pool pool;
    draw_source source;
    uint64_t served;
} seeded;

/* A seeded source refers to itself: it must not be copied. */
void seeded_begin(seeded *self, uint64_t seed);

/* How many words have been taken. */
uint64_t seeded_taken(const seeded *self);

#endif
