/* The method of moments: how far one row moves what is released, worked out on neighbouring tables; that the recorded noise is
 * enough for that; and how well it fits, by the seeded generator of the acceptance numbers. */
#include "unit/learn/data.h"

#include "learn/cells.h"

#include <dpnoise/plan.h>
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

static dpn_fit_options by_moments(void) {
    dpn_fit_options options = dpn_fit_options_init();
    options.method = "moments";
    return options;
}

/* ---- The guarantee ---- */

/* Rows that are as bad as can be: corners, and values far outside. */
static double hostile(draw_source *source) {
    static const double worst[] = {-1, 1, 0, -1e300, 1e300, 0.5, -0.1};
    uint64_t word = draw_bits(source);
    return word % 4 ? worst[(word >> 8) % 7] : draw_uniform(source, -1.5, 1.5);
}

/* The cells of a table of two rows and perhaps a third. */
static void sum_cells(int64_t *out, dpn_fit *fit, const dpn_cells *cells, const double *shared, const double *own) {
    int64_t moments[(DATA_WIDTH + 1) * (DATA_WIDTH + 1)];
    assert_int_equal(dpn_fit_numbers(fit, shared, 2, NULL), DPN_OK);
    if (own) assert_int_equal(dpn_fit_numbers(fit, own, 1, NULL), DPN_OK);
    assert_int_equal(dpn_rows_moments(moments, &fit->rows, NULL), DPN_OK);
    dpn_cells_sum(out, cells, moments, dpn_fit_width(fit));
    dpn_rows_free(&fit->rows);
    fit->rows.columns = dpn_fit_width(fit);
}

/* What a row adds to each cell lies within its bound; where it is replaced, the change does. Sums of tables are taken, not what
 * the code says of one row. */
static void expect_bounds(dpn_relation relation, bool no_intercept, uint64_t seed) {
    enum { TRIALS = 3000, MOST = 40 };
    dpn_fit_options options = by_moments();
    options.no_intercept = no_intercept;
    dpn_declaration declared = data_declared(DATA_FEATURES, DPN_FIT_LINEAR, "1", NULL);
    declared.relation = relation;
    draw_source source = {seed};
    double farthest[MOST] = {0};
    dpn_fit *fit = data_planned(&options, &declared);
    dpn_fit_release release = dpn_fit_release_at(fit, 0);
    dpn_cells cells;
    assert_int_equal(dpn_cells_make(&cells, fit, NULL), DPN_OK);
    for (int trial = 0; trial < TRIALS; trial++) {
        int64_t cell[2][MOST];
        double shared[2 * DATA_WIDTH], own[2][DATA_WIDTH];
        for (size_t i = 0; i < 2 * DATA_WIDTH; i++) shared[i] = hostile(&source);
        for (size_t i = 0; i < 2 * DATA_WIDTH; i++) own[i / DATA_WIDTH][i % DATA_WIDTH] = hostile(&source);
        sum_cells(cell[0], fit, &cells, shared, own[0]);
        sum_cells(cell[1], fit, &cells, shared, relation == DPN_REPLACE ? own[1] : NULL);
        for (size_t k = 0; k < cells.count; k++) {
            double moved = ldexp(fabs((double)(cell[0][k] - cell[1][k])), -2 * DPN_UNIT_LOG);
            assert_true(moved <= release.set->bound[k]);
            farthest[k] = fmax(farthest[k], moved);
        }
    }
    /* The bounds are reached: none is larger than it has to be, but for the number of rows, which may be left out. */
    for (size_t k = 1; k < cells.count; k++) assert_true(farthest[k] == (relation == DPN_REPLACE ? 2 : 1));
    dpn_cells_free(&cells);
    dpn_fit_free(fit);
    dpn_declaration_free(&declared);
}

static void test_bounds(void **state) {
    (void)state;
    expect_bounds(DPN_ADD_REMOVE, false, 1);
    expect_bounds(DPN_ADD_REMOVE, true, 2);
    expect_bounds(DPN_REPLACE, false, 3);
}

/* Columns whose bounds are not around 0, without an intercept, when the centre is 0: a row at either bound, and one far outside, moves no cell further than its
 * bound; and the scale is the larger size of both bounds, so that one of the rows lies at its end. */
static void expect_lopsided(const char *column, double lower, double upper) {
    enum { MOST = 40 };
    dpn_fit_options options = by_moments();
    options.no_intercept = true;
    dpn_declaration declared = data_declared(0, DPN_FIT_LINEAR, "1", NULL);
    assert_int_equal(dpn_declare_statistic(&declared, DPN_STATISTIC_MEAN, column, NULL), DPN_OK);
    dpn_fit *fit = data_planned(&options, &declared);
    dpn_fit_release release = dpn_fit_release_at(fit, 0);
    dpn_cells cells;
    assert_int_equal(dpn_cells_make(&cells, fit, NULL), DPN_OK);
    const double shared[] = {0.5, upper, -0.5, lower};
    const double own[][2] = {{1, lower}, {-1, upper}, {1, -1e300}, {1, 1e300}};
    double farthest = 0;
    for (size_t r = 0; r < sizeof own / sizeof *own; r++) {
        int64_t with[MOST], without[MOST];
        sum_cells(without, fit, &cells, shared, NULL);
        sum_cells(with, fit, &cells, shared, own[r]);
        for (size_t k = 0; k < cells.count; k++) {
            double moved = ldexp(fabs((double)(with[k] - without[k])), -2 * DPN_UNIT_LOG);
            if (!(moved <= release.set->bound[k]))
                fail_msg("%s: a row moves cell %zu by %g, more than %g", column, k, moved, release.set->bound[k]);
        }
        farthest = fmax(farthest, fabs((double)fit->step[dpn_feature_column(0)]));
    }
    assert_true(farthest == DPN_UNIT);
    assert_true(fit->variable[0].half == fmax(fabs(lower), fabs(upper)));
    dpn_cells_free(&cells);
    dpn_fit_free(fit);
    dpn_declaration_free(&declared);
}

