/* A random source for tests: it serves words from an array, in their order, and fails when they end. It is no part of the
 * library. */
#ifndef TESTS_UNIT_RANDOM_TAPE_H
#define TESTS_UNIT_RANDOM_TAPE_H

#include "random/source.h"

typedef struct tape {
    dpn_rng rng; /* the first member: the source that samplers are given */
    dpn_rng_pool pool;
    const uint64_t *word;
    size_t count, next;
} tape;

/* Begin at the first of count words, which the caller keeps. A tape refers to itself: it must not be copied. */
void tape_begin(tape *self, const uint64_t *word, size_t count);

/* How many words have been taken. */
size_t tape_taken(const tape *self);

#endif
