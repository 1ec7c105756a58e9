/* Answers that move within a ball, released with its noise. */
#include "base/dyadic.h"
#include "base/error.h"
#include "base/options.h"
#include "geometry/ball.h"
#include "geometry/public-source.h"

#include <dpnoise/release.h>
#include <math.h>
#include <stdlib.h>

enum { MOST_ANSWERS = 1024, FINENESS = 16, DRAWS = 16384, FEWER_DRAWS = 2048, FEW_DRAWS = 410 };

/* What the draws of a release need as long as it lives. */
typedef struct context {
    dpn_norm_ball *ball;
    dpn_ball_sampler *sampler;
    size_t dimension;
    int *exponent;
} context;

static dpn_status draw(int64_t *steps, const void *of, dpn_rng *rng, dpn_error *why) {
    const context *own = of;
    return dpn_ball_sampler_draw(steps, own->sampler, rng, why);
}

static void free_but_ball(context *of) {
    dpn_ball_sampler_free(of->sampler);
    free(of->exponent);
    free(of);
}

static void free_all(void *of) {
    context *own = of;
    dpn_norm_ball *ball = own->ball;
    free_but_ball(own);
    dpn_ball_free(ball);
}

/* ---- The grid, and how far gridded answers move ---- */

/* Sums of `count` positive numbers and a product or two are this much larger than what they were rounded to. */
static double with_room(double x, size_t count) {
    return x * (1 + ((double)count + 8) * 0x1p-52);
}

static dpn_status choose_grid(context *of, const dpn_ball_release_options *options, const double *axis,
                              dpn_error *why) {
    for (size_t i = 0; i < of->dimension; i++) {
        int *exponent = &of->exponent[i];
        if (options->has_grid || options->whole)
            *exponent = options->whole ? 0 : options->grid_exponent;
        else
            *exponent = ilogb(1 / ((double)of->dimension * axis[i])) - FINENESS;
        if (*exponent < DPN_DYADIC_LEAST || *exponent > DPN_DYADIC_MOST)
            return dpn_fail(why, DPN_EDOMAIN, "a grid of step 2^%d is outside 2^%d to 2^%d: release in another unit",
                            *exponent, DPN_DYADIC_LEAST, DPN_DYADIC_MOST);
    }
    return DPN_OK;
}

/* A bound of the norm of a move of the gridded answers: 1 + sum of g_i |e_i|, rounded up. docs/proofs/release/release.md, (b) */
static dpn_status find_moves(double *largest, context *of, const dpn_ball_release_options *options, dpn_error *why) {
    double *axis = calloc(2 * of->dimension, sizeof *axis), more = 0;
    if (!axis) return dpn_fail(why, DPN_ENOMEM, "no memory for the release");
    double *unit = axis + of->dimension;
    dpn_status status = DPN_OK;
    for (size_t i = 0; i < of->dimension && !status; i++) {
        unit[i] = 1;
        status = dpn_ball_norm_upper(&axis[i], of->ball, unit, why);
        unit[i] = 0;
    }
    if (!status) status = choose_grid(of, options, axis, why);
    for (size_t i = 0; i < of->dimension && !status && !options->whole; i++) more += ldexp(axis[i], of->exponent[i]);
    free(axis);
    if (status) return status;
    if (!isfinite(more)) return dpn_fail(why, DPN_EDOMAIN, "the grid is too coarse for the ball");
    *largest = options->whole ? 1 : with_room(1 + more, of->dimension);
    return DPN_OK;
}

/* ---- How much noise that is ---- */

