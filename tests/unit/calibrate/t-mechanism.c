/* Families that calibration has never heard of, and what it tells of those it has. */
#include "calibrate/mechanism.h"
#include "calibrate/search.h"
#include "calibrate/tuning.h"
#include "law/facts.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

/* ---- what is told, against the manual ---- */

static bool is_one_of(const char *name, const char *list) {
    char word[64];
    snprintf(word, sizeof word, " %s ", name);
    return strstr(list, word) != NULL;
}

static void traits(void **state) {
    (void)state;
    size_t count = 0;
    for (; dpn_mechanism_name(count); count++) {
        const char *name = dpn_mechanism_name(count);
        dpn_mechanism_traits is = dpn_mechanism_traits_of(name);
        bool integer = strncmp(name, "discrete-", 9) == 0 || is_one_of(name, " truncated-geometric ");
        assert_int_equal(is.integer, integer);
        assert_int_equal(is.joint, is_one_of(name, " k-norm blocks start-box start-staircase random-box spherical "));
        assert_int_equal(is.lawless, is_one_of(name, " truncated-staircase discrete-staircase "));
        assert_int_equal(is.not_log_concave, integer || is_one_of(name, " staircase truncated-staircase "));
        assert_int_equal(is.quick,
                         is_one_of(name, " gaussian laplace osgt logistic k-norm start-box start-staircase random-box "
                                         "discrete-gaussian discrete-laplace truncated-geometric discrete-staircase "));
        assert_int_equal(is.slow_apart, is_one_of(name, " osgt truncated-geometric "));
        const struct dpn_family *family = dpn_family_find(name);
        if (!family) continue;
        assert_int_equal(dpn_family_is_gaussian(family), is_one_of(name, " gaussian "));
        assert_int_equal(dpn_family_is_laplace(family), is_one_of(name, " laplace "));
        assert_int_equal(dpn_family_psi_is_gaussian(family), is_one_of(name, " gaussian discrete-gaussian "));
        assert_int_equal(dpn_family_psi_is_laplace(family), is_one_of(name, " laplace discrete-laplace "));
        assert_int_equal(dpn_family_may_be_pure(family),
                         is_one_of(name, " laplace staircase logistic huber discrete-laplace subbotin "));
    }
    assert_true(count >= 20);
    assert_string_equal(dpn_mechanism_name(count - 8), "k-norm");
    assert_string_equal(dpn_mechanism_name(count - 7), "blocks");
    assert_string_equal(dpn_mechanism_name(count - 6), "start-box");
    assert_string_equal(dpn_mechanism_name(count - 5), "start-staircase");
    assert_string_equal(dpn_mechanism_name(count - 4), "random-box");
    assert_string_equal(dpn_mechanism_name(count - 3), "spherical");
    assert_string_equal(dpn_mechanism_name(count - 2), "truncated-staircase");
    assert_string_equal(dpn_mechanism_name(count - 1), "discrete-staircase");
    assert_null(dpn_mechanism_name(count + 1));
    assert_null(dpn_family_shape("k-norm"));
    assert_string_equal(dpn_family_shape("osgt"), "m/sigma");
    dpn_mechanism_traits unknown = dpn_mechanism_traits_of("best");
    assert_false(unknown.integer || unknown.joint || unknown.not_log_concave || unknown.quick);
}

/* ---- families of psi alone ---- */

static const char *refuse(const double *parameter) {
    return dpn_scale_ok(parameter[0]) ? NULL : "scale must lie in [1e-150, 1e150]";
}

/* The hyperbolic secant: psi(t) = log cosh(t/scale). */
static dpn_twofold secant_psi(const dpn_law *law, double t) {
    double x = t / law->parameter[0];
    return (dpn_twofold){x + log1p(exp(-2 * x)) - log(2), 0};
}
static const struct dpn_family secant = {
    .name = "secant", .parameter = {"scale"}, .formula = "1/cosh(x/scale)", .refuse = refuse, .psi = secant_psi};

/* The same with Gaussian tails: psi(t) = log cosh(t/scale) + (t/(a scale))^2/2. */
static const char *refuse_two(const double *parameter) {
    return dpn_scale_ok(parameter[0]) && dpn_scale_ok(parameter[1]) ? NULL : "a and scale must lie in [1e-150, 1e150]";
}
static dpn_twofold tailed_psi(const dpn_law *law, double t) {
    double x = t / law->parameter[1], y = x / law->parameter[0];
    return (dpn_twofold){x + log1p(exp(-2 * x)) - log(2) + 0.5 * y * y, 0};
}
static const dpn_shape_fact tailed_shape = {.name = "a", .least = 0.5, .most = 20, .scan = 5};
static const struct dpn_family tailed = {.name = "tailed-secant",
                                         .parameter = {"a", "scale"},
                                         .formula = "exp(-x^2/2(a scale)^2)/cosh(x/scale)",
                                         .shape = &tailed_shape,
                                         .refuse = refuse_two,
                                         .psi = tailed_psi};

