/* Rows as numbers and as text are one table: what a row of numbers becomes is what its text becomes, and both are the clamped value in
 * the scale of the declared bounds. What only text can tell is refused of numbers. */
#include "learn/fit.h"
#include "unit/learn/data.h"

#include <float.h>
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

/* y and x with bounds of both signs, in one order and the other. */
static const double bound[2][2] = {{-3, 5}, {0.25, 40}};
enum { WIDTH = 2 };

static dpn_declaration declared(const char *const *where, const char *missing, const char *na) {
    dpn_declaration out;
    dpn_error why;
    static const char text[] = "{\"epsilon\": 1}";
    assert_int_equal(dpn_declaration_read(&out, text, strlen(text), &why), DPN_OK);
    static const char *const column[] = {"y:-3:5", "x:0.25:40"};
    for (size_t i = 0; i < WIDTH; i++)
        if (dpn_declare_statistic(&out, DPN_STATISTIC_MEAN, column[i], &why)) fail_msg("%s", why.sentence);
    if (where && dpn_declare_where(&out, *where, &why)) fail_msg("%s", why.sentence);
    if (missing && dpn_declare_missing(&out, missing, &why)) fail_msg("%s", why.sentence);
    if (na && dpn_declare_na(&out, na, &why)) fail_msg("%s", why.sentence);
    return out;
}

static dpn_fit *planned(const char *where, const char *missing, const char *na, bool no_intercept) {
    dpn_fit_options options = dpn_fit_options_init();
    options.no_intercept = no_intercept;
    options.method = "moments";
    dpn_declaration declaration = declared(where ? &where : NULL, missing, na);
    dpn_fit *fit = data_planned(&options, &declaration);
    dpn_declaration_free(&declaration);
    return fit;
}

static int32_t step_of(const dpn_fit *fit, size_t row, size_t column) {
    return dpn_rows_column(&fit->rows, row / DPN_ROWS_A_BLOCK, column)[row % DPN_ROWS_A_BLOCK];
}

static void give_text(dpn_fit *fit, const double *value) {
    char text[WIDTH][40];
    dpn_field field[WIDTH];
    for (size_t c = 0; c < WIDTH; c++) {
        snprintf(text[c], sizeof text[c], isfinite(value[c]) ? "%.17g" : "none", value[c]);
        field[c] = (dpn_field){text[c], strlen(text[c])};
    }
    assert_int_equal(dpn_fit_rows(fit, field, 1, NULL), DPN_OK);
}

/* By the definition: (clamped value - centre)/half, where without an intercept the centre is 0 and half the largest size. */
static double scaled(double value, const double bounds[2], bool no_intercept) {
    double centre = no_intercept ? 0 : (bounds[0] + bounds[1]) / 2;
    double half = no_intercept ? fmax(fabs(bounds[0]), fabs(bounds[1])) : (bounds[1] - bounds[0]) / 2;
    return (fmin(fmax(value, bounds[0]), bounds[1]) - centre) / half;
}

static const double some[] = {-DBL_MAX, -1e19,    -1e6,      -3.0000001, -3,   -2.9999999, -1e-300, -0.0,
                              0,        0.25,     0.2500001, 1,          2.75, 4.9999,     5,       5.001,
                              20.125,   39.99999, 40,        40.00001,   1e6,  3e18,       DBL_MAX};
enum { SOME = sizeof some / sizeof *some };

/* Every pair of these. Grids have 2^18 steps or more, and bounds move outwards by less than two of them. */
static void expect_same(bool no_intercept) {
    const double tolerance = ldexp(8, -17);
    dpn_fit *numbers = planned(NULL, NULL, NULL, no_intercept), *text = planned(NULL, NULL, NULL, no_intercept);
    for (size_t i = 0; i < SOME; i++)
        for (size_t j = 0; j < SOME; j++) {
            const double row[WIDTH] = {some[i], some[j]};
            assert_int_equal(dpn_fit_numbers(numbers, row, 1, NULL), DPN_OK);
            give_text(text, row);
            size_t last = numbers->rows.count - 1;
            assert_int_equal(text->rows.count, numbers->rows.count);
            for (size_t c = 0; c < 3; c++) assert_int_equal(step_of(numbers, last, c), step_of(text, last, c));
            assert_int_equal(step_of(numbers, last, 0), DPN_UNIT);
            double y = ldexp(step_of(numbers, last, 2), -DPN_UNIT_LOG),
                   x = ldexp(step_of(numbers, last, 1), -DPN_UNIT_LOG);
            assert_true(fabs(y - scaled(row[0], bound[0], no_intercept)) <= tolerance);
            assert_true(fabs(x - scaled(row[1], bound[1], no_intercept)) <= tolerance);
        }
    dpn_fit_free(numbers);
    dpn_fit_free(text);
}

static void test_values(void **state) {
    (void)state;
    expect_same(false);
    expect_same(true);
}

