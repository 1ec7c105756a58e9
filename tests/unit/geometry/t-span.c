/* Spans against MPFR: they hold the truth, for all signs and for operands that are spans themselves, and are narrow; and the
 * norms of spans against those of doubles, for every kind of ball, and against a formula of many bits. */
#include "geometry/gauge.h"
#include "reference/draw.h"
#include "reference/real.h"
#include "unit/base/wide-real.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

#include <cmocka.h>

enum { LIMBS = 4, BITS = 1200 };

static real end_real(const dpn_signed_wide *a) {
    real size = wide_real(&a->size, LIMBS);
    return a->negative ? r_neg(size) : size;
}

/* The span holds the truth and is narrower than 2^-width of it, or of 1. */
static void check(const char *what, const dpn_span *span, real truth, int width) {
    real low = end_real(&span->low), high = end_real(&span->high);
    if (r_less(truth, low) || r_less(high, truth)) fail_msg("%s: %g is outside", what, r_double(truth));
    real most = r_times(r_plus(r_abs(truth), 1), ldexp(1, -width));
    if (r_less(most, r_sub(high, low))) fail_msg("%s: the span is %g wide", what, r_double(r_sub(high, low)));
}

static double number(draw_source *source) {
    int kind = (int)(draw_bits(source) % 8);
    double x = draw_uniform(source, -2, 2);
    return kind == 0 ? 0 : kind == 1 ? ldexp(x, -300) : kind == 2 ? ldexp(x, 100) : x;
}

static void test_arithmetic(void **state) {
    (void)state;
    draw_source source = {.state = 5};
    r_precision(BITS);
    for (int k = 0; k < 3000; k++) {
        size_t mark = r_mark();
        double x = number(&source), y = number(&source), z = number(&source);
        dpn_span a = dpn_span_double(LIMBS, x), b = dpn_span_double(LIMBS, y), c = dpn_span_double(LIMBS, z), out;
        out = dpn_span_add(LIMBS, &a, &b);
        check("sum", &out, r_add(r_num(x), r_num(y)), 180);
        out = dpn_span_multiply(LIMBS, &out, &c);
        check("product", &out, r_mul(r_add(r_num(x), r_num(y)), r_num(z)), 90);
        dpn_span minus = dpn_span_minus(&out);
        check("minus", &minus, r_neg(r_mul(r_add(r_num(x), r_num(y)), r_num(z))), 90);
        dpn_span size = dpn_span_size(LIMBS, &minus);
        check("size", &size, r_abs(r_mul(r_add(r_num(x), r_num(y)), r_num(z))), 90);
        assert_int_equal(dpn_span_divide(&out, LIMBS, &a, &b), y != 0);
        if (y != 0) check("quotient", &out, r_div(r_num(x), r_num(y)), 180);
        dpn_span larger = dpn_span_larger(LIMBS, &a, &b);
        check("larger", &larger, r_num(fmax(x, y)), 250);
        assert_int_equal(dpn_span_compare(LIMBS, &a, &b), x <= y ? -1 : 1);
        r_release(mark);
    }
}

static void test_powers(void **state) {
    (void)state;
    static const double p[] = {1, 1.25, 1.5, 2, 3, 7.1};
    draw_source source = {.state = 6};
    r_precision(BITS);
    for (int k = 0; k < 18; k++) {
        size_t mark = r_mark();
        double x = ldexp(draw_uniform(&source, 0.5, 1), (int)(draw_bits(&source) % 40) - 30), power = p[k % 6];
        dpn_span a = dpn_span_double(LIMBS, x), out = dpn_span_power(LIMBS, &a, power);
        check("power", &out, r_pow(r_num(x), r_num(power)), 150);
        out = dpn_span_root(LIMBS, &a, power);
        check("root", &out, r_pow(r_num(x), r_div(r_num(1), r_num(power))), 150);
        r_release(mark);
    }
    dpn_span negative = dpn_span_double(LIMBS, -1), none = dpn_span_root(LIMBS, &negative, 3);
    check("cut off", &none, r_num(0), 250);
}

/* Spans of both signs: products and quotients over all pairs of their points. */
static void test_wide_operands(void **state) {
    (void)state;
    draw_source source = {.state = 7};
    r_precision(BITS);
    for (int k = 0; k < 2000; k++) {
        size_t mark = r_mark();
        double e[4], at[2];
        for (int i = 0; i < 4; i++) e[i] = draw_uniform(&source, -1, 1);
        dpn_span a = {dpn_span_double(LIMBS, fmin(e[0], e[1])).low, dpn_span_double(LIMBS, fmax(e[0], e[1])).low};
        dpn_span b = {dpn_span_double(LIMBS, fmin(e[2], e[3])).low, dpn_span_double(LIMBS, fmax(e[2], e[3])).low}, out;
        for (int i = 0; i < 2; i++) {
            double share = draw_uniform(&source, 0, 1);
            at[i] = fmin(fmax(e[2 * i] + share * (e[2 * i + 1] - e[2 * i]), fmin(e[2 * i], e[2 * i + 1])),
                         fmax(e[2 * i], e[2 * i + 1]));
        }
        real x = r_num(at[0]), y = r_num(at[1]);
        out = dpn_span_multiply(LIMBS, &a, &b);
        check("wide product", &out, r_mul(x, y), -3);
        out = dpn_span_size(LIMBS, &a);
        check("wide size", &out, r_abs(x), -3);
        assert_false(out.low.negative && !dpn_wide_is_zero((dpn_rounding){LIMBS, false}, &out.low.size));
        bool divides = (e[2] > 0) == (e[3] > 0);
        assert_int_equal(dpn_span_divide(&out, LIMBS, &a, &b), divides);
        if (divides) check("wide quotient", &out, r_div(x, y), -60);
        r_release(mark);
    }
}

