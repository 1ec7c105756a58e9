/* Joint noise of a density proportional to exp(-epsilon |v|) in the norm of a ball. */
#include "calibrate/noise/kind.h"

#include "base/error.h"
#include "calibrate/ball.h"
#include "calibrate/set-norm.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

/* ---- text ---- */

static void print(char text[DPN_BLOCK_TEXT_SIZE], const dpn_block *block, int digits) {
    int used = snprintf(text, DPN_BLOCK_TEXT_SIZE, "k-norm(ball=%s,epsilon=", dpn_ball_kind_name(block->ball));
    dpn_noise_print_epsilon(text + used, DPN_BLOCK_TEXT_SIZE - (size_t)used, block->epsilon, digits);
}

static dpn_status parse(dpn_block *out, const char *rest, dpn_error *why) {
    static const char between[] = ",epsilon=";
    for (dpn_ball_kind ball = DPN_BALL_BOX; dpn_ball_kind_name(ball); ball++) {
        size_t length = strlen(dpn_ball_kind_name(ball));
        if (strncmp(rest, dpn_ball_kind_name(ball), length) != 0) continue;
        if (strncmp(rest + length, between, sizeof between - 1) != 0) continue;
        out->ball = ball;
        return dpn_noise_parse_epsilon(&out->epsilon, rest + length + sizeof between - 1, why);
    }
    return dpn_fail(why, DPN_EPARSE, "k-norm(ball=B,epsilon=E) is expected, B one of box, l1, l2, linf, hull");
}

/* ---- error ---- */

/* At epsilon 1. */
static double unit_error(const dpn_plan *plan, const dpn_block *block, size_t place, dpn_objective objective) {
    if (block->ball == DPN_BALL_HULL)
        return block->hull_error ? block->hull_error[DPN_OBJECTIVES * place + objective] : NAN;
    double side = block->ball == DPN_BALL_BOX ? plan->sensitivity[block->coordinate[place]]
                  : block->side               ? block->side[place]
                                              : NAN;
    double unit = dpn_ball_unit_error(block->ball, (double)block->count, objective);
    return unit * (objective == DPN_OBJECTIVE_MSE ? side * side : side);
}

static double error(const dpn_plan *plan, const dpn_block *block, size_t place, dpn_objective objective) {
    double scale = 1 / block->epsilon;
    return unit_error(plan, block, place, objective) * (objective == DPN_OBJECTIVE_MSE ? scale * scale : scale);
}

/* ---- moves ---- */

/* A ball that the plan tells more of than the sensitivities. The epsilon of a box holds for every move within it. */
static dpn_noise_cover cover(const dpn_plan *plan, const dpn_block *block) {
    if (block->ball == DPN_BALL_BOX) return DPN_COVERS_BOX;
    bool own = block->ball == DPN_BALL_L2 || block->side || (block->ball == DPN_BALL_HULL && plan->vertex);
    return own ? DPN_COVERS_BALL : DPN_COVERS_CORNER;
}

static bool same_row(const double *a, const double *b, size_t count, double sign) {
    for (size_t i = 0; i < count; i++)
        if (a[i] != sign * b[i]) return false;
    return true;
}

/* Whether the vertices of the set are among those of the plan, or their negatives: then its moves lie in their hull. */
static bool hull_holds(const dpn_plan *plan, const dpn_sensitivity *set) {
    size_t m = plan->dimension;
    if (set->vertices == 0) return false;
    for (size_t v = 0; v < set->vertices; v++) {
        const double *row = set->vertex + v * m;
        bool found = v < plan->vertices && same_row(row, plan->vertex + v * m, m, 1);
        for (size_t w = 0; w < plan->vertices && !found; w++)
            found = same_row(row, plan->vertex + w * m, m, 1) || same_row(row, plan->vertex + w * m, m, -1);
        if (!found) return false;
    }
    return true;
}

/* Refused unless it holds all moves of the set, which is all that the accountant has to know. */
static dpn_status check_ball(const dpn_plan_view *view, const dpn_block *block, dpn_error *why) {
    bool holds = false;
    if (block->ball == DPN_BALL_HULL) {
        holds = hull_holds(view->plan, view->set);
    } else if (block->side) {
        double norm = dpn_set_norm_upper(view->set, block->ball, block->coordinate, block->count, block->side);
        if (norm < 0) return dpn_fail(why, DPN_ENOMEM, "no memory for the moves of the sensitivity set");
        holds = norm <= 1;
    }
    if (holds && view->ball) return DPN_OK;
    return dpn_fail(
        why, DPN_EUNSUPPORTED,
        "K-norm noise of the ball %s is certified for moves that are sure to lie in it, with no other noise",
        dpn_ball_kind_name(block->ball));
}

static dpn_status check(const dpn_plan_view *view, const dpn_block *block, dpn_error *why) {
    return cover(view->plan, block) == DPN_COVERS_BALL ? check_ball(view, block, why)
                                                       : dpn_noise_check_epsilon(view, block, why);
}

/* ---- losses ---- */

static dpn_status add_losses(dpn_moves *moves, const dpn_block *block, const dpn_sensitivity *set, uint64_t times,
                             bool merged, dpn_error *why) {
    (void)set;
    (void)merged;
    dpn_loss loss;
    bool l2 = block->ball == DPN_BALL_L2; /* the others are known by their epsilon alone */
    dpn_status status =
        l2 ? dpn_loss_l2(&loss, block->epsilon, block->count, why) : dpn_loss_block(&loss, block->epsilon, why);
    return status ? status : dpn_moves_add(moves, &loss, times, why);
}

/* The epsilon of another ball than the box, or of a box that the moves do not fill, is a bound. */
static bool exact(const dpn_plan_view *view, const dpn_block *block) {
    if (block->ball != DPN_BALL_BOX) return false;
    for (size_t i = 0; i < block->count; i++)
        if (dpn_set_reach(view->set, block->coordinate[i]) != view->plan->sensitivity[block->coordinate[i]])
            return false;
    return true;
}

const struct dpn_noise_kind dpn_noise_k_norm = {
    .name = "k-norm",
    .opening = "k-norm(ball=",
    .parse = parse,
    .print = print,
    .error = error,
    .cover = cover,
    .check = check,
    .add_losses = add_losses,
    .exact = exact,
};
