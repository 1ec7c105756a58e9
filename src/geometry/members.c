/* Balls known by a function that tells their members. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "geometry/ball.h"

/* Bisect the largest t with t u in the ball; a norm is 1/t. */
static double norm(const dpn_norm_ball *ball, const double *u) {
    double low = 0, high = INFINITY, length = 0;
    double *at = malloc(ball->dimension * sizeof *at);
    if (at == NULL) return NAN;
    for (size_t i = 0; i < ball->dimension; i++) {
        length = hypot(length, u[i]);
        if (u[i] != 0) high = fmin(high, ball->half_width[i] / fabs(u[i]));
    }
    if (length > 0) low = ball->p / length; /* the inner radius */
    for (int step = 0; step < 200 && length > 0 && high - low > 1e-14 * high; step++) {
        double middle = low > 0 && high > 4 * low ? sqrt(low) * sqrt(high) : low + (high - low) / 2;
        for (size_t i = 0; i < ball->dimension; i++) at[i] = middle * u[i];
        if (ball->contains(ball->context, at))
            low = middle;
        else
            high = middle;
    }
    free(at);
    return length > 0 ? 2 / (low + high) : 0;
}

static void half_widths(const dpn_norm_ball *ball, double *out) {
    memcpy(out, ball->half_width, ball->dimension * sizeof *out);
}

const dpn_norm_ball_kind dpn_norm_ball_kind_members = {.name = "members",
                                                       .norm = norm,
                                                       .norm_upper = dpn_ball_no_number,
                                                       .support = dpn_ball_no_number,
                                                       .log_volume = dpn_ball_no_volume,
                                                       .half_widths = half_widths,
                                                       .variance = dpn_ball_no_variance};

dpn_status dpn_ball_members(dpn_norm_ball **out, size_t dimension, const double *half_width, double inner,
                            bool (*contains)(void *context, const double *u), void *context, dpn_error *why) {
    if (dimension == 0 || half_width == NULL || contains == NULL || !(inner > 0))
        return dpn_fail(why, DPN_EDOMAIN,
                        "a ball known by its members needs half widths, an inner radius and a function");
    for (size_t i = 0; i < dimension; i++)
        if (!(half_width[i] >= inner && isfinite(half_width[i])))
            return dpn_fail(why, DPN_EDOMAIN, "half width %zu must be finite and at least the inner radius", i);
    dpn_norm_ball *ball = dpn_ball_begin(&dpn_norm_ball_kind_members, dimension);
    if (ball == NULL) return dpn_ball_no_memory(ball, why);
    ball->half_width = calloc(dimension, sizeof *half_width);
    if (ball->half_width == NULL) return dpn_ball_no_memory(ball, why);
    memcpy(ball->half_width, half_width, dimension * sizeof *half_width);
    ball->p = inner;
    ball->contains = contains;
    ball->context = context;
    *out = ball;
    return DPN_OK;
}
