/* Wide numbers against MPFR: every result rounded down is at most the truth and at most one last place below it, and
 * the same upwards; exact results are exact. */
#include "base/wide.h"
#include "reference/draw.h"
#include "unit/base/wide-real.h"
#include "unit/points.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

#include <cmocka.h>

enum { BITS = 8192 };

/* Limbs of a shape that carries and borrows love: random, all ones, a single one, mostly zeros. */
static dpn_wide any(draw_source *source, dpn_rounding how, int spread) {
    uint64_t limb[DPN_WIDE_LIMBS];
    int shape = (int)(draw_bits(source) % 5);
    for (int i = 0; i < how.limbs; i++) {
        uint64_t bits = draw_bits(source);
        limb[i] = shape == 1               ? UINT64_MAX
                  : shape == 2             ? 0
                  : shape == 3 && bits % 3 ? 0
                  : shape == 4 && bits % 3 ? UINT64_MAX
                                           : bits;
    }
    if (shape == 2) limb[how.limbs - 1] = 1;
    int64_t exponent = (int64_t)(draw_bits(source) % (uint64_t)(2 * spread + 1)) - spread;
    return dpn_wide_pack(how, limb, how.limbs, exponent, false);
}

/* One last place of a number of this size. */
static real last_place(real a, int limbs) {
    mpfr_t one;
    mpfr_init2(one, 2);
    mpfr_set_ui_2exp(one, 1, r_exponent(a) - 64 * limbs, MPFR_RNDN);
    real out = r_plus(one, 0);
    mpfr_clear(one);
    return out;
}

static void check(const char *what, const dpn_wide *got, dpn_rounding how, real truth, double places) {
    real value = wide_real(got, how.limbs), error = how.up ? r_sub(value, truth) : r_sub(truth, value);
    if (r_sign(error) < 0) fail_msg("%s to %d limbs errs to the wrong side", what, how.limbs);
    if (r_sign(truth) == 0) {
        assert_true(r_sign(value) == 0);
        return;
    }
    if (!r_less(error, r_times(last_place(truth, how.limbs), places)))
        fail_msg("%s to %d limbs is off by %g places", what, how.limbs,
                 r_double(r_div(error, last_place(truth, how.limbs))));
    bool normal = got->limb[how.limbs - 1] >> 63;
    if (!normal) fail_msg("%s to %d limbs has no leading bit", what, how.limbs);
}

static dpn_rounding any_rounding(draw_source *source) {
    static const int limbs[] = {2, 4, 5, DPN_WIDE_LIMBS};
    return (dpn_rounding){limbs[draw_bits(source) % 4], draw_bits(source) % 2};
}

/* An exact result must be exact, which rounding both ways shows: places <= 1 leaves no room. */
static void arithmetic(void **state) {
    (void)state;
    draw_source source = {1};
    for (int n = 0; n < points(4000, 100000); n++) {
        size_t mark = r_mark();
        dpn_rounding how = any_rounding(&source);
        int spread = n % 3 == 0 ? 3 : n % 3 == 1 ? 64 * how.limbs + 70 : 2500;
        dpn_wide a = any(&source, how, spread), b = any(&source, how, spread);
        if (n % 7 == 0) b = a;
        if (n % 50 == 0) b = dpn_wide_integer(how, 0);
        real ra = wide_real(&a, how.limbs), rb = wide_real(&b, how.limbs);
        int order = dpn_wide_compare(how, &a, &b);
        assert_int_equal(order, (mpfr_cmp(ra, rb) > 0) - (mpfr_cmp(ra, rb) < 0));
        dpn_wide got = dpn_wide_add(how, &a, &b);
        check("a sum", &got, how, r_add(ra, rb), 1);
        got = dpn_wide_multiply(how, &a, &b);
        check("a product", &got, how, r_mul(ra, rb), 1);
        got = order >= 0 ? dpn_wide_subtract(how, &a, &b) : dpn_wide_subtract(how, &b, &a);
        check("a difference", &got, how, r_abs(r_sub(ra, rb)), 1);
        if (!dpn_wide_is_zero(how, &b)) {
            got = dpn_wide_divide(how, &a, &b);
            check("a quotient", &got, how, r_div(ra, rb), 1);
        }
        uint64_t small = draw_bits(&source) >> draw_bits(&source) % 63;
        if (small > 0) {
            got = dpn_wide_divide_small(how, &a, small);
            check("a small quotient", &got, how, r_div(ra, limbs_real(&small, 1, 0)), 1);
        }
        got = dpn_wide_root(how, &a);
        check("a root", &got, how, r_sqrt(ra), 1);
        dpn_wide square = dpn_wide_multiply(how, &a, &a);
        got = dpn_wide_floor(how, &square);
        assert_true(mpfr_equal_p(wide_real(&got, how.limbs), r_floor(wide_real(&square, how.limbs))));
        r_release(mark);
    }
}

