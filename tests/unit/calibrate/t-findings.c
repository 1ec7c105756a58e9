/* What a comparison remembers of one family changes nothing for another: each plan is the one that the family gets alone, to the last
 * bit. */
#include "calibrate/findings.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

/* Laplace noise comes first, then families with it as a limit, then itself from what is remembered. */
static const char *const families[] = {"laplace", "truncated-laplace", "osgt", "gaussian", "laplace"};

static void same_text(const dpn_plan *a, const dpn_plan *b) {
    char text[2][DPN_BLOCK_TEXT_SIZE];
    assert_int_equal(a->blocks, b->blocks);
    for (size_t i = 0; i < a->blocks; i++)
        assert_string_equal(dpn_block_print(text[0], &a->block[i], 17), dpn_block_print(text[1], &b->block[i], 17));
    assert_string_equal(a->note, b->note);
}

static void plans_are_those_alone(double epsilon, double delta, const dpn_sensitivity *set, dpn_findings *findings,
                                  const dpn_calibration_options *options) {
    for (size_t i = 0; i < sizeof families / sizeof *families; i++) {
        dpn_plan shared, alone;
        dpn_error why;
        dpn_status status = dpn_calibrate_sharing(&shared, families[i], epsilon, delta, set, options, findings, &why);
        if (status != dpn_calibrate(&alone, families[i], epsilon, delta, set, options, NULL))
            fail_msg("%s: not the same end", families[i]);
        if (status) continue;
        assert_true(shared.error == alone.error && shared.delta.upper == alone.delta.upper);
        assert_true(shared.delta.lower == alone.delta.lower);
        same_text(&shared, &alone);
        dpn_plan_free(&shared);
        dpn_plan_free(&alone);
    }
}

/* The best noise is a spread; what was found for one set, epsilon or delta is not taken for another. */
static void nothing_changes(void **state) {
    (void)state;
    double bound[] = {1, 1, 2}, other[] = {1, 1, 3};
    dpn_sensitivity set = {.dimension = 3, .bound = bound}, wider = {.dimension = 3, .bound = other};
    dpn_calibration_options identical = {.size = sizeof(dpn_calibration_options), .identical = true};
    dpn_findings *findings = dpn_findings_new();
    assert_non_null(findings);
    plans_are_those_alone(1, 1e-6, &set, findings, NULL);
    plans_are_those_alone(1, 1e-5, &set, findings, NULL);
    plans_are_those_alone(1, 1e-6, &wider, findings, NULL);
    plans_are_those_alone(1, 1e-6, &set, findings, &identical);
    plans_are_those_alone(1, 0, &set, findings, NULL);
    dpn_findings_free(findings);
    dpn_findings_free(NULL);
}

static bool count_looks(void *context) {
    ++*(int *)context;
    return false;
}

/* What was found and certified once is not looked for again, unless the goal is another. */
static void what_is_known_is_not_asked_again(void **state) {
    (void)state;
    static const char *const known[] = {"laplace", "gaussian"};
    static const double delta[] = {1e-6, 1e-6, 1e-5};
    double bound[] = {1, 1, 2};
    dpn_sensitivity set = {.dimension = 3, .bound = bound};
    for (size_t f = 0; f < 2; f++) {
        dpn_findings *findings = dpn_findings_new();
        assert_non_null(findings);
        int looks[3] = {0};
        for (size_t i = 0; i < 3; i++) {
            dpn_calibration_options options = dpn_calibration_options_init();
            options.cancelled = count_looks;
            options.context = &looks[i];
            dpn_plan plan;
            assert_int_equal(dpn_calibrate_sharing(&plan, known[f], 1, delta[i], &set, &options, findings, NULL),
                             DPN_OK);
            dpn_plan_free(&plan);
        }
        if (!(looks[1] <= 2 && looks[0] > 2 && looks[2] > 2))
            fail_msg("%s: %d, then %d, then %d looks", known[f], looks[0], looks[1], looks[2]);
        dpn_findings_free(findings);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(nothing_changes),
                                       cmocka_unit_test(what_is_known_is_not_asked_again)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
