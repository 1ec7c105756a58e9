/* The table of a sampler: a staircase above f, cut into slots of equal area.
 *
 * Lengths are in strips: strip i is [i, i+1). On strip i the staircase has the height h_i v, an integer times a
 * double v, and h_i v >= f(i) >= f on the strip. It is cut into h_i slots of area v, slot s being the rectangle of
 * heights s v to (s+1) v; those below f(i+1) lie under f altogether. From strip N on follows the tail: pieces j = 0,
 * 1, ... of B = 2^k strips and height c 2^-j, c = v 2^-m >= f(N), where f(x + B) <= f(x)/2; all of them have the area
 * 2 c B, which is 2^(k+1-m) slots. The slots of all strips and of the tail, and empty ones, fill a table of a power
 * of two.
 *
 * A uniform slot, and a uniform point in it, is a uniform point under the staircase; those under f are the draws,
 * with a random sign. On the integers 0 would be drawn with both signs, so that it would have twice its share: where
 * strip 0 is the number 0 alone it is given half of its height.
 */
#ifndef DPN_RANDOM_STRIPS_H
#define DPN_RANDOM_STRIPS_H

#include <dpnoise/law.h>
#include <stdbool.h>
#include <stdint.h>

#include "random/density.h"

enum { DPN_STRIPS_BITS = 14, DPN_STRIPS_SLOTS = 1 << DPN_STRIPS_BITS, DPN_STRIPS_MOST = 2046 };

/* An entry is the number of a strip; with this bit, the slot is not certainly under f. Two strips that do not exist
 * stand for the tail and for empty slots. */
enum { DPN_STRIPS_UNSURE = 0x8000 };

typedef struct dpn_strips {
    dpn_density density; /* in strips */
    int bits;            /* the table has 2^bits slots */
    int strips;          /* N; number N is the tail, N+1 an empty slot */
    bool halves_zero;    /* strip 0 is made for f/2 */
    double height;       /* v */
    int tail_log2;       /* k */
    int tail_drop;       /* m */
    uint16_t slot[DPN_STRIPS_SLOTS];
    uint16_t first[DPN_STRIPS_MOST + 2]; /* slot of a strip */
} dpn_strips;

/* The width of a strip, as a power of two of the law's unit, for a table of 2^bits slots; 0 or more on the integers. */
int dpn_strips_width(const dpn_law *law, int bits);

/* Make the table; bits is 4 to DPN_STRIPS_BITS. False if the law does not fit: strips of one width cannot serve it. */
bool dpn_strips_make(dpn_strips *strips, const dpn_law *law, int bits);

#endif
