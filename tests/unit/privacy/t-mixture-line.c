/* The line of the contour sum for samples, piece by piece: products, kernels and sums against complex arithmetic, and their errors against values that are moved
 * as far as the errors allow. */
#include "privacy/sampling/mixture-line.c" /* to see each piece */

#include "reference/draw.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

enum { TURNS = 16 };

static double complex direction(int i) {
    return cexp(I * (2 * DPN_PI * i / TURNS));
}

static double complex value_of(double log_size, double angle) {
    return cexp(log_size + I * angle);
}

/* Powers of two factors, which are known up to an error in any direction. */
static void products_are_within_their_errors(void **state) {
    (void)state;
    draw_source source = {71};
    size_t close = 0;
    for (int trial = 0; trial < 300; trial++) {
        double complex factor[2];
        double error[2], times[2];
        node product = {0};
        for (int i = 0; i < 2; i++) {
            factor[i] = draw_log_uniform(&source, 1e-6, 0.7) * direction(trial % TURNS + i);
            times[i] = floor(draw_log_uniform(&source, 1, 40));
            error[i] = draw_log_uniform(&source, 1e-12, 2e-3);
            multiply(&product, creal(factor[i]), cimag(factor[i]), error[i], times[i]);
        }
        double complex exact = cpow(1 + factor[0], times[0]) * cpow(1 + factor[1], times[1]);
        assert_true(isfinite(product.error));
        assert_true(cabs(value_of(product.log_size, product.angle) / exact - 1) < 1e-11);
        double worst = 0;
        for (int i = 0; i < TURNS; i++) {
            double complex moved = cpow(1 + factor[0] + error[0] * direction(i), times[0]) *
                                   cpow(1 + factor[1] + error[1] * direction(i + 3), times[1]);
            worst = fmax(worst, cabs(clog(moved / exact)));
        }
        if (!(product.error >= worst * (1 - 1e-6))) fail_msg("error %g, moved by %g", product.error, worst);
        close += product.error < 4 * worst;
    }
    assert_true(close > 200);
    node lost = {0}; /* an error as large as the value leaves a bound of the size */
    multiply(&lost, -0.5, 0.1, 0.3, 3);
    assert_true(isinf(lost.error) && fabs(lost.log_size - 3 * log(hypot(0.5, 0.1) + 0.3)) < 1e-12);
    multiply(&lost, -0.1, 0, 0.3, 2);
    assert_true(fabs(lost.log_size - 3 * log(hypot(0.5, 0.1) + 0.3)) < 1e-12); /* at most 1 */
}

/* (phi/(phi - C))^n */
static void ratios_are_within_their_errors(void **state) {
    (void)state;
    draw_source source = {72};
    size_t close = 0, known = 0;
    for (int trial = 0; trial < 300; trial++) {
        double complex phi = draw_uniform(&source, 0.4, 1) * direction(trial % TURNS);
        double complex big = draw_log_uniform(&source, 1e-6, 0.3) * direction((int)draw_uniform(&source, 0, TURNS));
        double times = floor(draw_log_uniform(&source, 1, 40)), far = draw_log_uniform(&source, 1e-12, 1e-4),
               away = draw_log_uniform(&source, 1e-12, 1e-4);
        node product = {0};
        multiply_ratio(&product, phi, big, far, away, times);
        if (isinf(product.ratio_error)) continue;
        known++;
        double complex exact = times * clog(phi / (phi - big));
        assert_true(cabs(product.log_ratio + I * product.ratio_angle - exact) < 1e-11 * (1 + times));
        double worst = 0;
        for (int i = 0; i < TURNS; i++)
            for (int k = 0; k < TURNS; k += 2) {
                double complex moved = phi + far * direction(i), also = big + away * direction(k);
                worst = fmax(worst, cabs(times * clog(moved / (moved - also)) - exact));
            }
        if (!(product.ratio_error >= worst * (1 - 1e-6))) fail_msg("error %g, moved by %g", product.ratio_error, worst);
        close += product.ratio_error < 6 * worst;
    }
    assert_true(known > 250 && close > 100);
}

static void nodes_are_the_transform(void **state) {
    (void)state;
    draw_source source = {73};
    for (int trial = 0; trial < 200; trial++) {
        double re[4], im[4], error[4], size[4], log_share = draw_uniform(&source, -3, 0);
        bool rest = trial % 2, middle = trial % 3 == 0;
        dpn_mixture_line line = {
            .re = re, .im = im, .error = error, .size = size, .step = draw_uniform(&source, 0.1, 3)};
        line.middle = middle;
        line.theta = middle ? draw_uniform(&source, -0.9, -0.1) : draw_log_uniform(&source, 0.1, 20);
        size_t j = (size_t)trial % 4;
        node n = {.log_size = draw_uniform(&source, -5, 0), .angle = draw_uniform(&source, -9, 9), .error = 1e-5};
        n.log_ratio = draw_uniform(&source, -0.5, 2);
        n.ratio_angle = draw_uniform(&source, -3, 3);
        n.ratio_error = draw_log_uniform(&source, 1e-9, 0.1);
        settle_node(&line, j, &n, rest, log_share);
        double complex ratio = n.log_ratio + I * n.ratio_angle, phi = cexp(n.log_size - log_share + I * n.angle);
        double complex exact = rest ? phi * (1 - cexp(-ratio)) : phi;
        assert_true(cabs(re[j] + I * im[j] - exact) <= 1e-13 * (cabs(exact) + cabs(phi)) + 1e-300);
        double worst = 0;
        for (int i = 0; i < TURNS; i++)
            for (int k = 0; k < TURNS; k += 2) {
                double complex moved = phi * cexp(n.error * direction(i));
                if (rest) moved *= 1 - cexp(-ratio + n.ratio_error * direction(k));
                worst = fmax(worst, cabs(moved - exact));
            }
        if (!(error[j] >= worst * (1 - 2e-5))) fail_msg("error %g, moved by %g", error[j], worst);
        assert_true(error[j] < 3 * worst);
        /* Times 1/z(1 + z), twice for the mirror image. */
        double before = error[j];
        double complex z = line.theta + I * ((double)j * line.step), kernel = (j ? 2 : 1) / (z * (1 + z));
        weigh_node(&line, j);
        double complex weighed = exact * (middle ? -kernel : kernel);
        assert_true(cabs(re[j] + I * im[j] - weighed) <= 1e-12 * cabs(weighed) + 1e-300);
        assert_true(fabs(error[j] - before * cabs(kernel)) <= 1e-12 * error[j]);
        assert_true(fabs(size[j] - cabs(weighed)) <= 1e-12 * size[j] + 1e-300);
    }
    double re[1], im[1], error[1], size[1]; /* what is not known is at most its size */
    dpn_mixture_line line = {.re = re, .im = im, .error = error, .size = size};
    settle_node(&line, 0, &(node){.log_size = -2, .error = INFINITY}, false, -1);
    assert_true(re[0] == 0 && im[0] == 0 && fabs(error[0] - exp(-1)) < 1e-12);
    settle_node(&line, 0, &(node){.log_size = -2, .error = 0.25, .ratio_error = INFINITY}, true, -1);
    assert_true(error[0] >= 2 * exp(-0.75) * (1 - 1e-12));
}

