/* Profiles at falling epsilons: each is found from the one before, and holds the sum of the definition all the same. */
#include "privacy/profile/falling.h"

#include "case.h"
#include "truth.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

static profile_case case_of(const char *text, double sensitivity) {
    profile_case at = {.law = case_law(text), .sensitivity = sensitivity};
    at.family = ref_find(dpn_law_family(&at.law));
    return at;
}

/* Fails unless the estimate holds the sum of max(0, p(k) - e^epsilon p(k + D)) over all k. Returns its error beside the claimed one. */
static double against_definition(const profile_case *at, dpn_estimate estimate) {
    size_t mark = r_mark();
    ref_law reference;
    ref_make(&reference, at->family, at->law.parameter, 0);
    real truth = truth_delta_brute_force(&reference, r_num(at->sensitivity), r_num(at->epsilon), r_num(0));
    double miss = case_compare(at, estimate, truth, "falling");
    r_release(mark);
    return miss;
}

/* Down `steps` equal steps, past epsilon = 0; every 29th answer that was found from the one before is held to the definition, and most are. */
static void descend(const char *text, double sensitivity, double from, double to, int steps) {
    profile_case at = case_of(text, sensitivity);
    dpn_profile profile;
    dpn_profile_prepare(&profile, &at.law, sensitivity);
    assert_true(dpn_falling_serves(&profile));
    dpn_falling falling = {.profile = &profile};
    int begun = 0, left = 0;
    double worst = 0;
    for (int i = 0; i <= steps; i++) {
        at.epsilon = from + (to - from) * i / steps;
        dpn_estimate estimate = dpn_falling_at(&falling, at.epsilon);
        bool found = falling.left == left - 1;
        if (!found) begun++;
        left = falling.left;
        if (found && i % 29 == 0) worst = fmax(worst, against_definition(&at, estimate));
    }
    print_message("# %s, %g: begun %d times of %d, largest error %.3g of what is claimed\n", text, sensitivity, begun,
                  steps, worst);
    assert_true(worst <= 1e-3 && begun <= 1 + steps / 20);
}

static void falling_epsilons(void **state) {
    (void)state;
    descend("discrete-gaussian(sigma=3)", 1, 2, -2, 330);
    descend("discrete-gaussian(sigma=40)", 7, 1.5, -0.3, 220);
    descend("discrete-gaussian(sigma=0.7)", 3, 40, -40, 440);
    descend("discrete-osgt(m=3,sigma=6)", 2, 1, -0.5, 330);
    descend("discrete-osgt(m=11,sigma=25)", 20, 3, -1, 220);
    descend("discrete-flipped-huber(alpha=2.5,gamma=2)", 2, 5, -3, 330);
    descend("discrete-flipped-huber(alpha=30,gamma=20)", 5, 1, -0.4, 220);
}

/* From where delta is 1e-130 to where it is 1: the unit changes with it. */
static void from_deep_down(void **state) {
    (void)state;
    descend("discrete-gaussian(sigma=5)", 5, 24, -24, 550);
}

/* Losses that equal epsilon, or that rounding keeps from being told apart from it, and the same epsilon again. */
static void losses_at_epsilon(void **state) {
    (void)state;
    profile_case at = case_of("discrete-flipped-huber(alpha=6,gamma=2)", 1); /* at 0 <= k < 5 the loss is 6/4 */
    dpn_profile profile;
    dpn_profile_prepare(&profile, &at.law, 1);
    dpn_falling falling = {.profile = &profile};
    static const double epsilon[] = {2, 1.6, 0x1.8000000000001p0, 1.5, 1.5, 0x1.7ffffffffffffp0, 1.4, 0.3, 0, 0, -1.5};
    for (size_t i = 0; i < sizeof epsilon / sizeof *epsilon; i++) {
        at.epsilon = epsilon[i];
        against_definition(&at, dpn_falling_at(&falling, at.epsilon));
    }
}

/* One that rises begins anew, and the answer is that of the profile. */
static void rising_epsilons_begin_anew(void **state) {
    (void)state;
    profile_case at = case_of("discrete-osgt(m=3,sigma=6)", 2);
    dpn_profile profile;
    dpn_profile_prepare(&profile, &at.law, 2);
    dpn_falling falling = {.profile = &profile};
    for (int i = 0; i < 20; i++) {
        at.epsilon = i % 2 ? 0.1 + 0.01 * i : 0.3;
        against_definition(&at, dpn_falling_at(&falling, at.epsilon));
    }
}

/* Laws that have a closed form, an end, or are not on the integers. */
static void others_are_not_served(void **state) {
    (void)state;
    static const char *const other[] = {"gaussian(sigma=1)", "discrete-laplace(scale=2)",
                                        "truncated-geometric(epsilon=0.1,n=18,theta=0.8)"};
    for (size_t i = 0; i < sizeof other / sizeof *other; i++) {
        dpn_law law = case_law(other[i]);
        dpn_profile profile;
        dpn_profile_prepare(&profile, &law, 1);
        assert_false(dpn_falling_serves(&profile));
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(falling_epsilons),      cmocka_unit_test(from_deep_down),
        cmocka_unit_test(losses_at_epsilon),     cmocka_unit_test(rising_epsilons_begin_anew),
        cmocka_unit_test(others_are_not_served),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
