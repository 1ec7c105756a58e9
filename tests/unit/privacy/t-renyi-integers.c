/* Divergences of noise on the integers: quotients of theta functions and geometric sums against their terms in long doubles, and the units of rounding that
 * each claims. */
#include "privacy/renyi/integers.c" /* to see each piece */

#include "case.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

static void near(double got, long double wanted, double relative, const char *what) {
    if (!(fabsl(got - wanted) <= relative * fabsl(wanted))) fail_msg("%s: %.17g, not %.17Lg", what, got, wanted);
}

/* ---- Gaussian noise ---- */

/* N(a) = sum over k of e^(-(k - a)^2/2 sigma^2) */
static long double theta_sum(double sigma, long double a) {
    long double sum = 0, reach = 12 * sigma + 2;
    for (long double k = floorl(a - reach); k <= a + reach; k++)
        sum += expl(-(k - a) * (k - a) / (2 * (long double)sigma * sigma));
    return sum;
}

static void quotients_of_theta_functions(void **state) {
    (void)state;
    for (double f = -0.5; f <= 0.5; f += 1.0 / 64) {
        for (double sigma = 0.5; sigma < 1.7; sigma += 0.05) { /* beyond, the quotient is 1 to within a long double */
            long double truth = logl(theta_sum(sigma, f) / theta_sum(sigma, 0));
            assert_true(fabsl(log_ratio_dual(sigma, f) - truth) <=
                        4e-16L * (2 + 20 * sigma * sigma) * fabsl(truth) + 4e-18L);
        }
        for (double sigma = 0.06; sigma <= 0.55; sigma += 0.035) {
            long double truth =
                logl(theta_sum(sigma, f) / theta_sum(sigma, 0)) + f * f / (2 * (long double)sigma * sigma);
            double size = 0.5 / (sigma * sigma);
            assert_true(fabsl(log_ratio_direct(sigma, f) - truth) <= 4e-16L * truth * (1 + size) + 4e-18L);
        }
        for (double sigma = 1.7; sigma < 5; sigma += 0.3) /* as its first term: -4 e^(-2 pi^2 sigma^2) sin^2 pi f */
            near(log_ratio_dual(sigma, f),
                 -4 * expl(-2 * 9.869604401089358618834L * sigma * sigma) * powl(sinl(3.14159265358979323846L * f), 2),
                 2e-13, "far");
    }
    assert_true(log_ratio_dual(0.5, 0) == 0 && log_ratio_direct(0.3, 0) == 0 && log_ratio_dual(20, 0.3) == 0);
}

/* (1 + theta) d^2/2 sigma^2 + log(N(theta d)/N(0))/theta: 16 units of the sizes of both, for a narrow sigma 64 of the exponents. */
static void gaussian_noise(void **state) {
    (void)state;
    draw_source source = {351};
    for (int trial = 0; trial < 2000; trial++) {
        double sigma = trial % 2 ? draw_uniform(&source, 0.5, 1.6) : draw_uniform(&source, 0.08, 0.5),
               d = floor(draw_log_uniform(&source, 1, 30));
        double theta = trial % 5 == 0 ? draw_uniform(&source, 0.01, 6) : draw_log_uniform(&source, 1e-3, 300);
        if (trial % 11 == 0) theta = floor(theta) + 0.5;
        dpn_growth got = gaussian(sigma, d, theta);
        long double x = (long double)theta * d, f = x - roundl(x),
                    square = (long double)d * d / (2 * (long double)sigma * sigma);
        long double ratio = logl(theta_sum(sigma, f) / theta_sum(sigma, 0)) / theta,
                    truth = (1 + (long double)theta) * square + ratio;
        near(got.value, truth, fmin(got.error, 1e-11), "divergence");
        if (sigma >= 0.5)
            near(got.error, 16 * DBL_EPSILON * ((1 + theta) * square - ratio) / truth, 1e-9, "error");
        else {
            long double rest = ratio + f * f / (2 * (long double)sigma * sigma) / theta;
            near(got.error, 64 * DBL_EPSILON * (1 + rest / (sigma * sigma) / truth), 1e-6, "error of a narrow law");
        }
        if (trial % 50) continue;
        dpn_growth first = gaussian(sigma, d, 0); /* order 1 */
        near(first.value, square, 4e-16, "order 1");
        assert_true(first.error == 8 * DBL_EPSILON);
    }
}

/* ---- Laplace noise ---- */

/* (M - 1)/theta, by all atoms: the gains of the half where the loss is not negative. */
static long double gain_of(double r, double d, double theta) {
    long double sum = 0, rate = r;
    for (double j = 1; 2 * j <= d; j++) {
        long double loss = rate * (d - 2 * j), growth = theta > 0 ? expm1l(theta * loss) / theta : loss;
        sum += (2 * j == d ? 0.5L : 1) * expl(-rate * j) * growth * -expm1l(-(1 + (long double)theta) * loss);
    }
    long double loss = rate * d, growth = theta > 0 ? expm1l(theta * loss) / theta : loss;
    sum += growth * -expm1l(-(1 + (long double)theta) * loss) / -expm1l(-rate);
    return sum * -expm1l(-rate) / (1 + expl(-rate));
}

