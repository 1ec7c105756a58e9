/* Segments of powers against the same functions in long double, their peaks against a grid, and their cuts against integrals. */
#include "privacy/loss/power.c" /* to see each step */

#include "reference/draw.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#define UNIT (0.5L * DBL_EPSILON)

static long double true_psi(const dpn_power *x, long double t) {
    return x->weight * powl(t, x->p);
}

/* psi(1 + side s) - psi(s), as near (far/near - 1) where they are close. */
static long double true_loss(const dpn_power *x, long double s) {
    long double far = 1 + x->side * s, gap = x->side > 0 ? 1 : 1 - 2 * s;
    if (s < 0.1L) return true_psi(x, far) - true_psi(x, s);
    return true_psi(x, s) * expm1l(x->p * log1pl(gap / s));
}

static long double true_slope(const dpn_power *x, long double s) {
    long double a = (long double)x->p - 1, steep = (long double)x->p * x->weight;
    if (x->side < 0) return steep * (powl(1 - s, a) + powl(s, a));
    return s > 0.1L ? steep * powl(s, a) * expm1l(a * log1pl(1 / s)) : steep * (powl(1 + s, a) - powl(s, a));
}

static dpn_power some_power(draw_source *source, int trial) {
    double p = trial % 3 == 0   ? draw_uniform(source, 1.01, 2)
               : trial % 3 == 1 ? draw_uniform(source, 2, 20)
                                : 3 + trial / 3 % 4;
    return (dpn_power){p, draw_log_uniform(source, 1e-3, 1e3), trial % 2 ? 1 : -1};
}

static double some_place(draw_source *source, const dpn_power *x, int trial) {
    if (x->side < 0) return trial % 3 ? draw_uniform(source, 0, 0.5) : 0.5 - draw_log_uniform(source, 1e-9, 0.4);
    return draw_log_uniform(source, 1e-4, trial % 5 ? 30 : 1e9);
}

static void within(long double got, long double truth, long double units, const char *what) {
    if (!(fabsl(got - truth) <= units * UNIT * fabsl(truth)))
        fail_msg("%s: off by %.1Lf units", what, fabsl(got - truth) / (UNIT * fabsl(truth)));
}

static void values_are_near_the_truth(void **state) {
    (void)state;
    draw_source source = {111};
    for (int trial = 0; trial < 20000; trial++) {
        dpn_power x = some_power(&source, trial);
        double s = some_place(&source, &x, trial), kappa = draw_uniform(&source, -3, 5);
        within(dpn_power_psi(&x, s), true_psi(&x, s), 3, "psi");
        within(far_psi(&x, s), true_psi(&x, 1 + x.side * (long double)s), 6, "the far one"); /* as the proof says */
        within(dpn_power_loss(&x, s), true_loss(&x, s), 20, "loss");
        within(dpn_power_loss_slope(&x, s), true_slope(&x, s), s < 1 ? 40 + 8 / fmin(1, (x.p - 1) * log1p(1 / s)) : 40,
               "slope");
        long double q = kappa * true_loss(&x, s) - true_psi(&x, s),
                    size = fabsl(kappa * true_loss(&x, s)) + true_psi(&x, s);
        assert_true(fabsl(dpn_power_tilted(&x, kappa, s) - q) <= 24 * UNIT * size);
        long double near = x.p * x.weight * powl(s, x.p - 1.0L), far = x.side * (long double)kappa * true_slope(&x, s);
        if (!(fabsl(dpn_power_tilted_slope(&x, kappa, s) - (far - near)) <= 400 * UNIT * (near + fabsl(far))))
            fail_msg("slope of q: %.17g, not %.17Lg", dpn_power_tilted_slope(&x, kappa, s), far - near);
    }
    const dpn_power left = {2.5, 3, -1}, right = {2.5, 3, 1};
    assert_true(dpn_power_loss(&left, 0) == 3 && dpn_power_loss(&right, 0) == 3 && dpn_power_loss(&left, 0.5) == 0);
    assert_true(dpn_power_psi(&right, 0) == 0 && dpn_power_loss_slope(&left, 0) == 7.5 &&
                dpn_power_loss_slope(&right, 0) == 7.5);
}

