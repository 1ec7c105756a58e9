/* Speed of K-norm noise in processor time: vectors a second, and beside them the rate of as many independent exact
 * draws. And the time that hulls take to be set up. */
#define _POSIX_C_SOURCE 199309L
#include <dpnoise/geometry.h>
#include <dpnoise/sampler.h>

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

static double now(void) {
    struct timespec t;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

static void give_up(const char *sentence) {
    fprintf(stderr, "bench-geometry: %s\n", sentence);
    exit(1);
}

/* Vectors a second of a ball on the grid 2^-16. */
static double rate_of(const dpn_norm_ball *ball, dpn_rng *rng) {
    size_t m = dpn_ball_dimension(ball);
    int *grid = calloc(m, sizeof *grid);
    int64_t *steps = calloc(m, sizeof *steps);
    dpn_ball_sampler *sampler;
    dpn_error why;
    if (!grid || !steps) give_up("out of memory");
    for (size_t i = 0; i < m; i++) grid[i] = -16;
    if (dpn_ball_sampler_new(&sampler, ball, 1, grid, &why)) give_up(why.sentence);
    double start = now(), end = start;
    long count = 0;
    for (; end - start < 0.3; end = now())
        for (int k = 0; k < 10; k++, count++)
            if (dpn_ball_sampler_draw(steps, sampler, rng, &why)) give_up(why.sentence);
    dpn_ball_sampler_free(sampler);
    free(grid);
    free(steps);
    return (double)count / (end - start);
}

static double independent_rate(size_t m, dpn_rng *rng) {
    dpn_law law;
    dpn_sampler *sampler;
    dpn_error why;
    int64_t *steps = calloc(m, sizeof *steps);
    if (!steps || dpn_law_parse(&law, "laplace(scale=1)", &why) || dpn_sampler_new(&sampler, &law, -16, &why))
        give_up("no sampler");
    double start = now(), end = start;
    long count = 0;
    for (; end - start < 0.3; end = now())
        for (int k = 0; k < 10; k++, count++)
            if (dpn_sampler_draw(steps, sampler, rng, m, &why)) give_up(why.sentence);
    dpn_sampler_free(sampler);
    free(steps);
    return (double)count / (end - start);
}

static void time_lp(size_t m, double p, dpn_rng *rng) {
    dpn_norm_ball *ball;
    if (dpn_ball_lp(&ball, m, p, NULL, NULL)) give_up("no ball");
    double rate = rate_of(ball, rng), other = independent_rate(m, rng);
    printf("l%-5g %7zu  %12.0f vectors/s  %6.2f of independent draws\n", p, m, rate, rate / other);
    dpn_ball_free(ball);
}

/* Points around a sphere, from a small generator of their own. */
static void time_hull(size_t m, size_t points, dpn_rng *rng) {
    double *point = calloc(m * points, sizeof *point);
    uint64_t state = 1;
    dpn_error why;
    dpn_norm_ball *ball;
    if (!point) give_up("out of memory");
    for (size_t i = 0; i < points; i++) {
        double length = 0;
        for (size_t j = 0; j < m; j++) {
            double sum = -6;
            for (int k = 0; k < 12; k++) {
                state = state * UINT64_C(6364136223846793005) + 1442695040888963407;
                sum += (double)(state >> 11) * 0x1p-53;
            }
            point[i * m + j] = sum;
            length = hypot(length, sum);
        }
        for (size_t j = 0; j < m; j++) point[i * m + j] /= length;
    }
    double start = now();
    if (dpn_ball_hull(&ball, m, point, points, &why)) give_up(why.sentence);
    double made = now() - start, rate = rate_of(ball, rng);
    printf("hull   %7zu  %12.0f vectors/s  %zu vertices, %zu simplices, set up in %.3f s\n", m, rate,
           dpn_ball_vertices(ball), dpn_ball_facets(ball), made);
    dpn_ball_free(ball);
    free(point);
}

int main(void) {
    dpn_rng *rng;
    if (dpn_rng_new(&rng, NULL)) give_up("no random source");
    time_lp(10, INFINITY, rng);
    time_lp(100, INFINITY, rng);
    time_lp(100000, INFINITY, rng);
    time_lp(100, 1, rng);
    time_lp(10, 2, rng);
    time_lp(100, 2, rng);
    time_lp(100000, 2, rng);
    time_lp(100, 1.5, rng);
    time_hull(3, 100, rng);
    time_hull(5, 100, rng);
    time_hull(7, 20, rng);
    dpn_rng_free(rng);
    return 0;
}
