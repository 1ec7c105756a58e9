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

/* ---- ends of delta, of a line that is made by hand ---- */

static void ends_leave_room_for_all_errors(void **state) {
    (void)state;
    draw_source source = {76};
    for (int trial = 0; trial < 200; trial++) {
        double re[1] = {draw_uniform(&source, 0.5, 2)}, im[1] = {0}, error[1] = {draw_log_uniform(&source, 1e-9, 1e-2)},
               size[1] = {re[0]};
        bool middle = trial % 2;
        double theta = middle ? -draw_uniform(&source, 0.2, 0.8) : draw_uniform(&source, 0.5, 3),
               epsilon = draw_uniform(&source, 0, 5);
        dpn_mixture_line line = {.middle = middle,
                                 .theta = theta,
                                 .step = draw_uniform(&source, 0.05, 0.3),
                                 .re = re,
                                 .im = im,
                                 .error = error,
                                 .size = size};
        line.k = (dpn_mixture_cumulants){dpn_two(draw_uniform(&source, -3, 0) + theta * epsilon),
                                         draw_log_uniform(&source, 1e-9, 1e-2), 0, 1};
        line.tail = draw_log_uniform(&source, 1e-9, 1e-2);
        line.lower = (dpn_mixture_side){draw_uniform(&source, -1, 1), theta - draw_uniform(&source, 0.1, 0.4)};
        line.upper = (dpn_mixture_side){draw_uniform(&source, -1, 1), theta + draw_uniform(&source, 0.1, 0.2)};
        long double unit = (long double)line.k.value.hi - theta * (long double)epsilon,
                    period = 2 * (long double)DPN_PI / line.step, alias = 0, doubt = line.k.error;
        const dpn_mixture_side *sides[] = {&line.lower, &line.upper};
        for (int i = 0; i < 2;
             i++) { /* the sum over k T of the geometric series, in the unit of the line, which may be too large */
            long double rate = fabsl(sides[i]->rho - theta),
                        first = expl(sides[i]->log_size - sides[i]->rho * epsilon - unit + doubt), sum = 0;
            for (int k = 1; k < 4000; k++) sum += first * expl(-rate * k * period);
            assert_true(fabs(alias_of(&line, *sides[i], epsilon, (double)period) / (double)sum - 1) < 1e-9);
            alias += sum;
        }
        long double value = line.step * re[0] / (2 * (long double)DPN_PI),
                    above = line.step * error[0] / (2 * (long double)DPN_PI) + line.tail;
        double lower, upper;
        dpn_mixture_line_delta(&lower, &upper, &line, epsilon);
        long double least = value - above - alias > 0 ? expl(unit - 2 * doubt) * (value - above - alias) : 0,
                    most = expl(unit + 2 * doubt) * (value + above);
        if (middle) { /* of 1 - delta */
            long double swap = fmaxl(0, 1 - most);
            most = 1 - fminl(1, least);
            least = swap;
        }
        most = fminl(1, most);
        if (!(expl(lower) <= least * (1 + 1e-14L) + 1e-14L && expl(lower) >= least * (1 - 1e-10L) - 1e-12L))
            fail_msg("lower %g, not %Lg", exp(lower), least);
        if (!(expl(upper) >= most * (1 - 1e-14L) - 1e-14L && expl(upper) <= most * (1 + 1e-10L) + 1e-12L))
            fail_msg("upper %g, not %Lg", exp(upper), most);
    }
    for (double size = -600; size < 0; size *= 0.5) { /* logarithms are rounded */
        double x = 0.1 + size / 1e4, log_x = log(x);
        assert_true(log_end(size, 0, x, 1) >= size + log_x + 1.5 * DBL_EPSILON * fabs(size) &&
                    log_end(size, 0, x, -1) <= size + log_x - 1.5 * DBL_EPSILON * fabs(size));
    }
    for (int trial = 0; trial < 50; trial++) { /* so are those that are added up at the nodes, with no other error */
        node product = {0};
        double times = floor(draw_log_uniform(&source, 1, 1e6)), re = draw_uniform(&source, -0.9, -0.1),
               im = draw_uniform(&source, -0.5, 0.5);
        multiply(&product, re, im, 0, times);
        long double complex truth = times * clogl(1 + (long double)re + I * (long double)im);
        long double rounding = 4 * ROUND * cabsl(truth),
                    away = cabsl(product.log_size + I * (long double)product.angle - truth);
        assert_true(product.error >= rounding && product.error >= away && product.error <= 12 * rounding);
    }
    for (int trial = 0; trial < 50; trial++) { /* the share of big losses may be off by so much */
        double big = draw_log_uniform(&source, 1e-4, 3), off = draw_uniform(&source, 0.01, 0.29);
        whole w = {.value = dpn_two(0),
                   .error = 1e-3,
                   .big = big,
                   .big_error = off * big,
                   .variance = 1,
                   .small_variance = 0.1};
        dpn_mixture_cumulants k;
        assert_int_equal(without_small(&k, &w, NULL), DPN_OK);
        double change = log(expm1(-big) / expm1(-big * (1 - off)));
        assert_true(k.error >= 1e-3 + change && k.error <= 1e-3 + 2.001 * off);
        w.big_error = 0.301 * big;
        dpn_error why;
        assert_int_equal(without_small(&k, &w, &why), DPN_EACCURACY);
    }
}

