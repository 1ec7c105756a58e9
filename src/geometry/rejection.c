/* Noise of a ball from uniform points. */
#define _DEFAULT_SOURCE /* explicit_bzero */
#include "geometry/rejection.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "random/source.h"

void dpn_rejection_free(dpn_rejection *rejection) {
    if (rejection == NULL) return;
    dpn_interior_free(rejection->interior);
    free(rejection->grid);
    free(rejection);
}

/* The domain is that of the noise of the box around the ball, whose sampler says what is wrong. */
static dpn_status check(const dpn_norm_ball *ball, double rate, const int *grid, dpn_error *why) {
    dpn_vector_sampler *box = NULL;
    double *half = calloc(ball->dimension, sizeof *half);
    if (half == NULL) return dpn_fail(why, DPN_ENOMEM, "there is no memory for a sampler");
    ball->kind->half_widths(ball, half);
    dpn_status status = dpn_vector_sampler_lp(&box, ball->dimension, INFINITY, half, rate, grid, why);
    dpn_vector_sampler_free(box);
    free(half);
    return status;
}

dpn_status dpn_rejection_new(dpn_rejection **out, const dpn_norm_ball *ball, double rate, const int *grid,
                             dpn_error *why) {
    dpn_status status = check(ball, rate, grid, why);
    if (status) return status;
    dpn_rejection *made = calloc(1, sizeof *made);
    if (made != NULL) made->grid = calloc(ball->dimension, sizeof *grid);
    if (made == NULL || made->grid == NULL) {
        dpn_rejection_free(made);
        return dpn_fail(why, DPN_ENOMEM, "there is no memory for a sampler");
    }
    memcpy(made->grid, grid, ball->dimension * sizeof *grid);
    made->rate = rate;
    status = dpn_interior_new(&made->interior, ball, why);
    if (status)
        dpn_rejection_free(made);
    else
        *out = made;
    return status;
}

/* ---- Rounding ---- */

/* Round a span; false if its ends round to different numbers. */
static bool nearest(int limbs, const dpn_span *v, int64_t *steps) {
    dpn_span zero = dpn_span_double(limbs, 0), half = dpn_span_double(limbs, 0.5), size = dpn_span_size(limbs, v);
    if (dpn_span_compare(limbs, v, &zero) != 0) /* not around 0 */
        return dpn_vector_nearest(limbs, &size.low.size, &size.high.size, dpn_span_compare(limbs, v, &zero) < 0, steps);
    if (dpn_span_compare(limbs, &size, &half) >= 0) return false;
    *steps = 0;
    return true;
}

/* R U_i/(rate grid_i) in doubles; the radius is known within 2^-52 + 2^-56 of it, and the product errs by 2^-50 more. */
static bool round_doubles(const dpn_rejection *r, const dpn_point_work *work, double radius, size_t i, int64_t *steps) {
    double factor = ldexp(radius / r->rate, -r->grid[i]), value = fabs(work->value[r->interior->value + i]) * factor;
    double error = work->error[r->interior->value + i] * factor * 1.001 + value * 0x1p-48;
    return radius > DPN_VECTOR_LEAST_RADIUS && value > error &&
           dpn_vector_near(value, error, work->value[r->interior->value + i] < 0, steps);
}

/* The coordinates that are open, with as many more bits as it takes. */
static dpn_try settle(const dpn_rejection *r, dpn_point_work *work, dpn_lazy *radius, dpn_rng *rng, bool *open,
                      int64_t *steps) {
    const dpn_interior *u = r->interior;
    dpn_span *span = malloc(u->dimension * sizeof *span);
    dpn_try result = DPN_DRAWN;
    bool some = true;
    work->no_memory = work->no_memory || span == NULL;
    for (int words = 1; some && result == DPN_DRAWN && !work->no_memory; words++) {
        result = dpn_lazy_refine(work->number + u->number, u->numbers, words, rng);
        if (result == DPN_DRAWN) result = dpn_lazy_refine(radius, 1, words, rng);
        int limbs = dpn_interior_limbs(u, work), own = dpn_lazy_limbs(radius->part.words);
        if (own > limbs) limbs = own;
        if (result != DPN_DRAWN || !dpn_interior_spans(span, u, work, limbs)) continue;
        dpn_span rate = dpn_span_double(limbs, r->rate), times = dpn_span_lazy(limbs, radius);
        some = false;
        for (size_t i = 0; i < u->dimension; i++) {
            if (!open[i]) continue;
            dpn_span v = dpn_span_multiply(limbs, &span[i], &times);
            bool known = dpn_span_divide(&v, limbs, &v, &rate);
            v = dpn_span_scale(&v, -(int64_t)r->grid[i]);
            open[i] = !known || !nearest(limbs, &v, &steps[i]);
            some = some || open[i];
        }
    }
    free(span);
    return work->no_memory ? DPN_GIVEN_UP : result;
}

static dpn_try draw(const dpn_rejection *r, dpn_point_work *work, dpn_lazy *radius, bool *open, dpn_rng *rng,
                    int64_t *steps) {
    dpn_try result = dpn_lazy_gamma(radius, (uint64_t)r->interior->dimension + 1, rng);
    if (result == DPN_DRAWN) result = dpn_interior_draw(r->interior, work, rng);
    if (result != DPN_DRAWN) return result;
    double known = dpn_lazy_double(radius);
    bool some = false;
    for (size_t i = 0; i < r->interior->dimension; i++) {
        open[i] = !round_doubles(r, work, known, i, &steps[i]);
        some = some || open[i];
    }
    return some ? settle(r, work, radius, rng, open, steps) : DPN_DRAWN;
}

dpn_status dpn_rejection_draw(const dpn_rejection *r, dpn_rng *rng, int64_t *steps, dpn_error *why) {
    size_t m = r->interior->dimension;
    dpn_point_work work;
    dpn_lazy radius;
    bool *open = calloc(m, sizeof *open);
    dpn_try result = DPN_GIVEN_UP;
    bool memory = dpn_point_work_new(&work, r->interior) && open != NULL;
    if (memory) result = draw(r, &work, &radius, open, rng, steps);
    memory = memory && !work.no_memory;
    dpn_point_work_free(&work, r->interior);
    explicit_bzero(&radius, sizeof radius);
    free(open);
    if (result == DPN_DRAWN) return DPN_OK;
    memset(steps, 0, m * sizeof *steps);
    if (!memory) return dpn_fail(why, DPN_ENOMEM, "there is no memory for a vector of noise");
    if (result == DPN_FAILED) return dpn_rng_failure(rng, why);
    return dpn_fail(why, DPN_EACCURACY, "a draw was still undecided after 800 random bits");
}
