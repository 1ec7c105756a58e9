/* A release: values on the grid, exact noise in steps, and the sum. */
#define _DEFAULT_SOURCE /* explicit_bzero */
#include <dpnoise/release.h>

#include "base/dyadic.h"
#include "base/error.h"
#include "release/choose.h"

#include <dpnoise/sampler.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

_Static_assert((int)DPN_RELEASE_TEXT_SIZE == (int)DPN_DYADIC_TEXT_SIZE, "room for the digits of a step");

/* The coordinates that share a law and a grid. */
typedef struct stream {
    dpn_sampler *sampler;
    size_t *coordinate, count;
} stream;

struct dpn_release {
    dpn_plan plan;
    dpn_grid grid;
    bool whole;
    stream *stream;
    size_t streams, drawn; /* coordinates with noise */
};

/* ---- Making ---- */

/* Take out of `rest` the coordinates on the grid of its first one. */
static dpn_status add_stream(dpn_release *release, const dpn_law *law, size_t *rest, size_t *count, dpn_error *why) {
    stream *next = &release->stream[release->streams++];
    int exponent = release->grid.exponent[rest[0]];
    next->coordinate = malloc(*count * sizeof *next->coordinate);
    if (!next->coordinate) return dpn_fail(why, DPN_ENOMEM, "no memory for the samplers");
    size_t left = 0;
    for (size_t i = 0; i < *count; i++)
        if (release->grid.exponent[rest[i]] == exponent)
            next->coordinate[next->count++] = rest[i];
        else
            rest[left++] = rest[i];
    *count = left;
    release->drawn += next->count;
    return dpn_sampler_new(&next->sampler, law, exponent, why);
}

static int compare_exponents(const void *a, const void *b) {
    const int *x = a, *y = b;
    return (*x > *y) - (*x < *y);
}

/* How many different grids there are: each block has at most so many streams. */
static size_t count_grids(const dpn_release *release, int *scratch) {
    size_t dimension = release->plan.dimension, count = 1;
    memcpy(scratch, release->grid.exponent, dimension * sizeof *scratch);
    qsort(scratch, dimension, sizeof *scratch, compare_exponents);
    for (size_t i = 1; i < dimension; i++) count += scratch[i] != scratch[i - 1];
    return count;
}

static dpn_status add_streams(dpn_release *release, size_t *rest, dpn_error *why) {
    dpn_status status = DPN_OK;
    for (size_t b = 0; b < release->plan.blocks && !status; b++) {
        const dpn_block *block = &release->plan.block[b];
        if (block->kind == DPN_BLOCK_NONE) continue;
        if (block->kind != DPN_BLOCK_LAW)
            return dpn_fail(why, DPN_EUNSUPPORTED, "a release draws from laws, not from %s",
                            dpn_block_kind_name(block->kind));
        size_t count = block->count;
        memcpy(rest, block->coordinate, count * sizeof *rest);
        while (count > 0 && !status) status = add_stream(release, &block->law, rest, &count, why);
    }
    return status;
}

static dpn_status build(dpn_release *release, const dpn_release_request *request, dpn_error *why) {
    release->whole = request->whole;
    dpn_status status = dpn_release_choose(&release->grid, &release->plan, request, why);
    if (status) return status;
    size_t dimension = release->plan.dimension;
    size_t *rest = malloc(dimension * sizeof *rest);
    int *scratch = malloc(dimension * sizeof *scratch);
    if (rest && scratch)
        release->stream = calloc(release->plan.blocks * count_grids(release, scratch), sizeof *release->stream);
    if (release->stream)
        status = add_streams(release, rest, why);
    else
        status = dpn_fail(why, DPN_ENOMEM, "no memory for the samplers");
    free(rest);
    free(scratch);
    return status;
}

dpn_status dpn_release_new(dpn_release **out, const dpn_release_request *request, dpn_error *why) {
    if (!out || !request) return dpn_fail(why, DPN_EDOMAIN, "there is nothing to release");
    dpn_release *release = calloc(1, sizeof *release);
    if (!release) return dpn_fail(why, DPN_ENOMEM, "no memory for the release");
    dpn_status status = build(release, request, why);
    if (status)
        dpn_release_free(release);
    else
        *out = release;
    return status;
}

