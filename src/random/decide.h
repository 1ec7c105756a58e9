/* Is a random point under f? */
#ifndef DPN_RANDOM_DECIDE_H
#define DPN_RANDOM_DECIDE_H

#include <dpnoise/random.h>
#include <stdint.h>

#include "random/density.h"

/* A random point (x, y). In the density's unit x lies in [cell, cell + 1) 2^-cell_log2, or at the cell itself if it
 * is exact; y lies in [level, level + 1) height 2^-drop, drop >= -1. */
typedef struct dpn_point {
    uint64_t cell, cell_high; /* its lower and its higher half */
    int cell_log2;
    bool exact;
    uint64_t level;
    double height;
    int drop;
} dpn_point;

typedef enum dpn_verdict {
    DPN_UNDER,
    DPN_OVER,
    DPN_NO_ENTROPY,
    DPN_UNDECIDED, /* after all the random bits that wide numbers hold */
} dpn_verdict;

/* Random bits after the point, most significant word first in time, last in memory. A bound needs three limbs more than
 * there are words, for the cell and for rounding. */
enum { DPN_FRACTION_WORDS = DPN_WIDE_LIMBS - 3 };
typedef struct dpn_fraction {
    uint64_t word[DPN_FRACTION_WORDS];
    int words; /* that are drawn */
} dpn_fraction;

/* (whole + fraction) 2^exponent from below, or from above: a last place more. The words and the two halves of the whole
 * are the limbs of one integer. The rounding has at least two limbs more than there are words. */
dpn_wide dpn_fraction_bound(dpn_rounding how, const uint64_t whole[2], const dpn_fraction *part, int64_t exponent);

/* One more word; there is room for it. False if the source fails. */
bool dpn_fraction_refine(dpn_fraction *part, dpn_rng *rng);

/* Draw the point at random, as far as needed, and say whether y < f(x). Takes one word for y, one for x unless it is
 * exact, and more of both only if these do not decide. */
dpn_verdict dpn_point_draw(const dpn_point *point, const dpn_density *density, dpn_rng *rng);

/* The same, and leave in *x the bits of x within the cell that were drawn: those that follow are still free, that is
 * uniform and independent of the verdict. */
dpn_verdict dpn_point_draw_keep(const dpn_point *point, const dpn_density *density, dpn_rng *rng, dpn_fraction *x);

#endif
