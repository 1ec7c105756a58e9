/* l_p balls with weights. */
#include <math.h>
#include <stdlib.h>

#include "base/error.h"
#include "geometry/ball.h"

/* |x_i/w_i|_p or |x_i w_i|_p, divided by its largest entry before powers are taken. */
static double scaled_norm(size_t count, const double *x, const double *weight, bool times, double p) {
    double largest = 0, sum = 0;
    for (size_t i = 0; i < count; i++) largest = fmax(largest, fabs(times ? x[i] * weight[i] : x[i] / weight[i]));
    if (largest == 0 || isinf(p)) return largest;
    for (size_t i = 0; i < count; i++) {
        double part = fabs(times ? x[i] * weight[i] : x[i] / weight[i]) / largest;
        sum += p == 1 ? part : p == 2 ? part * part : pow(part, p);
    }
    return largest * (p == 1 ? sum : p == 2 ? sqrt(sum) : pow(sum, 1 / p));
}

static double norm(const dpn_norm_ball *ball, const double *u) {
    return scaled_norm(ball->dimension, u, ball->weight, false, ball->p);
}

/* pow is trusted to 2^-43 of its value; the rest are a division, products and sums. */
static double norm_upper(const dpn_norm_ball *ball, const double *u) {
    bool plain = ball->p == 1 || ball->p == 2 || isinf(ball->p);
    return dpn_rounded_up(norm(ball, u), ball->dimension, plain ? 0 : 0x1p-40);
}

static double support(const dpn_norm_ball *ball, const double *c) {
    double p = ball->p, dual = p == 1 ? INFINITY : isinf(p) ? 1 : p / (p - 1);
    return scaled_norm(ball->dimension, c, ball->weight, true, dual);
}

/* (2 Gamma(1+1/p))^m/Gamma(1+m/p) times the weights. */
static double log_volume(const dpn_norm_ball *ball) {
    double m = (double)ball->dimension, p = ball->p, sum = m * log(2);
    if (!isinf(p)) sum += m * dpn_log_gamma(1 + 1 / p) - dpn_log_gamma(1 + m / p);
    for (size_t i = 0; i < ball->dimension; i++) sum += log(ball->weight[i]);
    return sum;
}

static void half_widths(const dpn_norm_ball *ball, double *out) {
    for (size_t i = 0; i < ball->dimension; i++) out[i] = ball->weight[i];
}

/* (m+1)(m+2) E U_i^2, from the Dirichlet integral. */
static bool variance(const dpn_norm_ball *ball, double *out) {
    double m = (double)ball->dimension, p = ball->p;
    double square = isinf(p) ? 1.0 / 3
                             : exp(dpn_log_gamma(3 / p) - dpn_log_gamma(1 / p) + dpn_log_gamma(m / p + 1) -
                                   dpn_log_gamma((m + 2) / p + 1));
    for (size_t i = 0; i < ball->dimension; i++)
        out[i] = (m + 1) * (m + 2) * square * ball->weight[i] * ball->weight[i];
    return true;
}

const dpn_norm_ball_kind dpn_norm_ball_kind_lp = {.name = "l_p",
                                                  .norm = norm,
                                                  .norm_upper = norm_upper,
                                                  .support = support,
                                                  .log_volume = log_volume,
                                                  .half_widths = half_widths,
                                                  .variance = variance};

dpn_status dpn_ball_lp(dpn_norm_ball **out, size_t dimension, double p, const double *weight, dpn_error *why) {
    if (dimension == 0 || dimension > (size_t)1 << 24)
        return dpn_fail(why, DPN_EDOMAIN, "a ball has 1 to 2^24 dimensions, not %zu", dimension);
    if (!(p >= 1) || (p > 1000 && !isinf(p)))
        return dpn_fail(why, DPN_EDOMAIN, "p must lie between 1 and 1000 or be infinite: below 1 there is no norm");
    for (size_t i = 0; weight && i < dimension; i++)
        if (!(weight[i] >= 0x1p-400 && weight[i] <= 0x1p400))
            return dpn_fail(why, DPN_EDOMAIN,
                            "weight %zu must be positive and finite; leave out a coordinate that cannot move", i);
    dpn_norm_ball *ball = dpn_ball_begin(&dpn_norm_ball_kind_lp, dimension);
    if (ball == NULL) return dpn_ball_no_memory(ball, why);
    ball->p = p;
    ball->weight = calloc(dimension, sizeof *ball->weight);
    if (ball->weight == NULL) return dpn_ball_no_memory(ball, why);
    for (size_t i = 0; i < dimension; i++) ball->weight[i] = weight ? weight[i] : 1;
    *out = ball;
    return DPN_OK;
}
