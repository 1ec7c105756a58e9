/* The loss of Gaussian noise on a sample: what bounds the quadrature, held against integrals of the formulas in the complex plane. Each bound is far above
 * the errors that quadrature makes, so that no answer tells whether a term of it is missing. */
#include "privacy/sampling/mixture.c" /* to see each bound */

#include "reference/draw.h"

#include <complex.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

/* ---- the formulas ---- */

/* log of n(z) V(z) e^(x L(z)), with L = log(1 - q + q e^(c (z - c/2))). */
static double complex log_integrand(const dpn_mixture *m, double x, double complex z) {
    double complex u = m->ratio * (z - 0.5 * m->ratio);
    double complex L = creal(u) > 300 ? log(m->rate) + u : clog((1 - m->rate) + m->rate * cexp(u));
    double complex V = m->steep > 0 ? cexp(m->steep * (z - m->cut)) : 0;
    return -0.5 * z * z - 0.5 * log(2 * DPN_PI) + x * L - V;
}

/* What bounds the terms of order 0 and 1 in x: n (1 + |x| q (e^u + 1)). */
static double plain(const dpn_mixture *m, double x, double t) {
    double n = exp(-0.5 * t * t) / sqrt(2 * DPN_PI), c = m->ratio;
    return n * (1 + fabs(x) * m->rate) + fabs(x) * m->rate * exp(-0.5 * (t - c) * (t - c)) / sqrt(2 * DPN_PI);
}

enum { POINTS = 4000 };

/* The integral of |n V e^(xL)| along t + ib, and if `both` of the plain terms too, over e^unit: Simpson. */
static double along(const dpn_mixture *m, double x, double b, double low, double high, bool both, double unit) {
    double step = (high - low) / POINTS, sum = 0;
    for (int i = 0; i <= POINTS; i++) {
        double t = low + i * step, weight = i == 0 || i == POINTS ? 1 : i % 2 ? 4 : 2;
        sum += weight * (exp(creal(log_integrand(m, x, t + I * b)) - unit) + (both ? plain(m, x, t) * exp(-unit) : 0));
    }
    return sum * step / 3;
}

/* Settings without a window and with one; orders of both signs, and between 0 and 1. */
static dpn_mixture some_mixture(draw_source *source, int trial, double *x) {
    dpn_mixture m = {.ratio = draw_log_uniform(source, 0.05, 2.5), .rate = draw_log_uniform(source, 1e-4, 0.9)};
    m.cut = m.split = INFINITY;
    if (trial % 2) {
        m.steep = draw_uniform(source, 0.3, 3);
        m.cut = draw_uniform(source, 1, 6);
    }
    *x = trial % 3 == 0   ? draw_uniform(source, -6, -0.1)
         : trial % 3 == 1 ? draw_uniform(source, 0, 1)
                          : draw_uniform(source, 1, 12);
    return m;
}

/* The integral of a bound that is level on each panel: the largest value there of each factor, wherever it is. */
static double log_by_panels(const dpn_mixture *m, double x, double b, const range *r) {
    enum { PLACES = 64 };
    double width = m->steep > 0 ? 0.125 : 0.25, sum = 0;
    for (double from = r->low; from < r->high; from += width) {
        double n = -INFINITY, tilt = -INFINITY, turned = -INFINITY, cut = -INFINITY;
        for (int i = 0; i <= PLACES; i++) {
            double t = from + width * i / PLACES, share, L = dpn_mixture_loss(m, t, &share);
            double complex u = m->ratio * (t + I * b - 0.5 * m->ratio);
            double there = creal(u) > 300 ? L : log(cabs((1 - m->rate) + m->rate * cexp(u)));
            n = fmax(n, -0.5 * t * t);
            tilt = fmax(tilt, x * L);
            turned = fmax(turned, x < 0 ? x * (there - L) : 0);
            cut = fmax(cut, m->steep > 0 ? -creal(cexp(m->steep * (t + I * b - m->cut))) : 0);
        }
        sum += exp(n + tilt + turned + cut - r->top);
    }
    return 0.5 * b * b + r->top + log(sum * width);
}

/* ---- the bounds ---- */

