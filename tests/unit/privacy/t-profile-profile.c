/* From an estimate to what is shown, and from epsilon >= 0 to the whole line: a closed form that answers what it is told, so that each rounding shows. */
#include "privacy/profile/closed-forms.h"
#include "privacy/profile/generic.h"
#include "privacy/profile/profile.h"

#include "case.h"

#include <float.h>
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

static dpn_estimate told, told_at_infinity;
static double asked;

static dpn_estimate tell(const dpn_profile *profile, double epsilon) {
    (void)profile;
    asked = epsilon;
    return told;
}

static dpn_estimate tell_at_infinity(const dpn_profile *profile) {
    (void)profile;
    return told_at_infinity;
}

static const struct dpn_closed_form telling = {.delta = tell, .at_infinity = tell_at_infinity},
                                    silent = {.family = NULL};

static dpn_profile profile_of(const char *text, double sensitivity, const struct dpn_closed_form *form) {
    dpn_profile profile;
    dpn_law law = case_law(text);
    dpn_profile_prepare(&profile, &law, sensitivity);
    if (form) profile.form = form;
    return profile;
}

static dpn_estimate estimate(double mantissa, double exponent, double error) {
    return (dpn_estimate){mantissa, dpn_two(exponent), error};
}

static void same(dpn_estimate a, dpn_estimate b) {
    assert_true(a.mantissa == b.mantissa && a.exponent.hi == b.exponent.hi && a.exponent.lo == b.exponent.lo &&
                a.error == b.error);
}

/* ---- which formula ---- */

static void formulas(void **state) {
    (void)state;
    dpn_profile p = profile_of("gaussian(sigma=2)", 3, &telling);
    told = estimate(0.3, 2, 1e-9), told_at_infinity = estimate(0.1, 1, 1e-10);
    same(dpn_profile_at(&p, 0.75), told);
    assert_true(asked == 0.75);
    same(dpn_profile_at(&p, 0), told);
    same(dpn_profile_at(&p, INFINITY), told_at_infinity);
    p.form = &silent; /* the generic way */
    same(dpn_profile_at(&p, 0.75), dpn_generic_delta(&p, 0.75));
    same(dpn_profile_at(&p, INFINITY), dpn_generic_at_infinity(&p));
    p.form = NULL;
    same(dpn_profile_at(&p, 0.75), dpn_generic_delta(&p, 0.75));
    same(dpn_profile_at(&p, INFINITY), dpn_generic_at_infinity(&p));
    p = profile_of("gaussian(sigma=2)", 0, &telling); /* nothing moves */
    same(dpn_profile_at(&p, 0.75), estimate(0, 0, 0));
    /* Exact answers stay; what may have lost digits to underflow is a bound. */
    p = profile_of("gaussian(sigma=2)", 3, &telling);
    told = estimate(1e-300, 2, 0);
    same(dpn_profile_at(&p, 1), told);
    told.error = 1e-9;
    same(dpn_profile_at(&p, 1), estimate(1e-290, 2, INFINITY));
    told = estimate(1e-290, 2, 1e-9);
    same(dpn_profile_at(&p, 1), told);
    told = estimate(0.9e-290, 2, 1e-9);
    same(dpn_profile_at(&p, 1), estimate(1e-290, 2, INFINITY));
    told = estimate(0, 2, 1e-9);
    same(dpn_profile_at(&p, 1), estimate(1e-290, 2, INFINITY));
    for (int i = 0; i < 2; i++) { /* no number: anything */
        told = estimate(i ? NAN : -1e-300, 2, 1e-9);
        same(dpn_profile_at(&p, 1), estimate(1, 0, INFINITY));
    }
    told = estimate(0.3, 2, 1e-9); /* delta <= D pdf(0), whatever the formula says */
    p.sensitivity = 0.99e-290 / p.law.constant[DPN_PDF0];
    same(dpn_profile_at(&p, 1), estimate(1e-290, 0, INFINITY));
    p.sensitivity = 1.01e-290 / p.law.constant[DPN_PDF0];
    same(dpn_profile_at(&p, 1), told);
}

