/* The search for epsilon(delta), piece by piece, on profiles that are told: brackets, roots to a few ulps, certified ends, and how often the profile is asked. */
#include "privacy/profile/epsilon.c" /* to see each piece */

#include "case.h"
#include "privacy/profile/closed-forms.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

/* log delta(epsilon) = -scale epsilon^power - start, known to `error`; beyond `last` there is no accuracy. */
static struct {
    double scale, power, start, error, last;
    int asked;
} told;

static double log_told(double epsilon) {
    return -told.scale * pow(epsilon, told.power) - told.start;
}

static dpn_estimate tell(const dpn_profile *profile, double epsilon) {
    (void)profile;
    told.asked++;
    return (dpn_estimate){1, dpn_two(-log_told(epsilon)), epsilon > told.last ? 1 : told.error};
}

static dpn_estimate tell_nothing(const dpn_profile *profile) {
    (void)profile;
    return (dpn_estimate){0, dpn_two(0), 0};
}

static const struct dpn_closed_form telling = {.delta = tell, .at_infinity = tell_nothing};

static struct search search_for(double target, double scale, double power) {
    struct search s = {.target = target, .log_target = log(target)};
    dpn_law law = case_law("gaussian(sigma=1)");
    dpn_profile_prepare(&s.profile, &law, 1);
    s.profile.form = &telling;
    told.scale = scale, told.power = power, told.start = 0.1, told.error = 1e-12, told.last = INFINITY, told.asked = 0;
    return s;
}

static double root_of(const struct search *s) {
    return pow((-s->log_target - told.start) / told.scale, 1 / told.power);
}

static void brackets_hold_the_root(void **state) {
    (void)state;
    for (double target = 0.89; target > 1e-200; target *= target < 0.1 ? 1e-9 : 0.3)
        for (double scale = 1e-200; scale < 1e200; scale *= 1e9) {
            struct search s = search_for(target, scale, 1);
            double low, high, truth = root_of(&s);
            if (truth > 1e290) continue;
            assert_true(bracket(&s, &low, &high));
            assert_true(low < high && high >= truth * (1 - 1e-12) && low <= truth * (1 + 1e-12));
            assert_true(low == 0 ? truth < 1e-300 : high <= (truth > 1e-19 ? 4.01 : 5e9) * low);
            assert_true(told.asked <= 3 + fabs(log(truth)) / log(4));
        }
    struct search s = search_for(0.5, 1e-302, 1); /* beyond 1e300 there is none */
    double low, high;
    assert_false(bracket(&s, &low, &high));
    assert_true(told.asked <= 510);
    s = search_for(0.5, 1, 1); /* nor where accuracy ends */
    s.failed = true;
    assert_false(bracket(&s, &low, &high));
}

static void roots_are_found(void **state) {
    (void)state;
    draw_source source = {441};
    int most = 0;
    for (int trial = 0; trial < 500; trial++) {
        struct search s = search_for(draw_log_uniform(&source, 1e-200, 0.8), draw_log_uniform(&source, 1e-9, 1e9),
                                     draw_log_uniform(&source, 0.4, 4));
        double low, high, truth = root_of(&s);
        assert_true(bracket(&s, &low, &high));
        told.asked = 0;
        double got = root(&s, low, high);
        double ulps = fabs(got - truth) / truth / DBL_EPSILON,
               flat = fmax(1, 1 / told.power) * fmax(1, fabs(s.log_target) / fmax(1e-3, -s.log_target - told.start));
        if (!(ulps <= 8 + 8 * flat))
            fail_msg("power %g, target %g: %.17g, not %.17g", told.power, s.target, got, truth);
        most = told.asked > most ? told.asked : most;
        /* It ends above, by a few ulps at most, where the height is not positive. */
        assert_true(height(&s, got) <= 0 || got == high);
    }
    assert_true(most <= 60);
    struct search s = search_for(0.5, 1, 1); /* far apart it halves often enough */
    told.asked = 0;
    double got = root(&s, 0.5, 1e6);
    assert_true(fabs(got - root_of(&s)) < 1e-14 && told.asked <= 90);
}

