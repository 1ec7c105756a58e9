/* The l_p ball, 1 < p < inf: V_i = R X_i/|X|_p scale_i/rate with R ~ Gamma(dimension) and independent X_i of density
 * proportional to exp(-|x|^p/p), since X/|X|_p is independent of |X|_p and has the cone measure of the ball. */
#include <math.h>

#include "random/vector.h"

/* |X|_p in doubles. Terms are added in groups, whose sums err by less than 2^-49 of them, and the groups with
 * compensation (Neumaier 1974), which errs by less than 2^-51 for all dimensions here. */
static double norm_of(const dpn_lazy *x, size_t count, double p) {
    enum { GROUP = 16 };
    double sum = 0, rest = 0;
    for (size_t i = 0; i < count; i += GROUP) {
        double group = 0;
        for (size_t k = i; k < i + GROUP && k < count; k++) {
            double value = dpn_lazy_double(&x[k]);
            group += p == 2 ? value * value : pow(value, p);
        }
        double next = sum + group;
        rest += sum >= group ? (sum - next) + group : (group - next) + sum;
        sum = next;
    }
    return p == 2 ? sqrt(sum + rest) : pow(sum + rest, 1 / p);
}

/* Bounds of sum |X_i|^p, for all coordinates once the words suffice. */
static void sum_of_powers(dpn_wide sum[2], const dpn_lazy *x, size_t count, double p, int limbs) {
    for (int up = 0; up < 2; up++) {
        dpn_rounding how = {limbs, up};
        sum[up] = dpn_wide_integer(how, 0);
        for (size_t i = 0; i < count; i++) {
            dpn_wide term = dpn_lazy_bound(how, &x[i]);
            term = dpn_wide_power(how, &term, p);
            sum[up] = dpn_wide_add(how, &sum[up], &term);
        }
    }
}

/* Is R X_i factor_i/|X|_p >= h, h = half/2? -1 no, 1 yes, 0 undecided: (R X_i factor_i/h)^p against the sum. */
static int reaches(const dpn_vector_sampler *sampler, size_t i, const dpn_lazy *radius, const dpn_lazy *x,
                   const dpn_wide sum[2], uint64_t half, int limbs) {
    dpn_wide power[2];
    for (int up = 0; up < 2; up++) {
        dpn_rounding how = {limbs, up};
        dpn_wide r = dpn_lazy_bound(how, radius), value = dpn_lazy_bound(how, x);
        value = dpn_wide_multiply(how, &value, &r);
        value = dpn_vector_factor(how, sampler, i, &value);
        value = dpn_wide_scale(dpn_wide_divide_small(how, &value, half), 1);
        power[up] = dpn_wide_power(how, &value, sampler->p);
    }
    dpn_rounding how = {limbs, false};
    if (dpn_wide_compare(how, &power[0], &sum[1]) >= 0) return 1;
    return dpn_wide_compare(how, &power[1], &sum[0]) < 0 ? -1 : 0;
}

/* What is known of a vector in wide numbers, shared by its coordinates. */
typedef struct knowledge {
    int words; /* -1: the sum has not been taken */
    dpn_wide sum[2];
} knowledge;

/* x[count] is the radius. */
static dpn_try know_more(const dpn_vector_sampler *sampler, dpn_lazy *x, dpn_rng *rng, knowledge *known) {
    size_t count = sampler->dimension;
    known->words = known->words < 0 ? 1 : known->words + 1;
    dpn_try result = dpn_lazy_refine(x, count + 1, known->words, rng);
    if (result == DPN_DRAWN) sum_of_powers(known->sum, x, count, sampler->p, dpn_lazy_limbs(known->words));
    return result;
}

/* Walk from a guess to the number that the bounds allow, one step at a time: the guess is that of doubles, and at most
 * some thousand steps away on the finest grid. */
static dpn_try settle(const dpn_vector_sampler *sampler, size_t i, dpn_lazy *x, double guess, dpn_rng *rng,
                      knowledge *known, int64_t *steps) {
    uint64_t size = (uint64_t)(guess + 0.5);
    dpn_try result = known->words < 0 ? know_more(sampler, x, rng, known) : DPN_DRAWN;
    for (int walked = 0; result == DPN_DRAWN; walked++) {
        if (walked == 1 << 16) return DPN_GIVEN_UP;
        const dpn_lazy *radius = &x[sampler->dimension];
        int limbs = dpn_lazy_limbs(known->words);
        int above = reaches(sampler, i, radius, &x[i], known->sum, 2 * size + 1, limbs);
        int below = size == 0 ? 1 : reaches(sampler, i, radius, &x[i], known->sum, 2 * size - 1, limbs);
        if (above < 0 && below > 0) {
            *steps = x[i].negative ? -(int64_t)size : (int64_t)size;
            return DPN_DRAWN;
        }
        if (above > 0 && size >= DPN_VECTOR_MOST_STEPS) {
            *steps = x[i].negative ? INT64_MIN : INT64_MAX;
            return DPN_DRAWN;
        }
        if (above > 0)
            size++;
        else if (below < 0)
            size--;
        else
            result = know_more(sampler, x, rng, known);
    }
    return result;
}

dpn_try dpn_vector_draw_lp(const dpn_vector_sampler *sampler, dpn_rng *rng, int64_t *steps, dpn_lazy *work) {
    size_t count = sampler->dimension;
    dpn_lazy *radius = &work[count];
    dpn_try result = dpn_lazy_gamma(radius, (uint64_t)count, rng);
    for (size_t i = 0; i < count && result == DPN_DRAWN; i++) result = dpn_lazy_draw(&work[i], sampler->table, rng);
    if (result != DPN_DRAWN) return result;
    /* Cells, squares, sums and a root err by less than 2^-47 in all; pow is trusted to 2^-43, and 2^-40 is 8 times
     * that. */
    double error = sampler->p == 2 ? 0x1p-46 : 0x1p-40, norm = norm_of(work, count, sampler->p);
    double known_radius = dpn_lazy_double(radius), ratio = known_radius / norm;
    /* The cells of X are finer than 2^-50: a norm of less than 1/16 on average would know them too little. */
    bool ordinary = known_radius > DPN_VECTOR_LEAST_RADIUS && norm > pow((double)count, 1 / sampler->p) / 16;
    knowledge known = {.words = -1};
    for (size_t i = 0; i < count; i++) {
        double unit = ratio * sampler->factor[i], value = dpn_lazy_double(&work[i]) * unit;
        double width = unit * dpn_lazy_width(&work[i]);
        if (ordinary && dpn_vector_near(value, value * error + 2 * width, work[i].negative, &steps[i])) continue;
        result = settle(sampler, i, work, value < DPN_VECTOR_MOST_STEPS ? value : 0, rng, &known, &steps[i]);
        if (result != DPN_DRAWN) return result;
    }
    return DPN_DRAWN;
}
