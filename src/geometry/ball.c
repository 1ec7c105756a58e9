/* What all balls share. */
#define _DEFAULT_SOURCE /* lgamma_r */
#include "geometry/ball.h"

#include <math.h>
#include <stdlib.h>

#include "base/error.h"
#include "random/source.h"

double dpn_ball_no_number(const dpn_norm_ball *ball, const double *u) {
    (void)ball, (void)u;
    return NAN;
}

double dpn_ball_no_volume(const dpn_norm_ball *ball) {
    (void)ball;
    return NAN;
}

bool dpn_ball_no_variance(const dpn_norm_ball *ball, double *out) {
    (void)ball, (void)out;
    return false;
}

dpn_norm_ball *dpn_ball_begin(const dpn_norm_ball_kind *kind, size_t dimension) {
    dpn_norm_ball *ball = calloc(1, sizeof *ball);
    if (ball == NULL) return NULL;
    ball->kind = kind;
    ball->dimension = dimension;
    return ball;
}

dpn_status dpn_ball_no_memory(dpn_norm_ball *ball, dpn_error *why) {
    dpn_ball_free(ball);
    return dpn_fail(why, DPN_ENOMEM, "there is no memory for a ball");
}

void dpn_ball_free(dpn_norm_ball *ball) {
    if (ball == NULL) return;
    for (size_t i = 0; i < ball->parts; i++) dpn_ball_free(ball->part[i]);
    free(ball->part);
    free(ball->weight);
    free(ball->facet);
    free(ball->vertex);
    free(ball->vertex_of);
    free(ball->matrix);
    free(ball->inverse);
    free(ball->half_width);
    dpn_hull_free(&ball->hull);
    free(ball);
}

size_t dpn_ball_dimension(const dpn_norm_ball *ball) {
    return ball == NULL ? 0 : ball->dimension;
}

static bool is_finite(const dpn_norm_ball *ball, const double *u) {
    for (size_t i = 0; i < ball->dimension; i++)
        if (!isfinite(u[i])) return false;
    return true;
}

double dpn_ball_norm(const dpn_norm_ball *ball, const double *u) {
    return is_finite(ball, u) ? ball->kind->norm(ball, u) : NAN;
}

dpn_status dpn_ball_norm_upper(double *out, const dpn_norm_ball *ball, const double *u, dpn_error *why) {
    if (!is_finite(ball, u)) return dpn_fail(why, DPN_EDOMAIN, "a vector must be finite");
    double upper = ball->kind->norm_upper(ball, u);
    if (isnan(upper))
        return dpn_fail(why, DPN_EUNSUPPORTED,
                        "a ball known by its members alone backs no guarantee: give its vertices or a formula");
    bool zero = true;
    for (size_t i = 0; i < ball->dimension; i++) zero = zero && u[i] == 0;
    *out = zero ? 0 : fmax(upper, 0x1p-900); /* below that, products may have vanished */
    return DPN_OK;
}

bool dpn_ball_contains(const dpn_norm_ball *ball, const double *u) {
    if (!is_finite(ball, u)) return false;
    double upper = ball->kind->norm_upper(ball, u);
    return (isnan(upper) ? ball->kind->norm(ball, u) : upper) <= 1;
}

double dpn_ball_support(const dpn_norm_ball *ball, const double *c) {
    return is_finite(ball, c) ? ball->kind->support(ball, c) : NAN;
}

void dpn_ball_half_widths(double *out, const dpn_norm_ball *ball) {
    ball->kind->half_widths(ball, out);
}

double dpn_log_gamma(double x) {
    int sign;
    return lgamma_r(x, &sign);
}

double dpn_rounded_up(double value, size_t terms, double margin) {
    if (value == 0) return 0;
    return nextafter(value * (1 + ((double)terms + 8) * 0x1p-52 + margin), INFINITY);
}

double dpn_knorm_entropy(size_t dimension, double scale, double log_volume) {
    double m = (double)dimension;
    return m * (1 + log(scale)) + dpn_log_gamma(m + 1) + log_volume;
}

double dpn_knorm_conditional_variance(const dpn_norm_ball *ball, double scale, const double *direction) {
    double length = 0, m = (double)ball->dimension;
    for (size_t i = 0; i < ball->dimension; i++) length = hypot(length, direction[i]);
    double norm = dpn_ball_norm(ball, direction) / length;
    return m * (m + 1) * scale * scale / (norm * norm);
}

bool dpn_uniform(dpn_rng *rng, double *out) {
    uint64_t word;
    if (!dpn_rng_word(rng, &word)) return false;
    *out = ((double)(word >> 12) + 0.5) * 0x1p-52;
    return true;
}
