/* How far rounding can leave a hull of vertices. */
#ifndef DPN_NOISE_HULL_H
#define DPN_NOISE_HULL_H

#include <stddef.h>

/* An upper bound of the largest norm |e| of a point e with |e_i| <= 1 in every coordinate that the vertices move and 0 in the
 * others, in the norm whose unit ball is the hull of the vertices and their negatives. Infinity if the hull is flat, or so
 * thin that doubles cannot tell; negative if there is no memory. */
double dpn_hull_norm_upper(const double *vertex, size_t vertices, size_t dimension);

#endif
