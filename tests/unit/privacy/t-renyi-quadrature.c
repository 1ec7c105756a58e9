/* Panels of Renyi divergences, the other side: of one term alone a bound is the theorem's value itself, and what is added, skipped and cut is counted once.
 * (t-renyi-panels.c has the inequality for all terms at once.) */
#include "privacy/renyi/quadrature.c" /* to see each piece */

#include "reference/draw.h"

#include <complex.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>

#include <cmocka.h>

static void near(double got, double wanted, double relative, const char *what) {
    if (!(fabs(got - wanted) <= relative * fabs(wanted))) fail_msg("%s: %.17g, not %.17g", what, got, wanted);
}

static double complex at(const dpn_quadratic *q, double complex s) {
    return q->c[0] + s * (q->c[1] + s * q->c[2]);
}

/* F = e^q (e^(theta L) - 1)/theta (1 - e^(-(1 + theta) L)) at a real place. */
static double integrand(const dpn_segment *segment, double theta, double s) {
    double q = creal(at(&segment->log_density, s)), loss = creal(at(&segment->loss, s));
    return exp(q) * (theta > 0 ? expm1(theta * loss) / theta : loss) * -expm1(-(1 + theta) * loss);
}

/* A segment whose bounds have one term each around c: a constant loss and a density of one term, or a loss of one term and a constant density. */
static dpn_segment one_term(draw_source *source, int kind, double c) {
    dpn_segment out = {.length = 10};
    double d = draw_uniform(source, 0.3, 2), l = draw_uniform(source, 0.2, 2);
    if (kind < 4) out.loss.c[0] = l;
    if (kind == 1) out.log_density = (dpn_quadratic){{0.3, -d, 0}};
    if (kind == 2 || kind == 3) { /* +-d (s - c)^2 */
        double e = kind == 2 ? d : -d;
        out.log_density = (dpn_quadratic){{e * c * c - 0.4, -2 * e * c, e}};
    }
    if (kind == 4) out.loss = (dpn_quadratic){{-l * c, l, 0}};
    if (kind == 5) out.loss = (dpn_quadratic){{l * c * c, -2 * l * c, l}};
    return out;
}

static void one_term_is_exact(void **state) {
    (void)state;
    draw_source source = {371};
    for (int trial = 0; trial < 240; trial++) {
        double c = draw_uniform(&source, 1, 4), h = draw_log_uniform(&source, 0.05, 1),
               theta = trial % 7 ? draw_log_uniform(&source, 0.05, 6) : 0;
        dpn_segment segment = one_term(&source, trial % 6, c);
        sum s = {.theta = theta, .unit = draw_log_uniform(&source, 0.1, 10)};
        bound got = panel_bound(&s, &segment, c, h);
        double truth[DPN_GAUSS_RULES] = {INFINITY, INFINITY, INFINITY};
        for (int i = -1; i < ELLIPSES; i++) {
            double rho = i < 0 ? 1 : rhos[i], up = -INFINITY, down = -INFINITY, size = 0;
            for (int k = 0; k < 720; k++) {
                double complex turn = cexp(I * (6.283185307179586 * k / 720)),
                               x = c + 0.5 * h * (rho * turn + 1 / (rho * turn));
                double complex q = at(&segment.log_density, x), L = at(&segment.loss, x);
                up = fmax(up, creal(q + theta * L));
                down = fmax(down, creal(q - (1 + theta) * L));
                size = fmax(size, cabs(L));
            }
            double product = log(s.unit * (1 + theta)) + 2 * log(size) + fmax(up, down);
            if (i < 0) {
                assert_true(fabs(got.largest - product) < 1e-4);
                continue;
            }
            for (int k = 0; k < DPN_GAUSS_RULES; k++)
                truth[k] = fmin(truth[k], product + log(64.0 / 15 * h / (1 - 1 / (rho * rho))) -
                                              4 * (double)dpn_gauss_rule[k].half * log(rho));
        }
        for (int k = 0; k < DPN_GAUSS_RULES; k++)
            if (!(fabs(got.rule[k] - truth[k]) < 1e-4 * (1 + fabs(truth[k]))))
                fail_msg("kind %d, rule %d: %g, the theorem has %g", trial % 6, k, got.rule[k], truth[k]);
    }
}

