#include "unit/random/seeded.h"

#include <string.h>

static bool refill(dpn_rng *rng) {
    seeded *self = (seeded *)rng;
    for (int i = DPN_RNG_WORDS - 1; i >= 0; i--) self->pool.word[i] = draw_bits(&self->source);
    self->pool.left = DPN_RNG_WORDS;
    self->served += DPN_RNG_WORDS;
    return true;
}

void seeded_begin(seeded *self, uint64_t seed) {
    memset(self, 0, sizeof *self);
    self->rng.pool = &self->pool;
    self->rng.refill = refill;
    self->source.state = seed * UINT64_C(0x5851f42d4c957f2d);
}

uint64_t seeded_taken(const seeded *self) {
    return self->served - self->pool.left;
}
