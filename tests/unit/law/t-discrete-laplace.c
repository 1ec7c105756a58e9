/* discrete-laplace against plain sums, its continuous limit and known values. */
#include "unit/law/integer-law.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

static long double psi(const double *parameter, long double k) {
    return k / parameter[0];
}

static const char *const laws[] = {
    "discrete-laplace(scale=0.001)", "discrete-laplace(scale=0.00138)", "discrete-laplace(scale=0.01)",
    "discrete-laplace(scale=0.1)",   "discrete-laplace(scale=0.3)",     "discrete-laplace(scale=0.9)",
};
enum { LAWS = sizeof laws / sizeof *laws };

static void plain_sums(void **state) {
    (void)state;
    for (int i = 0; i < LAWS; i++) check_plain_sums(laws[i], psi);
}

static void jumps(void **state) {
    (void)state;
    for (int i = 1; i < LAWS; i++) check_jumps(laws[i]);
    check_jumps("discrete-laplace(scale=3)");
    check_jumps("discrete-laplace(scale=40)");
}

static void edges(void **state) {
    (void)state;
    for (int i = 0; i < LAWS; i++) check_edges(laws[i]);
    check_edges("discrete-laplace(scale=1e-50)");
    check_edges("discrete-laplace(scale=1e12)");
    check_far_psi("discrete-laplace(scale=1e12)", 1e160, 1e148);
}

static void continuous_limit(void **state) {
    (void)state;
    check_continuous_limit("discrete-laplace(scale=1e9)", "laplace(scale=1e9)");
    check_continuous_limit("discrete-laplace(scale=1e12)", "laplace(scale=1e12)");
}

static void refusals(void **state) {
    (void)state;
    check_refused("discrete-laplace(scale=0)", "scale");
    check_refused("discrete-laplace(scale=-2)", "scale");
    check_refused("discrete-laplace(scale=9e-51)", "scale");
    check_refused("discrete-laplace(scale=1.1e12)", "scale");
}

/* With r = 1/scale: near the pole E exp(sX) is tanh(r/2)/(r - s) up to r - s, and the distance r - s is known
 * to the last bit, 1 - s scale being exact. */
static void pole(void **state) {
    (void)state;
    static const double scales[] = {0.01, 0.3, 1, 3, 1e3, 1e9};
    for (size_t i = 0; i < sizeof scales / sizeof *scales; i++) {
        dpn_law law;
        assert_int_equal(dpn_law_make(&law, "discrete-laplace", &scales[i], 1, NULL), DPN_OK);
        double bound = dpn_law_mgf_bound(&law), r = 1 / scales[i];
        for (double s = bound; s >= bound * (1 - 1e-15); s = nextafter(s, 0)) {
            double distance = -fma(s, scales[i], -1) / scales[i], value = dpn_law_log_mgf(&law, s);
            if (distance <= 0) {
                assert_true(value == INFINITY);
            } else {
                double wanted = log(tanh(r / 2) / distance);
                assert_true(fabs(value - wanted) <= 1e-13 * wanted);
            }
        }
        assert_true(dpn_law_log_mgf(&law, nextafter(bound, INFINITY)) == INFINITY);
        assert_true(dpn_law_sub_gaussian_upper(&law) == INFINITY);
    }
}

/* reference/vectors.json, dlap_*. */
static void known_values(void **state) {
    (void)state;
    dpn_law three = integer_law("discrete-laplace(scale=3)"), tenth = integer_law("discrete-laplace(scale=0.1)");
    assert_true(fabs(dpn_law_pdf(&three, 0) - 0.1651404129246293537327892) < 1e-15);
    assert_true(fabs(dpn_law_pdf(&three, 5) - 0.03119099504398325766643949) < 1e-15);
    assert_true(fabs(dpn_law_variance(&three) - 17.83425519251301428681574) < 1e-13);
    assert_true(fabs(dpn_law_variance(&tenth) - 0.00009080810470095087460900427) < 1e-18);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(plain_sums),       cmocka_unit_test(jumps),    cmocka_unit_test(edges),
        cmocka_unit_test(continuous_limit), cmocka_unit_test(refusals), cmocka_unit_test(pole),
        cmocka_unit_test(known_values),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
