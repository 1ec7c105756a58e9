/* The incomplete gamma functions: against MPFR, and the identities that tie the three forms together. */
#include "law/incomplete-gamma.h"

#include "reference/draw.h"
#include "reference/real.h"
#include "reference/special.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

enum { POINTS = 400, BITS = 200 };

static int start(void **state) {
    (void)state;
    r_precision(BITS);
    return 0;
}

static int finish(void **state) {
    (void)state;
    r_free_all();
    return 0;
}

static void assert_close(const char *what, double a, double z, double got, real expected, double tolerance) {
    real error = r_abs(r_sub(r_num(got), expected));
    if (!(r_double(error) <= tolerance * fabs(r_double(expected))))
        fail_msg("%s(%.17g, %.17g) is %.17g, not %.17g", what, a, z, got, r_double(expected));
}

static double draw_order(draw_source *source) {
    static const double special[] = {1, 1 - 0x1p-53, 0.5, 1e-3};
    double kind = draw_uniform(source, 0, 8);
    if (kind < 4) return special[(int)kind];
    return kind < 6 ? draw_uniform(source, 1e-3, 1) : draw_log_uniform(source, 1e-3, 1);
}

/* log z^-a e^z in many bits. */
static real log_scale(real a, real z) {
    return r_sub(z, r_mul(a, r_log(z)));
}

static void upper_scaled(void **state) {
    (void)state;
    draw_source source = {1};
    for (int i = 0; i < POINTS; i++) {
        size_t mark = r_mark();
        double a = draw_order(&source), step[] = {1, 2.25, 4, 8, 20}; /* where the depth changes */
        double z = i % 3 == 0 ? draw_uniform(&source, 1, 30) : draw_log_uniform(&source, 1, 1e20);
        if (i % 3 == 1) z = step[i % 5] * (1 + draw_log_uniform(&source, 1e-15, 1e-2));
        real expected = r_exp(r_add(r_log_upper_gamma(r_num(a), r_num(z)), log_scale(r_num(a), r_num(z))));
        assert_close("upper_scaled", a, z, dpn_gamma_upper_scaled(a, z), expected, 1.5e-15);
        r_release(mark);
    }
    for (double z = 1; z < 1e20; z *= 1.7) {
        double exponential = dpn_gamma_upper_scaled(1, z) * z;
        assert_true(fabs(exponential - 1) <= 4e-16);
    }
}

static void lower_scaled(void **state) {
    (void)state;
    draw_source source = {2};
    for (int i = 0; i < POINTS; i++) {
        size_t mark = r_mark();
        double a = draw_order(&source), z = draw_uniform(&source, 0, DPN_GAMMA_SERIES_TO);
        if (i % 3 == 0) z = draw_log_uniform(&source, 1e-300, DPN_GAMMA_SERIES_TO);
        if (i == 1) z = DPN_GAMMA_SERIES_TO;
        r_precision(BITS + 1100); /* the difference of gamma functions cancels 1000 bits at z^a = 1e-300 */
        real lower = r_sub(r_gamma(r_num(a)), r_exp(r_log_upper_gamma(r_num(a), r_num(z))));
        real expected = r_times(r_mul(lower, r_exp(log_scale(r_num(a), r_num(z)))), a);
        assert_close("lower_scaled", a, z, dpn_gamma_lower_scaled(a, z), expected, 1.5e-15);
        r_precision(BITS);
        r_release(mark);
    }
    assert_true(dpn_gamma_lower_scaled(0.3, 0) == 1);
}

/* The caller of upper_below_one may know z^a better than z: here z is rounded and the logarithm of the power is not. */
static void upper_below_one(void **state) {
    (void)state;
    draw_source source = {3};
    for (int i = 0; i < POINTS; i++) {
        size_t mark = r_mark();
        double a = draw_order(&source), log_z = -draw_log_uniform(&source, 1e-12, 100);
        double log_power = a * log_z;
        real exact = r_div(r_num(log_power), r_num(a)), z = r_exp(exact);
        real expected = r_exp(r_log_upper_gamma(r_num(a), z));
        double got = dpn_gamma_upper_below_one(a, r_double(z), log_power, dpn_gamma_excess(a));
        assert_close("upper_below_one", a, r_double(z), got, expected, 4e-15);
        r_release(mark);
    }
}

static void excess(void **state) {
    (void)state;
    draw_source source = {4};
    for (int i = 0; i < POINTS; i++) {
        size_t mark = r_mark();
        double a = i % 2 ? draw_order(&source) : draw_log_uniform(&source, 1e-18, 1);
        real expected = r_over(r_plus(r_gamma(r_plus(r_num(a), 1)), -1), a);
        double error = r_double(r_sub(r_num(dpn_gamma_excess(a)), expected));
        if (!(fabs(error) <= 1e-15)) fail_msg("excess(%.17g) is off by %g", a, error);
        r_release(mark);
    }
}

/* lower + upper = Gamma(a), and at a = 1/2 they are the error functions of the square root. */
static void parts_of_the_gamma_function(void **state) {
    (void)state;
    for (double a = 0.1; a <= 1; a += 0.09) {
        for (double z = 1; z <= DPN_GAMMA_SERIES_TO; z += 0.05) {
            double sum = dpn_gamma_lower_scaled(a, z) / a + dpn_gamma_upper_scaled(a, z);
            assert_true(fabs(pow(z, a) * exp(-z) * sum / tgamma(a) - 1) < 4e-15);
        }
        for (double z = 1; z > 1e-10; z *= 0.7) {
            double lower = pow(z, a) * exp(-z) * dpn_gamma_lower_scaled(a, z) / a;
            double upper = dpn_gamma_upper_below_one(a, z, a * log(z), dpn_gamma_excess(a));
            assert_true(fabs((lower + upper) / tgamma(a) - 1) < 4e-15);
        }
    }
    const double root_pi = 1.772453850905516027298167483341145183;
    for (double x = 1; x < 26; x += 0.31) {
        double upper = dpn_gamma_upper_scaled(0.5, x * x) * x * exp(-x * x);
        assert_true(fabs(upper / (root_pi * erfc(x)) - 1) < 1e-13);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(upper_scaled),
        cmocka_unit_test(lower_scaled),
        cmocka_unit_test(upper_below_one),
        cmocka_unit_test(excess),
        cmocka_unit_test(parts_of_the_gamma_function),
    };
    return cmocka_run_group_tests(tests, start, finish);
}
