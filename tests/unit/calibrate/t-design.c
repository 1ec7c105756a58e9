/* Laws of a given variance, FH's construction, and unequal sensitivities. */
#include <dpnoise/design.h>

#include "reference/draw.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

/* FH Fig. 6: variance 16, gamma = sigma = 7; the other parameters by an independent search with mpmath. */
static void laws_of_figure_6(void **state) {
    (void)state;
    dpn_law law;
    dpn_error why;
    assert_int_equal(dpn_design_of_scale(&law, "flipped-huber", 16, 7, &why), DPN_OK);
    assert_true(fabs(dpn_law_parameter(&law, "alpha") - 17.23790) < 1e-5 && dpn_law_parameter(&law, "gamma") == 7);
    assert_int_equal(dpn_design_of_scale(&law, "osgt", 16, 7, &why), DPN_OK);
    assert_true(fabs(dpn_law_parameter(&law, "m") - 11.02000) < 1e-5);
    assert_int_equal(dpn_design_of_shape(&law, "gaussian", 16, 0, &why), DPN_OK);
    assert_true(fabs(dpn_law_parameter(&law, "sigma") - 4) < 1e-14);
    assert_int_equal(dpn_design_of_scale(&law, "flipped-huber", 49, 7, &why), DPN_OK);
    assert_true(dpn_law_parameter(&law, "alpha") == 0);
}

static void variances_are_met(void **state) {
    (void)state;
    draw_source source = {31};
    static const char *const family[] = {"flipped-huber", "osgt",     "laplace",          "subbotin",
                                         "huber",         "logistic", "truncated-laplace"};
    for (int i = 0; i < 140; i++) {
        double variance = draw_log_uniform(&source, 1e-6, 1e6), shape = draw_log_uniform(&source, 1, 8);
        dpn_law law, again;
        dpn_error why;
        assert_int_equal(dpn_design_of_shape(&law, family[i % 7], variance, shape, &why), DPN_OK);
        assert_true(fabs(dpn_law_variance(&law) / variance - 1) < 1e-13);
        if (i % 7 > 1) continue;
        const char *scale = i % 7 ? "sigma" : "gamma", *first = i % 7 ? "m" : "alpha";
        double s = dpn_law_parameter(&law, scale);
        assert_true(fabs(dpn_law_parameter(&law, first) / s / shape - 1) < 1e-14);
        assert_int_equal(dpn_design_of_scale(&again, family[i % 7], variance, s, &why), DPN_OK);
        assert_true(fabs(dpn_law_parameter(&again, first) / dpn_law_parameter(&law, first) - 1) < 1e-11);
    }
}

static void what_cannot_be_is_refused(void **state) {
    (void)state;
    dpn_law law;
    dpn_error why;
    double one[] = {1, 2}, none[] = {0, 0}, bad[] = {1, -1};
    dpn_inequality found;
    bool above;
    assert_int_equal(dpn_design_of_shape(&law, "gaussion", 1, 1, &why), DPN_EPARSE);
    assert_int_equal(dpn_design_of_shape(&law, "gaussian", 0, 1, &why), DPN_EDOMAIN);
    assert_int_equal(dpn_design_of_scale(&law, "gaussian", 1, 1, &why), DPN_EUNSUPPORTED);
    assert_int_equal(dpn_design_of_scale(&law, "flipped-huber", 50, 7, &why), DPN_EUNSUPPORTED);
    assert_int_equal(dpn_design_of_scale(&law, "osgt", 1, -1, &why), DPN_EDOMAIN);
    assert_int_equal(dpn_design_gamma_sigma(&law, NULL, 1, 1e-6, 0, &why), DPN_EDOMAIN);
    assert_int_not_equal(dpn_design_gamma_sigma(&law, NULL, 1, 0, 1, &why), DPN_OK);
    assert_int_equal(dpn_inequality_of(&found, none, 2, &why), DPN_EDOMAIN);
    assert_int_equal(dpn_majorises(&above, one, bad, 2, &why), DPN_EDOMAIN);
}

static void gamma_sigma_is_never_worse(void **state) {
    (void)state;
    draw_source source = {32};
    int without = 0;
    for (int i = 0; i < 60; i++) {
        double epsilon = draw_log_uniform(&source, 1e-2, 5), delta = draw_log_uniform(&source, 1e-9, 0.4);
        double d = draw_log_uniform(&source, 0.1, 10);
        dpn_law law;
        dpn_delta certified;
        dpn_error why;
        assert_int_equal(dpn_design_gamma_sigma(&law, &certified, epsilon, delta, d, &why), DPN_OK);
        double alpha = dpn_law_parameter(&law, "alpha"), gamma = dpn_law_parameter(&law, "gamma");
        assert_true(certified.upper <= delta);
        assert_true(fabs(alpha - fmax(gamma * gamma * epsilon / d - d / 2, 0)) <= 1e-9 * gamma);
        assert_true(dpn_law_variance(&law) <= gamma * gamma * (1 + 1e-15));
        without += alpha == 0;
        /* gamma is the Gaussian's: a little less is too little */
        dpn_delta less;
        dpn_law gaussian;
        assert_int_equal(dpn_law_make(&gaussian, "gaussian", (const double[]){gamma * (1 - 1e-6)}, 1, &why), DPN_OK);
        assert_int_equal(dpn_profile_delta(&less, &gaussian, d, epsilon, &why), DPN_OK);
        assert_true(less.lower > delta);
    }
    assert_true(without > 0 && without < 60);
}

