/* What every profile keeps, whatever the law: the ends of the line, the reflection, monotonicity, and bad input. A
 * family without a row in the table below fails the test. */
#include "case.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

static const char *const texts[] = {
    "gaussian(sigma=1)",
    "laplace(scale=1.5)",
    "flipped-huber(alpha=0,gamma=1)",
    "flipped-huber(alpha=0.4,gamma=1)",
    "flipped-huber(alpha=3,gamma=1)",
    "flipped-huber(alpha=1000,gamma=30)",
    "osgt(m=1,sigma=2)",
    "osgt(m=1000,sigma=20)",
    "huber(alpha=1,gamma=2)",
    "staircase(epsilon=1,sensitivity=1,gamma=0.4)",
    "staircase(epsilon=0.1,sensitivity=2,gamma=0)",
    "truncated-laplace(scale=1,bound=3)",
    "truncated-laplace(scale=3,bound=1)",
    "subbotin(p=1,scale=1)",
    "subbotin(p=1.5,scale=1)",
    "subbotin(p=10,scale=1)",
    "logistic(scale=1)",
    "discrete-gaussian(sigma=0.3)",
    "discrete-gaussian(sigma=2)",
    "discrete-laplace(scale=1.5)",
    "discrete-flipped-huber(alpha=2.5,gamma=1.5)",
    "discrete-osgt(m=1,sigma=2)",
    "truncated-geometric(epsilon=0.5,n=4,theta=0.3)",
    "truncated-geometric(epsilon=2,n=1,theta=1)",
};
enum { TEXTS = sizeof texts / sizeof *texts };

static dpn_delta delta_of(const dpn_law *law, double sensitivity, double epsilon) {
    dpn_delta delta;
    dpn_error why;
    if (dpn_profile_delta(&delta, law, sensitivity, epsilon, &why) != DPN_OK) {
        char text[DPN_LAW_TEXT_SIZE];
        fail_msg("%s, sensitivity %.17g, epsilon %.17g: %s", dpn_law_print(text, law), sensitivity, epsilon,
                 why.sentence);
    }
    assert_true(delta.lower >= 0 && delta.lower <= delta.upper && delta.upper <= 1);
    assert_true(delta.log_lower <= delta.log_upper && delta.log_upper <= 0);
    assert_true(delta.lower <= exp(delta.log_upper) && exp(delta.log_lower) <= delta.upper);
    return delta;
}

static void every_family_is_here(void **state) {
    (void)state;
    for (size_t i = 0; dpn_family_name(i); i++) {
        bool found = false;
        for (size_t j = 0; j < TEXTS; j++) {
            dpn_law law = case_law(texts[j]);
            found = found || strcmp(dpn_law_family(&law), dpn_family_name(i)) == 0;
        }
        if (!found) fail_msg("family '%s' has no row in t-profile-edges.c", dpn_family_name(i));
    }
}

/* Without sensitivity nothing is revealed: delta = max(0, 1 - e^epsilon). */
static void sensitivity_zero(void **state) {
    (void)state;
    for (size_t i = 0; i < TEXTS; i++) {
        dpn_law law = case_law(texts[i]);
        static const double none[] = {0, 1e-300, 1, 1e300, INFINITY};
        for (size_t j = 0; j < sizeof none / sizeof *none; j++) {
            dpn_delta delta = delta_of(&law, 0, none[j]);
            assert_true(delta.upper == 0 && delta.lower == 0 && delta.log_upper == -INFINITY);
        }
        static const double some[] = {-1e-300, -1e-9, -1, -700};
        for (size_t j = 0; j < sizeof some / sizeof *some; j++) {
            dpn_delta delta = delta_of(&law, 0, some[j]);
            double value = -expm1(some[j]);
            assert_true(delta.lower <= value && value <= delta.upper && delta.upper - delta.lower <= 1e-12 * value);
        }
        assert_true(delta_of(&law, 0, -INFINITY).lower == 1);
    }
}

static void ends_of_the_line(void **state) {
    (void)state;
    for (size_t i = 0; i < TEXTS; i++) {
        dpn_law law = case_law(texts[i]);
        dpn_delta everything = delta_of(&law, 1, -INFINITY), rest = delta_of(&law, 1, INFINITY);
        assert_true(everything.lower == 1 && everything.upper == 1);
        if (isinf(dpn_law_support(&law))) {
            assert_true(rest.upper == 0 && rest.log_upper == -INFINITY);
        } else { /* what lies beyond the overlap */
            double mass = dpn_law_sf(&law, dpn_law_support(&law) - 1);
            assert_true(rest.lower > 0 && fabs(rest.upper / mass - 1) < 4e-12);
        }
    }
}

