/* The special functions of the law room and the twofold numbers below them, against MPFR. */
#include "law/special.h"

#include "reference/draw.h"
#include "reference/real.h"
#include "reference/special.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

/* The working precision: 1 - x M(x) and the like cancel up to x^4, which has 240 bits at 1e18. */
enum { POINTS = 120, BITS = 320 };

static void assert_close(const char *what, double x, double got, real expected, double tolerance) {
    real error = r_abs(r_sub(r_num(got), expected));
    if (!(r_double(error) <= tolerance * fabs(r_double(expected))))
        fail_msg("%s(%.17g) is %.17g, not %.17g", what, x, got, r_double(expected));
}

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

/* A positive argument: ordinary, or of any size up to the largest given. */
static double draw_positive(draw_source *source, double largest) {
    return draw_chance(source, 0.6) ? draw_uniform(source, 0, 12) : draw_log_uniform(source, 1e-18, largest);
}

static real upper_tail(double x) {
    return r_over(r_erfc(r_div(r_num(x), r_sqrt(r_num(2)))), 2);
}

static void mills(void **state) {
    (void)state;
    draw_source source = {1};
    for (int i = 0; i < POINTS; i++) {
        size_t mark = r_mark();
        double x = draw_positive(&source, 1e18), negative = -draw_uniform(&source, 0, 37.6);
        assert_close("mills", x, dpn_mills(x), r_mills(r_num(x)), 8e-16);
        assert_close("mills", negative, dpn_mills(negative), r_mills(r_num(negative)), 8e-16);
        r_release(mark);
    }
    assert_true(dpn_mills(0) == DPN_SQRT_PI_2 && dpn_mills(INFINITY) == 0 && dpn_mills(-INFINITY) == INFINITY);
    assert_true(dpn_mills(-38) == INFINITY && dpn_mills(1e300) == 1e-300 && isnan(dpn_mills(NAN)));
}

/* I_1 = 1 - x I_0 and I_2 = I_0 - x I_1, with I_0 = M. */
static void mills_moments(void **state) {
    (void)state;
    draw_source source = {2};
    for (int i = 0; i < POINTS; i++) {
        size_t mark = r_mark();
        double x = draw_positive(&source, 1e18);
        real zero = r_mills(r_num(x));
        real first = r_sub(r_num(1), r_times(zero, x)), second = r_sub(zero, r_times(first, x));
        assert_close("mills_gap", x, dpn_mills_gap(x), first, 2e-15);
        assert_close("mills_mean", x, dpn_mills_mean(x), r_div(first, zero), 2e-15);
        assert_close("mills_square", x, dpn_mills_square(x), r_div(second, zero), 3e-15);
        r_release(mark);
    }
    assert_true(dpn_mills_gap(0) == 1 && dpn_mills_gap(INFINITY) == 0 && isnan(dpn_mills_gap(NAN)));
    assert_true(dpn_mills_mean(INFINITY) == 0 && dpn_mills_mean(1e300) == 1e-300 && isnan(dpn_mills_mean(NAN)));
    assert_true(dpn_mills_square(0) == 1 && dpn_mills_square(INFINITY) == 0 && isnan(dpn_mills_square(NAN)));
}

static void normal_tail(void **state) {
    (void)state;
    draw_source source = {3};
    for (int i = 0; i < POINTS; i++) {
        size_t mark = r_mark();
        double x = draw_uniform(&source, -37.5, 37.5), far = draw_log_uniform(&source, 1, 1e6);
        assert_close("q", x, dpn_q(x), upper_tail(x), 1e-15);
        real logarithm = x > 0 ? r_log(upper_tail(x)) : r_log1p(r_neg(upper_tail(-x)));
        assert_close("log_q", x, dpn_log_q(x), logarithm, 1e-15);
        real mantissa = r_div(r_mills(r_num(far)), r_sqrt(r_times(r_pi(), 2)));
        assert_close("log_q", far, dpn_log_q(far), r_sub(r_log(mantissa), r_over(r_square(r_num(far)), 2)), 1e-15);
        r_release(mark);
    }
    assert_true(dpn_q(0) == 0.5 && dpn_q(INFINITY) == 0 && dpn_q(-INFINITY) == 1 && isnan(dpn_q(NAN)));
    assert_true(dpn_log_q(INFINITY) == -INFINITY && dpn_log_q(-INFINITY) == 0 && isnan(dpn_log_q(NAN)));
}

