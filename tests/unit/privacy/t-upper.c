/* Rounding to the safe side: what is rounded up is not below the exact value, what is rounded down not above it, also where a
 * double is exact, at its neighbours, and where numbers underflow or overflow. */
#include "privacy/convert/upper.h"

#include "case.h"
#include "privacy/filter/sum.h"
#include "reference/real.h"

#include <float.h>
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

/* The margin is 64 ulps: of a value that is 2^-47 off in the wrong direction the bound still holds, and it gives away no more than
 * twice the margin. */
static void margins_cover_what_they_promise(void **state) {
    (void)state;
    draw_source source = {1};
    for (int i = 0; i < 10000; i++) {
        double x = draw_log_uniform(&source, 1e-290, 1e290), size = x * draw_log_uniform(&source, 1, 1e6);
        assert_true(dpn_upper(x) > x * (1 + 0x1p-47) && dpn_upper(x) < x * (1 + 0x1p-45));
        assert_true(dpn_lower(x) < x * (1 - 0x1p-47) && dpn_lower(x) > x * (1 - 0x1p-45));
        assert_true(dpn_above(x, size) > x + 0x1p-47 * size && dpn_below(x, size) < x - 0x1p-47 * size);
        assert_true(dpn_above(-x, size) > 0x1p-47 * size - x && dpn_below(-x, size) < -x - 0x1p-47 * size);
    }
    /* Nothing that was lost to underflow is taken for nothing, and no bound from below is more than nothing then. */
    assert_true(dpn_upper(0) == DBL_MIN && dpn_lower(0) == 0 && dpn_lower(DBL_MIN) == 0);
    assert_true(dpn_above(0, 0) > 0 && dpn_below(0, 0) < 0);
    assert_true(dpn_above(1, 0) == nextafter(1, 2) && dpn_below(1, 0) == nextafter(1, 0));
    assert_true(dpn_upper(INFINITY) == INFINITY && dpn_lower(INFINITY) == INFINITY);
    assert_true(dpn_upper(DBL_MAX) == INFINITY && dpn_above(DBL_MAX, DBL_MAX) == INFINITY);
}

/* A running sum of charges of all sizes: not below the exact sum, above it by 2^-100 of it a step at most; its value is the least
 * double not below it. */
static void sums_are_not_below(void **state) {
    (void)state;
    draw_source source = {2};
    r_precision(400);
    for (int round = 0; round < 50; round++) {
        size_t mark = r_mark();
        dpn_twofold sum = {0, 0};
        real exact = r_num(0);
        for (int i = 1; i <= 100; i++) {
            double x = draw_chance(&source, 0.2) ? ldexp(1, (int)draw_uniform(&source, -300, 3))
                                                 : draw_log_uniform(&source, 1e-18, 10);
            sum = dpn_sum_upper(sum, x);
            exact = r_add(exact, r_num(x));
            real got = r_add(r_num(sum.hi), r_num(sum.lo));
            assert_false(r_less(got, exact));
            assert_true(r_double(r_sub(got, exact)) <= i * 0x1p-100 * sum.hi);
            double value = dpn_sum_value(sum);
            assert_false(r_less(r_num(value), got));
            assert_true(r_less(r_num(nextafter(value, 0)), got));
        }
        r_release(mark);
    }
    assert_true(dpn_sum_value(dpn_sum_upper(dpn_two(1), 0)) == 1);
    assert_true(dpn_sum_value(dpn_sum_upper(dpn_two(1), DBL_TRUE_MIN)) == nextafter(1, 2));
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(margins_cover_what_they_promise),
                                       cmocka_unit_test(sums_are_not_below)};
    int failures = cmocka_run_group_tests(tests, NULL, NULL);
    r_free_all();
    return failures;
}
