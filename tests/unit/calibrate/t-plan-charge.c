/* What a plan costs a budget, against closed forms and the other functions that know it. */
#include "calibrate/plan-charge.h"
#include "privacy/filter/filter.h"

#include <dpnoise/plan.h>

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

static dpn_filter filter_of(const char *epsilon, const char *delta) {
    dpn_decimal e, d;
    dpn_filter_terms plan;
    dpn_filter filter = {.plan.orders = 0};
    dpn_error why;
    if (dpn_decimal_parse(&e, epsilon, &why) || dpn_decimal_parse(&d, delta, &why) ||
        dpn_filter_terms_default(&plan, &e, &d, &why) || dpn_filter_begin(&filter, &plan, &why))
        fail_msg("%s", why.sentence);
    return filter;
}

static dpn_plan plan_of(const char *noise, const char *coordinates, const char *sensitivities) {
    char text[400];
    dpn_plan plan;
    dpn_error why;
    snprintf(text, sizeof text,
             "[{\"coordinates\": \"%s\", \"noise\": \"%s\", \"grid\": null, \"sensitivities\": %s, "
             "\"epsilon\": null}]",
             coordinates, noise, sensitivities);
    if (dpn_plan_read(&plan, text, strlen(text), &why)) fail_msg("%s", why.sentence);
    return plan;
}

static dpn_charge charge_of(const dpn_plan *plan, uint64_t times, const dpn_filter *filter, const char *delta) {
    dpn_sensitivity set;
    dpn_charge charge = {.pure = false};
    dpn_decimal d;
    dpn_error why;
    if (dpn_plan_sensitivity(&set, plan, &why) || dpn_decimal_parse(&d, delta, &why) ||
        dpn_plan_charge(&charge, plan, &set, times, filter, &d, &why))
        fail_msg("%s", why.sentence);
    return charge;
}

/* truth <= got <= truth (1 + slack) */
static void expect_above(double got, double truth, double slack) {
    if (!(got >= truth * (1 - 1e-15) && got <= truth * (1 + slack)))
        fail_msg("%.17g is not just above %.17g", got, truth);
}

static void gaussian_noise_costs_its_divergences(void **state) {
    (void)state;
    dpn_filter filter = filter_of("1", "1e-6");
    dpn_plan plan = plan_of("gaussian(sigma=8)", "0-1", "[1, 2]");
    dpn_charge charge = charge_of(&plan, 3, &filter, "0");
    assert_true(!charge.pure && dpn_decimal_is_zero(&charge.delta) && dpn_decimal_is_zero(&charge.epsilon));
    for (size_t i = 0; i < filter.plan.orders; i++) /* a (1 + 4) 3/(2 64) */
        expect_above(charge.divergence[i], filter.plan.order[i] * 15 / 128, 1e-12);
    dpn_sensitivity set;
    dpn_charge group;
    dpn_error why;
    assert_int_equal(dpn_plan_sensitivity(&set, &plan, &why), DPN_OK);
    assert_int_equal(dpn_plan_charge_group(&group, &plan, &set, 3, &filter, &why), DPN_OK);
    assert_false(group.pure);
    for (size_t i = 0; i < filter.plan.orders; i++)
        expect_above(group.divergence[i], 4 * filter.plan.order[i] * 15 / 128, 1e-11);
    dpn_plan_free(&plan);
}

static void laplace_noise_is_pure_and_costs_less(void **state) {
    (void)state;
    dpn_filter filter = filter_of("1", "1e-6");
    dpn_plan plan = plan_of("laplace(scale=8)", "0", "[2]");
    dpn_charge charge = charge_of(&plan, 1, &filter, "0"), pure;
    assert_true(charge.pure);
    expect_above(dpn_decimal_upper(&charge.epsilon), 0.25, 1e-15);
    pure = dpn_charge_pure(&filter, &charge.epsilon, &charge.delta);
    for (size_t i = 0; i < filter.plan.orders; i++) {
        double a = filter.plan.order[i], e = 0.25; /* Mironov 2017, Table II */
        double truth = log(a / (2 * a - 1) * exp((a - 1) * e) + (a - 1) / (2 * a - 1) * exp(-a * e)) / (a - 1);
        expect_above(charge.divergence[i], truth, 1e-9);
        assert_true(charge.divergence[i] < pure.divergence[i]);
    }
    dpn_plan_free(&plan);
}

