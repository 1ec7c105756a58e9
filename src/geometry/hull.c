/* The growth of a hull. */
#include "geometry/hull.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"

static const double *row_of(const dpn_hull *hull, size_t point) {
    return hull->whole + point * (size_t)hull->dimension;
}

/* ---- Growth ---- */

static int by_number(const void *a, const void *b) {
    uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;
    return (x > y) - (x < y);
}

static dpn_status add_facet(dpn_hull *hull, const uint32_t *corner, dpn_error *why) {
    if (hull->facets == DPN_HULL_FACETS)
        return dpn_fail(why, DPN_EUNSUPPORTED,
                        "the hull has more than %d facets: give fewer points or dimensions, or take a ball "
                        "that contains it (a box, l1, l2)",
                        DPN_HULL_FACETS);
    if (hull->facets == hull->room) {
        size_t room = 2 * hull->room + 64;
        dpn_facet *larger = realloc(hull->facet, room * sizeof *larger);
        if (larger == NULL) return dpn_fail(why, DPN_ENOMEM, "there is no memory for a hull");
        hull->facet = larger;
        hull->room = room;
    }
    dpn_facet facet = {.sign = 0};
    memcpy(facet.corner, corner, (size_t)hull->dimension * sizeof *corner);
    qsort(facet.corner, (size_t)hull->dimension, sizeof *facet.corner, by_number);
    if (!dpn_hull_plane(hull, &facet))
        return facet.sign ? dpn_fail(why, DPN_ENOMEM, "there is no memory for a hull")
                          : dpn_fail(why, DPN_EACCURACY, "a facet of the hull is flat");
    hull->facet[hull->facets++] = facet;
    return DPN_OK;
}

/* A ridge: a facet without one of its corners. */
typedef struct ridge {
    uint32_t corner[DPN_HULL_DIMENSION];
} ridge;

/* Numbers beyond the dimension are 0 in all ridges, so that bytes can be compared; any order will do. */
static int by_corners(const void *a, const void *b) {
    return memcmp(a, b, sizeof(ridge));
}

/* The ridges between seen facets and others are those that occur once among the seen. */
static dpn_status grow(dpn_hull *hull, uint32_t point, bool *seen, dpn_error *why) {
    size_t m = (size_t)hull->dimension, count = 0, used = 0;
    const double *row = row_of(hull, point);
    for (size_t f = 0; f < hull->facets; f++) {
        seen[f] = dpn_hull_side(hull, &hull->facet[f], row) > 0;
        count += seen[f];
    }
    if (count == 0) return DPN_OK;
    ridge *ridges = calloc(count * m, sizeof *ridges);
    if (ridges == NULL) return dpn_fail(why, DPN_ENOMEM, "there is no memory for a hull");
    for (size_t f = 0; f < hull->facets; f++) {
        if (!seen[f]) continue;
        for (size_t left_out = 0; left_out < m; left_out++, used++)
            for (size_t k = 0, to = 0; k < m; k++)
                if (k != left_out) ridges[used].corner[to++] = hull->facet[f].corner[k];
    }
    size_t kept = 0;
    for (size_t f = 0; f < hull->facets; f++) {
        if (seen[f])
            free(hull->facet[f].exact);
        else
            hull->facet[kept++] = hull->facet[f];
    }
    hull->facets = kept;
    qsort(ridges, used, sizeof *ridges, by_corners);
    dpn_status status = DPN_OK;
    for (size_t i = 0; i < used && !status;) {
        size_t same = 1;
        while (i + same < used && by_corners(&ridges[i], &ridges[i + same]) == 0) same++;
        if (same == 1) {
            uint32_t corner[DPN_HULL_DIMENSION];
            memcpy(corner, ridges[i].corner, sizeof corner);
            corner[m - 1] = point;
            status = add_facet(hull, corner, why);
        }
        i += same;
    }
    free(ridges);
    return status;
}

/* The first hull: independent points and their negatives, all 2^m choices of signs. Chosen, if not NULL, gets the
 * points; fewer than the dimension if they do not span. */
static size_t choose_independent(dpn_minors *minors, const dpn_hull *hull, const size_t *order, size_t *chosen) {
    size_t found = 0;
    dpn_minors_clear(minors);
    for (size_t i = 0; i < hull->points / 2 && found < (size_t)hull->dimension; i++)
        if (dpn_minors_push_independent(minors, row_of(hull, 2 * order[i]))) chosen[found++] = order[i];
    return found;
}

static dpn_status begin(dpn_hull *hull, const size_t *chosen, dpn_error *why) {
    dpn_status status = DPN_OK;
    for (unsigned signs = 0; signs < 1u << hull->dimension && !status; signs++) {
        uint32_t corner[DPN_HULL_DIMENSION];
        for (int k = 0; k < hull->dimension; k++) corner[k] = (uint32_t)(2 * chosen[k] + (signs >> k & 1));
        status = add_facet(hull, corner, why);
    }
    return status;
}

/* Which coordinates carry a nonzero minor of the independent rows. */
static void kept_columns(const dpn_minors *minors, size_t kept[DPN_HULL_DIMENSION]) {
    for (unsigned set = 0; set < 1u << minors->columns; set++) {
        if (__builtin_popcount(set) != minors->rows || minors->at[set].sign == 0) continue;
        for (size_t c = 0, k = 0; c < (size_t)minors->columns; c++)
            if (set >> c & 1) kept[k++] = c;
        return;
    }
}

