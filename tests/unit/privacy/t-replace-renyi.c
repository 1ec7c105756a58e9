/* Divergences of a profile that is given at points: integrals of its chords, and the least bound that they give. */
#include "privacy/sampling/replace-renyi.c" /* to see the bound at one theta */

#include "reference/draw.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

static dpn_replace_table table[2];

/* The profile of Gaussian noise with sensitivity c, with `cut` of it as infinite loss. */
static void fill(dpn_replace_table *t, long double c, long double cut, double reach, double times) {
    t->times = times;
    for (int i = 0; i < DPN_REPLACE_NODES; i++) {
        double nu = reach * i / (DPN_REPLACE_NODES - 1);
        long double delta =
            0.5L * erfcl((nu / c - c / 2) / sqrtl(2)) - expl(nu) * 0.5L * erfcl((nu / c + c / 2) / sqrtl(2));
        t->nu[i] = nu;
        t->log_d[i] = (double)logl((1 - cut) * delta + cut);
    }
}

/* E e^(theta L) of the chords: each integral of (a + b x) (x^(theta - 1) + x^(-theta - 2)) in closed form; and of what is cut off, below 1. */
static long double power(long double x, long double exponent) { /* the integral of x^(exponent - 1) */
    return fabsl(exponent) < 1e-12L ? logl(x) : powl(x, exponent) / exponent;
}

static long double mean_of(const dpn_replace_table *t, long double theta) {
    long double sum = 0;
    for (int i = 0; i + 1 < DPN_REPLACE_NODES; i++) {
        long double x = expl(t->nu[i]), y = expl(t->nu[i + 1]), d = expl(t->log_d[i]), e = expl(t->log_d[i + 1]),
                    slope = (e - d) / (y - x), start = d - slope * x;
        if (t->log_d[i] == -INFINITY || !(y > x)) continue;
        sum += start * (power(y, theta) - power(x, theta) + power(y, -theta - 1) - power(x, -theta - 1));
        sum += slope * (power(y, theta + 1) - power(x, theta + 1) + power(y, -theta) - power(x, -theta));
    }
    sum += expl(t->log_d[DPN_REPLACE_NODES - 1]) * expl(-(theta + 1) * t->nu[DPN_REPLACE_NODES - 1]) / (theta + 1);
    return 1 + theta * (1 + theta) * sum;
}

static void cumulants_are_integrals(void **state) {
    (void)state;
    for (double c = 0.1; c < 3; c *= 5.3)
        for (double cut = 0; cut < 0.1; cut += 0.04)
            for (double theta = 0.03; theta < 60; theta *= 5.1) {
                double reach = 12 * c + c * c;
                fill(&table[0], c, cut, reach, 1);
                if (cut == 0) table[0].log_d[DPN_REPLACE_NODES - 1] = -INFINITY;
                long double truth = logl(mean_of(&table[0], theta));
                double got = dpn_replace_cumulant(&table[0], theta), cell = reach / (DPN_REPLACE_NODES - 1);
                /* On a cell each power is at its largest end, and chords at their mean. */
                long double most = truth + (theta + 3) * cell;
                if (!(got >= truth * (1 - 1e-9L) && got <= fminl(most, truth * (1 + 2 * (theta + 3) * cell)) + 1e-9L))
                    fail_msg("c %g, cut %g, theta %g: %.12g, not %.12Lg", c, cut, theta, got, truth);
            }
    for (int i = 0; i < DPN_REPLACE_NODES; i++) table[0].nu[i] = 0, table[0].log_d[i] = -INFINITY; /* no loss at all */
    double none = dpn_replace_cumulant(&table[0], 2);
    assert_true(none == 0);
    /* Beyond what exp can hold: e^(700) of x, a loss of about 700. */
    for (int i = 0; i < DPN_REPLACE_NODES; i++) table[0].nu[i] = i, table[0].log_d[i] = i < 700 ? -1e-9 * i : -INFINITY;
    double large = dpn_replace_cumulant(&table[0], 3);
    assert_true(large >= 699 * 3 && large < 701 * 4 + 10 && isfinite(large));
    for (int i = 0; i < DPN_REPLACE_NODES; i++) table[0].nu[i] = 800.0 * i; /* cells wider than that */
    large = dpn_replace_cumulant(&table[0], 0.5);
    assert_true(isfinite(large) && large > 0.5 * 800 * 698);
}

static void the_least_bound_is_found(void **state) {
    (void)state;
    for (double c = 0.1; c < 2; c *= 9)
        for (double times = 1; times < 50; times *= 30) {
            fill(&table[0], c, 1e-30L, 12 * c + c * c, times);
            fill(&table[1], 0.5L * c, 1e-25L, 12 * c + c * c, 3);
            for (size_t tables = 1; tables <= 2; tables++)
                for (double epsilon = 0.3 * c; epsilon < 6 * c * sqrt(times); epsilon *= 12) {
                    long double least = 0, infinite = times * 1e-30L + (tables > 1 ? 3e-25L : 0);
                    for (double theta = 0x1p-7; theta < 1e5; theta *= 1.4) {
                        long double K = times * (long double)dpn_replace_cumulant(&table[0], theta), one;
                        if (tables > 1) K += 3 * (long double)dpn_replace_cumulant(&table[1], theta);
                        one = K - theta * epsilon - theta * logl((theta + 1) / theta) - logl(1 + theta);
                        double got = bound_at(table, tables, epsilon, theta);
                        assert_true(got >= one - 1e-15L * fabsl(K) &&
                                    got <= one + 1e-12L * (1 + fabsl(one) + fabsl(K)));
                        least = fminl(least, one);
                    }
                    double got = dpn_replace_chernoff(table, tables, epsilon);
                    long double truth = logl(expl(least) + infinite);
                    if (!(got >= truth - 1 && got <= truth + 2e-3L))
                        fail_msg("epsilon %g: %g, not %Lg", epsilon, got, truth);
                    assert_true(got >= logl(infinite));
                }
        }
    /* Where every divergence is too large the bound is 1, and what is infinite. */
    for (int i = 0; i < DPN_REPLACE_NODES; i++) table[0].nu[i] = i, table[0].log_d[i] = -1e-3;
    table[0].times = 2;
    double bound = dpn_replace_chernoff(table, 1, 1e-3);
    assert_true(fabs(bound - log(1 + 2 * exp(-1e-3))) < 1e-9);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(cumulants_are_integrals),
        cmocka_unit_test(the_least_bound_is_found),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