/* delta(-e) = 1 - e^-e + e^-e delta(e), and its error that of delta(e) times e^-e, relative to all, besides 1e-14. */
static void the_mirror_image(void **state) {
    (void)state;
    dpn_profile p = profile_of("gaussian(sigma=2)", 3, &telling);
    for (double e = 1e-9; e < 30; e *= 4)
        for (double delta = 1e-12; delta < 1; delta *= 9)
            for (double error = 0; error < 5; error = 8 * error + 1e-13) {
                told = estimate(delta * 3, log(3), error);
                dpn_estimate got = dpn_profile_at(&p, -e);
                assert_true(asked == e);
                long double rest = expl(-(long double)e) * delta, value = -expm1l(-(long double)e) + rest;
                assert_true(fabsl(dpn_estimate_value(got) - value) <= 1e-15L * value + 4e-16L * rest);
                long double moved = error > 1 ? rest * expl(error) : rest * error;
                assert_true(fabsl(got.error - 1e-14L - moved / value) <= 1e-12L * moved / value + 1e-20L);
            }
    told = estimate(0.25, 0, INFINITY); /* a bound moves by all of itself */
    dpn_estimate got = dpn_profile_at(&p, -1);
    double rest = 0.25 * exp(-1), value = 1 - exp(-1) + rest;
    assert_true(fabs(got.error - rest / value) < 1e-13);
    told = estimate(1, 0, 0);
    same(dpn_profile_at(&p, -1), told);
    told = estimate(1, 0, 1e-9);
    assert_true(dpn_profile_at(&p, -1).error > 0);
    same(dpn_profile_at(&p, -INFINITY), estimate(1, 0, 0));
}

/* ---- what is shown ---- */

static void values_and_logarithms(void **state) {
    (void)state;
    for (double exponent = 0; exponent < 2000; exponent = 3 * exponent + 1) {
        double low = 0.4 * DBL_EPSILON * exponent; /* what a double leaves out */
        dpn_estimate e = {0.7, {exponent, low}, 0};
        long double log_value = logl(0.7) - exponent - low;
        assert_true(fabsl(dpn_estimate_log(e) - log_value) <= 2 * DBL_EPSILON * fabsl(log_value));
        assert_true(fabsl(dpn_estimate_value(e) - expl(log_value)) <=
                    (4 + exponent) * DBL_EPSILON * expl(log_value) + DBL_TRUE_MIN);
    }
}

/* Ends of the logarithm: they cover 1 - error and 1 + error, and roundings of four units of 1 and of the logarithm. */
static void ends_of_logarithms(void **state) {
    (void)state;
    for (double exponent = 0.5; exponent < 1e5; exponent *= 7)
        for (double error = 1e-15; error < 4; error *= 2.7) {
            dpn_estimate e = estimate(1, exponent, error);
            double lower, upper, rounding = 4 * DBL_EPSILON * (1 + exponent);
            dpn_estimate_log_interval(&lower, &upper, e);
            double width = error < 0.5 ? error + error * error : error; /* a large one is a logarithm's */
            if (error < 0.49) assert_true(-exponent - lower >= -log1p(-error));
            assert_true(upper >= fmin(0, -exponent + log1p(error)) && upper <= 0);
            double slack = 1.5 * DBL_EPSILON * exponent + 1e-12 * rounding + (error > 0.4 && error < 0.6 ? 1e-14 : 0);
            assert_true(fabs(-exponent - lower - width - rounding) <= slack + 8 * DBL_EPSILON * width);
            if (-exponent + width + rounding < -1e-9)
                assert_true(fabs(upper + exponent - width - rounding) <= slack + 8 * DBL_EPSILON * width);
        }
    double lower, upper;
    dpn_estimate_log_interval(&lower, &upper, estimate(0.5, 0, 0)); /* exact */
    assert_true(lower == log(0.5) && upper == log(0.5));
    dpn_estimate_log_interval(&lower, &upper, estimate(0, 0, 0));
    assert_true(lower == -INFINITY && upper == -INFINITY);
    dpn_estimate_log_interval(&lower, &upper, estimate(0, 0, 1e-9));
    assert_true(lower == -INFINITY && upper == -INFINITY);
    for (double exponent = 1e-3; exponent < 1e6; exponent *= 10) { /* a bound: 1e-8 and four units more */
        dpn_estimate_log_interval(&lower, &upper, estimate(1, exponent, INFINITY));
        double more = upper + exponent, wanted = 1e-8 + 4 * DBL_EPSILON * exponent;
        assert_true(lower == -INFINITY && fabs(more - wanted) <= 1.1 * DBL_EPSILON * exponent);
    }
    dpn_estimate_log_interval(&lower, &upper, estimate(0, 0, INFINITY));
    assert_true(lower == -INFINITY && upper == -INFINITY);
    dpn_estimate_log_interval(&lower, &upper, estimate(1, 0, INFINITY));
    assert_true(upper == 0);
    /* The switch between both kinds of error. */
    dpn_estimate_log_interval(&lower, &upper, estimate(1, 9, 0.4999));
    assert_true(fabs(-9 - lower - 0.4999 * 1.4999) < 1e-12);
    dpn_estimate_log_interval(&lower, &upper, estimate(1, 9, 0.5001));
    assert_true(fabs(-9 - lower - 0.5001) < 1e-12);
}

