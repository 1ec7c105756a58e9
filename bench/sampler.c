/* Exact draws a second at scale/grid = 2^30: million draws a second on one thread (the target stands beside), cipher
 * words for each draw, what two threads give as a multiple of one, and beside it the textbook method: a double from
 * 53 random bits through the quantile function of the law, which is not safe to release. Flipped-huber draws are also compared with Laplace draws of the same
 * run, which a busy machine changes less. Prints a table; always exits with 0, since time is not truth. */
#define _POSIX_C_SOURCE 200809L /* clock_gettime */
#include <dpnoise/quantile.h>
#include <dpnoise/sampler.h>
#include <math.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#include "random/exponential.h"
#include "random/source.h"
#include "release/noise/quantile.h"

static const struct row {
    const char *law;
    int grid_exponent;
    double target; /* million draws a second; 0: none */
} rows[] = {
    {"flipped-huber(alpha=1,gamma=1)", -30, 100},
    {"flipped-huber(alpha=3,gamma=1)", -30, 100},
    {"gaussian(sigma=1)", -30, 0},
    {"laplace(scale=1)", -30, 0},
    {"osgt(m=1,sigma=1)", -30, 0},
    {"huber(alpha=1,gamma=1)", -30, 0},
    {"logistic(scale=1)", -30, 0},
    {"subbotin(p=1.5,scale=1)", -30, 0},
    {"staircase(epsilon=1,sensitivity=1,gamma=0.4)", -30, 0},
    {"truncated-laplace(scale=1,bound=9)", -30, 0},
    {"discrete-gaussian(sigma=1073741824)", 0, 100},
    {"discrete-laplace(scale=1073741824)", 0, 100},
    {"discrete-gaussian(sigma=10)", 0, 0},
    {"discrete-laplace(scale=1)", 0, 0},
};

enum { FLIPPED_HUBER = 0, GAUSSIAN = 2, LAPLACE = 3 }; /* rows */

enum { BATCH = 10000, BATCHES = 20, TRIALS = 150, SLOW = 200000 };