static void the_peak_is_the_highest_place(void **state) {
    (void)state;
    enum { POINTS = 3000 };
    draw_source source = {112};
    size_t inside = 0;
    for (int trial = 0; trial < 400; trial++) {
        dpn_power x = some_power(&source, trial);
        double kappa =
            x.side > 0 && trial % 4 < 2 ? draw_log_uniform(&source, 0.01, 10) : draw_uniform(&source, -2.5, 1.5);
        double a = trial % 3 ? 0 : draw_uniform(&source, 0, x.side < 0 ? 0.4 : 2),
               b = trial % 5 == 0 ? draw_uniform(&source, a, 0.5 + a)
                   : x.side < 0   ? 0.5
                                  : 40;
        if (x.side < 0) b = fmin(b, 0.5);
        if (x.side > 0 && kappa < -1) kappa = -kappa;
        double top = dpn_power_top(&x, kappa, a, b), best = -INFINITY, where = a, size = 0;
        assert_true(top >= a && top <= b);
        for (int i = 0; i <= POINTS; i++) {
            double s = a + (b - a) * i / POINTS, value = dpn_power_tilted(&x, kappa, s);
            if (value > best) best = value, where = s;
            size = fmax(size, fabs(value));
        }
        double got = dpn_power_tilted(&x, kappa, top),
               height = fabs(kappa * dpn_power_loss(&x, top)) + dpn_power_psi(&x, top);
        if (!(got >= best - 1e-13 * (fabs(best) + height)))
            fail_msg("side %g, p %g, kappa %g: %.12g at %g, seen %.12g at %g", x.side, x.p, kappa, got, top, best,
                     where);
        if (top > a && top < b) {
            inside++;
            assert_true(fabs(top - where) <= 2 * (b - a) / POINTS || got <= best + 1e-9 * (fabs(best) + height));
        }
    }
    assert_true(inside > 60);
    const dpn_power right = {3, 1, 1}, left = {3, 1, -1};
    assert_true(dpn_power_top(&right, 0, 0, INFINITY) == 0 && dpn_power_top(&left, 0, 0.1, 0.5) == 0.1);
    assert_true(dpn_power_top(&left, -1, 0.1, 0.4) == 0.4 && dpn_power_top(&right, 2, 1e3, INFINITY) == 1e3);
    /* (1 + 1/s)^2 = 3/2, and (1/s - 1)^2 = 1 for kappa = -1/2. */
    assert_true(fabs(dpn_power_top(&right, 2, 0, INFINITY) - 1 / (sqrt(1.5) - 1)) < 1e-12);
    assert_true(fabs(dpn_power_top(&left, -0.5, 0, 0.5) - 0.5) < 1e-15 &&
                fabs(dpn_power_top(&left, -0.8, 0, 1) - 1 / (1 + sqrt(0.25))) < 1e-15);
}

/* The integral of exp(q) beyond a place, by steps of a part of the way in which q falls by 1. */
static double log_integral(const dpn_power *x, double kappa, double from) {
    double top = dpn_power_tilted(x, kappa, from), sum = 0, step = -0.02 / dpn_power_tilted_slope(x, kappa, from);
    for (double s = from;; s += step) {
        double value = exp(dpn_power_tilted(x, kappa, s + 0.5 * step) - top);
        sum += value * step;
        if (value < 1e-9) return top + log(sum);
    }
}

static void cuts_are_where_little_is_left(void **state) {
    (void)state;
    draw_source source = {113};
    for (int trial = 0; trial < 80; trial++) {
        dpn_power x = some_power(&source, trial);
        x.side = 1;
        x.p = fmin(x.p, 8);
        double kappa = trial % 3 ? draw_log_uniform(&source, 1e-3, 3) : 0, log_mass = NAN;
        double goal =
            dpn_power_tilted(&x, kappa, dpn_power_top(&x, kappa, 0, INFINITY)) - draw_uniform(&source, 10, 60);
        double from = dpn_power_top(&x, kappa, 0, INFINITY), cut = dpn_power_cut(&x, kappa, goal, &log_mass);
        assert_true(cut > from && log_mass <= goal);
        double truth = log_integral(&x, kappa, cut);
        if (!(log_mass >= truth - 1e-4 && log_mass <= truth + 0.6))
            fail_msg("p %g, kappa %g: beyond %g e^%g, bound e^%g", x.p, kappa, cut, truth, log_mass);
        /* An eighth nearer would not do. */
        double nearer = from + 0.85 * (cut - from), slope = dpn_power_tilted_slope(&x, kappa, nearer);
        assert_true(slope >= 0 || dpn_power_tilted(&x, kappa, nearer) - log(-slope) > goal);
    }
    const dpn_power x = {1.5, 1, 1}, far = {1.0001, 1e-3, 1};
    double log_mass = 77;
    assert_true(dpn_power_cut(&x, 1, -INFINITY, &log_mass) == INFINITY && log_mass == 77);
    assert_true(dpn_power_cut(&far, 1e200, -30, &log_mass) == INFINITY && log_mass == 77);
    /* Where little is left from the beginning the cut moves in. */
    double cut = dpn_power_cut(&x, 0, 5, &log_mass);
    assert_true(cut > 0 && cut < 1e-2 && log_mass <= 5);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(values_are_near_the_truth),
        cmocka_unit_test(the_peak_is_the_highest_place),
        cmocka_unit_test(cuts_are_where_little_is_left),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
