/* The moves of a sensitivity set that decide what a plan guarantees: on a box the corner, block by block; on other sets
 * those of its laws. */
#include "calibrate/plan.h"

#include "base/error.h"
#include "calibrate/noise/kind.h"
#include "law/facts.h"
#include "privacy/loss/largest.h"
#include "privacy/sensitivity/steps.h"

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

static bool all_gaussian(const dpn_moves *moves) {
    for (size_t i = 0; i < moves->parts; i++) {
        const dpn_law *law = &moves->part[i].loss.law;
        if (!law->family || !(dpn_law_gaussian(law) > 0)) return false;
    }
    return true;
}

/* ---- what is refused ---- */

dpn_status dpn_plan_check(const dpn_plan *plan, const dpn_sensitivity *set, uint64_t times, dpn_error *why) {
    if (!set || set->dimension != plan->dimension || plan->dimension == 0)
        return dpn_fail(why, DPN_EDOMAIN, "the sensitivity set must have the plan's %zu coordinates", plan->dimension);
    if (times > (UINT64_C(1) << 62) / plan->dimension)
        return dpn_fail(why, DPN_EDOMAIN, "times is too large for %zu coordinates", plan->dimension);
    dpn_law any; /* the checks of a set, whatever the laws */
    dpn_status status = dpn_law_make(&any, "gaussian", (const double[]){1}, 1, why);
    if (!status) status = dpn_sensitivity_check(&any, 1, set, why);
    dpn_plan_view view = dpn_plan_on(plan, set);
    for (size_t b = 0; b < plan->blocks && !status; b++)
        status = dpn_noise_kind_of(&plan->block[b])->check(&view, &plan->block[b], why);
    return status;
}

/* ---- the corner of a box ---- */

static dpn_status corner(dpn_moves *moves, const dpn_block *block, size_t blocks, const dpn_sensitivity *set,
                         uint64_t times, bool merged, dpn_error *why) {
    moves->argument = DPN_ARGUMENT_CORNER;
    dpn_status status = dpn_moves_begin(moves, DPN_MOVE_WORST, why);
    for (size_t b = 0; b < blocks && !status; b++) {
        const struct dpn_noise_kind *kind = dpn_noise_kind_of(&block[b]);
        if (kind->add_losses) status = kind->add_losses(moves, &block[b], set, times, merged, why);
    }
    return status;
}

/* ---- other sets ---- */

dpn_law *dpn_plan_laws(const dpn_plan *plan, size_t *laws) {
    const dpn_block *first = NULL;
    bool several = false;
    for (size_t b = 0; b < plan->blocks; b++) {
        const dpn_block *block = &plan->block[b];
        if (!dpn_block_law(block)) continue;
        if (first && memcmp(&first->law, &block->law, sizeof first->law) != 0) several = true;
        if (!first) first = block;
    }
    *laws = several ? plan->dimension : 1;
    dpn_law *law = calloc(*laws, sizeof *law);
    if (!law) return NULL;
    for (size_t i = 0; first && i < *laws; i++) law[i] = first->law;
    if (!first && dpn_law_make(law, "gaussian", (const double[]){1}, 1, NULL)) *law = (dpn_law){0}; /* never fails */
    for (size_t b = 0; several && b < plan->blocks; b++)
        for (size_t i = 0; dpn_block_law(&plan->block[b]) && i < plan->block[b].count; i++)
            law[plan->block[b].coordinate[i]] = plan->block[b].law;
    return law;
}

static dpn_status listed(dpn_moves *moves, const dpn_plan *plan, const dpn_sensitivity *set, uint64_t times,
                         dpn_error *why) {
    size_t laws;
    dpn_law *law = dpn_plan_laws(plan, &laws);
    if (!law) return dpn_fail(why, DPN_ENOMEM, "no memory for the laws of the plan");
    dpn_status status = dpn_moves_make(moves, law, laws, set, why);
    if (!status) status = dpn_moves_by_steps(moves, law, laws, set, why);
    for (size_t i = 0; i < moves->parts; i++) moves->part[i].times *= times;
    free(law);
    return status;
}

/* Whether the corner of a box has the losses that are composed for it. */
static bool exact_at_corner(const dpn_plan_view *view) {
    for (size_t b = 0; b < view->plan->blocks; b++) {
        const dpn_block *block = &view->plan->block[b];
        const struct dpn_noise_kind *kind = dpn_noise_kind_of(block);
        if (kind->exact && !kind->exact(view, block)) return false;
    }
    return true;
}

bool dpn_plan_moves_listed(const dpn_moves *moves) {
    return moves->keeps > 0;
}

dpn_status dpn_plan_moves(dpn_moves *moves, const dpn_plan *plan, const dpn_sensitivity *set, uint64_t times,
                          bool plain, dpn_error *why) {
    *moves = (dpn_moves){.plain = plain};
    if (times == 0) times = 1;
    dpn_status status = dpn_plan_check(plan, set, times, why);
    if (status) return status;
    dpn_plan_view view = dpn_plan_on(plan, set);
    if (view.ball || (view.boxes && !dpn_plan_box(set))) {
        status = corner(moves, plan->block, plan->blocks, set, times, false, why);
        moves->argument = DPN_ARGUMENT_BOUND;
        moves->upper_only = true;
        return status;
    }
    if (!dpn_plan_box(set)) return listed(moves, plan, set, times, why);
    status = corner(moves, plan->block, plan->blocks, set, times, false, why);
    if (!status && moves->parts > MOST_PARTS && !all_gaussian(moves)) {
        dpn_moves_free(moves);
        moves->plain = plain;
        status = corner(moves, plan->block, plan->blocks, set, times, true, why);
    }
    if (exact_at_corner(&view)) return status;
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

static int descending(const void *left, const void *right) {
    double a = *(const double *)left, b = *(const double *)right;
    return (a < b) - (a > b);
}

/* How far the coordinates of a block move at most if no more than `most` of them do: the farthest ones, in any order, for the noise of a law is the
 * same on all of them. NULL without memory. */
static double *farthest(const dpn_plan *plan, const dpn_block *block, size_t most) {
    double *move = calloc(plan->dimension, sizeof *move), *sorted = calloc(block->count, sizeof *sorted);
    for (size_t i = 0; i < block->count && move && sorted; i++) sorted[i] = plan->sensitivity[block->coordinate[i]];
    if (move && sorted) qsort(sorted, block->count, sizeof *sorted, descending);
    for (size_t i = 0; i < most && move && sorted; i++) move[block->coordinate[i]] = sorted[i];
    bool failed = !sorted;
    free(sorted);
    if (failed) free(move);
    return failed ? NULL : move;
}

double dpn_block_largest_loss(const dpn_plan *plan, const dpn_block *block) {
    const dpn_law *law = dpn_block_law(block);
    for (size_t i = 0; i < block->count && law; i++)
        if (!isfinite(plan->sensitivity[block->coordinate[i]])) return NAN;
    const struct dpn_noise_kind *kind = dpn_noise_kind_of(block);
    if (law ? isfinite(dpn_law_support(law)) : kind->bounded && kind->bounded(block)) return INFINITY;
    dpn_moves moves = {0};
    bool few = law && plan->max_changed > 0 && plan->max_changed < block->count;
    double *move = few ? farthest(plan, block, plan->max_changed) : NULL, largest = NAN;
    dpn_sensitivity set = {.dimension = plan->dimension, .bound = few ? move : plan->sensitivity};
    if (set.bound && !corner(&moves, block, 1, &set, 1, false, NULL)) largest = moves.parts ? round_up(&moves) : 0;
    dpn_moves_free(&moves);
    free(move);
    return largest;
}
