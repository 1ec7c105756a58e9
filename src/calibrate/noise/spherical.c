/* Joint noise of a density proportional to exp(-alpha |v| - beta |v|^2/2) in the norm of an l2 ball: between K-norm and Gaussian noise.
 * docs/proofs/privacy/spherical.md */
#include "calibrate/noise/kind.h"

#include "base/error.h"
#include "calibrate/set-norm.h"
#include "calibrate/spherical-noise.h"

#include <math.h>

static dpn_status parse(dpn_block *out, const char *rest, dpn_error *why) {
    out->ball = DPN_BALL_L2;
    return dpn_noise_parse_alpha_beta(out, rest, why);
}

static double error(const dpn_plan *plan, const dpn_block *block, size_t place, dpn_objective objective) {
    (void)plan;
    if (!block->side) return NAN;
    double side = block->side[place],
           unit = dpn_spherical_error((double)block->count, block->epsilon, block->beta, objective);
    return unit * (objective == DPN_OBJECTIVE_MSE ? side * side : side);
}

static dpn_noise_cover cover(const dpn_plan *plan, const dpn_block *block) {
    (void)plan;
    (void)block;
    return DPN_COVERS_BALL;
}

/* Refused unless the ball holds all moves of the set. */
static dpn_status check(const dpn_plan_view *view, const dpn_block *block, dpn_error *why) {
    double norm = INFINITY;
    if (block->side) norm = dpn_set_norm_upper(view->set, DPN_BALL_L2, block->coordinate, block->count, block->side);
    if (norm < 0) return dpn_fail(why, DPN_ENOMEM, "no memory for the moves of the sensitivity set");
    if (norm <= 1 && view->ball) return DPN_OK;
    return dpn_fail(why, DPN_EUNSUPPORTED,
                    "spherical noise is certified for moves that are sure to lie in its ball, with no other noise");
}

static dpn_status add_losses(dpn_moves *moves, const dpn_block *block, const dpn_sensitivity *set, uint64_t times,
                             bool merged, dpn_error *why) {
    (void)set;
    (void)merged;
    dpn_loss loss;
    dpn_status status = dpn_loss_spherical(&loss, block->epsilon, block->beta, block->count, why);
    return status ? status : dpn_moves_add(moves, &loss, times, why);
}

/* The loss is exact for a move to the surface of the ball, which one coordinate alone can make in a set without vertices. */
static double delta_lower(const dpn_plan_view *view, const dpn_block *block, double epsilon) {
    bool reached = false;
    for (size_t i = 0; i < block->count && block->side; i++)
        reached = reached || dpn_set_reach(view->set, block->coordinate[i]) >= block->side[i];
    dpn_loss loss;
    dpn_delta delta;
    if (!reached || view->set->vertices || dpn_loss_spherical(&loss, block->epsilon, block->beta, block->count, NULL))
        return 0;
    dpn_part part = {loss, 1};
    return dpn_compose_delta(&delta, NULL, &part, 1, epsilon, NULL, NULL) ? 0 : delta.lower;
}

const struct dpn_noise_kind dpn_noise_spherical = {
    .name = "spherical",
    .opening = "spherical(alpha=",
    .parse = parse,
    .print = dpn_noise_print_alpha_beta,
    .error = error,
    .cover = cover,
    .check = check,
    .add_losses = add_losses,
    .sub_gaussian = true, /* docs/proofs/privacy/spherical.md, 4 */
    .exact = dpn_noise_is_never_exact,
    .delta_lower = delta_lower,
};
