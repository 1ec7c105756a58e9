/* Seconds of private regression: coordinate descent on tables of the sizes of the targets, with its calibration, and one of its
 * passes beside the same pass without clips, steps and noise; and the memory of it. Prints a table; always exits with 0, since time is not
 * truth. */
#define _POSIX_C_SOURCE 200809L /* clock_gettime */
#include "learn/derivatives.h"

#include <dpnoise/learn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <time.h>

static double now(void) {
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

static double uniform(uint64_t *state) {
    *state = *state * 6364136223846793005u + 1442695040888963407u;
    return (double)(*state >> 11) * 0x1p-52 - 1;
}

/* A planned fit with its rows: the target is the sign of the features' sum, or a part of it. */
static dpn_fit *filled(dpn_fit_kind kind, size_t rows, size_t features, uint64_t passes) {
    static const char guarantee[] = "{\"epsilon\": \"1\", \"delta\": \"0.001\"}";
    dpn_fit_options options = dpn_fit_options_init();
    dpn_declaration declared;
    dpn_fit *fit = NULL;
    char text[32];
    options.method = "cd";
    options.kind = kind;
    options.passes = passes;
    if (dpn_declaration_read(&declared, guarantee, strlen(guarantee), NULL)) return NULL;
    dpn_status status = dpn_declare_statistic(&declared, DPN_STATISTIC_MEAN, "y:-1:1", NULL);
    for (size_t j = 0; j < features && !status; j++) {
        snprintf(text, sizeof text, "x%zu:-1:1", j);
        status = dpn_declare_statistic(&declared, DPN_STATISTIC_MEAN, text, NULL);
    }
    if (!status) status = dpn_fit_new(&fit, &options, NULL);
    if (!status) status = dpn_fit_plan(fit, &declared, NULL);
    dpn_declaration_free(&declared);
    double *row = calloc(features + 1, sizeof *row);
    uint64_t state = 1;
    for (size_t r = 0; row && r < rows && !status; r++) {
        row[0] = 0;
        for (size_t j = 1; j <= features; j++) {
            row[j] = uniform(&state);
            row[0] += row[j] / (double)features;
        }
        status = dpn_fit_numbers(fit, row, 1, NULL);
    }
    free(row);
    if (!status) return fit;
    dpn_fit_free(fit);
    return NULL;
}

static void bench_fit(const char *name, dpn_fit_kind kind, size_t rows, size_t features, double target) {
    dpn_rng *rng;
    dpn_model *model = NULL;
    if (dpn_rng_new(&rng, NULL)) return;
    double start = now();
    dpn_fit *fit = filled(kind, rows, features, 10);
    dpn_status status = fit ? dpn_fit_run(&model, fit, rng, NULL) : DPN_ENOMEM;
    double seconds = now() - start;
    printf("%-44s %10.3f %8.3g%c\n", name, status ? 0 : seconds, target, seconds > target ? '*' : ' ');
    dpn_model_free(model);
    dpn_fit_free(fit);
    dpn_rng_free(rng);
}

/* The sum of derivatives of least squares as one would write it. */
static double plain_sum(const dpn_derivatives *at, size_t column) {
    const dpn_rows *rows = &at->fit->rows;
    double sum = 0;
    for (size_t block = 0; block < dpn_rows_blocks(rows); block++) {
        const int32_t *z = dpn_rows_column(rows, block, column),
                      *y = dpn_rows_column(rows, block, dpn_target_column(at->fit));
        const double *t = at->t + block * DPN_ROWS_A_BLOCK;
        for (size_t r = 0; r < dpn_rows_in(rows, block); r++) sum += (t[r] - 0x1p-17 * y[r]) * (0x1p-17 * z[r]);
    }
    return sum;
}

static void bench_pass(size_t rows, size_t features) {
    dpn_fit *fit = filled(DPN_FIT_LINEAR, rows, features, 1);
    dpn_derivatives at;
    if (!fit || dpn_derivatives_begin(&at, fit, NULL)) return;
    double seconds[2] = {0}, sum = 0;
    for (int turn = 0; turn < 6; turn++) {
        double start = now();
        for (size_t j = 0; j <= features; j++) {
            sum += turn % 2 ? (double)dpn_derivatives_sum(&at, j, 1, DPN_DERIVATIVE_UNIT / 2) : plain_sum(&at, j);
            dpn_derivatives_move(&at, j, 1e-3);
        }
        double taken = now() - start;
        if (turn < 2 || taken < seconds[turn % 2]) seconds[turn % 2] = taken;
    }
    double ratio = seconds[1] / seconds[0];
    printf("%-44s %10.3f\n%-44s %10.3f\n%-44s %10.3f %8.3g%c\n", "a pass of 10^6 x 50, plain", seconds[0],
           "the same, clipped and in steps", seconds[1], sum == 0 ? "nothing" : "their ratio", ratio, 1.3,
           ratio > 1.3 ? '*' : ' ');
    dpn_derivatives_end(&at);
    dpn_fit_free(fit);
}

/* The most memory that this process had, beside the numbers of the largest table at 4 bytes each, which is how a fit keeps them. */
static void bench_memory(size_t rows, size_t columns) {
    struct rusage usage;
    if (getrusage(RUSAGE_SELF, &usage)) return;
    double ratio = 1024.0 * (double)usage.ru_maxrss / (4.0 * (double)(rows * columns));
    printf("%-44s %10.3f %8.3g%c\n", "peak memory, of the data at 4 bytes a number", ratio, 1.2,
           ratio > 1.2 ? '*' : ' ');
}

int main(void) {
    printf("%-44s %10s %8s\n", "coordinate descent", "seconds", "target");
    bench_fit("linear, 20640 x 8, 10 passes, from numbers", DPN_FIT_LINEAR, 20640, 8, 0.1);
    bench_fit("logistic, 10000 x 5, 10 passes, from numbers", DPN_FIT_LOGISTIC, 10000, 5, 0.1);
    bench_pass(1000000, 50);
    bench_memory(1000000, 51);
    return 0;
}
