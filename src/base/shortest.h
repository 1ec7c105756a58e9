/* Doubles and decimals of few digits, with whole numbers alone. */
#ifndef DPN_BASE_SHORTEST_H
#define DPN_BASE_SHORTEST_H

#include <stdbool.h>
#include <stdint.h>

/* The number `digits` times 10^(exponent - count + 1): the nearest decimal of `count` digits, which reads back to the double,
 * as no nearest decimal of fewer digits does. */
typedef struct dpn_shortest {
    uint64_t digits; /* no zeros at the end */
    int count;       /* 1 to 17 */
    int exponent;    /* of the first digit */
} dpn_shortest;

/* Find it for a double from 1e-35 to below 2^51 that is no power of two. Elsewhere nothing is written.
 * Returns  whether it was found. */
bool dpn_shortest_find(dpn_shortest *out, double x);

/* The sign of a decimal of up to 17 digits, which may end in zeros, minus a double from 1e-35 to below 2^51. Elsewhere nothing is
 * written.
 * Returns  whether it was found. */
bool dpn_shortest_compare(int *sign, const dpn_shortest *decimal, double x);

/* The double nearest to a decimal of up to 17 digits, which may end in zeros, if it is from 1e-35 to below 2^51, no power of two and not
 * on the other side of a power of ten from above. Elsewhere nothing is written.
 * Returns  whether it was found. */
bool dpn_shortest_read(double *out, const dpn_shortest *decimal);

#endif
