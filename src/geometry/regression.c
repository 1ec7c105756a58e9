/* K_2, K_3 and the ball of linear regression (Awan and Slavkovic 2021, Example 2.10 and section 5, corrected). */
#include <math.h>
#include <stdlib.h>

#include "base/error.h"
#include "geometry/ball.h"

/* ---- K_2: |u2| <= 2, and <= 2 - 2 (|u1| - 1)^2 where |u1| > 1 ---- */

double dpn_k2_norm(double u1, double u2) {
    double a = fabs(u1), c = fabs(u2);
    return c <= 2 * a && a > 0 ? 2 * a * (a / (4 * a - c)) : c / 2;
}

static double k2_norm(const dpn_norm_ball *ball, const double *u) {
    (void)ball;
    return dpn_k2_norm(u[0], u[1]);
}

static double k2_norm_upper(const dpn_norm_ball *ball, const double *u) {
    return dpn_rounded_up(k2_norm(ball, u), 8, 0);
}

/* The largest of c.u on the flat part, at (1, 2), and on the arc (a, 2 - 2 (a-1)^2), 1 <= a <= 2. */
static double k2_support(const dpn_norm_ball *ball, const double *c) {
    (void)ball;
    double x = fabs(c[0]), y = fabs(c[1]);
    double rise = y > 0 ? fmin(x / (4 * y), 1) : 1; /* a - 1 */
    return x * (1 + rise) + y * (2 - 2 * rise * rise);
}

static double k2_log_volume(const dpn_norm_ball *ball) {
    (void)ball;
    return log(40.0 / 3);
}

static void k2_half_widths(const dpn_norm_ball *ball, double *out) {
    (void)ball;
    out[0] = out[1] = 2;
}

/* 12 E U_i^2 on a quarter, of area 10/3, with t = u1 - 1 on the arc: int u1^2 = 2/3 + int (1+t)^2 (2 - 2t^2) dt and
 * int u2^2 = 8/3 + int (2 - 2t^2)^3/3 dt. */
static bool k2_variance(const dpn_norm_ball *ball, double *out) {
    (void)ball;
    double area = 10.0 / 3;
    out[0] = 12 * (2.0 / 3 + 13.0 / 5) / area;
    out[1] = 12 * (8.0 / 3 + 128.0 / 105) / area;
    return true;
}

const dpn_norm_ball_kind dpn_norm_ball_kind_k2 = {.name = "K_2",
                                                  .norm = k2_norm,
                                                  .norm_upper = k2_norm_upper,
                                                  .support = k2_support,
                                                  .log_volume = k2_log_volume,
                                                  .half_widths = k2_half_widths,
                                                  .variance = k2_variance};

dpn_status dpn_ball_k2(dpn_norm_ball **out, dpn_error *why) {
    dpn_norm_ball *ball = dpn_ball_begin(&dpn_norm_ball_kind_k2, 2);
    if (ball == NULL) return dpn_ball_no_memory(ball, why);
    *out = ball;
    return DPN_OK;
}

/* ---- K_3: the cuboctahedron ---- */

dpn_status dpn_ball_k3(dpn_norm_ball **out, dpn_error *why) {
    static const double vertex[] = {2, 2, 0, 2, -2, 0, 2, 0, 2, 2, 0, -2, 0, 2, 2, 0, 2, -2};
    return dpn_ball_hull(out, 3, vertex, 6, why);
}

/* ---- Regression ---- */

static double k3_norm(double a, double b, double c) {
    a = fabs(a), b = fabs(b), c = fabs(c);
    return fmax(fmax(fmax(a, b), c) / 2, (a + b + c) / 4);
}

/* u is: p sums of x, the sum of y, p sums of 2 x^2, pairs x_j x_k, p sums of x y. */
static double regression_norm(const dpn_norm_ball *ball, const double *u) {
    size_t p = ball->predictors;
    const double *x = u, *square = u + p + 1, *pair = square + p, *cross = pair + p * (p - 1) / 2;
    double most = 0;
    for (size_t j = 0; j < p; j++) {
        most = fmax(most, dpn_k2_norm(x[j], square[j]));
        most = fmax(most, k3_norm(x[j], u[p], cross[j]));
        for (size_t k = j + 1; k < p; k++) most = fmax(most, k3_norm(x[j], x[k], *pair++));
    }
    return most;
}

static double regression_norm_upper(const dpn_norm_ball *ball, const double *u) {
    return dpn_rounded_up(regression_norm(ball, u), 8, 0);
}

static void regression_half_widths(const dpn_norm_ball *ball, double *out) {
    for (size_t i = 0; i < ball->dimension; i++) out[i] = 2;
}

const dpn_norm_ball_kind dpn_norm_ball_kind_regression = {.name = "regression",
                                                          .norm = regression_norm,
                                                          .norm_upper = regression_norm_upper,
                                                          .support = dpn_ball_no_number,
                                                          .log_volume = dpn_ball_no_volume,
                                                          .half_widths = regression_half_widths,
                                                          .variance = dpn_ball_no_variance};

dpn_status dpn_ball_regression(dpn_norm_ball **out, size_t predictors, dpn_error *why) {
    if (predictors == 0 || predictors > 100) return dpn_fail(why, DPN_EDOMAIN, "regression has 1 to 100 predictors");
    size_t p = predictors;
    dpn_norm_ball *ball = dpn_ball_begin(&dpn_norm_ball_kind_regression, p + 1 + p + p * (p - 1) / 2 + p);
    if (ball == NULL) return dpn_ball_no_memory(ball, why);
    ball->predictors = p;
    *out = ball;
    return DPN_OK;
}