static void a_mechanism_known_by_its_epsilon_costs_that(void **state) {
    (void)state;
    dpn_filter filter = filter_of("1", "1e-6");
    dpn_plan plan = plan_of("pure(epsilon=0.125)", "0", "[1]");
    dpn_charge charge = charge_of(&plan, 2, &filter, "0");
    dpn_decimal quarter;
    assert_int_equal(dpn_decimal_parse(&quarter, "0.25", NULL), DPN_OK);
    assert_true(charge.pure);
    expect_above(dpn_decimal_upper(&charge.epsilon), 0.25, 1e-14);
    dpn_plan_free(&plan);
}

/* Noise of bounded support tells everything with some probability: nothing but (epsilon, delta) can be charged. */
static void bounded_noise_needs_a_delta(void **state) {
    (void)state;
    dpn_filter filter = filter_of("1", "1e-6"), strict = filter_of("1", "0");
    dpn_plan plan = plan_of("truncated-laplace(scale=10,bound=150)", "0", "[1]");
    dpn_plan gaussian = plan_of("gaussian(sigma=8)", "0", "[1]");
    dpn_sensitivity set;
    dpn_charge charge = {.pure = true}, untouched = charge;
    dpn_error why;
    dpn_epsilon epsilon;
    assert_int_equal(dpn_plan_sensitivity(&set, &plan, &why), DPN_OK);
    assert_int_equal(dpn_plan_charge(&charge, &plan, &set, 1, &filter, NULL, &why), DPN_EUNSUPPORTED);
    assert_int_equal(dpn_plan_charge(&charge, &gaussian, &set, 1, &strict, NULL, &why), DPN_EUNSUPPORTED);
    assert_memory_equal(&charge, &untouched, sizeof charge);
    charge = charge_of(&plan, 1, &filter, "1e-7");
    assert_int_equal(dpn_plan_epsilon(&epsilon, NULL, NULL, &plan, &set, 1, 1e-7, NULL, &why), DPN_OK);
    assert_true(charge.pure && epsilon.upper < 1);
    expect_above(dpn_decimal_upper(&charge.epsilon), epsilon.upper, 1e-15);
    assert_true(dpn_decimal_upper(&charge.delta) == 1e-7 || dpn_decimal_lower(&charge.delta) == 1e-7);
    /* Less delta than the atom cannot be charged. */
    dpn_decimal little;
    assert_int_equal(dpn_decimal_parse(&little, "1e-12", NULL), DPN_OK);
    assert_int_equal(dpn_plan_charge(&charge, &plan, &set, 1, &filter, &little, &why), DPN_EDOMAIN);
    dpn_plan_free(&plan);
    dpn_plan_free(&gaussian);
    /* Losses that are all atoms, twice: at 2 epsilon the atoms count no more, and what is left is the end, twice. */
    plan = plan_of("truncated-geometric(epsilon=0.25,n=60,theta=1)", "0", "[1]");
    dpn_law law = *dpn_plan_law(&plan, 0);
    dpn_decimal half, delta;
    double end = dpn_law_pdf(&law, 60), exact = end * (2 - end);
    char text[40];
    assert_int_equal(dpn_plan_sensitivity(&set, &plan, &why), DPN_OK);
    assert_int_equal(dpn_decimal_parse(&half, "0.5", NULL), DPN_OK);
    for (int i = 0; i < 2; i++) { /* a little more than that is enough, a little less is not */
        snprintf(text, sizeof text, "%.12e", exact * (i ? 1 - 1e-6 : 1 + 1e-6));
        assert_int_equal(dpn_decimal_parse(&delta, text, NULL), DPN_OK);
        dpn_status status = dpn_plan_charge_best(&charge, &plan, &set, 2, &filter, &half, &delta, &why);
        if (status != (i ? DPN_EDOMAIN : DPN_OK)) fail_msg("%d: %s", i, why.sentence);
    }
    charge = charge_of(&plan, 2, &filter, "1e-6");
    assert_true(charge.pure && dpn_decimal_upper(&charge.epsilon) <= 0.5);
    dpn_plan_free(&plan);
}