/* Halvings cost about a bit each, so the exponential of a number below 2^m is good to all but m + 24 bits. */
static void exponential(void **state) {
    (void)state;
    draw_source source = {2};
    r_precision(2048);
    for (int n = 0; n < points(300, 5000); n++) {
        size_t mark = r_mark();
        dpn_rounding how = any_rounding(&source);
        double x = n == 0 ? 0 : draw_log_uniform(&source, 1e-30, n % 2 ? 1e3 : 0x1p39);
        dpn_wide a = dpn_wide_double(how, x), got;
        assert_true(dpn_wide_exp(&got, how, &a));
        check("an exponential", &got, how, r_exp(r_num(x)), 0x1p28 * (1 + x));
        r_release(mark);
    }
    dpn_rounding down = {4, false}, up = {4, true};
    dpn_wide large = dpn_wide_double(down, 1e300), got;
    assert_false(dpn_wide_exp(&got, up, &large));
    assert_true(dpn_wide_exp(&got, down, &large));
    check("a bound", &got, down, r_exp(r_num(0x1p40)), 0x1p68);
}

static void power(void **state) {
    (void)state;
    draw_source source = {3};
    r_precision(2048);
    for (int n = 0; n < points(60, 1000); n++) {
        size_t mark = r_mark();
        dpn_rounding how = any_rounding(&source);
        double x = draw_log_uniform(&source, 1e-5, 1e5), p = draw_log_uniform(&source, 1, 1000);
        if (n % 3 == 0) p = floor(p);
        dpn_wide a = dpn_wide_double(how, x), got = dpn_wide_power(how, &a, p);
        check("a power", &got, how, r_pow(r_num(x), r_num(p)), 0x1p14);
        r_release(mark);
    }
}

/* A positive number too small for its place is not rounded to zero upwards. */
static void packing(void **state) {
    (void)state;
    dpn_rounding up = {2, true}, down = {2, false};
    uint64_t zero[3] = {0}, one[5] = {1, 0, 0, 0, 1};
    dpn_wide got = dpn_wide_pack(up, zero, 3, 7, true);
    assert_true(mpfr_equal_p(wide_real(&got, 2), r_num(128)));
    got = dpn_wide_pack(down, zero, 3, 7, true);
    assert_true(dpn_wide_is_zero(down, &got));
    got = dpn_wide_pack(down, one, 5, 0, false);
    check("a long integer", &got, down, limbs_real(one, 5, 0), 1);
    got = dpn_wide_pack(up, one, 5, 0, false);
    check("a long integer", &got, up, limbs_real(one, 5, 0), 1);
}

static int widen(void **state) {
    (void)state;
    r_precision(BITS);
    return 0;
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup(arithmetic, widen),
        cmocka_unit_test_setup(exponential, widen),
        cmocka_unit_test_setup(power, widen),
        cmocka_unit_test_setup(packing, widen),
    };
    int failed = cmocka_run_group_tests(tests, NULL, NULL);
    r_free_all();
    return failed;
}