static void ends_of_values(void **state) {
    (void)state;
    for (double value = 1e-300; value < 1; value *= 17)
        for (double error = 1e-15; error < 0.3; error *= 5) {
            dpn_delta got = dpn_estimate_interval(estimate(value, 0, error));
            long double width = (long double)error + 4 * DBL_EPSILON;
            assert_true(fabsl(got.upper - fminl(1, value * (1 + width))) <= DBL_EPSILON * value && got.upper >= value);
            assert_true(fabsl(got.lower - value * (1 - width)) <= DBL_EPSILON * value);
            double lower, upper;
            dpn_estimate_log_interval(&lower, &upper, estimate(value, 0, error));
            assert_true(got.log_lower == lower && got.log_upper == upper);
        }
    dpn_delta got = dpn_estimate_interval(estimate(0.5, 0, 0));
    assert_true(got.lower == 0.5 && got.upper == 0.5);
    got = dpn_estimate_interval(estimate(0.99, 0, 0.1));
    assert_true(got.upper == 1 && fabs(got.lower - 0.891) < 1e-12);
    got = dpn_estimate_interval(
        estimate(1.02 * DBL_MIN, 0, 0.01)); /* the smallest normal double is the least lower end */
    assert_true(got.lower > DBL_MIN);
    got = dpn_estimate_interval(estimate(1.02 * DBL_MIN, 0, 0.03));
    assert_true(got.lower == 0);
    got = dpn_estimate_interval(estimate(1, 740, 1e-9)); /* below it a few of the smallest units */
    double units = (got.upper - exp(-740)) / DBL_TRUE_MIN;
    assert_true(got.lower == 0 && units >= 3 && units <= 5);
    got = dpn_estimate_interval(estimate(1, 800, 1e-9)); /* that underflowed */
    assert_true(got.lower == 0 && got.upper == DBL_TRUE_MIN && got.log_lower > -800.1);
}

static void known_well_enough(void **state) {
    (void)state;
    assert_true(dpn_estimate_usable(estimate(0.3, 0, 0)) && dpn_estimate_usable(estimate(0, 0, 0)));
    for (double exponent = 0; exponent < 1e9; exponent = 10 * exponent + 1) {
        double most = 4e-7 + 64 * DBL_EPSILON * exponent;
        assert_true(dpn_estimate_usable(estimate(1, exponent, most * (1 - 1e-9))) &&
                    !dpn_estimate_usable(estimate(1, exponent, most * (1 + 1e-9))));
    }
    assert_false(dpn_estimate_usable(estimate(0.3, 0, INFINITY)));
    assert_false(dpn_estimate_usable(estimate(0.3, 0, NAN)));
}

/* ---- tails ---- */