/* The ends are certain, and a few widths of what is not known apart. */
static void ends_are_certain_and_close(void **state) {
    (void)state;
    draw_source source = {442};
    for (int trial = 0; trial < 300; trial++) {
        struct search s = search_for(draw_log_uniform(&source, 1e-100, 0.8), draw_log_uniform(&source, 1e-3, 1e3),
                                     draw_log_uniform(&source, 0.5, 3));
        told.error = draw_log_uniform(&source, 1e-12, 1e-7);
        double truth = root_of(&s);
        dpn_epsilon got = invert(&s);
        if (!(!s.failed && got.lower <= truth && got.upper >= truth))
            fail_msg("%d target %g error %g: %.17g %.17g %.17g", s.failed, s.target, told.error, got.lower, truth,
                     got.upper);
        double slope = told.scale * told.power * pow(truth, told.power - 1),
               width = (told.error + 20 * DBL_EPSILON * (1 + fabs(s.log_target))) / slope;
        if (!(got.upper - truth <= 1.3 * width + 4e-15 * truth && truth - got.lower <= 1.3 * width + 4e-15 * truth))
            fail_msg("error %g: %g above, %g below, width %g", told.error, got.upper - truth, truth - got.lower, width);
        assert_true(interval(&s, got.upper).upper <= s.target &&
                    (got.lower == 0 || interval(&s, got.lower).log_lower > s.log_target));
    }
    struct search s = search_for(exp(-0.1), 1, 1); /* the root is 0 but for rounding */
    dpn_epsilon got = invert(&s);
    assert_true(got.lower == 0 && got.upper >= 0 && got.upper < 1e-11 && !s.failed);
    s = search_for(0.5, 1, 1); /* where accuracy is lacking the search says so */
    told.last = 0.3;
    invert(&s);
    assert_true(s.failed);
    s = search_for(0.5, 1e-302, 1);
    got = invert(&s);
    assert_true(got.lower == 0 && isinf(got.upper));
}

static void tests_of_an_epsilon(void **state) {
    (void)state;
    for (double target = 0.8; target > 1e-250; target *= 1e-7) {
        struct search s = search_for(target, 1, 1);
        told.error = 1e-9;
        double truth = root_of(&s),
               rounding = 4 * DBL_EPSILON * fabs(s.log_target); /* the target's own logarithm is rounded */
        assert_true(!reached(&s, truth) && !missed(&s, truth));
        assert_true(reached(&s, truth + 1e-9 * 1.001 + 3 * rounding) && !reached(&s, truth + 0.99e-9 - 3 * rounding));
        assert_true(missed(&s, truth - 1e-9 * 1.001 - 4 * rounding) && !missed(&s, truth - 0.99e-9));
        told.error = 0; /* exact values: the rounding of the target alone counts */
        assert_true(!missed(&s, truth) && missed(&s, truth - 2 * rounding) && !missed(&s, truth - 0.5 * rounding));
        assert_false(s.failed);
        told.last = 0;
        reached(&s, truth);
        assert_true(s.failed);
        assert_true(height(&s, 0) > 0 &&
                    fabs(height(&s, 0) + told.start + s.log_target) < 1e-12 * (1 + fabs(s.log_target)));
    }
}

/* The ends of the line: 0 and infinity pass without a test. */
static bool never(struct search *s, double epsilon) {
    (void)epsilon;
    s->failed = false;
    told.asked++;
    return false;
}

static bool above_three(struct search *s, double epsilon) {
    (void)s;
    told.asked++;
    return epsilon >= 3;
}

static void walks_end(void **state) {
    (void)state;
    struct search s = search_for(0.5, 1, 1);
    assert_true(certify(&s, 2, -1e-3, never) == 0);
    assert_true(isinf(certify(&s, 2, 1e-3, never)));
    told.asked = 0;
    double got = certify(&s, 2, 1e-6, above_three);
    assert_true(got >= 3 && got < 3 + 1.0 / 14 && told.asked <= 26); /* steps double up to it, then four halves back */
    told.asked = 0;
    assert_true(certify(&s, 5, 1, above_three) == 5 && told.asked <= 5);
    s.failed = true;
    told.asked = 0;
    assert_true(certify(&s, 2, 1e-6, above_three) == 2 && told.asked == 1);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(brackets_hold_the_root),
        cmocka_unit_test(roots_are_found),
        cmocka_unit_test(ends_are_certain_and_close),
        cmocka_unit_test(tests_of_an_epsilon),
        cmocka_unit_test(walks_end),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
