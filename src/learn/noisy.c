/* Noisy moments: which noise, and the sums. */
#define _DEFAULT_SOURCE /* explicit_bzero */
#include "learn/noisy.h"

#include "base/error.h"
#include "learn/kit.h"
#include "learn/prior.h"
#include "learn/reach.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* ---- Which noise ---- */

/* The error of b is A^-1 times sum_k noise_k effect_k(b): to first order the square of a cell's noise counts |effect_k(b)|^2
 * times, in the mean over coefficients as they are expected. Effects are linear in b with one entry of it, or two, in each
 * coordinate, so that the mean takes the variances of the prior for squares. */
#define ON_A 0.2 /* priors of the cells make up for some of the noise on A, and for none of that on c */
static double weight_of(const dpn_cells *cells, const dpn_fit *fit, size_t k) {
    const dpn_cell *cell = &cells->cell[k];
    double scale = cell->doubled ? 0.25 : 1;
    if (cell->j == dpn_target_column(fit)) return scale;
    double sum = dpn_prior_variance(fit, cell->i) + (cell->i != cell->j ? dpn_prior_variance(fit, cell->j) : 0);
    for (size_t other = 1; k == 0 && other < cells->count; other++)
        if (cells->cell[other].doubled) sum += weight_of(cells, fit, other);
    return ON_A * scale * sum;
}

typedef struct request {
    double *weight;
    bool *alone;
    int *exponent;
    dpn_sensitivity set;
    dpn_calibration_options calibration;
    dpn_release_options options;
} request;

static dpn_status make_request(request *of, const dpn_fit *fit, const dpn_cells *cells, dpn_error *why) {
    of->weight = malloc(cells->count * sizeof *of->weight);
    of->alone = calloc(cells->count, sizeof *of->alone);
    of->exponent = malloc(cells->count * sizeof *of->exponent);
    if (!of->weight || !of->alone || !of->exponent) return dpn_fail(why, DPN_ENOMEM, "no memory for the fit");
    for (size_t k = 0; k < cells->count; k++) {
        of->weight[k] = weight_of(cells, fit, k);
        of->exponent[k] = -2 * DPN_UNIT_LOG;
    }
    of->set = (dpn_sensitivity){.dimension = cells->count, .bound = cells->bound, .relation = fit->relation};
    of->calibration = dpn_calibration_options_init();
    of->calibration.weight = of->weight;
    of->calibration.cancelled = fit->cancelled;
    of->calibration.context = fit->context;
    of->options = dpn_release_options_init();
    of->options.set = &of->set;
    of->options.whole = true;
    of->options.grid_exponents = of->exponent;
    of->options.exclude = DPN_EXCLUDE_INTEGER | DPN_EXCLUDE_SLOW;
    of->options.calibration = &of->calibration;
    return DPN_OK;
}

static void free_request(request *of) {
    free(of->weight);
    free(of->alone);
    free(of->exponent);
}

/* What one row moves all cells by together, if that says more than the bounds of each. */
static bool bound_together(dpn_sensitivity *set, const dpn_fit *fit, const dpn_cells *cells) {
    dpn_row_reach reach = dpn_cells_reach(cells, fit);
    double l1 = 0, square = 0, l2 = nextafter(sqrt(reach.square), INFINITY);
    for (size_t k = 0; k < cells->count; k++) {
        l1 += cells->bound[k];
        square += cells->bound[k] * cells->bound[k];
    }
    if (reach.l1 < l1) set->l1 = reach.l1;
    if (reach.square < square) set->l2 = l2;
    return set->l1 > 0 || set->l2 > 0;
}

/* The better of the noise for the box of bounds, where each cell has its own, and that for all that is known of the moves. */
static dpn_status choose(dpn_release **out, request *of, const dpn_fit *fit, const dpn_cells *cells, dpn_error *why) {
    dpn_release *box = NULL, *together = NULL;
    dpn_status status = dpn_release_new(&box, &of->options, why);
    if (status) return status;
    of->calibration.alone = NULL;
    if (bound_together(&of->set, fit, cells)) status = dpn_release_new(&together, &of->options, why);
    if (status) together = NULL; /* the box serves */
    if (status == DPN_ECANCELLED) {
        dpn_release_free(box);
        return status;
    }
    bool better = together && dpn_release_plan(together)->error < dpn_release_plan(box)->error;
    dpn_release_free(better ? box : together);
    *out = better ? together : box;
    return DPN_OK;
}

