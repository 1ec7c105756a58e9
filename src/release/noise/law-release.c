/* Releases with noise of a given law. */
#include "release/noise/law-release.h"

#include "base/error.h"
#include "release/noise/release.h"

#include <dpnoise/plan.h>
#include <math.h>
#include <stdlib.h>

static bool allocate(dpn_release *release, size_t count) {
    dpn_plan *plan = &release->plan;
    plan->block = calloc(1, sizeof *plan->block);
    plan->sensitivity = calloc(count, sizeof *plan->sensitivity);
    plan->variance = calloc(count, sizeof *plan->variance);
    release->grid.exponent = calloc(count, sizeof *release->grid.exponent);
    release->grid.bound = calloc(count, sizeof *release->grid.bound);
    release->source = calloc(1, sizeof *release->source);
    if (plan->block) {
        plan->blocks = 1;
        plan->block->coordinate = calloc(count, sizeof *plan->block->coordinate);
    }
    return plan->block && plan->block->coordinate && plan->sensitivity && plan->variance && release->grid.exponent &&
           release->grid.bound && release->source;
}

static dpn_status fill(dpn_release *release, const dpn_law *law, size_t count, double l2, int grid_exponent,
                       dpn_relation relation, double epsilon, dpn_error *why) {
    dpn_plan *plan = &release->plan;
    if (!allocate(release, count)) return dpn_fail(why, DPN_ENOMEM, "no memory for the release");
    plan->block->kind = DPN_BLOCK_LAW;
    plan->block->law = *law;
    plan->block->count = plan->dimension = count;
    plan->block->grid = ldexp(1, grid_exponent);
    for (size_t i = 0; i < count; i++) {
        plan->block->coordinate[i] = i;
        plan->sensitivity[i] = release->grid.bound[i] = l2;
        plan->variance[i] = dpn_law_variance(law);
        plan->mse += plan->variance[i];
        release->grid.exponent[i] = grid_exponent;
    }
    release->grid.set =
        (dpn_sensitivity){.dimension = count, .bound = release->grid.bound, .l2 = l2, .relation = relation};
    plan->l2 = l2;
    plan->family = dpn_law_family(law);
    plan->epsilon = epsilon;
    plan->pure_epsilon = INFINITY;
    plan->times = 1;
    plan->relation = relation;
    plan->error = plan->mse;
    release->whole = true;
    release->drawn = count;
    dpn_source_request request = {plan, plan->block, release->grid.exponent, NULL};
    dpn_status status = dpn_source_make(release->source, &request, why);
    if (status) return status;
    return dpn_plan_delta(&plan->delta, &plan->argument, NULL, plan, &release->grid.set, 1, epsilon, NULL, why);
}

dpn_status dpn_release_of_law(dpn_release **out, const dpn_law *law, size_t dimension, double l2, int grid_exponent,
                              dpn_relation relation, double epsilon, dpn_error *why) {
    if (dimension == 0 || !(l2 > 0) || isinf(l2))
        return dpn_fail(why, DPN_EDOMAIN, "noise of a law is for numbers that move, by a finite length");
    dpn_release *release = calloc(1, sizeof *release);
    if (!release) return dpn_fail(why, DPN_ENOMEM, "no memory for the release");
    dpn_status status = fill(release, law, dimension, l2, grid_exponent, relation, epsilon, why);
    if (status)
        dpn_release_free(release);
    else
        *out = release;
    return status;
}