/* Supports that do not meet are told apart for certain. */
static void disjoint_supports(void **state) {
    (void)state;
    dpn_law law = case_law("truncated-laplace(scale=1,bound=3)");
    static const double epsilon[] = {-1, 0, 1, 700, 1e300, INFINITY};
    for (size_t i = 0; i < sizeof epsilon / sizeof *epsilon; i++) {
        dpn_delta touching = delta_of(&law, 6, epsilon[i]), apart = delta_of(&law, 7, epsilon[i]);
        assert_true(touching.lower == 1 && touching.upper == 1 && apart.lower == 1 && apart.upper == 1);
        assert_true(delta_of(&law, 5.875, epsilon[i]).upper < 1);
    }
}

/* delta(0) is the total variation distance 1 - 2 P(X > D/2) = P(|X| < D/2). */
static void total_variation(void **state) {
    (void)state;
    for (size_t i = 0; i < TEXTS; i++) {
        dpn_law law = case_law(texts[i]);
        for (double d = 2; d < 20; d += 2) {
            double half = d / 2, value = 1 - 2 * dpn_law_sf(&law, half);
            if (dpn_law_is_integer(&law)) value -= dpn_law_pdf(&law, half); /* the point half way has loss 0 */
            dpn_delta delta = delta_of(&law, d, 0);
            assert_true(fabs(delta.upper - value) < 1e-8 * value);
        }
    }
}

static void reflection(void **state) {
    (void)state;
    for (size_t i = 0; i < TEXTS; i++) {
        dpn_law law = case_law(texts[i]);
        for (double epsilon = 1e-9; epsilon < 1000; epsilon *= 7) {
            dpn_delta right = delta_of(&law, 1, epsilon), left = delta_of(&law, 1, -epsilon);
            double value = -expm1(-epsilon) + exp(-epsilon) * right.upper;
            assert_true(fabs(left.upper - value) <= 1e-8 * value);
            assert_true(left.upper >= right.lower);
        }
    }
}

static void decreasing_in_epsilon(void **state) {
    (void)state;
    for (size_t i = 0; i < TEXTS; i++) {
        dpn_law law = case_law(texts[i]);
        dpn_delta before = delta_of(&law, 2, -5);
        for (double epsilon = -5; epsilon < 12; epsilon += 0.03125) {
            dpn_delta now = delta_of(&law, 2, epsilon);
            assert_true(now.lower <= before.upper && now.log_lower <= before.log_upper);
            before = now;
        }
    }
}

static void increasing_in_sensitivity(void **state) {
    (void)state;
    for (size_t i = 0; i < TEXTS; i++) {
        dpn_law law = case_law(texts[i]);
        bool integer = dpn_law_is_integer(&law);
        static const double epsilon[] = {-1, 0, 0.3, 2};
        for (size_t j = 0; j < sizeof epsilon / sizeof *epsilon; j++) {
            double before = 0;
            /* With a small sensitivity a positive epsilon is out of reach of some laws: log delta is below -1e18. */
            for (double d = integer          ? 1
                            : epsilon[j] > 0 ? 1e-3
                                             : 1e-9;
                 d < 1e6; d = integer ? ceil(1.3 * d) : 1.7 * d) {
                dpn_delta now = delta_of(&law, d, epsilon[j]);
                assert_true(now.upper >= before);
                before = now.lower;
            }
            assert_true(before > 0.999 || epsilon[j] < 0);
        }
    }
}

/* 1e-1000 and below: only the logarithms are left, and upper is still above the truth. */
static void below_the_smallest_double(void **state) {
    (void)state;
    static const char *const deep[] = {"gaussian(sigma=1)",          "flipped-huber(alpha=3,gamma=1)",
                                       "osgt(m=1,sigma=1)",          "subbotin(p=2,scale=1)",
                                       "discrete-gaussian(sigma=1)", "discrete-osgt(m=1,sigma=1)"};
    for (size_t i = 0; i < sizeof deep / sizeof *deep; i++) {
        dpn_law law = case_law(deep[i]);
        dpn_delta delta = delta_of(&law, 1, 80);
        assert_true(delta.lower == 0 && delta.upper > 0 && delta.upper <= 1e-322);
        assert_true(delta.log_upper < -2500 && delta.log_upper - delta.log_lower < 3e-9 - 1e-14 * delta.log_upper);
    }
    /* subbotin(2) is the Gaussian law: the generic path in logarithms. */
    dpn_law gaussian = case_law(deep[0]), subbotin = case_law(deep[3]);
    dpn_delta a = delta_of(&gaussian, 1, 80), b = delta_of(&subbotin, 1, 80);
    assert_true(a.log_lower <= b.log_upper && b.log_lower <= a.log_upper);
}

