/* A release: values on the grid, exact noise in steps, and the sum. */
#define _DEFAULT_SOURCE /* explicit_bzero */
#include <dpnoise/release.h>

#include "base/dyadic.h"
#include "base/error.h"
#include "release/noise/choose.h"
#include "release/noise/clamp.h"

#include <dpnoise/sampler.h>
#include <dpnoise/vector-sampler.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

_Static_assert((int)DPN_RELEASE_TEXT_SIZE == (int)DPN_DYADIC_TEXT_SIZE, "room for the digits of a step");

struct dpn_release {
    dpn_plan plan;
    dpn_grid grid;
    bool whole;
    struct source *source; /* of the noise of each block */
    size_t drawn;          /* coordinates with noise */
};

/* Independent draws of a law, or one draw of a vector; neither for a block without noise. */
struct source {
    dpn_sampler *law;
    dpn_vector_sampler *vector;
};

/* ---- Making ---- */

/* A block has one grid, the finest that its coordinates have. On a finer grid a gridded answer moves no farther, since the
 * steps of the coarser one are whole numbers of its own: the plan stays valid. Joint noise can keep the grids that the caller
 * gave, whose points are on the finest one too. */
static void share_grid(dpn_block *block, int *exponent, bool keep) {
    int finest = DPN_DYADIC_MOST;
    for (size_t i = 0; i < block->count; i++)
        if (exponent[block->coordinate[i]] < finest) finest = exponent[block->coordinate[i]];
    for (size_t i = 0; i < block->count && !(keep && block->kind == DPN_BLOCK_K_NORM); i++)
        exponent[block->coordinate[i]] = finest;
    block->grid = ldexp(1, finest);
}

/* K-norm noise of the hull of the plan's vertices, those of the gridded answers. */
static dpn_status make_hull(dpn_vector_sampler **out, const dpn_release *release, const dpn_block *block,
                            const dpn_hulls *hulls, const int *exponent, dpn_error *why) {
    const dpn_plan *plan = &release->plan;
    double *row = malloc(plan->vertices * block->count * sizeof *row);
    if (!row) return dpn_fail(why, DPN_ENOMEM, "no memory for the samplers");
    for (size_t v = 0; v < plan->vertices; v++)
        for (size_t k = 0; k < block->count; k++)
            row[v * block->count + k] = plan->vertex[v * plan->dimension + block->coordinate[k]];
    dpn_status status = hulls->sampler(out, block->count, row, plan->vertices, block->epsilon, exponent, why);
    free(row);
    return status;
}

/* K-norm noise of the block's ball, whose sides are those for the gridded answers. */
static dpn_status make_ball(dpn_vector_sampler **out, const dpn_release *release, const dpn_block *block,
                            const dpn_hulls *hulls, dpn_error *why) {
    const double powers[] = {
        [DPN_BALL_BOX] = INFINITY, [DPN_BALL_L1] = 1, [DPN_BALL_L2] = 2, [DPN_BALL_LINF] = INFINITY};
    bool box = block->ball == DPN_BALL_BOX, hull = block->ball == DPN_BALL_HULL;
    double *side = malloc(block->count * sizeof *side);
    int *exponent = malloc(block->count * sizeof *exponent);
    dpn_status status = side && exponent ? DPN_OK : dpn_fail(why, DPN_ENOMEM, "no memory for the samplers");
    for (size_t i = 0; i < block->count && !status; i++) {
        side[i] = box ? release->plan.sensitivity[block->coordinate[i]] : hull ? 0 : block->side[i];
        exponent[i] = release->grid.exponent[block->coordinate[i]];
    }
    if (!status && hull)
        status = make_hull(out, release, block, hulls, exponent, why);
    else if (!status)
        status = dpn_vector_sampler_lp(out, block->count, powers[block->ball], side, block->epsilon, exponent, why);
    free(side);
    free(exponent);
    return status;
}

static dpn_status make_source(struct source *out, const dpn_release *release, const dpn_block *block,
                              const dpn_hulls *hulls, dpn_error *why) {
    if (block->kind == DPN_BLOCK_LAW)
        return dpn_sampler_new(&out->law, &block->law, release->grid.exponent[block->coordinate[0]], why);
    if (block->kind == DPN_BLOCK_K_NORM) return make_ball(&out->vector, release, block, hulls, why);
    return dpn_fail(why, DPN_EUNSUPPORTED, "a release does not draw %s noise", dpn_block_kind_name(block->kind));
}

static dpn_status make_sources(dpn_release *release, bool own_grids, const dpn_hulls *hulls, dpn_error *why) {
    for (size_t b = 0; b < release->plan.blocks; b++) {
        dpn_block *block = &release->plan.block[b];
        share_grid(block, release->grid.exponent, own_grids);
        if (block->kind == DPN_BLOCK_NONE) continue;
        dpn_status status = make_source(&release->source[b], release, block, hulls, why);
        if (status) return status;
        release->drawn += block->count;
    }
    return DPN_OK;
}

static dpn_status build(dpn_release *release, const dpn_release_options *options, dpn_error *why) {
    release->whole = options->whole;
    dpn_status status = dpn_release_choose(&release->grid, &release->plan, options, why);
    if (status) return status;
    release->source = calloc(release->plan.blocks, sizeof *release->source);
    if (!release->source) return dpn_fail(why, DPN_ENOMEM, "no memory for the samplers");
    return make_sources(release, options->grid_exponents != NULL,
                        options->calibration ? options->calibration->hulls : NULL, why);
}

