/* Variances and expected losses of the mechanism: by formula, by quadrature in two dimensions, else by random vectors.
 * */
#include <math.h>
#include <stdlib.h>

#include "base/error.h"
#include "geometry/ball.h"
#include "random/source.h"

/* ---- Two dimensions: in polar coordinates the ball is r <= 1/|(cos, sin)|_K ---- */

/* What is integrated over the angle: with rho = 1/|e|_K, area rho^2/2, and of U: rho^3/3 |e|_q, rho^4/4 e_i^2. */
typedef enum integrand { AREA, FIRST, SECOND, L1, L2, LINF, INTEGRANDS } integrand;

static double at_angle(const dpn_norm_ball *ball, double angle, integrand what) {
    double e[2] = {cos(angle), sin(angle)}, rho = 1 / ball->kind->norm(ball, e), x = fabs(e[0]), y = fabs(e[1]);
    switch (what) {
    case AREA:
        return rho * rho / 2;
    case FIRST:
        return pow(rho, 4) / 4 * x * x;
    case SECOND:
        return pow(rho, 4) / 4 * y * y;
    case L1:
        return pow(rho, 3) / 3 * (x + y);
    case L2:
        return pow(rho, 3) / 3;
    default:
        return pow(rho, 3) / 3 * fmax(x, y);
    }
}

/* Adaptive Simpson. */
static double simpson(const dpn_norm_ball *ball, integrand what, double a, double b, double fa, double fm, double fb,
                      double whole, double tolerance, int depth) {
    double m = (a + b) / 2, f1 = at_angle(ball, (a + m) / 2, what), f2 = at_angle(ball, (m + b) / 2, what);
    double left = (m - a) / 6 * (fa + 4 * f1 + fm), right = (b - m) / 6 * (fm + 4 * f2 + fb);
    double change = left + right - whole;
    if (depth == 0 || fabs(change) <= 15 * tolerance) return left + right + change / 15;
    return simpson(ball, what, a, m, fa, f1, fm, left, tolerance / 2, depth - 1) +
           simpson(ball, what, m, b, fm, f2, fb, right, tolerance / 2, depth - 1);
}

/* Half a turn suffices; it begins at an odd angle, so that no vertex is hit on purpose. The ball is first scaled to a
 * unit box, in effect, by angles that are equal steps of atan(y/h2, x/h1): narrow balls would hide from equal angles.
 * */
static double half_turn(const dpn_norm_ball *ball, integrand what, const double half[2]) {
    enum { PANELS = 64 };
    const double pi = 3.14159265358979323846;
    double sum = 0, rough = 0;
    for (int pass = 0; pass < 2; pass++) {
        sum = 0;
        for (int k = 0; k < PANELS; k++) {
            double t0 = pi * k / PANELS, t1 = pi * (k + 1) / PANELS;
            double a = atan2(half[1] * sin(t0), half[0] * cos(t0)), b = atan2(half[1] * sin(t1), half[0] * cos(t1));
            double fa = at_angle(ball, a, what), fm = at_angle(ball, (a + b) / 2, what), fb = at_angle(ball, b, what);
            double whole = (b - a) / 6 * (fa + 4 * fm + fb);
            if (pass == 0)
                sum += whole;
            else
                sum += simpson(ball, what, a, b, fa, fm, fb, whole, rough * 1e-12 / PANELS, 40);
        }
        rough = sum;
    }
    return sum;
}

static void in_the_plane(dpn_mean_norms *out, double *variance, const dpn_norm_ball *ball) {
    double value[INTEGRANDS], half[2];
    ball->kind->half_widths(ball, half);
    for (int i = 0; i < INTEGRANDS; i++) value[i] = half_turn(ball, (integrand)i, half);
    /* E R = 3, E R^2 = 12 for R ~ Gamma(3). */
    out->l1 = 3 * value[L1] / value[AREA];
    out->l2 = 3 * value[L2] / value[AREA];
    out->linf = 3 * value[LINF] / value[AREA];
    variance[0] = 12 * value[FIRST] / value[AREA];
    variance[1] = 12 * value[SECOND] / value[AREA];
}

/* ---- Random vectors ---- */

/* Sums of a loss and of its square. */
typedef struct mean {
    double sum, squares;
} mean;

static void take(mean *to, double value) {
    to->sum += value;
    to->squares += value * value;
}

static double mean_of(const mean *from, double n, double *error) {
    double value = from->sum / n;
    *error = sqrt(fmax(0, from->squares / n - value * value) / n);
    return value;
}

/* Where vectors come from: exact noise on a fine grid, or points of the box that lie in the ball times a radius. */
typedef struct spring {
    const dpn_norm_ball *ball;
    dpn_ball_sampler *sampler;
    double *half;
    int *grid;
    int64_t *steps;
} spring;

static dpn_status open_spring(spring *to, const dpn_norm_ball *ball, dpn_error *why) {
    size_t m = ball->dimension;
    *to = (spring){.ball = ball,
                   .half = calloc(m, sizeof(double)),
                   .grid = calloc(m, sizeof(int)),
                   .steps = calloc(m, sizeof(int64_t))};
    if (!to->half || !to->grid || !to->steps) return dpn_fail(why, DPN_ENOMEM, "there is no memory for random vectors");
    ball->kind->half_widths(ball, to->half);
    for (size_t i = 0; i < m; i++) {
        frexp(to->half[i], &to->grid[i]);
        to->grid[i] -= 16;
    }
    dpn_status status = dpn_ball_sampler_new(&to->sampler, ball, 1, to->grid, why);
    return status == DPN_EUNSUPPORTED ? DPN_OK : status; /* then by rejection */
}

