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

/* One side alone, that begins near the centre: the angle of the line has a part in it, which far out has none to speak of. */
static void each_side_of_a_line_is_lost(void **state) {
    (void)state;
    static const double ratios[] = {0.3, 0.7, 1.5}, rates[] = {0.02, 0.1, 0.4}, orders[] = {-3, -10, -40};
    size_t turned = 0;
    for (int trial = 0; trial < 27; trial++)
        for (double end = 0.2; end < 3; end += 0.6)
            for (int side = -1; side <= 1; side += 2) {
                dpn_mixture m = {.ratio = ratios[trial % 3], .rate = rates[trial / 3 % 3]};
                m.cut = m.split = INFINITY;
                double x = orders[trial / 9], b = 0.48 * DPN_PI / m.ratio, low = side > 0 ? end : -end - 30;
                double straight = log(along(&m, x, 0, low, low + 30, false, 0)),
                       truth = log(along(&m, x, b, low, low + 30, false, 0));
                range r = {.low = side > 0 ? -80 : -end, .high = side > 0 ? end : 80};
                r.log_left = side > 0 ? -INFINITY : straight;
                r.log_right = side > 0 ? straight : -INFINITY;
                double bound = log_lost_along(&m, x, b, &r);
                if (!(bound >= truth - 1e-9))
                    fail_msg("ratio %g, rate %g, x %g, end %g: %g, bound %g", m.ratio, m.rate, x, side * end, truth,
                             bound);
                turned += truth > 0.5 * b * b + straight + 0.5;
            }
    assert_true(turned > 50);
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
                if (!split) continue;
                double big_carried = creal(transform(&m, &rule, omega, decay.shift[k], true, true)),
                       big_bound = exp(big_bound_along(&decay, &rule, k, omega));
                assert_true(big_bound >= big_carried * (1 - 1e-7) - 1e-8);
                double half =
                    cos(m.steep *
                        decay.shift[k]); /* 1 - S/V is bounded by its size over the cosine of the turn, section 1 */
                assert_true(big_bound <= (carried + 1e-9) / half + 16 * extra &&
                            big_bound >= 8 * decay.error[k] * exp(0.5 * decay.shift[k] * decay.shift[k]) * (1 - 1e-9));
            }
        }
        dpn_mixture_decay_free(&decay);
        dpn_mixture_rule_free(&rule);
    }
}

/* ---- what a rule says beside G ---- */

/* The integral of n V e^(xL) f/G, f = L^power, of the small losses or of the big ones if asked. */
static double moment(const dpn_mixture *m, const dpn_mixture_rule *rule, int power, int part) {
    double low = rule->t[0], high = rule->t[rule->count - 1], step = (high - low) / POINTS, sum = 0;
    for (int i = 0; i <= POINTS; i++) {
        double weight = i == 0 || i == POINTS ? 1 : i % 2 ? 4 : 2, t = low + i * step, share;
        double big = creal(big_part(m, t)), value = exp(creal(log_integrand(m, rule->x, t)) - rule->cumulant);
        value *= part == 0 ? 1 : part == 1 ? 1 - big : big;
        sum += weight * value * pow(dpn_mixture_loss(m, t, &share), power);
    }
    return sum * step / 3;
}

