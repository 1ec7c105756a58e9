/* K_T, the ball of the functional mechanism's paper (Awan and Slavkovic 2021, section 5). */
#define _DEFAULT_SOURCE /* explicit_bzero */
#include "learn/paper-ball.h"
#include "learn/reach.h"

#include "base/error.h"
#include "geometry/public-source.h"

#include <dpnoise/geometry.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Draws in the order of the ball; cells have another. */
typedef struct context {
    dpn_norm_ball *ball;
    dpn_ball_sampler *sampler;
    size_t *place; /* of each coordinate of the ball: which of the moving cells it is */
    int *exponent;
    size_t dimension;
} context;

static void free_context(void *of) {
    context *own = of;
    dpn_ball_sampler_free(own->sampler);
    dpn_ball_free(own->ball);
    free(own->place);
    free(own->exponent);
    free(own);
}

static dpn_status draw(int64_t *steps, const void *of, dpn_rng *rng, dpn_error *why) {
    const context *own = of;
    int64_t *room = malloc(own->dimension * sizeof *room);
    if (!room) return dpn_fail(why, DPN_ENOMEM, "no memory for the noise");
    dpn_status status = dpn_ball_sampler_draw(room, own->sampler, rng, why);
    for (size_t k = 0; k < own->dimension && !status; k++) steps[own->place[k]] = room[k];
    explicit_bzero(room, own->dimension * sizeof *room);
    free(room);
    return status;
}

/* Where a cell stands in the ball: p sums, the target's, squares, pairs, products with the target. */
static size_t place_in_ball(const dpn_cell *cell, size_t p) {
    size_t i = cell->i, j = cell->j;
    if (i == 0) return j - 1;
    if (i == j) return p + i;
    if (j == p + 1) return p + 1 + p + p * (p - 1) / 2 + i - 1;
    return p + 1 + p + (i - 1) * p - i * (i - 1) / 2 + j - i - 1;
}

static dpn_status make(context *of, const dpn_cells *cells, size_t p, double epsilon, dpn_error *why) {
    of->dimension = cells->count - 1;
    of->place = malloc(of->dimension * sizeof *of->place);
    of->exponent = malloc(of->dimension * sizeof *of->exponent);
    if (!of->place || !of->exponent) return dpn_fail(why, DPN_ENOMEM, "no memory for the noise");
    for (size_t k = 0; k < of->dimension; k++) {
        of->place[place_in_ball(&cells->cell[k + 1], p)] = k;
        of->exponent[k] = -2 * DPN_UNIT_LOG;
    }
    dpn_error reason;
    dpn_status status = dpn_ball_regression(&of->ball, p, why);
    if (!status) status = dpn_ball_sampler_new(&of->sampler, of->ball, epsilon, of->exponent, &reason);
    if (status == DPN_EACCURACY)
        return dpn_fail(why, DPN_EUNSUPPORTED, "K_T of %zu features fills too little of its box to draw from it", p);
    return status ? dpn_fail(why, status, "%s", reason.sentence) : DPN_OK;
}

/* From draws that are the same each time. */
static dpn_status measure(double *variance, const context *of, dpn_error *why) {
    enum { DRAWS = 400 };
    dpn_public_source source;
    dpn_public_source_begin(&source);
    int64_t *steps = malloc(of->dimension * sizeof *steps);
    dpn_status status = steps ? DPN_OK : dpn_fail(why, DPN_ENOMEM, "no memory for the noise");
    for (int i = 0; i < DRAWS && !status; i++) {
        status = draw(steps, of, &source.rng, why);
        for (size_t k = 0; k < of->dimension && !status; k++) {
            double v = ldexp((double)steps[k], of->exponent[k]);
            variance[1 + k] += v * v / DRAWS;
        }
    }
    free(steps);
    return status;
}

/* All products have one law by symmetry, so have squares and sums: their means are better known. */
static void share(double *variance, const dpn_cells *cells, size_t p) {
    for (int kind = 0; kind < 4; kind++) {
        double sum = 0, count = 0;
        for (int pass = 0; pass < 2; pass++)
            for (size_t k = 1; k < cells->count; k++) {
                const dpn_cell *cell = &cells->cell[k];
                bool target = cell->j == p + 1;
                int own = cell->i == 0 ? (target ? 3 : 0) : cell->i == cell->j ? 1 : 2;
                if (own != kind) continue;
                if (pass == 0) {
                    sum += variance[k];
                    count++;
                } else
                    variance[k] = sum / count;
            }
    }
}

static dpn_status check(const dpn_fit *fit, const dpn_cells *cells, dpn_error *why) {
    dpn_row_shape shape = dpn_row_shape_of(fit);
    if (fit->relation != DPN_REPLACE || cells->bound[0] > 0)
        return dpn_fail(why, DPN_EUNSUPPORTED,
                        "the ball kt is known for one row in place of another and a public number of rows: "
                        "--relation replace --missing value:V, and no --where");
    if (fit->options.no_intercept || shape.groups > 0 || shape.full)
        return dpn_fail(why, DPN_EUNSUPPORTED, "the ball kt is known for numbers and an intercept");
    return DPN_OK;
}

dpn_status dpn_paper_ball_release(dpn_release **out, const dpn_fit *fit, const dpn_cells *cells, double epsilon,
                                  dpn_error *why) {
    dpn_status status = check(fit, cells, why);
    if (status) return status;
    context *of = calloc(1, sizeof *of);
    double *variance = calloc(cells->count, sizeof *variance);
    int *exponent = calloc(cells->count, sizeof *exponent);
    status = of && variance && exponent ? make(of, cells, fit->features, epsilon, why)
                                        : dpn_fail(why, DPN_ENOMEM, "no memory for the noise");
    if (!status) status = measure(variance, of, why);
    if (!status) {
        for (size_t k = 0; k < cells->count; k++) exponent[k] = -2 * DPN_UNIT_LOG;
        share(variance, cells, fit->features);
        dpn_given_noise noise = dpn_given_noise_init();
        noise.dimension = cells->count;
        noise.bound = cells->bound;
        noise.grid_exponents = exponent;
        noise.whole = true;
        noise.epsilon = epsilon;
        noise.variance = variance;
        noise.relation = fit->relation;
        noise.context = of;
        noise.draw = draw;
        noise.free = free_context;
        status = dpn_release_given(out, &noise, why);
    }
    if (status && of) free_context(of);
    free(variance);
    free(exponent);
    return status;
}
