/* A sampler inside: its table, and how a point becomes a number of grid steps.
 *
 * One random word makes a try: its lowest bits choose a slot, the next one the sign, and its highest bits the cell of
 * the point within the strip. Cells are as fine as half a grid step (on the integers: a step), or a strip if that is
 * finer still, so that all points of a cell round to the same number.
 */
#ifndef DPN_RANDOM_SAMPLER_H
#define DPN_RANDOM_SAMPLER_H

#include <dpnoise/sampler.h>

#include "random/strips.h"

/* A slot, a sign and a cell are taken from one word; a cell of the tail, in a piece of at most 2^62 cells, from
 * another. */
enum { DPN_WORD_BITS = 64, DPN_TAIL_BITS = 62, DPN_MOST_PIECES = 1 << 20 };

typedef struct dpn_layout {
    int slot_bits;
    int cells_log2; /* of cells in a strip, 0 or more */
    int coarse;     /* log2 of strips in half a grid step, if these are finer */
    int half;       /* 1 if cells count half steps, 0 on the integers */
    int both_zeros; /* 1 if 0 is drawn with either sign */
} dpn_layout;

struct dpn_sampler {
    dpn_layout layout;
    dpn_strips strips;
    int grid_exponent;
};

/* Set up the sampler with a table of 2^bits slots. */
dpn_status dpn_sampler_make(dpn_sampler *sampler, const dpn_law *law, int grid_exponent, int bits, dpn_error *why);

/* The slot of a word, its sign, and its cell within the strip: none of its bits if a strip is one cell. */
static inline uint64_t dpn_layout_slot(dpn_layout layout, uint64_t word) {
    return word & ((UINT64_C(1) << layout.slot_bits) - 1);
}

static inline bool dpn_layout_negative(dpn_layout layout, uint64_t word) {
    return word >> layout.slot_bits & 1;
}

static inline uint64_t dpn_layout_cell(dpn_layout layout, uint64_t word) {
    return (word >> 1) >> (DPN_WORD_BITS - 1 - layout.cells_log2);
}

typedef enum dpn_try {
    DPN_DRAWN,
    DPN_AGAIN,
    DPN_FAILED,   /* the random source */
    DPN_GIVEN_UP, /* a point that all random bits leave undecided, or a piece of the tail beyond the last */
} dpn_try;

/* What the word of a try comes to; further words are taken from rng. *steps is written if it is DPN_DRAWN. */
dpn_try dpn_sampler_try(const dpn_sampler *sampler, uint64_t word, dpn_rng *rng, int64_t *steps);

#endif
