/* One draw of a vector of K-norm noise, for all coordinates of a block together. */
#include "release/noise/vector-source.h"

#include "base/error.h"

#include <dpnoise/vector-sampler.h>
#include <math.h>
#include <stdlib.h>

/* Of the hull of the plan's vertices, those of the gridded answers. */
static dpn_status make_hull(dpn_vector_sampler **out, const dpn_source_request *request, const int *exponent,
                            dpn_error *why) {
    const dpn_plan *plan = request->plan;
    const dpn_block *block = request->block;
    double *row = malloc(plan->vertices * block->count * sizeof *row);
    if (!row) return dpn_fail(why, DPN_ENOMEM, "no memory for the samplers");
    for (size_t v = 0; v < plan->vertices; v++)
        for (size_t k = 0; k < block->count; k++)
            row[v * block->count + k] = plan->vertex[v * plan->dimension + block->coordinate[k]];
    dpn_status status = request->hulls->sampler(out, block->count, row, plan->vertices, block->epsilon, exponent, why);
    free(row);
    return status;
}

/* Of the block's ball, whose sides are those for the gridded answers. */
static dpn_status make(void **sampler, const dpn_source_request *request, dpn_error *why) {
    const double powers[] = {
        [DPN_BALL_BOX] = INFINITY, [DPN_BALL_L1] = 1, [DPN_BALL_L2] = 2, [DPN_BALL_LINF] = INFINITY};
    const dpn_block *block = request->block;
    bool box = block->ball == DPN_BALL_BOX, hull = block->ball == DPN_BALL_HULL;
    dpn_vector_sampler *made = NULL;
    double *side = malloc(block->count * sizeof *side);
    int *exponent = malloc(block->count * sizeof *exponent);
    dpn_status status = side && exponent ? DPN_OK : dpn_fail(why, DPN_ENOMEM, "no memory for the samplers");
    for (size_t i = 0; i < block->count && !status; i++) {
        side[i] = box ? request->plan->sensitivity[block->coordinate[i]] : hull ? 0 : block->side[i];
        exponent[i] = request->exponent[block->coordinate[i]];
    }
    if (!status && hull)
        status = make_hull(&made, request, exponent, why);
    else if (!status)
        status = dpn_vector_sampler_lp(&made, block->count, powers[block->ball], side, block->epsilon, exponent, why);
    free(side);
    free(exponent);
    if (!status) *sampler = made;
    return status;
}

const struct dpn_source_kind dpn_source_k_norm = {
    .own_grids = true, .make = make, .draw = dpn_vector_source_draw, .free = dpn_vector_source_free};
