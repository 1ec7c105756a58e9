/* From random words to draws. docs/proofs/random/sampler.md */
#include "random/sampler.h"

#include <string.h>

#include "base/error.h"
#include "random/decide.h"
#include "random/lazy.h"
#include "random/source.h"

__extension__ typedef unsigned __int128 twice;

/* The number of steps to which all points of a cell, counted from 0, round; with its sign. False for -0 on the
 * integers where it would give 0 twice its share. */
static inline bool settle(dpn_layout layout, uint64_t cell, bool negative, int64_t *steps) {
    uint64_t size = ((cell >> layout.coarse) + (uint64_t)layout.half) >> layout.half;
    *steps = negative ? -(int64_t)size : (int64_t)size;
    return (size != 0) | !negative | layout.both_zeros;
}

/* A cell of the tail, and the piece that it lies in. A piece has at most 2^62 cells, so that two words hold the cell.
 * */
static dpn_try draw_tail_cell(const dpn_sampler *sampler, dpn_rng *rng, dpn_point *point) {
    int piece, piece_log2 = sampler->strips.tail_log2 + sampler->layout.cells_log2;
    uint64_t word;
    dpn_try drawn = dpn_draw_piece(&piece, rng);
    if (drawn != DPN_DRAWN) return drawn;
    if (!dpn_rng_word(rng, &word)) return DPN_FAILED;
    twice start = (twice)(uint64_t)sampler->strips.strips << sampler->layout.cells_log2;
    twice cell = start + ((twice)(uint64_t)piece << piece_log2) + ((word >> 1) >> (DPN_WORD_BITS - 1 - piece_log2));
    point->cell = (uint64_t)cell;
    point->cell_high = (uint64_t)(cell >> 64);
    point->drop = sampler->strips.tail_drop + piece;
    return DPN_DRAWN;
}

/* The number of steps as settle does it, where it may be beyond the ends of int64_t, which then stand for it. */
static int64_t settle_tail(dpn_layout layout, const dpn_point *point, bool negative) {
    twice cell = (twice)point->cell_high << 64 | point->cell;
    twice size = cell >> layout.coarse;
    if (layout.half) size = (size + 1) / 2;
    if (size > INT64_MAX) return negative ? INT64_MIN : INT64_MAX;
    return negative ? -(int64_t)size : (int64_t)size;
}

/* Where the word of a try puts its point; *unsure says whether it still has to be tried. */
static dpn_try place(const dpn_sampler *sampler, uint64_t word, dpn_rng *rng, dpn_point *point, bool *unsure,
                     bool *in_tail) {
    const dpn_strips *strips = &sampler->strips;
    const dpn_layout layout = sampler->layout;
    unsigned slot = (unsigned)dpn_layout_slot(layout, word), entry = strips->slot[slot];
    int strip = (int)(entry & ~(unsigned)DPN_STRIPS_UNSURE);
    *point = (dpn_point){.cell_log2 = layout.cells_log2, .exact = !layout.half, .height = strips->height};
    *unsure = (entry & DPN_STRIPS_UNSURE) != 0;
    *in_tail = strip == strips->strips;
    if (strip > strips->strips) return DPN_AGAIN;
    if (*in_tail) return draw_tail_cell(sampler, rng, point);
    point->cell = ((uint64_t)strip << layout.cells_log2) + dpn_layout_cell(layout, word);
    point->level = slot - strips->first[strip];
    point->drop = strip == 0 && strips->halves_zero ? -1 : 0; /* y < f/2 if 2y < f */
    return DPN_DRAWN;
}

static dpn_try accept(const dpn_sampler *sampler, const dpn_point *point, dpn_rng *rng, dpn_fraction *x) {
    switch (dpn_point_draw_keep(point, &sampler->strips.density, rng, x)) {
    case DPN_UNDER:
        return DPN_DRAWN;
    case DPN_OVER:
        return DPN_AGAIN;
    case DPN_NO_ENTROPY:
        return DPN_FAILED;
    default:
        return DPN_GIVEN_UP;
    }
}

