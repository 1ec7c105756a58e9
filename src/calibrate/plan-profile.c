/* What a plan guarantees, from its blocks alone. */
#include "calibrate/plan.h"

#include "base/error.h"
#include "calibrate/noise/kind.h"
#include "privacy/ball/ball.h"

#include <dpnoise/plan.h>
#include <float.h>
#include <math.h>
#include <stdlib.h>

dpn_status dpn_plan_sensitivity(dpn_sensitivity *out, const dpn_plan *plan, dpn_error *why) {
    if (plan->vertices && !plan->vertex)
        return dpn_fail(why, DPN_EUNSUPPORTED, "the plan was made for a hull of %zu vertices, which it does not hold",
                        plan->vertices);
    for (size_t i = 0; i < plan->dimension; i++)
        if (isnan(plan->sensitivity[i]) && !plan->vertex)
            return dpn_fail(why, DPN_EDOMAIN, "the plan does not tell the sensitivity of coordinate %zu", i);
    *out = (dpn_sensitivity){.dimension = plan->dimension,
                             .bound = plan->vertex ? NULL : plan->sensitivity,
                             .vertex = plan->vertex,
                             .vertices = plan->vertices,
                             .max_changed = plan->max_changed,
                             .l1 = plan->l1,
                             .l2 = plan->l2,
                             .relation = plan->relation,
                             .unit = plan->unit};
    return DPN_OK;
}

/* The ball of a plan that is one law on a set whose moves are bounded by an l2 norm, NULL if it has none; its law is to be
 * freed. */
static dpn_ball *ball_of(dpn_ball *room, dpn_law **law, const dpn_moves *moves, const dpn_plan *plan,
                         const dpn_sensitivity *set, uint64_t times) {
    size_t laws;
    *law = NULL;
    for (size_t b = 0; b < plan->blocks; b++)
        if (!dpn_block_law(&plan->block[b]) && !dpn_block_is_silent(&plan->block[b])) return NULL;
    *law = dpn_plan_laws(plan, &laws);
    if (!*law || !dpn_ball_make(room, moves->argument, *law, laws, set, times ? times : 1)) return NULL;
    return room;
}

/* Whether an answer of the lists of atoms is to be had with plain losses instead. */
static bool try_plain(dpn_moves *moves, dpn_status status) {
    return dpn_plan_moves_listed(moves) && (status == DPN_EACCURACY || status == DPN_EUNSUPPORTED);
}

/* What a block alone loses at least: more blocks and more releases lose no less. */
static void raise_lower(dpn_delta *out, const dpn_plan *plan, const dpn_sensitivity *set, double epsilon) {
    dpn_plan_view view = dpn_plan_on(plan, set);
    for (size_t b = 0; b < plan->blocks; b++) {
        const struct dpn_noise_kind *kind = dpn_noise_kind_of(&plan->block[b]);
        double lower = kind->delta_lower ? fmin(kind->delta_lower(&view, &plan->block[b], epsilon), out->upper) : 0;
        if (!(lower > out->lower)) continue;
        out->lower = lower;
        out->log_lower = nextafter(log(lower), -INFINITY);
    }
}

dpn_status dpn_plan_delta(dpn_delta *out, dpn_argument *argument, dpn_workspace *workspace, const dpn_plan *plan,
                          const dpn_sensitivity *set, uint64_t times, double epsilon,
                          const dpn_accounting_options *options, dpn_error *why) {
    if (isnan(epsilon)) return dpn_fail(why, DPN_EDOMAIN, "epsilon must be a number");
    dpn_moves moves;
    dpn_status status = dpn_plan_moves(&moves, plan, set, times, false, why);
    dpn_workspace *own = NULL; /* lists of atoms compose by FFT */
    if (!status && dpn_plan_moves_listed(&moves) && !workspace && dpn_workspace_new(&own)) own = NULL;
    if (!status) status = dpn_moves_delta(out, &moves, own ? own : workspace, epsilon, options, why);
    dpn_workspace_free(own);
    if (try_plain(&moves, status)) {
        dpn_moves_free(&moves);
        status = dpn_plan_moves(&moves, plan, set, times, true, why);
        if (!status) status = dpn_moves_delta(out, &moves, workspace, epsilon, options, why);
    }
    dpn_law *law = NULL;
    dpn_ball room, *ball = status ? NULL : ball_of(&room, &law, &moves, plan, set, times);
    if (ball) dpn_ball_improve_delta(out, &moves.argument, ball, workspace, epsilon, options);
    free(law);
    if (!status && moves.upper_only) raise_lower(out, plan, set, epsilon);
    return dpn_moves_done(&moves, argument, status);
}

