/* Two steps: how far one row moves the sizes of residuals and their sums, for every first fit that noise may lead to; that the
 * recorded noise is enough for that; and the acceptance numbers of linear fits at epsilon 0.1 and 1. */
#define dpn_fit_two_step dpn_fit_two_step_of_this_test
#include "learn/method/two-step.c"
#undef dpn_fit_two_step

#include "unit/learn/data.h"

#include <dpnoise/plan.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>

#include <cmocka.h>

static dpn_fit_options in_two_steps(void) {
    dpn_fit_options options = dpn_fit_options_init();
    options.method = "two-step";
    return options;
}

/* ---- One row ---- */

static double hostile(draw_source *source) {
    static const double worst[] = {-1, 1, 0, -1e300, 1e300, 0.5, -0.1};
    uint64_t word = draw_bits(source);
    return word % 4 ? worst[(word >> 8) % 7] : draw_uniform(source, -1.5, 1.5);
}

/* First fits that are nothing like the truth, with numbers that overflow. */
static double wild(draw_source *source) {
    static const double worst[] = {0, 1e308, -1e308, INFINITY, NAN, 3, -1e-300};
    uint64_t word = draw_bits(source);
    return word % 2 ? worst[(word >> 8) % 7] : draw_uniform(source, -2, 2);
}

static void test_one_row(void **unused) {
    enum { TRIALS = 5000, M = DATA_FEATURES + 1 };
    (void)unused;
    dpn_fit_options options = in_two_steps();
    dpn_declaration declared = data_declared(DATA_FEATURES, DPN_FIT_LINEAR, "1", NULL);
    dpn_fit *fit = data_planned(&options, &declared);
    draw_source source = {11};
    double farthest = 0;
    for (int trial = 0; trial < TRIALS; trial++) {
        double row[DATA_WIDTH], b[M], clip = upper_end(draw_bits(&source) % BINS);
        int64_t sum[M];
        for (size_t i = 0; i < DATA_WIDTH; i++) row[i] = hostile(&source);
        for (size_t i = 0; i < M; i++) b[i] = wild(&source);
        assert_int_equal(dpn_fit_numbers(fit, row, 1, NULL), DPN_OK);
        sum_step(sum, fit, b, clip);
        for (size_t i = 0; i < M; i++) {
            double moved = ldexp(fabs((double)sum[i]), -2 * DPN_UNIT_LOG);
            assert_true(moved <= 1);
            farthest = fmax(farthest, moved);
        }
        assert_in_range(bin_of(fabs(residual(fit, b, 0, 0))), 0, BINS - 1);
        dpn_rows_free(&fit->rows);
        fit->rows.columns = dpn_fit_width(fit);
    }
    assert_true(farthest == 1);
    dpn_fit_free(fit);
    dpn_declaration_free(&declared);
}

/* ---- The guarantee ---- */

/* The least epsilon of a recorded plan on a set that is written down here. */
static double epsilon_of(const char **text, const dpn_sensitivity *set) {
    static const char start[] = "\"plan\": ", times[] = "\"times\": 1,";
    dpn_plan plan;
    dpn_error why;
    dpn_epsilon epsilon;
    assert_non_null(strstr(*text, times));
    const char *from = strstr(*text, start);
    assert_non_null(from);
    from += sizeof start - 1;
    const char *to = strstr(from, "}]}");
    assert_non_null(to);
    if (dpn_plan_read(&plan, from, (size_t)(to - from) + 2, &why)) fail_msg("%s", why.sentence);
    assert_int_equal(plan.dimension, set->dimension);
    if (dpn_plan_epsilon(&epsilon, NULL, NULL, &plan, set, 1, 0, NULL, &why)) fail_msg("%s", why.sentence);
    dpn_plan_free(&plan);
    *text = to;
    return epsilon.upper;
}

/* A row adds no more than 1 to a cell or to an entry of the step, and is in one bin. One that gives way to another moves them by the difference: by 2, two bins by 1,
 * and the number of rows by 1 where one of the two is left out. */
