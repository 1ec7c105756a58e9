/* truncated-laplace: its bound, and its limits, the Laplace and the uniform law. */
#include <dpnoise/law.h>

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

static dpn_law truncated(double scale, double bound) {
    dpn_law law;
    assert_int_equal(dpn_law_make(&law, "truncated-laplace", (double[]){scale, bound}, 2, NULL), DPN_OK);
    return law;
}

static void assert_near(double x, double expected, double tolerance) {
    if (!(fabs(x - expected) <= tolerance * fabs(expected))) fail_msg("%.17g is not %.17g", x, expected);
}

static void nothing_beyond_the_bound(void **state) {
    (void)state;
    dpn_law law = truncated(1, 9);
    assert_true(dpn_law_pdf(&law, 9) > 0 && dpn_law_pdf(&law, nextafter(9, INFINITY)) == 0);
    assert_true(dpn_law_psi(&law, 9) == 9 && dpn_law_psi(&law, 9.1) == INFINITY);
    assert_true(dpn_law_sf(&law, 9) == 0 && dpn_law_sf(&law, 10) == 0 && dpn_law_sf(&law, nextafter(9, 0)) > 0);
    assert_true(dpn_law_log_sf(&law, 9) == -INFINITY && dpn_law_cdf(&law, -9) == 0 && dpn_law_sf(&law, -9) == 1);
    assert_true(dpn_law_support(&law) == 9 && dpn_law_isf(&law, 0) == 9 && dpn_law_isf(&law, 1e-300) <= 9);
    assert_true(dpn_law_sub_gaussian_upper(&law) >= 27);
    assert_true(dpn_law_fisher(&law) == INFINITY);
}

static void wide_bound_is_laplace(void **state) {
    (void)state;
    dpn_law law = truncated(2, 1e4), laplace;
    assert_int_equal(dpn_law_make(&laplace, "laplace", (double[]){2}, 1, NULL), DPN_OK);
    for (double t = 0; t < 1300; t += 7.3) {
        assert_near(dpn_law_pdf(&law, t), dpn_law_pdf(&laplace, t), 1e-14);
        assert_near(dpn_law_log_sf(&law, t), dpn_law_log_sf(&laplace, t), 1e-14);
    }
    assert_near(dpn_law_variance(&law), 8, 1e-14);
    assert_near(dpn_law_entropy(&law), dpn_law_entropy(&laplace), 1e-14);
    assert_near(dpn_law_log_mgf(&law, 0.3), dpn_law_log_mgf(&laplace, 0.3), 1e-13);
    assert_near(dpn_law_isf(&law, 1e-200), dpn_law_isf(&laplace, 1e-200), 1e-14);
}

static void narrow_bound_is_uniform(void **state) {
    (void)state;
    double bound = 1e-7;
    dpn_law law = truncated(1, bound);
    assert_near(dpn_law_pdf(&law, 0.5 * bound), 0.5 / bound, 1e-7);
    assert_near(dpn_law_variance(&law), bound * bound / 3, 1e-7);
    assert_near(dpn_law_mean_abs(&law), bound / 2, 1e-7);
    assert_near(dpn_law_entropy(&law), log(2 * bound), 1e-7);
    assert_near(dpn_law_isf(&law, 0.1), 0.8 * bound, 1e-7);
    assert_near(dpn_law_log_mgf(&law, 30 / bound), log(sinh(30) / 30), 1e-7);
}

/* The moments and the generating function by the trapezoid rule on the whole range, refined once and extrapolated. */
static void moments_are_integrals(void **state) {
    (void)state;
    dpn_law law = truncated(1.5, 4);
    double square[2] = {0, 0}, mgf[2] = {0, 0}, entropy[2] = {0, 0};
    for (int pass = 0; pass < 2; pass++) {
        int n = 20000 << pass;
        double h = 4.0 / n;
        for (int i = 0; i <= n; i++) {
            double t = i * h, weight = (i == 0 || i == n ? 1 : 2) * h * dpn_law_pdf(&law, t);
            square[pass] += weight * t * t;
            mgf[pass] += weight * cosh(0.9 * t);
            entropy[pass] -= weight * dpn_law_log_pdf(&law, t);
        }
    }
    assert_near(dpn_law_variance(&law), (4 * square[1] - square[0]) / 3, 1e-12);
    assert_near(dpn_law_log_mgf(&law, 0.9), log((4 * mgf[1] - mgf[0]) / 3), 1e-11);
    assert_near(dpn_law_entropy(&law), (4 * entropy[1] - entropy[0]) / 3, 1e-11);
}

/* Where the generating function overflows its logarithm does not. */
static void large_arguments(void **state) {
    (void)state;
    dpn_law law = truncated(1, 9);
    double s = 1e6; /* M(s) = e^(9s - 9)/(2 (1 - e^-9)(s - 1)) up to e^-18s */
    assert_near(dpn_law_log_mgf(&law, s), 9 * (s - 1) - log(2 * (1 - exp(-9)) * (s - 1)), 1e-14);
    assert_true(isfinite(dpn_law_log_mgf(&law, 1e300)));
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(nothing_beyond_the_bound), cmocka_unit_test(wide_bound_is_laplace),
        cmocka_unit_test(narrow_bound_is_uniform),  cmocka_unit_test(moments_are_integrals),
        cmocka_unit_test(large_arguments),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
