/* Hit-and-run (Smith 1984): a chain of points of the ball, each uniform on a chord through the one before. Its law comes
 * near the uniform one as the steps grow and is never it; numbers are doubles. */
#include <math.h>
#include <stdlib.h>

#include "base/error.h"
#include "geometry/ball.h"
#include "random/source.h"

static const double tau = 6.283185307179586;

static bool draw_direction(double *d, const double *half, size_t m, dpn_rng *rng) {
    for (size_t i = 0; i < m; i++) {
        double u, angle;
        if (!dpn_uniform(rng, &u) || !dpn_uniform(rng, &angle)) return false;
        d[i] = half[i] * sqrt(-2 * log(u)) * cos(tau * angle);
    }
    return true;
}

/* The largest t with |x + t d| <= 1, nearly: |x + t d| >= t |d| - 1, and the norm is convex. */
static double reach(const dpn_norm_ball *ball, const double *x, const double *d, double sign, double *at) {
    double low = 0, high = 2 / ball->kind->norm(ball, d);
    for (int step = 0; step < 50; step++) {
        double middle = (low + high) / 2;
        for (size_t i = 0; i < ball->dimension; i++) at[i] = x[i] + sign * middle * d[i];
        if (ball->kind->norm(ball, at) <= 1)
            low = middle;
        else
            high = middle;
    }
    return low;
}

static dpn_status walk(double *x, const dpn_norm_ball *ball, const double *half, size_t steps, double *work,
                       dpn_rng *rng, dpn_error *why) {
    size_t m = ball->dimension;
    double *d = work, *at = work + m, share;
    for (size_t step = 0; step < steps; step++) {
        if (!draw_direction(d, half, m, rng) || !dpn_uniform(rng, &share)) return dpn_rng_failure(rng, why);
        double forth = reach(ball, x, d, 1, at), back = reach(ball, x, d, -1, at);
        if (!(isfinite(forth) && isfinite(back)))
            return dpn_fail(why, DPN_EACCURACY, "the norm of a random direction has no value");
        for (size_t i = 0; i < m; i++) x[i] += (share * (forth + back) - back) * d[i];
    }
    return DPN_OK;
}

/* x times a gamma variable of shape m + 1 over the rate. */
static dpn_status spread(double *out, const double *x, size_t m, double rate, dpn_rng *rng, dpn_error *why) {
    double radius = 0, u;
    for (size_t i = 0; i <= m; i++) {
        if (!dpn_uniform(rng, &u)) return dpn_rng_failure(rng, why);
        radius -= log(u);
    }
    for (size_t i = 0; i < m; i++) out[i] = x[i] * radius / rate;
    return DPN_OK;
}

dpn_status dpn_ball_hit_and_run(double *out, size_t count, const dpn_norm_ball *ball, double rate, size_t steps,
                                dpn_rng *rng, dpn_error *why) {
    if (out == NULL || ball == NULL || rng == NULL || steps == 0 || !(rate > 0 && isfinite(rate)))
        return dpn_fail(why, DPN_EDOMAIN, "hit-and-run needs a ball, a rate, steps, a random source and a place");
    size_t m = ball->dimension;
    double *work = calloc(4 * m, sizeof *work);
    double *value = count < SIZE_MAX / sizeof *value / m ? calloc(count * m + 1, sizeof *value) : NULL;
    dpn_status status = work && value ? DPN_OK : dpn_fail(why, DPN_ENOMEM, "there is no memory for draws");
    if (!status) ball->kind->half_widths(ball, work);
    for (size_t k = 0; k < count && !status; k++) {
        status = walk(work + m, ball, work, steps, work + 2 * m, rng, why);
        if (!status) status = spread(value + k * m, work + m, m, rate, rng, why);
    }
    for (size_t i = 0; i < count * m && !status; i++) out[i] = value[i];
    free(work);
    free(value);
    return status;
}
