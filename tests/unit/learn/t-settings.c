/* Equal fits are equal questions: what is written out and is the default, what a choice alone looked at, and the method that auto takes change nothing of the text that answers are kept
 * under; what changes the fit does; and what a method has no use for is refused, under every method. */
#define _POSIX_C_SOURCE 200809L /* strdup */
#include "unit/learn/data.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

/* The text after the plan, to be freed; NULL if it is refused. */
static char *text_of(dpn_fit_options options, const char *method, const char *delta) {
    options.method = method;
    dpn_declaration declared = data_declared(3, options.kind, "1", delta);
    dpn_fit *fit = NULL;
    dpn_error why;
    char *text = NULL;
    dpn_status status = dpn_fit_new(&fit, &options, &why);
    if (!status) status = dpn_fit_plan(fit, &declared, &why);
    if (!status) text = strdup(dpn_fit_inquiry(fit)->text);
    if (status) printf("# %s: %s\n", method, why.sentence);
    dpn_fit_free(fit);
    dpn_declaration_free(&declared);
    return text;
}

static void expect(bool equal, dpn_fit_options one, dpn_fit_options two, const char *method, const char *other,
                   const char *delta) {
    char *a = text_of(one, method, delta), *b = text_of(two, other, delta);
    assert_true(a && b);
    if ((strcmp(a, b) == 0) != equal) fail_msg("%s and %s", a, b);
    free(a);
    free(b);
}

static dpn_fit_options of_kind(dpn_fit_kind kind) {
    dpn_fit_options options = dpn_fit_options_init();
    options.kind = kind;
    return options;
}

static void test_equal(void **state) {
    (void)state;
    dpn_fit_options linear = of_kind(DPN_FIT_LINEAR), logistic = of_kind(DPN_FIT_LOGISTIC),
                    quantile = of_kind(DPN_FIT_QUANTILE), said = linear;
    /* The choice of auto, and a number of rows that it alone looked at; without one it buys it, which is another fit than each of its ways. */
    expect(true, linear, linear, "auto", "auto", NULL);
    expect(false, linear, linear, "auto", "two-step", NULL);
    expect(false, linear, linear, "auto", "cd", NULL);
    expect(true, linear, linear, NULL, "auto", "1e-6");
    said.rows = 1e6;
    expect(true, said, linear, NULL, "functional", "1e-6");
    expect(true, said, linear, "auto", "two-step", NULL);
    expect(true, said, linear, "moments", "moments", "1e-6");
    expect(false, said, linear, "cd", "cd", "1e-6");
    /* Defaults that are written out. */
    said = linear;
    said.passes = 10;
    said.step = 1;
    said.clip = 1; /* half of the root of four coefficients */
    expect(true, said, linear, "cd", "cd", "1e-6");
    said.passes = 9;
    expect(false, said, linear, "cd", "cd", "1e-6");
    said = linear;
    said.ball = "linf";
    expect(true, said, linear, "functional", "functional", NULL);
    expect(true, said, linear, "auto", "functional", NULL);
    said.ball = "l2";
    said.sample_rate = 0.0625;
    expect(true, said, linear, "sgd", "sgd", "1e-6");
    said = quantile;
    said.quantile = 0.5;
    said.within = 2;
    said.points = 9;
    expect(true, said, quantile, "auto", "kng", NULL);
    said.quantile = 0.4;
    expect(false, said, quantile, "auto", "kng", NULL);
    said = logistic;
    said.ball = "linf";
    expect(true, said, logistic, "objective", "auto", NULL);
    said.no_intercept = true;
    expect(false, said, logistic, "objective", "auto", NULL);
}

