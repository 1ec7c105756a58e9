/* The convex hull of points and their negatives, cut into simplices from the origin, in exact arithmetic.
 *
 * Points are the exact numbers that their doubles are. Every column is divided by a power of two that makes it whole,
 * which changes neither which points are vertices nor the ratios of volumes. The hull grows point by point: the facets
 * that a new point sees give way to those between it and their horizon. Doubles decide on which side of a facet a point
 * lies where their error bounds allow, exact numbers elsewhere. docs/proofs/geometry/hull.md
 */
#ifndef DPN_GEOMETRY_HULL_H
#define DPN_GEOMETRY_HULL_H

#include <dpnoise/status.h>
#include <stdint.h>

#include "geometry/minors.h"

/* {x : normal.x <= offset} holds the hull, with equality at the corners; offset > 0. */
typedef struct dpn_facet {
    uint32_t corner[DPN_HULL_DIMENSION]; /* rising numbers of points */
    int sign;                            /* of the determinant of its corners */
    double normal[DPN_HULL_DIMENSION];   /* over the offset, in whole columns; within 2^-50 */
    uint64_t *exact;                     /* normal and offset: a sign and N limbs each */
} dpn_facet;

typedef struct dpn_hull {
    int dimension;
    size_t points;                 /* 2 k and 2 k + 1 are a point and its negative */
    double *whole;                 /* the points, row by row, in whole columns */
    int shift[DPN_HULL_DIMENSION]; /* the point is whole 2^shift */
    int limbs;                     /* of exact numbers */
    dpn_facet *facet;
    size_t facets, room;
    dpn_minors minors; /* scratch */
} dpn_hull;

enum { DPN_HULL_FACETS = 200000, DPN_HULL_BITS = 120 };

/* Errors   DPN_EDOMAIN for points that do not span (the sentence names coordinates that do), are not finite or differ
 *          too much in scale; DPN_EUNSUPPORTED for too many dimensions or facets; DPN_EACCURACY if the check below
 *          fails, which would be a bug; DPN_ENOMEM. On error nothing is left to free. */
dpn_status dpn_hull_make(dpn_hull *hull, size_t dimension, const double *point, size_t count, dpn_error *why);
void dpn_hull_free(dpn_hull *hull);

/* Divide the columns of the points by powers of two, with the negatives beside them. Errors as above. */
dpn_status dpn_hull_whole(dpn_hull *hull, const double *point, size_t count, dpn_error *why);

/* Give a facet with corners its plane. False if it is flat (sign 0) or there is no memory. */
bool dpn_hull_plane(dpn_hull *hull, dpn_facet *facet);

/* The sign of normal.x - offset for a point of the hull's own list: > 0 if it lies beyond the facet. */
int dpn_hull_side(const dpn_hull *hull, const dpn_facet *facet, const double *whole);

/* The exact normal of a facet, and its offset, which is the absolute determinant of its corners. */
void dpn_hull_normal(const dpn_hull *hull, const dpn_facet *facet, int column, dpn_integer *out);
void dpn_hull_offset(const dpn_hull *hull, const dpn_facet *facet, dpn_integer *out);

/* Does the triangulation tile the space, and does every facet support all points? */
bool dpn_hull_verify(dpn_hull *hull, bool *no_memory);

/* The rank of points, and coordinates that span as well: all others are linear functions of these. */
dpn_status dpn_hull_rank(size_t *rank, size_t kept[DPN_HULL_DIMENSION], size_t dimension, const double *point,
                         size_t count, dpn_error *why);

#endif
