/* Plans of start boxes. */
#include "calibrate/start-box.h"

#include "base/error.h"
#include "calibrate/mechanism.h"
#include "calibrate/plan.h"
#include "calibrate/start-law.h"
#include "calibrate/start-offsets.h"

#include <float.h>
#include <math.h>
#include <stdlib.h>

static dpn_status check(const dpn_problem *p, dpn_error *why) {
    if (p->options.condition != DPN_CONDITION_EXACT)
        return dpn_fail(why, DPN_EUNSUPPORTED, "a start box has the exact condition only");
    if (p->options.shape_min != 0 || p->options.shape_max != 0)
        return dpn_fail(why, DPN_EDOMAIN, "a start box has no shape that could be kept in a range");
    if (p->options.identical && p->groups > 1 && p->group[0].bound != p->group[p->groups - 1].bound)
        return dpn_fail(why, DPN_EUNSUPPORTED, "noise of a start box with different sides is not identical");
    if (p->options.alone)
        return dpn_fail(why, DPN_EUNSUPPORTED,
                        "a start box is joint noise on all coordinates; blocks can leave some alone");
    if (p->options.has_ball) return dpn_fail(why, DPN_EDOMAIN, "a start box has no ball of its own");
    return DPN_OK;
}

/* ---- the blocks ---- */

static dpn_status add_block(dpn_plan *plan, bool moving, dpn_block_kind kind, size_t count, dpn_error *why) {
    dpn_block *block = &plan->block[plan->blocks++];
    block->kind = kind;
    block->coordinate = malloc(count * sizeof *block->coordinate);
    if (moving) block->start = malloc(count * sizeof *block->start);
    if (!block->coordinate || (moving && !block->start)) return dpn_fail(why, DPN_ENOMEM, "no memory for the plan");
    for (size_t i = 0; i < plan->dimension; i++)
        if ((plan->sensitivity[i] > 0) == moving) block->coordinate[block->count++] = i;
    return DPN_OK;
}

/* The coordinates that move, and those that do not, the first coordinate first. */
static dpn_status make_blocks(dpn_plan *plan, bool stairs, dpn_error *why) {
    size_t moving = 0;
    for (size_t i = 0; i < plan->dimension; i++) moving += plan->sensitivity[i] > 0;
    plan->block = calloc(2, sizeof *plan->block);
    if (!plan->block) return dpn_fail(why, DPN_ENOMEM, "no memory for the plan");
    bool first = plan->sensitivity[0] > 0;
    dpn_status status = DPN_OK;
    for (int i = 0; i < 2 && !status; i++) {
        bool moves = (i == 0) == first;
        size_t count = moves ? moving : plan->dimension - moving;
        dpn_block_kind kind = !moves ? DPN_BLOCK_NONE : stairs ? DPN_BLOCK_START_STAIRCASE : DPN_BLOCK_START_BOX;
        if (count > 0) status = add_block(plan, moves, kind, count, why);
    }
    return status;
}

static dpn_block *start_block(dpn_plan *plan) {
    for (size_t b = 0; b < plan->blocks; b++)
        if (plan->block[b].start) return &plan->block[b];
    return NULL;
}

/* ---- the epsilon ---- */

/* The delta of the plan on the whole box, whatever the offsets are. */
static dpn_status delta_of(dpn_plan *plan, const dpn_problem *p, dpn_error *why) {
    const dpn_sensitivity box = {.dimension = plan->dimension, .bound = plan->sensitivity};
    return dpn_plan_delta(&plan->delta, &plan->argument, p->options.workspace, plan, &box, p->times, p->epsilon, NULL,
                          why);
}

