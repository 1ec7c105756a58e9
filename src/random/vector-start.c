/* Start boxes: V_i = (a_i + R) U_i scale_i/rate with R the hidden size (start-size.c) and U_i uniform on (-1, 1); of a staircase
 * (offset_i + J) U_i scale_i. */
#include "random/source.h"
#include "random/vector.h"

#include "base/error.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_DIMENSION = 1 << 20 };

static dpn_status check(size_t dimension, const double *scale, const double *offset, bool stairs, double rate,
                        const int *grid, dpn_error *why) {
    if (dimension > MOST_DIMENSION)
        return dpn_fail(why, DPN_EDOMAIN, "a start box has at most 2^20 coordinates, not %zu", dimension);
    if (!(rate >= 0x1p-40 && rate <= 0x1p40))
        return dpn_fail(why, DPN_EDOMAIN, "the rate of a start box must lie between 2^-40 and 2^40");
    for (size_t i = 0; i < dimension; i++) {
        bool zero = offset[i] == 0 && !stairs;
        if (!zero && !(offset[i] >= 0x1p-400 && offset[i] <= 0x1p400))
            return dpn_fail(why, DPN_EDOMAIN, "the offset of coordinate %zu must lie between 2^-400 and 2^400", i);
        double most = offset[i] + (2 * (double)dimension + 400) / rate; /* more has a probability below 2^-200 */
        if (!(ldexp(scale[i] * most, -grid[i]) <= 0x1p61))
            return dpn_fail(why, DPN_EDOMAIN,
                            "the grid 2^%d of coordinate %zu is too fine for its noise: draws would not "
                            "fit 64 bits",
                            grid[i], i);
    }
    return DPN_OK;
}

dpn_status dpn_vector_sampler_start(dpn_vector_sampler **out, size_t dimension, const double *scale,
                                    const double *offset, bool stairs, double rate, const int *grid_exponent,
                                    dpn_error *why) {
    if (out == NULL || offset == NULL)
        return dpn_fail(why, DPN_EDOMAIN, "a start box needs an offset for each coordinate and a place to put it");
    dpn_vector_sampler *made;
    dpn_status status =
        dpn_vector_sampler_begin(&made, DPN_VECTOR_START, dimension, scale, stairs ? 1 : rate, grid_exponent, why);
    if (status) return status;
    status = check(dimension, scale, offset, stairs, rate, grid_exponent, why);
    if (!status) {
        made->offset = malloc(dimension * sizeof *made->offset);
        made->size = calloc(1, sizeof *made->size);
        if (made->offset == NULL || made->size == NULL)
            status = dpn_fail(why, DPN_ENOMEM, "there is no memory for a sampler of vectors");
    }
    if (!status) {
        memcpy(made->offset, offset, dimension * sizeof *offset);
        status = dpn_start_size_make(made->size, stairs, rate, made->offset, dimension, why);
    }
    if (status)
        dpn_vector_sampler_free(made);
    else
        *out = made;
    return status;
}

/* Round |U| (a_i + R) factor_i, with as many more bits of both as it takes. */
static dpn_try settle(const dpn_vector_sampler *sampler, size_t i, dpn_lazy *uniform, dpn_lazy *radius, dpn_rng *rng,
                      int64_t *steps) {
    const dpn_start_size *size = sampler->size;
    for (int words = 0;; words++) {
        dpn_try result = dpn_lazy_refine(uniform, 1, words, rng);
        if (result == DPN_DRAWN && !size->stairs) result = dpn_lazy_refine(radius, 1, words, rng);
        if (result != DPN_DRAWN) return result;
        int most = radius->part.words > uniform->part.words ? radius->part.words : uniform->part.words;
        int limbs = dpn_lazy_limbs(most);
        dpn_wide bound[2];
        for (int up = 0; up < 2; up++) {
            dpn_rounding how = {limbs, up};
            dpn_wide grown = dpn_start_size_bound(how, size, radius), offset = dpn_start_size_offset(how, size, i);
            dpn_wide side = dpn_wide_add(how, &grown, &offset), part = dpn_lazy_bound(how, uniform);
            side = dpn_wide_multiply(how, &side, &part);
            bound[up] = dpn_vector_factor(how, sampler, i, &side);
        }
        if (dpn_vector_nearest(limbs, &bound[0], &bound[1], uniform->negative, steps)) return DPN_DRAWN;
    }
}

dpn_try dpn_vector_draw_start(const dpn_vector_sampler *sampler, dpn_rng *rng, int64_t *steps) {
    dpn_lazy radius;
    dpn_try result = dpn_start_size_draw(&radius, sampler->size, rng);
    if (result != DPN_DRAWN) return result;
    /* R is known within 2^-52 of it and 2^-64, a_i within 2^-52 of it: their sum, the factor, U and two products together err by
     * less than 2^-49 if the sum is not too small. */
    double known = sampler->size->stairs ? (double)radius.whole[0] : dpn_lazy_double(&radius);
    for (size_t i = 0; i < sampler->dimension; i++) {
        uint64_t word;
        if (!dpn_rng_word(rng, &word)) return DPN_FAILED;
        double side = known + sampler->size->near[i];
        double largest = side * sampler->factor[i], value = largest * (0x1p-63 * (double)(word >> 1));
        if ((side > DPN_VECTOR_LEAST_RADIUS || sampler->size->stairs) &&
            dpn_vector_near(value, value * 0x1p-48 + largest * 0x1p-62, word & 1, &steps[i]))
            continue;
        dpn_lazy uniform = {.negative = word & 1, .exponent = -63, .whole = {word >> 1, 0}};
        result = settle(sampler, i, &uniform, &radius, rng, &steps[i]);
        if (result != DPN_DRAWN) return result;
    }
    return DPN_DRAWN;
}