/* The largest real part on an ellipse, term by term. */
static void real_parts(void **state) {
    (void)state;
    draw_source source = {372};
    for (int trial = 0; trial < 100; trial++) {
        double c = draw_uniform(&source, -2, 2), h = draw_uniform(&source, 0.1, 2), a = draw_uniform(&source, 1, 3),
               b = sqrt(a * a - 1), e = draw_uniform(&source, -3, 3);
        dpn_quadratic line = {{0.7, e, 0}}, square = {{e * c * c + 0.7, -2 * e * c, e}};
        double top = -INFINITY, other = -INFINITY;
        for (int k = 0; k < 720; k++) {
            double t = 6.283185307179586 * k / 720;
            double complex x = c + h * (a * cos(t) + I * b * sin(t));
            top = fmax(top, creal(at(&line, x)));
            other = fmax(other, creal(at(&square, x)));
        }
        assert_true(fabs(real_part(&line, c, h, a, b) - top) < 1e-9 &&
                    fabs(real_part(&square, c, h, a, b) - other) < 1e-9);
    }
}

static double simpson(const dpn_segment *segment, double theta, double from, double to) {
    enum { CELLS = 400 };
    double step = (to - from) / CELLS, total = 0;
    for (int i = 0; i <= CELLS; i++)
        total += (i == 0 || i == CELLS ? 1 : i % 2 ? 4 : 2) * integrand(segment, theta, from + i * step);
    return total * step / 3;
}

static dpn_segment ordinary(draw_source *source) {
    dpn_segment out = {
        .length = 6,
        .log_density = {{draw_uniform(source, -1, 1), draw_uniform(source, -2, 0.5), -draw_uniform(source, 0.1, 1)}}};
    out.loss =
        (dpn_quadratic){{draw_uniform(source, 0, 1), draw_uniform(source, 0.1, 1), draw_uniform(source, 0, 0.2)}};
    return out;
}

/* A point's value, and its rounding: 16 units, and 8 of its exponents; the same for all points of a panel. */
static void points_and_their_rounding(void **state) {
    (void)state;
    draw_source source = {373};
    for (int trial = 0; trial < 200; trial++) {
        double theta = trial % 5 ? draw_log_uniform(&source, 0.1, 9) : 0, loss = draw_log_uniform(&source, 1e-3, 4),
               log_mass = draw_uniform(&source, -20, 3);
        double weight = draw_log_uniform(&source, 0.1, 5), magnitude = draw_log_uniform(&source, 0.1, 1e4),
               unit = draw_log_uniform(&source, 0.1, 10);
        sum s = {.theta = theta, .unit = unit};
        add_point(&s, loss, log_mass, weight, magnitude);
        double value = weight * unit * exp(log_mass) * (theta > 0 ? expm1(theta * loss) / theta : loss) *
                       -expm1(-(1 + theta) * loss);
        near(dpn_two_value(s.gain), value, 1e-13, "value");
        near(s.rounding, DBL_EPSILON * (16 + 8 * (magnitude + theta * loss)) * value, 1e-9, "rounding");
        assert_true(s.lost == 0);
        sum small = {.theta = theta, .unit = unit}; /* too small for its digits */
        add_point(&small, loss, -680, weight, 1);
        near(small.lost, weight * unit * exp(-680 + theta * loss) * loss, 1e-12, "lost");
        assert_true(small.rounding == 0 && dpn_two_value(small.gain) == 0);

        dpn_segment segment = ordinary(&source);
        double c = draw_uniform(&source, 0.5, 4), h = 0.05;
        s = (sum){.theta = theta, .unit = unit};
        const dpn_gauss *rule = &dpn_gauss_rule[trial % 3];
        add_points(&s, &segment, rule, c, h);
        double integral = unit * simpson(&segment, theta, c - h, c + h);
        near(dpn_two_value(s.gain), integral, 1e-9, "points");
        near(rough(&s, &segment, c, h), integral, 1e-9, "eight points");
        for (int term = 0; term < 3;
             term++) { /* which term of the exponent is large: at the middle, give or take 1% of it */
            dpn_segment large = segment;
            double big = 1e5 / pow(c, term);
            large.log_density.c[term] += (term == 1 ? -1 : 1) * big;
            large.log_density.c[0] -= creal(at(&large.log_density, c));
            s = (sum){.theta = theta, .unit = unit};
            add_points(&s, &large, rule, c, 1e-7);
            double size =
                fabs(large.log_density.c[0]) + c * fabs(large.log_density.c[1]) + c * c * fabs(large.log_density.c[2]);
            near(s.rounding / dpn_two_value(s.gain),
                 DBL_EPSILON * (16 + 8 * (size + theta * creal(at(&large.loss, c)))), 1e-2, "rounding of points");
        }
    }
}