/* ---- whole lines, where everything is known: at the rate 1 the loss is Gaussian ---- */

typedef struct everybody {
    dpn_mixtures all;
    dpn_mixture_term term[2];
    long double square; /* of the sensitivity of all steps */
} everybody;

static void make_everybody(everybody *e, double ratio, double times, double other, double others) {
    *e = (everybody){.all = {.terms = others > 0 ? 2 : 1},
                     .square = times * (long double)ratio * ratio + others * (long double)other * other};
    e->all.term = e->term;
    for (int i = 0; i < 2; i++) {
        e->term[i].mixture = (dpn_mixture){.ratio = i ? other : ratio, .rate = 1, .cut = INFINITY, .split = -INFINITY};
        e->term[i].times = i ? others : times;
    }
}

static void free_everybody(everybody *e) {
    for (int i = 0; i < 2; i++) {
        dpn_mixture_rule_free(&e->term[i].rule);
        dpn_mixture_decay_free(&e->term[i].decay);
    }
}

static long double gaussian_delta(long double square, long double epsilon) {
    long double c = sqrtl(square);
    return 0.5L * erfcl((epsilon / c - c / 2) / sqrtl(2)) -
           0.5L * expl(epsilon) * erfcl((epsilon / c + c / 2) / sqrtl(2));
}

/* log E e^(theta L), and of how it is less at theta + i omega. */
static long double cumulant(long double square, long double theta) {
    return 0.5L * theta * (1 + theta) * square;
}

static const double setting[][6] = {/* ratio, times, ratio, times, theta, epsilon */
                                    {1, 4, 0, 0, 1.5, 6},   {0.3, 50, 0, 0, 2, 9},      {0.5, 8, 0.25, 16, 3, 8},
                                    {1, 4, 0, 0, -0.5, -3}, {0.3, 30, 0.6, 3, -0.4, 0}, {2, 1, 0, 0, 0.7, 3}};
enum { SETTINGS = sizeof setting / sizeof *setting };

static void cumulants_of_all_steps(void **state) {
    (void)state;
    for (int k = 0; k < SETTINGS; k++)
        for (int absent = 0; absent < 2; absent++) {
            everybody e;
            const double *s = setting[k];
            make_everybody(&e, s[0], s[1], s[2], s[3]);
            e.all.absent = absent;
            dpn_mixture_cumulants out;
            dpn_error why;
            assert_int_equal(dpn_mixture_tilt(&out, &e.all, s[4], 1e-9, &why), DPN_OK);
            long double truth = cumulant(e.square, s[4]);
            assert_true(fabsl(dpn_two_value(out.value) - truth) <= out.error && out.error < 1e-8);
            assert_true(fabsl(out.mean / ((0.5L + s[4]) * e.square) - 1) < 1e-6L || s[4] == -0.5);
            assert_true(fabsl(out.variance / e.square - 1) < 1e-5L);
            double effort = 0; /* each step of one kind costs its points, and a hundred more */
            for (size_t i = 0; i < e.all.terms; i++) effort += 100 + e.term[i].rule.effort;
            assert_true(e.all.spent == effort);
            e.all.spent = DPN_MIXTURE_PATIENCE;
            assert_int_equal(dpn_mixture_tilt(&out, &e.all, s[4], 1e-9, &why),
                             e.all.terms == 1 ? DPN_OK : DPN_EACCURACY);
            e.all.spent = DPN_MIXTURE_PATIENCE + 1;
            assert_int_equal(dpn_mixture_tilt(&out, &e.all, s[4], 1e-9, &why), DPN_EACCURACY);
            assert_string_equal(why.sentence, "the contour sum takes too many nodes");
            e.all.spent = 0;
            assert_int_equal(dpn_mixture_tilt(&out, &e.all, 1e5, 1e-9, &why), DPN_EACCURACY);
            assert_string_equal(why.sentence, "the contour sum of the sampled steps takes too many points");
            free_everybody(&e);
        }
}

