/* How the noise of a block is drawn: a row for each kind of noise that a release can draw. Plans know of no random bits, so that
 * these rows stand apart from those of calibrate/noise/kind.h. A new kind is one file that ends in a row, and its line in
 * sources.def. */
#ifndef DPN_RELEASE_NOISE_SOURCE_H
#define DPN_RELEASE_NOISE_SOURCE_H

#include <dpnoise/calibrate.h>
#include <dpnoise/sampler.h>

/* What a sampler is made from. */
typedef struct dpn_source_request {
    const dpn_plan *plan;
    const dpn_block *block;
    const int *exponent; /* of the grid of each coordinate of the plan */
    const dpn_hulls *hulls;
} dpn_source_request;

struct dpn_source_kind {
    bool own_grids; /* its coordinates can keep the grids that the caller gave each */

    /* Errors: those of the samplers. On error *sampler is not written. */
    dpn_status (*make)(void **sampler, const dpn_source_request *request, dpn_error *why);

    /* Noise for all `count` coordinates of the block, in steps of their grids. Errors: as dpn_sampler_draw. */
    dpn_status (*draw)(int64_t *noise, size_t count, const void *sampler, dpn_rng *rng, dpn_error *why);
    void (*free)(void *sampler);
};

/* The source of a block's noise; all zero for one without noise. */
typedef struct dpn_source {
    const struct dpn_source_kind *kind;
    void *sampler;
} dpn_source;

/* NULL for a kind of noise that is not drawn. */
const struct dpn_source_kind *dpn_source_kind_of(const dpn_block *block);

/* Errors   DPN_EUNSUPPORTED for noise that is not drawn; those of the samplers. On error *out is not written. */
dpn_status dpn_source_make(dpn_source *out, const dpn_source_request *request, dpn_error *why);
void dpn_source_free(dpn_source *source);

#endif