/* A panel is skipped if it holds next to nothing; else the cheapest rule whose error is small beside the whole; else it is left alone. */
static void panels_are_taken(void **state) {
    (void)state;
    draw_source source = {374};
    int skips = 0, rules[DPN_GAUSS_RULES + 1] = {0};
    for (int trial = 0; trial < 400; trial++) {
        dpn_segment segment = ordinary(&source);
        double c = draw_uniform(&source, 4, 6), h = draw_log_uniform(&source, 0.01, 4),
               theta = draw_log_uniform(&source, 0.1, 5);
        double whole = draw_log_uniform(&source, 1e-3, trial % 8 == 1 ? 1e18 : 1e5) * (trial % 2);
        sum s = {.theta = theta, .unit = 2, .gain = dpn_two(whole), .lost = 0, .rounding = 0}, before = s;
        bound b = panel_bound(&s, &segment, c, h);
        bool taken = take(&s, &segment, c - h, c + h);
        double held = 2 * simpson(&segment, theta, c - h, c + h), skipped = exp(b.largest) * 2 * h;
        if (skipped <= 1e-16 * whole) {
            assert_true(taken && dpn_two_value(s.gain) == whole && s.rounding == 0);
            near(s.lost, skipped, 1e-9, "skipped");
            assert_true(s.lost >= held);
            skips++;
            continue;
        }
        int least = DPN_GAUSS_RULES;
        bool close = false; /* to where a rule begins to serve */
        for (int k = DPN_GAUSS_RULES - 1; k >= 0; k--) {
            double part = exp(b.rule[k]) / (1e-14 * (whole + (b.rule[2] > log(1e-14) + log(whole) ? held : 0)));
            if (part <= 1) least = k;
            close = close || fabs(part - 1) < 1e-6;
        }
        if (close) continue;
        rules[least]++;
        if (least == DPN_GAUSS_RULES) {
            assert_true(!taken && s.gain.hi == before.gain.hi && s.lost == 0 && s.rounding == 0);
            continue;
        }
        assert_true(taken);
        near(s.lost, exp(b.rule[least]), 1e-9, "the rule's error");
        near(dpn_two_value(s.gain), whole + held, 1e-6, "taken");
    }
    assert_true(skips > 5 && rules[0] > 10 && rules[1] > 5 && rules[2] > 5 && rules[3] > 10);
}

/* The tail is cut where the exponent has fallen by 100; of a straight one what is counted is the integral of (1 + theta) L^2 e^Q, exactly. */
static void tails_are_cut(void **state) {
    (void)state;
    draw_source source = {375};
    for (int trial = 0; trial < 100; trial++) {
        double theta = draw_log_uniform(&source, 0.05, 5), unit = draw_log_uniform(&source, 0.1, 10);
        dpn_segment segment = {.length = INFINITY,
                               .loss = {{draw_uniform(&source, 0, 2), draw_uniform(&source, 0.1, 1), 0}}};
        bool curved = trial % 2;
        segment.log_density = (dpn_quadratic){{draw_uniform(&source, -1, 1), -draw_uniform(&source, 6, 9), 0}};
        if (curved)
            segment.log_density =
                (dpn_quadratic){{0.5, draw_uniform(&source, -3, 3), -draw_log_uniform(&source, 0.01, 3)}};
        sum s = {.theta = theta, .unit = unit};
        double finish = cut_tail(&s, &segment), peak = -INFINITY;
        for (double x = 0; x < 2000; x += 0.01)
            peak = fmax(peak, creal(at(&segment.log_density, x) + theta * at(&segment.loss, x)));
        double q = creal(at(&segment.log_density, finish) + theta * at(&segment.loss, finish));
        near(peak - q, 100, 1e-3, "the fall");
        double g = -(segment.log_density.c[1] + 2 * finish * segment.log_density.c[2] + theta * segment.loss.c[1]),
               step = 0.01 / g, beyond = 0;
        for (int i = 0; i < 6000; i++) {
            double x = finish + (i + 0.5) * step, loss = creal(at(&segment.loss, x));
            beyond += step * loss * loss * exp(creal(at(&segment.log_density, x)) + theta * loss);
        }
        double counted = s.lost / (unit * (1 + theta));
        assert_true(counted >= beyond * (1 - 2e-5) && counted <= beyond * (curved ? 1.1 : 1 + 2e-5));
    }
}