static dpn_status refuse_flat(const dpn_minors *minors, size_t found, dpn_error *why) {
    size_t kept[DPN_HULL_DIMENSION] = {0};
    char list[64] = "";
    size_t used = 0;
    if (found == 0) return dpn_fail(why, DPN_EDOMAIN, "all points are zero: nothing can move, and no noise is needed");
    kept_columns(minors, kept);
    for (size_t k = 0; k < found; k++)
        used += (size_t)snprintf(list + used, sizeof list - used, "%s%zu", k ? "," : "", kept[k]);
    return dpn_fail(why, DPN_EDOMAIN,
                    "the points span %zu of %d dimensions, so that their hull is no ball: release coordinates %s "
                    "alone (counted from 0), and recover the others, which are linear functions of them, afterwards",
                    found, minors->columns, list);
}

/* Far points first: they make most others inner ones. */
typedef struct distance {
    double size;
    size_t point;
} distance;

static int by_distance(const void *a, const void *b) {
    const distance *x = a, *y = b;
    if (x->size != y->size) return x->size > y->size ? -1 : 1;
    return (x->point > y->point) - (x->point < y->point);
}

static size_t *order_points(const dpn_hull *hull) {
    size_t count = hull->points / 2, m = (size_t)hull->dimension;
    distance *far = calloc(count, sizeof *far);
    size_t *order = calloc(count, sizeof *order);
    if (far == NULL || order == NULL) {
        free(far);
        free(order);
        return NULL;
    }
    double largest[DPN_HULL_DIMENSION] = {0};
    for (size_t i = 0; i < count * m; i++)
        largest[i % m] = fmax(largest[i % m], fabs(row_of(hull, 2 * (i / m))[i % m]));
    for (size_t i = 0; i < count; i++) {
        far[i].point = i;
        for (size_t j = 0; j < m; j++)
            if (largest[j] > 0) far[i].size += pow(row_of(hull, 2 * i)[j] / largest[j], 2);
    }
    qsort(far, count, sizeof *far, by_distance);
    for (size_t i = 0; i < count; i++) order[i] = far[i].point;
    free(far);
    return order;
}

static dpn_status build(dpn_hull *hull, dpn_error *why) {
    dpn_minors square;
    size_t chosen[DPN_HULL_DIMENSION], *order = order_points(hull);
    bool *seen = calloc(DPN_HULL_FACETS, sizeof *seen), no_memory = false;
    dpn_status status = dpn_minors_make(&square, hull->dimension) && order && seen
                            ? DPN_OK
                            : dpn_fail(why, DPN_ENOMEM, "there is no memory for a hull");
    if (!status) {
        size_t found = choose_independent(&square, hull, order, chosen);
        status = found < (size_t)hull->dimension ? refuse_flat(&square, found, why) : begin(hull, chosen, why);
    }
    for (size_t i = 0; i < hull->points && !status; i++)
        status = grow(hull, (uint32_t)(2 * order[i / 2] + i % 2), seen, why);
    if (!status && !dpn_hull_verify(hull, &no_memory))
        status = no_memory ? dpn_fail(why, DPN_ENOMEM, "there is no memory for a hull")
                           : dpn_fail(why, DPN_EACCURACY, "the facets of the hull do not fit together");
    dpn_minors_free(&square);
    free(order);
    free(seen);
    return status;
}

static dpn_status start(dpn_hull *hull, size_t dimension, const double *point, size_t count, dpn_error *why) {
    memset(hull, 0, sizeof *hull);
    if (point == NULL || count == 0 || dimension == 0) return dpn_fail(why, DPN_EDOMAIN, "a hull needs points");
    if (dimension > DPN_HULL_DIMENSION)
        return dpn_fail(why, DPN_EUNSUPPORTED,
                        "hulls have up to %d dimensions, not %zu: release blocks of coordinates, or take a "
                        "box, l1 or l2 ball that contains the points",
                        DPN_HULL_DIMENSION, dimension);
    if (count > DPN_HULL_FACETS) return dpn_fail(why, DPN_EUNSUPPORTED, "more than %d points", DPN_HULL_FACETS);
    hull->dimension = (int)dimension;
    hull->points = 2 * count;
    hull->whole = calloc(2 * count * dimension, sizeof *hull->whole);
    if (hull->whole == NULL || !dpn_minors_make(&hull->minors, hull->dimension + 1))
        return dpn_fail(why, DPN_ENOMEM, "there is no memory for a hull");
    return dpn_hull_whole(hull, point, count, why);
}

dpn_status dpn_hull_make(dpn_hull *hull, size_t dimension, const double *point, size_t count, dpn_error *why) {
    dpn_hull made;
    dpn_status status = start(&made, dimension, point, count, why);
    if (!status) status = build(&made, why);
    if (status)
        dpn_hull_free(&made);
    else
        *hull = made;
    return status;
}

void dpn_hull_free(dpn_hull *hull) {
    for (size_t f = 0; f < hull->facets; f++) free(hull->facet[f].exact);
    free(hull->facet);
    free(hull->whole);
    dpn_minors_free(&hull->minors);
    memset(hull, 0, sizeof *hull);
}

dpn_status dpn_hull_rank(size_t *rank, size_t kept[DPN_HULL_DIMENSION], size_t dimension, const double *point,
                         size_t count, dpn_error *why) {
    dpn_hull made;
    dpn_minors square = {.at = NULL};
    size_t chosen[DPN_HULL_DIMENSION];
    dpn_status status = start(&made, dimension, point, count, why);
    size_t *order = status ? NULL : order_points(&made);
    if (!status && (order == NULL || !dpn_minors_make(&square, made.dimension)))
        status = dpn_fail(why, DPN_ENOMEM, "there is no memory for a hull");
    if (!status) {
        *rank = choose_independent(&square, &made, order, chosen);
        kept_columns(&square, kept);
    }
    dpn_minors_free(&square);
    free(order);
    dpn_hull_free(&made);
    return status;
}
