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
    DPN_ABOVE,
    DPN_NO_ENTROPY,
    DPN_UNDECIDED, /* after all the random bits that wide numbers hold */
} dpn_verdict;

/* Draw the point at random, as far as needed, and say whether y < f(x). Takes one word for y, one for x unless it is
 * exact, and more of both only if these do not decide. */
dpn_verdict dpn_point_draw(const dpn_point *point, const dpn_density *density, dpn_rng *rng);

#endif