dpn_status dpn_plan_epsilon(dpn_epsilon *out, dpn_argument *argument, dpn_workspace *workspace, const dpn_plan *plan,
                            const dpn_sensitivity *set, uint64_t times, double delta,
                            const dpn_accounting_options *options, dpn_error *why) {
    dpn_moves moves;
    dpn_status status = dpn_plan_moves(&moves, plan, set, times, false, why);
    dpn_workspace *own = NULL;
    if (!status && dpn_plan_moves_listed(&moves) && !workspace && dpn_workspace_new(&own)) own = NULL;
    if (!status) status = dpn_moves_epsilon(out, &moves, own ? own : workspace, delta, options, why);
    dpn_workspace_free(own);
    if (try_plain(&moves, status)) {
        dpn_moves_free(&moves);
        status = dpn_plan_moves(&moves, plan, set, times, true, why);
        if (!status) status = dpn_moves_epsilon(out, &moves, workspace, delta, options, why);
    }
    dpn_law *law = NULL;
    dpn_ball room, *ball = status ? NULL : ball_of(&room, &law, &moves, plan, set, times);
    if (ball) dpn_ball_improve_epsilon(out, &moves.argument, ball, workspace, delta, options);
    free(law);
    return dpn_moves_done(&moves, argument, status);
}

/* ---- Renyi ---- */

/* On a box the parts of the corner; on another set the laws, and no parts. Free both. */
static dpn_status renyi_parts(dpn_moves *moves, dpn_law **law, size_t *laws, const dpn_plan *plan,
                              const dpn_sensitivity *set, uint64_t times, bool plain, dpn_error *why) {
    *moves = (dpn_moves){0};
    *law = NULL;
    dpn_status status = dpn_plan_check(plan, set, times, why);
    if (status) return status;
    bool lawless = true; /* joint noise alone: its epsilons say all, whatever the set */
    for (size_t b = 0; b < plan->blocks; b++) lawless = lawless && !dpn_block_law(&plan->block[b]);
    if (dpn_plan_box(set) || lawless) return dpn_plan_moves(moves, plan, set, times, plain, why);
    *law = dpn_plan_laws(plan, laws);
    return *law ? DPN_OK : dpn_fail(why, DPN_ENOMEM, "no memory for the laws of the plan");
}

dpn_status dpn_plan_renyi(dpn_divergence *out, dpn_argument *argument, const dpn_plan *plan, const dpn_sensitivity *set,
                          uint64_t times, const double *order, size_t orders, dpn_error *why) {
    dpn_moves moves;
    dpn_law *law;
    size_t laws;
    dpn_argument rests_on = DPN_ARGUMENT_CORNER;
    dpn_status status = renyi_parts(&moves, &law, &laws, plan, set, times, false, why);
    if (!status && law) { /* the worst move of one release is that of all */
        status = dpn_renyi_sensitivity(out, &rests_on, law, laws, set, order, orders, why);
        double n = times ? (double)times : 1, slack = n == 1 ? 0 : 2 * DBL_EPSILON;
        for (size_t i = 0; i < orders && !status; i++)
            out[i] = (dpn_divergence){out[i].lower * n * (1 - slack), out[i].upper * n * (1 + slack)};
    } else if (!status) {
        rests_on = moves.argument;
        status = dpn_renyi_compose(out, moves.part, moves.parts, order, orders, why);
        for (size_t i = 0; i < orders && !status && moves.upper_only; i++) out[i].lower = 0;
    }
    if (!status && argument) *argument = rests_on;
    free(law);
    dpn_moves_free(&moves);
    return status;
}

dpn_status dpn_plan_zcdp(dpn_zcdp *out, const dpn_plan *plan, const dpn_sensitivity *set, uint64_t times,
                         dpn_error *why) {
    dpn_moves moves;
    dpn_law *law;
    size_t laws;
    dpn_status status = renyi_parts(&moves, &law, &laws, plan, set, times, true, why); /* zCDP of lists is not known */
    if (!status && law) {
        double n = times > 1 ? (double)times * (1 + 2 * DBL_EPSILON) : 1;
        status = dpn_zcdp_sensitivity(out, NULL, law, laws, set, why);
        if (!status) *out = (dpn_zcdp){out->xi * n, out->rho * n};
    } else if (!status) {
        status = dpn_zcdp_compose(out, moves.part, moves.parts, why);
    }
    free(law);
    dpn_moves_free(&moves);
    return status;
}
