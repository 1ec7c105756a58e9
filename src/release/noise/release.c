/* A release: values on the grid, exact noise in steps, and the sum. */
#define _DEFAULT_SOURCE /* explicit_bzero */
#include <dpnoise/release.h>

#include "base/dyadic.h"
#include "base/error.h"
#include "base/options.h"
#include "calibrate/noise/kind.h"
#include "release/noise/clamp.h"
#include "release/noise/release.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

_Static_assert((int)DPN_RELEASE_TEXT_SIZE == (int)DPN_DYADIC_TEXT_SIZE, "room for the digits of a step");

/* ---- Making ---- */

/* A block has one grid, the finest that its coordinates have. On a finer grid a gridded answer moves no farther, since the
 * steps of the coarser one are whole numbers of its own: the plan stays valid. Joint noise can keep the grids that the caller
 * gave, whose points are on the finest one too. */
static void share_grid(dpn_block *block, int *exponent, bool keep) {
    int finest = DPN_DYADIC_MOST;
    for (size_t i = 0; i < block->count; i++)
        if (exponent[block->coordinate[i]] < finest) finest = exponent[block->coordinate[i]];
    const struct dpn_source_kind *kind = dpn_source_kind_of(block);
    for (size_t i = 0; i < block->count && !(keep && kind && kind->own_grids); i++)
        exponent[block->coordinate[i]] = finest;
    block->grid = ldexp(1, finest);
}

static dpn_status make_sources(dpn_release *release, bool own_grids, const dpn_hulls *hulls, dpn_error *why) {
    for (size_t b = 0; b < release->plan.blocks; b++) {
        dpn_block *block = &release->plan.block[b];
        share_grid(block, release->grid.exponent, own_grids);
        dpn_source_request request = {&release->plan, block, release->grid.exponent, hulls};
        dpn_status status = dpn_source_make(&release->source[b], &request, why);
        if (status) return status;
        if (release->source[b].kind) release->drawn += block->count;
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
    dpn_release_options own;
    dpn_calibration_options calibration;
    dpn_status status = dpn_options_take(&own, sizeof own, options, why);
    if (!status) status = dpn_options_take(&calibration, sizeof calibration, own.calibration, why);
    if (status) return status;
    own.calibration = &calibration;
    dpn_release *release = calloc(1, sizeof *release);
    if (!release) return dpn_fail(why, DPN_ENOMEM, "no memory for the release");
    status = build(release, &own, why);
    if (status)
        dpn_release_free(release);
    else
        *out = release;
    return status;
}

void dpn_release_free(dpn_release *release) {
    if (!release) return;
    for (size_t b = 0; release->source && b < release->plan.blocks; b++) dpn_source_free(&release->source[b]);
    free(release->source);
    free(release->half_width);
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
    if (dpn_block_is_silent(block)) return width;
    double quantile = release->half_width ? release->half_width[coordinate]
                                          : dpn_plan_error(&release->plan, block, coordinate, DPN_OBJECTIVE_INTERVAL95);
    if (dpn_block_is_integer(block)) return quantile + width;
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
    dpn_status status = dpn_dyadic_nearest(&steps, &exact, text, release->grid.exponent[coordinate], NULL);
    size_t place = coordinate + 1; /* the value is private: sentences say where it stands and not what it is */
    if (status == DPN_EPARSE) return dpn_fail(why, status, "value %zu is not a decimal number", place);
    if (status) return dpn_fail(why, status, "value %zu is too large or has too many digits", place);
    if (!dpn_steps_in_range(steps))
        return dpn_fail(why, DPN_EDOMAIN, "value %zu has 2^62 or more steps of the grid", place);
    if (release->whole && !exact)
        return dpn_fail(why, DPN_EDOMAIN, "value %zu is not whole, though whole answers were promised", place);
    *out = (int64_t)steps;
    return DPN_OK;
}

/* Noise for every coordinate that has some, block by block. */
static dpn_status draw_noise(int64_t *noise, const dpn_release *release, dpn_rng *rng, dpn_error *why) {
    dpn_status status = DPN_OK;
    for (size_t b = 0; b < release->plan.blocks && !status; b++) {
        const dpn_source *source = &release->source[b];
        size_t count = release->plan.block[b].count;
        if (!source->kind) continue;
        status = source->kind->draw(noise, count, source->sampler, rng, why);
        noise += count;
    }
    return status;
}

static void add_noise(int64_t *out, const dpn_release *release, const int64_t *value, const int64_t *noise) {
    for (size_t b = 0; b < release->plan.blocks; b++) {
        const dpn_block *block = &release->plan.block[b];
        for (size_t i = 0; i < block->count; i++) {
            size_t at = block->coordinate[i];
            out[at] = release->source[b].kind ? dpn_steps_add(value[at], *noise++) : value[at];
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
