/* Integrals over the loss of l2 noise: the function at its places, and the bounds of its factors around them, against complex arithmetic. */
#include "privacy/loss/l2-noise.c" /* to see each bound */

#include "reference/draw.h"

#include <complex.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

static double log_size(double complex z) {
    return log(cabs(z));
}

static integrand some_integrand(draw_source *source, int trial) {
    integrand f = {
        .rate = draw_log_uniform(source, 0.05, 30), .power = trial % 6, .excess = draw_log_uniform(source, 0.1, 50)};
    f.factor = (factors)(trial % 5);
    f.theta = f.factor == TILTED ? draw_log_uniform(source, 0.1, 5) : 0;
    f.end = f.factor == PLAIN                           ? DPN_PI
            : f.factor == TILTED || f.factor == FORWARD ? 0.5 * DPN_PI
                                                        : draw_uniform(source, 0.3, 1.5);
    return f;
}

/* The terms of the factor as they are written, with L = rate cos x. */
static double complex factor_of(const integrand *f, double complex x) {
    double complex L = f->rate * ccos(x);
    double last = f->rate * cos(f->end);
    switch (f->factor) {
    case EXCESS:
        return 1 - cexp(last - L);
    case TILTED:
        return (cexp(f->theta * (L - f->rate)) - exp(-f->theta * f->rate)) * (1 - cexp(-(1 + f->theta) * L));
    case BEYOND:
        return cexp(last - L);
    case FORWARD:
        return ccos(x) * (1 - cexp(-L));
    default:
        return 1;
    }
}

/* w(x) = exp(-rate sin^2(x/2)) sin^power x (excess + sin^2 x). */
static double log_formula(const integrand *f, double complex x) {
    double complex sine = csin(x), half = csin(0.5 * x);
    return -f->rate * creal(half * half) + (f->power > 0 ? f->power * log_size(sine) : 0) +
           log_size(f->excess + sine * sine) + log_size(factor_of(f, x));
}

static void values_are_those_of_the_formula(void **state) {
    (void)state;
    draw_source source = {91};
    for (int trial = 0; trial < 500; trial++) {
        integrand f = some_integrand(&source, trial);
        double x = draw_uniform(&source, 0.02, 0.98) * f.end, got = log_at(&f, x), truth = log_formula(&f, x);
        if (!(fabs(got - truth) <= 1e-7 * (1 + fabs(truth))))
            fail_msg("factor %d: %.12g, not %.12g", (int)f.factor, got, truth);
    }
}

/* Each factor where it is largest in the region; the bound has to hold their product, and all that is seen of the function. */
static void bounds_hold_around(void **state) {
    (void)state;
    draw_source source = {92};
    for (int trial = 0; trial < 600; trial++) {
        integrand f = some_integrand(&source, trial);
        double from = draw_uniform(&source, -1, 3), to = from + draw_log_uniform(&source, 0.01, 2),
               high = trial % 4 ? draw_log_uniform(&source, 0.01, 2) : 0;
        region r = region_of(from, to, high);
        double sine = 0, least = INFINITY, most = -INFINITY, size = 0, top = -INFINITY, bound = log_bound(&f, &r);
        for (int i = 0; i <= 60; i++)
            for (int k = -2; k <= 2; k++) {
                double complex x = from + (to - from) * i / 60 + I * (0.5 * k * high);
                sine = fmax(sine, cabs(csin(x)));
                least = fmin(least, creal(ccos(x)));
                most = fmax(most, creal(ccos(x)));
                size = fmax(size, cabs(ccos(x)));
                top = fmax(top, log_formula(&f, x));
            }
        const double slack = 1 + 1e-12;
        assert_true(r.sine_square * slack >= sine * sine && r.least <= least + 1e-12 && r.most >= most - 1e-12 &&
                    r.modulus * slack >= size);
        if (to - from > 0.3)
            assert_true(r.sine_square <= sine * sine * 1.01 && r.least >= least - 0.01 * cosh(high) &&
                        r.most <= most + 0.01 * cosh(high));
        if (!(bound >= top - 1e-9 * (1 + fabs(top))))
            fail_msg("factor %d: %.12g, seen %.12g", (int)f.factor, bound, top);
        double low = f.rate * least, last = f.rate * cos(f.end), factor = 0;
        if (f.factor == EXCESS) factor = log(1 + exp(last - low));
        if (f.factor == BEYOND) factor = last - low;
        if (f.factor == FORWARD) factor = log(size) + log(1 + exp(-low));
        if (f.factor == TILTED)
            factor =
                log(exp(f.theta * f.rate * (most - 1)) + exp(-f.theta * f.rate)) + log(1 + exp(-(1 + f.theta) * low));
        double product = -0.5 * f.rate * (1 - most) + f.power * log(sine) + log(f.excess + sine * sine) + factor;
        if (!(bound >= product - 1e-9 * (1 + fabs(product))))
            fail_msg("factor %d: %.12g, by factors %.12g", (int)f.factor, bound, product);
    }
}

static void errors_of_rules_are_bounded(void **state) {
    (void)state;
    static const double rho[] = {2, 3, 5, 9, 17, 33};
    draw_source source = {93};
    for (int trial = 0; trial < 200; trial++) {
        integrand f = some_integrand(&source, trial);
        double a = draw_uniform(&source, 0, 0.7) * f.end, b = a + draw_log_uniform(&source, 0.01, 0.3) * f.end, out[2],
               seen[2] = {INFINITY, INFINITY};
        rule_errors(out, &f, a, b);
        for (size_t i = 0; i < sizeof rho / sizeof *rho; i++) {
            double top = -INFINITY;
            for (int k = 0; k < 90; k++) {
                double complex turn = cexp(I * (2 * DPN_PI * k / 90));
                top =
                    fmax(top, log_formula(&f, 0.5 * (a + b) + 0.25 * (b - a) * (rho[i] * turn + 1 / (rho[i] * turn))));
            }
            double constant = log(64.0 / 15 * 0.5 * (b - a)) + top - log(1 - pow(rho[i], -2));
            seen[0] = fmin(seen[0], constant - 32 * log(rho[i]));
            seen[1] = fmin(seen[1], constant - 64 * log(rho[i]));
        }
        for (int k = 0; k < 2; k++)
            if (!(out[k] >= seen[k] - 1e-6))
                fail_msg("factor %d: %g, the theorem has %g", (int)f.factor, out[k], seen[k]);
    }
}

/* Against sums of very many points of the formula. */
static void integrals_are_within_their_errors(void **state) {
    (void)state;
    enum { POINTS = 20000 };
    draw_source source = {94};
    for (int trial = 0; trial < 25; trial++) {
        integrand f = some_integrand(&source, trial);
        integral got = integrate(&f);
        double sum = 0, step = f.end / POINTS;
        for (int i = 0; i < POINTS; i++) sum += exp(log_formula(&f, (i + 0.5) * step) - got.log_unit) * step;
        if (!(fabs(got.value - sum) <= 1e-6 * sum))
            fail_msg("factor %d: %.12g, not %.12g", (int)f.factor, got.value, sum);
        assert_true(got.error > 0 && got.error < 1e-9 * got.value);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(values_are_those_of_the_formula),
        cmocka_unit_test(bounds_hold_around),
        cmocka_unit_test(errors_of_rules_are_bounded),
        cmocka_unit_test(integrals_are_within_their_errors),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
