/* discrete-flipped-huber against plain sums, its limits and known values. */
#include "unit/law/integer-law.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

static long double psi(const double *parameter, long double k) {
    long double alpha = parameter[0], gamma = parameter[1];
    return (k <= alpha ? alpha * k : (k * k + alpha * alpha) / 2) / (gamma * gamma);
}

/* alpha below 1, whole, just below a whole number, and beyond every k that counts. */
static const char *const laws[] = {
    "discrete-flipped-huber(alpha=0,gamma=0.01)",       "discrete-flipped-huber(alpha=1.2,gamma=0.0407)",
    "discrete-flipped-huber(alpha=0.999999,gamma=0.3)", "discrete-flipped-huber(alpha=1,gamma=0.3)",
    "discrete-flipped-huber(alpha=2,gamma=1)",          "discrete-flipped-huber(alpha=2.5,gamma=1.9)",
    "discrete-flipped-huber(alpha=20.48,gamma=6.4)",    "discrete-flipped-huber(alpha=7.999999999999999,gamma=30)",
    "discrete-flipped-huber(alpha=1,gamma=50)",         "discrete-flipped-huber(alpha=55.5,gamma=61)",
    "discrete-flipped-huber(alpha=2000,gamma=33)",      "discrete-flipped-huber(alpha=1e-9,gamma=9)",
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
    check_ties("discrete-flipped-huber(alpha=2,gamma=6.13145335889019e-22)", psi);
    check_ties("discrete-flipped-huber(alpha=2,gamma=1.1e-40)", psi);
}

static void edges(void **state) {
    (void)state;
    for (int i = 0; i < LAWS; i++) check_edges(laws[i]);
    check_edges("discrete-flipped-huber(alpha=1e50,gamma=1e-50)");
    check_edges("discrete-flipped-huber(alpha=1e50,gamma=1e12)");
    check_edges("discrete-flipped-huber(alpha=1e16,gamma=1e12)");
    check_edges("discrete-flipped-huber(alpha=1e-320,gamma=1e12)");
    check_far_psi("discrete-flipped-huber(alpha=1e50,gamma=1e12)", 1e160, 5e295);
    check_far_psi("discrete-flipped-huber(alpha=1e50,gamma=1e12)", 1e30, 1e56);
    check_far_psi("discrete-flipped-huber(alpha=0,gamma=1e-22)", 1.5e132, 1.125e308);
}

static void limits(void **state) {
    (void)state;
    check_continuous_limit("discrete-flipped-huber(alpha=2e9,gamma=1e9)", "flipped-huber(alpha=2e9,gamma=1e9)");
    check_continuous_limit("discrete-flipped-huber(alpha=0.25,gamma=1e9)", "flipped-huber(alpha=0.25,gamma=1e9)");
    check_continuous_limit("discrete-flipped-huber(alpha=1e13,gamma=1e11)", "flipped-huber(alpha=1e13,gamma=1e11)");

    dpn_law plain = integer_law("discrete-flipped-huber(alpha=0,gamma=7.5)");
    dpn_law gaussian = integer_law("discrete-gaussian(sigma=7.5)");
    dpn_law steep = integer_law("discrete-flipped-huber(alpha=262144,gamma=1024)");
    dpn_law laplace = integer_law("discrete-laplace(scale=4)");
    for (int k = 0; k < 200; k++) {
        assert_true(fabs(dpn_law_log_pdf(&plain, k) - dpn_law_log_pdf(&gaussian, k)) <= 1e-15 * (1 + k));
        assert_true(fabs(dpn_law_log_sf(&plain, k) - dpn_law_log_sf(&gaussian, k)) <= 1e-15 * (1 + k));
        assert_true(fabs(dpn_law_log_pdf(&steep, k) - dpn_law_log_pdf(&laplace, k)) <= 1e-15 * (1 + k));
        assert_true(fabs(dpn_law_log_sf(&steep, k) - dpn_law_log_sf(&laplace, k)) <= 1e-15 * (1 + k));
    }
}

static void refusals(void **state) {
    (void)state;
    check_refused("discrete-flipped-huber(alpha=-1,gamma=1)", "alpha");
    check_refused("discrete-flipped-huber(alpha=1.1e50,gamma=1)", "alpha");
    check_refused("discrete-flipped-huber(alpha=1,gamma=0)", "gamma");
    check_refused("discrete-flipped-huber(alpha=1,gamma=9e-51)", "gamma");
    check_refused("discrete-flipped-huber(alpha=1,gamma=1.1e12)", "gamma");
}

static void sub_gaussian(void **state) {
    (void)state;
    for (int i = 0; i < LAWS; i++) {
        dpn_law law = integer_law(laws[i]);
        double gamma = dpn_law_parameter(&law, "gamma"), proxy = dpn_law_sub_gaussian_upper(&law);
        assert_true(proxy >= dpn_law_variance(&law) && fma(gamma, gamma, -proxy) <= 0);
        for (double s = 1e-12 / gamma; s < 1e3 / gamma; s *= 1.37)
            assert_true(dpn_law_log_mgf(&law, s) <= 0.5 * proxy * s * s * (1 + 1e-15));
    }
}

/* reference/vectors.json, dfh_*. */
static void known_values(void **state) {
    (void)state;
    dpn_law two = integer_law("discrete-flipped-huber(alpha=2,gamma=1)");
    dpn_law paper = integer_law("discrete-flipped-huber(alpha=20.48,gamma=6.4)");
    dpn_law gaussian = integer_law("discrete-flipped-huber(alpha=0,gamma=3)");
    assert_true(fabs(dpn_law_pdf(&two, 0) - 0.7631254513764329925626439) < 1e-15);
    assert_true(fabs(dpn_law_pdf(&paper, 3) - 0.05464888899043413923272425) < 1e-15);
    assert_true(fabs(dpn_law_pdf(&paper, -40) - 4.820823296209112629826808e-12) < 1e-25);
    assert_true(fabs(dpn_law_variance(&two) - 0.3401522930470540053027017) < 1e-15);
    assert_true(fabs(dpn_law_variance(&paper) - 7.833592765461851425819326) < 1e-14);
    assert_true(fabs(dpn_law_variance(&gaussian) - 9) < 1e-14);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(plain_sums),   cmocka_unit_test(jumps),        cmocka_unit_test(ties),
        cmocka_unit_test(edges),        cmocka_unit_test(limits),       cmocka_unit_test(refusals),
        cmocka_unit_test(sub_gaussian), cmocka_unit_test(known_values),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
