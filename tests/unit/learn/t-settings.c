/* Equal fits are equal questions: what is written out and is the default, what a choice alone looked at, and the method that auto takes change nothing of the text that answers are kept
 * under; what changes the fit does; and what a method has no use for is refused, under every method. */
#define _POSIX_C_SOURCE 200809L /* strdup */
#include "unit/learn/data.h"

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

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_equal), cmocka_unit_test(test_refused),
                                       cmocka_unit_test(test_auto)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