void dpn_release_free(dpn_release *release) {
    if (!release) return;
    for (size_t i = 0; i < release->streams; i++) {
        dpn_sampler_free(release->stream[i].sampler);
        free(release->stream[i].coordinate);
    }
    free(release->stream);
    dpn_plan_free(&release->plan);
    dpn_grid_free(&release->grid);
    free(release);
}

/* ---- Asking ---- */

const dpn_plan *dpn_release_plan(const dpn_release *release) {
    return &release->plan;
}

const dpn_sensitivity *dpn_release_set(const dpn_release *release) {
    return &release->grid.set;
}

int dpn_release_grid_exponent(const dpn_release *release, size_t coordinate) {
    return release->grid.exponent[coordinate];
}

/* Half a step for the value that was rounded, and half a step for the noise. */
double dpn_release_interval95(const dpn_release *release, size_t coordinate) {
    const dpn_law *law = dpn_plan_law(&release->plan, coordinate);
    double half_step = ldexp(0.5, release->grid.exponent[coordinate]), width = release->whole ? 0 : half_step;
    if (!law) return width;
    double quantile = dpn_law_isf(law, 0.025);
    return dpn_law_is_integer(law) ? quantile + width : (quantile + half_step + width) * (1 + 1e-9);
}

/* ---- Releasing ---- */

static dpn_int128 from_steps(const dpn_steps *steps) {
    return (dpn_int128)(((__extension__(unsigned __int128)(uint64_t) steps->high) << 64) | steps->low);
}

static dpn_steps to_steps(dpn_int128 steps) {
    return (dpn_steps){(int64_t)(steps >> 64), (uint64_t)steps};
}

dpn_status dpn_release_parse(dpn_steps *out, const dpn_release *release, size_t coordinate, const char *text,
                             dpn_error *why) {
    if (!release || coordinate >= release->plan.dimension)
        return dpn_fail(why, DPN_EDOMAIN, "there is no answer %zu in this release", coordinate + 1);
    dpn_int128 steps;
    bool exact;
    dpn_status status = dpn_dyadic_nearest(&steps, &exact, text, release->grid.exponent[coordinate], why);
    if (status) return status;
    if (release->whole && !exact)
        return dpn_fail(why, DPN_EDOMAIN, "'%.40s' is not whole, though whole answers were promised", text);
    *out = to_steps(steps);
    return DPN_OK;
}

/* Noise for every coordinate that has some, stream by stream. */
static dpn_status draw_noise(int64_t *noise, const dpn_release *release, dpn_rng *rng, dpn_error *why) {
    dpn_status status = DPN_OK;
    for (size_t s = 0; s < release->streams && !status; s++) {
        status = dpn_sampler_draw(release->stream[s].sampler, rng, noise, release->stream[s].count, why);
        noise += release->stream[s].count;
    }
    return status;
}

/* The sum has room: a value is at most the limit, noise below 2^63, and texts take twice the limit. */
static void add_noise(dpn_steps *out, const dpn_release *release, const dpn_steps *value, const int64_t *noise) {
    if (out != value) memmove(out, value, release->plan.dimension * sizeof *out);
    for (size_t s = 0; s < release->streams; s++)
        for (size_t i = 0; i < release->stream[s].count; i++) {
            dpn_steps *steps = &out[release->stream[s].coordinate[i]];
            *steps = to_steps(from_steps(steps) + *noise++);
        }
}

dpn_status dpn_release_draw(dpn_steps *out, const dpn_release *release, dpn_rng *rng, const dpn_steps *value,
                            dpn_error *why) {
    if (!out || !release || !rng || !value)
        return dpn_fail(why, DPN_EDOMAIN, "a release, a random source and values are needed");
    for (size_t i = 0; i < release->plan.dimension; i++) {
        dpn_int128 steps = from_steps(&value[i]), limit = dpn_dyadic_limit(release->grid.exponent[i]);
        if (steps > limit || steps < -limit) return dpn_fail(why, DPN_EDOMAIN, "value %zu is too large", i + 1);
    }
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
                        const dpn_steps *steps) {
    return dpn_dyadic_print(text, from_steps(steps), release->grid.exponent[coordinate]);
}
