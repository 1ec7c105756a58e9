#include "release/noise/whole-start.h"

#include "base/error.h"
#include "calibrate/plan.h"
#include "calibrate/start-law.h"

#include <math.h>
#include <stdlib.h>

/* With so many steps in a sensitivity rounding is of no account. */
#define MOST_STEPS 64.0

/* With so many answers the nearest offsets are taken as they are. */
enum { MOST_ANSWERS = 64, ROUNDS = 4 };

typedef struct offsets {
    dpn_plan *plan;
    dpn_block *block;
    const dpn_grid *grid;
    const double *weight;
    dpn_start_group *group; /* one for each answer */
    dpn_start_law law;
} offsets;

static size_t answer_at(const offsets *o, size_t i) {
    return o->block->coordinate[i];
}

/* Steps of the grid in a sensitivity; 0: too many to care. */
static double steps_at(const offsets *o, size_t i) {
    double steps = ldexp(o->plan->sensitivity[answer_at(o, i)], -o->grid->exponent[answer_at(o, i)]);
    return steps <= MOST_STEPS && steps == floor(steps) ? steps : 0;
}

static double error_of(offsets *o) {
    double sum = 0;
    if (dpn_start_law_make(&o->law, true, o->block->epsilon, o->group, o->block->count, NULL)) return INFINITY;
    for (size_t i = 0; i < o->block->count; i++) {
        size_t at = answer_at(o, i);
        double side = o->plan->sensitivity[at];
        sum += (o->weight ? o->weight[at] : 1) * side * side *
               dpn_start_law_error(&o->law, o->group[i].c, DPN_OBJECTIVE_MSE);
    }
    return sum;
}

/* The nearest offset whose side is half an odd number of steps, then the neighbours of each, as long as one is better. */
static void settle(offsets *o) {
    bool moved = o->block->count <= MOST_ANSWERS;
    for (size_t i = 0; i < o->block->count; i++) {
        double steps = steps_at(o, i), c = o->block->start[i];
        o->group[i] = (dpn_start_group){steps > 0 ? (fmax(0, round(c * steps - 0.5)) + 0.5) / steps : c, 1};
    }
    double least = error_of(o);
    for (int round = 0; round < ROUNDS && moved; round++) {
        moved = false;
        for (size_t i = 0; i < o->block->count; i++) {
            double steps = steps_at(o, i), c = o->group[i].c;
            for (int way = -1; way <= 1 && steps > 0; way += 2) {
                double other = c + way / steps;
                if (!(other > 0)) continue;
                o->group[i].c = other;
                double error = error_of(o);
                if (error < least) {
                    least = error;
                    moved = true;
                    break;
                }
                o->group[i].c = c;
            }
        }
    }
}

static dpn_status measure(offsets *o, dpn_error *why) {
    dpn_plan *plan = o->plan;
    for (size_t i = 0; i < o->block->count; i++) o->block->start[i] = o->group[i].c;
    dpn_start_law_free(o->block->start_law);
    free(o->block->start_law);
    o->block->start_law = NULL;
    dpn_status status = dpn_start_block_measure(o->block, why);
    if (status) return status;
    plan->mse = plan->error = 0;
    dpn_plan_measure(plan);
    for (size_t i = 0; i < o->block->count; i++) {
        size_t at = answer_at(o, i);
        plan->error += (o->weight ? o->weight[at] : 1) * dpn_plan_error(plan, o->block, at, plan->objective);
    }
    return DPN_OK;
}

dpn_status dpn_whole_start(dpn_plan *plan, const dpn_grid *grid, const double *weight, dpn_error *why) {
    offsets o = {.plan = plan, .grid = grid, .weight = weight};
    for (size_t b = 0; b < plan->blocks; b++)
        if (plan->block[b].kind == DPN_BLOCK_START_STAIRCASE) o.block = &plan->block[b];
    bool few = false;
    for (size_t i = 0; o.block && i < o.block->count; i++) few = few || steps_at(&o, i) > 0;
    if (!few) return DPN_OK;
    o.group = malloc(o.block->count * sizeof *o.group);
    if (!o.group) return dpn_fail(why, DPN_ENOMEM, "no memory for the offsets");
    settle(&o);
    dpn_status status = measure(&o, why);
    dpn_start_law_free(&o.law);
    free(o.group);
    return status;
}
