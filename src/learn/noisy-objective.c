/* Objective perturbation with the caller's loss. */
#define _DEFAULT_SOURCE /* explicit_bzero */
#include "base/error.h"
#include "base/options.h"
#include "learn/minimum.h"
#include "learn/perturbation.h"

#include <dpnoise/noisy-objective.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

struct dpn_noisy_objective {
    dpn_noisy_objective_options options;
    dpn_perturbation_ask ask;
    dpn_perturbation chosen;
    dpn_release *noise, *output;
    double *weight, *l1; /* of each coordinate */
    bool ran;
};

/* ---- The plan ---- */

enum { MOST_DIMENSION = 1000 };

static bool positive(double x) {
    return x > 0 && isfinite(x);
}

static bool not_negative(double x) {
    return x >= 0 && isfinite(x);
}

static dpn_status check(const dpn_noisy_objective_options *options, dpn_error *why) {
    if (options->rank == 0)
        return dpn_fail(why, DPN_EDOMAIN,
                        "the rank of a row's Hessian must be known: its dimension, if nothing else is");
    if (options->dimension < 1 || options->dimension > MOST_DIMENSION)
        return dpn_fail(why, DPN_EDOMAIN, "an objective has from 1 to %d dimensions", MOST_DIMENSION);
    if (options->ball != DPN_BALL_L1 && options->ball != DPN_BALL_L2 && options->ball != DPN_BALL_LINF)
        return dpn_fail(why, DPN_EDOMAIN, "the ball of the noise is linf, l1 or l2");
    if (!(options->within >= 0x1p-40 && options->within <= 0x1p28))
        return dpn_fail(why, DPN_EDOMAIN, "coefficients are within a positive number, 2^-40 to 2^28");
    if (options->within_l2 && !(options->within <= 0x1p27 && not_negative(options->longest)))
        return dpn_fail(why, DPN_EDOMAIN,
                        "a ball has a radius of at most 2^27, and the gradient of the sum a finite length on it");
    if (!positive(options->curvature) || !(options->curvature >= options->lambda))
        return dpn_fail(why, DPN_EDOMAIN, "the curvature of the sum must be finite and at least that of one row");
    if (!not_negative(options->error) || !not_negative(options->l1) || !not_negative(options->l2) ||
        !not_negative(options->rows))
        return dpn_fail(why, DPN_EDOMAIN, "error, penalties and rows must be finite and not negative");
    return DPN_OK;
}

static dpn_minimum_problem problem_of(const dpn_noisy_objective *of) {
    const dpn_noisy_objective_options *options = &of->options;
    double m = (double)options->dimension;
    /* The caller is asked at the nearest doubles. */
    double nearest = 0x1p-53 * sqrt(m) * options->within * options->curvature;
    static const int64_t some = 0;
    return (dpn_minimum_problem){
        .m = options->dimension,
        .sum = {.curvature = options->curvature, .error = options->error + 2 * nearest, .longest = options->longest},
        .v = &some,
        .v_exponent = DPN_PERTURBATION_V_EXPONENT,
        .weight = of->weight,
        .l1 = of->l1,
        .box = (dpn_int128)ldexp(options->within_l2 ? 0x1p28 : options->within, DPN_POINT_LOG),
        .radius = options->within_l2 ? options->within : 0,
        .eta = of->ask.eta};
}

static dpn_status choose(dpn_noisy_objective *of, dpn_error *why) {
    const dpn_noisy_objective_options *options = &of->options;
    of->ask = (dpn_perturbation_ask){.m = options->dimension,
                                     .ball = options->ball,
                                     .move = options->move,
                                     .lambda = options->lambda,
                                     .rank = (double)options->rank,
                                     .epsilon = options->epsilon,
                                     .relation = options->relation,
                                     .share = options->share,
                                     .rows = options->rows,
                                     .eta = 1};
    dpn_status status = dpn_perturbation_choose(&of->chosen, &of->ask, why);
    if (status) return status;
    for (size_t j = 0; j < options->dimension; j++) {
        of->weight[j] = of->chosen.gamma + options->l2;
        of->l1[j] = options->l1;
    }
    const dpn_minimum_problem problem = problem_of(of);
    of->ask.eta = 1.25 * dpn_minimum_least_eta(&problem);
    status = dpn_perturbation_noise(&of->noise, &of->ask, &of->chosen, 0, why);
    return status ? status : dpn_perturbation_output(&of->output, &of->ask, &of->chosen, why);
}

