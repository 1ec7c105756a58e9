/* Models in the data's units and as text: a table with bounds of all sorts and levels, whose fit is known; what is written reads back to the
 * same, and text that is no model is refused. */
#include "unit/learn/data.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

static dpn_field field_of(const char *text) {
    return (dpn_field){text, strlen(text)};
}

/* y = 3000 + 20 x - 0.5 z + 700 [south] - 40 [west], exactly, rows in the order region, x, y, z; a row with another level, one that a predicate
 * leaves out and one that is no number change nothing. */
static dpn_model *fitted(bool no_intercept) {
    static const char *const region[] = {"north", "south", "west"};
    dpn_fit_options options = dpn_fit_options_init();
    dpn_declaration declared;
    dpn_error why;
    dpn_fit *fit;
    dpn_model *model;
    const double shift[] = {0, 700, -40};
    options.method = "non-private";
    options.no_intercept = no_intercept;
    assert_int_equal(dpn_declaration_read(&declared, "{\"epsilon\": \"0.50\"}", 19, &why), DPN_OK);
    static const char *const column[] = {"y:-1000:9000", "x:10:110", "z:-4096:4096"};
    for (size_t i = 0; i < 3; i++)
        if (dpn_declare_statistic(&declared, DPN_STATISTIC_MEAN, column[i], &why)) fail_msg("%s", why.sentence);
    if (dpn_declare_by(&declared, "region", &why) || dpn_declare_levels(&declared, "region=north,south,west", &why) ||
        dpn_declare_where(&declared, "x>0", &why))
        fail_msg("%s", why.sentence);
    if (dpn_fit_new(&fit, &options, &why) || dpn_fit_plan(fit, &declared, &why)) fail_msg("%s", why.sentence);
    static const char *const order[] = {"region", "x", "y", "z"};
    for (size_t i = 0; i < 4; i++) assert_string_equal(dpn_fit_column(fit, i), order[i]);
    assert_null(dpn_fit_column(fit, 4));
    draw_source source = {3};
    for (int r = 0; r < 500; r++) {
        char y[40], x[40], z[40];
        size_t level = draw_bits(&source) % 3;
        double a = 10 + (double)(draw_bits(&source) % 101), b = 4 * (double)(draw_bits(&source) % 1000) - 2000;
        snprintf(y, sizeof y, "%.17g", 3000 + 20 * a - 0.5 * b + shift[level]);
        snprintf(x, sizeof x, "%.17g", a);
        snprintf(z, sizeof z, "%.17g", b);
        dpn_field row[] = {field_of(region[level]), field_of(x), field_of(y), field_of(z)};
        assert_int_equal(dpn_fit_rows(fit, row, 1, &why), DPN_OK);
    }
    dpn_field bad[] = {field_of("east"),  field_of("11"), field_of("9000"), field_of("0"), /* no such level */
                       field_of("north"), field_of("-5"), field_of("9000"), field_of("0"), /* x > 0 does not hold */
                       field_of("north"), field_of("11"), field_of("9000"), field_of("?")};
    assert_int_equal(dpn_fit_rows(fit, bad, 3, &why), DPN_OK);
    assert_int_equal(dpn_fit_unusable(fit, 7, &why), DPN_OK);
    if (dpn_fit_run(&model, fit, NULL, &why)) fail_msg("%s", why.sentence);
    dpn_fit_free(fit);
    dpn_declaration_free(&declared);
    return model;
}

/* Steps of 2^-17 of the half-width round each value, y by up to 0.02: coefficients are off by that at most, of z by less. */
static void expect_coefficients(const dpn_model *model, const double *expected, const char *const *name, size_t count) {
    assert_int_equal(model->coefficients, count);
    for (size_t i = 0; i < count; i++) {
        assert_string_equal(model->coefficient[i].name, name[i]);
        assert_true(fabs(model->coefficient[i].value - expected[i]) <
                    1e-5 * fabs(expected[i]) + (i == 0 || fabs(expected[i]) > 1 ? 0.02 : 1e-4));
    }
}

