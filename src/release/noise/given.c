/* Releases with noise that the caller draws. */
#include "release/noise/release.h"

#include "base/error.h"
#include "base/options.h"

#include <dpnoise/plan.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* ---- The source ---- */

typedef struct given {
    void *context;
    dpn_status (*draw)(int64_t *steps, const void *context, dpn_rng *rng, dpn_error *why);
    void (*free)(void *context);
} given;

static dpn_status draw(int64_t *noise, size_t count, const void *sampler, dpn_rng *rng, dpn_error *why) {
    (void)count;
    const given *of = sampler;
    return of->draw(noise, of->context, rng, why);
}

static void release_given(void *sampler) {
    given *of = sampler;
    if (of->free) of->free(of->context);
    free(of);
}

static const struct dpn_source_kind source_given = {.own_grids = true, .draw = draw, .free = release_given};

/* ---- The plan: what moves is one block, what does not another ---- */

static dpn_status check(const dpn_given_noise *noise, dpn_error *why) {
    size_t moving = 0;
    if (noise->dimension == 0 || !noise->bound || !noise->grid_exponents || !noise->draw)
        return dpn_fail(why, DPN_EDOMAIN, "given noise has bounds, grids and a function that draws it");
    for (size_t i = 0; i < noise->dimension; i++) {
        if (!(noise->bound[i] >= 0) || isinf(noise->bound[i]))
            return dpn_fail(why, DPN_EDOMAIN, "the sensitivity of answer %zu must be finite and not negative", i + 1);
        moving += noise->bound[i] > 0;
    }
    if (moving == 0) return dpn_fail(why, DPN_EDOMAIN, "given noise is for answers that move");
    if (!(noise->epsilon > 0) || isinf(noise->epsilon))
        return dpn_fail(why, DPN_EDOMAIN, "the epsilon of given noise must be positive and finite");
    return DPN_OK;
}

static bool make_blocks(dpn_plan *plan, const dpn_given_noise *noise) {
    bool first = noise->bound[0] > 0;
    for (size_t i = 0; i < noise->dimension; i++) {
        bool moves = noise->bound[i] > 0;
        dpn_block *block = &plan->block[moves == first ? 0 : 1];
        if (block->count == 0) {
            block->kind = moves ? DPN_BLOCK_PURE : DPN_BLOCK_NONE;
            block->epsilon = moves ? noise->epsilon : 0;
            block->coordinate = calloc(noise->dimension, sizeof *block->coordinate);
            if (!block->coordinate) return false;
            block->grid = ldexp(1, noise->grid_exponents[i]);
            plan->blocks++;
        }
        block->grid = fmin(block->grid, ldexp(1, noise->grid_exponents[i]));
        block->coordinate[block->count++] = i;
    }
    return true;
}

static dpn_status fill(dpn_release *release, const dpn_given_noise *noise, dpn_error *why) {
    dpn_plan *plan = &release->plan;
    dpn_grid *grid = &release->grid;
    size_t count = noise->dimension;
    plan->dimension = count;
    plan->block = calloc(2, sizeof *plan->block);
    plan->sensitivity = calloc(count, sizeof *plan->sensitivity);
    plan->variance = calloc(count, sizeof *plan->variance);
    grid->exponent = calloc(count, sizeof *grid->exponent);
    grid->bound = calloc(count, sizeof *grid->bound);
    release->half_width = calloc(count, sizeof *release->half_width);
    bool all = plan->block && plan->sensitivity && plan->variance && grid->exponent && grid->bound;
    if (!all || !release->half_width || !make_blocks(plan, noise))
        return dpn_fail(why, DPN_ENOMEM, "no memory for the release");
    for (size_t i = 0; i < count; i++) {
        bool moves = noise->bound[i] > 0;
        plan->sensitivity[i] = grid->bound[i] = noise->bound[i];
        plan->variance[i] = !moves ? 0 : noise->variance ? noise->variance[i] : NAN;
        release->half_width[i] = !moves ? 0 : noise->half_width ? noise->half_width[i] : NAN;
        grid->exponent[i] = noise->grid_exponents[i];
        plan->mse += plan->variance[i];
    }
    grid->set =
        (dpn_sensitivity){.dimension = count, .bound = grid->bound, .relation = noise->relation, .unit = noise->unit};
    plan->family = "k-norm";
    plan->epsilon = plan->pure_epsilon = noise->epsilon;
    plan->pure = true;
    plan->times = 1;
    plan->relation = noise->relation;
    plan->unit = noise->unit;
    plan->error = plan->mse;
    release->whole = noise->whole;
    release->drawn = plan->block[0].kind == DPN_BLOCK_PURE ? plan->block[0].count : plan->block[1].count;
    return dpn_plan_delta(&plan->delta, &plan->argument, NULL, plan, &grid->set, 1, noise->epsilon, NULL, why);
}

dpn_status dpn_release_given(dpn_release **out, const dpn_given_noise *noise, dpn_error *why) {
    dpn_given_noise own;
    if (!out || !noise) return dpn_fail(why, DPN_EDOMAIN, "there is nothing to release");
    dpn_status status = dpn_options_take(&own, sizeof own, noise, why);
    if (!status) status = check(&own, why);
    if (status) return status;
    dpn_release *release = calloc(1, sizeof *release);
    given *sampler = calloc(1, sizeof *sampler);
    if (release) release->source = calloc(2, sizeof *release->source);
    status = release && sampler && release->source ? fill(release, &own, why)
                                                   : dpn_fail(why, DPN_ENOMEM, "no memory for the release");
    if (status) {
        dpn_release_free(release);
        free(sampler);
        return status;
    }
    *sampler = (given){own.context, own.draw, own.free};
    size_t moving = release->plan.block[0].kind == DPN_BLOCK_PURE ? 0 : 1;
    release->source[moving] = (dpn_source){.kind = &source_given, .sampler = sampler};
    *out = release;
    return DPN_OK;
}
