/* epsilon(delta): both ends of the interval are certified by the profile itself, pure laws end exactly, and what
 * cannot be reached is infinite. */
#include "case.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

static dpn_epsilon epsilon_of(const dpn_law *law, double sensitivity, double delta) {
    dpn_epsilon epsilon;
    dpn_error why;
    if (dpn_profile_epsilon(&epsilon, law, sensitivity, delta, &why) != DPN_OK) {
        char text[DPN_LAW_TEXT_SIZE];
        fail_msg("%s, sensitivity %.17g, delta %.17g: %s", dpn_law_print(text, law), sensitivity, delta, why.sentence);
    }
    return epsilon;
}

static dpn_delta delta_of(const dpn_law *law, double sensitivity, double epsilon) {
    dpn_delta delta;
    dpn_error why;
    if (dpn_profile_delta(&delta, law, sensitivity, epsilon, &why) != DPN_OK) fail_msg("%s", why.sentence);
    return delta;
}

static const char *const families[] = {"gaussian",
                                       "laplace",
                                       "flipped-huber",
                                       "osgt",
                                       "huber",
                                       "staircase",
                                       "truncated-laplace",
                                       "subbotin",
                                       "logistic",
                                       "discrete-laplace",
                                       "discrete-gaussian",
                                       "discrete-osgt",
                                       "discrete-flipped-huber"};
enum { FAMILIES = sizeof families / sizeof *families };

static void ends_are_certified(void **state) {
    const char *family = *state;
    draw_source source = {11};
    for (int i = case_count(12); i > 0; i--) {
        profile_case at = case_draw(&source, family);
        double delta = draw_chance(&source, 0.5) ? draw_log_uniform(&source, 1e-12, 0.9)
                                                 : draw_log_uniform(&source, 1e-300, 1e-12);
        dpn_epsilon epsilon = epsilon_of(&at.law, at.sensitivity, delta);
        assert_true(epsilon.lower >= 0 && epsilon.lower <= epsilon.upper);
        if (isfinite(epsilon.upper)) assert_true(delta_of(&at.law, at.sensitivity, epsilon.upper).upper <= delta);
        if (epsilon.lower > 0) assert_true(delta_of(&at.law, at.sensitivity, epsilon.lower).upper > delta);
        if (!isfinite(epsilon.upper)) continue;
        /* The width is that of delta divided by the slope of its logarithm, which is at least 1/2 where delta < 1/2. */
        double width = epsilon.upper - epsilon.lower, limit = 1e-9 * epsilon.upper + (delta < 0.5 ? 1e-8 : 1e-6);
        if (!(width <= limit)) {
            char text[DPN_LAW_TEXT_SIZE];
            fail_msg("%s, sensitivity %.17g, delta %.17g: epsilon in [%.17g, %.17g]", dpn_law_print(text, &at.law),
                     at.sensitivity, delta, epsilon.lower, epsilon.upper);
        }
    }
}

/* The exact largest loss, rounded outwards: laws, sensitivity, and the answer where it is a double. */
static void pure_laws_end(void **state) {
    (void)state;
    static const struct {
        const char *law;
        double sensitivity, largest;
    } pure[] = {
        {"laplace(scale=4)", 3, 0.75},          {"logistic(scale=4)", 3, 0.75},
        {"huber(alpha=2,gamma=4)", 3, 0.375},   {"staircase(epsilon=0.5,sensitivity=1,gamma=0.3)", 1, 0.5},
        {"discrete-laplace(scale=4)", 3, 0.75}, {"staircase(epsilon=0.5,sensitivity=1,gamma=0.3)", 2.25, 1.5},
        {"subbotin(p=1,scale=4)", 3, 0.75},     {"staircase(epsilon=0.5,sensitivity=1,gamma=0.3)", 2, 1},
    };
    for (size_t i = 0; i < sizeof pure / sizeof *pure; i++) {
        dpn_law law = case_law(pure[i].law);
        dpn_epsilon epsilon = epsilon_of(&law, pure[i].sensitivity, 0);
        assert_true(epsilon.lower == pure[i].largest && epsilon.upper == pure[i].largest);
        assert_true(delta_of(&law, pure[i].sensitivity, epsilon.upper).upper == 0);
        assert_true(delta_of(&law, pure[i].sensitivity, nextafter(epsilon.upper, 0)).lower > 0);
    }
    /* 1/3 is no double: the upper end is above it, the lower end below, and they are neighbours. */
    dpn_law law = case_law("laplace(scale=3)");
    dpn_epsilon epsilon = epsilon_of(&law, 1, 0);
    assert_true(fma(3, epsilon.upper, -1) > 0 && fma(3, epsilon.lower, -1) < 0);
    assert_true(nextafter(epsilon.lower, 1) == epsilon.upper);
    assert_true(delta_of(&law, 1, epsilon.upper).upper == 0 && delta_of(&law, 1, epsilon.lower).lower > 0);
}

