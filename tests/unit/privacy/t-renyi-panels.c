/* Panels of Renyi divergences: the bounds of what is integrated, on the panel and around it, against complex arithmetic, and what is cut off. */
#include "privacy/renyi/quadrature.c" /* to see each bound */

#include "reference/draw.h"

#include <complex.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>

#include <cmocka.h>

static double complex at(const dpn_quadratic *q, double complex s) {
    return q->c[0] + s * (q->c[1] + s * q->c[2]);
}

/* log |F|, F = e^q (e^(theta L) - 1)/theta (1 - e^(-(1 + theta) L)). */
static double log_formula(const dpn_segment *segment, double theta, double complex s) {
    double complex q = at(&segment->log_density, s), L = at(&segment->loss, s);
    double complex rise = theta > 0 ? (cexp(theta * L) - 1) / theta : L;
    return creal(q) + log(cabs(rise)) + log(cabs(1 - cexp(-(1 + theta) * L)));
}

static dpn_segment some_segment(draw_source *source, int trial) {
    dpn_segment out = {.length = trial % 2 ? INFINITY : draw_uniform(source, 1, 5)};
    for (int i = 0; i < 3; i++) out.log_density.c[i] = draw_uniform(source, -2, 1);
    out.log_density.c[2] = trial % 3 ? -draw_uniform(source, 0.1, 1) : 0;
    if (trial % 3 == 0) out.log_density.c[1] = -draw_uniform(source, 3, 6);
    out.loss.c[0] = trial % 4 ? draw_uniform(source, 0, 1) : 0;
    out.loss.c[1] = draw_uniform(source, 0.1, 1);
    out.loss.c[2] = trial % 5 || isinf(out.length) ? 0 : draw_uniform(source, 0, 0.3);
    return out;
}

static void bounds_hold_around_a_panel(void **state) {
    (void)state;
    draw_source source = {101};
    for (int trial = 0; trial < 400; trial++) {
        dpn_segment segment = some_segment(&source, trial);
        double theta = trial % 7 ? draw_log_uniform(&source, 0.05, 10) : 0, c = draw_uniform(&source, 0.3, 4),
               h = draw_log_uniform(&source, 0.01, 0.3);
        sum s = {.theta = theta, .unit = draw_log_uniform(&source, 0.1, 10)};
        bound got = panel_bound(&s, &segment, c, h);
        double truth[DPN_GAUSS_RULES], factor = log(s.unit * (1 + theta));
        for (int k = 0; k < DPN_GAUSS_RULES; k++) truth[k] = INFINITY;
        for (int i = -1; i < ELLIPSES;
             i++) { /* the panel itself, then the ellipses; the factors where each is largest */
            double rho = i < 0 ? 1 : rhos[i], top = -INFINITY, up = -INFINITY, down = -INFINITY, size = 0;
            double scale = cabs(at(&segment.loss, c));
            for (int k = 0; k < 180; k++) {
                double complex turn = cexp(I * (6.283185307179586 * k / 180)),
                               x = c + 0.5 * h * (rho * turn + 1 / (rho * turn));
                double complex q = at(&segment.log_density, x), L = at(&segment.loss, x);
                top = fmax(top, log_formula(&segment, theta, x));
                up = fmax(up, creal(q + theta * L));
                down = fmax(down, creal(q - (1 + theta) * L));
                size = fmax(size, cabs(L));
            }
            double product = factor + 2 * log(size) + fmax(up, down);
            assert_true(product >= top + log(s.unit) - 1e-9); /* the inequality itself */
            if (i < 0) {
                if (!(got.largest >= product - 1e-6)) fail_msg("on the panel %g, seen %g", got.largest, product);
                if (h < 0.02 && scale > 0.3) assert_true(got.largest <= product + 0.5);
                continue;
            }
            for (int k = 0; k < DPN_GAUSS_RULES; k++)
                truth[k] = fmin(truth[k], product + log(64.0 / 15 * h) - log(1 - 1 / (rho * rho)) -
                                              4 * (double)dpn_gauss_rule[k].half * log(rho));
        }
        for (int k = 0; k < DPN_GAUSS_RULES; k++)
            if (!(got.rule[k] >= truth[k] - 2e-3))
                fail_msg("rule %d: %g, the theorem has %g", k, got.rule[k], truth[k]);
    }
}

static void what_is_cut_off_is_counted(void **state) {
    (void)state;
    draw_source source = {102};
    for (int trial = 1; trial < 80; trial += 2) {
        dpn_segment segment = some_segment(&source, trial);
        double theta = draw_log_uniform(&source, 0.05, trial % 3 ? 6 : 1);
        sum s = {.theta = theta, .unit = draw_log_uniform(&source, 0.1, 10)};
        double end = cut_tail(&s, &segment), step = 20.0 / 4000, beyond = 0, unit = log_formula(&segment, theta, end);
        for (int i = 0; i < 4000; i++)
            beyond += exp(log_formula(&segment, theta, end + (i + 0.5) * step) - unit) * step;
        double truth = log(s.unit) + unit + log(beyond);
        if (!(log(s.lost) >= truth - 1e-6)) fail_msg("%g beyond, %g counted", truth, log(s.lost));
    }
}

/* The whole against a sum of very many points. */
static void segments_are_added_up(void **state) {
    (void)state;
    draw_source source = {103};
    for (int trial = 0; trial < 40; trial++) {
        dpn_segment segment = some_segment(&source, trial);
        double theta = draw_log_uniform(&source, 0.05, trial % 3 ? 6 : 1), unit = draw_log_uniform(&source, 0.1, 10);
        sum s = {.theta = theta, .unit = unit};
        assert_true(add_segment(&s, &segment));
        double end = isinf(segment.length) ? 60 : segment.length, step = end / 40000, truth = 0;
        for (int i = 0; i < 40000; i++) truth += exp(log_formula(&segment, theta, (i + 0.5) * step)) * step * unit;
        double got = dpn_two_value(s.gain);
        if (!(fabs(got - truth) <= 1e-5 * truth)) fail_msg("%.12g, not %.12g", got, truth);
        assert_true(s.lost > 0 && s.lost <= 1e-10 * got && s.rounding > 0 && s.rounding <= 1e-10 * got);
    }
    sum s = {.theta = 2, .unit = 3};
    add_point(&s, 1.5, -0.5, 1, 0.5); /* an atom */
    double truth = 3 * exp(-0.5) * expm1(3) / 2 * -expm1(-4.5);
    assert_true(fabs(dpn_two_value(s.gain) - truth) <= 1e-12 * truth && s.lost == 0);
    add_point(&s, 1.5, -700, 1, 700); /* too small for its digits: counted as lost */
    assert_true(s.lost >= 3 * exp(-700) * expm1(3) / 2);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(bounds_hold_around_a_panel),
        cmocka_unit_test(what_is_cut_off_is_counted),
        cmocka_unit_test(segments_are_added_up),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