static double now(void) {
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

/* Words taken: those of all refills but those that are left. */
static bool (*real_refill)(dpn_rng *rng);
static uint64_t refills;
static bool counting_refill(dpn_rng *rng) {
    refills++;
    return real_refill(rng);
}

static int64_t sum; /* what is computed must be used */

static bool draw_many(const dpn_sampler *sampler, dpn_rng *rng) {
    static _Thread_local int64_t steps[BATCH];
    for (int i = 0; i < BATCHES; i++)
        if (dpn_sampler_draw(steps, sampler, rng, BATCH, NULL)) return false;
    return true;
}

static bool draw_values(const dpn_sampler *sampler, dpn_rng *rng) {
    static double value[BATCH];
    for (int i = 0; i < BATCHES; i++)
        if (dpn_sampler_values(value, sampler, rng, BATCH, NULL)) return false;
    return true;
}

static double words_a_draw(const dpn_sampler *sampler, dpn_rng *rng) {
    real_refill = rng->refill;
    rng->refill = counting_refill;
    refills = 0;
    uint64_t left = rng->pool->left;
    bool done = draw_many(sampler, rng);
    rng->refill = real_refill;
    double words = (double)(refills * DPN_RNG_WORDS + left - rng->pool->left);
    return done ? words / BATCH / BATCHES : NAN;
}

typedef struct job {
    const dpn_sampler *sampler;
    double seconds; /* of the processor: what other programs do on the machine is left out */
} job;

static double processor_time(void) {
    struct timespec t;
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

static void *thread(void *data) {
    job *self = data;
    dpn_rng *rng;
    if (dpn_rng_new(&rng, NULL)) return NULL;
    double start = processor_time();
    bool done = true;
    for (int i = 0; i < TRIALS && done; i++) done = draw_many(self->sampler, rng);
    self->seconds = done ? processor_time() - start : NAN;
    dpn_rng_free(rng);
    return NULL;
}

/* The speed of so many threads that run at once, all together: jobs a second. */
static double threads(const dpn_sampler *sampler, int count) {
    pthread_t id[2];
    job jobs[2] = {{sampler, NAN}, {sampler, NAN}};
    double speed = 0;
    for (int i = 0; i < count; i++)
        if (pthread_create(&id[i], NULL, thread, &jobs[i])) return NAN;
    for (int i = 0; i < count; i++) pthread_join(id[i], NULL);
    for (int i = 0; i < count; i++) speed += 1 / jobs[i].seconds;
    return speed;
}

static double textbook(const dpn_law *law, int grid_exponent, dpn_rng *rng) {
    double start = now(), scale = ldexp(1, -grid_exponent);
    for (int i = 0; i < SLOW; i++) {
        uint64_t word;
        if (!dpn_rng_word(rng, &word)) return NAN;
        sum += llround(dpn_law_quantile(law, ((double)(word >> 12) + 0.5) * 0x1p-52) * scale);
    }
    return (now() - start) / SLOW;
}

/* Million draws a second; NAN if there are none. */
static double bench(const struct row *row, dpn_rng *rng) {
    dpn_law law;
    dpn_sampler *sampler;
    dpn_error why;
    if (dpn_law_parse(&law, row->law, &why) || dpn_sampler_new(&sampler, &law, row->grid_exponent, &why)) {
        printf("%-46s %s\n", row->law, why.sentence);
        return NAN;
    }
    double least = INFINITY, doubles = INFINITY;
    for (int i = 0; i < TRIALS; i++) {
        double start = now();
        if (!draw_many(sampler, rng)) return NAN;
        least = fmin(least, now() - start);
        start = now();
        if (!draw_values(sampler, rng)) return NAN;
        doubles = fmin(doubles, now() - start);
    }
    double speed = 1e-6 * BATCH * BATCHES / least, words = words_a_draw(sampler, rng);
    double gain = threads(sampler, 2) / threads(sampler, 1);
    double slow = 1e-6 / textbook(&law, row->grid_exponent, rng);
    printf("%-46s %9.1f ", row->law, speed);
    if (row->target > 0)
        printf("%6g%c", row->target, speed < row->target ? '*' : ' ');
    else
        printf("%6s ", "");
    printf(" %9.1f %8.3f %8.2f %9.1f\n", 1e-6 * BATCH * BATCHES / doubles, words, gain, slow);
    dpn_sampler_free(sampler);
    return speed;
}

/* Quantiles of rows that fill the intervals evenly: choices a second, scores included, and the time of a choice that the
 * doubles leave to wide numbers, which is one in 50,000 for 10,000 edges. */
static void bench_quantile(size_t intervals, dpn_rng *rng) {
    dpn_quantile_options options = {.size = sizeof(dpn_quantile_options),
                                    .q = "0.5",
                                    .epsilon = 0.1,
                                    .intervals = intervals,
                                    .relation = DPN_ADD_REMOVE};
    dpn_quantile quantile;
    uint64_t *count = malloc(intervals * sizeof *count), *score = malloc((intervals + 1) * sizeof *score);
    size_t edge = 0, rounds = 10000000 / intervals;
    bool done = count && score && dpn_quantile_prepare(&quantile, &options, NULL) == DPN_OK;
    for (size_t i = 0; i < intervals && done; i++) count[i] = 3;
    double start = now();
    for (size_t i = 0; i < rounds && done; i++) done = dpn_quantile_draw(&edge, &quantile, rng, count, NULL) == DPN_OK;
    double usual = now() - start;
    if (done) dpn_quantile_scores(score, &quantile, count);
    start = now();
    done = done && !dpn_choose_guarded(&edge, rng, score, intervals + 1, quantile.rate, INFINITY, NULL);
    if (done)
        printf("%zu edges: %.0f choices a second; in wide numbers %.3f s a choice\n", intervals + 1,
               (double)rounds / usual, now() - start);
    sum += (int64_t)edge;
    free(count);
    free(score);
}

int main(void) {
    dpn_rng *rng;
    dpn_error why;
    if (dpn_rng_new(&rng, &why)) {
        puts(why.sentence);
        return 0;
    }
    printf("million exact draws a second (* below the target)\n%-46s %9s %6s  %9s %8s %8s %9s\n", "law", "Mdraws/s",
           "target", "doubles", "words", "2 thr.", "textbook");
    double speed[sizeof rows / sizeof *rows];
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) speed[i] = bench(&rows[i], rng);
    for (int i = FLIPPED_HUBER; i < GAUSSIAN; i++)
        printf("%s: %.2f of laplace, target 0.8%s\n", rows[i].law, speed[i] / speed[LAPLACE],
               speed[i] < 0.8 * speed[LAPLACE] ? " *" : "");
    puts("quantiles by the exponential mechanism");
    bench_quantile(100, rng);
    bench_quantile(10000, rng);
    bench_quantile(1000000, rng);
    dpn_rng_free(rng);
    return sum == 1 ? 1 : 0;
}