static void moments_of_the_tilt(void **state) {
    (void)state;
    draw_source source = {56};
    for (int trial = 0; trial < 20; trial++) {
        dpn_mixture_rule rule = {0};
        dpn_mixture m = some_split(&source, trial, &rule);
        bool split = m.steep > 0 && isfinite(m.split);
        double mean = moment(&m, &rule, 1, 0), variance = moment(&m, &rule, 2, 0) - mean * mean, total = 0;
        for (size_t i = 0; i < rule.count; i++) {
            double share;
            assert_true(rule.loss[i] == dpn_mixture_loss(&m, rule.t[i], &share));
            assert_true(i == 0 || fabs(rule.t[i] - rule.t[i - 1] - rule.step) < 1e-12 * (1 + fabs(rule.t[i])));
            double mass = rule.step * exp(creal(log_integrand(&m, rule.x, rule.t[i])) - rule.cumulant);
            assert_true(fabs(rule.mass[i] - mass) <= 1e-8 * mass + 1e-300);
            total += rule.mass[i];
        }
        assert_true(fabs(total - 1) < 1e-12);
        double unit = 1e-6 * (fabs(mean) + sqrt(variance));
        assert_true(fabs(rule.mean - mean) <= unit && fabs(rule.variance - variance) <= 1e-5 * variance + 1e-12);
        if (split) {
            double small = moment(&m, &rule, 0, 1), small_mean = moment(&m, &rule, 1, 1) / small;
            double small_variance = moment(&m, &rule, 2, 1) / small - small_mean * small_mean,
                   big = moment(&m, &rule, 0, 2);
            assert_true(fabs(rule.big - big) <= rule.big_error + 1e-9 && rule.big_error < 1e-5);
            if (small > 1e-6)
                assert_true(fabs(rule.small_mean - small_mean) <=
                                1e-5 * (fabs(small_mean) + sqrt(small_variance)) + unit &&
                            fabs(rule.small_variance - small_variance) <= 1e-4 * small_variance + 1e-9);
        } else {
            assert_true(rule.big == 1);
        }
        dpn_mixture_rule_free(&rule);
    }
}

/* Section 4 of the proofs: what each mass and each loss may err by, from the doubt about c and rounding; summed with the sizes of the masses. */
static void errors_of_points(void **state) {
    (void)state;
    draw_source source = {57};
    for (int trial = 0; trial < 24; trial++) {
        dpn_mixture_rule rule = {0};
        dpn_mixture m = some_split(&source, trial, &rule);
        if (trial % 3 == 0) {
            m.doubt = 1e-9;
            assert_int_equal(dpn_mixture_rule_make(&rule, &m, rule.x, 1e-9, true), DPN_OK);
        }
        double u = 0.5 * DBL_EPSILON, a = rule.height, c = m.ratio, loss_error = 0, relative = 0, relative_loss = 0,
               size = 0;
        double big_size = 0, big_loss_error = 0, big_relative = 0, real_relative = 0;
        for (size_t i = 0; i < rule.count; i++) {
            double complex z = rule.t[i] + I * a, e = m.rate * cexp(c * (z - 0.5 * c)), L = loss_at(&m, z);
            double share = creal(c * z) > 300 ? 1 : cabs(e / ((1 - m.rate) + e)), t = rule.t[i];
            double mass = cabs(rule.mass_re[i] + I * rule.mass_im[i]), E = m.steep > 0 ? exp(m.steep * (t - m.cut)) : 0;
            double off = share * (4 * u + m.doubt) * (fabs(c * t) + c * c + c * a) + 16 * u * cabs(L);
            double sizes = t * t + fabs(a * t) + fabs(rule.x) * cabs(L),
                   window = E > 0 ? 4 * u * E * (2 + m.steep * (fabs(t) + fabs(m.cut))) : 0;
            double each = fabs(rule.x) * off + u * (16 + sizes + fabs(rule.cumulant)) + window,
                   part = cabs(big_part(&m, z));
            loss_error += mass * off;
            relative += mass * each;
            relative_loss += mass * each * cabs(L);
            size += mass * cabs(L);
            big_size += mass * part;
            big_loss_error += mass * part * off;
            big_relative += mass * part * each;
            double w;
            double l = dpn_mixture_loss(&m, t, &w),
                   lone = w * (4 * u + m.doubt) * (fabs(c * t) + c * c) + 16 * u * fabs(l);
            real_relative += rule.mass[i] * (fabs(rule.x) * lone + u * (8 + t * t + fabs(rule.x * l)) + window);
        }
        double slack = 1.01 / cos(0.5 * c * a); /* |w| is bounded by its real value over a cosine */
        if (!(rule.loss_error >= loss_error * (1 - 1e-6) && rule.loss_error <= slack * loss_error))
            fail_msg("losses err by %g, not %g", rule.loss_error, loss_error);
        if (!(rule.relative >= relative * (1 - 1e-6) && rule.relative <= slack * relative))
            fail_msg("masses err by %g, not %g", rule.relative, relative);
        assert_true(rule.relative_loss >= relative_loss * (1 - 1e-6) && rule.relative_loss <= slack * relative_loss);
        assert_true(fabs(rule.size - size) <= 1e-6 * size &&
                    fabs(rule.big_size - big_size) <= 1e-6 * big_size + 1e-300);
        assert_true(rule.big_loss_error >= big_loss_error * (1 - 1e-6) &&
                    rule.big_loss_error <= slack * big_loss_error + 1e-300);
        assert_true(rule.big_relative >= big_relative * (1 - 1e-6));
        if (!(isfinite(m.split) && m.steep > 0)) assert_true(rule.big_relative <= slack * big_relative);
        if (!(rule.mass_relative >= real_relative * (1 - 1e-6) && rule.mass_relative <= 1.3 * real_relative + 60 * u))
            fail_msg("masses err by %g, not %g", rule.mass_relative, real_relative);
        dpn_mixture_rule_free(&rule);
    }
}