/* ---- All of a budget ---- */

static dpn_decimal decimal(const char *text) {
    dpn_decimal out;
    if (dpn_decimal_parse(&out, text, NULL)) fail_msg("%s is no decimal", text);
    return out;
}

/* delta(epsilon) of Gaussian noise on an answer that moves by 1: Balle, Wang 2018, Theorem 8. */
static double gaussian_delta(double sigma, double epsilon) {
    double a = 0.5 / sigma, b = epsilon * sigma;
    return 0.5 * erfc((b - a) * sqrt(0.5)) - 0.5 * exp(epsilon) * erfc((b + a) * sqrt(0.5));
}

/* A plan is charged as (epsilon, delta) if it is that, and only then. */
static void a_claim_is_computed(void **state) {
    (void)state;
    dpn_filter filter = filter_of("1", "1e-6");
    dpn_plan plan = plan_of("gaussian(sigma=5)", "0", "[1]");
    dpn_sensitivity set;
    dpn_charge charge = {.pure = false}, untouched = charge;
    dpn_decimal epsilon = decimal("0.75"), above, below;
    dpn_error why;
    double truth = gaussian_delta(5, 0.75);
    assert_int_equal(dpn_plan_sensitivity(&set, &plan, &why), DPN_OK);
    assert_int_equal(dpn_decimal_from_upper(&above, truth * (1 + 1e-9), NULL), DPN_OK);
    assert_int_equal(dpn_decimal_from_upper(&below, truth * (1 - 1e-9), NULL), DPN_OK);
    assert_int_equal(dpn_plan_charge_as(&charge, &plan, &set, 1, &filter, &epsilon, &below, &why), DPN_EDOMAIN);
    assert_memory_equal(&charge, &untouched, sizeof charge);
    assert_int_equal(dpn_plan_charge_as(&charge, &plan, &set, 2, &filter, &epsilon, &above, &why), DPN_EDOMAIN);
    assert_int_equal(dpn_plan_charge_as(&charge, &plan, &set, 1, &filter, &epsilon, &above, &why), DPN_OK);
    assert_true(charge.pure && dpn_decimal_compare(&charge.epsilon, &epsilon) == 0 &&
                dpn_decimal_compare(&charge.delta, &above) == 0);
    dpn_plan_free(&plan);
}

/* A claim below what the noise is known for is not believed, whatever else is claimed; one that is true is charged to the digit. */
static void a_claim_that_is_false_costs_what_is_true(void **state) {
    (void)state;
    static const struct {
        const char *claim;
        double least, most;
    } row[] = {{"0.5", 1, 1 + 1e-9}, {"0.999999", 1, 1 + 1e-9}, {"1", 1, 1}, {"2", 1, 1 + 1e-9}};
    dpn_filter filter = filter_of("3", "1e-6");
    dpn_plan plan = plan_of("laplace(scale=2)", "0-1", "[1, 1]");
    dpn_sensitivity set;
    dpn_error why;
    assert_int_equal(dpn_plan_sensitivity(&set, &plan, &why), DPN_OK);
    for (size_t i = 0; i < sizeof row / sizeof *row; i++) {
        dpn_charge charge;
        dpn_decimal claim = decimal(row[i].claim);
        assert_int_equal(dpn_plan_charge_best(&charge, &plan, &set, 1, &filter, &claim, NULL, &why), DPN_OK);
        double epsilon = dpn_decimal_upper(&charge.epsilon);
        if (!(charge.pure && epsilon >= row[i].least && epsilon <= row[i].most))
            fail_msg("claimed %s, charged %.17g", row[i].claim, epsilon);
    }
    dpn_plan_free(&plan);
}

