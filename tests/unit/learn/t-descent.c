/* Descent, one coefficient after the other and all together: with next to no noise both end where the fit without noise is, whatever the
 * penalty; with noise they are worth about as much. */
#include "unit/learn/data.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

#include <cmocka.h>

enum { ROWS = 2000 };

/* Averages over the second half of many passes, with clips that nothing reaches; the fit without noise is another solver's. */
static void expect_minimum(const char *method, dpn_fit_kind kind, double l1, double l2) {
    dpn_fit_options options = dpn_fit_options_init();
    dpn_declaration declared = data_declared(DATA_FEATURES, kind, "1000000000", NULL);
    double *value = kind == DPN_FIT_LINEAR ? data_linear(ROWS, 5) : data_logistic(ROWS, 5);
    options.kind = kind;
    options.l1 = l1;
    options.l2 = l2;
    options.method = "non-private";
    dpn_model *plain = data_fitted(&options, &declared, value, ROWS, 1);
    options.method = method;
    options.passes = 400;
    options.clip = 10;
    options.raw = true;
    dpn_model *model = data_fitted(&options, &declared, value, ROWS, 1);
    for (size_t i = 0; i < model->coefficients; i++) {
        double away = fabs(model->coefficient[i].value - plain->coefficient[i].value);
        if (!(away < 1e-3)) fail_msg("%s, coefficient %zu: %g away", method, i, away);
    }
    dpn_model_free(model);
    dpn_model_free(plain);
    dpn_declaration_free(&declared);
    free(value);
}

static void test_minimum(void **state) {
    (void)state;
    static const char *const method[] = {"cd", "gd"};
    for (size_t i = 0; i < 2; i++) {
        expect_minimum(method[i], DPN_FIT_LINEAR, 0, 0);
        expect_minimum(method[i], DPN_FIT_LINEAR, 0.02, 0.1);
        expect_minimum(method[i], DPN_FIT_LOGISTIC, 0, 0.05);
        expect_minimum(method[i], DPN_FIT_LOGISTIC, 0.02, 0);
    }
}

static double r2(const char *method, uint64_t run) {
    dpn_fit_options options = dpn_fit_options_init();
    dpn_declaration declared = data_declared(DATA_FEATURES, DPN_FIT_LINEAR, "0.5", "1e-6");
    double *value = data_linear(ROWS, 60 + run);
    options.method = method;
    dpn_model *model = data_fitted(&options, &declared, value, ROWS, 70 + run);
    double found = data_r2(model, value, ROWS);
    dpn_model_free(model);
    dpn_declaration_free(&declared);
    free(value);
    return found;
}

/* 2000 rows at (0.5, 1e-6). */
static void test_worth(void **state) {
    (void)state;
    enum { RUNS = 11 };
    double one[RUNS], all[RUNS], plain[RUNS];
    for (uint64_t run = 0; run < RUNS; run++) {
        one[run] = r2("cd", run);
        all[run] = r2("gd", run);
        plain[run] = r2("non-private", run);
    }
    double cd = data_median(one, RUNS), gd = data_median(all, RUNS), most = data_median(plain, RUNS);
    printf("# R^2 %.4f by cd, %.4f by gd, %.4f without noise\n", cd, gd, most);
    assert_true(cd > most - 0.15 && gd > most - 0.15);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_minimum), cmocka_unit_test(test_worth)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