static double gini_by_pairs(const double *a, int k) {
    double sum = 0, pairs = 0;
    for (int i = 0; i < k; i++) sum += a[i];
    for (int i = 0; i < k; i++)
        for (int j = 0; j < k; j++) pairs += fabs(a[i] - a[j]);
    return pairs / (2 * k * sum);
}

/* The profiles of INID, K = 20 and K = 2, with the values recomputed by others to five digits. */
static void profiles_of_inid(void **state) {
    (void)state;
    static const double expected[2][3] = {{.31667, .48659, .89180}, {.16667, .30000, .23106}};
    static const double gain[3] = {1.3016, 1.7547, 9.2423};
    for (int which = 0; which < 2; which++) {
        int k = which ? 2 : 20;
        for (int profile = 0; profile < 3; profile++) {
            double a[20];
            for (int i = 0; i < k; i++) a[i] = profile == 2 ? exp(i + 1) : pow(i + 1, profile + 1);
            dpn_inequality found;
            dpn_error why;
            assert_int_equal(dpn_inequality_of(&found, a, (size_t)k, &why), DPN_OK);
            assert_true(fabs(found.gini - expected[which][profile]) < 6e-6);
            assert_true(fabs(found.gini - gini_by_pairs(a, k)) < 1e-14);
            if (!which) assert_true(fabs(found.gain - gain[profile]) < 6e-5);
        }
    }
    double hot[] = {0, 3, 0, 0}, equal[] = {2, 2, 2, 2};
    dpn_inequality found;
    assert_int_equal(dpn_inequality_of(&found, hot, 4, NULL), DPN_OK);
    assert_true(found.gini == 0.75 && found.gain == 4);
    assert_int_equal(dpn_inequality_of(&found, equal, 4, NULL), DPN_OK);
    assert_true(found.gini == 0 && found.gain == 1);
}

/* A mixture of a vector of squares with a permutation of it is majorised by it; and INID Theorem 7: what majorises has
 * the smaller sum at the same l2 norm, that is the smaller error. */
static void majorisation(void **state) {
    (void)state;
    draw_source source = {33};
    int neither = 0;
    for (int i = 0; i < 2000; i++) {
        double a[5], b[5], mixed[5], share = draw_uniform(&source, 0, 1);
        for (int j = 0; j < 5; j++) a[j] = draw_log_uniform(&source, 0.1, 10);
        for (int j = 0; j < 5; j++) b[j] = draw_log_uniform(&source, 0.1, 10);
        for (int j = 0; j < 5; j++) mixed[j] = sqrt(share * a[j] * a[j] + (1 - share) * a[4 - j] * a[4 - j]);
        bool above = false, below = false;
        assert_int_equal(dpn_majorises(&above, a, mixed, 5, NULL), DPN_OK);
        assert_true(above);
        assert_int_equal(dpn_majorises(&above, a, b, 5, NULL), DPN_OK);
        assert_int_equal(dpn_majorises(&below, b, a, 5, NULL), DPN_OK);
        dpn_inequality of_a, of_b;
        assert_int_equal(dpn_inequality_of(&of_a, a, 5, NULL), DPN_OK);
        assert_int_equal(dpn_inequality_of(&of_b, b, 5, NULL), DPN_OK);
        assert_false(above && below);
        if (above) assert_true(of_a.gain > of_b.gain);
        if (below) assert_true(of_b.gain > of_a.gain);
        neither += !above && !below;
    }
    assert_true(neither > 100);
    double hot[] = {0, 1, 0}, any[] = {3, 2, 1}, moved[] = {1, 3, 2};
    bool above;
    assert_int_equal(dpn_majorises(&above, hot, any, 3, NULL), DPN_OK);
    assert_true(above);
    assert_int_equal(dpn_majorises(&above, any, hot, 3, NULL), DPN_OK);
    assert_false(above);
    assert_int_equal(dpn_majorises(&above, any, moved, 3, NULL), DPN_OK);
    assert_true(above);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(laws_of_figure_6),          cmocka_unit_test(variances_are_met),
        cmocka_unit_test(what_cannot_be_is_refused), cmocka_unit_test(gamma_sigma_is_never_worse),
        cmocka_unit_test(profiles_of_inid),          cmocka_unit_test(majorisation),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
