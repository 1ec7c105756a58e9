/* M(y) - M(y + a) and 1 - x M(x) against 600-bit references. */
#include "privacy/profile/mills-drop.h"
#include "case.h"
#include "law/special.h"
#include "reference/special.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

#include <cmocka.h>

static double miss(double got, real value) {
    return fabs(r_double(r_div(r_sub(r_num(got), value), value)));
}

static void drop_against_reference(void **state) {
    (void)state;
    draw_source source = {31};
    double worst = 0;
    for (int i = case_count(2000); i > 0; i--) {
        double y = draw_chance(&source, 0.7) ? draw_uniform(&source, 0, 8) : draw_log_uniform(&source, 1e-6, 1e6);
        double a = (1 + y) * draw_log_uniform(&source, 1e-12, 10);
        if (draw_chance(&source, 0.3)) a = (1 + y) * draw_uniform(&source, 0.2, 0.6); /* where the method changes */
        size_t mark = r_mark();
        real value = r_sub(r_mills(r_num(y)), r_mills(r_add(r_num(y), r_num(a))));
        double error = miss(dpn_mills_drop(y, a), value);
        if (!(error < 4e-15)) fail_msg("drop(%.17g, %.17g): relative error %.3g", y, a, error);
        worst = fmax(worst, error);
        r_release(mark);
    }
    print_message("# largest relative error %.3g\n", worst);
}

static void slope_against_reference(void **state) {
    (void)state;
    draw_source source = {32};
    for (int i = case_count(1000); i > 0; i--) {
        double x = draw_chance(&source, 0.7) ? draw_uniform(&source, 0, 12) : draw_log_uniform(&source, 1e-6, 1e6);
        size_t mark = r_mark();
        real value = r_sub(r_num(1), r_mul(r_num(x), r_mills(r_num(x))));
        double error = miss(dpn_mills_slope(x), value);
        if (!(error < 2e-15)) fail_msg("slope(%.17g): relative error %.3g", x, error);
        r_release(mark);
    }
}

static void ends(void **state) {
    (void)state;
    assert_true(dpn_mills_drop(1, 0) == 0 && dpn_mills_drop(1e200, 0) == 0);
    assert_true(dpn_mills_drop(1, INFINITY) == dpn_mills(1) && dpn_mills_drop(INFINITY, 1) == 0);
    assert_true(dpn_mills_slope(0) > 1 - 1e-15 && dpn_mills_slope(0) < 1 + 1e-15 && dpn_mills_slope(INFINITY) == 0);
}

int main(void) {
    r_precision(600);
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(drop_against_reference),
        cmocka_unit_test(slope_against_reference),
        cmocka_unit_test(ends),
    };
    int failures = cmocka_run_group_tests(tests, NULL, NULL);
    r_free_all();
    return failures;
}
