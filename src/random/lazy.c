#include "random/lazy.h"

#include "random/source.h"

/* A grid that makes cells two bits wider than a word could hold them: slot, sign and cell fill it, but with the last
 * bits the ends of 64 bits, which play no part here, would come too near for dpn_sampler_make. */
dpn_status dpn_lazy_sampler(dpn_sampler *sampler, const dpn_law *law, dpn_error *why) {
    int cells = DPN_WORD_BITS - 3 - DPN_STRIPS_BITS;
    return dpn_sampler_make(sampler, law, dpn_strips_width(law, DPN_STRIPS_BITS) + 1 - cells, DPN_STRIPS_BITS, why);
}

dpn_try dpn_lazy_refine(dpn_lazy *x, size_t count, int words, dpn_rng *rng) {
    if (words > DPN_FRACTION_WORDS) return DPN_GIVEN_UP;
    for (size_t i = 0; i < count; i++)
        while (x[i].part.words < words)
            if (!dpn_fraction_refine(&x[i].part, rng)) return DPN_FAILED;
    return DPN_DRAWN;
}

bool dpn_lazy_uniform(dpn_lazy *x, dpn_rng *rng) {
    uint64_t word;
    if (!dpn_rng_word(rng, &word)) return false;
    x->negative = word & 1;
    x->exponent = -63;
    x->whole[0] = word >> 1;
    x->whole[1] = 0;
    x->part.words = 0;
    return true;
}
