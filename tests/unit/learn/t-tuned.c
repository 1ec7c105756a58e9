/* A private choice of the setting, trial by trial: the rows that are fitted and the rows that a fit is scored on are all rows, and no row is among both: half of epsilon
 * protects each row in either case. */
#include "learn/tuned.c" /* to see a trial */

#include "unit/learn/data.h"

#include <setjmp.h>
#include <stdarg.h>

#include <cmocka.h>

enum { ROWS = 600, TRIALS = 30 };

/* Row r has the feature (2 r + 1)/ROWS - 1, by which it is known. */
static size_t number_of(const dpn_rows *rows, size_t row) {
    double x = ldexp(dpn_rows_column(rows, row / DPN_ROWS_A_BLOCK, 1)[row % DPN_ROWS_A_BLOCK], -DPN_UNIT_LOG);
    return (size_t)((x + 1) / 2 * ROWS);
}

/* Four times the square of the residual, 1 at most, of a prediction within the bounds. */
static double cost_of(const double *b, const double *row) {
    double guess = fmin(fmax(b[0] + b[1] * row[1], -1), 1);
    return fmin(4 * (guess - row[0]) * (guess - row[0]), 1);
}

static void test_rows(void **unused) {
    static double value[2 * ROWS];
    (void)unused;
    dpn_fit_options options = dpn_fit_options_init();
    options.tune = true;
    options.method = "cd";
    options.rows = ROWS;
    dpn_declaration declared = data_declared(1, DPN_FIT_LINEAR, "1000", NULL);
    dpn_fit *fit = data_planned(&options, &declared);
    for (size_t r = 0; r < ROWS; r++) {
        value[2 * r] = r % 3 ? 0.8 : -0.8;
        value[2 * r + 1] = (2.0 * (double)r + 1) / ROWS - 1;
    }
    assert_int_equal(dpn_fit_numbers(fit, value, ROWS, NULL), DPN_OK);
    const state *of = fit->state;
    double found[2 + 4], best[2];
    size_t order[ROWS], all = 0;
    tuning t = {.fit = fit, .of = of, .order = order, .b = found, .best = best};
    seeded random;
    seeded_begin(&random, 5);
    for (size_t trial = 0; trial < TRIALS; trial++) {
        bool fitted[ROWS] = {false};
        assert_int_equal(try_one(&t, true, &random.rng, NULL), DPN_OK);
        const dpn_rows *rows = &of->fit[t.which]->rows;
        for (size_t i = 0; i < rows->count; i++) {
            size_t number = number_of(rows, i);
            assert_true(number < ROWS && !fitted[number]);
            fitted[number] = true;
        }
        all += rows->count;
        /* The score has Laplace noise of scale 1/500, which is beyond 40 times that with a probability of e^-40. */
        double cost = 0;
        for (size_t r = 0; r < ROWS; r++)
            if (!fitted[r]) cost += cost_of(best, value + 2 * r);
        double told = ldexp((double)t.least, dpn_release_grid_exponent(of->score, 0));
        if (!(fabs(told - cost) < 40.0 / 500 + 1e-3 * ROWS)) fail_msg("scored %g, of the rows left out %g", told, cost);
    }
    /* 13 of 16, to 7 standard deviations. */
    double mean = TRIALS * ROWS * 13 / 16.0;
    assert_true(fabs((double)all - mean) < 7 * sqrt(mean * 3 / 16));
    for (size_t i = 0; i < of->fits; i++) dpn_rows_free(&of->fit[i]->rows);
    dpn_fit_free(fit);
    dpn_declaration_free(&declared);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_rows)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
