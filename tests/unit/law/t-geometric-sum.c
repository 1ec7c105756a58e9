/* Finite geometric sums against plain sums in long double. */
#include "law/bernoulli.h"
#include "law/geometric-sum.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

static void near(const char *what, double a, double n, double got, long double wanted) {
    if (!(fabsl(got - wanted) <= 1e-14L * fabsl(wanted)))
        fail_msg("%s(%.17g, %g) is %.17g, off by %.2Lg", what, a, n, got, (got - wanted) / wanted);
}

static const double rates[] = {1e-24, 1e-12, 1e-6, 1e-3, 0.01, 0.1, 0.24, 0.25, 0.26, 0.5, 1, 2, 5, 40, 800};
static const int counts[] = {1, 2, 3, 4, 10, 49, 50, 51, 499, 500, 501, 20000};
enum { RATES = sizeof rates / sizeof *rates, COUNTS = sizeof counts / sizeof *counts };

/* x/(e^x - 1) = 1 - x/2 + sum B_2p/(2p)! x^2p: times (e^x - 1)/x, this has no x, x^2, ... left. */
static void table(void **state) {
    (void)state;
    for (int n = 2; n <= 2 * DPN_BERNOULLI_TERMS; n += 2) {
        long double inverse_factorial = 1, sum = 0; /* 1/(n+1-k)! */
        for (int k = n; k >= 0; k--) {
            inverse_factorial /= n + 1 - k;
            long double coefficient = k == 0 ? 1 : k == 1 ? -0.5L : k % 2 ? 0 : dpn_bernoulli[k / 2 - 1];
            sum += coefficient * inverse_factorial;
        }
        assert_true(fabsl(sum) <= 1e-14L * fabsl(dpn_bernoulli[n / 2 - 1]));
    }
}

static void powers(void **state) {
    (void)state;
    for (int i = 0; i < RATES; i++)
        for (int k = 0; k < COUNTS; k++) {
            long double sum[3] = {0, 0, 0};
            for (int j = counts[k] - 1; j >= 0; j--) {
                long double term = expl(-(long double)rates[i] * j);
                sum[0] += term;
                sum[1] += j * term;
                sum[2] += (long double)j * j * term;
            }
            dpn_power_sums got = dpn_power_shift(dpn_geometric_powers(rates[i], counts[k]), 1);
            near("zeroth", rates[i], counts[k], got.zeroth, sum[0]);
            near("first", rates[i], counts[k], got.first, sum[1] + sum[0]);
            near("second", rates[i], counts[k], got.second, sum[2] + 2 * sum[1] + sum[0]);
        }
}

/* n far beyond what can be added up: the whole series. */
static void endless(void **state) {
    (void)state;
    dpn_power_sums got = dpn_geometric_powers(0.25, 1e50);
    long double q = expl(-0.25L), gap = 1 - q;
    near("zeroth", 0.25, 1e50, got.zeroth, 1 / gap);
    near("first", 0.25, 1e50, got.first, q / (gap * gap));
    near("second", 0.25, 1e50, got.second, q * (1 + q) / (gap * gap * gap));
}

static void tilted(void **state) {
    (void)state;
    for (int i = 0; i < RATES; i++)
        for (int k = 0; k < COUNTS; k++)
            for (int sign = -1; sign <= 1; sign++) {
                double d = sign * rates[i];
                dpn_tail got = dpn_geometric_tilted(dpn_two(d), counts[k]);
                long double exponent = (long double)got.exponent.hi + got.exponent.lo, wanted = 0;
                for (int j = 1; j <= counts[k]; j++) wanted += expl(exponent - (long double)d * j);
                near("tilted", d, counts[k], got.mantissa, wanted);
            }
    assert_true(dpn_geometric_tilted(dpn_two(1), 0).mantissa == 0);
    assert_true(dpn_geometric_tilted(dpn_two(-1), 0).mantissa == 0);
}

/* Few terms, which differences of the closed forms would leave nothing of. */
static void few(void **state) {
    (void)state;
    static const double rising[] = {1e-12, 1e-6, 0.01, 0.5, 0.62, 3, 30, 290};
    for (size_t i = 0; i < sizeof rising / sizeof *rising; i++)
        for (int n = 1; n <= 20; n++) {
            long double sum[3] = {0, 0, 0};
            for (int j = n - 1; j >= 0; j--) {
                long double weight = expl(-(long double)rising[i] * j);
                sum[0] += weight;
                sum[1] += j * weight;
                sum[2] += (long double)j * j * weight;
            }
            dpn_power_sums got = dpn_geometric_powers(rising[i], n);
            if (n == 1) assert_true(got.zeroth == 1 && got.first == 0 && got.second == 0);
            near("zeroth", rising[i], n, got.zeroth, sum[0]);
            if (n > 1) near("first", rising[i], n, got.first, sum[1]);
            if (n > 1) near("second", rising[i], n, got.second, sum[2]);
        }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(table),   cmocka_unit_test(powers), cmocka_unit_test(few),
        cmocka_unit_test(endless), cmocka_unit_test(tilted),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
