/* logistic: closed forms against each other and against elementary identities. */
#include <dpnoise/law.h>

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

static void assert_near(double x, double expected, double tolerance) {
    if (!(fabs(x - expected) <= tolerance * fabs(expected))) fail_msg("%.17g is not %.17g", x, expected);
}

/* pdf = sf cdf/scale, and the odds of a quantile are e^(t/scale). */
static void identities(void **state) {
    (void)state;
    dpn_law law;
    assert_int_equal(dpn_law_make(&law, "logistic", (double[]){3}, 1, NULL), DPN_OK);
    for (double t = -100; t <= 100; t += 0.77) {
        assert_near(dpn_law_pdf(&law, t), dpn_law_sf(&law, t) * dpn_law_cdf(&law, t) / 3, 1e-15);
        double psi = -log(dpn_law_pdf(&law, t) * 12);
        if (!(fabs(dpn_law_psi(&law, t) - psi) <= 1e-13 * (1 + fabs(psi)))) fail_msg("psi at %g", t);
    }
    for (double p = 0.01; p < 1; p += 0.0173) assert_near(exp(dpn_law_isf(&law, p) / 3), (1 - p) / p, 1e-14);
    assert_near(dpn_law_psi(&law, 3e-8), 1e-16 / 4, 1e-15); /* t^2/4scale^2 near 0 */
}

/* M(s) = 1/(product over n of 1 - (s scale/n)^2); here the logarithm as a series of zeta values. */
static void generating_function(void **state) {
    (void)state;
    dpn_law law;
    assert_int_equal(dpn_law_make(&law, "logistic", (double[]){2}, 1, NULL), DPN_OK);
    for (double v = 0.05; v < 0.9; v += 0.05) {
        double sum = 0, tail = 0;
        for (int n = 200000; n >= 1; n--) sum -= log1p(-(v / n) * (v / n));
        tail = v * v / 200000.5; /* sum of (v/n)^2 beyond */
        assert_near(dpn_law_log_mgf(&law, v / 2), sum + tail, 1e-10);
    }
    assert_true(dpn_law_log_mgf(&law, 0.5) == INFINITY);
    assert_near(dpn_law_log_mgf(&law, nextafter(0.5, 0)), log(1 / 0x1p-53), 1e-14); /* v = 1 - 2^-53: M = 1/(1-v) */
    assert_true(dpn_law_mgf_bound(&law) == 0.5 && dpn_law_sub_gaussian_upper(&law) == INFINITY);
}

/* The moments by the trapezoid rule, which converges geometrically for this density. */
static void moments_are_integrals(void **state) {
    (void)state;
    dpn_law law;
    assert_int_equal(dpn_law_make(&law, "logistic", (double[]){1}, 1, NULL), DPN_OK);
    double square = 0, entropy = 0, fisher = 0, h = 0.125;
    for (int i = -6000; i <= 6000; i++) {
        double t = i * h, weight = h * dpn_law_pdf(&law, t);
        square += weight * t * t;
        if (weight > 0) entropy -= weight * dpn_law_log_pdf(&law, t);
        fisher += weight * tanh(t / 2) * tanh(t / 2);
    }
    assert_near(dpn_law_variance(&law), square, 1e-13);
    assert_near(dpn_law_entropy(&law), entropy, 1e-13);
    assert_near(dpn_law_fisher(&law), fisher, 1e-13);
    double folded = 0; /* E|X| = 2 int sf */
    for (int i = 0; i <= 400000; i++)
        folded += 2 * (i == 0 || i == 400000 ? 0.5 : 1) * 1e-4 * dpn_law_sf(&law, i * 1e-4);
    assert_near(dpn_law_mean_abs(&law), folded, 1e-8);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(identities),
        cmocka_unit_test(generating_function),
        cmocka_unit_test(moments_are_integrals),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
