/* Logarithms of twice the precision, against MPFR. */
#include "law/twofold-log.h"

#include "reference/draw.h"
#include "reference/real.h"

#include <float.h>
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

static void check(double x) {
    size_t mark = r_mark();
    dpn_twofold got = dpn_two_log(x);
    real expected = r_log(r_num(x));
    double error = fabs(r_double(r_sub(r_add(r_num(got.hi), r_num(got.lo)), expected)));
    if (!(error <= 0x1p-80 + 0x1p-102 * fabs(got.hi))) fail_msg("log(%a) is off by %g", x, error);
    if (!(fabs(got.lo) <= 0x1p-52 * fabs(got.hi))) fail_msg("log(%a) has the parts %a and %a", x, got.hi, got.lo);
    r_release(mark);
}

/* At all sizes, beside 1, at the sixteenths and halfway between them. */
static void it_meets_the_reference(void **state) {
    (void)state;
    draw_source source = {7};
    r_precision(200);
    for (int i = 0; i < 20000; i++) {
        check(draw_log_uniform(&source, 1e-300, 1e300));
        check(draw_uniform(&source, 0.5, 2));
        check(1 + draw_uniform(&source, -1, 1) * draw_log_uniform(&source, 1e-16, 1e-2));
    }
    for (int j = 16; j <= 64; j++) {
        double place = j / 32.0;
        check(place);
        check(nextafter(place, 0));
        check(nextafter(place, 4));
    }
    check(DBL_MIN);
    check(DBL_TRUE_MIN);
    check(DBL_MAX);
    assert_true(dpn_two_log(1).hi == 0 && dpn_two_log(1).lo == 0);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(it_meets_the_reference)};
    int failures = cmocka_run_group_tests(tests, NULL, NULL);
    r_free_all();
    return failures;
}
