/* Balls made of balls: blocks of coordinates whose norms are added or of which the largest counts, and intersections.
 * */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "geometry/ball.h"

/* Walk over the parts: each sees its own coordinates, or all of them in an intersection. */
static double gather(const dpn_norm_ball *ball, const double *u, bool upper, bool add, bool blocks) {
    double result = 0;
    for (size_t i = 0, at = 0; i < ball->parts; i++) {
        const dpn_norm_ball *part = ball->part[i];
        double norm = upper ? part->kind->norm_upper(part, u + at) : part->kind->norm(part, u + at);
        if (isnan(norm)) return NAN;
        result = add ? result + norm : fmax(result, norm);
        if (blocks) at += part->dimension;
    }
    return result;
}

static double sum_norm(const dpn_norm_ball *ball, const double *u) {
    return gather(ball, u, false, true, true);
}

static double sum_norm_upper(const dpn_norm_ball *ball, const double *u) {
    return dpn_rounded_up(gather(ball, u, true, true, true), ball->parts, 0);
}

static double product_norm(const dpn_norm_ball *ball, const double *u) {
    return gather(ball, u, false, false, true);
}

static double product_norm_upper(const dpn_norm_ball *ball, const double *u) {
    return gather(ball, u, true, false, true);
}

static double intersection_norm(const dpn_norm_ball *ball, const double *u) {
    return gather(ball, u, false, false, false);
}

static double intersection_norm_upper(const dpn_norm_ball *ball, const double *u) {
    return gather(ball, u, true, false, false);
}

/* The dual of a sum is a product and the other way round. */
static double support_of(const dpn_norm_ball *ball, const double *c, bool add) {
    double result = 0;
    for (size_t i = 0, at = 0; i < ball->parts; at += ball->part[i++]->dimension) {
        double one = ball->part[i]->kind->support(ball->part[i], c + at);
        if (isnan(one)) return NAN;
        result = add ? result + one : fmax(result, one);
    }
    return result;
}

static double sum_support(const dpn_norm_ball *ball, const double *c) {
    return support_of(ball, c, false);
}

static double product_support(const dpn_norm_ball *ball, const double *c) {
    return support_of(ball, c, true);
}

static double product_log_volume(const dpn_norm_ball *ball) {
    double sum = 0;
    for (size_t i = 0; i < ball->parts; i++) sum += ball->part[i]->kind->log_volume(ball->part[i]);
    return sum;
}

/* The integral of exp(-|v|) is m! vol K, and for a sum the product over its parts. */
static double sum_log_volume(const dpn_norm_ball *ball) {
    double sum = product_log_volume(ball) - dpn_log_gamma((double)ball->dimension + 1);
    for (size_t i = 0; i < ball->parts; i++) sum += dpn_log_gamma((double)ball->part[i]->dimension + 1);
    return sum;
}

static void block_half_widths(const dpn_norm_ball *ball, double *out) {
    for (size_t i = 0, at = 0; i < ball->parts; at += ball->part[i++]->dimension)
        ball->part[i]->kind->half_widths(ball->part[i], out + at);
}

static void intersection_half_widths(const dpn_norm_ball *ball, double *out) {
    ball->part[0]->kind->half_widths(ball->part[0], out);
    double *other = calloc(ball->dimension, sizeof *other);
    if (other == NULL) return; /* the first part's alone is wide enough */
    for (size_t i = 1; i < ball->parts; i++) {
        ball->part[i]->kind->half_widths(ball->part[i], other);
        for (size_t j = 0; j < ball->dimension; j++) out[j] = fmin(out[j], other[j]);
    }
    free(other);
}

static bool block_variance(const dpn_norm_ball *ball, double *out, bool product) {
    double m = (double)ball->dimension;
    for (size_t i = 0, at = 0; i < ball->parts; at += ball->part[i++]->dimension) {
        double k = (double)ball->part[i]->dimension;
        if (!ball->part[i]->kind->variance(ball->part[i], out + at)) return false;
        for (size_t j = 0; product && j < ball->part[i]->dimension; j++)
            out[at + j] *= (m + 1) * (m + 2) / ((k + 1) * (k + 2)); /* one radius for all */
    }
    return true;
}

static bool sum_variance(const dpn_norm_ball *ball, double *out) {
    return block_variance(ball, out, false);
}

static bool product_variance(const dpn_norm_ball *ball, double *out) {
    return block_variance(ball, out, true);
}

const dpn_norm_ball_kind dpn_norm_ball_kind_sum = {.name = "sum",
                                                   .norm = sum_norm,
                                                   .norm_upper = sum_norm_upper,
                                                   .support = sum_support,
                                                   .log_volume = sum_log_volume,
                                                   .half_widths = block_half_widths,
                                                   .variance = sum_variance};
const dpn_norm_ball_kind dpn_norm_ball_kind_product = {.name = "product",
                                                       .norm = product_norm,
                                                       .norm_upper = product_norm_upper,
                                                       .support = product_support,
                                                       .log_volume = product_log_volume,
                                                       .half_widths = block_half_widths,
                                                       .variance = product_variance};
const dpn_norm_ball_kind dpn_norm_ball_kind_intersection = {.name = "intersection",
                                                            .norm = intersection_norm,
                                                            .norm_upper = intersection_norm_upper,
                                                            .support = dpn_ball_no_number,
                                                            .log_volume = dpn_ball_no_volume,
                                                            .half_widths = intersection_half_widths,
                                                            .variance = dpn_ball_no_variance};

static dpn_status make(dpn_norm_ball **out, const dpn_norm_ball_kind *kind, dpn_norm_ball *const *part, size_t count,
                       dpn_error *why) {
    if (part == NULL || count == 0) return dpn_fail(why, DPN_EDOMAIN, "a ball made of balls needs at least one");
    size_t dimension = 0;
    for (size_t i = 0; i < count; i++) {
        if (kind == &dpn_norm_ball_kind_intersection && part[i]->dimension != part[0]->dimension)
            return dpn_fail(why, DPN_EDOMAIN, "balls of %zu and %zu dimensions have no intersection",
                            part[0]->dimension, part[i]->dimension);
        dimension = kind == &dpn_norm_ball_kind_intersection ? part[i]->dimension : dimension + part[i]->dimension;
    }
    if (dimension > (size_t)1 << 24)
        return dpn_fail(why, DPN_EDOMAIN, "a ball has 1 to 2^24 dimensions, not %zu", dimension);
    dpn_norm_ball *ball = dpn_ball_begin(kind, dimension);
    if (ball == NULL) return dpn_ball_no_memory(ball, why);
    ball->part = calloc(count, sizeof *ball->part);
    if (ball->part == NULL) return dpn_ball_no_memory(ball, why);
    memcpy(ball->part, part, count * sizeof *part);
    ball->parts = count;
    *out = ball;
    return DPN_OK;
}

dpn_status dpn_ball_sum(dpn_norm_ball **out, dpn_norm_ball *const *part, size_t count, dpn_error *why) {
    return make(out, &dpn_norm_ball_kind_sum, part, count, why);
}

dpn_status dpn_ball_product(dpn_norm_ball **out, dpn_norm_ball *const *part, size_t count, dpn_error *why) {
    return make(out, &dpn_norm_ball_kind_product, part, count, why);
}

dpn_status dpn_ball_intersection(dpn_norm_ball **out, dpn_norm_ball *const *part, size_t count, dpn_error *why) {
    return make(out, &dpn_norm_ball_kind_intersection, part, count, why);
}