static void lines_are_as_long_as_they_need(void **state) {
    (void)state;
    for (int k = 0; k < SETTINGS; k++)
        for (double tolerance = 1e-9; tolerance < 1e-2; tolerance *= 1e3) {
            everybody e;
            const double *s = setting[k];
            double theta = s[4], epsilon = s[5];
            make_everybody(&e, s[0], s[1], s[2], s[3]);
            dpn_mixture_cumulants out;
            dpn_mixture_line line = {0};
            dpn_error why;
            bool middle = theta < 0;
            assert_int_equal(dpn_mixture_tilt(&out, &e.all, theta, 1e-9, &why), DPN_OK);
            dpn_mixture_line_set(&line, &out, middle, theta);
            long double curvature = e.square + 1 / (theta * theta) + 1 / ((1 + theta) * (1 + theta));
            assert_true(fabsl(line.width * sqrtl(curvature) - 1) < 1e-5L);
            assert_true(fabsl(line.estimate -
                              line.width / sqrtl(2 * (long double)DPN_PI) / fabsl(theta * (1 + theta))) < 1e-12L);
            line.tolerance = tolerance;
            assert_int_equal(dpn_mixture_line_make(&line, &e.all, epsilon, 1e8, &why), DPN_OK);
            /* Each node is the transform over z (1 + z). */
            assert_int_equal(line.count, (size_t)ceil(line.omega / line.step));
            long double beyond = 0, period = 2 * (long double)DPN_PI / line.step, alias = 0,
                        unit = cumulant(e.square, theta) - theta * epsilon;
            for (size_t j = 0; j <= line.count || j < line.count + 2000; j++) {
                long double omega = j * (long double)line.step;
                long double complex z = theta + I * omega,
                                    phi = cexpl(0.5L * z * (1 + z) * e.square - cumulant(e.square, theta));
                long double complex kept = (j ? 2 : 1) * phi / (z * (1 + z)) * (middle ? -1 : 1);
                if (j > line.count)
                    beyond += cabsl(kept) * line.step / (2 * (long double)DPN_PI);
                else if (!(cabsl(line.re[j] + I * line.im[j] - kept) <= line.error[j]))
                    fail_msg("node %zu is %Lg away, error %g", j, cabsl(line.re[j] + I * line.im[j] - kept),
                             line.error[j]);
            }
            assert_true(line.tail >= beyond && line.tail <= 0.1 * tolerance &&
                        line.tail == tail_beyond(&line, &e.all, line.omega));
            assert_true(line.omega == line.width || tail_beyond(&line, &e.all, 0.9 * line.omega) > 0.1 * tolerance);
            for (double further = 1; further < 3;
                 further *= 1.4) { /* of the transform, and of the sum of all beyond: the integral of the kernel */
                long double w = further * line.omega;
                assert_true(transform_beyond(&e.all, (double)w) >= expl(-0.5L * w * w * e.square));
                long double near = middle ? fminl(-theta, 1 + theta) : theta,
                            kernel = atanl(near / w) / (near * (long double)DPN_PI);
                assert_true(fabsl(tail_beyond(&line, &e.all, (double)w) / transform_beyond(&e.all, (double)w) -
                                  kernel) < 1e-12L);
                long double sum = 0;
                for (int j = 0; j < 20000; j++)
                    sum += line.step / (long double)DPN_PI /
                           cabsl((theta + I * (w + (j + 1) * (long double)line.step)) *
                                 (1 + theta + I * (w + (j + 1) * (long double)line.step)));
                assert_true(kernel >= sum);
            }
            /* What the terms k != 0 of the sum add, on both sides. */
            for (int k0 = -8; k0 <= 8; k0++)
                if (k0) {
                    long double at = epsilon + k0 * period, value = gaussian_delta(e.square, at);
                    if (middle) value = at < 0 ? expl(at) * (1 - gaussian_delta(e.square, -at)) : 1 - value;
                    alias += fmaxl(0, value) * expl(theta * k0 * period - unit);
                }
            double both = alias_of(&line, line.lower, epsilon, (double)period) +
                          alias_of(&line, line.upper, epsilon, (double)period);
            if (!(both >= alias * (1 - 1e-3L) - 1e-15L)) fail_msg("setting %d: alias %Lg, bound %g", k, alias, both);
            assert_true(both <= 2.6e-2 * tolerance);
            bool shortest = period <= 2.0001L / line.width;
            if (!shortest)
                assert_true(alias_of(&line, line.lower, epsilon, 0.8 * (double)period) +
                                alias_of(&line, line.upper, epsilon, 0.8 * (double)period) >
                            1e-2 * tolerance);
            assert_true(line.lower.rho < theta && line.upper.rho > theta &&
                        (!middle || (line.lower.rho >= -1 && line.upper.rho <= 0)) && (middle || line.lower.rho >= 0));
            /* Nearby epsilons too. */
            for (double away = -0.05; away <= 0.06; away += 0.05) {
                double lower, upper;
                dpn_mixture_line_delta(&lower, &upper, &line, epsilon + away);
                long double truth = gaussian_delta(e.square, epsilon + away);
                if (!(lower <= logl(truth) && upper >= logl(truth)))
                    fail_msg("setting %d: [%.15g, %.15g], not %.15Lg", k, lower, upper, logl(truth));
                long double wide = 4 * tolerance * expl(unit) * 1.2L / fminl(truth, middle ? 1 - truth : 1);
                assert_true(expl(upper) - expl(lower) <= wide * truth * expl(fabsl(theta * away)) + 1e-12L);
            }
            double work = 0;
            for (size_t i = 0; i < e.all.terms; i++)
                work += dpn_mixture_turns_work(&e.term[i].rule, 1, line.step, line.omega);
            assert_true(line.work == work);
            assert_int_equal(dpn_mixture_line_make(&line, &e.all, epsilon, 0.51 * work, &why), DPN_OK);
            assert_int_equal(dpn_mixture_line_make(&line, &e.all, epsilon, 0.49 * work, &why), DPN_EACCURACY);
            assert_string_equal(why.sentence, "the contour sum takes too many nodes");
            dpn_mixture_line_free(&line);
            assert_true(!line.re && !line.im && !line.error && !line.size);
            free_everybody(&e);
        }
}

