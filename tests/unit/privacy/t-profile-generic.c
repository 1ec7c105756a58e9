/* The generic path: against the closed forms, against references for the families that have none, and all of them
 * against the integral of max(0, g(t) - e^epsilon g(t + D)) by brute force. */
#include "case.h"
#include "privacy/profile/generic.h"
#include "truth.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

/* Cases whose epsilon is within rounding of a constant stretch of the loss are out of the reach of psi. */
static bool out_of_reach(dpn_estimate estimate) {
    return !dpn_estimate_usable(estimate);
}

static void generic_agrees_with_closed_form(void **state) {
    const char *family = *state;
    draw_source source = {7};
    int count = case_count(120), refused = 0;
    for (int i = 0; i < count; i++) {
        profile_case at = case_draw(&source, family);
        dpn_profile profile;
        dpn_profile_prepare(&profile, &at.law, at.sensitivity);
        dpn_estimate closed = dpn_profile_at(&profile, at.epsilon), generic = dpn_generic_delta(&profile, at.epsilon);
        if (out_of_reach(generic)) {
            refused++;
            continue;
        }
        if (closed.mantissa == 0 && generic.mantissa == 0) continue;
        double log_closed = dpn_estimate_log(closed), apart = fabs(log_closed - dpn_estimate_log(generic));
        if (!(apart <= closed.error + generic.error + 1e-15 * fabs(log_closed))) {
            char text[DPN_LAW_TEXT_SIZE];
            fail_msg("%s, sensitivity %.17g, epsilon %.17g: log delta %.17g in closed form, %.17g +- %.3g generic",
                     dpn_law_print(text, &at.law), at.sensitivity, at.epsilon, log_closed, dpn_estimate_log(generic),
                     generic.error);
        }
    }
    print_message("# %s: %d of %d cases out of reach\n", family, refused, count);
    assert_true(refused <= count / 4);
}

static void generic_holds_the_truth(void **state) {
    const char *family = *state;
    draw_source source = {8};
    int count = case_count(strcmp(family, "subbotin") == 0 ? 15 : 60), refused = 0;
    double worst = 0;
    for (int i = 0; i < count; i++) {
        profile_case at = case_draw(&source, family);
        dpn_profile profile;
        dpn_profile_prepare(&profile, &at.law, at.sensitivity);
        dpn_estimate estimate = dpn_profile_at(&profile, at.epsilon);
        if (out_of_reach(estimate)) {
            refused++;
            continue;
        }
        size_t mark = r_mark();
        ref_law reference;
        case_reference(&reference, &at);
        real truth = truth_delta(&reference, r_num(at.sensitivity), r_num(at.epsilon));
        worst = fmax(worst, case_compare(&at, estimate, truth, "generic"));
        r_release(mark);
    }
    print_message("# %s: %d of %d out of reach, largest error %.3g of what is claimed\n", family, refused, count,
                  worst);
    assert_true(refused <= count / 20 + 1 && worst <= 0.1);
}

/* Families, parameters, where psi bends, sensitivity, epsilon. The five cases of the flipped Huber law are all here. */
static const struct {
    const char *law;
    double bend, sensitivity, epsilon;
} points[] = {
    {"gaussian(sigma=1)", 0, 1, 1},
    {"gaussian(sigma=2)", 0, 0.001, 0.004},
    {"laplace(scale=1.5)", 0, 1, 0.25},
    {"flipped-huber(alpha=0.3,gamma=1)", 0.3, 1, 0.1},
    {"flipped-huber(alpha=2,gamma=1)", 2, 1, 1.25},
    {"flipped-huber(alpha=0.7,gamma=1)", 0.7, 1, 0.6},
    {"flipped-huber(alpha=2,gamma=1)", 2, 1, 2.125},
    {"flipped-huber(alpha=2,gamma=1)", 2, 1, 4},
    {"osgt(m=1,sigma=1)", 0, 1, 0.5},
    {"osgt(m=1,sigma=1)", 0, 1, 3},
    {"huber(alpha=1,gamma=1)", 1, 1, 0.75},
    {"huber(alpha=0.5,gamma=2)", 0.5, 3, 0.125},
    {"logistic(scale=2)", 0, 1, 0.25},
    {"subbotin(p=1.5,scale=1)", 0, 0.5, 0.5},
    {"subbotin(p=4,scale=1)", 0, 0.5, 1},
    {"truncated-laplace(scale=1,bound=3)", 3, 1, 0.5},
    {"truncated-laplace(scale=1,bound=3)", 3, 4, 0.5},
};

static void everything_agrees_with_brute_force(void **state) {
    (void)state;
    for (size_t i = 0; i < sizeof points / sizeof *points; i++) {
        profile_case at = {
            .law = case_law(points[i].law), .sensitivity = points[i].sensitivity, .epsilon = points[i].epsilon};
        at.family = ref_find(dpn_law_family(&at.law));
        memcpy(at.parameter, at.law.parameter, sizeof at.parameter);
        dpn_profile profile;
        dpn_profile_prepare(&profile, &at.law, at.sensitivity);
        size_t mark = r_mark();
        ref_law reference;
        ref_make(&reference, at.family, at.parameter, 0);
        r_precision(256);
        real d = r_num(at.sensitivity), epsilon = r_num(at.epsilon);
        real truth = truth_delta_brute_force(&reference, d, epsilon, r_num(points[i].bend));
        case_compare(&at, dpn_profile_at(&profile, at.epsilon), truth, "brute force");
        if (dpn_law_support(&at.law) == INFINITY)
            case_compare(&at, dpn_generic_delta(&profile, at.epsilon), truth, "generic and brute force");
        double other = r_double(r_div(truth_delta(&reference, d, epsilon), truth));
        if (!(fabs(other - 1) < 1e-15)) fail_msg("%s: the two references differ by %g", points[i].law, other - 1);
        r_release(mark);
    }
}

int main(void) {
    static const char *const with[] = {"gaussian", "laplace", "flipped-huber", "osgt", "logistic", "discrete-laplace"};
    static const char *const without[] = {"huber", "subbotin"};
    enum { WITH = sizeof with / sizeof *with, WITHOUT = sizeof without / sizeof *without };
    struct CMUnitTest tests[WITH + WITHOUT + 1] = {cmocka_unit_test(everything_agrees_with_brute_force)};
    for (size_t i = 0; i < WITH; i++)
        tests[1 + i] = (struct CMUnitTest){with[i], generic_agrees_with_closed_form, NULL, NULL, (void *)with[i]};
    for (size_t i = 0; i < WITHOUT; i++)
        tests[1 + WITH + i] = (struct CMUnitTest){without[i], generic_holds_the_truth, NULL, NULL, (void *)without[i]};
    int failures = cmocka_run_group_tests(tests, NULL, NULL);
    r_free_all();
    return failures;
}
