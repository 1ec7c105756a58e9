/* The moves of a sensitivity set that decide what a plan guarantees: on a box the corner, block by block; on other sets
 * those of its laws. */
#include "calibrate/plan.h"

#include "base/error.h"
#include "calibrate/set-norm.h"
#include "privacy/loss/largest.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_PARTS = 48 }; /* different losses that a composition takes, unless they are Gaussian */

static double or_unbounded(double x) {
    return x == 0 ? INFINITY : x;
}

bool dpn_plan_box(const dpn_sensitivity *set) {
    return !set->vertices && isinf(or_unbounded(set->l1)) && isinf(or_unbounded(set->l2)) &&
           (set->max_changed == 0 || set->max_changed >= set->dimension);
}

/* Noise on the integers alone: moves are whole. */
static bool all_integer(const dpn_plan *plan) {
    bool some = false;
    for (size_t b = 0; b < plan->blocks; b++) {
        if (plan->block[b].kind == DPN_BLOCK_NONE) continue;
        if (plan->block[b].kind != DPN_BLOCK_LAW || !dpn_law_is_integer(&plan->block[b].law)) return false;
        some = true;
    }
    return some;
}

static bool all_gaussian(const dpn_moves *moves) {
    for (size_t i = 0; i < moves->parts; i++) {
        const dpn_law *law = &moves->part[i].loss.law;
        if (!law->family || strcmp(dpn_law_family(law), "gaussian") != 0) return false;
    }
    return true;
}

/* ---- what is refused ---- */