static void close_spring(spring *from) {
    dpn_ball_sampler_free(from->sampler);
    free(from->half);
    free(from->grid);
    free(from->steps);
}

static dpn_status reject(double *v, const spring *from, dpn_rng *rng, dpn_error *why) {
    size_t m = from->ball->dimension;
    double radius = 0, x;
    for (long tries = 0;; tries++) {
        if (tries == 20000000)
            return dpn_fail(why, DPN_EACCURACY,
                            "fewer than one random point in a million lies in the ball: no vector was found");
        for (size_t i = 0; i < m; i++) {
            if (!dpn_uniform(rng, &x)) return dpn_rng_failure(rng, why);
            v[i] = (2 * x - 1) * from->half[i];
        }
        if (from->ball->kind->norm(from->ball, v) <= 1) break;
    }
    for (size_t i = 0; i <= m; i++) {
        if (!dpn_uniform(rng, &x)) return dpn_rng_failure(rng, why);
        radius -= log(x);
    }
    for (size_t i = 0; i < m; i++) v[i] *= radius;
    return DPN_OK;
}

static dpn_status draw(double *v, const spring *from, dpn_rng *rng, dpn_error *why) {
    if (from->sampler == NULL) return reject(v, from, rng, why);
    dpn_status status = dpn_ball_sampler_draw(from->steps, from->sampler, rng, why);
    for (size_t i = 0; i < from->ball->dimension && !status; i++) v[i] = ldexp((double)from->steps[i], from->grid[i]);
    return status;
}

static dpn_status by_vectors(dpn_mean_norms *out, double *variance, const dpn_norm_ball *ball, dpn_rng *rng,
                             size_t points, dpn_error *why) {
    size_t m = ball->dimension;
    spring from;
    mean losses[3] = {{0, 0}}, *squares = calloc(m, sizeof *squares);
    double *v = calloc(m, sizeof *v), n = (double)points;
    dpn_status status = open_spring(&from, ball, why);
    if (!status && (!squares || !v)) status = dpn_fail(why, DPN_ENOMEM, "there is no memory for random vectors");
    for (size_t k = 0; k < points && !status; k++) {
        double l1 = 0, l2 = 0, linf = 0;
        status = draw(v, &from, rng, why);
        for (size_t i = 0; i < m && !status; i++) {
            l1 += fabs(v[i]);
            l2 += v[i] * v[i];
            linf = fmax(linf, fabs(v[i]));
            take(&squares[i], v[i] * v[i]);
        }
        take(&losses[0], l1);
        take(&losses[1], sqrt(l2));
        take(&losses[2], linf);
    }
    if (!status) {
        out->l1 = mean_of(&losses[0], n, &out->l1_error);
        out->l2 = mean_of(&losses[1], n, &out->l2_error);
        out->linf = mean_of(&losses[2], n, &out->linf_error);
        out->variance_error = 0;
        for (size_t i = 0; i < m; i++) {
            double error;
            variance[i] = mean_of(&squares[i], n, &error);
            out->variance_error = fmax(out->variance_error, error / variance[i]);
        }
    }
    close_spring(&from);
    free(squares);
    free(v);
    return status;
}

/* (m+1) E|U_i|, summed over coordinates. */
static double lp_l1_loss(const dpn_norm_ball *ball) {
    double m = (double)ball->dimension, p = ball->p, sum = 0;
    double first = isinf(p) ? 0.5
                            : exp(dpn_log_gamma(2 / p) - dpn_log_gamma(1 / p) + dpn_log_gamma(m / p + 1) -
                                  dpn_log_gamma((m + 1) / p + 1));
    for (size_t i = 0; i < ball->dimension; i++) sum += ball->weight[i];
    return (m + 1) * first * sum;
}

dpn_status dpn_ball_mean_norms(dpn_mean_norms *out, double *variance, const dpn_norm_ball *ball, double scale,
                               dpn_rng *rng, size_t points, dpn_error *why) {
    if (!(scale > 0 && isfinite(scale))) return dpn_fail(why, DPN_EDOMAIN, "the scale must be positive and finite");
    dpn_mean_norms found = {0};
    double *square = calloc(ball->dimension, sizeof *square);
    if (square == NULL) return dpn_fail(why, DPN_ENOMEM, "there is no memory for variances");
    dpn_status status = DPN_OK;
    if (ball->dimension == 2)
        in_the_plane(&found, square, ball);
    else if (rng == NULL || points == 0)
        status = dpn_fail(why, DPN_EDOMAIN,
                          "losses in more than two dimensions need a random source and a number of vectors");
    else
        status = by_vectors(&found, square, ball, rng, points, why);
    if (!status && ball->kind->variance(ball, square)) found.variance_error = 0;
    if (!status && ball->kind == &dpn_norm_ball_kind_lp) {
        found.l1 = lp_l1_loss(ball);
        found.l1_error = 0;
    }
    for (size_t i = 0; i < ball->dimension && !status; i++) variance[i] = square[i] * scale * scale;
    free(square);
    if (status) return status;
    *out =
        (dpn_mean_norms){found.l1 * scale,       found.l2 * scale,         found.linf * scale,  found.l1_error * scale,
                         found.l2_error * scale, found.linf_error * scale, found.variance_error};
    return DPN_OK;
}