/* The sum on the line above errs by what leaks from the strip's side and from the real line, and by what is outside. */
static void what_leaks_upwards(void **state) {
    (void)state;
    draw_source source = {58};
    for (int trial = 0; trial < 24; trial++) {
        dpn_mixture_rule rule = {0};
        dpn_mixture m = some_split(&source, trial, &rule);
        double low = rule.t[0], high = rule.t[rule.count - 1];
        double side = along(&m, rule.x, rule.strip, low - 5, high + 5, false, rule.cumulant);
        double least = side / expm1(2 * DPN_PI * (rule.strip - rule.height) / rule.step) +
                       1 / expm1(2 * DPN_PI * rule.height / rule.step);
        double bound = exp(rule.log_strip) / expm1(2 * DPN_PI * (rule.strip - rule.height) / rule.step) +
                       1 / expm1(2 * DPN_PI * rule.height / rule.step);
        double outside = along(&m, rule.x, rule.height, low - 30, low, false, rule.cumulant) +
                         along(&m, rule.x, rule.height, high, high + 30, false, rule.cumulant);
        if (!(rule.flat >= least * (1 - 1e-6) + outside)) fail_msg("flat %g, leaks %g", rule.flat, least + outside);
        range r = find_range(&m, rule.x, log(1e-9) - 3, true);
        if (!(rule.flat <= 2.01 * (bound + 2.01 * exp(log_lost_along(&m, rule.x, rule.strip, &r) - rule.cumulant))))
            fail_msg("flat %g, not %g", rule.flat, bound);
        assert_true(rule.height > 0 && rule.height < rule.strip && rule.flat < 1e-5);
        for (double part = 0.1; part < 1; part += 0.2) {
            double leak = 2 * exp(rule.log_strip) / expm1(2 * DPN_PI * part * rule.strip / rule.step) + 2 * rule.flat;
            assert_true(fabs(mean_error(&rule, part * rule.strip) - leak) <= 1e-9 * leak);
        }
        dpn_mixture_rule_free(&rule);
    }
}

/* lambda of the proof, at its largest over S. */
static void curves_fall_fastest(void **state) {
    (void)state;
    draw_source source = {59};
    for (int trial = 0; trial < 80; trial++) {
        dpn_mixture_decay decay = {.x = draw_uniform(&source, -8, 8), .curve_sine = draw_uniform(&source, 0.05, 0.95)};
        decay.mixture.ratio = draw_log_uniform(&source, 0.02, 5);
        double omega = draw_log_uniform(&source, 1e-2, 1e3), c = decay.mixture.ratio, best = 0;
        for (double S = fmin(0.9, decay.curve_sine); S > 1e-7; S *= 0.995) {
            double angle = asin(S), r = 0.11 * S * S / pow(cos(angle / 2), 2);
            double cost = pow(angle / (S * c), 2) + 1 / (1 - S * S);
            if (decay.x < 0) cost -= decay.x / (4 * pow(cos(angle / 2), 2) * (1 - r));
            best = fmax(best, omega * S - S * S / 2 * cost);
        }
        double got = curve_rate(&decay, omega);
        if (!(got <= best * (1 + 1e-4) && got >= 0.97 * best))
            fail_msg("omega %g, c %g, x %g: %g, not %g", omega, c, decay.x, got, best);
    }
}

