/* The noise of a plan, and nothing that it is added to. */
#define _DEFAULT_SOURCE /* explicit_bzero */
#include <dpnoise/release.h>

#include "base/dyadic.h"
#include "base/error.h"
#include "calibrate/noise/kind.h"
#include "calibrate/plan.h"
#include "release/noise/source.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { FINENESS = 16 };

struct dpn_plan_sampler {
    const dpn_plan *plan;
    int *exponent;      /* of each coordinate */
    dpn_source *source; /* of each block */
    size_t drawn;
};

/* The largest power of two at most 2^-16 of the least standard deviation in the block. */
static dpn_status choose_grid(int *out, const dpn_plan *plan, const dpn_block *block, dpn_error *why) {
    double least = INFINITY;
    for (size_t i = 0; i < block->count; i++) least = fmin(least, plan->variance[block->coordinate[i]]);
    for (size_t i = 0; i < block->count; i++)
        if (!(plan->variance[block->coordinate[i]] > 0)) least = NAN;
    if (!(least > 0 && isfinite(least)))
        return dpn_fail(why, DPN_EDOMAIN, "the width of the noise is not known, so that a grid must be given");
    *out = ilogb(sqrt(least)) - FINENESS;
    return DPN_OK;
}

static dpn_status set_grid(dpn_plan_sampler *made, const dpn_block *block, bool has_grid, int grid, dpn_error *why) {
    dpn_status status = DPN_OK;
    if (dpn_block_is_silent(block))
        grid = 0;
    else if (!has_grid && dpn_block_is_integer(block))
        grid = 0;
    else if (!has_grid && block->grid > 0)
        grid = ilogb(block->grid);
    else if (!has_grid)
        status = choose_grid(&grid, made->plan, block, why);
    if (!status && (grid < DPN_DYADIC_LEAST || grid > DPN_DYADIC_MOST))
        status = dpn_fail(why, DPN_EDOMAIN, "a grid of step 2^%d is outside 2^%d to 2^%d", grid, DPN_DYADIC_LEAST,
                          DPN_DYADIC_MOST);
    for (size_t i = 0; i < block->count && !status; i++) made->exponent[block->coordinate[i]] = grid;
    return status;
}

static dpn_status fill(dpn_plan_sampler *made, bool has_grid, int grid, const dpn_hulls *hulls, dpn_error *why) {
    const dpn_plan *plan = made->plan;
    made->exponent = calloc(plan->dimension, sizeof *made->exponent);
    made->source = calloc(plan->blocks, sizeof *made->source);
    if (!made->exponent || !made->source) return dpn_fail(why, DPN_ENOMEM, "no memory for the samplers");
    for (size_t b = 0; b < plan->blocks; b++) {
        const dpn_block *block = &plan->block[b];
        dpn_source_request request = {plan, block, made->exponent, hulls};
        dpn_status status = set_grid(made, block, has_grid, grid, why);
        if (!status) status = dpn_source_make(&made->source[b], &request, why);
        if (status) return status;
        if (made->source[b].kind) made->drawn += block->count;
    }
    return DPN_OK;
}

/* A plan whose noise does not fit its own sensitivities has no profile, and is not drawn from either. One that does not tell them may be. */
static dpn_status check(const dpn_plan *plan, dpn_error *why) {
    dpn_sensitivity set;
    if (dpn_plan_sensitivity(&set, plan, NULL)) return DPN_OK;
    return dpn_plan_check(plan, &set, 1, why);
}

dpn_status dpn_plan_sampler_new(dpn_plan_sampler **out, const dpn_plan *plan, bool has_grid, int grid_exponent,
                                const dpn_hulls *hulls, dpn_error *why) {
    if (!out || !plan || plan->dimension == 0) return dpn_fail(why, DPN_EDOMAIN, "there is no plan to draw from");
    dpn_status status = check(plan, why);
    if (status) return status;
    dpn_plan_sampler *made = calloc(1, sizeof *made);
    if (!made) return dpn_fail(why, DPN_ENOMEM, "no memory for the samplers");
    made->plan = plan;
    status = fill(made, has_grid, grid_exponent, hulls, why);
    if (status)
        dpn_plan_sampler_free(made);
    else
        *out = made;
    return status;
}

void dpn_plan_sampler_free(dpn_plan_sampler *sampler) {
    if (!sampler) return;
    for (size_t b = 0; sampler->source && b < sampler->plan->blocks; b++) dpn_source_free(&sampler->source[b]);
    free(sampler->source);
    free(sampler->exponent);
    free(sampler);
}

int dpn_plan_sampler_grid_exponent(const dpn_plan_sampler *sampler, size_t coordinate) {
    return sampler->exponent[coordinate];
}

dpn_status dpn_plan_sampler_draw(int64_t *steps, const dpn_plan_sampler *sampler, dpn_rng *rng, dpn_error *why) {
    if (!steps || !sampler || !rng)
        return dpn_fail(why, DPN_EDOMAIN, "a sampler, a random source and a place are needed");
    size_t room = sampler->drawn ? sampler->drawn : 1, dimension = sampler->plan->dimension;
    int64_t *noise = malloc(room * sizeof *noise);
    memset(steps, 0, dimension * sizeof *steps);
    if (!noise) return dpn_fail(why, DPN_ENOMEM, "no memory for the noise");
    dpn_status status = DPN_OK;
    for (size_t b = 0; b < sampler->plan->blocks && !status; b++) {
        const dpn_block *block = &sampler->plan->block[b];
        const dpn_source *source = &sampler->source[b];
        if (!source->kind) continue;
        status = source->kind->draw(noise, block->count, source->sampler, rng, why);
        for (size_t i = 0; i < block->count && !status; i++) steps[block->coordinate[i]] = noise[i];
    }
    if (status) memset(steps, 0, dimension * sizeof *steps);
    explicit_bzero(noise, room * sizeof *noise);
    free(noise);
    return status;
}
