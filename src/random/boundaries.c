/* One word of U and doubles decide almost always: its highest bits lead to a few boundaries, and the two next to U must be farther from it than
 * doubles err. Wide numbers decide the rest. */
#include "random/boundaries.h"

#include <stdlib.h>

/* Of the boundaries, U is below the last one if nothing is cut. */
static size_t inner(const dpn_boundaries *b) {
    return b->cut ? b->count : b->count - 1;
}

/* The number of boundaries that are at most x, which is from low to high. */
static size_t below(const dpn_boundaries *b, double x, size_t low, size_t high) {
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        if (b->upper[middle] <= x)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

/* A sum of N numbers >= 0 errs by less than N 2^-53 of itself, a boundary by what its two sums and a quotient do. The guard is four times
 * that, and holds the rounding of U as well. */
void dpn_boundaries_make(dpn_boundaries *out, double *weight, size_t count, bool cut, double error) {
    double sum = 0;
    *out = (dpn_boundaries){.count = count, .cut = cut, .upper = weight};
    for (size_t j = 0; j < count; j++) weight[j] = sum += weight[j];
    for (size_t j = 0; j < count; j++) weight[j] /= sum;
    for (int k = 0; k <= DPN_BOUNDARY_GUIDES; k++)
        out->guide[k] = (uint32_t)below(out, (double)k / DPN_BOUNDARY_GUIDES, 0, inner(out));
    out->guard = 8 * (error + 0x1p-53 * ((double)count + 8));
}

void dpn_boundaries_free(dpn_boundaries *boundaries) {
    free(boundaries->upper);
    boundaries->upper = NULL;
}

/* How many boundaries are certainly at or below U times the total, and how many may be. */
static void look_closely(size_t found[2], const dpn_boundaries *b, dpn_weight weight, const void *of,
                         const dpn_fraction *u) {
    static const uint64_t nothing[2] = {0, 0};
    dpn_rounding how[2] = {{u->words + 3, false}, {u->words + 3, true}};
    dpn_wide sum[2], target[2];
    for (int up = 0; up < 2; up++) {
        sum[up] = dpn_wide_integer(how[up], 0);
        for (size_t j = 0; j < b->count; j++) {
            dpn_wide one = weight(how[up], of, j);
            sum[up] = dpn_wide_add(how[up], &sum[up], &one);
        }
        target[up] = dpn_fraction_bound(how[up], nothing, u, 0);
        target[up] = dpn_wide_multiply(how[up], &target[up], &sum[up]);
    }
    /* What a cut leaves out is less than 2^-200 of the total, and the total less than 1 + 2^-190 of what is there. */
    dpn_wide rest = dpn_wide_scale(sum[1], -190);
    if (b->cut) target[1] = dpn_wide_add(how[1], &target[1], &rest);
    sum[0] = sum[1] = dpn_wide_integer(how[0], 0);
    found[0] = found[1] = 0;
    for (size_t j = 0; j < inner(b); j++) {
        for (int up = 0; up < 2; up++) {
            dpn_wide one = weight(how[up], of, j);
            sum[up] = dpn_wide_add(how[up], &sum[up], &one);
        }
        found[0] += dpn_wide_compare(how[0], &sum[1], &target[0]) <= 0;
        found[1] += dpn_wide_compare(how[0], &sum[0], &target[1]) < 0;
    }
}

/* False if a boundary is too near, or U behind a cut. */
static bool look(size_t *found, const dpn_boundaries *b, uint64_t word) {
    size_t k = word >> (64 - DPN_BOUNDARY_GUIDES_LOG2), last = inner(b);
    double at = 0x1p-64 * (double)word;
    size_t j = below(b, at, b->guide[k], b->guide[k + 1]);
    *found = j;
    if (j > 0 && !(at - b->upper[j - 1] > b->guard)) return false;
    return j < last ? b->upper[j] - at > b->guard : !b->cut;
}

dpn_try dpn_boundaries_draw(size_t *j, const dpn_boundaries *boundaries, dpn_weight weight, const void *of,
                            dpn_rng *rng) {
    dpn_fraction u;
    u.words = 0;
    if (!dpn_fraction_refine(&u, rng)) return DPN_FAILED;
    if (look(j, boundaries, u.word[0])) return DPN_DRAWN;
    for (;;) {
        size_t found[2];
        look_closely(found, boundaries, weight, of, &u);
        if (found[0] == found[1]) {
            *j = found[0];
            return *j < boundaries->count ? DPN_DRAWN : DPN_GIVEN_UP;
        }
        if (u.words == DPN_FRACTION_WORDS) return DPN_GIVEN_UP;
        if (!dpn_fraction_refine(&u, rng)) return DPN_FAILED;
    }
}
