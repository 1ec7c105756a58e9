/* epsilon - (x/g)(y/h): its sign is exact and its digits are right, however much cancels. */
#include "privacy/profile/excess.h"
#include "case.h"

#include <float.h>
#include <float.h>
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

#include <cmocka.h>

static real exact(double epsilon, double x, double g, double y, double h) {
    return r_sub(r_num(epsilon), r_div(r_mul(r_num(x), r_num(y)), r_mul(r_num(g), r_num(h))));
}

static void excess_against_reference(void **state) {
    (void)state;
    draw_source source = {41};
    for (int i = 0; i < 4000; i++) {
        double top = i % 3 ? 10 : 1e50, v[4];
        for (int j = 0; j < 4; j++) v[j] = draw_log_uniform(&source, 1 / top, top);
        double epsilon = v[0] / v[1] * v[2] / v[3];
        if (i % 2) epsilon *= 1 + ldexp(draw_uniform(&source, -1, 1), -(int)draw_uniform(&source, 0, 55));
        size_t mark = r_mark();
        real value = exact(epsilon, v[0], v[1], v[2], v[3]);
        dpn_twofold got = dpn_excess(epsilon, v[0], v[1], v[2], v[3]);
        real miss = r_sub(r_add(r_num(got.hi), r_num(got.lo)), value);
        bool same_sign = (got.hi > 0) - (got.hi < 0) == (r_sign(value) > 0) - (r_sign(value) < 0);
        if (!same_sign || (r_sign(value) != 0 && r_exponent(miss) > r_exponent(value) - 60))
            fail_msg("%.17g - (%.17g/%.17g)(%.17g/%.17g): %.17g, not %.17g", epsilon, v[0], v[1], v[2], v[3], got.hi,
                     r_double(value));
        r_release(mark);
    }
}

/* Equality is seen although the quotients are no doubles: 90 * 1/(3 * 3) = 10 with 1/3. */
static void equality(void **state) {
    (void)state;
    assert_true(dpn_excess(10, 90, 3, 1, 3).hi == 0);
    assert_true(dpn_excess(nextafter(10, 11), 90, 3, 1, 3).hi > 0 && dpn_excess(nextafter(10, 9), 90, 3, 1, 3).hi < 0);
    assert_true(dpn_excess(1, 1e-140, 1e-140, 1, 1).hi == 0);
    assert_true(dpn_excess(1, 1e150, 1, 1e150, 1e-150).hi == -INFINITY);
}

/* A quotient below the smallest double is still there; a factor that underflows does not take the product along. */
static void underflow_and_overflow(void **state) {
    (void)state;
    assert_true(dpn_excess(0, 1e-200, 1e150, 1, 1).hi < 0 && dpn_excess(5e-324, 1e-200, 1e150, 1, 1).hi > 0);
    dpn_twofold small = dpn_excess(0, 1e-320, 1e10, 1e150, 1e10);
    size_t mark = r_mark();
    real value = exact(0, 1e-320, 1e10, 1e150, 1e10);
    assert_true(fabs(r_double(r_div(r_num(small.hi), value)) - 1) < 1e-15);
    r_release(mark);
    assert_true(dpn_excess(1e-195, 1e-320, 1e10, 1e150, 1e10).hi < 0 && dpn_excess(1, 1e-320, 1e10, 1, 1).hi == 1);
    assert_true(dpn_excess(1e300, 1e-200, 1e150, 1, 1).hi == 1e300);
    double lower, upper;
    dpn_quotient_bounds(&lower, &upper, 1e-320, 1e10, 1e150, 1e10);
    assert_true(lower > 0 && nextafter(lower, 1) == upper);
    dpn_quotient_bounds(&lower, &upper, 1e-200, 1e150, 1, 1);
    assert_true(lower == 0 && upper == 5e-324);
    dpn_quotient_bounds(&lower, &upper, 1e300, 1e-150, 1, 1);
    assert_true(lower == DBL_MAX && upper == INFINITY);
}

static void bounds_are_tight(void **state) {
    (void)state;
    draw_source source = {42};
    for (int i = 0; i < 1000; i++) {
        double v[4], lower, upper;
        for (int j = 0; j < 4; j++)
            v[j] = i % 2 ? draw_log_uniform(&source, 0.01, 100) : ceil(draw_uniform(&source, 0, 8));
        dpn_quotient_bounds(&lower, &upper, v[0], v[1], v[2], v[3]);
        size_t mark = r_mark();
        int below = r_sign(exact(lower, v[0], v[1], v[2], v[3])), above = r_sign(exact(upper, v[0], v[1], v[2], v[3]));
        assert_true(below <= 0 && above >= 0);
        assert_true(below == 0 ? lower == upper : nextafter(lower, INFINITY) == upper);
        r_release(mark);
    }
}

int main(void) {
    r_precision(600);
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(excess_against_reference),
        cmocka_unit_test(equality),
        cmocka_unit_test(underflow_and_overflow),
        cmocka_unit_test(bounds_are_tight),
    };
    int failures = cmocka_run_group_tests(tests, NULL, NULL);
    r_free_all();
    return failures;
}
