/* Who waits for a fit is told how much of it is done, the same whatever the rows are, and can end it. */
#include "unit/learn/data.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

enum { ROWS = 200, MOST = 4000 };

typedef struct watch {
    double done[MOST];
    size_t calls, asked, enough; /* enough: calls after which it is cancelled; 0: never */
} watch;

static void note(void *context, double done) {
    watch *of = context;
    assert_true(of->calls < MOST);
    of->done[of->calls++] = done;
}

static bool is_enough(void *context) {
    watch *of = context;
    of->asked++;
    return of->enough > 0 && of->asked >= of->enough;
}

static dpn_status run(watch *of, const char *method, size_t rows, size_t enough) {
    dpn_fit_options options = dpn_fit_options_init();
    bool sgd = strcmp(method, "sgd") == 0, kng = strcmp(method, "kng") == 0;
    seeded random;
    dpn_model *model = NULL;
    dpn_error why;
    options.method = method;
    options.kind = DPN_FIT_LINEAR;
    options.passes = kng ? 2 : 3;
    options.points = kng ? 3 : 0;
    options.no_intercept = true;
    if (sgd) options.rows = ROWS;
    seeded_begin(&random, 7);
    dpn_declaration declared = data_declared(DATA_FEATURES, DPN_FIT_LINEAR, "1", sgd ? "0.001" : NULL);
    double *value = data_linear(ROWS, 5);
    dpn_fit *fit = data_planned(&options, &declared);
    assert_int_equal(dpn_fit_numbers(fit, value, rows, NULL), DPN_OK);
    *of = (watch){.enough = enough};
    dpn_fit_watch(fit, note, is_enough, of);
    dpn_status status = dpn_fit_run(&model, fit, &random.rng, &why);
    assert_true((status == DPN_OK) == (model != NULL));
    if (status) assert_string_equal(why.sentence, "the fit was cancelled");
    dpn_model_free(model);
    dpn_fit_free(fit);
    dpn_declaration_free(&declared);
    free(value);
    return status;
}

static void test_watch(void **state) {
    (void)state;
    static const char *const methods[] = {"cd", "gd", "kng", "sgd"};
    static watch whole, fewer;
    for (size_t i = 0; i < 4; i++) {
        assert_int_equal(run(&whole, methods[i], ROWS, 0), DPN_OK);
        assert_true(whole.calls >= 3 && whole.calls == whole.asked);
        assert_true(whole.done[0] > 0 && whole.done[whole.calls - 1] == 1);
        for (size_t k = 1; k < whole.calls; k++) assert_true(whole.done[k] > whole.done[k - 1]);
        /* What is told is public: it does not depend on how many rows there are. */
        assert_int_equal(run(&fewer, methods[i], 3, 0), DPN_OK);
        assert_int_equal(fewer.calls, whole.calls);
        assert_memory_equal(fewer.done, whole.done, whole.calls * sizeof *whole.done);
        assert_int_equal(run(&fewer, methods[i], ROWS, 2), DPN_ECANCELLED);
        assert_int_equal(fewer.calls, 2);
    }
}

/* Planning of batches can be ended too: it asks before each look at what some noise guarantees. */
static void test_planning(void **state) {
    (void)state;
    for (int enough = 0; enough < 2; enough++) {
        dpn_fit_options options = dpn_fit_options_init();
        dpn_declaration declared = data_declared(2, DPN_FIT_LINEAR, "1", "0.00001");
        watch of = {.enough = enough ? 3 : 0};
        dpn_fit *fit;
        options.method = "sgd";
        options.rows = ROWS;
        assert_int_equal(dpn_fit_new(&fit, &options, NULL), DPN_OK);
        dpn_fit_watch(fit, note, is_enough, &of);
        assert_int_equal(dpn_fit_plan(fit, &declared, NULL), enough ? DPN_ECANCELLED : DPN_OK);
        assert_true(of.asked >= 3);
        dpn_fit_free(fit);
        dpn_declaration_free(&declared);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_watch), cmocka_unit_test(test_planning)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
