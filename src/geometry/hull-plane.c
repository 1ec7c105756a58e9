/* Whole columns, the planes of facets, and on which side of them a point lies. */
#include "geometry/hull.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"

/* ---- Whole columns ---- */

/* The exponent of the lowest bit of x, not 0. */
static int lowest_bit(double x) {
    int exponent;
    uint64_t significand = (uint64_t)ldexp(frexp(fabs(x), &exponent), 53);
    return exponent - 53 + __builtin_ctzll(significand);
}

dpn_status dpn_hull_whole(dpn_hull *hull, const double *point, size_t count, dpn_error *why) {
    size_t m = (size_t)hull->dimension;
    int most = 1;
    for (size_t j = 0; j < m; j++) {
        int low = INT32_MAX, high = INT32_MIN, exponent;
        for (size_t i = 0; i < count; i++) {
            double x = point[i * m + j];
            if (!isfinite(x)) return dpn_fail(why, DPN_EDOMAIN, "coordinate %zu of point %zu is not finite", j, i);
            if (x == 0) continue;
            frexp(x, &exponent);
            if (lowest_bit(x) < low) low = lowest_bit(x);
            if (exponent > high) high = exponent;
        }
        hull->shift[j] = low == INT32_MAX ? 0 : low;
        int bits = low == INT32_MAX ? 0 : high - low;
        if (bits > DPN_HULL_BITS)
            return dpn_fail(why, DPN_EDOMAIN,
                            "coordinate %zu of the points needs %d bits, more than %d: round it to a grid", j, bits,
                            DPN_HULL_BITS);
        if (bits > most) most = bits;
    }
    for (size_t i = 0; i < count; i++)
        for (size_t j = 0; j < m; j++) {
            double x = ldexp(point[i * m + j], -hull->shift[j]);
            hull->whole[2 * i * m + j] = x;
            hull->whole[(2 * i + 1) * m + j] = 0 - x; /* not -0 */
        }
    /* m rows of N bits, a column of ones, and at most 11! < 2^26 terms. */
    hull->limbs = ((int)m * most + 26) / 64 + 1;
    return DPN_OK;
}

/* ---- Exact numbers of a facet: packed into as many limbs as any of them needs ---- */

static void pack(const dpn_hull *hull, uint64_t *to, const dpn_integer *a) {
    memset(to, 0, (size_t)(hull->limbs + 1) * sizeof *to);
    to[0] = a->sign < 0;
    memcpy(to + 1, a->limb, (size_t)a->length * sizeof *to);
}

static void unpack(const dpn_hull *hull, dpn_integer *out, const uint64_t *from) {
    out->length = hull->limbs;
    while (out->length > 0 && from[out->length] == 0) out->length--;
    memcpy(out->limb, from + 1, (size_t)out->length * sizeof *from);
    out->sign = out->length == 0 ? 0 : from[0] ? -1 : 1;
}

static const uint64_t *packed(const dpn_hull *hull, const dpn_facet *facet, int which) {
    return facet->exact + (size_t)which * (size_t)(hull->limbs + 1);
}

void dpn_hull_offset(const dpn_hull *hull, const dpn_facet *facet, dpn_integer *out) {
    unpack(hull, out, packed(hull, facet, hull->dimension));
}

void dpn_hull_normal(const dpn_hull *hull, const dpn_facet *facet, int column, dpn_integer *out) {
    unpack(hull, out, packed(hull, facet, column));
}

/* The hyperplane through the corners: rows (v, -1) times (normal, offset) are 0, which the signed maximal minors solve.
 * */
bool dpn_hull_plane(dpn_hull *hull, dpn_facet *facet) {
    int m = hull->dimension;
    double row[DPN_HULL_DIMENSION + 1];
    dpn_minors_clear(&hull->minors);
    for (int i = 0; i < m; i++) {
        memcpy(row, hull->whole + facet->corner[i] * (size_t)m, (size_t)m * sizeof *row);
        row[m] = -1;
        dpn_minors_push(&hull->minors, row);
    }
    unsigned all = (2u << m) - 1;
    dpn_integer offset = hull->minors.at[all & ~(1u << m)]; /* the determinant of the corners, up to (-1)^m */
    facet->sign = offset.sign;
    if (offset.sign == 0) return false;
    if (m & 1) offset.sign = -offset.sign;
    bool turn = offset.sign < 0;
    offset.sign = 1;
    facet->exact = malloc((size_t)(m + 1) * (size_t)(hull->limbs + 1) * sizeof *facet->exact);
    if (facet->exact == NULL) return false;
    for (int j = 0; j <= m; j++) {
        dpn_integer entry = j == m ? offset : hull->minors.at[all & ~(1u << j)];
        if (j < m && ((j & 1) != turn)) entry.sign = -entry.sign;
        pack(hull, facet->exact + (size_t)j * (size_t)(hull->limbs + 1), &entry);
        if (j < m) facet->normal[j] = dpn_integer_ratio(&entry, &offset);
    }
    return true;
}

int dpn_hull_side(const dpn_hull *hull, const dpn_facet *facet, const double *whole) {
    double sum = -1, size = 1;
    for (int j = 0; j < hull->dimension; j++) {
        double term = facet->normal[j] * whole[j];
        sum += term;
        size += fabs(term);
    }
    /* A term errs by less than 2^-49 of it, each of at most 10 sums by 2^-53 of the sizes so far. */
    if (fabs(sum) > size * 0x1p-46) return sum > 0 ? 1 : -1;
    dpn_integer total, normal, x;
    dpn_hull_offset(hull, facet, &total);
    total.sign = -total.sign;
    for (int j = 0; j < hull->dimension; j++) {
        unpack(hull, &normal, packed(hull, facet, j));
        dpn_integer_set(&x, whole[j]);
        dpn_integer_accumulate(&total, &normal, &x, false);
    }
    return total.sign;
}