static void tails_of_noise(void **state) {
    (void)state;
    for (double y = -4; y < 30; y += 0.37) {
        double truth = log(0.5 * erfc(y / sqrt(2)));
        assert_true(log_normal_tail(y) >= truth);
        if (y > 1) assert_true(log_normal_tail(y) <= truth + 1 / (y * y));
    }
    for (double ratio = 0.1; ratio < 20; ratio *= 1.3) { /* 1/(e^(2 pi d/h) - 1) */
        double truth = -log(expm1(2 * DPN_PI * ratio));
        assert_true(fabs(log_leak(ratio * 0.7, 0.7) - truth) <= 1e-9 * fabs(truth));
    }
}

static void what_is_outside_the_range(void **state) {
    (void)state;
    draw_source source = {51};
    size_t tight = 0, asked = 0;
    for (int trial = 0; trial < 120; trial++) {
        double x;
        dpn_mixture m = some_mixture(&source, trial, &x);
        bool both = trial % 4 < 2;
        range r = find_range(&m, x, log(1e-9), both);
        assert_true(isfinite(r.top) && r.low < r.high);
        double unit = both ? fmin(r.top, 0) : r.top, top = -INFINITY;
        for (double t = r.low; t < r.high; t += 0.01) top = fmax(top, creal(log_integrand(&m, x, t)));
        if (!(fabs(top - r.top) < 0.5)) fail_msg("top %g, seen %g", r.top, top);
        double left = along(&m, x, 0, r.low - 30, r.low, both, unit),
               right = along(&m, x, 0, r.high, r.high + 30, both, unit);
        if (!(exp(r.log_left - unit) >= left * (1 - 1e-6)) || !(exp(r.log_right - unit) >= right * (1 - 1e-6)))
            fail_msg("ratio %g, rate %g, x %g: %g and %g left, bounds %g and %g", m.ratio, m.rate, x, left, right,
                     exp(r.log_left - unit), exp(r.log_right - unit));
        assert_true(r.log_left < unit + log(1e-9) && r.log_right < unit + log(1e-9));
        asked++;
        tight += exp(r.log_right - unit) < 100 * right && exp(r.log_left - unit) < 100 * left;
        /* The same along a line in the strip. */
        double widest = 0.45 * DPN_PI / m.ratio, b = fmin(20, draw_uniform(&source, 0.1, 1) * widest);
        if (m.steep > 0) b = fmin(b, 0.9 * WINDOW_ANGLE / m.steep);
        double lost =
            along(&m, x, b, r.low - 30, r.low, false, unit) + along(&m, x, b, r.high, r.high + 30, false, unit);
        double bound = exp(log_lost_along(&m, x, b, &r) - unit);
        if (!(bound >= lost * (1 - 1e-6)))
            fail_msg("ratio %g, x %g, height %g: %g, bound %g", m.ratio, x, b, lost, bound);
    }
    assert_true(tight > asked / 2);
}

static void what_a_line_carries(void **state) {
    (void)state;
    draw_source source = {52};
    for (int trial = 0; trial < 120; trial++) {
        double x;
        dpn_mixture m = some_mixture(&source, trial, &x);
        range r = find_range(&m, x, log(1e-9), true);
        double widest = (x < 0 ? 0.49 : 0.97) * DPN_PI / m.ratio, b = fmin(20, draw_uniform(&source, 0.1, 1) * widest);
        if (m.steep > 0) b = fmin(b, WINDOW_ANGLE / m.steep);
        double carried = log(along(&m, x, b, r.low - 5, r.high + 5, false, r.top)) + r.top,
               bound = log_side(&m, x, b, &r);
        if (!(bound >= carried - 1e-6))
            fail_msg("ratio %g, x %g, height %g: %g, bound %g", m.ratio, x, b, carried, bound);
        double level = dpn_log_add(log_by_panels(&m, x, b, &r), log_lost_along(&m, x, b, &r));
        if (!(fabs(bound - level) < 0.02))
            fail_msg("ratio %g, x %g, height %g: %g, by panels %g", m.ratio, x, b, bound, level);
        /* Panels are a quarter wide: the bound is not far above where the factors are steep but smooth. */
        if (x > 0 && x * m.ratio < 5 && m.steep == 0) assert_true(bound < carried + 2.5);
        double real = log(along(&m, x, 0, r.low - 5, r.high + 5, false, r.top)) + r.top;
        if (m.steep == 0 && b < 0.49 * DPN_PI / m.ratio)
            assert_true(0.5 * b * b + log_turned(&m, x, b) + real >= carried - 1e-6);
        for (double t = r.low; t < r.high; t += 0.9) {
            double complex u = m.ratio * (t + I * b - 0.5 * m.ratio), part = (1 - m.rate) + m.rate * cexp(u);
            assert_true(fabs(imaginary_part(&m, t, b) - carg(part)) <= 1e-9);
            double share, L = dpn_mixture_loss(&m, t, &share), less = real_part(&m, b, share * (1 - share));
            assert_true(fabs(L + less - log(cabs(part))) <= 1e-9 * (1 + fabs(L)));
        }
    }
}