static void test_bounds_of_lopsided_columns(void **state) {
    (void)state;
    expect_lopsided("x:-10:1", -10, 1);
    expect_lopsided("x:-1:10", -1, 10);
    expect_lopsided("x:-10:-2", -10, -2);
    expect_lopsided("x:2:10", 2, 10);
}

/* The releases that the model records give the guarantee that was declared: from their text alone, for a box of bounds that
 * is written down here. */
static void expect_guarantee(const char *epsilon, const char *delta) {
    dpn_fit_options options = by_moments();
    dpn_declaration declared = data_declared(DATA_FEATURES, DPN_FIT_LINEAR, epsilon, delta);
    double *value = data_linear(100, 3);
    dpn_model *model = data_fitted(&options, &declared, value, 100, 4);
    const char *text = strstr(model->releases, "\"plan\": ");
    assert_non_null(text);
    assert_null(strstr(text + 1, "\"plan\": ")); /* one release */
    assert_non_null(strstr(model->releases, "\"times\": 1,"));
    text += strlen("\"plan\": ");
    dpn_plan plan;
    dpn_error why;
    if (dpn_plan_read(&plan, text, strlen(text) - 2, &why)) fail_msg("%s", why.sentence);
    enum { CELLS = 1 + 5 + 1 + 15 + 5 }; /* n, x, y, x x', x y */
    double bound[CELLS];
    for (size_t k = 0; k < CELLS; k++) bound[k] = 1;
    dpn_sensitivity set = {.dimension = CELLS, .bound = bound};
    dpn_delta reached;
    assert_int_equal(plan.dimension, CELLS);
    if (dpn_plan_delta(&reached, NULL, NULL, &plan, &set, 1, atof(epsilon), NULL, &why)) fail_msg("%s", why.sentence);
    assert_true(reached.upper <= (delta ? atof(delta) : 0));
    /* And hardly more noise than that: a hundredth less epsilon is not kept. */
    assert_int_equal(dpn_plan_delta(&reached, NULL, NULL, &plan, &set, 1, 0.99 * atof(epsilon), NULL, &why), DPN_OK);
    assert_true(reached.lower > (delta ? atof(delta) : 0));
    dpn_plan_free(&plan);
    dpn_model_free(model);
    dpn_declaration_free(&declared);
    free(value);
}

static void test_guarantee(void **state) {
    (void)state;
    expect_guarantee("1", NULL);
    expect_guarantee("0.1", NULL);
    expect_guarantee("1", "1e-6");
    expect_guarantee("0.1", "1e-9");
}

static void test_runs_once(void **state) {
    (void)state;
    dpn_fit_options options = by_moments();
    dpn_declaration declared = data_declared(1, DPN_FIT_LINEAR, "1", NULL);
    dpn_fit *fit = data_planned(&options, &declared);
    const double row[] = {0, 0};
    dpn_model *model;
    seeded random;
    seeded_begin(&random, 1);
    assert_int_equal(dpn_fit_numbers(fit, row, 1, NULL), DPN_OK);
    assert_int_equal(dpn_fit_run(&model, fit, &random.rng, NULL), DPN_OK);
    dpn_model_free(model);
    assert_int_equal(dpn_fit_run(&model, fit, &random.rng, NULL), DPN_EDOMAIN);
    assert_int_equal(dpn_fit_numbers(fit, row, 1, NULL), DPN_EDOMAIN);
    int64_t sum[10] = {0};
    assert_int_equal(dpn_fit_draw(sum, fit, 0, &random.rng, sum, NULL), DPN_EDOMAIN); /* as announced, no more */
    dpn_fit_free(fit);
    dpn_declaration_free(&declared);
}

/* ---- What it is worth ---- */

static void test_r2(void **state) {
    (void)state;
    dpn_fit_options moments = by_moments(), without = by_moments();
    without.method = "non-private";
    double small = data_median_r2(&moments, "0.1"), large = data_median_r2(&moments, "1"),
           plain = data_median_r2(&without, "1");
    printf("# R^2 %.4f at epsilon 0.1, %.4f at 1, %.4f without noise\n", small, large, plain);
    assert_true(large >= 0.861);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_bounds), cmocka_unit_test(test_bounds_of_lopsided_columns),
                                       cmocka_unit_test(test_guarantee), cmocka_unit_test(test_runs_once),
                                       cmocka_unit_test(test_r2)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