static void what_cannot_be_reached_is_infinite(void **state) {
    (void)state;
    static const char *const unbounded[] = {"gaussian(sigma=1)", "flipped-huber(alpha=3,gamma=1)", "osgt(m=1,sigma=1)",
                                            "subbotin(p=1.5,scale=1)", "discrete-gaussian(sigma=3)"};
    for (size_t i = 0; i < sizeof unbounded / sizeof *unbounded; i++) {
        dpn_law law = case_law(unbounded[i]);
        dpn_epsilon epsilon = epsilon_of(&law, 1, 0);
        assert_true(epsilon.lower == INFINITY && epsilon.upper == INFINITY);
    }
    dpn_law law = case_law("truncated-laplace(scale=1,bound=5)");
    double at_infinity = delta_of(&law, 1, INFINITY).upper;
    dpn_epsilon below = epsilon_of(&law, 1, 0.99 * at_infinity), above = epsilon_of(&law, 1, 1.01 * at_infinity);
    assert_true(below.lower == INFINITY && below.upper == INFINITY);
    assert_true(above.upper < 1 && above.lower > 0.99);
}

static void trivial_guarantees(void **state) {
    (void)state;
    for (size_t i = 0; dpn_family_name(i); i++) {
        draw_source source = {i};
        profile_case at = case_draw(&source, dpn_family_name(i));
        dpn_epsilon epsilon = epsilon_of(&at.law, at.sensitivity, 1);
        assert_true(epsilon.lower == 0 && epsilon.upper == 0);
        epsilon = epsilon_of(&at.law, 0, 0);
        assert_true(epsilon.lower == 0 && epsilon.upper == 0);
        double total_variation = delta_of(&at.law, at.sensitivity, 0).upper;
        epsilon = epsilon_of(&at.law, at.sensitivity, total_variation);
        assert_true(epsilon.lower == 0 && epsilon.upper == 0);
    }
}

/* A few doubles below delta(0) the root is 0 but for rounding: the search ends, and upper is private. */
static void targets_beside_the_total_variation(void **state) {
    (void)state;
    draw_source source = {12};
    for (size_t i = 0; dpn_family_name(i); i++) {
        for (int n = 0; n < 8; n++) {
            profile_case at = case_draw(&source, dpn_family_name(i));
            dpn_profile profile;
            dpn_profile_prepare(&profile, &at.law, at.sensitivity);
            double delta = fmin(1, dpn_estimate_value(dpn_profile_at(&profile, 0)));
            for (int down = 0; down < n; down++) delta = nextafter(delta, 0);
            dpn_epsilon epsilon;
            if (dpn_profile_epsilon(&epsilon, &at.law, at.sensitivity, delta, NULL) == DPN_EACCURACY) continue;
            assert_true(epsilon.lower >= 0 && epsilon.lower <= epsilon.upper);
            if (isfinite(epsilon.upper)) assert_true(delta_of(&at.law, at.sensitivity, epsilon.upper).upper <= delta);
        }
    }
}

static void bad_delta_is_refused(void **state) {
    (void)state;
    dpn_law law = case_law("gaussian(sigma=1)"), integer = case_law("discrete-gaussian(sigma=1)");
    dpn_epsilon out = {-1, -1};
    dpn_error why;
    static const double bad[] = {-1e-300, 1.0000001, NAN, INFINITY, -INFINITY};
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        assert_int_equal(dpn_profile_epsilon(&out, &law, 1, bad[i], &why), DPN_EDOMAIN);
        assert_int_equal(why.status, DPN_EDOMAIN);
        assert_non_null(strstr(why.sentence, "delta"));
    }
    assert_int_equal(dpn_profile_epsilon(&out, &law, -1, 0.1, &why), DPN_EDOMAIN);
    assert_int_equal(dpn_profile_epsilon(&out, &integer, 0.5, 0.1, &why), DPN_EDOMAIN);
    assert_int_equal(dpn_profile_epsilon(&out, NULL, 1, 0.1, NULL), DPN_EDOMAIN);
    assert_true(out.lower == -1 && out.upper == -1);
}

int main(void) {
    struct CMUnitTest tests[FAMILIES + 5] = {
        cmocka_unit_test(pure_laws_end),
        cmocka_unit_test(what_cannot_be_reached_is_infinite),
        cmocka_unit_test(trivial_guarantees),
        cmocka_unit_test(bad_delta_is_refused),
        cmocka_unit_test(targets_beside_the_total_variation),
    };
    for (size_t i = 0; i < FAMILIES; i++)
        tests[5 + i] = (struct CMUnitTest){families[i], ends_are_certified, NULL, NULL, (void *)families[i]};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