/* Noise calibrated to a claim costs no more than the claim, to the digit. */
static void what_is_calibrated_to_a_claim_costs_it(void **state) {
    (void)state;
    for (int i = 1; i <= 40; i++) {
        char text[20];
        snprintf(text, sizeof text, "%d.%d", i / 10, i % 10);
        double bound = 1 + i % 3;
        dpn_sensitivity set = {.dimension = 1, .bound = &bound};
        dpn_filter filter = filter_of("5", "1e-6");
        dpn_decimal claim = decimal(text);
        dpn_charge charge;
        dpn_plan plan;
        dpn_error why;
        if (dpn_calibrate(&plan, "laplace", dpn_decimal_lower(&claim), 0, &set, NULL, &why) ||
            dpn_plan_charge_best(&charge, &plan, &set, 1, &filter, NULL, NULL, &why))
            fail_msg("%s", why.sentence);
        if (dpn_decimal_compare(&charge.epsilon, &claim) > 0)
            fail_msg("%s is charged as %.17g", text, dpn_decimal_upper(&charge.epsilon));
        assert_true(dpn_decimal_upper(&charge.epsilon) >= dpn_decimal_lower(&claim) * (1 - 1e-15));
        dpn_plan_free(&plan);
    }
}

/* Noise calibrated to a part of the budget fits as often as that part does, with and without a word about it. */
static void what_was_calibrated_to_the_budget_fits_it(void **state) {
    (void)state;
    static const char *const families[] = {"gaussian", "laplace", "osgt", "truncated-laplace"};
    static const char *const parts[][2] = {{"1", "1e-6"}, {"0.5", "5e-7"}, {"0.25", "2.5e-7"}, {"0.3", "3e-7"}};
    static const int times[] = {1, 2, 4, 3};
    double one = 1;
    dpn_sensitivity set = {.dimension = 1, .bound = &one};
    for (size_t f = 0; f < sizeof families / sizeof *families; f++) {
        for (size_t p = 0; p < sizeof times / sizeof *times; p++) {
            dpn_decimal epsilon = decimal(parts[p][0]), delta = decimal(parts[p][1]);
            dpn_plan plan;
            dpn_error why;
            if (dpn_calibrate(&plan, families[f], dpn_decimal_lower(&epsilon), dpn_decimal_lower(&delta), &set, NULL,
                              &why))
                fail_msg("%s: %s", families[f], why.sentence);
            dpn_filter filter = filter_of("1", "1e-6");
            dpn_charge charge;
            for (int i = 0; i < times[p]; i++) {
                if (dpn_plan_charge_best(&charge, &plan, &set, 1, &filter, &epsilon, &delta, &why) ||
                    dpn_filter_admit(&filter, &charge, &why))
                    fail_msg("%s at (%s, %s), release %d: %s", families[f], parts[p][0], parts[p][1], i + 1,
                             why.sentence);
            }
            dpn_filter_terms plain = {.epsilon = decimal("1"), .delta = decimal("1e-6")}; /* charges just add up */
            assert_int_equal(dpn_filter_begin(&filter, &plain, &why), DPN_OK);
            for (int i = 0; i < times[p]; i++)
                if (dpn_plan_charge_best(&charge, &plan, &set, 1, &filter, &epsilon, &delta, &why) ||
                    dpn_filter_admit(&filter, &charge, &why))
                    fail_msg("%s, a budget without orders, release %d: %s", families[f], i + 1, why.sentence);
            filter = filter_of("1", "1e-6");
            if (p == 0) { /* by its delta alone */
                assert_int_equal(dpn_plan_charge(&charge, &plan, &set, 1, &filter, &delta, &why), DPN_OK);
                assert_int_equal(dpn_filter_admit(&filter, &charge, &why), DPN_OK);
                filter = filter_of("1", "1e-6");
            }
            if (!plan.bounded && p == 0) { /* nothing claimed */
                assert_int_equal(dpn_plan_charge_best(&charge, &plan, &set, 1, &filter, NULL, NULL, &why), DPN_OK);
                assert_int_equal(dpn_filter_admit(&filter, &charge, &why), DPN_OK);
            }
            dpn_plan_free(&plan);
        }
    }
}