static void expect_guarantee(dpn_relation relation) {
    enum { CELLS = 1 + 5 + 1 + 15 + 5, M = DATA_FEATURES + 1 };
    bool replace = relation == DPN_REPLACE;
    dpn_fit_options options = in_two_steps();
    dpn_declaration declared = data_declared(DATA_FEATURES, DPN_FIT_LINEAR, "0.7", NULL);
    declared.relation = relation;
    double *value = data_linear(200, 3), row[CELLS], entry[M];
    for (size_t i = 0; i < CELLS; i++) row[i] = replace && i > 0 ? 2 : 1;
    for (size_t i = 0; i < M; i++) entry[i] = replace ? 2 : 1;
    dpn_model *model = data_fitted(&options, &declared, value, 200, 4);
    const char *text = model->releases;
    dpn_sensitivity cells = {.dimension = CELLS, .bound = row},
                    sizes = {.dimension = BINS, .linf = 1, .max_changed = replace ? 2 : 1};
    dpn_sensitivity step = {.dimension = M, .bound = entry};
    double sum = epsilon_of(&text, &cells) + epsilon_of(&text, &sizes) + epsilon_of(&text, &step);
    assert_null(strstr(text, "\"plan\": "));
    if (!(sum <= 0.7 && sum > 0.7 * (1 - 1e-6))) fail_msg("%s: epsilon %.9g", replace ? "replace" : "add-remove", sum);
    dpn_model_free(model);
    dpn_declaration_free(&declared);
    free(value);
}

static void test_guarantee(void **unused) {
    (void)unused;
    expect_guarantee(DPN_ADD_REMOVE);
    expect_guarantee(DPN_REPLACE);
}

/* A plan that says more of itself than it was given is not certified: a release twice, or an epsilon that is spent elsewhere. */
static void test_certificate(void **unused) {
    (void)unused;
    dpn_fit_options options = in_two_steps();
    dpn_declaration declared = data_declared(DATA_FEATURES, DPN_FIT_LINEAR, "0.7", NULL);
    dpn_fit *fit = data_planned(&options, &declared);
    assert_int_equal(fit->releases, 3);
    assert_int_equal(dpn_fit_certify(fit, NULL), DPN_OK);
    for (size_t i = 0; i < fit->releases; i++) {
        fit->announced[i].times = 2;
        assert_int_equal(dpn_fit_certify(fit, NULL), DPN_EDOMAIN);
        fit->announced[i].times = 1;
        fit->announced[i].elsewhere = 1e-9;
        assert_int_equal(dpn_fit_certify(fit, NULL), DPN_EDOMAIN);
        fit->announced[i].elsewhere = 0;
    }
    assert_int_equal(dpn_fit_certify(fit, NULL), DPN_OK);
    dpn_fit_free(fit);
    dpn_declaration_free(&declared);
}

/* ---- What it is worth ---- */

static void test_r2(void **unused) {
    (void)unused;
    dpn_fit_options options = in_two_steps();
    double small = data_median_r2(&options, "0.1"), large = data_median_r2(&options, "1");
    printf("# R^2 %.4f at epsilon 0.1, %.4f at 1\n", small, large);
    assert_true(small >= 0.850 && large >= 0.861);
}

static void test_refused(void **unused) {
    (void)unused;
    dpn_fit_options options = in_two_steps();
    dpn_declaration declared = data_declared(1, DPN_FIT_LINEAR, "1", NULL);
    dpn_fit *fit;
    options.l2 = 1;
    assert_int_equal(dpn_fit_new(&fit, &options, NULL), DPN_OK);
    assert_int_equal(dpn_fit_plan(fit, &declared, NULL), DPN_EUNSUPPORTED);
    dpn_fit_free(fit);
    dpn_declaration_free(&declared);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_one_row), cmocka_unit_test(test_guarantee),
                                       cmocka_unit_test(test_certificate), cmocka_unit_test(test_r2),
                                       cmocka_unit_test(test_refused)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
