/* Linear images: |v| = |A^-1 v|_K.
 *
 * The inverse X is computed in doubles and verified: if the rows of I - AX sum to at most 1/2, then A^-1 r = X (AX)^-1
 * r with |(AX)^-1 r|_inf <= 2 |r|_inf, so |A^-1 r|_K <= 2 |r|_inf sum_i |X e_i|_K. With r = v - A X v that bounds what
 * X v misses.
 */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "base/inverse.h"
#include "geometry/ball.h"

/* out = matrix u; if not NULL, error is a bound of the rounding in its largest entry. */
static void apply(double *out, const double *matrix, const double *u, size_t m, double *error) {
    double most = 0;
    for (size_t i = 0; i < m; i++) {
        double sum = 0, size = 0;
        for (size_t j = 0; j < m; j++) {
            sum += matrix[i * m + j] * u[j];
            size += fabs(matrix[i * m + j] * u[j]);
        }
        out[i] = sum;
        most = fmax(most, size * ((double)m + 2) * 0x1p-52);
    }
    if (error) *error = most;
}

enum { MOST = 64 };

static double norm(const dpn_norm_ball *ball, const double *u) {
    double inner[MOST];
    apply(inner, ball->inverse, u, ball->dimension, NULL);
    return ball->part[0]->kind->norm(ball->part[0], inner);
}

static double norm_upper(const dpn_norm_ball *ball, const double *u) {
    double inner[MOST], back[MOST], error, largest = 0;
    size_t m = ball->dimension;
    apply(inner, ball->inverse, u, m, NULL);
    apply(back, ball->matrix, inner, m, &error);
    for (size_t i = 0; i < m; i++) largest = fmax(largest, fabs(u[i] - back[i]) + fabs(u[i]) * 0x1p-52);
    double upper = ball->part[0]->kind->norm_upper(ball->part[0], inner);
    return dpn_rounded_up(upper + 2 * (largest + error) * ball->column_norms, 4, 0);
}

static double support(const dpn_norm_ball *ball, const double *c) {
    double turned[MOST] = {0};
    size_t m = ball->dimension;
    for (size_t i = 0; i < m; i++)
        for (size_t j = 0; j < m; j++) turned[j] += ball->matrix[i * m + j] * c[i];
    return ball->part[0]->kind->support(ball->part[0], turned);
}

static double log_volume(const dpn_norm_ball *ball) {
    return ball->log_determinant + ball->part[0]->kind->log_volume(ball->part[0]);
}

static void half_widths(const dpn_norm_ball *ball, double *out) {
    double inner[MOST];
    size_t m = ball->dimension;
    ball->part[0]->kind->half_widths(ball->part[0], inner);
    for (size_t i = 0; i < m; i++) {
        double sum = 0;
        for (size_t j = 0; j < m; j++) sum += fabs(ball->matrix[i * m + j]) * inner[j];
        out[i] = dpn_rounded_up(sum, m, 0);
    }
}

/* Correlations would be needed. */
static bool variance(const dpn_norm_ball *ball, double *out) {
    (void)ball, (void)out;
    return false;
}

const dpn_norm_ball_kind dpn_norm_ball_kind_image = {.name = "image",
                                                     .norm = norm,
                                                     .norm_upper = norm_upper,
                                                     .support = support,
                                                     .log_volume = log_volume,
                                                     .half_widths = half_widths,
                                                     .variance = variance};

dpn_status dpn_ball_image(dpn_norm_ball **out, dpn_norm_ball *inner, const double *matrix, dpn_error *why) {
    size_t m = inner->dimension;
    if (m > MOST)
        return dpn_fail(why, DPN_EUNSUPPORTED, "linear images have up to %d dimensions; weights serve any", MOST);
    for (size_t i = 0; i < m * m; i++)
        if (!isfinite(matrix[i])) return dpn_fail(why, DPN_EDOMAIN, "a matrix must be finite");
    dpn_norm_ball *ball = dpn_ball_begin(&dpn_norm_ball_kind_image, m);
    if (ball == NULL) return dpn_ball_no_memory(ball, why);
    ball->matrix = calloc(m * m, sizeof *matrix);
    ball->inverse = calloc(m * m, sizeof *matrix);
    ball->part = calloc(1, sizeof *ball->part);
    if (!ball->matrix || !ball->inverse || !ball->part) return dpn_ball_no_memory(ball, why);
    double work[MOST * MOST];
    memcpy(ball->matrix, matrix, m * m * sizeof *matrix);
    memcpy(work, matrix, m * m * sizeof *matrix);
    bool inverted = dpn_matrix_invert(ball->inverse, &ball->log_determinant, work, m);
    if (inverted) ball->residual = dpn_matrix_residual_upper(matrix, ball->inverse, m);
    if (!inverted || !(ball->residual <= 0.5)) {
        dpn_ball_free(ball);
        return dpn_fail(why, DPN_EDOMAIN,
                        "the matrix is singular, or nearly: its image is flat; drop dependent coordinates and "
                        "recover them afterwards");
    }
    for (size_t j = 0; j < m; j++) {
        double column[MOST];
        for (size_t i = 0; i < m; i++) column[i] = ball->inverse[i * m + j];
        ball->column_norms += inner->kind->norm_upper(inner, column);
    }
    ball->part[0] = inner;
    ball->parts = 1;
    *out = ball;
    return DPN_OK;
}