static void nodes_are_added_up(void **state) {
    (void)state;
    enum { COUNT = 200 };
    static double re[COUNT + 1], im[COUNT + 1], error[COUNT + 1], size[COUNT + 1];
    draw_source source = {74};
    for (int trial = 0; trial < 40; trial++) {
        dpn_mixture_line line = {.re = re, .im = im, .error = error, .size = size};
        line.count = trial ? (size_t)draw_uniform(&source, 0, COUNT) : COUNT;
        line.step = draw_log_uniform(&source, 0.01, 10);
        double epsilon = draw_uniform(&source, 0, 8), doubt, truth = 0, errors = 0, sizes = 0;
        for (size_t j = 0; j <= line.count; j++) {
            double complex value = draw_log_uniform(&source, 1e-6, 1) * cexp(I * draw_uniform(&source, 0, 6));
            re[j] = creal(value);
            im[j] = cimag(value);
            size[j] = cabs(value);
            error[j] = draw_log_uniform(&source, 1e-9, 1e-3);
            truth += creal(value * cexp(-I * ((double)j * line.step * epsilon)));
            errors += error[j];
            sizes += size[j];
        }
        double sum = nodes_at(&doubt, &line, epsilon);
        assert_true(fabs(sum - truth) <= 1e-11 * sizes);
        assert_true(doubt >= errors * (1 - 1e-12) && doubt <= errors + 1e-10 * sizes * (1 + epsilon * line.step));
    }
}

static void factors_and_moments(void **state) {
    (void)state;
    for (double rho = 0.01; rho < 50; rho *= 1.7) { /* the largest (1 - e^-y) e^(-rho y) over y > 0 */
        double top = 0;
        for (double y = 1e-3; y < 60; y *= 1.001) top = fmax(top, -expm1(-y) * exp(-rho * y));
        assert_true(fabs(dpn_mixture_chernoff_factor(false, rho) - top) < 1e-6 * top);
        assert_true(dpn_mixture_chernoff_factor(true, -0.5) == 1 && dpn_mixture_chernoff_factor(false, 0) == 1);
    }
    draw_source source = {75};
    for (int trial = 0; trial < 50; trial++) { /* a mixture of two measures, and one of them without the other */
        double small = draw_uniform(&source, 0.05, 0.95),
               mean[2] = {draw_uniform(&source, -1, 1), draw_uniform(&source, 1, 4)};
        double variance[2] = {draw_uniform(&source, 0.1, 1), draw_uniform(&source, 0.1, 3)};
        whole w = {.value = dpn_two(0.7), .error = 1e-9, .big = -log(small), .big_error = 1e-7};
        w.mean = small * mean[0] + (1 - small) * mean[1];
        w.variance = small * (variance[0] + mean[0] * mean[0]) + (1 - small) * (variance[1] + mean[1] * mean[1]) -
                     w.mean * w.mean;
        w.small_mean = mean[0];
        w.small_variance = variance[0];
        dpn_mixture_cumulants k;
        assert_int_equal(without_small(&k, &w, NULL), DPN_OK);
        assert_true(fabs(k.mean - mean[1]) < 1e-9 && fabs(k.variance - variance[1]) < 1e-9);
        assert_true(fabs(dpn_two_value(k.value) - 0.7 - log(1 - small)) < 1e-12);
        /* log(1 - e^-b) moves by at most this much for b within its error */
        assert_true(k.error >= w.error + fabs(log(expm1(w.big + w.big_error) / expm1(w.big)) - w.big_error));
    }
    assert_true(log_end(1, 0.1, 0, 1) == -INFINITY && log_end(1, 0.1, -1, -1) == -INFINITY);
    assert_true(log_end(2, 0.25, exp(1), 1) >= 3.25 && log_end(2, 0.25, exp(1), 1) < 3.2500001);
    assert_true(log_end(2, 0.25, exp(1), -1) <= 2.75 && log_end(2, 0.25, exp(1), -1) > 2.7499999);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(products_are_within_their_errors),
        cmocka_unit_test(ratios_are_within_their_errors),
        cmocka_unit_test(nodes_are_the_transform),
        cmocka_unit_test(nodes_are_added_up),
        cmocka_unit_test(factors_and_moments),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
