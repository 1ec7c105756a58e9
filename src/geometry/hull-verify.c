/* A second look at a finished hull, which shares nothing with its growth but the exact plane of each facet.
 *
 * If (1) no facet is flat, (2) every ridge belongs to two facets, on opposite sides of the plane through it and the
 * origin, (3) some inner point of the first cone lies in no other, and (4) no point lies beyond any facet, then the
 * cones tile the space and the union of the simplices is the hull. docs/proofs/geometry/hull.md
 */
#include <stdlib.h>
#include <string.h>

#include "geometry/hull.h"

/* A ridge, and the sign of the determinant of its corners followed by the apex of its facet. */
typedef struct side {
    uint32_t corner[DPN_HULL_DIMENSION];
    int32_t sign;
} side;

static int by_corners(const void *a, const void *b) {
    return memcmp(a, b, sizeof(((const side *)a)->corner));
}

static bool ridges_match(const dpn_hull *hull, bool *no_memory) {
    size_t m = (size_t)hull->dimension, count = hull->facets * m;
    side *sides = calloc(count, sizeof *sides);
    if (sides == NULL) {
        *no_memory = true;
        return false;
    }
    for (size_t f = 0, used = 0; f < hull->facets; f++)
        for (size_t apex = 0; apex < m; apex++, used++) {
            for (size_t k = 0, to = 0; k < m; k++)
                if (k != apex) sides[used].corner[to++] = hull->facet[f].corner[k];
            /* The apex moves behind the m - 1 - apex corners that follow it. */
            sides[used].sign = (m - 1 - apex) & 1 ? -hull->facet[f].sign : hull->facet[f].sign;
        }
    qsort(sides, count, sizeof *sides, by_corners);
    bool match = count % 2 == 0;
    for (size_t i = 0; i + 1 < count && match; i += 2) {
        bool pair = by_corners(&sides[i], &sides[i + 1]) == 0;
        bool third = i + 2 < count && by_corners(&sides[i], &sides[i + 2]) == 0;
        match = pair && !third && sides[i].sign * sides[i + 1].sign == -1;
    }
    free(sides);
    return match;
}

static bool all_inside(const dpn_hull *hull) {
    for (size_t f = 0; f < hull->facets; f++)
        for (size_t p = 0; p < hull->points; p++)
            if (dpn_hull_side(hull, &hull->facet[f], hull->whole + p * (size_t)hull->dimension) > 0) return false;
    return true;
}

/* Is x in the closed cone of a facet? With each corner in turn replaced by x the determinant never changes its sign. */
static bool in_cone(dpn_minors *square, const dpn_hull *hull, const dpn_facet *facet, const dpn_integer *x) {
    size_t m = (size_t)hull->dimension;
    for (size_t replaced = 0; replaced < m; replaced++) {
        dpn_minors_clear(square);
        for (size_t k = 0; k < m; k++)
            if (k == replaced)
                dpn_minors_push_integers(square, x);
            else
                dpn_minors_push(square, hull->whole + facet->corner[k] * m);
        if (dpn_minors_determinant(square)->sign * facet->sign < 0) return false;
    }
    return true;
}

/* The sum of the corners of the first facet is an inner point of its cone. By (4) another cone that holds it belongs to
 * a facet in the same plane: only these few are tried. */
static bool first_is_alone(const dpn_hull *hull, bool *no_memory) {
    size_t m = (size_t)hull->dimension;
    dpn_integer sum[DPN_HULL_DIMENSION], x;
    const dpn_facet *first = &hull->facet[0];
    dpn_minors square;
    if (!dpn_minors_make(&square, hull->dimension)) {
        *no_memory = true;
        return false;
    }
    for (size_t j = 0; j < m; j++) {
        dpn_integer_set(&sum[j], 0);
        for (size_t k = 0; k < m; k++) {
            dpn_integer_set(&x, hull->whole[first->corner[k] * m + j]);
            dpn_integer_add(&sum[j], &sum[j], &x);
        }
    }
    bool alone = true;
    for (size_t f = 1; f < hull->facets && alone; f++) {
        bool same_plane = true;
        for (size_t k = 0; k < m && same_plane; k++)
            same_plane = dpn_hull_side(hull, &hull->facet[f], hull->whole + first->corner[k] * m) == 0;
        alone = !same_plane || !in_cone(&square, hull, &hull->facet[f], sum);
    }
    dpn_minors_free(&square);
    return alone;
}

bool dpn_hull_verify(dpn_hull *hull, bool *no_memory) {
    *no_memory = false;
    return hull->facets > 0 && ridges_match(hull, no_memory) && all_inside(hull) && first_is_alone(hull, no_memory);
}
