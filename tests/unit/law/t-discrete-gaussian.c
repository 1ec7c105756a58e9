/* discrete-gaussian against plain sums, its continuous limit and known values. */
#include "unit/law/integer-law.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

static long double psi(const double *parameter, long double k) {
    return k * k / (2 * (long double)parameter[0] * parameter[0]);
}

static const char *const laws[] = {
    "discrete-gaussian(sigma=0.01)", "discrete-gaussian(sigma=0.02626)", "discrete-gaussian(sigma=0.1)",
    "discrete-gaussian(sigma=0.5)",  "discrete-gaussian(sigma=1)",       "discrete-gaussian(sigma=1.99)",
    "discrete-gaussian(sigma=2)",    "discrete-gaussian(sigma=3.67)",    "discrete-gaussian(sigma=3.68)",
    "discrete-gaussian(sigma=10)",   "discrete-gaussian(sigma=61.7)",
};
enum { LAWS = sizeof laws / sizeof *laws };

static void plain_sums(void **state) {
    (void)state;
    for (int i = 0; i < LAWS; i++) check_plain_sums(laws[i], psi);
}

static void jumps(void **state) {
    (void)state;
    for (int i = 1; i < LAWS; i++) check_jumps(laws[i]);
}

static void ties(void **state) {
    (void)state;
    for (int i = 0; i < LAWS; i++) check_ties(laws[i], psi);
    check_ties("discrete-gaussian(sigma=6.13145335889019e-22)", psi);
    check_ties("discrete-gaussian(sigma=1.1e-40)", psi);
}

static void edges(void **state) {
    (void)state;
    for (int i = 0; i < LAWS; i++) check_edges(laws[i]);
    check_edges("discrete-gaussian(sigma=1e-50)");
    check_edges("discrete-gaussian(sigma=1e12)");
    check_far_psi("discrete-gaussian(sigma=1e12)", 1e160, 5e295);
    check_far_psi("discrete-gaussian(sigma=1e-22)", 1.5e132, 1.125e308);
}

static void continuous_limit(void **state) {
    (void)state;
    check_continuous_limit("discrete-gaussian(sigma=1e9)", "gaussian(sigma=1e9)");
    check_continuous_limit("discrete-gaussian(sigma=1e12)", "gaussian(sigma=1e12)");
}

static void refusals(void **state) {
    (void)state;
    check_refused("discrete-gaussian(sigma=0)", "sigma");
    check_refused("discrete-gaussian(sigma=-1)", "sigma");
    check_refused("discrete-gaussian(sigma=9e-51)", "sigma");
    check_refused("discrete-gaussian(sigma=1.1e12)", "sigma");
}

/* E exp(sX) <= exp(sigma^2 s^2/2), with equality where sigma^2 s is whole, up to the digits of theta(sigma^2
 * s)/theta(0). */
static void sub_gaussian(void **state) {
    (void)state;
    for (int i = 0; i < LAWS; i++) {
        dpn_law law = integer_law(laws[i]);
        double sigma = dpn_law_parameter(&law, "sigma"), proxy = dpn_law_sub_gaussian_upper(&law);
        assert_true(proxy >= dpn_law_variance(&law) && fma(sigma, sigma, -proxy) <= 0);
        for (double s = 1e-12 / sigma; s < 1e3 / sigma; s *= 1.37)
            assert_true(dpn_law_log_mgf(&law, s) <= 0.5 * proxy * s * s * (1 + 1e-15));
    }
    dpn_law law = integer_law("discrete-gaussian(sigma=0.5)");
    for (int whole = 1; whole < 20; whole++)
        assert_true(fabs(dpn_law_log_mgf(&law, 4 * whole) - 2 * whole * whole) <= 1e-13 * whole * whole);
}

/* reference/vectors.json, dgauss_*. */
static void known_values(void **state) {
    (void)state;
    dpn_law half = integer_law("discrete-gaussian(sigma=0.5)"), one = integer_law("discrete-gaussian(sigma=1)");
    dpn_law two = integer_law("discrete-gaussian(sigma=2)"), three = integer_law("discrete-gaussian(sigma=3)");
    assert_true(fabs(dpn_law_pdf(&one, 0) - 0.3989422782668617055816805) < 1e-15);
    assert_true(fabs(dpn_law_pdf(&two, 3) - 0.06475879783294586380704978) < 1e-15);
    assert_true(fabs(dpn_law_variance(&half) - 0.2150126750881384863835551) < 1e-15);
    assert_true(fabs(dpn_law_variance(&three) - 9) < 1e-14);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(plain_sums),
        cmocka_unit_test(jumps),
        cmocka_unit_test(ties),
        cmocka_unit_test(edges),
        cmocka_unit_test(continuous_limit),
        cmocka_unit_test(refusals),
        cmocka_unit_test(sub_gaussian),
        cmocka_unit_test(known_values),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
