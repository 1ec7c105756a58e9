/* Boxes with corners cut off by constraints: R U scale/rate with U uniform in the box, tried again until it obeys.
 *
 * A constraint ties a coordinate of its own to one or two others: |U_a| + |U_b| + |U_own| <= 2, a cuboctahedron, or
 * |U_own| + (2 |U_a| - 1)^2 <= 1 where |U_a| > 1/2, a parabola. Own coordinates are drawn after the others, right
 * before their constraint is looked at, so that most tries end early.
 */
#include "random/source.h"
#include "random/vector.h"

/* The left side of a constraint, from one side; U_a >= 1/2 for a parabola. */
static dpn_wide left_side(dpn_rounding how, const dpn_constraint *constraint, const dpn_lazy *u) {
    dpn_wide sum = dpn_lazy_bound(how, &u[constraint->own]), a = dpn_lazy_bound(how, &u[constraint->a]);
    if (constraint->parabola) {
        dpn_wide one = dpn_wide_integer(how, 1), twice = dpn_wide_scale(a, 1);
        a = dpn_wide_subtract(how, &twice, &one);
        a = dpn_wide_multiply(how, &a, &a);
        return dpn_wide_add(how, &sum, &a);
    }
    dpn_wide b = dpn_lazy_bound(how, &u[constraint->b]);
    sum = dpn_wide_add(how, &sum, &a);
    return dpn_wide_add(how, &sum, &b);
}

static dpn_try decide_wide(const dpn_constraint *constraint, dpn_lazy *u, dpn_rng *rng) {
    const uint32_t at[3] = {constraint->own, constraint->a, constraint->parabola ? constraint->a : constraint->b};
    for (int words = 1;; words++) {
        int most = words;
        for (int i = 0; i < 3; i++) {
            dpn_try result = dpn_lazy_refine(&u[at[i]], 1, words, rng);
            if (result != DPN_DRAWN) return result;
            if (u[at[i]].part.words > most) most = u[at[i]].part.words;
        }
        dpn_rounding down = {dpn_lazy_limbs(most), false}, up = {dpn_lazy_limbs(most), true};
        dpn_wide limit = dpn_wide_integer(down, constraint->parabola ? 1 : 2);
        dpn_wide lower = left_side(down, constraint, u), upper = left_side(up, constraint, u);
        if (dpn_wide_compare(up, &upper, &limit) <= 0) return DPN_DRAWN;
        if (dpn_wide_compare(down, &lower, &limit) >= 0) return DPN_AGAIN;
    }
}

/* Doubles know U within 2^-53 and 2^-63, and the left side within 2^-49. */
static dpn_try obeys(const dpn_constraint *constraint, dpn_lazy *u, dpn_rng *rng) {
    double own = dpn_lazy_double(&u[constraint->own]), a = dpn_lazy_double(&u[constraint->a]), left, limit;
    if (constraint->parabola) {
        if (u[constraint->a].whole[0] >> 62 == 0) return DPN_DRAWN; /* below 1/2 */
        left = own + (2 * a - 1) * (2 * a - 1);
        limit = 1;
    } else {
        left = own + a + dpn_lazy_double(&u[constraint->b]);
        limit = 2;
    }
    if (left < limit - 0x1p-45) return DPN_DRAWN;
    if (left > limit + 0x1p-45) return DPN_AGAIN;
    return decide_wide(constraint, u, rng);
}

static dpn_try draw_point(const dpn_vector_sampler *sampler, dpn_lazy *u, dpn_rng *rng) {
    for (size_t i = 0; i < sampler->free_coordinates; i++)
        if (!dpn_lazy_uniform(&u[i], rng)) return DPN_FAILED;
    for (size_t i = 0; i < sampler->constraints; i++) {
        const dpn_constraint *constraint = &sampler->constraint[i];
        if (!dpn_lazy_uniform(&u[constraint->own], rng)) return DPN_FAILED;
        dpn_try result = obeys(constraint, u, rng);
        if (result != DPN_DRAWN) return result;
    }
    return DPN_DRAWN;
}

dpn_try dpn_vector_draw_corners(const dpn_vector_sampler *sampler, dpn_rng *rng, int64_t *steps, dpn_lazy *work) {
    size_t count = sampler->dimension;
    dpn_lazy *radius = &work[count];
    dpn_try result = dpn_lazy_gamma(radius, (uint64_t)count + 1, rng);
    if (result != DPN_DRAWN) return result;
    do result = draw_point(sampler, work, rng);
    while (result == DPN_AGAIN);
    double known = dpn_lazy_double(radius);
    bool ordinary = known > DPN_VECTOR_LEAST_RADIUS;
    for (size_t i = 0; i < count && result == DPN_DRAWN; i++) {
        double largest = known * sampler->factor[i], value = largest * dpn_lazy_double(&work[i]);
        if (ordinary && dpn_vector_near(value, value * 0x1p-48 + largest * 0x1p-61, work[i].negative, &steps[i]))
            continue;
        result = dpn_vector_settle(sampler, i, &work[i], radius, rng, &steps[i]);
    }
    return result;
}