static void segments_in_order(void **state) {
    (void)state;
    dpn_shape shape = {.segments = 3, .scale = 1};
    shape.segment[0] = (dpn_segment){.length = 2, .log_density = {{-5, 1, 0}}, .loss = {{0, 1, 0}}};  /* -5 to -3 */
    shape.segment[1] = (dpn_segment){.length = 1, .log_density = {{-1, -9, 0}}, .loss = {{2, 1, 0}}}; /* -1 to -10 */
    shape.segment[2] =
        (dpn_segment){.length = INFINITY, .log_density = {{-2, -4, 0}}, .loss = {{3, 1, 0}}}; /* from -2 */
    bool done[3] = {false, false, false};
    const size_t order[] = {1, 2, 0};
    for (int i = 0; i < 3; i++) {
        assert_int_equal(next_segment(&shape, done), order[i]);
        done[order[i]] = true;
    }
    draw_source source = {376};
    for (int trial = 0; trial < 20;
         trial++) { /* a few panels each: the heavier half first, and the rest is measured against it */
        dpn_segment segment = ordinary(&source);
        segment.log_density.c[trial % 2 ? 1 : 2] = trial % 2 ? -60 : -9;
        sum s = {.theta = 1, .unit = 1};
        assert_true(add_segment(&s, &segment));
        assert_true(s.panels <= 40);
    }
    sum s = {.theta = 1, .unit = 1}; /* what cannot be computed ends */
    dpn_segment hopeless = {.length = 1, .log_density = {{0, NAN, 0}}, .loss = {{0, 1, 0}}};
    assert_false(add_segment(&s, &hopeless));
    assert_true(s.panels <= MOST_PANELS + 1);
    shape.segment[0].log_density.c[1] = NAN;
    assert_true(isinf(dpn_segments_quadrature(&shape, 1).error));
}

/* Atoms alone: the error is their rounding, and what the density at zero may err by. */
static void errors_of_the_whole(void **state) {
    (void)state;
    for (double theta = 0; theta < 9; theta = 2 * theta + 0.4)
        for (double size = 1; size < 1e6; size *= 30) {
            dpn_shape shape = {.atoms = 2, .scale = 3};
            shape.atom[0] = (dpn_atom){0.5, -0.3};
            shape.atom[1] = (dpn_atom){1e-9, -0.2};
            double gain = 0;
            for (int i = 0; i < 2; i++) {
                dpn_segment still = {.log_density = {{shape.atom[i].log_mass, 0, 0}},
                                     .loss = {{shape.atom[i].value, 0, 0}}};
                gain += integrand(&still, theta, 0) / 3;
            }
            dpn_growth got = dpn_segments_quadrature(&shape, theta);
            near(got.value, theta > 0 ? log1p(theta * gain) / theta : gain, 1e-13, "divergence");
            near(got.error, DBL_EPSILON * (16 + 8 * (0.3 + theta * 0.5)) + DPN_PLAIN_ERROR + 8 * DBL_EPSILON, 1e-4,
                 "error");
        }
    dpn_shape shape = {.atoms = 1, .scale = 1};
    shape.atom[0] = (dpn_atom){1e-146, 0}; /* a gain of 1e-292 (1 + theta) */
    assert_true(isinf(dpn_segments_quadrature(&shape, 1).error) && isinf(dpn_segments_quadrature(&shape, 1).value));
    shape.atom[0].value = 1e-144;
    near(dpn_segments_quadrature(&shape, 1).value, 2e-288, 1e-12, "tiny");
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(one_term_is_exact),
        cmocka_unit_test(real_parts),
        cmocka_unit_test(points_and_their_rounding),
        cmocka_unit_test(panels_are_taken),
        cmocka_unit_test(tails_are_cut),
        cmocka_unit_test(segments_in_order),
        cmocka_unit_test(errors_of_the_whole),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
