/* Volumes: by formula, or by random points in the bounding box. */
#include <math.h>
#include <stdlib.h>

#include "base/error.h"
#include "geometry/ball.h"
#include "random/source.h"

/* The relative entropy of two coins. */
static double divergence(double p, double q) {
    double sum = 0;
    if (p > 0) sum += p * log(p / q);
    if (p < 1) sum += (1 - p) * log((1 - p) / (1 - q));
    return sum;
}

/* The coin on one side of the share seen that n tosses exclude at the level: P(share <= p) <= exp(-n divergence). */
static double excluded(double share, double n, double level, bool above) {
    double near = share, far = above ? 1 : 0;
    for (int i = 0; i < 100; i++) {
        double middle = (near + far) / 2;
        if (n * divergence(share, middle) > -log(level))
            far = middle;
        else
            near = middle;
    }
    return far;
}

static dpn_status count_members(size_t *out, const dpn_norm_ball *ball, const double *half, double *u, dpn_rng *rng,
                                size_t points, dpn_error *why) {
    size_t inside = 0;
    for (size_t k = 0; k < points; k++) {
        for (size_t i = 0; i < ball->dimension; i++) {
            double x;
            if (!dpn_uniform(rng, &x)) return dpn_rng_failure(rng, why);
            u[i] = (2 * x - 1) * half[i];
        }
        inside += ball->kind->norm(ball, u) <= 1;
    }
    *out = inside;
    return DPN_OK;
}

dpn_status dpn_ball_volume(dpn_volume *out, const dpn_norm_ball *ball, dpn_rng *rng, size_t points, dpn_error *why) {
    double log_volume = ball->kind->log_volume(ball);
    if (!isnan(log_volume)) {
        *out = (dpn_volume){log_volume, log_volume, log_volume, true, 1};
        return DPN_OK;
    }
    if (rng == NULL || points == 0)
        return dpn_fail(why, DPN_EDOMAIN,
                        "this ball has no formula for its volume: give a random source and a number of points");
    double *half = calloc(2 * ball->dimension, sizeof *half), box = 0;
    if (half == NULL) return dpn_fail(why, DPN_ENOMEM, "there is no memory for a volume");
    size_t inside = 0;
    ball->kind->half_widths(ball, half);
    for (size_t i = 0; i < ball->dimension; i++) box += log(2 * half[i]);
    dpn_status status = count_members(&inside, ball, half, half + ball->dimension, rng, points, why);
    free(half);
    if (status) return status;
    double n = (double)points, share = (double)inside / n;
    if (inside < 10 || share < 1e-6)
        return dpn_fail(why, DPN_EACCURACY,
                        "only %zu of %zu random points of its box lie in the ball, too few to tell its volume", inside,
                        points);
    *out = (dpn_volume){box + log(share), box + log(excluded(share, n, 5e-7, false)),
                        box + log(excluded(share, n, 5e-7, true)), false, share};
    return DPN_OK;
}
