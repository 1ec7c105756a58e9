/* Hit-and-run (Smith 1984): a chain of points of the ball, each uniform on a chord through the one before. Its law comes
 * near the uniform one as the steps grow and is never it; numbers are doubles. Nothing of it may be released, which is why the
 * library has none of it. */
#include "knorm/hit-and-run.h"

#include <math.h>
#include <stdlib.h>

static const double tau = 6.283185307179586;

/* In (0, 1). */
static dpn_status uniform(double *out, dpn_rng *rng, dpn_error *why) {
    uint64_t word;
    dpn_status status = dpn_rng_words(&word, rng, 1, why);
    if (!status) *out = ((double)(word >> 12) + 0.5) * 0x1p-52;
    return status;
}

static dpn_status draw_direction(double *d, const double *half, size_t m, dpn_rng *rng, dpn_error *why) {
    dpn_status status = DPN_OK;
    for (size_t i = 0; i < m && !status; i++) {
        double u = 1, angle = 0;
        status = uniform(&u, rng, why);
        if (!status) status = uniform(&angle, rng, why);
        d[i] = half[i] * sqrt(-2 * log(u)) * cos(tau * angle);
    }
    return status;
}

/* The largest t with |x + t d| <= 1, nearly: |x + t d| >= t |d| - 1, and the norm is convex. */
static double reach(const dpn_norm_ball *ball, const double *x, const double *d, double sign, double *at) {
    size_t m = dpn_ball_dimension(ball);
    double low = 0, high = 2 / dpn_ball_norm(ball, d);
    for (int step = 0; step < 50; step++) {
        double middle = (low + high) / 2;
        for (size_t i = 0; i < m; i++) at[i] = x[i] + sign * middle * d[i];
        if (dpn_ball_norm(ball, at) <= 1)
            low = middle;
        else
            high = middle;
    }
    return low;
}

static dpn_status walk(double *x, const dpn_norm_ball *ball, const double *half, size_t steps, double *work,
                       dpn_rng *rng, dpn_error *why) {
    size_t m = dpn_ball_dimension(ball);
    double *d = work, *at = work + m, share;
    for (size_t step = 0; step < steps; step++) {
        dpn_status status = draw_direction(d, half, m, rng, why);
        if (!status) status = uniform(&share, rng, why);
        if (status) return status;
        double forth = reach(ball, x, d, 1, at), back = reach(ball, x, d, -1, at);
        if (!(isfinite(forth) && isfinite(back)))
            return refuse(why, DPN_EACCURACY, "the norm of a random direction has no value");
        for (size_t i = 0; i < m; i++) x[i] += (share * (forth + back) - back) * d[i];
    }
    return DPN_OK;
}

/* x times a gamma variable of shape m + 1 over the rate. */
static dpn_status spread(double *out, const double *x, size_t m, double rate, dpn_rng *rng, dpn_error *why) {
    double radius = 0, u;
    for (size_t i = 0; i <= m; i++) {
        dpn_status status = uniform(&u, rng, why);
        if (status) return status;
        radius -= log(u);
    }
    for (size_t i = 0; i < m; i++) out[i] = x[i] * radius / rate;
    return DPN_OK;
}

dpn_status hit_and_run(double *out, size_t count, const dpn_norm_ball *ball, double rate, size_t steps, dpn_rng *rng,
                       dpn_error *why) {
    size_t m = dpn_ball_dimension(ball);
    double *work = calloc(4 * m, sizeof *work);
    double *value = count < SIZE_MAX / sizeof *value / m ? calloc(count * m + 1, sizeof *value) : NULL;
    dpn_status status = work && value ? DPN_OK : refuse(why, DPN_ENOMEM, "out of memory");
    if (!status) dpn_ball_half_widths(work, ball);
    for (size_t k = 0; k < count && !status; k++) {
        status = walk(work + m, ball, work, steps, work + 2 * m, rng, why);
        if (!status) status = spread(value + k * m, work + m, m, rate, rng, why);
    }
    for (size_t i = 0; i < count * m && !status; i++) out[i] = value[i];
    free(work);
    free(value);
    return status;
}