static void test_units(void **state) {
    static const char *const with[] = {"(intercept)", "x", "z", "region=south", "region=west"};
    static const char *const without[] = {"x", "z", "region=north", "region=south", "region=west"};
    (void)state;
    dpn_model *model = fitted(false);
    expect_coefficients(model, (const double[]){3000, 20, -0.5, 700, -40}, with, 5);
    dpn_field row[] = {field_of("60"), field_of("-100"), field_of("south"), field_of("south")};
    assert_true(fabs(dpn_model_predict(model, row) / 4950 - 1) < 1e-4);
    static const char *const other[] = {"north", "sout", "south ", "",
                                        "South", "w",    "east",   "southwest"}; /* none of the two */
    for (size_t i = 0; i < sizeof other / sizeof *other; i++) {
        row[2] = row[3] = field_of(other[i]);
        assert_true(fabs(dpn_model_predict(model, row) / 4250 - 1) < 1e-4);
    }
    row[2] = row[3] = field_of("west");
    assert_true(fabs(dpn_model_predict(model, row) / 4210 - 1) < 1e-4);
    row[2] = row[3] = field_of("south");
    row[0] = field_of("1e9"); /* clamped to 110 */
    assert_true(fabs(dpn_model_predict(model, row) / 5950 - 1) < 1e-4);
    row[1] = field_of("none");
    assert_true(isnan(dpn_model_predict(model, row)));
    dpn_model_free(model);
    model = fitted(true);
    expect_coefficients(model, (const double[]){20, -0.5, 3000, 3700, 2960}, without, 5);
    dpn_model_free(model);
}

/* y = x on rows from 0 to 1, of bounds that hold no more of y, and more of x: predictions stay within the bounds of both. */
static void test_predictions_stay_within(void **state) {
    static const char *const at[] = {"-9", "-1", "-0.5", "0", "0.25", "1", "1.5", "3", "9"};
    static const double truth[] = {0, 0, 0, 0, 0.25, 1, 1, 1, 1};
    (void)state;
    dpn_fit_options options = dpn_fit_options_init();
    dpn_declaration declared;
    dpn_model *model;
    dpn_error why;
    options.method = "non-private";
    assert_int_equal(dpn_declaration_read(&declared, "{\"epsilon\": 1}", 14, &why), DPN_OK);
    if (dpn_declare_statistic(&declared, DPN_STATISTIC_MEAN, "y:0:1", &why) ||
        dpn_declare_statistic(&declared, DPN_STATISTIC_MEAN, "x:-1:3", &why))
        fail_msg("%s", why.sentence);
    static const double row[] = {0, 0, 0.5, 0.5, 1, 1};
    model = data_fitted(&options, &declared, row, 3, 1);
    for (size_t i = 0; i < sizeof truth / sizeof *truth; i++) {
        dpn_field field = field_of(at[i]);
        if (!(fabs(dpn_model_predict(model, &field) - truth[i]) < 1e-4)) fail_msg("%s", at[i]);
    }
    dpn_model_free(model);
    dpn_declaration_free(&declared);
}

static void test_text(void **state) {
    (void)state;
    dpn_model *model = fitted(false), *again;
    char *text, *twice, wrapped[20000];
    size_t length;
    dpn_error why;
    assert_int_equal(dpn_model_write(&text, &length, model, &why), DPN_OK);
    assert_int_equal(dpn_model_read(&again, text, length, &why), DPN_OK);
    assert_int_equal(dpn_model_write(&twice, NULL, again, &why), DPN_OK);
    assert_string_equal(text, twice);
    assert_string_equal(again->epsilon, "");
    assert_non_null(strstr(text, "\"epsilon\": null, \"delta\": null"));
    dpn_model_free(again);
    free(twice);
    /* A guarantee, and whom it is about. */
    char *none[] = {model->epsilon, model->delta}, half[] = "0.5", zero[] = "0";
    model->is_private = true;
    model->epsilon = half;
    model->delta = zero;
    model->max_rows = 3;
    assert_int_equal(dpn_model_write(&twice, NULL, model, &why), DPN_OK);
    assert_int_equal(dpn_model_read(&again, twice, strlen(twice), &why), DPN_OK);
    assert_non_null(strstr(twice, "\"unit\": \"person\", \"max_rows\": 3"));
    assert_string_equal(again->epsilon, "0.5");
    assert_int_equal(again->max_rows, 3);
    model->is_private = false;
    model->epsilon = none[0];
    model->delta = none[1];
    model->max_rows = 0;
    dpn_model_free(again);
    free(twice);
    int wide = snprintf(wrapped, sizeof wrapped, "{\"method\": 7, \"model\": %s}", text);
    assert_int_equal(dpn_model_read(&again, wrapped, (size_t)wide, &why), DPN_OK);
    dpn_model_free(again);
    /* No beginning of the text is a model. */
    for (size_t cut = 0; cut < length; cut++) assert_int_equal(dpn_model_read(&again, text, cut, &why), DPN_EPARSE);
    free(text);
    dpn_model_free(model);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_units), cmocka_unit_test(test_predictions_stay_within),
                                       cmocka_unit_test(test_text)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
