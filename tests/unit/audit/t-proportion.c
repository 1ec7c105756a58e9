/* Binomial tails and the bounds of Clopper and Pearson, against sums in 200 bits, some of 10^5 terms: a second. */
#include "audit/proportion.h"
#include "reference/draw.h"
#include "reference/real.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>

#include <cmocka.h>

/* P(X = k), by gamma functions of many bits. */
static real mass(uint64_t k, uint64_t n, double p) {
    real chosen = r_sub(r_log_gamma(r_num((double)n + 1)),
                        r_add(r_log_gamma(r_num((double)k + 1)), r_log_gamma(r_num((double)(n - k) + 1))));
    real powers = r_add(r_times(r_log(r_num(p)), (double)k), r_times(r_log1p(r_num(-p)), (double)(n - k)));
    return r_exp(r_add(chosen, powers));
}

/* P(X >= k) for k beyond the mean: terms until they no longer matter. */
static double true_above(uint64_t k, uint64_t n, double p) {
    size_t mark = r_mark();
    mpfr_t sum, term, odds, ratio;
    mpfr_inits2(200, sum, term, odds, ratio, (mpfr_ptr)0);
    mpfr_set(term, mass(k, n, p), MPFR_RNDN);
    mpfr_set(sum, term, MPFR_RNDN);
    mpfr_d_sub(odds, 1, r_num(p), MPFR_RNDN);
    mpfr_d_div(odds, p, odds, MPFR_RNDN);
    for (uint64_t i = k; i < n; i++) {
        mpfr_mul_ui(ratio, odds, n - i, MPFR_RNDN);
        mpfr_div_ui(ratio, ratio, i + 1, MPFR_RNDN);
        mpfr_mul(term, term, ratio, MPFR_RNDN);
        mpfr_add(sum, sum, term, MPFR_RNDN);
        mpfr_mul_d(ratio, term, 1e25, MPFR_RNDN);
        if (mpfr_cmp(ratio, sum) < 0) break;
    }
    mpfr_log(sum, sum, MPFR_RNDN);
    double result = mpfr_get_d(sum, MPFR_RNDN);
    mpfr_clears(sum, term, odds, ratio, (mpfr_ptr)0);
    r_release(mark);
    return result;
}

static void tails_agree(void **state) {
    (void)state;
    draw_source source = {1};
    double worst = 0;
    for (int i = 0; i < 200; i++) {
        uint64_t n = (uint64_t)draw_log_uniform(&source, 2, i % 20 ? 1e6 : 1e9);
        double p = draw_chance(&source, 0.5) ? draw_uniform(&source, 0.01, 0.99)
                                             : fmin(0.5, draw_log_uniform(&source, 0.1, 1e4) / (double)n);
        double width = sqrt((double)n * p * (1 - p)), k = ceil((double)n * p + draw_uniform(&source, 0, 8) * width + 1);
        if (k > (double)n) continue;
        double truth = true_above((uint64_t)k, n, p), found = dpn_binomial_log_above((uint64_t)k, n, p);
        worst = fmax(worst, fabs(found - truth));
        if (!(fabs(found - truth) < 1e-10))
            fail_msg("n %g p %.17g k %g: %.17g, not %.17g", (double)n, p, k, found, truth);
        double mirrored = dpn_binomial_log_below(n - (uint64_t)k, n, 1 - p); /* 1 - p is rounded */
        if (!(fabs(mirrored - truth) < 1e-6)) fail_msg("n %g p %.17g k %g mirrored", (double)n, p, k);
        double rest = dpn_binomial_log_below((uint64_t)k - 1, n, p);
        assert_true(fabs(exp(rest) + exp(found) - 1) < 1e-10);
    }
    print_message("# largest error of a tail: %.2g\n", worst);
    assert_true(worst > 0);
    r_free_all();
}

/* The tail at the bound is at most alpha, and above it a little further in. */
static void bounds_are_those_of_clopper_and_pearson(void **state) {
    (void)state;
    draw_source source = {2};
    for (int i = 0; i < 80; i++) {
        uint64_t n = (uint64_t)draw_log_uniform(&source, 1000, i % 20 ? 1e6 : 1e9);
        uint64_t k = draw_chance(&source, 0.3) ? (uint64_t)draw_log_uniform(&source, 1, 1000)
                                               : (uint64_t)draw_uniform(&source, 1, (double)n);
        double alpha = draw_log_uniform(&source, 1e-12, 0.1), seen = (double)k / (double)n;
        if (k >= n) continue;
        double lower = dpn_proportion_lower(k, n, alpha), upper = dpn_proportion_upper(k, n, alpha);
        assert_true(0 < lower && lower < seen && seen < upper && upper <= 1);
        double inner = lower + 1e-6 * (seen - lower);
        assert_true(true_above(k, n, lower) <= log(alpha));
        assert_true(true_above(k, n, inner) > log(alpha));
        /* P(X <= k) under p is P(X >= n - k) under 1 - p; rounding 1 - p moves p by less than the bounds are moved, if p
         * is not small. */
        if (seen < 0.01) continue;
        assert_true(true_above(n - k, n, 1 - upper) <= log(alpha) + 1e-7);
        assert_true(true_above(n - k, n, 1 - (upper - 1e-6 * (upper - seen))) > log(alpha));
    }
    r_free_all();
}

static void ends(void **state) {
    (void)state;
    for (uint64_t n = 1000; n <= 1000000000; n *= 1000) {
        double log_alpha = log(1e-6);
        assert_true(dpn_proportion_lower(0, n, 1e-6) == 0 && dpn_proportion_upper(n, n, 1e-6) == 1);
        double upper = dpn_proportion_upper(0, n, 1e-6), lower = dpn_proportion_lower(n, n, 1e-6);
        assert_true(upper >= -expm1(log_alpha / (double)n) && upper <= -expm1(log_alpha / (double)n) * (1 + 1e-8));
        assert_true(lower <= exp(log_alpha / (double)n) && lower >= exp(log_alpha / (double)n) * (1 - 1e-8));
        double one = dpn_proportion_lower(1, n, 1e-6); /* 1 - (1 - p)^n = alpha */
        assert_true(fabs(one / -expm1(log1p(-1e-6) / (double)n) - 1) < 1e-7);
        assert_true(dpn_proportion_upper(n - 1, n, 1e-6) >= 1 - one);
    }
}

/* By adding up probabilities. */
static void rare_counts(void **state) {
    (void)state;
    draw_source source = {3};
    for (int i = 0; i < 100; i++) {
        uint64_t n = (uint64_t)draw_log_uniform(&source, 10, 2000), rare = 0;
        double p = draw_uniform(&source, 0.001, 0.999), alpha = draw_log_uniform(&source, 1e-9, 0.4), sum = 0;
        size_t mark = r_mark();
        for (uint64_t c = 0; c <= n; c++) {
            sum += mpfr_get_d(mass(c, n, p), MPFR_RNDN);
            if (sum > alpha) break;
            rare++;
        }
        r_release(mark);
        assert_int_equal(dpn_binomial_rare(n, p, alpha), rare);
    }
    r_free_all();
}

int main(void) {
    r_precision(200);
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(tails_agree),
        cmocka_unit_test(bounds_are_those_of_clopper_and_pearson),
        cmocka_unit_test(ends),
        cmocka_unit_test(rare_counts),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