/* One Newton step in many bits shows how far x is from the root of Q(x) = p. */
static void assert_root(const char *what, double argument, double x, real p, double tolerance) {
    real density = r_exp(r_neg(r_over(r_square(r_num(x)), 2)));
    real step = r_mul(r_div(r_sub(upper_tail(x), p), density), r_sqrt(r_times(r_pi(), 2)));
    assert_close(what, argument, x, r_add(r_num(x), step), tolerance);
}

static void inverses(void **state) {
    (void)state;
    draw_source source = {4};
    for (int i = 0; i < POINTS; i++) {
        size_t mark = r_mark();
        double p = draw_chance(&source, 0.5) ? draw_uniform(&source, 0, 0.5) : draw_log_uniform(&source, 1e-300, 0.5);
        assert_root("q_inverse", p, dpn_q_inverse(p), r_num(p), 1e-15);
        double near = 0.5 - ldexp(1, -(int)draw_uniform(&source, 2, 54));
        assert_root("q_inverse", near, dpn_q_inverse(near), r_num(near), 1e-15);
        double mass =
            draw_chance(&source, 0.5) ? draw_uniform(&source, 0, 0.49) : draw_log_uniform(&source, 1e-100, 0.49);
        assert_root("q_central_inverse", mass, dpn_q_central_inverse(mass), r_sub(r_num(0.5), r_num(mass)), 1e-15);
        double l = -draw_log_uniform(&source, 1, 2000);
        assert_root("log_q_inverse", l, dpn_log_q_inverse(l), r_exp(r_num(l)), 2e-15);
        r_release(mark);
    }
    assert_true(dpn_q_inverse(0.5) == 0 && dpn_q_central_inverse(0) == 0 && dpn_log_q_inverse(-INFINITY) == INFINITY);
    for (double l = -1e6; l > -1e308; l *= 1e20) { /* log Q(x) is -x^2/2 there, and the rest is below 1e-4 of it */
        double x = dpn_log_q_inverse(l);
        if (!(fabs(x / sqrt(2) / sqrt(-l) - 1) < 1e-4)) fail_msg("log_q_inverse(%g) is %g", l, x);
    }
}

static void incomplete_gamma(void **state) {
    (void)state;
    draw_source source = {5};
    for (int i = 0; i < POINTS; i++) {
        size_t mark = r_mark();
        double y = draw_positive(&source, 1e3);
        real x = r_num(y), e = r_exp(r_neg(x)), sum = r_plus(x, 1);
        assert_close("gamma_p2", y, dpn_gamma_p2(y), r_sub(r_num(1), r_mul(e, sum)), 2e-15);
        sum = r_add(sum, r_over(r_square(x), 2));
        assert_close("gamma_p3", y, dpn_gamma_p3(y), r_sub(r_num(1), r_mul(e, sum)), 2e-15);
        r_release(mark);
    }
    assert_true(dpn_gamma_p2(0) == 0 && dpn_gamma_p2(1e200) == 1 && dpn_gamma_p2(INFINITY) == 1 &&
                isnan(dpn_gamma_p2(NAN)));
    assert_true(dpn_gamma_p3(0) == 0 && dpn_gamma_p3(1e200) == 1 && dpn_gamma_p3(INFINITY) == 1 &&
                isnan(dpn_gamma_p3(NAN)));
}

static void relative_exponentials(void **state) {
    (void)state;
    draw_source source = {6};
    for (int i = 0; i < POINTS; i++) {
        size_t mark = r_mark();
        double x = draw_positive(&source, 1e18), signed_x = draw_chance(&source, 0.5) ? x : -fmin(x, 700);
        assert_close("exprel_minus", signed_x, dpn_exprel_minus(signed_x),
                     r_over(r_neg(r_expm1(r_num(-signed_x))), signed_x), 5e-16);
        real second = r_div(r_add(r_num(x), r_expm1(r_num(-x))), r_square(r_num(x)));
        assert_close("exprel2_minus", x, dpn_exprel2_minus(x), second, 1e-15);
        r_release(mark);
    }
    assert_true(dpn_exprel_minus(0) == 1 && dpn_exprel_minus(5e-324) == 1 && dpn_exprel_minus(INFINITY) == 0);
    assert_true(dpn_exprel_minus(-INFINITY) == INFINITY && isnan(dpn_exprel_minus(NAN)));
    assert_true(dpn_exprel2_minus(0) == 0.5 && dpn_exprel2_minus(1e300) == 1e-300 && dpn_exprel2_minus(INFINITY) == 0);
}