dpn_status dpn_release_new(dpn_release **out, const dpn_release_options *options, dpn_error *why) {
    if (!out || !options) return dpn_fail(why, DPN_EDOMAIN, "there is nothing to release");
    dpn_release *release = calloc(1, sizeof *release);
    if (!release) return dpn_fail(why, DPN_ENOMEM, "no memory for the release");
    dpn_status status = build(release, options, why);
    if (status)
        dpn_release_free(release);
    else
        *out = release;
    return status;
}

void dpn_release_free(dpn_release *release) {
    if (!release) return;
    for (size_t b = 0; release->source && b < release->plan.blocks; b++) {
        dpn_sampler_free(release->source[b].law);
        dpn_vector_sampler_free(release->source[b].vector);
    }
    free(release->source);
    dpn_plan_free(&release->plan);
    dpn_grid_free(&release->grid);
    free(release);
}

/* ---- Asking ---- */

const dpn_plan *dpn_release_plan(const dpn_release *release) {
    return &release->plan;
}

const dpn_sensitivity *dpn_release_sensitivity(const dpn_release *release) {
    return &release->grid.set;
}

int dpn_release_grid_exponent(const dpn_release *release, size_t coordinate) {
    return release->grid.exponent[coordinate];
}

/* Half a step for the value that was rounded, and half a step for the noise. Of whole answers the noise is a whole number of
 * steps: a part of one covers nothing. */
double dpn_release_interval95(const dpn_release *release, size_t coordinate) {
    const dpn_block *block = dpn_plan_block(&release->plan, coordinate);
    double half_step = ldexp(0.5, release->grid.exponent[coordinate]), width = release->whole ? 0 : half_step;
    if (block->kind == DPN_BLOCK_NONE) return width;
    bool integer = block->kind == DPN_BLOCK_LAW && dpn_law_is_integer(&block->law);
    double quantile = dpn_plan_error(&release->plan, block, coordinate, DPN_OBJECTIVE_INTERVAL95);
    if (integer) return quantile + width;
    double half_width = (quantile + half_step + width) * (1 + 1e-9);
    return release->whole ? 2 * half_step * floor(half_width / (2 * half_step)) : half_width;
}

/* ---- Releasing ---- */

dpn_status dpn_release_parse(int64_t *out, const dpn_release *release, size_t coordinate, const char *text,
                             dpn_error *why) {
    if (!release || coordinate >= release->plan.dimension)
        return dpn_fail(why, DPN_EDOMAIN, "there is no answer %zu in this release", coordinate + 1);
    dpn_int128 steps;
    bool exact;
    dpn_status status = dpn_dyadic_nearest(&steps, &exact, text, release->grid.exponent[coordinate], why);
    if (status) return status;
    if (!dpn_steps_in_range(steps)) return dpn_fail(why, DPN_EDOMAIN, "%.40s has 2^62 or more steps of the grid", text);
    if (release->whole && !exact)
        return dpn_fail(why, DPN_EDOMAIN, "'%.40s' is not whole, though whole answers were promised", text);
    *out = (int64_t)steps;
    return DPN_OK;
}

static bool has_noise(const struct source *source) {
    return source->law || source->vector;
}

/* Noise for every coordinate that has some, block by block. */
static dpn_status draw_noise(int64_t *noise, const dpn_release *release, dpn_rng *rng, dpn_error *why) {
    dpn_status status = DPN_OK;
    for (size_t b = 0; b < release->plan.blocks && !status; b++) {
        const struct source *source = &release->source[b];
        size_t count = release->plan.block[b].count;
        if (!has_noise(source)) continue;
        status = source->law ? dpn_sampler_draw(source->law, rng, noise, count, why)
                             : dpn_vector_sampler_draw(source->vector, rng, noise, why);
        noise += count;
    }
    return status;
}

static void add_noise(int64_t *out, const dpn_release *release, const int64_t *value, const int64_t *noise) {
    for (size_t b = 0; b < release->plan.blocks; b++) {
        const dpn_block *block = &release->plan.block[b];
        for (size_t i = 0; i < block->count; i++) {
            size_t at = block->coordinate[i];
            out[at] = has_noise(&release->source[b]) ? dpn_steps_add(value[at], *noise++) : value[at];
        }
    }
}

dpn_status dpn_release_draw(int64_t *out, const dpn_release *release, dpn_rng *rng, const int64_t *value,
                            dpn_error *why) {
    if (!out || !release || !rng || !value)
        return dpn_fail(why, DPN_EDOMAIN, "a release, a random source and values are needed");
    for (size_t i = 0; i < release->plan.dimension; i++)
        if (!dpn_steps_in_range(value[i]))
            return dpn_fail(why, DPN_EDOMAIN, "value %zu has 2^62 or more steps of the grid", i + 1);
    size_t bytes = (release->drawn ? release->drawn : 1) * sizeof(int64_t);
    int64_t *noise = malloc(bytes);
    if (!noise) return dpn_fail(why, DPN_ENOMEM, "no memory for the noise");
    dpn_status status = draw_noise(noise, release, rng, why);
    if (!status) add_noise(out, release, value, noise);
    explicit_bzero(noise, bytes);
    free(noise);
    return status;
}

char *dpn_release_print(char text[DPN_RELEASE_TEXT_SIZE], const dpn_release *release, size_t coordinate,
                        int64_t steps) {
    return dpn_dyadic_print(text, steps, release->grid.exponent[coordinate]);
}