/* Of each method and each setting: planned with another text than without it, or refused. Settings that no method takes would be equal to none. */
static void test_refused(void **state) {
    (void)state;
    static const double three[] = {0.5, 0.2, 0.3, 0.25};
    enum { SETTINGS = 12 };
    size_t refused = 0, taken = 0;
    for (size_t m = 0; dpn_fit_method_name(m); m++) {
        const char *method = dpn_fit_method_name(m), *delta = "1e-6";
        dpn_fit_options plain = of_kind(DPN_FIT_LINEAR);
        if (strcmp(method, "auto") == 0) continue;
        if (strncmp(method, "objective", 9) == 0 || strcmp(method, "output") == 0) plain.within = 4;
        plain.rows = 1000;
        if (strcmp(method, "output") == 0) plain.l2 = 0.5;
        char *without = text_of(plain, method, delta);
        assert_non_null(without);
        for (size_t k = 0; k < SETTINGS; k++) {
            dpn_fit_options said = plain;
            const char *const name[] = {"raw",   "accounting", "clip",        "step",   "share",  "identical",
                                        "start", "smoothness", "sample_rate", "blocks", "points", "passes"};
            said.raw = k == 0;
            said.accounting = k == 1 ? DPN_FIT_ZCDP : DPN_FIT_EXACT;
            said.clip = k == 2 ? 0.75 : 0;
            said.step = k == 3 ? 0.5 : 0;
            said.share = k == 4 ? 0.3 : 0;
            said.identical = k == 5;
            said.start = k == 6 ? three : NULL;
            said.smoothness = k == 7 ? three : NULL;
            said.starts = said.smoothnesses = 4;
            said.sample_rate = k == 8 ? 0.25 : 0;
            said.blocks = k == 9 ? 7 : 0;
            said.points = k == 10 ? 3 : 0;
            said.passes = k == 11 ? 3 : 0;
            bool takes = dpn_fit_method_takes(method, name[k]);
            char *with = text_of(said, method, delta);
            if ((with != NULL) != takes) fail_msg("%s of %s", name[k], method);
            if (takes) assert_string_not_equal(with, without);
            refused += !takes;
            taken += takes;
            free(with);
        }
        free(without);
    }
    printf("# %zu taken, %zu refused\n", taken, refused);
    assert_true(taken >= 30 && refused >= 90);
    assert_false(dpn_fit_method_takes("no such", "raw") || dpn_fit_method_takes("cd", "no such"));
}

/* Auto takes a method that has a use for what is said. */
static void test_auto(void **state) {
    (void)state;
    dpn_fit_options said = of_kind(DPN_FIT_LINEAR);
    said.passes = 7;
    expect(true, said, said, "auto", "cd", NULL);
    said = of_kind(DPN_FIT_LINEAR);
    said.within = 2;
    said.share = 0.5;
    expect(true, said, said, "auto", "objective", NULL);
    said = of_kind(DPN_FIT_LINEAR);
    said.sample_rate = 0.125;
    expect(true, said, said, "auto", "sgd", "1e-6");
    assert_null(text_of(said, "auto", NULL));
    said.blocks = 4;
    assert_null(text_of(said, "auto", "1e-6"));
}

/* ---- Equal texts, equal answers ---- */

enum { ROWS = 60, FEATURES = 2, VARIED = 22 };

static const double some[] = {0.5, 0.2, 0.3}, others[] = {0.4, 0.3, 0.2};

/* The options with one of them said, of two values. */
static dpn_fit_options varied(dpn_fit_options of, size_t which, bool second) {
    of.no_intercept = which == 1 ? second : of.no_intercept;
    of.raw = which == 2 ? second : of.raw;
    if (which == 3) of.noise = second ? "laplace" : "gaussian";
    if (which == 4) of.ball = second ? "l2" : "linf";
    if (which == 5) of.ball = second ? "l1" : "linf";
    if (which == 6) of.l1 = second ? 0.25 : 0.5;
    if (which == 7) of.l2 = second ? 0.25 : 0.5;
    if (which == 8) of.passes = second ? 3 : 5;
    if (which == 9) of.rows = second ? 500 : 2000;
    if (which == 10) of.accounting = second ? DPN_FIT_ZCDP : DPN_FIT_EXACT;
    if (which == 11) of.clip = second ? 0.3 : 0.9;
    if (which == 12) of.step = second ? 0.25 : 0.75;
    if (which == 13) of.within = second ? 0.25 : 0.5;
    if (which == 14) of.share = second ? 0.25 : 0.5;
    of.identical = which == 15 ? second : of.identical;
    if (which == 16) of.start = second ? some : others;
    if (which == 17) of.smoothness = second ? some : others;
    if (which == 16 || which == 17) of.starts = of.smoothnesses = FEATURES + 1;
    if (which == 18) of.points = second ? 3 : 5;
    if (which == 19) of.sample_rate = second ? 0.25 : 0.5;
    if (which == 20) of.blocks = second ? 3 : 7;
    if (which == 21) of.within_l2 = second;
    return of;
}