static void one_tail_is_the_second_of_two(void **state) {
    (void)state;
    static const char *const texts[] = {"gaussian(sigma=1)",
                                        "laplace(scale=2)",
                                        "discrete-gaussian(sigma=2)",
                                        "discrete-laplace(scale=2)",
                                        "staircase(epsilon=0.5,sensitivity=1,gamma=0.3)",
                                        "flipped-huber(alpha=1,gamma=2)",
                                        "logistic(scale=1)"};
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++)
        for (double epsilon = -2; epsilon < 2; epsilon += 0.25)
            for (int at_least = 0; at_least < 2; at_least++) {
                dpn_profile p = profile_of(texts[i], 3, NULL);
                dpn_loss_tails both = dpn_profile_tails(&p, epsilon, at_least);
                same(dpn_profile_tail(&p, epsilon, at_least), both.q);
                /* P(L > e) - e^e Q(L > e) is delta(e), and so is that of L >= e */
                dpn_estimate delta = dpn_profile_at(&p, epsilon);
                double difference = dpn_estimate_value(both.p) - exp(epsilon) * dpn_estimate_value(both.q);
                assert_true(fabs(difference - dpn_estimate_value(delta)) < 1e-9);
                dpn_loss_tails other = dpn_profile_tails(&p, epsilon, !at_least);
                double more = dpn_estimate_value(both.q) - dpn_estimate_value(other.q);
                assert_true(at_least ? more >= -1e-12 : more <= 1e-12);
            }
    dpn_law law = case_law("gaussian(sigma=1)"); /* of a law that is not log-concave nothing is known */
    struct dpn_family family = *law.family;
    family.not_log_concave = true;
    dpn_profile p = profile_of("gaussian(sigma=1)", 1, &silent);
    p.law.family = &family;
    same(dpn_profile_tail(&p, 0.5, false), estimate(1, 0, INFINITY));
    same(dpn_profile_tails(&p, 0.5, false).p, estimate(1, 0, INFINITY));
    same(dpn_profile_tails(&p, 0.5, true).q, estimate(1, 0, INFINITY));
}

/* ---- refusals ---- */

static void refusals(void **state) {
    (void)state;
    dpn_law law = case_law("gaussian(sigma=1)"), whole = case_law("discrete-gaussian(sigma=1)");
    dpn_error why;
    dpn_delta out = {.lower = -7, .upper = -7};
    assert_int_equal(dpn_profile_check(NULL, 1, &why), DPN_EDOMAIN);
    assert_string_equal(why.sentence, "the law is missing");
    const double bad[] = {-1e-300, INFINITY, -INFINITY, NAN};
    for (int i = 0; i < 4; i++) {
        assert_int_equal(dpn_profile_check(&law, bad[i], &why), DPN_EDOMAIN);
        assert_string_equal(why.sentence, "sensitivity must be a finite number, 0 or more");
    }
    assert_int_equal(dpn_profile_check(&whole, 1.5, &why), DPN_EDOMAIN);
    assert_string_equal(why.sentence, "sensitivity must be a whole number for noise on the integers");
    assert_int_equal(dpn_profile_check(&whole, 2, &why), DPN_OK);
    assert_int_equal(dpn_profile_check(&law, 1.5, &why), DPN_OK);
    assert_int_equal(dpn_profile_check(&law, 0, &why), DPN_OK);
    assert_int_equal(dpn_profile_delta(&out, &law, 1, NAN, &why), DPN_EDOMAIN);
    assert_string_equal(why.sentence, "epsilon must be a number");
    assert_int_equal(dpn_profile_delta(&out, &law, -1, 1, &why), DPN_EDOMAIN);
    assert_int_equal(dpn_profile_out_of_reach(0.5, &why), DPN_EACCURACY);
    assert_string_equal(why.sentence, "delta(0.5) cannot be computed to one part in a million here");
    assert_int_equal(dpn_profile_delta(&out, &law, 1e-295, 1, &why), DPN_EACCURACY);
    assert_true(out.lower == -7 && out.upper == -7);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(formulas),
        cmocka_unit_test(the_mirror_image),
        cmocka_unit_test(values_and_logarithms),
        cmocka_unit_test(ends_of_logarithms),
        cmocka_unit_test(ends_of_values),
        cmocka_unit_test(known_well_enough),
        cmocka_unit_test(one_tail_is_the_second_of_two),
        cmocka_unit_test(refusals),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