static long double of_gain(double theta, long double gain) {
    return theta > 0 ? log1pl(theta * gain) / theta : gain;
}

static void laplace_noise(void **state) {
    (void)state;
    draw_source source = {352};
    int logarithms = 0, gains = 0;
    for (int trial = 0; trial < 600; trial++) {
        double scale = draw_log_uniform(&source, 0.1, 1e4),
               d = floor(draw_log_uniform(&source, 1, trial % 3 ? 40 : 3000));
        double theta = trial % 6 ? draw_log_uniform(&source, 1e-4, 50) : 0;
        if (theta * d / scale > 5000) continue;
        dpn_growth got = laplace(scale, d, theta);
        long double truth = of_gain(theta, gain_of(1 / scale, d, theta)), largest = d / (long double)scale;
        near(got.value, truth, 1e-13, "divergence");
        if (theta * truth >= DPN_WEAK) {
            near(got.error, 1e-12 + 64 * DBL_EPSILON * (2 * theta * largest - theta * truth) / (theta * truth), 1e-9,
                 "error");
            logarithms++;
        } else {
            assert_true(got.error == 1e-12);
            gains++;
        }
        dpn_growth weak = weak_laplace(1 / scale, d, theta);
        if (theta * largest < 600) near(weak.value, truth, 1e-13, "by gains");
    }
    assert_true(logarithms > 50 && gains > 200);
}

/* Many atoms are added as if they were an integral; up to 8192 one by one. */
static void many_atoms(void **state) {
    (void)state;
    for (double d = 16382; d < 16387; d++)
        for (double theta = 0; theta < 30; theta = 6 * theta + 0.1) {
            double scale = 2 * d * (1 + theta);
            dpn_growth got = laplace(scale, d, theta);
            near(got.value, of_gain(theta, gain_of(1 / scale, d, theta)), 2e-13, "divergence");
            bool few = floor(0.5 * d) < 8192;
            if (few) assert_true(got.error == 1e-12);
            if (!few) assert_true(got.error >= DPN_SMOOTH_ERROR && got.error <= 1.001 * DPN_SMOOTH_ERROR);
        }
    /* In the limit that of noise on the line. */
    for (double d = 1e5; d < 1e12; d *= 30)
        for (double e = 1e-3; e < 2; e *= 5)
            for (double theta = 1e-3; theta < 1e4; theta *= 50) {
                long double x = e, a = 1 + (long double)theta,
                            line = (expl(theta * x) * a + theta * expl(-a * x)) / (2 * a - 1);
                if (theta * x > 1000) continue;
                long double truth =
                    theta * x > 1e-3L
                        ? logl(line) / theta
                        : of_gain(theta, (a * expm1l(theta * x) + theta * expm1l(-a * x)) / (2 * a - 1) / theta);
                dpn_growth got = laplace(d / e, d, theta);
                near(got.value, truth, 1e-9, "wide");
                assert_true(got.error <= 1.1e-9);
            }
    ladder at = {0.25, 6, 1.5};
    for (double j = 1; j <= 3; j++) {
        double loss = 0.25 * (6 - 2 * j);
        near(gain_at(&at, j),
             (j == 3 ? 0.5L : 1) * expl(-0.25L * j) * expm1l(1.5L * loss) / 1.5L * -expm1l(-2.5L * loss), 1e-15,
             "gain");
    }
    at.shift = 3;
    near(gain_at(&at, 1), expl(-0.25L) * expm1l(0.375L) / 1.5L * -expm1l(-0.625L), 1e-15, "gain");
}

static void each_law_has_its_way(void **state) {
    (void)state;
    dpn_law gauss = case_law("discrete-gaussian(sigma=1.3)"), lap = case_law("discrete-laplace(scale=2.5)"),
            other = case_law("discrete-osgt(m=1,sigma=2)");
    dpn_law member = case_law("discrete-osgt(m=0,sigma=1.3)");
    for (double theta = 0; theta < 9; theta = 2 * theta + 0.3) {
        dpn_growth a = dpn_integers_divergence(&gauss, 3, theta), b = gaussian(1.3, 3, theta),
                   c = dpn_integers_divergence(&member, 3, theta);
        assert_true(a.value == b.value && a.error == b.error && c.value == b.value);
        a = dpn_integers_divergence(&lap, 3, theta), b = laplace(2.5, 3, theta);
        assert_true(a.value == b.value && a.error == b.error);
        a = dpn_integers_divergence(&other, 3, theta), b = dpn_terms_divergence(&other, 3, theta);
        assert_true(a.value == b.value && a.error == b.error);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(quotients_of_theta_functions),
        cmocka_unit_test(gaussian_noise),
        cmocka_unit_test(laplace_noise),
        cmocka_unit_test(many_atoms),
        cmocka_unit_test(each_law_has_its_way),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
