/* Seconds for the exact moments of 10^6 rows of 50 columns, against the same sums of doubles that lie in memory already (dsyrk). The target is
 * 1.5 times that. Seconds are those of one processor, so that what others do to the machine does not count: threads of the algebra wait for each other, and
 * longest where they are many and short. Prints a table; always exits with 0, since time is not truth. */
#define _POSIX_C_SOURCE 200809L /* clock_gettime */
#include "learn/rows.h"

#include <cblas.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

enum { ROWS = 1000000, COLUMNS = 50, ROUNDS = 5 };

static double now(void) {
    struct timespec t;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

static int fill(dpn_rows *rows, double *wide) {
    int32_t step[COLUMNS];
    uint32_t state = 1;
    for (size_t r = 0; r < ROWS; r++) {
        for (size_t c = 0; c < COLUMNS; c++) {
            state = state * 1664525 + 1013904223;
            step[c] = (int32_t)(state >> 14) - DPN_UNIT;
            wide[c * ROWS + r] = step[c];
        }
        if (dpn_rows_add(rows, step, NULL)) return 1;
    }
    return 0;
}

int main(void) {
    dpn_rows rows = {.columns = COLUMNS};
    double *wide = malloc((size_t)ROWS * COLUMNS * sizeof *wide), *sum = calloc(COLUMNS * COLUMNS, sizeof *sum);
    int64_t *moments = malloc(COLUMNS * COLUMNS * sizeof *moments);
    int failed = !wide || !sum || !moments || fill(&rows, wide);
    double best[2] = {1e9, 1e9};
    openblas_set_num_threads(1);
    for (int i = 0; i < ROUNDS && !failed; i++) {
        double start = now();
        cblas_dsyrk(CblasColMajor, CblasUpper, CblasTrans, COLUMNS, ROWS, 1, wide, ROWS, 0, sum, COLUMNS);
        double middle = now();
        failed = dpn_rows_moments(moments, &rows, NULL) != DPN_OK;
        double end = now();
        if (middle - start < best[0]) best[0] = middle - start;
        if (end - middle < best[1]) best[1] = end - middle;
    }
    double ratio = best[1] / best[0];
    if (failed)
        puts("no memory");
    else
        printf("%-28s %10s %10s %8s %8s\n%-28s %10.3f %10.3f %8.2f %7.2f%c\n", "10^6 rows of 50 columns", "dsyrk",
               "exact", "ratio", "target", "moments, seconds", best[0], best[1], ratio, 1.5, ratio > 1.5 ? '*' : ' ');
    dpn_rows_free(&rows);
    free(wide);
    free(sum);
    free(moments);
    return 0;
}