static bool has_law(const dpn_block *block) {
    return block->kind == DPN_BLOCK_LAW || block->kind == DPN_BLOCK_NONE;
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

/* A ball that the plan tells more of than the sensitivities. */
static bool has_own_ball(const dpn_plan *plan, const dpn_block *block) {
    if (block->kind != DPN_BLOCK_K_NORM || block->ball == DPN_BALL_BOX) return false;
    return block->ball == DPN_BALL_L2 || block->side || (block->ball == DPN_BALL_HULL && plan->vertex);
}

/* The block with such a ball, if it is the only one with noise. */
static const dpn_block *joint_block(const dpn_plan *plan) {
    const dpn_block *only = NULL;
    for (size_t b = 0; b < plan->blocks; b++) {
        const dpn_block *block = &plan->block[b];
        if (block->kind == DPN_BLOCK_NONE) continue;
        if (only || !has_own_ball(plan, block)) return NULL;
        only = block;
    }
    return only;
}

/* Refused unless it holds all moves of the set, which is all that the accountant has to know. */
static dpn_status check_ball(const dpn_plan *plan, const dpn_block *block, const dpn_sensitivity *set, dpn_error *why) {
    bool holds = false;
    if (block->ball == DPN_BALL_HULL) {
        holds = hull_holds(plan, set);
    } else if (block->side) {
        double norm = dpn_set_norm_upper(set, block->ball, block->coordinate, block->count, block->side);
        if (norm < 0) return dpn_fail(why, DPN_ENOMEM, "no memory for the moves of the sensitivity set");
        holds = norm <= 1;
    }
    if (holds && joint_block(plan)) return DPN_OK;
    return dpn_fail(
        why, DPN_EUNSUPPORTED,
        "K-norm noise of the ball %s is certified for moves that are sure to lie in it, with no other noise",
        dpn_ball_kind_name(block->ball));
}

/* Whether all noise is K-norm noise of boxes, whose epsilons hold for every move within the boxes, on any set. */
static bool all_boxes(const dpn_plan *plan) {
    for (size_t b = 0; b < plan->blocks; b++) {
        const dpn_block *block = &plan->block[b];
        bool box = block->kind == DPN_BLOCK_K_NORM && block->ball == DPN_BALL_BOX;
        if (!box && block->kind != DPN_BLOCK_NONE) return false;
    }
    return true;
}

/* The epsilon of a block without a law holds for the moves of the plan's own set: other sets must not be larger. */
static dpn_status check_epsilon(const dpn_plan *plan, const dpn_block *block, const dpn_sensitivity *set,
                                dpn_error *why) {
    if (has_own_ball(plan, block)) return check_ball(plan, block, set, why);
    dpn_sensitivity own = {.dimension = plan->dimension,
                           .max_changed = plan->max_changed,
                           .l1 = plan->l1,
                           .l2 = plan->l2,
                           .vertices = plan->vertices};
    if (!all_boxes(plan) && (!dpn_plan_box(set) || !dpn_plan_box(&own)))
        return dpn_fail(why, DPN_EUNSUPPORTED, "blocks without a law are certified on boxes only");
    for (size_t i = 0; i < block->count; i++) {
        size_t c = block->coordinate[i];
        if (dpn_set_reach(set, c) > plan->sensitivity[c]) /* false where that is not known */
            return dpn_fail(why, DPN_EDOMAIN,
                            "coordinate %zu moves further than the plan says, whose epsilon would not hold", c);
    }
    return DPN_OK;
}

dpn_status dpn_plan_check(const dpn_plan *plan, const dpn_sensitivity *set, uint64_t times, dpn_error *why) {
    if (!set || set->dimension != plan->dimension || plan->dimension == 0)
        return dpn_fail(why, DPN_EDOMAIN, "the sensitivity set must have the plan's %zu coordinates", plan->dimension);
    if (times > (UINT64_C(1) << 62) / plan->dimension)
        return dpn_fail(why, DPN_EDOMAIN, "times is too large for %zu coordinates", plan->dimension);
    dpn_law any; /* the checks of a set, whatever the laws */
    dpn_status status = dpn_law_make(&any, "gaussian", (const double[]){1}, 1, why);
    if (!status) status = dpn_sensitivity_check(&any, 1, set, why);
    bool whole = all_integer(plan);
    for (size_t b = 0; b < plan->blocks && !status; b++) {
        const dpn_block *block = &plan->block[b];
        if (!has_law(block)) status = check_epsilon(plan, block, set, why);
        if (status) return status;
        for (size_t i = 0; i < block->count; i++) {
            double reach = dpn_set_reach(set, block->coordinate[i]);
            if (block->kind == DPN_BLOCK_NONE && (whole ? floor(reach) : reach) > 0)
                return dpn_fail(why, DPN_EDOMAIN, "coordinate %zu can move and has no noise", block->coordinate[i]);
            if (block->kind == DPN_BLOCK_LAW && isinf(reach))
                return dpn_fail(why, DPN_EDOMAIN,
                                "the sensitivity is unbounded: give sensitivities, l1, l2, linf or vertices");
        }
    }
    return status;
}

/* ---- the corner of a box ---- */

static int larger_first(const void *x, const void *y) {
    double a = *(const double *)x, b = *(const double *)y;
    return (a < b) - (a > b);
}

/* The coordinates of a block with a law: those of equal bounds are one part; all at the largest bound if merged. */
static dpn_status add_law(dpn_moves *moves, const dpn_block *block, const dpn_sensitivity *set, uint64_t times,
                          bool merged, dpn_error *why) {
    double *bound = malloc(block->count * sizeof *bound);
    if (!bound) return dpn_fail(why, DPN_ENOMEM, "no memory for %zu coordinates", block->count);
    for (size_t i = 0; i < block->count; i++) {
        bound[i] = dpn_set_reach(set, block->coordinate[i]);
        if (dpn_law_is_integer(&block->law)) bound[i] = floor(bound[i]);
    }
    qsort(bound, block->count, sizeof *bound, larger_first);
    dpn_status status = DPN_OK;
    for (size_t i = 0, end = 0; i < block->count && bound[i] > 0 && !status; i = end) {
        end = i + 1;
        while (end < block->count && (merged ? bound[end] > 0 : bound[end] == bound[i])) end++;
        if (bound[i] != bound[end - 1]) moves->upper_only = true;
        dpn_loss loss;
        status = dpn_loss_law(&loss, &block->law, bound[i], why);
        if (!status) status = dpn_moves_add(moves, &loss, times * (end - i), why);
    }
    free(bound);
    return status;
}

static dpn_status add_block(dpn_moves *moves, const dpn_block *block, const dpn_sensitivity *set, uint64_t times,
                            bool merged, dpn_error *why) {
    dpn_loss loss;
    dpn_status status = DPN_OK;
    switch (block->kind) {
    case DPN_BLOCK_LAW:
        return add_law(moves, block, set, times, merged, why);
    case DPN_BLOCK_K_NORM:
        status = dpn_loss_block(&loss, block->epsilon, why);
        break;
    case DPN_BLOCK_PURE:
        status = dpn_loss_pure(&loss, block->epsilon, why);
        break;
    default:
        return DPN_OK;
    }
    return status ? status : dpn_moves_add(moves, &loss, times, why);
}

static dpn_status corner(dpn_moves *moves, const dpn_block *block, size_t blocks, const dpn_sensitivity *set,
                         uint64_t times, bool merged, dpn_error *why) {
    moves->argument = DPN_ARGUMENT_CORNER;
    dpn_status status = dpn_moves_begin(moves, DPN_MOVE_WORST, why);
    for (size_t b = 0; b < blocks && !status; b++) status = add_block(moves, &block[b], set, times, merged, why);
    return status;
}

/* ---- other sets ---- */

dpn_law *dpn_plan_laws(const dpn_plan *plan, size_t *laws) {
    const dpn_block *first = NULL;
    bool several = false;
    for (size_t b = 0; b < plan->blocks; b++) {
        const dpn_block *block = &plan->block[b];
        if (block->kind != DPN_BLOCK_LAW) continue;
        if (first && memcmp(&first->law, &block->law, sizeof first->law) != 0) several = true;
        if (!first) first = block;
    }
    *laws = several ? plan->dimension : 1;
    dpn_law *law = calloc(*laws, sizeof *law);
    if (!law) return NULL;
    for (size_t i = 0; first && i < *laws; i++) law[i] = first->law;
    if (!first && dpn_law_make(law, "gaussian", (const double[]){1}, 1, NULL)) *law = (dpn_law){0}; /* never fails */
    for (size_t b = 0; several && b < plan->blocks; b++)
        for (size_t i = 0; plan->block[b].kind == DPN_BLOCK_LAW && i < plan->block[b].count; i++)
            law[plan->block[b].coordinate[i]] = plan->block[b].law;
    return law;
}

static dpn_status listed(dpn_moves *moves, const dpn_plan *plan, const dpn_sensitivity *set, uint64_t times,
                         dpn_error *why) {
    size_t laws;
    dpn_law *law = dpn_plan_laws(plan, &laws);
    if (!law) return dpn_fail(why, DPN_ENOMEM, "no memory for the laws of the plan");
    dpn_status status = dpn_moves_make(moves, law, laws, set, why);
    for (size_t i = 0; i < moves->parts; i++) moves->part[i].times *= times;
    free(law);
    return status;
}

/* Whether the corner of a box has the losses that are composed for it: those of laws, and of boxes whose own corner it is.
 * The epsilon of another ball, of a box that the moves do not fill, or of somebody's mechanism is a bound. */
static bool exact_at_corner(const dpn_plan *plan, const dpn_sensitivity *set) {
    for (size_t b = 0; b < plan->blocks; b++) {
        const dpn_block *block = &plan->block[b];
        if (has_law(block)) continue;
        if (block->kind != DPN_BLOCK_K_NORM || block->ball != DPN_BALL_BOX) return false;
        for (size_t i = 0; i < block->count; i++)
            if (dpn_set_reach(set, block->coordinate[i]) != plan->sensitivity[block->coordinate[i]]) return false;
    }
    return true;
}

dpn_status dpn_plan_moves(dpn_moves *moves, const dpn_plan *plan, const dpn_sensitivity *set, uint64_t times,
                          dpn_error *why) {
    *moves = (dpn_moves){0};
    if (times == 0) times = 1;
    dpn_status status = dpn_plan_check(plan, set, times, why);
    if (status) return status;
    const dpn_block *ball = joint_block(plan);
    bool boxes = !dpn_plan_box(set) && all_boxes(plan);
    if (ball || boxes) {
        status = corner(moves, ball ? ball : plan->block, ball ? 1 : plan->blocks, set, times, false, why);
        moves->argument = DPN_ARGUMENT_BOUND;
        moves->upper_only = true;
        return status;
    }
    if (!dpn_plan_box(set)) return listed(moves, plan, set, times, why);
    status = corner(moves, plan->block, plan->blocks, set, times, false, why);
    if (!status && moves->parts > MOST_PARTS && !all_gaussian(moves)) {
        dpn_moves_free(moves);
        status = corner(moves, plan->block, plan->blocks, set, times, true, why);
    }
    if (exact_at_corner(plan, set)) return status;
    moves->argument = DPN_ARGUMENT_BOUND;
    moves->upper_only = true;
    return status;
}

/* The least double, or nearly, from which on no finite loss counts. */
static double round_up(const dpn_moves *moves) {
    double largest = dpn_largest_loss(moves->part, moves->parts, false).hi, slack = 1;
    for (int i = 0; i < 4 && isfinite(largest); i++) {
        if (dpn_largest_reached(moves->part, moves->parts, false, largest, &slack) && slack == 0) break;
        largest = nextafter(largest, INFINITY);
    }
    return largest;
}

double dpn_block_largest_loss(const dpn_plan *plan, const dpn_block *block) {
    for (size_t i = 0; i < block->count; i++)
        if (block->kind == DPN_BLOCK_LAW && !isfinite(plan->sensitivity[block->coordinate[i]])) return NAN;
    if (block->kind == DPN_BLOCK_LAW && isfinite(dpn_law_support(&block->law))) return INFINITY;
    dpn_moves moves = {0};
    dpn_sensitivity set = {.dimension = plan->dimension, .bound = plan->sensitivity};
    double largest = NAN;
    if (!corner(&moves, block, 1, &set, 1, false, NULL)) largest = moves.parts ? round_up(&moves) : 0;
    dpn_moves_free(&moves);
    return largest;
}