/* The largest epsilon of the block that is certified, to a relative 1e-12: epsilon/times is, and, with a delta, somewhat more. */
static dpn_status find_epsilon(dpn_plan *plan, dpn_block *block, const dpn_problem *p, dpn_error *why) {
    double low = p->epsilon / (double)p->times, high = low;
    while (low * (double)p->times > p->epsilon) low = nextafter(low, 0);
    if (p->delta > 0) high = p->epsilon + 2 * log((1 + p->delta) / (1 - p->delta)) + 1e-9;
    for (int i = 0; i < 60 && high - low > 1e-12 * high; i++) {
        block->epsilon = 0.5 * (low + high);
        dpn_status status = delta_of(plan, p, why);
        if (status && status != DPN_EACCURACY) return status;
        *(!status && plan->delta.upper <= p->delta ? &low : &high) = block->epsilon;
    }
    block->epsilon = low;
    for (double less = 2 * DBL_EPSILON; less < 1e-4; less *= 8) {
        if (!(block->epsilon > 0)) return dpn_fail(why, DPN_EUNSUPPORTED, "a start box needs an epsilon above 0");
        dpn_status status = delta_of(plan, p, why);
        if (status || plan->delta.upper <= p->delta) return status;
        block->epsilon *= 1 - less;
    }
    return dpn_fail(why, DPN_EACCURACY, "the start box cannot be certified: delta is at most %g", plan->delta.upper);
}

/* ---- the offsets ---- */

static double weight_of(const dpn_problem *p, size_t coordinate) {
    return p->options.weight ? p->options.weight[coordinate] : 1;
}

/* The half-width has no gradient of its own: it takes the offsets of the mean absolute value. */
static dpn_status find_offsets(dpn_block *block, const dpn_problem *p, bool stairs, dpn_error *why) {
    bool square = p->options.objective == DPN_OBJECTIVE_MSE;
    double *key = malloc(block->count * sizeof *key);
    if (!key) return dpn_fail(why, DPN_ENOMEM, "no memory for the offsets");
    for (size_t i = 0; i < block->count; i++) {
        size_t c = block->coordinate[i];
        key[i] = weight_of(p, c) * p->sensitivity[c] * (square ? p->sensitivity[c] : 1);
    }
    dpn_status status = dpn_start_offsets(block->start, stairs, block->epsilon, key, block->count, square ? 2 : 1, why);
    free(key);
    return status ? status : dpn_start_block_measure(block, why);
}

static void measure(dpn_plan *plan, const dpn_block *block, const dpn_problem *p) {
    dpn_plan_measure(plan);
    for (size_t i = 0; block && i < block->count; i++) {
        size_t c = block->coordinate[i];
        plan->error += weight_of(p, c) * dpn_plan_error(plan, block, c, p->options.objective);
    }
    plan->pure = plan->delta.upper == 0;
    plan->pure_epsilon = block ? block->epsilon * (double)p->times * (1 + 4 * DBL_EPSILON) : 0;
    if (plan->pure) plan->pure_epsilon = fmin(plan->pure_epsilon, p->epsilon); /* the accountant has said so */
}

static dpn_status fill(dpn_plan *plan, const dpn_problem *p, bool stairs, dpn_error *why) {
    dpn_status status = make_blocks(plan, stairs, why);
    dpn_block *block = status ? NULL : start_block(plan);
    if (!status && block) status = find_epsilon(plan, block, p, why);
    if (!status && !block) status = delta_of(plan, p, why);
    if (!status && block) status = find_offsets(block, p, stairs, why);
    if (status) return status;
    measure(plan, block, p);
    plan->delta.lower = 0; /* the profile is bounded, not known */
    plan->delta.log_lower = -INFINITY;
    plan->argument = DPN_ARGUMENT_BOUND;
    if (isfinite(plan->error)) return DPN_OK;
    return dpn_fail(why, DPN_EUNSUPPORTED, "the error of the start box is not known");
}

dpn_status dpn_start_plan(dpn_plan *out, const dpn_problem *p, bool stairs, dpn_error *why) {
    dpn_status status = check(p, why);
    if (status) return status;
    dpn_plan plan;
    status = dpn_plan_begin(&plan, p, stairs ? DPN_MECHANISM_START_STAIRCASE : DPN_MECHANISM_START_BOX, why);
    if (!status) status = fill(&plan, p, stairs, why);
    if (status) {
        dpn_plan_free(&plan);
        return status;
    }
    *out = plan;
    return DPN_OK;
}