/* The cumulant of a rule, and its strip, by Simpson's rule on the formulas. */
static void rules_are_within_their_errors(void **state) {
    (void)state;
    draw_source source = {53};
    for (int trial = 0; trial < 90; trial++) {
        double x;
        dpn_mixture m = some_mixture(&source, trial, &x);
        double goal = trial % 5 ? 1e-8 : 1e-3;
        dpn_mixture_rule rule = {0};
        if (dpn_mixture_rule_make(&rule, &m, x, goal, trial % 2 == 0))
            fail_msg("ratio %g, rate %g, x %g", m.ratio, m.rate, x);
        range r = find_range(&m, x, log(1e-14), true);
        double truth = r.top + log(along(&m, x, 0, r.low, r.high, false, r.top));
        if (!(fabs(rule.cumulant - truth) <= rule.error + 1e-10))
            fail_msg("%.12g, not %.12g, error %g", rule.cumulant, truth, rule.error);
        assert_true(rule.error <= 4 * goal);
        double side = log(along(&m, x, rule.strip, r.low - 5, r.high + 5, false, r.top)) + r.top - truth;
        assert_true(rule.log_strip >= side - 1e-6);
        /* The theorem: twice what both functions carry along the strip, times the leak; the plain one is n (1 + x v). */
        double other = 0.5 * rule.strip * rule.strip - truth; /* of n alone */
        double least = 2 * exp(dpn_log_add(side, other) + log_leak(rule.strip, rule.step));
        if (!(rule.error >= 2 * least * (1 - 1e-6))) fail_msg("error %g, the strip leaks %g", rule.error, least);
        dpn_mixture_rule_free(&rule);
    }
}

/* ---- above the real line ---- */

/* A mixture with a window for big losses and one for small ones, and a rule that is turned. */
static dpn_mixture some_split(draw_source *source, int trial, dpn_mixture_rule *rule) {
    double x;
    dpn_mixture m = some_mixture(source, trial, &x);
    if (m.steep > 0 && trial % 4 == 1)
        m.split = m.cut - draw_uniform(source, 0.5, 3);
    else if (m.steep > 0)
        m.split = -INFINITY;
    if (dpn_mixture_rule_make(rule, &m, x, 1e-9, true)) fail_msg("ratio %g, rate %g, x %g", m.ratio, m.rate, x);
    return m;
}

/* 1 - S/V, S the window that ends at the split. */
static double complex big_part(const dpn_mixture *m, double complex z) {
    if (!(m->steep > 0) || !isfinite(m->split)) return 1;
    return 1 - cexp(cexp(m->steep * (z - m->cut)) - cexp(m->steep * (z - m->split)));
}

static double complex loss_at(const dpn_mixture *m, double complex z) {
    double complex u = m->ratio * (z - 0.5 * m->ratio);
    return creal(u) > 300 ? log(m->rate) + u : clog((1 - m->rate) + m->rate * cexp(u));
}

