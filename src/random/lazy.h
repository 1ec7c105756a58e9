/* Real random numbers, drawn to as many bits as somebody needs to know.
 *
 * A lazy number is an infinite string of random bits of which a beginning is drawn. What is decided from bounds of it
 * is what the whole string says: bits that are drawn later refine the bounds and contradict nothing.
 */
#ifndef DPN_RANDOM_LAZY_H
#define DPN_RANDOM_LAZY_H

#include <string.h>

#include "random/decide.h"
#include "random/sampler.h"
#include "random/source.h"

/* |x| lies in [whole.fraction, whole.fraction + 2^-64 words] 2^exponent. */
typedef struct dpn_lazy {
    bool negative;
    int exponent;
    uint64_t whole[2]; /* its lower and its higher half */
    dpn_fraction part;
} dpn_lazy;

/* The limbs that bounds of numbers with N words of fraction deserve. */
static inline int dpn_lazy_limbs(int words) {
    return words + 3;
}

/* |x| from below or above, as the rounding says. */
static inline dpn_wide dpn_lazy_bound(dpn_rounding how, const dpn_lazy *x) {
    return dpn_fraction_bound(how, x->whole, &x->part, x->exponent);
}

/* A power of two that is a normal double. ldexp would cost as much as all the rest. */
static inline double dpn_two_to(int exponent) {
    uint64_t bits = (uint64_t)(exponent + 1023) << 52;
    double out;
    memcpy(&out, &bits, sizeof out);
    return out;
}

/* The width of |x|'s interval if it has no words. */
static inline double dpn_lazy_width(const dpn_lazy *x) {
    return dpn_two_to(x->exponent);
}

/* 2^-64 word, rounded once. The conversion of the whole word would branch on its highest bit, which a processor cannot guess. */
static inline double dpn_word_fraction(uint64_t word) {
    return 0x1p-32 * (double)(int64_t)(word >> 32) + 0x1p-64 * (double)(int64_t)(word & UINT32_MAX);
}

/* |x| from below in a double: |x| lies within 2^-52 of it plus the width of the interval. */
static inline double dpn_lazy_double(const dpn_lazy *x) {
    double value = (double)x->whole[0];
    if (x->whole[1] > 0) value += 0x1p64 * (double)x->whole[1];
    if (x->part.words > 0) value += dpn_word_fraction(x->part.word[0]);
    return value * dpn_lazy_width(x);
}

/* The first draw of a number by a sampler's table, on cells as fine as its words allow; the sampler is one that
 * dpn_lazy_sampler made. */
dpn_try dpn_lazy_draw(dpn_lazy *x, const dpn_sampler *sampler, dpn_rng *rng);
dpn_status dpn_lazy_sampler(dpn_sampler *sampler, const dpn_law *law, dpn_error *why);

/* What one word of such a draw comes to: DPN_AGAIN if it takes another. */
dpn_try dpn_lazy_try(dpn_lazy *x, const dpn_sampler *sampler, uint64_t word, dpn_rng *rng);

/* Cells of the table are 2^exponent wide. */
static inline int dpn_lazy_exponent(const dpn_sampler *sampler) {
    return sampler->strips.density.unit_exponent - sampler->layout.cells_log2;
}

/* The cell of a word whose slot lies under the density altogether, as nearly all do: |x| is anywhere in it. False for other words. */
static inline bool dpn_lazy_quick(uint64_t *cell, const dpn_sampler *sampler, uint64_t word) {
    const dpn_layout layout = sampler->layout;
    unsigned entry = sampler->strips.slot[dpn_layout_slot(layout, word)];
    *cell = ((uint64_t)entry << layout.cells_log2) + dpn_layout_cell(layout, word);
    return (entry & DPN_STRIPS_UNSURE) == 0;
}

/* A number uniform on (-1, 1). False if the source fails. */
bool dpn_lazy_uniform(dpn_lazy *x, dpn_rng *rng);

/* A number with the density proportional to r^(shape-1) e^-r on r > 0, 1 <= shape <= 2^30. */
dpn_try dpn_lazy_gamma(dpn_lazy *r, uint64_t shape, dpn_rng *rng);

/* A bit of fraction more of each of count numbers, until all have N words; DPN_GIVEN_UP if there is no room. */
dpn_try dpn_lazy_refine(dpn_lazy *x, size_t count, int words, dpn_rng *rng);

/* The piece j of a tail that halves from piece to piece: it has the probability 2^-(j+1). */
static inline dpn_try dpn_draw_piece(int *piece, dpn_rng *rng) {
    uint64_t word = 0;
    for (*piece = 0; word == 0; *piece += DPN_WORD_BITS) {
        if (*piece > DPN_MOST_PIECES) return DPN_GIVEN_UP;
        if (!dpn_rng_word(rng, &word)) return DPN_FAILED;
    }
    *piece += __builtin_ctzll(word) - DPN_WORD_BITS;
    return DPN_DRAWN;
}

#endif