/* The hull of all that a row can do. */
static dpn_status choose_hull(dpn_release **out, request *of, const dpn_fit *fit, const dpn_cells *cells,
                              dpn_error *why) {
    double *move;
    size_t moves;
    if (!dpn_fit_kit_here.hulls) return dpn_fail(why, DPN_EUNSUPPORTED, "this library has no noise of hulls");
    dpn_status status = dpn_cells_moves(&move, &moves, cells, fit, why);
    if (status) return status;
    of->set.vertex = move;
    of->set.vertices = moves;
    of->calibration.hulls = dpn_fit_kit_here.hulls();
    status = dpn_release_new(out, &of->options, why);
    free(move);
    return status;
}

dpn_status dpn_noisy_announce(size_t *release, dpn_fit *fit, const dpn_cells *cells, const char *what, double epsilon,
                              double delta, const dpn_ball_kind *ball, dpn_error *why) {
    request of = {0};
    dpn_release *made = NULL;
    dpn_status status = make_request(&of, fit, cells, why);
    of.options.epsilon = epsilon;
    of.options.delta = delta;
    of.options.family = ball ? "k-norm" : fit->noise;
    of.calibration.has_ball = ball;
    if (ball) of.calibration.ball = *ball;
    if (!ball && !fit->noise) of.calibration.alone = of.alone; /* nobody is, but blocks are tried */
    if (!status)
        status = ball && *ball == DPN_BALL_HULL ? choose_hull(&made, &of, fit, cells, why)
                                                : choose(&made, &of, fit, cells, why);
    if (!status) status = dpn_fit_announce_made(release, fit, what, 1, made, why);
    free_request(&of);
    return status;
}

/* ---- The sums ---- */

static dpn_status draw(dpn_noisy_moments *out, dpn_fit *fit, const dpn_cells *cells, size_t release, int64_t *moments,
                       int64_t *sum, dpn_rng *rng, dpn_error *why) {
    const dpn_plan *plan = dpn_fit_release_at(fit, release).plan;
    dpn_status status = dpn_rows_moments(moments, &fit->rows, why);
    if (!status) {
        dpn_cells_sum(sum, cells, moments, dpn_fit_width(fit));
        status = dpn_fit_draw(sum, fit, release, rng, sum, why);
    }
    for (size_t k = 0; k < cells->count && !status; k++) {
        out->value[k] = ldexp((double)sum[k], dpn_release_grid_exponent(fit->announced[release].release, k));
        out->variance[k] = plan->variance[k];
    }
    if (!status) dpn_fit_show(fit, out->value, cells->count);
    if (!status) dpn_cells_restore(out->moments, cells, fit, out->value);
    return status;
}

dpn_status dpn_noisy_draw(dpn_noisy_moments *out, dpn_fit *fit, const dpn_cells *cells, size_t release, dpn_rng *rng,
                          dpn_error *why) {
    size_t size = dpn_fit_width(fit) * dpn_fit_width(fit);
    int64_t *moments = malloc(size * sizeof *moments), *sum = malloc(cells->count * sizeof *sum);
    out->moments = malloc(size * sizeof *out->moments);
    out->value = malloc(cells->count * sizeof *out->value);
    out->variance = malloc(cells->count * sizeof *out->variance);
    dpn_status status = moments && sum && out->moments && out->value && out->variance
                            ? draw(out, fit, cells, release, moments, sum, rng, why)
                            : dpn_fail(why, DPN_ENOMEM, "no memory for the moments");
    if (moments) explicit_bzero(moments, size * sizeof *moments);
    if (sum) explicit_bzero(sum, cells->count * sizeof *sum);
    free(moments);
    free(sum);
    return status;
}

void dpn_noisy_free(dpn_noisy_moments *noisy) {
    free(noisy->moments);
    free(noisy->value);
    free(noisy->variance);
    *noisy = (dpn_noisy_moments){0};
}

/* ---- What is expected ---- */

void dpn_noisy_expect(dpn_noisy_moments *noisy, const dpn_fit *fit, const dpn_cells *cells) {
    double rows = fmax(noisy->value[0], 1);
    for (size_t k = 1; k < cells->count; k++) {
        const dpn_cell *cell = &cells->cell[k];
        if (cell->j == dpn_target_column(fit)) continue;
        dpn_prior_cell prior = dpn_prior_of_cell(fit, cell->i, cell->j);
        double scale = cell->doubled ? 2 * rows : rows, mean = scale * prior.mean - (cell->doubled ? rows : 0);
        double spread = scale * scale * prior.variance, weight = spread / (spread + noisy->variance[k]);
        noisy->value[k] = mean + weight * (noisy->value[k] - mean);
        noisy->variance[k] *= weight;
    }
    dpn_cells_restore(noisy->moments, cells, fit, noisy->value);
}
