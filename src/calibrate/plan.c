/* Plans: making, asking, freeing. */
#include "calibrate/plan.h"

#include "base/error.h"
#include "calibrate/noise/kind.h"
#include "calibrate/start-law.h"
#include "privacy/loss/random-box.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

const char *dpn_ball_kind_name(dpn_ball_kind ball) {
    static const char *const names[] = {"box", "l1", "l2", "linf", "hull"};
    return (unsigned)ball < sizeof names / sizeof *names ? names[ball] : NULL;
}

const char *dpn_objective_name(dpn_objective objective) {
    static const char *const names[] = {"mse", "mae", "interval95"};
    return (unsigned)objective < sizeof names / sizeof *names ? names[objective] : NULL;
}

/* Where a coordinate is in its block; the block's count if it is in another. */
static size_t place_of(const dpn_block *block, size_t coordinate) {
    size_t low = 0, high = block->count;
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        if (block->coordinate[middle] == coordinate) return middle;
        if (block->coordinate[middle] < coordinate)
            low = middle + 1;
        else
            high = middle;
    }
    return block->count;
}

double dpn_plan_error(const dpn_plan *plan, const dpn_block *block, size_t coordinate, dpn_objective objective) {
    const struct dpn_noise_kind *kind = dpn_noise_kind_of(block);
    size_t place = place_of(block, coordinate);
    return kind->error && place < block->count ? kind->error(plan, block, place, objective) : NAN;
}

void dpn_plan_free(dpn_plan *plan) {
    if (!plan) return;
    for (size_t b = 0; plan->block && b < plan->blocks; b++) {
        free(plan->block[b].coordinate);
        free(plan->block[b].side);
        free(plan->block[b].hull_error);
        free(plan->block[b].start);
        dpn_start_law_free(plan->block[b].start_law);
        free(plan->block[b].start_law);
        free(plan->block[b].box_start);
        free(plan->block[b].box_beta);
        if (plan->block[b].box_sizes) dpn_box_sizes_free(plan->block[b].box_sizes);
        free(plan->block[b].box_sizes);
    }
    free(plan->block);
    free(plan->sensitivity);
    free(plan->variance);
    free(plan->vertex);
    *plan = (dpn_plan){0};
}

const dpn_block *dpn_plan_block(const dpn_plan *plan, size_t coordinate) {
    for (size_t b = 0; b < plan->blocks; b++)
        if (place_of(&plan->block[b], coordinate) < plan->block[b].count) return &plan->block[b];
    return NULL;
}

const dpn_law *dpn_plan_law(const dpn_plan *plan, size_t coordinate) {
    const dpn_block *block = dpn_plan_block(plan, coordinate);
    return block ? dpn_block_law(block) : NULL;
}

/* The block of a coordinate before the blocks are put in order: that of its law, and after those the one without
 * noise. */
static size_t block_of(const dpn_problem *p, size_t i, size_t stride, size_t laws) {
    return p->group_of[i] == p->groups ? laws : stride * p->group_of[i];
}

/* order[b] becomes the place of block b: in the order of their first coordinates. Returns how many are used. */
static size_t order_blocks(size_t *order, size_t *count, const dpn_problem *p, size_t stride, size_t laws) {
    size_t used = 0;
    for (size_t b = 0; b <= laws; b++) {
        order[b] = SIZE_MAX;
        count[b] = 0;
    }
    for (size_t i = 0; i < p->set->dimension; i++) {
        size_t b = block_of(p, i, stride, laws);
        if (count[b]++ == 0) order[b] = used++;
    }
    return used;
}

