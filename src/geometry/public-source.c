#include "geometry/public-source.h"

#include <string.h>

/* SplitMix64 (Steele, Lea and Flood 2014). */
static bool refill(dpn_rng *rng) {
    dpn_public_source *self = (dpn_public_source *)rng;
    for (size_t i = 0; i < DPN_RNG_WORDS; i++) {
        uint64_t z = self->state += UINT64_C(0x9e3779b97f4a7c15);
        z = (z ^ z >> 30) * UINT64_C(0xbf58476d1ce4e5b9);
        z = (z ^ z >> 27) * UINT64_C(0x94d049bb133111eb);
        self->pool.word[i] = z ^ z >> 31;
    }
    self->pool.left = DPN_RNG_WORDS;
    return true;
}

void dpn_public_source_begin(dpn_public_source *source) {
    memset(source, 0, sizeof *source);
    source->rng.pool = &source->pool;
    source->rng.refill = refill;
}
