/* Random boxes: what the sum along a line leaves out beyond its last node, against the integral itself. */
#include "privacy/loss/random-box.c" /* of which nobody else sees the line */

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

/* The integral of the sizes' absolute contributions, which are what the bound is about, in steps of a part of w up to 10^4 omega. */
static double integral(const line *l, double n, double omega) {
    const double ratio = 1.01;
    double sum = 0;
    for (double w = omega; w < 1e4 * omega; w *= ratio) {
        double size, middle = w * sqrt(ratio);
        double complex z = l->theta + I * middle;
        quotient(&size, l, middle);
        sum += pow(size, n) / cabs(z * (1 + z)) * (ratio - 1) * w;
    }
    return sum;
}

static void the_rest_of_a_line_is_bounded(void **state) {
    (void)state;
    const double counts[] = {1, 2, 5}, releases[] = {1, 3};
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 2; j++)
            for (double omega = 10; omega < 1e6; omega *= 30) {
                dpn_box_sizes sizes;
                line l;
                double log_moment, n = releases[j];
                assert_int_equal(dpn_box_sizes_make(&sizes, 0.7, NULL, NULL, 0.3, (size_t)counts[i], -40, NULL),
                                 DPN_OK);
                assert_int_equal(line_make(&l, &sizes, 3, 1e-6, &log_moment), DPN_OK);
                double bound = integral_beyond(&l, n, omega), truth = integral(&l, n, omega);
                if (!(truth <= bound * (1 + 1e-5)))
                    fail_msg("%g coordinates, %g times, from %g: %g above %g", counts[i], n, omega, truth, bound);
                if (omega > 1e5 && !(bound <= 1.1 * truth)) /* far out it is the leading term */
                    fail_msg("%g coordinates, %g times, from %g: %g for %g", counts[i], n, omega, bound, truth);
                free(l.share);
                free(l.place);
                dpn_box_sizes_free(&sizes);
            }
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(the_rest_of_a_line_is_bounded)};
    return cmocka_run_group_tests_name("random-box-line", tests, NULL, NULL);
}
