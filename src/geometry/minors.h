/* Minors of a matrix of whole numbers, exactly: the hyperplane through points, ranks, signs of determinants. */
#ifndef DPN_GEOMETRY_MINORS_H
#define DPN_GEOMETRY_MINORS_H

#include <stddef.h>

#include "geometry/integer.h"

enum { DPN_HULL_DIMENSION = 10 };

/* The minors of the first rows of a matrix with N columns, at most DPN_HULL_DIMENSION + 1: at[S] is the
 * determinant of these rows and the columns of the bits of S, for every S of as many bits as there are rows. */
typedef struct dpn_minors {
    int columns, rows;
    dpn_integer *at; /* 2^columns of them */
} dpn_minors;

/* No rows yet: the empty minor is 1. False if there is no memory. Free with dpn_minors_free. */
bool dpn_minors_make(dpn_minors *minors, int columns);
void dpn_minors_free(dpn_minors *minors);
void dpn_minors_clear(dpn_minors *minors);

/* One more row, of whole doubles below 2^128 or of numbers of that size. */
void dpn_minors_push(dpn_minors *minors, const double *row);
void dpn_minors_push_integers(dpn_minors *minors, const dpn_integer *row);

/* Would the row be independent of the others? If so it is pushed. */
bool dpn_minors_push_independent(dpn_minors *minors, const double *row);

/* With as many rows as columns: the determinant. */
const dpn_integer *dpn_minors_determinant(const dpn_minors *minors);

#endif
