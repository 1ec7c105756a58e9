/* AdaSSP: that one row moves all that is released by no more than the plan says, the least eigenvalue among it, by neighbouring tables; that the recorded noise gives
 * the guarantee by the formula of Balle and Wang; and that it fits. */
#include "learn/method/adassp.c" /* to see the unit of the eigenvalue */

#include "unit/learn/data.h"

#include <dpnoise/plan.h>
#include <lapacke.h>
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

static dpn_fit_options by_adassp(void) {
    dpn_fit_options options = dpn_fit_options_init();
    options.method = "adassp";
    return options;
}

/* ---- The guarantee ---- */

/* What a run draws noise on, seen through noise that is none to speak of: with an epsilon of 10^9 the model is that of the sums. Here the numbers themselves are worked
 * out anew: the least eigenvalue of Z'Z by another routine. */
static double least_eigenvalue(const double *row, size_t rows, bool no_intercept) {
    enum { M = 3 };
    size_t from = no_intercept;
    double a[M * M] = {0}, value[M];
    int m = (int)(M - from);
    for (size_t r = 0; r < rows; r++) {
        const double z[M] = {1, fmin(fmax(row[3 * r + 1], -1), 1), fmin(fmax(row[3 * r + 2], -1), 1)};
        for (int i = 0; i < m; i++)
            for (int j = 0; j < m; j++) a[i * m + j] += z[(size_t)i + from] * z[(size_t)j + from];
    }
    assert_int_equal(LAPACKE_dsyev(LAPACK_ROW_MAJOR, 'N', 'U', m, a, m, value), 0);
    return value[0];
}

/* The move of the eigenvalue in its unit is within its bound, and the bound is a tenth of the square of all. A row of ones that is added to rows without any part in
 * its direction moves it by its whole square, as far as these rows leave the others behind. */
static void expect_bounds(dpn_relation relation, bool no_intercept) {
    dpn_fit_options options = by_adassp();
    options.no_intercept = no_intercept;
    dpn_declaration declared = data_declared(2, DPN_FIT_LINEAR, "1", "1e-6");
    declared.relation = relation;
    dpn_fit *fit = data_planned(&options, &declared);
    dpn_fit_release release = dpn_fit_release_at(fit, 0);
    size_t last = release.set->dimension - 1;
    double m = no_intercept ? 2 : 3, unit = ((const state *)fit->state)->unit, largest = 0;
    assert_null(dpn_fit_release_at(fit, 1).plan);
    assert_true(fabs(pow(release.set->bound[last] / release.set->l2, 2) - 0.1) < 1e-6);
    draw_source source = {5};
    for (int trial = 0; trial < 4000; trial++) {
        enum { ROWS = 4 };
        double row[3 * (ROWS + 1)], before[3 * (ROWS + 1)];
        for (size_t i = 0; i < 3 * (ROWS + 1); i++)
            before[i] = row[i] =
                draw_bits(&source) % 3 ? (draw_bits(&source) % 2 ? 1 : -1) : draw_uniform(&source, -1, 1);
        if (relation == DPN_REPLACE)
            for (size_t i = 0; i < 3; i++) row[3 * ROWS + i] = draw_uniform(&source, -1, 1);
        double one = least_eigenvalue(before, ROWS + 1, no_intercept);
        double other = least_eigenvalue(row, relation == DPN_REPLACE ? ROWS + 1 : ROWS, no_intercept);
        largest = fmax(largest, unit * fabs(one - other));
    }
    assert_true(largest <= release.set->bound[last] && largest > 0.3 * release.set->bound[last]);
    assert_true(unit * m <= release.set->bound[last] && unit * m > 0.99 * release.set->bound[last]);
    dpn_fit_free(fit);
    dpn_declaration_free(&declared);
}

static void test_bounds(void **unused) {
    (void)unused;
    expect_bounds(DPN_ADD_REMOVE, false);
    expect_bounds(DPN_ADD_REMOVE, true);
    expect_bounds(DPN_REPLACE, false);
}

static double normal_cdf(double x) {
    return 0.5 * erfc(-x / sqrt(2));
}

/* delta(epsilon) of Gaussian noise and l2 sensitivity s: Phi(s/2sigma - e sigma/s) - exp(e) Phi(-s/2sigma - e sigma/s). The sensitivity is written down here: with two features under
 * add-remove nine cells move by 1, and the eigenvalue makes it 9/0.9 = 10. */
static void test_guarantee(void **unused) {
    (void)unused;
    dpn_fit_options options = by_adassp();
    dpn_declaration declared = data_declared(2, DPN_FIT_LINEAR, "1", "1e-6");
    dpn_fit *fit = data_planned(&options, &declared);
    const dpn_plan *plan = dpn_fit_release_at(fit, 0).plan;
    double s = sqrt(10), sigma = sqrt(plan->variance[0]);
    assert_int_equal(plan->dimension, 10);
    for (size_t k = 1; k < plan->dimension; k++) assert_true(plan->variance[k] == plan->variance[0]);
    double delta = normal_cdf(s / 2 / sigma - sigma / s) - exp(1) * normal_cdf(-s / 2 / sigma - sigma / s);
    assert_true(delta < 1e-6 * (1 + 1e-6) && delta > 0.98e-6);
    dpn_fit_free(fit);
    dpn_declaration_free(&declared);
}

static void test_refused(void **unused) {
    (void)unused;
    dpn_fit_options options = by_adassp();
    dpn_declaration declared = data_declared(2, DPN_FIT_LINEAR, "1", NULL);
    dpn_fit *fit;
    assert_int_equal(dpn_fit_new(&fit, &options, NULL), DPN_OK);
    assert_int_equal(dpn_fit_plan(fit, &declared, NULL), DPN_EUNSUPPORTED);
    dpn_fit_free(fit);
    dpn_declaration_free(&declared);
}

/* ---- What it is worth ---- */

static double r2_of(const char *method, const char *epsilon, size_t rows) {
    dpn_fit_options options = dpn_fit_options_init();
    options.method = method;
    dpn_declaration declared = data_declared(DATA_FEATURES, DPN_FIT_LINEAR, epsilon, "1e-6");
    double *value = data_linear(rows, 3), r2[5];
    for (uint64_t i = 0; i < 5; i++) {
        dpn_model *model = data_fitted(&options, &declared, value, rows, i);
        r2[i] = data_r2(model, value, rows);
        dpn_model_free(model);
    }
    dpn_declaration_free(&declared);
    free(value);
    return data_median(r2, 5);
}

/* With hardly any noise the ridge vanishes: the fit is that of least squares. With much of it the ridge keeps it from being worse than no fit. */
static void test_fits(void **unused) {
    (void)unused;
    double exact = r2_of("non-private", "1", 4000), loose = r2_of("adassp", "1e4", 4000);
    double large = r2_of("adassp", "1", 8000), small = r2_of("adassp", "0.05", 2000),
           rival = r2_of("moments", "1", 8000);
    printf("# R^2 %.4f without noise, %.4f at epsilon 10^4; %.4f at 1 (moments %.4f), %.4f at 0.05\n", exact, loose,
           large, rival, small);
    assert_true(fabs(exact - loose) < 1e-4);
    assert_true(large > 0.8 && small > -0.5);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_bounds), cmocka_unit_test(test_guarantee),
                                       cmocka_unit_test(test_refused), cmocka_unit_test(test_fits)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
