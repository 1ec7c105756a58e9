/* Integrals and sums by extrapolation, against closed forms; and the sums over ladders against their terms. */
#include "privacy/profile/ladder.h"
#include "privacy/profile/smooth-sum.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

#include <cmocka.h>

static double falling(const void *rate, double x) {
    return exp(-x * *(const double *)rate);
}

/* sum over 0 <= k < n of e^(-rate k), n up to 1e12. */
static void geometric_sums(void **state) {
    (void)state;
    for (double n = 1; n < 1e12; n = ceil(3.7 * n)) {
        for (double fall = 0.01; fall < 30; fall *= 3) { /* of the logarithm, from end to end */
            double rate = fall / n, exact = expm1(-n * rate) / expm1(-rate);
            dpn_summand summand = {falling, &rate, true};
            dpn_smooth_total total = {0, 0, 1000};
            dpn_smooth_add(&total, &summand, 0, n, 1e-12 * exact);
            assert_true(fabs(total.sum / exact - 1) < 1e-13 && total.budget > 0);
        }
    }
}

static void exponential_integrals(void **state) {
    (void)state;
    double rate = 0.3;
    dpn_summand summand = {falling, &rate, false};
    for (double end = 1e-6; end < 100; end *= 5) {
        double exact = -expm1(-rate * end) / rate;
        dpn_smooth_total total = {0, 0, 1000};
        dpn_smooth_add(&total, &summand, 0, end, 1e-12 * exact);
        assert_true(fabs(total.sum / exact - 1) < 1e-13 && total.error < 1e-10 * exact);
    }
}

/* A bend is found by halving; without budget the error says that it was not. */
static double bent(const void *at, double x) {
    return fabs(x - *(const double *)at);
}

static void bends_are_found(void **state) {
    (void)state;
    double at = 0.337, exact = 0.5 * (at * at + (1 - at) * (1 - at));
    dpn_summand summand = {bent, &at, false};
    dpn_smooth_total total = {0, 0, 1000}, hasty = {0, 0, 1};
    dpn_smooth_add(&total, &summand, 0, 1, 1e-12);
    assert_true(fabs(total.sum - exact) < 1e-12 && total.budget > 0);
    dpn_smooth_add(&hasty, &summand, 0, 1, 1e-12);
    assert_true(hasty.budget <= 0 && hasty.error > fabs(hasty.sum - exact) && hasty.error > 1e-6);
}

static void ladders(void **state) {
    (void)state;
    for (double rate = 1e-9; rate < 100; rate *= 7) {
        for (int rungs = 0; rungs < 60; rungs += 7) {
            for (double rest = 1e-12 * rate; rest <= 2 * rate; rest *= 100) {
                double sum = 0;
                for (int k = 1; k <= rungs; k++) sum -= exp(-k * rate) * expm1(-rest - 2 * (rungs - k) * rate);
                assert_true(fabs(dpn_ladder(rate, rungs, rest) - sum) <= 1e-14 * sum);
            }
        }
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(geometric_sums),
        cmocka_unit_test(exponential_integrals),
        cmocka_unit_test(bends_are_found),
        cmocka_unit_test(ladders),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