/* Where the divergences are better they are taken, and what is too much fits in no way. */
static void small_noise_goes_by_its_divergences(void **state) {
    (void)state;
    dpn_filter filter = filter_of("1", "1e-6");
    dpn_plan plan = plan_of("gaussian(sigma=20)", "0", "[1]"), large = plan_of("gaussian(sigma=4.2)", "0", "[1]");
    dpn_sensitivity set;
    dpn_charge charge;
    dpn_error why;
    dpn_decimal epsilon = decimal("0.2"), delta = decimal("1e-6");
    assert_true(gaussian_delta(20, 0.2) < 1e-6 && gaussian_delta(4.2, 1) > 1e-6);
    assert_int_equal(dpn_plan_sensitivity(&set, &plan, &why), DPN_OK);
    assert_int_equal(dpn_plan_charge_best(&charge, &plan, &set, 1, &filter, &epsilon, &delta, &why), DPN_OK);
    assert_false(charge.pure);
    for (int claimed = 0; claimed < 2; claimed++) {
        assert_int_equal(dpn_plan_charge_best(&charge, &large, &set, 1, &filter, claimed ? &epsilon : NULL,
                                              claimed ? &delta : NULL, &why),
                         DPN_OK);
        assert_int_equal(dpn_filter_admit(&filter, &charge, &why), DPN_EBUDGET);
    }
    dpn_plan_free(&plan);
    dpn_plan_free(&large);
}

static dpn_decimal decimal_of(const char *text) {
    dpn_decimal out;
    assert_int_equal(dpn_decimal_parse(&out, text, NULL), DPN_OK);
    return out;
}

static dpn_delta delta_of(const dpn_plan *plan, double epsilon) {
    dpn_sensitivity set;
    dpn_workspace *workspace;
    dpn_delta delta = {0};
    dpn_error why;
    assert_int_equal(dpn_workspace_new(&workspace), DPN_OK);
    if (dpn_plan_sensitivity(&set, plan, &why) ||
        dpn_plan_delta(&delta, NULL, workspace, plan, &set, 1, epsilon, NULL, &why))
        fail_msg("%s", why.sentence);
    dpn_workspace_free(workspace);
    return delta;
}

/* What fails beside the noise with a probability of x comes on top of all that the noise itself is charged as, by its claim or by what it is: less x a
 * charge is one of the noise. The claims are true to the digit. */