static void bad_input_is_refused(void **state) {
    (void)state;
    static const double bad[] = {-1, -1e-300, NAN, INFINITY, -INFINITY};
    for (size_t i = 0; i < TEXTS; i++) {
        dpn_law law = case_law(texts[i]);
        dpn_delta out = {7, 8, 9, 10};
        dpn_error why;
        for (size_t j = 0; j < sizeof bad / sizeof *bad; j++) {
            assert_int_equal(dpn_profile_delta(&out, &law, bad[j], 1, &why), DPN_EDOMAIN);
            assert_int_equal(why.status, DPN_EDOMAIN);
            assert_non_null(strstr(why.sentence, "sensitivity"));
        }
        assert_int_equal(dpn_profile_delta(&out, &law, 1, NAN, &why), DPN_EDOMAIN);
        assert_non_null(strstr(why.sentence, "epsilon"));
        if (dpn_law_is_integer(&law)) {
            assert_int_equal(dpn_profile_delta(&out, &law, 1.5, 1, &why), DPN_EDOMAIN);
            assert_non_null(strstr(why.sentence, "whole"));
        }
        assert_int_equal(dpn_profile_delta(&out, &law, -1, 1, NULL), DPN_EDOMAIN);
        assert_true(out.lower == 7 && out.upper == 8 && out.log_lower == 9 && out.log_upper == 10);
    }
    dpn_delta out = {7, 8, 9, 10};
    assert_int_equal(dpn_profile_delta(&out, NULL, 1, 1, NULL), DPN_EDOMAIN);
    assert_true(out.lower == 7);
}

/* Whatever the size of the arguments, there is an interval or DPN_EACCURACY, never NaN. */
static void extreme_arguments(void **state) {
    (void)state;
    static const double size[] = {
        5e-324, 1e-300, 1e-200, 1e-100, 1e-20, 1, 1e20, 1e100, 1e200, 1e300, 1.7976931348623157e308};
    enum { SIZES = sizeof size / sizeof *size };
    for (size_t i = 0; i < TEXTS; i++) {
        dpn_law law = case_law(texts[i]);
        for (size_t j = 0; j < SIZES; j++) {
            for (size_t k = 0; k < SIZES; k++) {
                double d = dpn_law_is_integer(&law) ? ceil(size[j]) : size[j];
                dpn_delta delta = {0, 0, 0, 0};
                dpn_status status = dpn_profile_delta(&delta, &law, d, size[k], NULL);
                if (status == DPN_EACCURACY) continue;
                assert_int_equal(status, DPN_OK);
                assert_true(delta.lower <= delta.upper && delta.log_lower <= delta.log_upper);
            }
        }
    }
}

/* A sensitivity of 1e-350 of the noise is not 0: there is no accuracy, and no guarantee that nothing is revealed. */
static void tiny_sensitivity_is_not_zero(void **state) {
    (void)state;
    static const char *const wide[] = {"gaussian(sigma=1e150)",
                                       "laplace(scale=1e150)",
                                       "logistic(scale=1e150)",
                                       "subbotin(p=1,scale=1e150)",
                                       "subbotin(p=3,scale=1e150)",
                                       "huber(alpha=1e150,gamma=1e150)",
                                       "flipped-huber(alpha=1e150,gamma=1e150)",
                                       "osgt(m=1e150,sigma=1e150)",
                                       "staircase(epsilon=1,sensitivity=1e150,gamma=0.5)",
                                       "truncated-laplace(scale=1e150,bound=1e145)"};
    for (size_t i = 0; i < sizeof wide / sizeof *wide; i++) {
        dpn_law law = case_law(wide[i]);
        dpn_delta delta;
        dpn_epsilon epsilon = {0, 0};
        assert_int_equal(dpn_profile_delta(&delta, &law, 1e-200, 0, NULL), DPN_EACCURACY);
        dpn_status status = dpn_profile_epsilon(&epsilon, &law, 1e-200, 0, NULL);
        assert_true(status == DPN_EACCURACY || epsilon.upper > 0);
    }
    /* D/scale = 1e-315 has lost its digits: delta(+inf), about D/2 bound = 5e-311, would be off by 6e-9. */
    dpn_law law = case_law(wide[9]);
    dpn_delta delta;
    assert_int_equal(dpn_profile_delta(&delta, &law, 1e-165, INFINITY, NULL), DPN_EACCURACY);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_family_is_here),      cmocka_unit_test(sensitivity_zero),
        cmocka_unit_test(ends_of_the_line),          cmocka_unit_test(disjoint_supports),
        cmocka_unit_test(total_variation),           cmocka_unit_test(reflection),
        cmocka_unit_test(decreasing_in_epsilon),     cmocka_unit_test(increasing_in_sensitivity),
        cmocka_unit_test(below_the_smallest_double), cmocka_unit_test(bad_input_is_refused),
        cmocka_unit_test(extreme_arguments),         cmocka_unit_test(tiny_sensitivity_is_not_zero),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
