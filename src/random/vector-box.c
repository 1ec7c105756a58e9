/* The box: V_i = R U_i scale_i/rate with R ~ Gamma(dimension + 1) and U_i uniform on (-1, 1). And its opposite, the l1
 * ball, whose coordinates are independent. */
#include "random/source.h"
#include "random/vector.h"

dpn_try dpn_vector_draw_box(const dpn_vector_sampler *sampler, dpn_rng *rng, int64_t *steps) {
    dpn_lazy radius;
    dpn_try result = dpn_lazy_gamma(&radius, (uint64_t)sampler->dimension + 1, rng);
    if (result != DPN_DRAWN) return result;
    /* R is known within 2^-52 of it and 2^-64, which is 2^-56 of all but the least of it; R, the factor, U and two products
     * together err by less than 2^-49. */
    double known = dpn_lazy_double(&radius);
    bool ordinary = known > DPN_VECTOR_LEAST_RADIUS;
    for (size_t i = 0; i < sampler->dimension; i++) {
        uint64_t word;
        if (!dpn_rng_word(rng, &word)) return DPN_FAILED;
        double largest = known * sampler->factor[i], value = largest * (0x1p-63 * (double)(word >> 1));
        if (ordinary && dpn_vector_near(value, value * 0x1p-48 + largest * 0x1p-62, word & 1, &steps[i])) continue;
        dpn_lazy uniform = {.negative = word & 1, .exponent = -63, .whole = {word >> 1, 0}};
        result = dpn_vector_settle(sampler, i, &uniform, &radius, rng, &steps[i]);
        if (result != DPN_DRAWN) return result;
    }
    return DPN_DRAWN;
}

dpn_try dpn_vector_draw_l1(const dpn_vector_sampler *sampler, dpn_rng *rng, int64_t *steps) {
    for (size_t i = 0; i < sampler->dimension; i++) {
        dpn_lazy x;
        dpn_try result = dpn_lazy_draw(&x, sampler->table, rng);
        if (result != DPN_DRAWN) return result;
        double factor = sampler->factor[i], value = dpn_lazy_double(&x) * factor, width = factor * dpn_lazy_width(&x);
        if (dpn_vector_near(value, value * 0x1p-48 + 2 * width, x.negative, &steps[i])) continue;
        result = dpn_vector_settle(sampler, i, &x, NULL, rng, &steps[i]);
        if (result != DPN_DRAWN) return result;
    }
    return DPN_DRAWN;
}