/* A field that is no number leaves its row out, or is the declared value, clamped as one that was given. */
static void test_missing(void **state) {
    static const char *const rule[] = {"skip", "value:7", "value:-100"};
    static const double instead[] = {NAN, 7, -100};
    const double none[] = {NAN, INFINITY, -INFINITY};
    (void)state;
    for (size_t k = 0; k < 3; k++)
        for (size_t i = 0; i < 3; i++)
            for (size_t c = 0; c < WIDTH; c++) {
                double row[WIDTH] = {1, 2};
                dpn_fit *fit = planned(NULL, rule[k], NULL, false), *text = planned(NULL, rule[k], NULL, false),
                        *given = planned(NULL, rule[k], NULL, false);
                row[c] = none[i];
                assert_int_equal(dpn_fit_numbers(fit, row, 1, NULL), DPN_OK);
                give_text(text, row);
                row[c] = instead[k];
                if (k > 0) assert_int_equal(dpn_fit_numbers(given, row, 1, NULL), DPN_OK);
                assert_int_equal(fit->rows.count, k > 0);
                assert_int_equal(text->rows.count, k > 0);
                for (size_t at = 0; at < 3 && k > 0; at++) {
                    assert_int_equal(step_of(fit, 0, at), step_of(given, 0, at));
                    assert_int_equal(step_of(text, 0, at), step_of(given, 0, at));
                }
                /* A row without fields has none that can be used. */
                assert_int_equal(dpn_fit_unusable(fit, 3, NULL), DPN_OK);
                assert_int_equal(fit->rows.count, k > 0 ? 4 : 0);
                dpn_fit_free(fit);
                dpn_fit_free(text);
                dpn_fit_free(given);
            }
}

/* The label of a logistic fit is whether the target is above the middle of its bounds. */
static void test_labels(void **state) {
    static const double target[] = {-3, -1, 0.999, 1, 1.001, 3, 5};
    static const bool label[] = {false, false, false, false, true, true, true};
    (void)state;
    dpn_fit_options options = dpn_fit_options_init();
    options.kind = DPN_FIT_LOGISTIC;
    dpn_declaration declaration = declared(NULL, NULL, NULL);
    dpn_fit *fit = data_planned(&options, &declaration);
    for (size_t i = 0; i < sizeof label / sizeof *label; i++) {
        const double row[WIDTH] = {target[i], 1};
        assert_int_equal(dpn_fit_numbers(fit, row, 1, NULL), DPN_OK);
        give_text(fit, row);
        for (size_t k = 0; k < 2; k++) assert_int_equal(step_of(fit, 2 * i + k, 2), label[i] ? DPN_UNIT : 0);
    }
    dpn_fit_free(fit);
    dpn_declaration_free(&declaration);
}

static void expect_refused(const char *where, const char *na) {
    const double row[WIDTH] = {1, 2};
    dpn_error why = {DPN_OK, ""};
    dpn_fit *fit = planned(where, NULL, na, false);
    assert_int_equal(dpn_fit_numbers(fit, row, 1, &why), DPN_EDOMAIN);
    assert_int_equal(fit->rows.count, 0);
    dpn_fit_free(fit);
}

/* A predicate on a column that is a measure too needs no other column; numbers do not show it, nor a word for missing fields. */
static void test_what_numbers_cannot_tell(void **state) {
    (void)state;
    expect_refused("x>=3", NULL);
    expect_refused("y!=1", NULL);
    expect_refused(NULL, "-99");
    expect_refused(NULL, "NA,1e3");
    const double row[WIDTH] = {1, 2};
    dpn_fit *fit = planned(NULL, NULL, "NA,?", false); /* no number is one of these */
    assert_int_equal(dpn_fit_numbers(fit, row, 1, NULL), DPN_OK);
    assert_int_equal(fit->rows.count, 1);
    dpn_fit_free(fit);
}

/* A fit has no use for what else a declaration can say, and does not answer as if it had. */
static void test_no_other_declarations(void **state) {
    static const char *const said[] = {"\"count_left_out\": true",
                                       "\"person\": \"p\", \"per_person\": \"sum\"",
                                       "\"person\": \"p\", \"per_person\": \"mean\"",
                                       "\"person\": \"p\", \"relation\": \"replace\"",
                                       "\"person\": \"p\", \"count_left_out\": true",
                                       "\"by\": [{\"column\": \"g\"}], \"delta\": 1e-6"};
    (void)state;
    for (size_t i = 0; i < sizeof said / sizeof *said; i++) {
        char text[400];
        dpn_declaration declaration;
        dpn_fit_options options = dpn_fit_options_init();
        dpn_fit *fit;
        dpn_error why;
        snprintf(text, sizeof text,
                 "{\"statistics\": [{\"kind\": \"mean\", \"column\": \"y\", \"lower\": 0, \"upper\": 1}, {\"kind\": "
                 "\"mean\", "
                 "\"column\": \"x\", \"lower\": 0, \"upper\": 1}], \"epsilon\": 1, %s}",
                 said[i]);
        options.method = "moments";
        if (dpn_declaration_read(&declaration, text, strlen(text), &why)) fail_msg("%s", why.sentence);
        assert_int_equal(dpn_declaration_check(&declaration, &why), DPN_OK);
        assert_int_equal(dpn_fit_new(&fit, &options, &why), DPN_OK);
        dpn_status status = dpn_fit_plan(fit, &declaration, &why);
        if (status != DPN_EUNSUPPORTED && status != DPN_EDOMAIN) fail_msg("%s", said[i]);
        dpn_fit_free(fit);
        dpn_declaration_free(&declaration);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_values), cmocka_unit_test(test_missing),
                                       cmocka_unit_test(test_labels), cmocka_unit_test(test_no_other_declarations),
                                       cmocka_unit_test(test_what_numbers_cannot_tell)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
