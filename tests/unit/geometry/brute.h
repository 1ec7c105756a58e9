/* A hull a second time: every hyperplane through points that supports all of them, in whole numbers of 128 bits. */
#ifndef TESTS_UNIT_GEOMETRY_BRUTE_H
#define TESTS_UNIT_GEOMETRY_BRUTE_H

#include <stddef.h>

/* |u| for the hull of count points with small whole coordinates and their negatives, which span, in up to 4 dimensions:
 * the largest n.u/d over the planes n.x = d that hold m independent points and have all others on one side. */
double brute_norm(int dimension, const double *point, size_t count, const double *u);

#endif
