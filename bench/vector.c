/* Speed of exact joint draws: million coordinates a second of processor time, and the ratios that matter: start boxes and random boxes to the box
 * (target 0.5), the l2 ball to independent draws of Gaussian noise (target 0.8 at 100 coordinates). * marks what is below. All kinds take turns and each has
 * the best of its many short turns, so that what else the machine does has the same part in all of them.
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

enum { MOST = 100, COORDINATES = 100000, TURNS = 60 };

static double processor_time(void) {
    struct timespec t;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

static int64_t sum;

/* A kind of draws: of vectors, or independent ones. */
typedef struct kind {
    const char *name;
    dpn_vector_sampler *vectors;
    dpn_sampler *numbers;
    double least; /* seconds of a turn */
} kind;

enum { BOX, GAUSSIAN, LAPLACE, START_BOX, START_STAIRCASE, RANDOM_BOX, L2, KINDS };

static void take_turn(kind *self, size_t count, dpn_rng *rng) {
    int64_t out[MOST];
    double from = processor_time();
    for (size_t done = 0; done < COORDINATES; done += count) {
        dpn_status status = self->vectors ? dpn_vector_sampler_draw(out, self->vectors, rng, NULL)
                                          : dpn_sampler_draw(out, self->numbers, rng, count, NULL);
        if (status) return;
        sum += out[0];
    }
    self->least = fmin(self->least, processor_time() - from);
}

static bool make_numbers(kind *out, const char *text) {
    dpn_law law;
    return !dpn_law_parse(&law, text, NULL) && !dpn_sampler_new(&out->numbers, &law, -16, NULL);
}

static bool make(kind of[KINDS], size_t count) {
    double side[MOST], c[MOST], beta[MOST], one[MOST];
    int grid[MOST];
    for (size_t i = 0; i < count; i++) {
        side[i] = one[i] = 1;
        c[i] = 0.5 + 0.1 * (double)i;
        beta[i] = 0.06;
        grid[i] = -16;
    }
    return !dpn_vector_sampler_lp(&of[BOX].vectors, count, INFINITY, side, 1, grid, NULL) &&
           make_numbers(&of[GAUSSIAN], "gaussian(sigma=1)") && make_numbers(&of[LAPLACE], "laplace(scale=1)") &&
           !dpn_vector_sampler_start(&of[START_BOX].vectors, count, side, c, false, 1, grid, NULL) &&
           !dpn_vector_sampler_start(&of[START_STAIRCASE].vectors, count, side, c, true, 1, grid, NULL) &&
           !dpn_vector_sampler_random_box(&of[RANDOM_BOX].vectors, count, side, 0.6, one, beta, grid, NULL) &&
           !dpn_vector_sampler_lp(&of[L2].vectors, count, 2, side, 1, grid, NULL);
}

static void print(const kind *one, const kind *other, double target) {
    double ratio = other->least / one->least;
    printf("  %-16s %8.2f", one->name, 1e-6 * COORDINATES / one->least);
    printf("   %.2f of %s", ratio, other->name);
    if (target > 0) printf(", target %g%s", target, ratio < target ? " *" : "");
    puts("");
}

static void bench(size_t count, dpn_rng *rng) {
    kind of[KINDS] = {[BOX] = {.name = "box"},
                      [GAUSSIAN] = {.name = "gaussian"},
                      [LAPLACE] = {.name = "laplace"},
                      [START_BOX] = {.name = "start-box"},
                      [START_STAIRCASE] = {.name = "start-staircase"},
                      [RANDOM_BOX] = {.name = "random-box"},
                      [L2] = {.name = "l2"}};
    for (int k = 0; k < KINDS; k++) of[k].least = INFINITY;
    bool made = make(of, count);
    for (int turn = 0; turn < TURNS && made; turn++)
        for (int k = 0; k < KINDS; k++) take_turn(&of[k], count, rng);
    if (made) {
        printf("%zu coordinates\n", count);
        for (int k = BOX; k <= LAPLACE; k++) printf("  %-16s %8.2f\n", of[k].name, 1e-6 * COORDINATES / of[k].least);
        for (int k = START_BOX; k <= RANDOM_BOX; k++) print(&of[k], &of[BOX], 0.5);
        print(&of[L2], &of[GAUSSIAN], count == 100 ? 0.8 : 0);
        print(&of[L2], &of[LAPLACE], 0);
    }
    for (int k = 0; k < KINDS; k++) {
        dpn_vector_sampler_free(of[k].vectors);
        dpn_sampler_free(of[k].numbers);
    }
}

int main(void) {
    dpn_rng *rng;
    if (dpn_rng_new(&rng, NULL)) return 0;
    puts("million coordinates a second of processor time, and ratios (* below the target)");
    bench(2, rng);
    bench(20, rng);
    bench(100, rng);
    dpn_rng_free(rng);
    return sum == 1 ? 1 : 0;
}