dpn_try dpn_sampler_try(const dpn_sampler *sampler, uint64_t word, dpn_rng *rng, int64_t *steps) {
    const dpn_layout layout = sampler->layout;
    dpn_point point;
    dpn_fraction x;
    bool unsure, in_tail, negative = dpn_layout_negative(layout, word), counts = true;
    int64_t settled;
    dpn_try result = place(sampler, word, rng, &point, &unsure, &in_tail);
    if (result != DPN_DRAWN) return result;
    if (in_tail)
        settled = settle_tail(layout, &point, negative);
    else
        counts = settle(layout, point.cell, negative, &settled);
    if (unsure) result = accept(sampler, &point, rng, &x);
    if (result != DPN_DRAWN) return result;
    if (!counts) return DPN_AGAIN;
    *steps = settled;
    return DPN_DRAWN;
}

/* The same for a continuous law, without rounding: the point itself. */
dpn_try dpn_lazy_try(dpn_lazy *x, const dpn_sampler *sampler, uint64_t word, dpn_rng *rng) {
    dpn_point point;
    bool unsure, in_tail;
    dpn_try result = place(sampler, word, rng, &point, &unsure, &in_tail);
    x->part.words = 0;
    if (result == DPN_DRAWN && unsure) result = accept(sampler, &point, rng, &x->part);
    if (result != DPN_DRAWN) return result;
    x->negative = dpn_layout_negative(sampler->layout, word);
    x->exponent = dpn_lazy_exponent(sampler);
    x->whole[0] = point.cell;
    x->whole[1] = point.cell_high;
    return DPN_DRAWN;
}

dpn_try dpn_lazy_draw(dpn_lazy *x, const dpn_sampler *sampler, dpn_rng *rng) {
    for (;;) {
        uint64_t word;
        if (!dpn_rng_word(rng, &word)) return DPN_FAILED;
        if (__builtin_expect(dpn_lazy_quick(&x->whole[0], sampler, word), 1)) {
            x->negative = dpn_layout_negative(sampler->layout, word);
            x->exponent = dpn_lazy_exponent(sampler);
            x->whole[1] = 0;
            x->part.words = 0;
            return DPN_DRAWN;
        }
        dpn_try result = dpn_lazy_try(x, sampler, word, rng);
        if (result != DPN_AGAIN) return result;
    }
}

/* One draw, from as many tries as it takes. */
static dpn_try draw(const dpn_sampler *sampler, uint64_t word, dpn_rng *rng, int64_t *steps) {
    for (;;) {
        dpn_try result = dpn_sampler_try(sampler, word, rng, steps);
        if (result != DPN_AGAIN) return result;
        if (!dpn_rng_word(rng, &word)) return DPN_FAILED;
    }
}

static dpn_status fail(dpn_try result, const dpn_rng *rng, int64_t *steps, size_t count, dpn_error *why) {
    memset(steps, 0, count * sizeof *steps);
    if (result == DPN_FAILED) return dpn_rng_failure(rng, why);
    return dpn_fail(why, DPN_EACCURACY, "a draw was still undecided after 800 random bits");
}

dpn_status dpn_sampler_draw(int64_t *steps, const dpn_sampler *sampler, dpn_rng *rng, size_t count, dpn_error *why) {
    if (sampler == NULL || rng == NULL || (steps == NULL && count > 0))
        return dpn_fail(why, DPN_EDOMAIN, "a draw needs a sampler, a random source and a place to put it");
    const uint16_t *slot = sampler->strips.slot;
    const dpn_layout layout = sampler->layout;
    for (size_t i = 0; i < count; i++) {
        uint64_t word;
        if (!dpn_rng_word(rng, &word)) return fail(DPN_FAILED, rng, steps, count, why);
        unsigned entry = slot[dpn_layout_slot(layout, word)];
        uint64_t cell = ((uint64_t)entry << layout.cells_log2) + dpn_layout_cell(layout, word);
        bool counts = settle(layout, cell, dpn_layout_negative(layout, word), &steps[i]);
        if (__builtin_expect((entry & DPN_STRIPS_UNSURE) != 0 || !counts, 0)) {
            dpn_try result = draw(sampler, word, rng, &steps[i]);
            if (result != DPN_DRAWN) return fail(result, rng, steps, count, why);
        }
    }
    return DPN_OK;
}