/* The least double that is not below x^2: itself not below, and the one before it below. */
static void assert_least_above(double x) {
    size_t mark = r_mark();
    double above = dpn_square_upper(x);
    assert_false(r_less(r_num(above), r_square(r_num(x))));
    assert_true(r_less(r_num(nextafter(above, 0)), r_square(r_num(x))));
    r_release(mark);
}

static void square_upper(void **state) {
    (void)state;
    draw_source source = {7};
    for (int i = 0; i < 4 * POINTS; i++) {
        assert_least_above(draw_log_uniform(&source, 1e-150, 1e150));
        int power = (int)draw_uniform(&source, -490, 470);
        assert_least_above(ldexp(floor(draw_uniform(&source, 1, 1 << 26)), power)); /* the square is a double */
        assert_least_above(ldexp(1 + 0x1p-52, power)); /* it is 2^-104 of itself above one */
    }
    assert_least_above(ldexp(1 + 0x1p-52, -498));
}

/* x^2 s - y where s is one of the doubles next to y/x^2, so that nearly everything cancels. */
static void square_excess(void **state) {
    (void)state;
    draw_source source = {9};
    for (int i = 0; i < 4 * POINTS; i++) {
        size_t mark = r_mark();
        double x = draw_log_uniform(&source, 1e-150, i % 2 ? 1e-146 : 1e150);
        double y = draw_log_uniform(&source, fmax(1e-150, 1e-150 * x * x), fmin(1e150, 1e150 * x * x));
        double s = nextafter(y / x / x, draw_chance(&source, 0.5) ? 0 : INFINITY);
        real expected = r_sub(r_times(r_square(r_num(x)), s), r_num(y));
        assert_close("square_excess", s, dpn_square_excess(x, s, y), expected, 4e-16);
        r_release(mark);
    }
    assert_true(dpn_square_excess(3, 2, 18) == 0 && dpn_square_excess(1e30, 1e308, 1) == INFINITY);
}

/* exp(-a) of a twofold a, also where the exponential alone would underflow. */
static void twofold_exponential(void **state) {
    (void)state;
    draw_source source = {8};
    for (int i = 0; i < POINTS; i++) {
        size_t mark = r_mark();
        double x = draw_uniform(&source, 1, 37), factor = draw_log_uniform(&source, 1, 1e150);
        dpn_twofold half = dpn_two_square_half(dpn_two_quotient(x, 0.99));
        real exact = r_over(r_square(r_div(r_num(x), r_num(0.99))), 2);
        assert_close("exp_minus", x, dpn_two_exp_minus(half), r_exp(r_neg(exact)), 4e-16);
        dpn_twofold deep = dpn_two_add(half, dpn_two(340));
        real expected = r_times(r_exp(r_neg(r_plus(exact, 340))), factor);
        if (r_double(expected) > 1e-300)
            assert_close("exp_scaled", x, dpn_two_exp_scaled(factor, deep), expected, 8e-16);
        r_release(mark);
    }
    assert_true(dpn_two_exp_scaled(1e150, dpn_two(INFINITY)) == 0 && dpn_two_exp_scaled(2, dpn_two(0)) == 2);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(mills),        cmocka_unit_test(mills_moments),    cmocka_unit_test(normal_tail),
        cmocka_unit_test(inverses),     cmocka_unit_test(incomplete_gamma), cmocka_unit_test(relative_exponentials),
        cmocka_unit_test(square_upper), cmocka_unit_test(square_excess),    cmocka_unit_test(twofold_exponential),
    };
    return cmocka_run_group_tests(tests, start, finish);
}