/* The rest after small losses: its transform at the nodes, by plain sums over the points of the rule, and the bound of it further out. */
static void what_is_left_of_small_losses(void **state) {
    (void)state;
    for (int trial = 0; trial < 4; trial++) {
        everybody e;
        make_everybody(&e, 1.5, 30, 2, trial % 2 ? 10 : 0);
        for (int i = 0; i < 2; i++) {
            e.term[i].mixture.rate = 0.02;
            e.term[i].mixture.steep = 1.5;
            e.term[i].mixture.split = trial < 2 ? 2 : 1;
        }
        e.all.rest = true;
        dpn_mixture_cumulants out;
        dpn_mixture_line line = {.tolerance = 1e-6};
        dpn_error why;
        assert_int_equal(dpn_mixture_tilt(&out, &e.all, 1.5, 1e-6, &why), DPN_OK);
        dpn_mixture_line_set(&line, &out, false, 1.5);
        line.tolerance = 1e-6;
        assert_int_equal(dpn_mixture_line_make(&line, &e.all, 1.5, 1e9, &why), DPN_OK);
        long double log_big = 0;
        for (size_t i = 0; i < e.all.terms; i++) log_big += e.term[i].times * log1pl(-(long double)e.term[i].rule.big);
        for (size_t j = 0; j <= line.count; j += 1 + line.count / 40) {
            long double omega = j * (long double)line.step;
            long double complex product = 1, left = 1;
            for (size_t i = 0; i < e.all.terms; i++) {
                const dpn_mixture_rule *rule = &e.term[i].rule;
                long double complex phi = 1, big = 0; /* phi - 1 is summed, as the masses do not add up to 1 */
                for (size_t l = 0; l < rule->count; l++) {
                    long double complex turn = cexpl(omega * (I * (long double)rule->re[l] - (long double)rule->im[l]));
                    phi += (rule->mass_re[l] + I * (long double)rule->mass_im[l]) * (turn - 1);
                    big += (rule->big_re[l] + I * (long double)rule->big_im[l]) * turn;
                }
                product *= cpowl(phi, e.term[i].times);
                left *= cpowl(1 - big / phi, e.term[i].times);
            }
            long double complex z = 1.5L + I * omega, ratio = product * (1 - left) / -expm1l(log_big),
                                kept = (j ? 2 : 1) * ratio / (z * (1 + z));
            if (!(cabsl(line.re[j] + I * line.im[j] - kept) <= line.error[j] + 1e-9L * cabsl(kept)))
                fail_msg("node %zu is %Lg away, error %g", j, cabsl(line.re[j] + I * line.im[j] - kept), line.error[j]);
            if (omega > 0) assert_true(transform_beyond(&e.all, (double)omega) >= cabsl(ratio) * (1 - 1e-6L));
        }
        for (int i = 0; i < 2; i++) e.term[i].mixture.split = 30; /* nothing is big */
        assert_int_equal(dpn_mixture_tilt(&out, &e.all, 1.5, 1e-6, &why), DPN_EACCURACY);
        assert_string_equal(why.sentence, "there are too few large losses");
        dpn_mixture_line_free(&line);
        free_everybody(&e);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(products_are_within_their_errors),
        cmocka_unit_test(ratios_are_within_their_errors),
        cmocka_unit_test(nodes_are_the_transform),
        cmocka_unit_test(nodes_are_added_up),
        cmocka_unit_test(factors_and_moments),
        cmocka_unit_test(ends_leave_room_for_all_errors),
        cmocka_unit_test(cumulants_of_all_steps),
        cmocka_unit_test(lines_are_as_long_as_they_need),
        cmocka_unit_test(what_is_left_of_small_losses),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