static dpn_status fill_blocks(dpn_plan *plan, const dpn_problem *p, const dpn_law *law, size_t stride, dpn_error *why) {
    size_t laws = p->groups == 0 ? 0 : stride ? p->groups : 1;
    size_t *order = malloc((laws + 1) * sizeof *order), *count = malloc((laws + 1) * sizeof *count);
    dpn_status status = DPN_OK;
    if (order && count) {
        plan->blocks = order_blocks(order, count, p, stride, laws);
        plan->block = calloc(plan->blocks, sizeof *plan->block);
    }
    if (!order || !count || !plan->block) status = dpn_fail(why, DPN_ENOMEM, "no memory for the plan");
    for (size_t b = 0; b <= laws && !status; b++) {
        if (order[b] == SIZE_MAX) continue;
        dpn_block *block = &plan->block[order[b]];
        block->kind = b == laws ? DPN_BLOCK_NONE : DPN_BLOCK_LAW;
        if (b < laws) block->law = law[b];
        block->coordinate = malloc(count[b] * sizeof *block->coordinate);
        if (!block->coordinate) status = dpn_fail(why, DPN_ENOMEM, "no memory for the plan");
    }
    for (size_t i = 0; i < p->set->dimension && !status; i++) {
        dpn_block *block = &plan->block[order[block_of(p, i, stride, laws)]];
        block->coordinate[block->count++] = i;
    }
    free(order);
    free(count);
    return status;
}

void dpn_plan_measure(dpn_plan *plan) {
    plan->sub_gaussian = true;
    for (size_t b = 0; b < plan->blocks; b++) {
        const dpn_block *block = &plan->block[b];
        const dpn_law *law = dpn_block_law(block);
        bool silent = dpn_block_is_silent(block);
        for (size_t i = 0; i < block->count; i++) {
            size_t c = block->coordinate[i];
            bool same = i > 0 && (law || silent);
            plan->variance[c] =
                same ? plan->variance[block->coordinate[0]] : dpn_plan_error(plan, block, c, DPN_OBJECTIVE_MSE);
            if (!law) plan->mse += plan->variance[c];
        }
        if (law) plan->mse += plan->variance[block->coordinate[0]] * (double)block->count;
        const struct dpn_noise_kind *kind = dpn_noise_kind_of(block);
        bool ends = law ? isfinite(dpn_law_support(law)) : kind->bounded && kind->bounded(block);
        if (ends) plan->bounded = true;
        if (dpn_block_is_integer(block)) plan->integer = true;
        bool thin = law ? isfinite(dpn_law_sub_gaussian_upper(law)) : silent || ends || kind->sub_gaussian;
        if (!thin) plan->sub_gaussian = false;
    }
}

dpn_status dpn_plan_begin(dpn_plan *out, const dpn_problem *p, const char *family, dpn_error *why) {
    size_t size = p->set->dimension * sizeof(double);
    *out = (dpn_plan){.dimension = p->set->dimension,
                      .family = family,
                      .epsilon = p->epsilon,
                      .times = p->times,
                      .relation = p->set->relation,
                      .unit = p->set->unit,
                      .objective = p->options.objective,
                      .sensitivity = malloc(size),
                      .variance = malloc(size)};
    if (!out->sensitivity || !out->variance) {
        dpn_plan_free(out);
        return dpn_fail(why, DPN_ENOMEM, "no memory for the plan");
    }
    memcpy(out->sensitivity, p->sensitivity, size);
    return DPN_OK;
}

dpn_status dpn_plan_make(dpn_plan *out, const dpn_problem *p, const dpn_law *law, size_t stride, dpn_error *why) {
    dpn_plan plan;
    dpn_status status = dpn_plan_begin(&plan, p, NULL, why);
    plan.argument = p->argument;
    plan.condition = p->options.condition;
    plan.max_changed = p->set->max_changed;
    plan.l1 = p->set->l1;
    plan.l2 = p->set->l2;
    plan.vertices = p->set->vertices;
    if (!status) status = fill_blocks(&plan, p, law, stride, why);
    if (status) {
        dpn_plan_free(&plan);
        *out = plan;
        return status;
    }
    dpn_plan_measure(&plan);
    plan.error = p->groups ? dpn_problem_error(p, law, stride) : 0;
    plan.pure_epsilon = p->groups ? dpn_problem_largest_loss(p, law, stride) : 0;
    *out = plan;
    return DPN_OK;
}