static void what_is_apart_is_always_charged(void **state) {
    (void)state;
    static const char *const noise[] = {
        "gaussian(sigma=6)",           "gaussian(sigma=12)", "laplace(scale=8)", "truncated-laplace(scale=4,bound=40)",
        "discrete-gaussian(sigma=12)", "osgt(m=3,sigma=12)"};
    static const char *const claim[] = {"0.25", "0.5", "0.7"}, *const budget[] = {"0.7", "1.5", "20"},
                             *const delta[] = {"1e-5", "1e-3", "0.01"};
    const dpn_decimal apart = decimal_of("3e-6");
    size_t charged = 0, claimed = 0;
    for (size_t n = 0; n < sizeof noise / sizeof *noise; n++)
        for (size_t k = 0; k < 27; k++) {
            dpn_filter filter = filter_of(budget[k / 3 % 3], delta[k / 9]);
            dpn_plan plan = plan_of(noise[n], "0", "[1]");
            dpn_sensitivity set;
            dpn_decimal epsilon = decimal_of(claim[k % 3]), at, rest;
            dpn_charge charge;
            dpn_error why;
            assert_int_equal(dpn_decimal_from_upper(&at, delta_of(&plan, dpn_decimal_lower(&epsilon)).upper, &why),
                             DPN_OK);
            assert_int_equal(dpn_plan_sensitivity(&set, &plan, &why), DPN_OK);
            if (!dpn_plan_charge_beside(&charge, &plan, &set, 1, &filter, &epsilon, &at, &apart, &why)) {
                if (dpn_decimal_subtract(&rest, &charge.delta, &apart, &why)) fail_msg("%s", noise[n]);
                double found = charge.pure ? delta_of(&plan, dpn_decimal_upper(&charge.epsilon)).lower : 0;
                if (!(found <= dpn_decimal_upper(&rest)))
                    fail_msg("%s: delta %g beside what is apart, charged as %g", noise[n], found,
                             dpn_decimal_upper(&rest));
                charged++;
                claimed += charge.pure && !dpn_decimal_is_zero(&rest);
            }
            dpn_plan_free(&plan);
        }
    printf("# %zu charges, %zu by their claims\n", charged, claimed);
    assert_true(charged > 40 && claimed > 10);
}

/* Of noise whose delta is known between two ends a claim is taken that is above both, and none between them. */
static void a_claim_has_to_be_certain(void **state) {
    (void)state;
    static const char text[] =
        "{\"plan\": [{\"coordinates\": \"0\", \"noise\": \"laplace(scale=3)\", \"sensitivities\": 1}, "
        "{\"coordinates\": "
        "\"1-3\", \"noise\": \"gaussian(sigma=4)\", \"sensitivities\": 1}], \"sensitivity\": {\"l2\": 1}}";
    dpn_filter filter = filter_of("3", "0.5");
    dpn_plan plan;
    dpn_sensitivity set;
    dpn_error why;
    size_t wide = 0;
    if (dpn_plan_read(&plan, text, strlen(text), &why) || dpn_plan_sensitivity(&set, &plan, &why))
        fail_msg("%s", why.sentence);
    for (int i = 1; i <= 8; i++) {
        char number[40];
        dpn_charge charge;
        snprintf(number, sizeof number, "%.3f", 0.1 * i);
        dpn_decimal epsilon = decimal_of(number), between, above;
        dpn_delta delta = delta_of(&plan, dpn_decimal_lower(&epsilon));
        assert_int_equal(dpn_decimal_from_upper(&above, delta.upper, &why), DPN_OK);
        assert_int_equal(dpn_plan_charge_as(&charge, &plan, &set, 1, &filter, &epsilon, &above, &why), DPN_OK);
        if (!(delta.upper > 1.01 * delta.lower)) continue;
        assert_int_equal(dpn_decimal_from_upper(&between, 0.5 * (delta.lower + delta.upper), &why), DPN_OK);
        assert_int_equal(dpn_plan_charge_as(&charge, &plan, &set, 1, &filter, &epsilon, &between, &why), DPN_EDOMAIN);
        wide++;
    }
    dpn_plan_free(&plan);
    assert_true(wide > 0);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(gaussian_noise_costs_its_divergences),
        cmocka_unit_test(laplace_noise_is_pure_and_costs_less),
        cmocka_unit_test(a_mechanism_known_by_its_epsilon_costs_that),
        cmocka_unit_test(bounded_noise_needs_a_delta),
        cmocka_unit_test(a_claim_is_computed),
        cmocka_unit_test(a_claim_that_is_false_costs_what_is_true),
        cmocka_unit_test(what_is_calibrated_to_a_claim_costs_it),
        cmocka_unit_test(what_was_calibrated_to_the_budget_fits_it),
        cmocka_unit_test(what_is_apart_is_always_charged),
        cmocka_unit_test(a_claim_has_to_be_certain),
        cmocka_unit_test(small_noise_goes_by_its_divergences),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
