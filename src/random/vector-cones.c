/* A polytope cut into simplices from the origin: V = sum E_k v_k/rate over the vertices v_k of a simplex, E_k
 * independent exponentials. The simplex is chosen by its volume. */
#include <string.h>

#include "random/source.h"
#include "random/vector.h"

/* A uniform integer below the last cumulated weight, highest limb first. Its highest bits are tried again until it is.
 * */
static bool draw_below(const dpn_cones *cones, dpn_rng *rng, uint64_t *number) {
    const uint64_t *total = cones->cumulated + (cones->cones - 1) * (size_t)cones->limbs;
    int spare = __builtin_clzll(total[0]); /* the total is made with its highest limb not 0 */
    for (;;) {
        int limb = 0, order = 0;
        for (; limb < cones->limbs && order == 0; limb++) {
            if (!dpn_rng_word(rng, &number[limb])) return false;
            if (limb == 0) number[0] >>= spare;
            order = number[limb] < total[limb] ? -1 : number[limb] > total[limb];
        }
        if (order >= 0) continue; /* equal is too large, too */
        for (; limb < cones->limbs; limb++)
            if (!dpn_rng_word(rng, &number[limb])) return false;
        return true;
    }
}

static bool is_below(const uint64_t *a, const uint64_t *b, int limbs) {
    for (int i = 0; i < limbs; i++)
        if (a[i] != b[i]) return a[i] < b[i];
    return false;
}

/* The first cone whose cumulated weight exceeds the number. */
static size_t cone_of(const dpn_cones *cones, const uint64_t *number) {
    size_t low = 0, high = cones->cones - 1;
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        if (is_below(number, cones->cumulated + middle * (size_t)cones->limbs, cones->limbs))
            high = middle;
        else
            low = middle + 1;
    }
    return low;
}

bool dpn_cones_choose(const dpn_cones *cones, dpn_rng *rng, size_t *cone) {
    uint64_t number[DPN_CONES_LIMBS];
    if (!draw_below(cones, rng, number)) return false;
    *cone = cone_of(cones, number);
    return true;
}

/* The vertex of a corner. */
static inline const double *vertex_of(const dpn_vector_sampler *sampler, const uint32_t *corner, size_t k) {
    return sampler->cones.vertex + (size_t)corner[k] * sampler->dimension;
}

/* Round sum E_k v_ki factor_i from its positive and its negative part, with as many more bits as it takes. */
static dpn_try settle(const dpn_vector_sampler *sampler, size_t i, const uint32_t *corner, dpn_lazy *e, dpn_rng *rng,
                      int64_t *steps) {
    for (int words = 1;; words++) {
        dpn_try result = dpn_lazy_refine(e, sampler->dimension, words, rng);
        if (result != DPN_DRAWN) return result;
        int most = words;
        for (size_t k = 0; k < sampler->dimension; k++)
            if (e[k].part.words > most) most = e[k].part.words;
        int limbs = dpn_lazy_limbs(most);
        dpn_wide part[2][2]; /* positive, negative; from below, from above */
        for (int up = 0; up < 2; up++) {
            dpn_rounding how = {limbs, up};
            part[0][up] = part[1][up] = dpn_wide_integer(how, 0);
            for (size_t k = 0; k < sampler->dimension; k++) {
                double v = vertex_of(sampler, corner, k)[i];
                dpn_wide size = dpn_wide_double(how, v < 0 ? -v : v), term = dpn_lazy_bound(how, &e[k]);
                term = dpn_wide_multiply(how, &term, &size);
                part[v < 0][up] = dpn_wide_add(how, &part[v < 0][up], &term);
            }
            for (int sign = 0; sign < 2; sign++) part[sign][up] = dpn_vector_factor(how, sampler, i, &part[sign][up]);
        }
        dpn_rounding down = {limbs, false}, up = {limbs, true};
        for (int sign = 0; sign < 2; sign++) {
            const dpn_wide *more = part[sign], *less = part[!sign];
            if (dpn_wide_compare(down, &more[0], &less[1]) < 0) continue; /* not certainly of this sign */
            dpn_wide low = dpn_wide_subtract(down, &more[0], &less[1]),
                     high = dpn_wide_subtract(up, &more[1], &less[0]);
            if (dpn_vector_nearest(limbs, &low, &high, sign, steps)) return DPN_DRAWN;
        }
        /* Around 0 the sign may stay open; all of the interval may round to 0 nevertheless. */
        dpn_wide half = dpn_wide_scale(dpn_wide_integer(down, 1), -1), zero = dpn_wide_integer(down, 0);
        bool small = true;
        for (int sign = 0; sign < 2; sign++) {
            bool reaches = dpn_wide_compare(up, &part[sign][1], &part[!sign][0]) > 0;
            dpn_wide most_of = reaches ? dpn_wide_subtract(up, &part[sign][1], &part[!sign][0]) : zero;
            small = small && dpn_wide_compare(up, &most_of, &half) < 0;
        }
        if (small) {
            *steps = 0;
            return DPN_DRAWN;
        }
    }
}

dpn_try dpn_vector_draw_cones(const dpn_vector_sampler *sampler, dpn_rng *rng, int64_t *steps, dpn_lazy *work) {
    size_t count = sampler->dimension, cone;
    if (!dpn_cones_choose(&sampler->cones, rng, &cone)) return DPN_FAILED;
    const uint32_t *corner = sampler->cones.corner + cone * count;
    dpn_try result = DPN_DRAWN;
    for (size_t k = 0; k < count && result == DPN_DRAWN; k++) result = dpn_lazy_draw(&work[k], sampler->table, rng);
    for (size_t i = 0; i < count && result == DPN_DRAWN; i++) {
        double sum = 0, size = 0, widths = 0, factor = sampler->factor[i];
        for (size_t k = 0; k < count; k++) {
            double v = vertex_of(sampler, corner, k)[i], term = v * dpn_lazy_double(&work[k]);
            sum += term;
            size += term < 0 ? -term : term;
            widths += (v < 0 ? -v : v) * dpn_lazy_width(&work[k]);
        }
        /* Each term and each of at most 64 sums err by less than 2^-51 of size. */
        double error = (size * 0x1p-44 + 2 * widths) * factor, value = (sum < 0 ? -sum : sum) * factor;
        if (value > error && dpn_vector_near(value, error, sum < 0, &steps[i])) continue;
        result = settle(sampler, i, corner, work, rng, &steps[i]);
    }
    return result;
}