static int compare(const void *a, const void *b) {
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

/* The index of an order statistic that is below the 95% quantile with a probability of at most 1e-9: a binomial variable of probability 0.95
 * reaches k of n with a probability of at most exp(-n KL(k/n, 0.95)). Of 410 draws or more there is one. */
static size_t sure_rank(size_t count) {
    for (size_t k = count - count / 20; k < count; k++) {
        double share = (double)k / (double)count;
        double divergence = share * log(share / 0.95) + (1 - share) * log((1 - share) / 0.05);
        if (share > 0.95 && (double)count * divergence > 20.8) return k - 1; /* of the k-th */
    }
    return count - 1;
}

static size_t number_of_draws(const context *of) {
    if (dpn_ball_sampler_acceptance(of->sampler) < 1e-2) return FEW_DRAWS;
    return of->dimension <= 16 ? DRAWS : FEWER_DRAWS;
}

/* The mean squares, and half-widths, of draws that are the same each time. */
static dpn_status measure(double *variance, double *half_width, const context *of, dpn_error *why) {
    size_t count = number_of_draws(of), dimension = of->dimension;
    dpn_public_source source;
    dpn_public_source_begin(&source);
    int64_t *steps = calloc(dimension, sizeof *steps);
    double *size = calloc(dimension * count, sizeof *size);
    dpn_status status = steps && size ? DPN_OK : dpn_fail(why, DPN_ENOMEM, "no memory for the noise");
    for (size_t n = 0; n < count && !status; n++) {
        status = dpn_ball_sampler_draw(steps, of->sampler, &source.rng, why);
        for (size_t i = 0; i < dimension && !status; i++)
            size[i * count + n] = ldexp(fabs((double)steps[i]), of->exponent[i]);
    }
    for (size_t i = 0; i < dimension && !status; i++) {
        double *own = size + i * count, squares = 0;
        for (size_t n = 0; n < count; n++) squares += own[n] * own[n];
        qsort(own, count, sizeof *own, compare);
        variance[i] = squares / (double)count;
        half_width[i] = own[sure_rank(count)] + ldexp(0.5, of->exponent[i]); /* draws are rounded */
    }
    free(steps);
    free(size);
    return status;
}

/* The variances by formulas, where there are some. */
static dpn_status find_variances(double *variance, const context *of, double rate, dpn_error *why) {
    dpn_mean_norms norms;
    if (of->dimension == 2) return dpn_ball_mean_norms(&norms, variance, of->ball, 1 / rate, NULL, 0, why);
    double *square = calloc(of->dimension, sizeof *square);
    if (!square) return dpn_fail(why, DPN_ENOMEM, "no memory for variances");
    bool known = of->ball->kind->variance(of->ball, square);
    for (size_t i = 0; i < of->dimension && known; i++) variance[i] = square[i] / rate / rate;
    free(square);
    return DPN_OK;
}

/* |V_i| is at most the half width of the ball times |V|, whose law is known. */
static dpn_status describe(double *bound, double *variance, double *half_width, const context *of, double rate,
                           double largest, dpn_error *why) {
    dpn_status status = measure(variance, half_width, of, why);
    if (!status) status = find_variances(variance, of, rate, why);
    double radius = dpn_knorm_radius(of->dimension, 1 / rate, 0.95) * (1 + 1e-9);
    dpn_ball_half_widths(bound, of->ball);
    for (size_t i = 0; i < of->dimension; i++) {
        half_width[i] = fmin(half_width[i], bound[i] * radius * (1 + 1e-9));
        bound[i] *= largest * (1 + 1e-9);
    }
    return status;
}

/* ---- The release ---- */

static dpn_status check(const dpn_ball_release_options *options, const dpn_norm_ball *ball, dpn_error *why) {
    if (!(options->epsilon > 0) || isinf(options->epsilon))
        return dpn_fail(why, DPN_EDOMAIN, "epsilon must be positive and finite");
    if (options->whole && options->has_grid && options->grid_exponent != 0)
        return dpn_fail(why, DPN_EDOMAIN, "whole answers are on the grid 1");
    if (dpn_ball_dimension(ball) > MOST_ANSWERS)
        return dpn_fail(why, DPN_EUNSUPPORTED, "a ball is released in at most %d dimensions", (int)MOST_ANSWERS);
    return DPN_OK;
}

static dpn_status build(dpn_release **out, context *of, const dpn_ball_release_options *options, dpn_error *why) {
    double *bound = calloc(3 * of->dimension, sizeof *bound), largest = 1;
    if (!of->exponent || !bound) {
        free(bound);
        return dpn_fail(why, DPN_ENOMEM, "no memory for the release");
    }
    double *variance = bound + of->dimension, *half_width = variance + of->dimension;
    dpn_status status = find_moves(&largest, of, options, why);
    double rate = status || largest == 1 ? options->epsilon : nextafter(options->epsilon / largest, 0);
    if (!status) status = dpn_ball_sampler_new(&of->sampler, of->ball, rate, of->exponent, why);
    if (!status && !dpn_ball_sampler_exact(of->sampler))
        status = dpn_fail(why, DPN_EUNSUPPORTED, "a ball that is known by its members alone backs no guarantee");
    if (!status) status = describe(bound, variance, half_width, of, rate, largest, why);
    if (!status) {
        dpn_given_noise noise = dpn_given_noise_init();
        noise.dimension = of->dimension;
        noise.bound = bound;
        noise.grid_exponents = of->exponent;
        noise.whole = options->whole;
        noise.epsilon = options->epsilon;
        noise.variance = variance;
        noise.half_width = half_width;
        noise.relation = options->relation;
        noise.unit = options->unit;
        noise.context = of;
        noise.draw = draw;
        noise.free = free_all;
        status = dpn_release_given(out, &noise, why);
    }
    free(bound);
    return status;
}

dpn_status dpn_ball_release(dpn_release **out, dpn_norm_ball *ball, const dpn_ball_release_options *options,
                            dpn_error *why) {
    dpn_ball_release_options own;
    if (!out || !ball || !options) return dpn_fail(why, DPN_EDOMAIN, "there is nothing to release");
    dpn_status status = dpn_options_take(&own, sizeof own, options, why);
    if (!status) status = check(&own, ball, why);
    if (status) return status;
    context *of = calloc(1, sizeof *of);
    if (!of) return dpn_fail(why, DPN_ENOMEM, "no memory for the release");
    of->ball = ball;
    of->dimension = dpn_ball_dimension(ball);
    of->exponent = calloc(of->dimension, sizeof *of->exponent);
    status = build(out, of, &own, why);
    if (status) free_but_ball(of);
    return status;
}