/* ---- Norms ---- */

static dpn_norm_ball *ball_of(int kind) {
    static const double weight[] = {1, 2, 0.5, 0.75}, matrix[] = {1, 0.5, 0, -0.3, 0.8, 0.1, 0.2, 0, 0.6};
    static const double point[] = {1, 0, 0, 0.1, 1, 0.3, 0, 0.2, 0.7, 0.6, -0.5, 0.4};
    static const double needle[] = {1, 1 - 0x1p-40, 1, 1 + 0x1p-40};
    dpn_norm_ball *ball = NULL, *part[2];
    dpn_status status = DPN_OK;
    switch (kind) {
    case 0:
    case 1:
    case 2:
    case 3:
        status = dpn_ball_lp(&ball, 3, (double[]){1, 2, INFINITY, 1.75}[kind], weight, NULL);
        break;
    case 4:
        status = dpn_ball_hull(&ball, 3, point, 4, NULL);
        break;
    case 5:
        status = dpn_ball_hull(&ball, 2, needle, 2, NULL);
        break;
    case 6:
        status = dpn_ball_k2(&ball, NULL);
        break;
    case 7:
        status = dpn_ball_regression(&ball, 2, NULL);
        break;
    case 8:
        part[0] = ball_of(4);
        status = dpn_ball_image(&ball, part[0], matrix, NULL);
        break;
    default:
        part[0] = ball_of(kind == 11 ? 4 : 6);
        part[1] = ball_of(kind == 11 ? 8 : 3);
        status = (kind == 9    ? dpn_ball_sum
                  : kind == 10 ? dpn_ball_product
                               : dpn_ball_intersection)(&ball, part, 2, NULL);
    }
    assert_int_equal(status, DPN_OK);
    return ball;
}

static void test_norms(void **state) {
    (void)state;
    draw_source source = {.state = 8};
    r_precision(BITS);
    for (int kind = 0; kind < 12; kind++) {
        dpn_norm_ball *ball = ball_of(kind);
        assert_true(dpn_gauge_exists(ball));
        bool roots = kind == 3 || kind == 9 || kind == 10; /* slow */
        for (int k = 0; k < (roots ? 4 : 100); k++) {
            double u[8], norm, upper;
            dpn_span span[8], out;
            for (size_t i = 0; i < ball->dimension; i++) {
                u[i] = draw_uniform(&source, -2, 2);
                span[i] = dpn_span_double(LIMBS, u[i]);
            }
            assert_int_equal(dpn_gauge(&out, ball, span, LIMBS), DPN_GAUGE_FOUND);
            size_t mark = r_mark();
            real low = end_real(&out.low), high = end_real(&out.high);
            assert_true(r_less(r_sub(high, low), r_times(high, 0x1p-100)));
            norm = dpn_ball_norm(ball, u);
            assert_int_equal(dpn_ball_norm_upper(&upper, ball, u, NULL), DPN_OK);
            if (fabs(r_double(low) / norm - 1) > 1e-12)
                fail_msg("kind %d: %.17g, not %.17g", kind, r_double(low), norm);
            assert_true(r_less(low, r_num(upper))); /* bounds that back guarantees are above it */
            r_release(mark);
        }
        dpn_ball_free(ball);
    }
}

/* A norm of many bits by MPFR, without balls. */
static void test_one_norm(void **state) {
    (void)state;
    r_precision(BITS);
    dpn_norm_ball *ball = ball_of(3);
    const double u[] = {0.3, -1.7, 0.25}, weight[] = {1, 2, 0.5};
    dpn_span span[3], out;
    real sum = r_num(0), p = r_num(1.75);
    for (int i = 0; i < 3; i++) {
        span[i] = dpn_span_double(LIMBS, u[i]);
        sum = r_add(sum, r_pow(r_div(r_num(fabs(u[i])), r_num(weight[i])), p));
    }
    assert_int_equal(dpn_gauge(&out, ball, span, LIMBS), DPN_GAUGE_FOUND);
    check("norm", &out, r_pow(sum, r_div(r_num(1), p)), 150);
    dpn_ball_free(ball);
    /* The needle: 2^-40 apart, (1, 1) has the norm 1 - its facets nearly cancel. */
    ball = ball_of(5);
    for (int i = 0; i < 2; i++) span[i] = dpn_span_double(LIMBS, 1);
    assert_int_equal(dpn_gauge(&out, ball, span, LIMBS), DPN_GAUGE_FOUND);
    check("needle", &out, r_num(1), 150);
    dpn_ball_free(ball);
}

static int free_reals(void **state) {
    (void)state;
    r_free_all();
    return 0;
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_arithmetic), cmocka_unit_test(test_powers),   cmocka_unit_test(test_wide_operands),
        cmocka_unit_test(test_norms),      cmocka_unit_test(test_one_norm),
    };
    return cmocka_run_group_tests(tests, NULL, free_reals);
}