static void refusals_and_memory(void **state) {
    (void)state;
    dpn_mixture_rule rule = {0}, fresh = {0};
    dpn_mixture m = {.ratio = 100, .rate = 0.1, .cut = INFINITY, .split = INFINITY};
    assert_int_equal(dpn_mixture_rule_make(&rule, &m, 328, 1e-9, true), DPN_EACCURACY); /* 32800 steps at least */
    assert_true(rule.effort == 0 && !rule.t);
    m.ratio = 1;
    assert_int_equal(reserve(&rule, DPN_MIXTURE_POINTS), DPN_EACCURACY);
    assert_int_equal(reserve(&rule, NAN), DPN_EACCURACY);
    assert_int_equal(reserve(&rule, 10.5), DPN_OK);
    assert_true(rule.count == 10 && rule.capacity == 10);
    double *const column[] = {rule.t,       rule.loss,    rule.mass,   rule.re,    rule.im,
                              rule.mass_re, rule.mass_im, rule.big_re, rule.big_im};
    for (int i = 0; i < 9; i++)
        for (int k = 0; k < 10; k++) column[i][k] = 10 * i + k; /* each has a place of its own */
    for (int i = 0; i < 9; i++)
        for (int k = 0; k < 10; k++) assert_true(column[i][k] == 10 * i + k);
    assert_int_equal(reserve(&rule, 7), DPN_OK);
    assert_true(rule.count == 7 && rule.capacity == 10 && rule.t == column[0]);
    assert_int_equal(dpn_mixture_rule_make(&rule, &m, 9, 1e-12, true), DPN_OK);
    size_t most = rule.capacity;
    assert_true(rule.effort == (double)rule.count); /* no panels are needed where the strip is bounded beforehand */
    m.steep = 1;
    m.cut = 6;
    assert_int_equal(dpn_mixture_rule_make(&rule, &m, 4, 1e-12, true), DPN_OK);
    assert_true(rule.effort >= (double)rule.count * (1 + 4 * rule.step / PANEL) - 8 * (1 + rule.step / PANEL));
    m.steep = 0;
    m.cut = INFINITY;
    assert_int_equal(dpn_mixture_rule_make(&rule, &m, 9, 1e-12, true), DPN_OK);
    assert_true(rule.effort >= (double)rule.count && most >= rule.count);
    for (double x = -3; x < 9; x += 0.71) { /* what was made before is forgotten */
        assert_int_equal(dpn_mixture_rule_make(&rule, &m, x, 1e-9, x > 2), DPN_OK);
        assert_int_equal(dpn_mixture_rule_make(&fresh, &m, x, 1e-9, x > 2), DPN_OK);
        assert_true(rule.count == fresh.count && rule.cumulant == fresh.cumulant && rule.error == fresh.error &&
                    rule.mean == fresh.mean);
        assert_true(rule.variance == fresh.variance && rule.effort == fresh.effort &&
                    rule.mass_relative == fresh.mass_relative);
        if (x > 2)
            assert_true(rule.flat == fresh.flat && rule.relative == fresh.relative && rule.size == fresh.size &&
                        rule.loss_error == fresh.loss_error && rule.big_size == fresh.big_size);
        dpn_mixture_rule_free(&fresh);
        assert_true(!fresh.t && fresh.count == 0);
    }
    dpn_mixture_rule_free(&rule);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(tails_of_noise),
        cmocka_unit_test(what_is_outside_the_range),
        cmocka_unit_test(each_side_of_a_line_is_lost),
        cmocka_unit_test(what_a_line_carries),
        cmocka_unit_test(rules_are_within_their_errors),
        cmocka_unit_test(points_above_the_line),
        cmocka_unit_test(the_transform_is_bounded),
        cmocka_unit_test(moments_of_the_tilt),
        cmocka_unit_test(errors_of_points),
        cmocka_unit_test(what_leaks_upwards),
        cmocka_unit_test(curves_fall_fastest),
        cmocka_unit_test(refusals_and_memory),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
