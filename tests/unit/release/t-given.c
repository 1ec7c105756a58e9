/* Releases with noise that the caller draws: what is asked of it, where it goes, and what the plan says. */
#include <dpnoise/plan.h>
#include <dpnoise/release.h>
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include "unit/random/seeded.h"

#include <cmocka.h>

static dpn_status draw(int64_t *steps, const void *context, dpn_rng *rng, dpn_error *why) {
    (void)rng;
    (void)why;
    for (int i = 0; i < 2; i++) steps[i] = ((const int64_t *)context)[i];
    return DPN_OK;
}

static int freed;
static void count_free(void *context) {
    (void)context;
    freed++;
}

static dpn_given_noise given(int64_t *context) {
    static const double bound[] = {2, 0, 1}, width[] = {7, 0, 5};
    static const int exponent[] = {-3, 0, 1};
    dpn_given_noise noise = dpn_given_noise_init();
    noise.dimension = 3;
    noise.bound = bound;
    noise.grid_exponents = exponent;
    noise.epsilon = 0.5;
    noise.half_width = width;
    noise.context = context;
    noise.draw = draw;
    noise.free = count_free;
    return noise;
}

static void test_noise_goes_to_what_moves(void **state) {
    (void)state;
    int64_t add[] = {10, -20}, value[] = {1, 2, 3};
    dpn_given_noise noise = given(add);
    dpn_release *release;
    dpn_error why;
    if (dpn_release_given(&release, &noise, &why)) fail_msg("%s", why.sentence);
    seeded random;
    seeded_begin(&random, 1);
    assert_int_equal(dpn_release_draw(value, release, &random.rng, value, NULL), DPN_OK);
    assert_true(value[0] == 11 && value[1] == 2 && value[2] == -17);
    const dpn_plan *plan = dpn_release_plan(release);
    assert_true(plan->blocks == 2 && plan->block[0].kind == DPN_BLOCK_PURE && plan->block[0].epsilon == 0.5);
    assert_true(plan->pure && plan->pure_epsilon == 0.5 && plan->delta.upper == 0);
    assert_true(isnan(plan->variance[0]) && plan->variance[1] == 0);
    assert_true(dpn_release_interval95(release, 0) > 7 && dpn_release_interval95(release, 0) < 7.2);
    dpn_delta less;
    assert_int_equal(dpn_plan_delta(&less, NULL, NULL, plan, dpn_release_sensitivity(release), 1, 0.4, NULL, NULL),
                     DPN_OK);
    assert_true(less.upper > 0);
    int before = freed;
    dpn_release_free(release);
    assert_int_equal(freed, before + 1);
}

static void test_refused(void **state) {
    (void)state;
    int64_t add[2] = {0};
    int before = freed;
    const double still[] = {0, 0, 0}, negative[] = {1, -1, 1};
    for (int i = 0; i < 5; i++) {
        dpn_given_noise noise = given(add);
        dpn_release *release = NULL;
        if (i == 0) noise.epsilon = 0;
        if (i == 1) noise.bound = still;
        if (i == 2) noise.bound = negative;
        if (i == 3) noise.draw = NULL;
        if (i == 4) noise.dimension = 0;
        assert_int_equal(dpn_release_given(&release, &noise, NULL), DPN_EDOMAIN);
        assert_null(release);
    }
    assert_int_equal(freed, before); /* the context stays the caller's */
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_noise_goes_to_what_moves), cmocka_unit_test(test_refused)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