dpn_status dpn_noisy_objective_new(dpn_noisy_objective **out, const dpn_noisy_objective_options *options,
                                   dpn_error *why) {
    dpn_noisy_objective_options own;
    dpn_status status = dpn_options_take(&own, sizeof own, options, why);
    if (!status) status = check(&own, why);
    if (status) return status;
    dpn_noisy_objective *of = calloc(1, sizeof *of);
    if (!of) return dpn_fail(why, DPN_ENOMEM, "no memory for the objective");
    of->options = own;
    of->weight = calloc(own.dimension, sizeof *of->weight);
    of->l1 = calloc(own.dimension, sizeof *of->l1);
    if (!of->weight || !of->l1) status = dpn_fail(why, DPN_ENOMEM, "no memory for the objective");
    if (!status) status = choose(of, why);
    if (status)
        dpn_noisy_objective_free(of);
    else
        *out = of;
    return status;
}

void dpn_noisy_objective_free(dpn_noisy_objective *of) {
    if (!of) return;
    dpn_release_free(of->noise);
    dpn_release_free(of->output);
    free(of->weight);
    free(of->l1);
    free(of);
}

dpn_noisy_objective_shares dpn_noisy_objective_look(const dpn_noisy_objective *of) {
    return (dpn_noisy_objective_shares){
        .gamma = of->chosen.gamma, .share = of->chosen.q, .distance = of->ask.eta / of->chosen.gamma};
}

/* ---- The run ---- */

typedef struct caller {
    dpn_differentiate *differentiate;
    void *context;
    double *b;
    size_t m;
} caller;

static dpn_status ask_caller(double *high, double *low, double *hessian, void *context, const dpn_int128 *b,
                             dpn_error *why) {
    const caller *of = context;
    for (size_t j = 0; j < of->m; j++) of->b[j] = dpn_point_value(b[j]);
    of->differentiate(high, hessian, of->context, of->b);
    bool finite = true;
    for (size_t j = 0; j < of->m; j++) {
        low[j] = 0;
        finite = finite && isfinite(high[j]);
    }
    return finite ? DPN_OK : dpn_fail(why, DPN_EDOMAIN, "the gradient of the loss is not finite");
}

/* steps: room for dimension numbers, all 0. */
static dpn_status find(double *b, int64_t *steps, dpn_int128 *point, const dpn_noisy_objective *of, caller *asked,
                       dpn_rng *rng, dpn_error *why) {
    dpn_minimum_problem problem = problem_of(of);
    dpn_status status = dpn_release_draw(steps, of->noise, rng, steps, why);
    if (status) return status;
    problem.sum.differentiate = ask_caller;
    problem.sum.context = asked;
    problem.v = steps;
    status = dpn_minimum_find(point, &problem, why);
    if (status) return status;
    for (size_t j = 0; j < asked->m; j++)
        steps[j] = (int64_t)llround(
            fmin(fmax(ldexp(dpn_point_value(point[j]), -dpn_release_grid_exponent(of->output, j)), -0x1p61), 0x1p61));
    status = dpn_release_draw(steps, of->output, rng, steps, why);
    for (size_t j = 0; j < asked->m && !status; j++)
        b[j] = ldexp((double)steps[j], dpn_release_grid_exponent(of->output, j));
    return status;
}

dpn_status dpn_noisy_objective_run(double *b, dpn_noisy_objective *of, dpn_differentiate *differentiate, void *context,
                                   dpn_rng *rng, dpn_error *why) {
    if (of->ran) return dpn_fail(why, DPN_EDOMAIN, "a noisy objective is minimised once");
    of->ran = true;
    size_t m = of->options.dimension;
    int64_t *steps = calloc(m, sizeof *steps);
    dpn_int128 *point = calloc(m, sizeof *point);
    caller asked = {.differentiate = differentiate, .context = context, .b = calloc(m, sizeof(double)), .m = m};
    dpn_status status = DPN_OK;
    if (!steps || !point || !asked.b) status = dpn_fail(why, DPN_ENOMEM, "no memory for the minimum");
    if (!status) status = find(b, steps, point, of, &asked, rng, why);
    if (steps) explicit_bzero(steps, m * sizeof *steps);
    if (point) explicit_bzero(point, m * sizeof *point);
    free(steps);
    free(point);
    free(asked.b);
    return status;
}
