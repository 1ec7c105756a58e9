/* Half sums of Gaussians: each route against plain sums in long double, and the routes against each other. */
#include "law/gaussian-sum.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

static void near(const char *what, double sigma, double at, double got, long double wanted, double tolerance) {
    if (!(fabsl(got - wanted) <= tolerance * fabsl(wanted)))
        fail_msg("sigma = %.17g: %s(%.17g) is %.17g, off by %.2Lg", sigma, what, at, got, (got - wanted) / wanted);
}

static dpn_law prepared(double sigma) {
    dpn_law law = {.family = NULL};
    dpn_half_sum_prepare(&law, sigma);
    return law;
}

/* sum j^n exp(-j d - j^2/2sigma^2) over j >= 0 for n = 0, 1, 2, times exp(peak). */
static void plain_sum(long double sum[3], long double sigma, long double d, long double peak) {
    long double rate = 1 / (sigma * sigma);
    sum[0] = sum[1] = sum[2] = 0;
    long double top = fmaxl(0, -d / rate);
    for (long double j = 0;; j++) {
        long double term = expl(peak - j * (d + j * rate / 2));
        sum[0] += term;
        sum[1] += j * term;
        sum[2] += j * j * term;
        if (j > top && j * j * term < 1e-22L * sum[2]) return;
        if (j > top && term == 0) return;
    }
}

static const double sigmas[] = {1e-50, 0.01, 0.1, 0.3, 0.7, 1, 1.5, 2, 3, 3.67, 3.68, 4, 5, 7, 10, 20, 100, 700};
enum { SIGMAS = sizeof sigmas / sizeof *sigmas };
static const double offsets[] = {0, 1e-9, 0.01, 0.3, 0.9, 1, 1.7, 2, 2.9, 3, 3.1, 5, 9, 15, 38, 200, 1e4, 1e30};
enum { OFFSETS = sizeof offsets / sizeof *offsets };

static void sums_and_powers(void **state) {
    (void)state;
    for (int i = 0; i < SIGMAS; i++) {
        dpn_law law = prepared(sigmas[i]);
        for (int k = 0; k < OFFSETS; k++) {
            double y = offsets[k];
            long double wanted[3];
            plain_sum(wanted, sigmas[i], (long double)y / sigmas[i], 0);
            near("sum", sigmas[i], y, dpn_half_sum(&law, y), wanted[0], 4e-15);
            dpn_power_sums got = dpn_half_sum_powers(&law, y);
            near("zeroth", sigmas[i], y, got.zeroth, wanted[0], 2e-14);
            if (wanted[1] < 1e-300L) continue; /* with one double for the exponent its digits go */
            long double exponent = (y / sigmas[i] + 0.5 / sigmas[i] / sigmas[i]);
            near("first", sigmas[i], y, got.first, wanted[1], 2e-14 + 1e-16 * (double)exponent);
            near("second", sigmas[i], y, got.second, wanted[2], 2e-14 + 1e-16 * (double)exponent);
        }
    }
}

/* Where the smooth route holds, the direct one may still be taken; near its border it needs few enough terms to be
 * accurate. */
static void routes_agree(void **state) {
    (void)state;
    int compared = 0;
    for (double sigma = 3.7; sigma < 12; sigma *= 1.01) {
        dpn_law law = prepared(sigma);
        for (double y = 0; dpn_half_sum_is_smooth(&law, y); y += 0.05) {
            near("smooth", sigma, y, dpn_half_sum_smooth(&law, y), dpn_half_sum_direct(&law, y), 1e-14);
            compared++;
        }
    }
    assert_true(compared > 1000);
    dpn_law coarse = prepared(3.6), fine = prepared(3.7);
    assert_true(!dpn_half_sum_is_smooth(&coarse, 0) && dpn_half_sum_is_smooth(&fine, 0));
}

/* At y = 0 the sums with even powers of j have no other terms than the integral and 1/2, and that with j few. */
static void large_sigma(void **state) {
    (void)state;
    for (double sigma = 10; sigma <= 1e12; sigma *= 10) {
        dpn_law law = prepared(sigma);
        near("sum", sigma, 0, dpn_half_sum(&law, 0), sigma * 1.253314137315500251207882642406L + 0.5L, 2e-15);
        dpn_power_sums got = dpn_half_sum_powers(&law, 0);
        long double s = sigma;
        long double first = s * s - 1 / 12.0L - 1 / (240 * s * s) - 1 / (2016 * s * s * s * s);
        near("first", sigma, 0, got.first, first, 1e-4 / pow(sigma, 8) + 1e-15);
        near("second", sigma, 0, got.second, s * s * s * 1.253314137315500251207882642406L, 2e-15);
    }
}

static void tilted(void **state) {
    (void)state;
    for (int i = 1; i < SIGMAS - 1; i++) {
        double sigma = sigmas[i];
        dpn_law law = prepared(sigma);
        static const double slopes[] = {-300, -50, -10.5, -3.3, -1, -0.5, -0.499, -0.01, -1e-9, 0, 1e-9, 0.5, 4};
        for (size_t k = 0; k < sizeof slopes / sizeof *slopes; k++) {
            double d = sigma < 2 ? slopes[k] / (sigma * sigma) : slopes[k] / sigma;
            dpn_tail got = dpn_half_sum_tilted(&law, sigma, dpn_two(d));
            long double exponent = (long double)got.exponent.hi + got.exponent.lo, wanted[3];
            plain_sum(wanted, sigma, d, exponent);
            near("tilted", sigma, d, got.mantissa, wanted[0], 2e-14 + 1e-18 * (double)fabsl(exponent));
        }
        double last = 1.8e154 / sigma; /* beyond it the exponent overflows */
        dpn_tail far = dpn_half_sum_tilted(&law, sigma, dpn_two(-last));
        near("exponent", sigma, -last, far.exponent.hi, -0.5L * 1.8e154L * 1.8e154L, 1e-14);
        assert_true(dpn_half_sum_tilted(&law, sigma, dpn_two(-1e300)).exponent.hi == -INFINITY);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(sums_and_powers),
        cmocka_unit_test(routes_agree),
        cmocka_unit_test(large_sigma),
        cmocka_unit_test(tilted),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
