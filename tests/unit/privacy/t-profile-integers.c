/* Profiles of laws on the integers: term by term, against references at all scales, and at scales of 1e9. */
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

static const char *const families[] = {"discrete-gaussian", "discrete-laplace", "discrete-flipped-huber",
                                       "discrete-osgt"};
enum { FAMILIES = sizeof families / sizeof *families };

static void integers_hold_the_truth(void **state) {
    const char *family = *state;
    draw_source source = {strlen(family)};
    int count = case_count(100), refused = 0;
    double worst = 0;
    for (int i = 0; i < count; i++) {
        profile_case at = case_draw(&source, family);
        if (at.epsilon > 1e6) continue;
        if (i % 8 == 0) at.epsilon = -at.epsilon;
        dpn_profile profile;
        dpn_profile_prepare(&profile, &at.law, at.sensitivity);
        dpn_estimate estimate = dpn_profile_at(&profile, at.epsilon);
        if (!dpn_estimate_usable(estimate)) {
            refused++;
            continue;
        }
        size_t mark = r_mark();
        ref_law reference;
        case_reference(&reference, &at);
        real truth = truth_delta(&reference, r_num(at.sensitivity), r_num(at.epsilon));
        double miss = case_compare(&at, estimate, truth, "integers");
        if (at.epsilon < 0) /* the reflection claims less: it rests on exp and expm1 */
            assert_true(miss < 0.1);
        else
            worst = fmax(worst, miss);
        r_release(mark);
    }
    print_message("# %s: %d of %d out of reach, largest error %.3g of what is claimed\n", family, refused, count,
                  worst);
    assert_true(refused <= count / 20 && worst <= (strcmp(family, "discrete-laplace") == 0 ? 0.1 : 1e-3));
}

static const struct {
    const char *law;
    double sensitivity, epsilon;
} points[] = {
    {"discrete-gaussian(sigma=3)", 1, 0.5},
    {"discrete-gaussian(sigma=0.4)", 2, 3},
    {"discrete-laplace(scale=5)", 3, 0.2},
    {"discrete-laplace(scale=0.3)", 1, 1},
    {"discrete-flipped-huber(alpha=2.5,gamma=2)", 2, 0.75},
    {"discrete-flipped-huber(alpha=2.5,gamma=2)", 1, 0.625},
    {"discrete-osgt(m=3,sigma=6)", 1, 0.05},
    {"discrete-osgt(m=0.5,sigma=2)", 5, 4},
};

/* The definition: the sum of max(0, p(k) - e^epsilon p(k + D)) over all k, epsilon of either sign. */
static void integers_agree_term_by_term(void **state) {
    (void)state;
    for (size_t i = 0; i < sizeof points / sizeof *points; i++) {
        for (int sign = -1; sign <= 1; sign += 2) {
            profile_case at = {.law = case_law(points[i].law),
                               .sensitivity = points[i].sensitivity,
                               .epsilon = sign * points[i].epsilon};
            at.family = ref_find(dpn_law_family(&at.law));
            size_t mark = r_mark();
            ref_law reference;
            ref_make(&reference, at.family, at.law.parameter, 0);
            real truth = truth_delta_brute_force(&reference, r_num(at.sensitivity), r_num(at.epsilon), r_num(0));
            dpn_profile profile;
            dpn_profile_prepare(&profile, &at.law, at.sensitivity);
            case_compare(&at, dpn_profile_at(&profile, at.epsilon), truth, "term by term");
            r_release(mark);
        }
    }
}