/* The least-error law of a family on one answer that moves by 1. */
static dpn_law calibrated(const struct dpn_family *family, double epsilon, double delta) {
    dpn_problem problem;
    dpn_error why = {DPN_OK, ""};
    dpn_sensitivity set = {.dimension = 1, .linf = 1};
    dpn_calibration_options options = dpn_calibration_options_init();
    assert_int_equal(dpn_workspace_new(&options.workspace), DPN_OK);
    assert_int_equal(dpn_problem_make(&problem, family, epsilon, delta, &set, &options, 48, &why), DPN_OK);
    dpn_candidate best = {0};
    dpn_law law[2];
    double number[2 * DPN_SEARCH_SPREADS * 2];
    dpn_spread room[DPN_SEARCH_SPREADS];
    for (size_t i = 0; i < DPN_SEARCH_SPREADS; i++) room[i] = (dpn_spread){number + 4 * i, number + 4 * i + 2};
    if (dpn_search(&best, law, room, &problem, family, false, &why)) fail_msg("%s: %s", family->name, why.sentence);
    assert_ptr_equal(best.family, family);
    dpn_problem_free(&problem);
    dpn_workspace_free(options.workspace);
    return law[0];
}

/* Its delta by the definition: the loss psi(t - 1) - psi(t) falls with t, so that the set where it exceeds epsilon is a half
 * line, whose end bisection finds. The sum over a fine grid, to a relative 1e-6. */
static double delta_of(const dpn_law *law, double epsilon) {
    double low = -1e4, high = 1e4, width = sqrt(dpn_law_variance(law));
    for (int i = 0; i < 200; i++) {
        double t = 0.5 * (low + high);
        double loss = law->family->psi(law, fabs(t - 1)).hi - law->family->psi(law, fabs(t)).hi;
        *(loss > epsilon ? &low : &high) = t;
    }
    double sum = 0, all = 0, step = width / 2000;
    for (double t = low - step / 2; t > low - 80 * width; t -= step)
        sum += exp(-law->family->psi(law, fabs(t)).hi) - exp(epsilon - law->family->psi(law, fabs(t - 1)).hi);
    for (double t = step / 2; t < 80 * width; t += step) all += 2 * exp(-law->family->psi(law, t).hi);
    return sum / all;
}

static void a_family_of_psi_calibrates(void **state) {
    (void)state;
    dpn_law law = calibrated(&secant, 0.5, 1e-3);
    assert_true(fabs(delta_of(&law, 0.5) / 1e-3 - 1) < 1e-4);
}

/* Its shape is searched: shapes to both sides, each at its own least scale, have no less error. */
static void so_does_one_with_a_shape(void **state) {
    (void)state;
    dpn_law law = calibrated(&tailed, 1, 1e-5);
    assert_true(fabs(delta_of(&law, 1) / 1e-5 - 1) < 1e-3);
    for (int side = -1; side <= 1; side += 2) {
        double shape = law.parameter[0] * (1 + 0.3 * side), low = -4, high = 4;
        dpn_law other;
        if (shape < tailed_shape.least || shape > tailed_shape.most) continue;
        for (int i = 0; i < 40; i++) {
            double x = 0.5 * (low + high);
            assert_int_equal(dpn_family_tune(&other, &tailed, shape, exp(x), 1, NULL), DPN_OK);
            *(delta_of(&other, 1) > 1e-5 ? &low : &high) = x;
        }
        assert_true(dpn_law_variance(&other) > (1 - 1e-4) * dpn_law_variance(&law));
    }
}

/* Where one answer moves by many steps, noise on the integers is that of the reals: calibrated by another search, on other laws, to the same error. */
static void fine_steps_are_as_good_as_none(void **state) {
    (void)state;
    static const char *const families[] = {"gaussian", "laplace", "flipped-huber", "osgt"};
    static const double epsilons[] = {0.3, 1}, deltas[] = {1e-3, 1e-2}, moves[] = {20, 35};
    for (int i = 0; i < 8; i++)
        for (int k = 0; k < 2; k++) {
            char name[40];
            dpn_plan plan[2];
            dpn_sensitivity set = {.dimension = 1, .linf = moves[k]};
            snprintf(name, sizeof name, "discrete-%s", families[i % 4]);
            for (int whole = 0; whole < 2; whole++)
                assert_int_equal(dpn_calibrate(&plan[whole], whole ? name : families[i % 4], epsilons[i / 4],
                                               deltas[i / 4], &set, NULL, NULL),
                                 DPN_OK);
            if (!(fabs(plan[1].error / plan[0].error - 1) < 2e-3))
                fail_msg("%s, epsilon %g, move %g: %.9g, not %.9g", name, epsilons[i / 4], moves[k], plan[1].error,
                         plan[0].error);
            for (int whole = 0; whole < 2; whole++) dpn_plan_free(&plan[whole]);
        }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(traits),
        cmocka_unit_test(a_family_of_psi_calibrates),
        cmocka_unit_test(so_does_one_with_a_shape),
        cmocka_unit_test(fine_steps_are_as_good_as_none),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