static dpn_fit *planned(dpn_fit_options options, const char *delta) {
    dpn_declaration declared = data_declared(FEATURES, options.kind, "2", delta);
    dpn_fit *fit = NULL;
    dpn_status status = dpn_fit_new(&fit, &options, NULL);
    if (!status) status = dpn_fit_plan(fit, &declared, NULL);
    if (status) dpn_fit_free(fit);
    dpn_declaration_free(&declared);
    return status ? NULL : fit;
}

/* What a fit answers to the same rows with the same random bits, to be freed. */
static char *answer_of(dpn_fit *fit) {
    static double row[ROWS * (FEATURES + 1)];
    dpn_model *model = NULL;
    dpn_error why;
    seeded random;
    char *text = NULL;
    for (size_t i = 0; i < sizeof row / sizeof *row; i++) row[i] = sin(0.7 * (double)i * (double)(i % 7 + 1));
    seeded_begin(&random, 11);
    if (dpn_fit_numbers(fit, row, ROWS, &why) || dpn_fit_run(&model, fit, &random.rng, &why) ||
        dpn_model_write(&text, NULL, model, &why))
        fail_msg("%s", why.sentence);
    dpn_model_free(model);
    return text;
}

/* An answer is kept under the text: whatever is said, a fit that would answer otherwise has another one. */
static size_t expect_told_apart(dpn_fit_options plain, const char *delta) {
    size_t compared = 0;
    for (size_t which = 1; which < VARIED; which++) {
        dpn_fit *fit = planned(varied(plain, which, false), delta);
        dpn_fit *other = fit ? planned(varied(plain, which, true), delta) : NULL;
        if (other && strcmp(dpn_fit_inquiry(fit)->text, dpn_fit_inquiry(other)->text) == 0) {
            char *one = answer_of(fit), *two = answer_of(other);
            if (strcmp(one, two) != 0)
                fail_msg("%s, setting %zu: %s answers in two ways", plain.method, which, dpn_fit_inquiry(fit)->text);
            free(one);
            free(two);
        }
        compared += other != NULL;
        dpn_fit_free(fit);
        dpn_fit_free(other);
    }
    return compared;
}

static void test_equal_texts_answer_alike(void **state) {
    (void)state;
    size_t compared = 0;
    static const char *const pure[] = {"moments", "two-step", "functional", "kng"};
    for (size_t m = 0; dpn_fit_method_name(m); m++) {
        const char *method = dpn_fit_method_name(m), *delta = "1e-4";
        if (strcmp(method, "auto") == 0) continue;
        bool minimises = strncmp(method, "objective", 9) == 0 || strcmp(method, "output") == 0;
        dpn_fit_options plain = of_kind(DPN_FIT_LINEAR);
        plain.method = method;
        if (minimises) plain.within = 1;
        if (minimises || strcmp(method, "aggregate") == 0) plain.rows = 1000;
        if (strcmp(method, "output") == 0) plain.l2 = 0.5;
        for (size_t i = 0; i < sizeof pure / sizeof *pure; i++)
            if (strcmp(method, pure[i]) == 0) delta = NULL;
        size_t pairs = expect_told_apart(plain, delta);
        if (pairs == 0) fail_msg("%s: nothing could be said", method);
        compared += pairs;
    }
    for (int i = 0; i < 2; i++) { /* which quantile */
        dpn_fit_options quantile = of_kind(DPN_FIT_QUANTILE), other = quantile;
        quantile.quantile = 0.25;
        other.quantile = i ? 0.75 : 0;
        expect(false, quantile, other, "kng", "kng", NULL);
    }
    printf("# %zu pairs\n", compared);
    assert_true(compared >= 70);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_equal), cmocka_unit_test(test_refused),
                                       cmocka_unit_test(test_auto), cmocka_unit_test(test_equal_texts_answer_alike)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
