/* Speed of exact joint draws: million coordinates a second of processor time, and the ratios that matter: start boxes and random boxes to the box
 * (target 0.5), the l2 ball to independent Laplace draws (target 0.8 at 100 coordinates). * marks what is below.
 *
 * usage: bench-vector
 */
#define _POSIX_C_SOURCE 200809L /* clock_gettime */
#include <dpnoise/sampler.h>
#include <dpnoise/vector-sampler.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

enum { MOST = 100, COORDINATES = 1000000, TRIALS = 3 };

static double processor_time(void) {
    struct timespec t;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

static int64_t sum;

/* Million coordinates a second; frees the sampler. */
static double speed(dpn_vector_sampler *sampler, size_t count, dpn_rng *rng) {
    int64_t out[MOST];
    double least = INFINITY;
    if (!sampler) return NAN;
    for (int trial = 0; trial < TRIALS; trial++) {
        double from = processor_time();
        for (size_t done = 0; done < COORDINATES; done += count) {
            if (dpn_vector_sampler_draw(out, sampler, rng, NULL)) return NAN;
            sum += out[0];
        }
        least = fmin(least, processor_time() - from);
    }
    dpn_vector_sampler_free(sampler);
    return 1e-6 * COORDINATES / least;
}

static double independent(size_t count, dpn_rng *rng) {
    dpn_law law;
    dpn_sampler *sampler;
    int64_t out[MOST];
    double least = INFINITY;
    if (dpn_law_parse(&law, "laplace(scale=1)", NULL) || dpn_sampler_new(&sampler, &law, -20, NULL)) return NAN;
    for (int trial = 0; trial < TRIALS; trial++) {
        double from = processor_time();
        for (size_t done = 0; done < COORDINATES; done += count) {
            if (dpn_sampler_draw(out, sampler, rng, count, NULL)) return NAN;
            sum += out[0];
        }
        least = fmin(least, processor_time() - from);
    }
    dpn_sampler_free(sampler);
    return 1e-6 * COORDINATES / least;
}

static void print(const char *what, double value, double other, double target) {
    printf("  %-16s %8.2f %8.2f%c\n", what, value, value / other, value / other < target ? '*' : ' ');
}

static void bench(size_t count, dpn_rng *rng) {
    double side[MOST], c[MOST], beta[MOST];
    int grid[MOST];
    dpn_vector_sampler *s = NULL;
    for (size_t i = 0; i < count; i++) {
        side[i] = 1;
        c[i] = 0.5 + 0.1 * (double)i;
        beta[i] = 0.06;
        grid[i] = -16;
    }
    double box = dpn_vector_sampler_lp(&s, count, INFINITY, side, 1, grid, NULL) ? NAN : speed(s, count, rng);
    double apart = independent(count, rng);
    printf("%zu coordinates: box %.2f, independent laplace %.2f\n", count, box, apart);
    for (int stairs = 0; stairs < 2; stairs++)
        if (!dpn_vector_sampler_start(&s, count, side, c, stairs, 1, grid, NULL))
            print(stairs ? "start-staircase" : "start-box", speed(s, count, rng), box, 0.5);
    for (size_t i = 0; i < count; i++) c[i] = 1;
    if (!dpn_vector_sampler_random_box(&s, count, side, 0.6, c, beta, grid, NULL))
        print("random-box", speed(s, count, rng), box, 0.5);
    if (!dpn_vector_sampler_lp(&s, count, 2, side, 1, grid, NULL))
        print("l2, to laplace", speed(s, count, rng), apart, count == 100 ? 0.8 : 0);
}

int main(void) {
    dpn_rng *rng;
    if (dpn_rng_new(&rng, NULL)) return 0;
    puts("million coordinates a second, and the ratio to the box or to independent draws (* below the target)");
    bench(2, rng);
    bench(20, rng);
    bench(100, rng);
    dpn_rng_free(rng);
    return sum == 1 ? 1 : 0;
}
