/* Every family by the least epsilon for an error. */
#include <dpnoise/calibrate.h>

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

/* The rows ascend, keep the error, and nearly no less epsilon would do. */
static void epsilons_ascend(void **state) {
    (void)state;
    dpn_sensitivity set = {.dimension = 1, .linf = 1};
    dpn_comparison all;
    dpn_error why;
    if (dpn_compare_epsilon(&all, 20, 1e-5, &set, NULL, &why)) fail_msg("%s", why.sentence);
    assert_int_equal(all.plans,
                     all.rows - 7); /* on one answer joint noise is noise of a law, on one step a staircase another's */
    for (size_t i = 0; i < all.plans; i++) {
        const dpn_plan *plan = &all.row[i].plan;
        assert_true(plan->error <= 20 && plan->delta.upper <= 1e-5);
        if (i > 0) assert_true(plan->epsilon >= all.row[i - 1].plan.epsilon);
        if (strncmp(all.row[i].family, "discrete-", 9) == 0) continue; /* their shapes step */
        dpn_plan less;
        assert_int_equal(dpn_calibrate(&less, all.row[i].family, plan->epsilon * (1 - 1e-4), 1e-5, &set, NULL, NULL),
                         DPN_OK);
        assert_true(less.error > 20);
        dpn_plan_free(&less);
    }
    dpn_comparison_free(&all);
}

static void reasons_are_given(void **state) {
    (void)state;
    dpn_sensitivity set = {.dimension = 1, .linf = 1.5};
    dpn_comparison all;
    dpn_error why;
    assert_int_equal(dpn_compare_epsilon(&all, 1e-20, 0, &set, NULL, &why), DPN_OK); /* nobody can, which is no error */
    assert_int_equal(all.plans, 0);
    for (size_t i = 0; i < all.rows; i++) assert_true(all.row[i].status && all.row[i].why.sentence[0]);
    dpn_comparison_free(&all);

    dpn_comparison untouched = {.rows = 77};
    dpn_calibration_options shape = {.size = sizeof(dpn_calibration_options), .shape_max = 1};
    dpn_sensitivity unbounded = {.dimension = 1};
    assert_int_equal(dpn_compare_epsilon(&untouched, 1, 0, &set, &shape, &why), DPN_EDOMAIN);
    assert_int_equal(dpn_compare_epsilon(&untouched, -1, 0, &set, NULL, &why), DPN_EDOMAIN);
    why.sentence[0] = '\0';
    assert_int_equal(dpn_compare_epsilon(&untouched, 1, 0, &unbounded, NULL, &why), DPN_EDOMAIN);
    assert_non_null(
        strstr(why.sentence, "the sensitivity is unbounded")); /* and whoever does not ask is told the status alone */
    assert_int_equal(dpn_compare_epsilon(&untouched, 1, 0, &unbounded, NULL, NULL), DPN_EDOMAIN);
    assert_int_equal(dpn_compare(&untouched, 1, 0, &unbounded, NULL, NULL), DPN_EDOMAIN);
    assert_int_equal(dpn_compare_epsilon(&untouched, 1, 1, &set, NULL, &why), DPN_EDOMAIN);
    assert_int_equal(untouched.rows, 77);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(epsilons_ascend), cmocka_unit_test(reasons_are_given)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
