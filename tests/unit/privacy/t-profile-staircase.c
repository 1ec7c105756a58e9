/* The staircase law, which is not log-concave: its profile step by step, at sensitivities below and above its own. */
#include "case.h"
#include "privacy/profile/closed-forms.h"
#include "truth.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

#include <cmocka.h>

static double draw_shift(draw_source *source, double width, double gamma) {
    double d = width * (draw_chance(source, 0.5) ? draw_uniform(source, 0, 4) : draw_log_uniform(source, 1e-6, 40));
    if (draw_chance(source, 0.2)) d = width * floor(1 + d / width);
    if (draw_chance(source, 0.1)) d = 2 * gamma * width;
    return d;
}

/* A case with the staircase's own steps: epsilon0 times a small whole number is an epsilon at which the profile
 * bends. */
static profile_case draw(draw_source *source) {
    profile_case at = {.family = ref_find("staircase")};
    double gamma = draw_chance(source, 0.2) ? floor(draw_uniform(source, 0, 2)) : draw_uniform(source, 0, 1);
    double parameter[] = {draw_log_uniform(source, 0.2, 20), draw_log_uniform(source, 0.01, 100), gamma};
    for (int i = 0; i < 3; i++) at.parameter[i] = parameter[i];
    assert_int_equal(dpn_law_make(&at.law, "staircase", parameter, 3, NULL), DPN_OK);
    at.sensitivity = fmax(draw_shift(source, parameter[1], gamma), 1e-6 * parameter[1]);
    at.epsilon = parameter[0] * draw_uniform(source, 0, 1.2 * (1 + at.sensitivity / parameter[1]));
    if (draw_chance(source, 0.3)) at.epsilon = parameter[0] * floor(at.epsilon / parameter[0]);
    return at;
}

static void profile_step_by_step(void **state) {
    (void)state;
    draw_source source = {3};
    for (int i = case_count(60); i > 0; i--) {
        profile_case at = draw(&source);
        if (i % 6 == 0) at.epsilon = -at.epsilon;
        size_t mark = r_mark();
        r_precision(300);
        real truth = truth_staircase(at.parameter, r_num(at.sensitivity), r_num(at.epsilon));
        dpn_profile profile;
        dpn_profile_prepare(&profile, &at.law, at.sensitivity);
        double miss = case_compare(&at, dpn_profile_at(&profile, at.epsilon), truth, "step by step");
        assert_true(miss < 0.1);
        r_release(mark);
    }
}

/* delta does not decrease with the shift: no shift below the sensitivity is worse. */
static void smaller_shifts_are_no_worse(void **state) {
    (void)state;
    draw_source source = {4};
    for (int i = 0; i < 400; i++) {
        profile_case at = draw(&source);
        double shift = at.sensitivity * draw_uniform(&source, 0, 1);
        dpn_delta at_sensitivity, at_shift;
        assert_int_equal(dpn_profile_delta(&at_sensitivity, &at.law, at.sensitivity, at.epsilon, NULL), DPN_OK);
        assert_int_equal(dpn_profile_delta(&at_shift, &at.law, shift, at.epsilon, NULL), DPN_OK);
        assert_true(at_shift.lower <= at_sensitivity.upper);
    }
}

/* Up to its own sensitivity the law is epsilon0-private, and its loss is 0 or +-epsilon0. */
static void own_sensitivity(void **state) {
    (void)state;
    dpn_law law = case_law("staircase(epsilon=0.75,sensitivity=3,gamma=0.3)");
    dpn_delta delta;
    assert_int_equal(dpn_profile_delta(&delta, &law, 3, 0.75, NULL), DPN_OK);
    assert_true(delta.upper == 0 && delta.log_upper == -INFINITY);
    dpn_epsilon epsilon;
    assert_int_equal(dpn_profile_epsilon(&epsilon, &law, 3, 0, NULL), DPN_OK);
    assert_true(epsilon.lower == 0.75 && epsilon.upper == 0.75);
    assert_int_equal(dpn_profile_epsilon(&epsilon, &law, 3.5, 0, NULL), DPN_OK);
    assert_true(epsilon.lower == 1.5 && epsilon.upper == 1.5);
    for (double t = -9; t < 9; t += 0.17) {
        double loss = dpn_privacy_loss(&law, 2.9, t);
        assert_true(loss == 0 || fabs(loss) == 0.75);
    }
    assert_true(isnan(dpn_privacy_loss_centred_inverse(&law, 1, 0.5)));
}

/* A step at 1.5: points on both sides of it that round to it are told apart. */
static void loss_beside_a_step(void **state) {
    (void)state;
    dpn_law law = case_law("staircase(epsilon=0.75,sensitivity=3,gamma=0.5)");
    assert_true(dpn_privacy_loss(&law, 1.5, 0) == 0.75);
    assert_true(dpn_privacy_loss(&law, 1e-17, 1.5) == 0);
    assert_true(dpn_privacy_loss(&law, -1e-17, 1.5) == -0.75);
    assert_true(dpn_privacy_loss(&law, -1e-17, -1.5) == 0);
    assert_true(dpn_privacy_loss(&law, 1e-17, -1.5) == -0.75);
    assert_true(dpn_privacy_loss(&law, 3, 1.5) == 0.75);
    assert_true(dpn_privacy_loss(&law, -1e-17, 4.5) == -0.75);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(profile_step_by_step),
        cmocka_unit_test(smaller_shifts_are_no_worse),
        cmocka_unit_test(own_sensitivity),
        cmocka_unit_test(loss_beside_a_step),
    };
    int failures = cmocka_run_group_tests(tests, NULL, NULL);
    r_free_all();
    return failures;
}
