/* staircase: steps exactly where they belong, and moments against sums over the steps. */
#include <dpnoise/law.h>

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

static dpn_law staircase(double epsilon, double sensitivity, double gamma) {
    dpn_law law;
    assert_int_equal(dpn_law_make(&law, "staircase", (double[]){epsilon, sensitivity, gamma}, 3, NULL), DPN_OK);
    return law;
}

static void assert_near(double x, double expected, double tolerance) {
    if (!(fabs(x - expected) <= tolerance * fabs(expected))) fail_msg("%.17g is not %.17g", x, expected);
}

/* The density falls by e^-epsilon exactly at (k + gamma) D, also where k D is not a double and t/D rounds to a whole number. */
static void steps_are_exact(void **state) {
    (void)state;
    dpn_law law = staircase(1, 0.1, 0.25);
    for (int k = 0; k < 2000; k++) {
        long double edge =
            ((long double)k + 0.25L) * (long double)0.1; /* exact: 53 + 13 bits do not fit, 64 do to 1 ulp */
        double below = nextafter((double)edge, 0), above = nextafter((double)edge, INFINITY);
        assert_true(dpn_law_psi(&law, below) == k);
        assert_true(dpn_law_psi(&law, above) == k + 1);
        double start = fma(k, 0.1, 0); /* k D rounded; its neighbours lie on both sides of the true k D */
        assert_true(dpn_law_psi(&law, nextafter(start, INFINITY)) == k);
        if (k > 0) assert_true(dpn_law_psi(&law, nextafter(start, 0)) == k);
    }
    law = staircase(1, 3, 0.5);
    assert_true(dpn_law_psi(&law, 1.5) == 1 && dpn_law_psi(&law, nextafter(1.5, 0)) == 0);
    assert_true(dpn_law_psi(&law, 3) == 1 && dpn_law_psi(&law, 4.5) == 2 && dpn_law_psi(&law, -4.5) == 2);
}

/* gamma = 0 and gamma = 1 are the same law. */
static void ends_of_gamma(void **state) {
    (void)state;
    dpn_law zero = staircase(0.7, 2, 0), one = staircase(0.7, 2, 1);
    for (double t = 0; t < 50; t += 0.37) {
        assert_near(dpn_law_pdf(&zero, t), dpn_law_pdf(&one, t), 1e-14);
        assert_near(dpn_law_sf(&zero, t), dpn_law_sf(&one, t), 1e-14);
    }
    assert_near(dpn_law_variance(&zero), dpn_law_variance(&one), 1e-14);
    assert_near(dpn_law_entropy(&zero), dpn_law_entropy(&one), 1e-14);
    assert_near(dpn_law_log_mgf(&zero, 0.2), dpn_law_log_mgf(&one, 0.2), 1e-13);
}

/* Sums over the steps, each step by its own integral. */
static void moments_are_sums(void **state) {
    (void)state;
    const double settings[][3] = {{1, 1, 0.4}, {0.3, 2, 0.9}, {5, 0.5, 0.05}, {20, 1, 0.5}};
    for (size_t i = 0; i < sizeof settings / sizeof *settings; i++) {
        dpn_law law = staircase(settings[i][0], settings[i][1], settings[i][2]);
        double d = settings[i][1], g = settings[i][2], mass = 0, abs1 = 0, square = 0, entropy = 0, mgf = 0,
               s = 0.4 * settings[i][0] / d;
        for (int k = 0; k < 400; k++) {
            const double edges[3] = {k * d, (k + g) * d, (k + 1) * d};
            for (int part = 0; part < 2; part++) {
                double a = edges[part], b = edges[part + 1], height = dpn_law_pdf(&law, 0.5 * (a + b));
                if (height == 0) continue;
                mass += 2 * height * (b - a);
                abs1 += height * (b * b - a * a);
                square += 2 * height * (b * b * b - a * a * a) / 3;
                entropy -= 2 * height * (b - a) * log(height);
                mgf += 2 * height * (sinh(s * b) - sinh(s * a)) / s;
            }
        }
        assert_near(mass, 1, 1e-12);
        assert_near(dpn_law_mean_abs(&law), abs1, 1e-12);
        assert_near(dpn_law_variance(&law), square, 1e-12);
        assert_near(dpn_law_entropy(&law), entropy, 1e-11);
        assert_near(dpn_law_log_mgf(&law, s), log(mgf), 1e-11);
        assert_true(dpn_law_fisher(&law) == INFINITY && dpn_law_nfi(&law) == INFINITY);
        assert_false(dpn_law_is_log_concave(&law));
    }
}

/* For a small epsilon the law is Laplace with scale D/epsilon. */
static void small_epsilon_is_laplace(void **state) {
    (void)state;
    dpn_law law = staircase(1e-6, 1, 0.5), laplace;
    assert_int_equal(dpn_law_make(&laplace, "laplace", (double[]){1e6}, 1, NULL), DPN_OK);
    assert_near(dpn_law_variance(&law), dpn_law_variance(&laplace), 1e-5);
    assert_near(dpn_law_isf(&law, 1e-9), dpn_law_isf(&laplace, 1e-9), 1e-5);
    assert_near(dpn_law_sf(&law, 3e6), dpn_law_sf(&laplace, 3e6), 1e-5);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(steps_are_exact),
        cmocka_unit_test(ends_of_gamma),
        cmocka_unit_test(moments_are_sums),
        cmocka_unit_test(small_epsilon_is_laplace),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
