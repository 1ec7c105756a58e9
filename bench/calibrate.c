/* Milliseconds for calibrations, beside their targets and as multiples of the first row, Gaussian noise on one coordinate in
 * the same run. Prints a table; always exits with 0, since time is not truth. */
#define _POSIX_C_SOURCE 200809L /* clock_gettime */
#include <dpnoise/calibrate.h>
#include <math.h>
#include <stdio.h>
#include <time.h>

static double now(void) {
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

static const struct {
    const char *family;
    size_t dimension;
    bool distinct;
    double target; /* milliseconds */
} rows[] = {
    {"gaussian", 1, false, 0.005},
    {"laplace", 1, false, 0.5},
    {"logistic", 1, false, 0.5},
    {"discrete-gaussian", 1, false, 0.5},
    {"discrete-laplace", 1, false, 0.5},
    {"flipped-huber", 2, false, 200},
    {"flipped-huber", 3, false, 200},
    {"flipped-huber", 4, false, 200},
    {"flipped-huber", 9, false, 200},
    {"flipped-huber", 20, false, 300},
    {"osgt", 20, false, 300},
    {"flipped-huber", 1000, false, 1000},
    {"osgt", 1000, false, 1000},
    {"flipped-huber", 20, true, 2000},
    {NULL, 20, false, 3000}, /* every family: dpn_compare */
    {NULL, 3, true, 3000},
    {NULL, 50, true, 20000},
};

static dpn_status run(const char *family, const dpn_sensitivity *set, const dpn_calibration_options *options,
                      dpn_error *why) {
    if (!family) {
        dpn_comparison all;
        dpn_status status = dpn_compare(&all, 1, 1e-6, set, options, why);
        if (!status) dpn_comparison_free(&all);
        return status;
    }
    dpn_plan plan;
    dpn_status status = dpn_calibrate(&plan, family, 1, 1e-6, set, options, why);
    if (!status) dpn_plan_free(&plan);
    return status;
}

int main(void) {
    double bound[50];
    for (int i = 0; i < 50; i++) bound[i] = i + 1;
    dpn_workspace *workspace;
    if (dpn_workspace_new(&workspace) != DPN_OK) return 0;
    printf("%-22s %6s %12s %12s %10s %10s\n", "epsilon 1, delta 1e-6", "K", "ms", "target", "of target", "of first");
    double first = NAN;
    for (size_t r = 0; r < sizeof rows / sizeof *rows; r++) {
        dpn_sensitivity set = {.dimension = rows[r].dimension};
        if (rows[r].distinct)
            set.bound = bound;
        else
            set.linf = 1;
        dpn_calibration_options options = {.size = sizeof(dpn_calibration_options), .workspace = workspace};
        double least = INFINITY, begin = now();
        dpn_error why = {DPN_OK, ""};
        dpn_status status = DPN_OK;
        for (int i = 0; i < 1000 && !status && (i < 2 || now() - begin < 0.3); i++) {
            double start = now();
            status = run(rows[r].family, &set, &options, &why);
            least = fmin(least, now() - start);
        }
        const char *name = rows[r].family ? rows[r].family : "compare";
        if (r == 0) first = least;
        if (status)
            printf("%-22s %6zu %s\n", name, rows[r].dimension, why.sentence);
        else
            printf("%-22s %6zu %12.4f %12g %10.3f %10.4g%s\n", name, rows[r].dimension, 1e3 * least, rows[r].target,
                   1e3 * least / rows[r].target, least / first, rows[r].distinct ? "  sensitivities 1 to K" : "");
        fflush(stdout);
    }
    dpn_workspace_free(workspace);
    return 0;
}