static void points_above_the_line(void **state) {
    (void)state;
    draw_source source = {54};
    for (int trial = 0; trial < 60; trial++) {
        dpn_mixture_rule rule = {0};
        dpn_mixture m = some_split(&source, trial, &rule);
        for (size_t i = 0; i < rule.count; i += 1 + rule.count / 25) {
            double complex z = rule.t[i] + I * rule.height, L = loss_at(&m, z);
            double complex mass = rule.step * cexp(log_integrand(&m, rule.x, z) - rule.cumulant),
                           big = mass * big_part(&m, z);
            assert_true(cabs(rule.re[i] + I * rule.im[i] - L) <= 1e-9 * (1 + cabs(L)));
            assert_true(cabs(rule.mass_re[i] + I * rule.mass_im[i] - mass) <= 1e-8 * cabs(mass) + 1e-300);
            assert_true(cabs(rule.big_re[i] + I * rule.big_im[i] - big) <= 1e-8 * cabs(mass) + 1e-300);
        }
        dpn_mixture_rule_free(&rule);
    }
}

/* The integral of n V e^(xL) e^(i omega L) times the big part or not, over G; or of its size along t + ia. */
static double complex transform(const dpn_mixture *m, const dpn_mixture_rule *rule, double omega, double a, bool big,
                                bool size) {
    double low = rule->t[0], high = rule->t[rule->count - 1], step = (high - low) / POINTS;
    double complex sum = 0;
    for (int i = 0; i <= POINTS; i++) {
        double weight = i == 0 || i == POINTS ? 1 : i % 2 ? 4 : 2;
        double complex z = low + i * step + I * a,
                       value = cexp(log_integrand(m, rule->x, z) + I * omega * loss_at(m, z) - rule->cumulant);
        if (big) value *= big_part(m, z);
        sum += weight * (size ? cabs(value) : value);
    }
    return sum * step / 3;
}

static void the_transform_is_bounded(void **state) {
    (void)state;
    draw_source source = {55};
    for (int trial = 0; trial < 10; trial++) {
        dpn_mixture_rule rule = {0};
        dpn_mixture_decay decay = {0};
        dpn_mixture m = some_split(&source, trial, &rule);
        bool split = m.steep > 0 && isfinite(m.split);
        assert_int_equal(dpn_mixture_decay_make(&decay, &m, &rule), DPN_OK);
        for (double omega = 0.3; omega < 100; omega *= 4) {
            double bound = dpn_mixture_log_bound(&decay, &rule, omega), curve_alone;
            double big = split ? dpn_mixture_log_bound_big(&decay, &rule, omega) : 0;
            curve_alone = log_mean(&rule, decay.lifted, decay.square, curve_rate(&decay, omega), decay.curve_error);
            for (double further = 1; further < 3; further *= 1.5) {
                double truth = cabs(transform(&m, &rule, omega * further, 0, false, false));
                if (!(exp(bound) >= truth - 1e-8))
                    fail_msg("omega %g by %g: %g, bound %g", omega, further, truth, exp(bound));
                assert_true(exp(curve_alone) >= truth - 1e-8);
                if (split) assert_true(exp(big) >= cabs(transform(&m, &rule, omega * further, 0, true, false)) - 1e-8);
            }
            for (size_t k = 0; k < decay.shifts; k += 3) { /* each line: what it carries, and next to nothing more */
                prepare_line(&decay, &rule, k);
                double carried = creal(transform(&m, &rule, omega, decay.shift[k], false, true)),
                       along_it = exp(bound_along(&decay, &rule, k, omega));
                double extra = exp(0.5 * decay.shift[k] * decay.shift[k]) * decay.error[k] + 1e-6 * carried + 1e-7;
                if (!(along_it >= carried * (1 - 1e-7) - 1e-8))
                    fail_msg("line %zu: %g, bound %g", k, carried, along_it);
                if (!(along_it <= carried + 2 * extra))
                    fail_msg("line %zu: %g, bound %g, error %g", k, carried, along_it, decay.error[k]);
                if (split)
                    assert_true(exp(big_bound_along(&decay, &rule, k, omega)) >=
                                creal(transform(&m, &rule, omega, decay.shift[k], true, true)) * (1 - 1e-7) - 1e-8);
            }
        }
        dpn_mixture_decay_free(&decay);
        dpn_mixture_rule_free(&rule);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(tails_of_noise),        cmocka_unit_test(what_is_outside_the_range),
        cmocka_unit_test(what_a_line_carries),   cmocka_unit_test(rules_are_within_their_errors),
        cmocka_unit_test(points_above_the_line), cmocka_unit_test(the_transform_is_bounded),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