/* With a scale of 1e9 an integer law is all but continuous; summed term by term it would not end. */
static void large_scales_meet_the_continuous_law(void **state) {
    (void)state;
    static const struct {
        const char *integer, *continuous;
    } pair[] = {
        {"discrete-gaussian(sigma=1e9)", "gaussian(sigma=1e9)"},
        {"discrete-laplace(scale=1e9)", "laplace(scale=1e9)"},
        {"discrete-flipped-huber(alpha=2e9,gamma=1e9)", "flipped-huber(alpha=2e9,gamma=1e9)"},
        {"discrete-osgt(m=1e9,sigma=1e9)", "osgt(m=1e9,sigma=1e9)"},
    };
    static const double sensitivity[] = {1e6, 1e9}, loss[] = {0, 0.3, 0.9};
    for (size_t i = 0; i < sizeof pair / sizeof *pair; i++) {
        dpn_law integer = case_law(pair[i].integer), continuous = case_law(pair[i].continuous);
        for (int j = 0; j < 2; j++) {
            for (int k = 0; k < 3; k++) {
                double d = sensitivity[j], epsilon = loss[k] * d / 1e9;
                dpn_delta a, b;
                assert_int_equal(dpn_profile_delta(&a, &integer, d, epsilon, NULL), DPN_OK);
                assert_int_equal(dpn_profile_delta(&b, &continuous, d, epsilon, NULL), DPN_OK);
                assert_true(fabs(a.upper / b.upper - 1) < 1e-5);
            }
        }
    }
}

/* Beyond 2^52 neighbours are no longer told apart: the answer holds the truth or there is none. */
static void far_integers(void **state) {
    (void)state;
    dpn_law law = case_law("discrete-gaussian(sigma=925034586.1073297)"),
            narrow = case_law("discrete-gaussian(sigma=1)");
    dpn_delta delta;
    /* The threshold is 1.4e16, log delta -116752328769010.92. */
    dpn_status status = dpn_profile_delta(&delta, &law, 586, 9.6802688450030629, NULL);
    assert_true(status == DPN_EACCURACY ||
                (delta.log_lower <= -116752328769010.9 && delta.log_upper >= -116752328769011));
    /* Here the threshold is D/2 below zero, and the losses of all but e^-(D^2/8) of the noise exceed epsilon. */
    assert_int_equal(dpn_profile_delta(&delta, &narrow, 0x1p60, 1, NULL), DPN_OK);
    assert_true(delta.upper == 1 && delta.lower > 1 - 1e-11);
    /* The loss at k is D k + D^2/2: 2^119 at 0. The threshold is 1, though 1 + D is no double. */
    status = dpn_profile_delta(&delta, &narrow, 0x1p60, 0x1p119, NULL);
    double truth = dpn_law_sf(&narrow, 0);
    assert_true(status == DPN_EACCURACY || (delta.lower <= truth && truth <= delta.upper));
}

/* The loss exceeds epsilon by 2e-17 at 0 and nowhere near: the rounding of the loss, 2^-94 epsilon at most, counts. */
static void loss_within_rounding_of_epsilon(void **state) {
    (void)state;
    profile_case at = {.family = ref_find("discrete-flipped-huber"),
                       .parameter = {0.4218752317520541, 0.10801991841921232},
                       .sensitivity = 1,
                       .epsilon = 50.477723018129367};
    assert_int_equal(dpn_law_make(&at.law, "discrete-flipped-huber", at.parameter, 2, NULL), DPN_OK);
    size_t mark = r_mark();
    ref_law reference;
    case_reference(&reference, &at);
    dpn_profile profile;
    dpn_profile_prepare(&profile, &at.law, at.sensitivity);
    dpn_estimate estimate = dpn_profile_at(&profile, at.epsilon);
    case_compare(&at, estimate, truth_delta(&reference, r_num(1), r_num(at.epsilon)), "within rounding");
    assert_true(estimate.error > 1.5e-11);
    r_release(mark);
}

int main(void) {
    struct CMUnitTest tests[FAMILIES + 4] = {
        cmocka_unit_test(integers_agree_term_by_term),
        cmocka_unit_test(large_scales_meet_the_continuous_law),
        cmocka_unit_test(far_integers),
        cmocka_unit_test(loss_within_rounding_of_epsilon),
    };
    for (size_t i = 0; i < FAMILIES; i++)
        tests[4 + i] = (struct CMUnitTest){families[i], integers_hold_the_truth, NULL, NULL, (void *)families[i]};
    int failures = cmocka_run_group_tests(tests, NULL, NULL);
    r_free_all();
    return failures;
}
