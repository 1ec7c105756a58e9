/* discrete-osgt against plain sums, its limits and known values. */
#include "unit/law/integer-law.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

static long double psi(const double *parameter, long double k) {
    long double sigma = parameter[1];
    return (k * k / 2 + parameter[0] * k) / (sigma * sigma);
}

static const char *const laws[] = {
    "discrete-osgt(m=0,sigma=0.01)",  "discrete-osgt(m=1,sigma=0.04548)", "discrete-osgt(m=0.3,sigma=0.5)",
    "discrete-osgt(m=3,sigma=1)",     "discrete-osgt(m=3,sigma=6)",       "discrete-osgt(m=0.1,sigma=1.999)",
    "discrete-osgt(m=15,sigma=25.1)", "discrete-osgt(m=2,sigma=3.6)",     "discrete-osgt(m=0,sigma=40)",
    "discrete-osgt(m=1000,sigma=60)", "discrete-osgt(m=1e-9,sigma=9)",
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
    check_ties("discrete-osgt(m=3,sigma=6.13145335889019e-22)", psi);
    check_ties("discrete-osgt(m=3,sigma=1.1e-40)", psi);
}

static void edges(void **state) {
    (void)state;
    for (int i = 0; i < LAWS; i++) check_edges(laws[i]);
    check_edges("discrete-osgt(m=1e50,sigma=1e-50)");
    check_edges("discrete-osgt(m=1e50,sigma=1e12)");
    check_edges("discrete-osgt(m=1e-320,sigma=1e12)");
    check_far_psi("discrete-osgt(m=1e50,sigma=1e12)", 1e160, 5e295);
    check_far_psi("discrete-osgt(m=1e50,sigma=1e12)", 1e30, 1e56);
}

static void limits(void **state) {
    (void)state;
    check_continuous_limit("discrete-osgt(m=1e9,sigma=1e9)", "osgt(m=1e9,sigma=1e9)");
    check_continuous_limit("discrete-osgt(m=0.25,sigma=1e9)", "osgt(m=0.25,sigma=1e9)");
    check_continuous_limit("discrete-osgt(m=3e13,sigma=1e12)", "osgt(m=3e13,sigma=1e12)");

    dpn_law plain = integer_law("discrete-osgt(m=0,sigma=7.5)"), gaussian = integer_law("discrete-gaussian(sigma=7.5)");
    dpn_law steep = integer_law("discrete-osgt(m=75557863725914323419136,sigma=549755813888)"); /* 2^76, 2^39 */
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
    check_refused("discrete-osgt(m=-1,sigma=1)", "m must");
    check_refused("discrete-osgt(m=1.1e50,sigma=1)", "m must");
    check_refused("discrete-osgt(m=1,sigma=0)", "sigma");
    check_refused("discrete-osgt(m=1,sigma=9e-51)", "sigma");
    check_refused("discrete-osgt(m=1,sigma=1.1e12)", "sigma");
}

static void sub_gaussian(void **state) {
    (void)state;
    for (int i = 0; i < LAWS; i++) {
        dpn_law law = integer_law(laws[i]);
        double sigma = dpn_law_parameter(&law, "sigma"), proxy = dpn_law_sub_gaussian_upper(&law);
        assert_true(proxy >= dpn_law_variance(&law) && fma(sigma, sigma, -proxy) <= 0);
        for (double s = 1e-12 / sigma; s < 1e3 / sigma; s *= 1.37)
            assert_true(dpn_law_log_mgf(&law, s) <= 0.5 * proxy * s * s * (1 + 1e-15));
    }
}

/* reference/vectors.json, dosgt_*. */
static void known_values(void **state) {
    (void)state;
    dpn_law law = integer_law("discrete-osgt(m=3,sigma=6)");
    assert_true(fabs(dpn_law_pdf(&law, 0) - 0.09496423554320290087272550) < 1e-15);
    assert_true(fabs(dpn_law_pdf(&law, -7) - 0.02683243625920280358246212) < 1e-15);
    assert_true(fabs(dpn_law_variance(&law) - 24.42816398165584574213261) < 1e-13);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(plain_sums),   cmocka_unit_test(jumps),        cmocka_unit_test(ties),
        cmocka_unit_test(edges),        cmocka_unit_test(limits),       cmocka_unit_test(refusals),
        cmocka_unit_test(sub_gaussian), cmocka_unit_test(known_values),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
