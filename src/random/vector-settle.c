/* From bounds to a number of grid steps. */
#include "random/vector.h"

dpn_wide dpn_vector_factor(dpn_rounding how, const dpn_vector_sampler *sampler, size_t i, const dpn_wide *x) {
    dpn_wide scale = dpn_wide_double(how, sampler->scale[i]), rate = dpn_wide_double(how, sampler->rate);
    dpn_wide product = dpn_wide_multiply(how, x, &scale);
    return dpn_wide_scale(dpn_wide_divide(how, &product, &rate), -(int64_t)sampler->grid[i]);
}

/* The whole part, at most DPN_VECTOR_MOST_STEPS; a number of limbs has its highest bit set, so that two limbs hold what
 * matters. */
static uint64_t whole_part(int limbs, const dpn_wide *a) {
    dpn_rounding how = {limbs, false};
    dpn_wide whole = dpn_wide_floor(how, a);
    if (dpn_wide_is_zero(how, &whole)) return 0;
    int64_t magnitude = whole.exponent + 64 * (int64_t)limbs; /* whole < 2^magnitude */
    if (magnitude > 62) return DPN_VECTOR_MOST_STEPS;
    return whole.limb[limbs - 1] >> (64 - magnitude);
}

bool dpn_vector_nearest(int limbs, const dpn_wide *lower, const dpn_wide *upper, bool negative, int64_t *steps) {
    dpn_rounding down = {limbs, false}, up = {limbs, true};
    dpn_wide half = dpn_wide_scale(dpn_wide_integer(down, 1), -1);
    dpn_wide low = dpn_wide_add(down, lower, &half), high = dpn_wide_add(up, upper, &half);
    uint64_t size = whole_part(limbs, &low);
    if (size != whole_part(limbs, &high)) return false;
    if (size == DPN_VECTOR_MOST_STEPS)
        *steps = negative ? INT64_MIN : INT64_MAX;
    else
        *steps = negative ? -(int64_t)size : (int64_t)size;
    return true;
}

dpn_try dpn_vector_settle(const dpn_vector_sampler *sampler, size_t i, dpn_lazy *x, dpn_lazy *y, dpn_rng *rng,
                          int64_t *steps) {
    bool negative = x->negative != (y != NULL && y->negative);
    for (int words = 0;; words++) {
        dpn_try result = dpn_lazy_refine(x, 1, words, rng);
        if (result == DPN_DRAWN && y != NULL) result = dpn_lazy_refine(y, 1, words, rng);
        if (result != DPN_DRAWN) return result;
        /* One of the two may have more words than this already. */
        int most = y != NULL && y->part.words > x->part.words ? y->part.words : x->part.words;
        int limbs = dpn_lazy_limbs(most);
        dpn_wide bound[2];
        for (int up = 0; up < 2; up++) {
            dpn_rounding how = {limbs, up};
            bound[up] = dpn_lazy_bound(how, x);
            if (y != NULL) {
                dpn_wide other = dpn_lazy_bound(how, y);
                bound[up] = dpn_wide_multiply(how, &bound[up], &other);
            }
            bound[up] = dpn_vector_factor(how, sampler, i, &bound[up]);
        }
        if (dpn_vector_nearest(limbs, &bound[0], &bound[1], negative, steps)) return DPN_DRAWN;
    }
}
