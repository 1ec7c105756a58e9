/* Panels of Gauss and Legendre on a segment: the tops, the cuts and the bounds of what is left out, each against sums of very many points. */
#include "privacy/loss/panels.c" /* to see each bound */

#include "reference/draw.h"

#include <complex.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

static double at(const dpn_quadratic *q, double s) {
    return q->c[0] + q->c[1] * s + q->c[2] * s * s;
}

/* log_density + kappa loss. */
static double exponent(const dpn_segment *x, double kappa, double s) {
    if (x->power.p == 0) return at(&x->log_density, s) + kappa * at(&x->loss, s);
    double near = x->power.weight * pow(s, x->power.p), far = x->power.weight * pow(1 + x->power.side * s, x->power.p);
    return kappa * (far - near) - near;
}

static dpn_segment some_segment(draw_source *source, int trial) {
    dpn_segment x = {.length = trial % 3 ? draw_uniform(source, 0.2, 5) : INFINITY};
    if (trial % 4 == 3) {
        double side = trial % 3 ? -1 : 1;
        x.power = (dpn_power){draw_uniform(source, 1.1, 4), draw_log_uniform(source, 0.1, 10), side};
        if (side < 0) x.length = 0.5;
        return x;
    }
    x.log_density =
        (dpn_quadratic){{draw_uniform(source, -1, 1), draw_uniform(source, -2, 2), -draw_uniform(source, 0.1, 2)}};
    x.loss = (dpn_quadratic){{draw_uniform(source, 0, 1), draw_uniform(source, 0.1, 2),
                              trial % 2 && isfinite(x.length) ? draw_uniform(source, 0, 0.5) : 0}};
    return x;
}

static double seen_top(const dpn_segment *x, double kappa, double a, double b) {
    double top = -INFINITY;
    for (int i = 0; i <= 4000; i++) top = fmax(top, exponent(x, kappa, a + (b - a) * i / 4000));
    return top;
}

static void tops_are_the_highest(void **state) {
    (void)state;
    draw_source source = {131};
    for (int trial = 0; trial < 120; trial++) {
        dpn_segment x = some_segment(&source, trial);
        double kappa = isinf(x.length) ? draw_uniform(&source, 0, 1) : draw_uniform(&source, -2, 2),
               end = fmin(x.length, 30);
        double a = draw_uniform(&source, 0, 0.5) * fmin(end, 3), b = a + draw_uniform(&source, 0.1, 0.5) * fmin(end, 3);
        double top = dpn_panels_top(&x, kappa), part = largest_tilted(&x, kappa, a, b),
               seen = seen_top(&x, kappa, 0, end), of_part = seen_top(&x, kappa, a, b);
        if (!(top >= seen - 1e-12 && top <= seen + 2e-3 && part >= of_part - 1e-12 && part <= of_part + 1e-4))
            fail_msg("power %g: %.12g, seen %.12g; %.12g, seen %.12g", x.power.p, top, seen, part, of_part);
    }
    const dpn_quadratic rising = {{1, 2, 0}}, bent = {{0, 2, -1}}, hollow = {{0, -1, 0.5}};
    assert_true(largest(&rising, 1, 2) == 5 && largest(&bent, 0, INFINITY) == 1 && largest(&bent, 2, INFINITY) == 0);
    assert_true(largest(&hollow, 0, 3) == 1.5 && largest(&hollow, 0, 1) == 0 && largest(&bent, 0, 0.5) == 0.75 &&
                largest(&bent, 1.5, 2) == 0.75);
}

/* The integral of exp(exponent - unit) from a to b, by Simpson. */
static double integral(const dpn_segment *x, double kappa, double unit, double a, double b, int cells) {
    double sum = 0, h = (b - a) / cells;
    for (int i = 0; i < cells; i++) {
        double s = a + i * h;
        sum += h / 6 *
               (exp(exponent(x, kappa, s) - unit) + 4 * exp(exponent(x, kappa, s + 0.5 * h) - unit) +
                exp(exponent(x, kappa, s + h) - unit));
    }
    return sum;
}

static void tails_are_cut_where_little_is_left(void **state) {
    (void)state;
    draw_source source = {132};
    size_t by_tilt = 0;
    for (int trial = 0; trial < 120; trial += 3) {
        dpn_segment x = some_segment(&source, trial);
        dpn_panels panels = {.high = draw_uniform(&source, 0, 2),
                             .log_goal = -draw_uniform(&source, 8, 60),
                             .lost = 0.5,
                             .lost_base = 0.25};
        panels.top = fmax(0, dpn_panels_top(&x, panels.high));
        double end = cut_tail(&panels, &x),
               far = end + 30 / (1 + fabs(exponent(&x, 0, end + 1) - exponent(&x, 0, end)));
        /* Twice: the losses L and -L. */
        double tilted_mass = 2 * integral(&x, panels.high, panels.top, end, far, 2000),
               plain_mass = 2 * integral(&x, 0, 0, end, far, 2000);
        double lost = panels.lost - 0.5, lost_base = panels.lost_base - 0.25, goal = exp(panels.log_goal);
        if (goal > 1e-12) {
            if (x.power.p == 0 && !(lost >= tilted_mass * (1 - 1e-3) - 1e-16 && lost <= tilted_mass * 1.6 + 1e-15))
                fail_msg("beyond %g: %g, bound %g", end, tilted_mass, lost);
            if (!(lost >= tilted_mass * (1 - 1e-3) - 1e-16 && lost_base >= plain_mass * (1 - 1e-3) - 1e-16))
                fail_msg("beyond %g: %g, bound %g; %g, bound %g", end, tilted_mass, lost, plain_mass, lost_base);
        }
        if (x.power.p != 0) { /* each is what its own cut leaves */
            double own[2], log_mass[2];
            own[0] = dpn_power_cut(&x.power, panels.high, panels.log_goal + panels.top, &log_mass[0]);
            own[1] = dpn_power_cut(&x.power, 0, panels.log_goal, &log_mass[1]);
            assert_true(end == fmax(own[0], own[1]) && fabs(lost - 2 * exp(log_mass[0] - panels.top)) <= 1e-15);
            assert_true(fabs(lost_base - 2 * exp(log_mass[1])) <= 1e-15 &&
                        log_mass[0] - panels.top <= panels.log_goal && log_mass[1] <= panels.log_goal);
        } else { /* neither is further from the top than it has to be, by the square alone */
            bool needed = false;
            for (int i = 0; i < 2; i++) {
                double kappa = i ? 0 : panels.high, unit = i ? 0 : panels.top,
                       c1 = x.log_density.c[1] + kappa * x.loss.c[1], c2 = x.log_density.c[2] + kappa * x.loss.c[2],
                       vertex = fmax(0, -c1 / (2 * c2));
                double height = exponent(&x, kappa, vertex) - unit,
                       without = height + c2 * (end - vertex) * (end - vertex);
                assert_true(without <= panels.log_goal + 1e-9);
                needed = needed || without >= panels.log_goal - 1e-9;
                by_tilt += i == 0 && without >= panels.log_goal - 1e-9;
            }
            assert_true(needed);
        }
    }
    assert_true(by_tilt > 3);
    /* The whole lies below the goal: one unit of the exponent is left. */
    dpn_segment low = {.length = INFINITY, .log_density = {{-50, 0, -1}}, .loss = {{0, 1, 0}}};
    dpn_panels panels = {.high = 0, .log_goal = -20};
    assert_true(fabs(cut_tail(&panels, &low) - 1) < 1e-12);
}

/* What a panel that is left out may hold: its length times the largest, for the losses L and -L. */
static void idle_panels_hold_little(void **state) {
    (void)state;
    draw_source source = {133};
    size_t counted[2] = {0, 0};
    for (int trial = 0; trial < 400; trial++) {
        dpn_segment x = some_segment(&source, trial);
        double a = draw_uniform(&source, 0, 0.8) * fmin(x.length, 4),
               b = fmin(x.length, a + draw_log_uniform(&source, 0.01, 2)), high = draw_uniform(&source, 0, 2),
               unit = draw_uniform(&source, 0, 3);
        double tilt = 2 * (b - a) * exp(largest_tilted(&x, high, a, b) - unit),
               base = 2 * (b - a) * exp(largest_tilted(&x, 0, a, b));
        double both = fmax(tilt, base), less = fmin(tilt, base);
        for (int i = 0; i < 4; i++) {
            const double by[] = {0.9999, 1.0001, 0.6, 1.7};
            dpn_panels panels = {.high = high,
                                 .top = unit,
                                 .log_goal = log((i < 2    ? both
                                                  : i == 2 ? sqrt(both * less)
                                                           : both) *
                                                 by[i]),
                                 .lost = 1,
                                 .lost_base = 2};
            bool expected = exp(panels.log_goal) >= both, got = idle(&panels, &x, a, b);
            assert_int_equal(got, expected);
            counted[got]++;
            double more = panels.lost - 1, more_base = panels.lost_base - 2;
            assert_true(fabs(more - (got ? tilt : 0)) <= 1e-12 * (1 + tilt) &&
                        fabs(more_base - (got ? base : 0)) <= 1e-12 * (1 + base));
        }
    }
    assert_true(counted[0] > 300 && counted[1] > 300);
}

/* The rule that is chosen has bounds within the goal at every tilt of the range, those that are lost are the largest of them, twice; a lesser rule
 * has not. */
static void the_first_rule_that_serves(void **state) {
    (void)state;
    draw_source source = {134};
    size_t chosen[4] = {0};
    for (int trial = 0; trial < 500; trial++) {
        dpn_segment x = some_segment(&source, trial);
        double a = draw_uniform(&source, 0.05, 0.6) * fmin(x.length, 3),
               b = fmin(x.length, a + draw_log_uniform(&source, 0.02, 2));
        dpn_panels panels = {.theta = trial % 3 ? draw_uniform(&source, 0, 3) : draw_uniform(&source, -1, 0),
                             .omega = trial % 2 ? 0 : draw_uniform(&source, 0, 8),
                             .log_goal = -draw_uniform(&source, 5, 45)};
        panels.high = fmax(panels.theta, 0);
        panels.top = draw_uniform(&source, 0, 2);
        double lost = -1, lost_base = -1;
        dpn_panel panel = dpn_panel_make(&x, a, b);
        int got = choose_rule(&panels, &x, a, b, &lost, &lost_base), expected = -1;
        double worst = 0, worst_base = 0;
        for (int k = DPN_GAUSS_RULES - 1; k >= 0; k--) {
            double tilt = 0, base = 0;
            for (int i = 0; i < 2; i++) {
                dpn_panel_errors of_tilt = dpn_panel_error(&panel, i ? -1 - panels.theta : panels.theta, panels.omega);
                tilt = fmax(tilt, exp(of_tilt.log_bound[k] - panels.top));
                base = fmax(base, exp(dpn_panel_error(&panel, -i, 0).log_bound[k]));
            }
            if (tilt <= exp(panels.log_goal) && base <= exp(panels.log_goal))
                expected = k, worst = tilt, worst_base = base;
        }
        if (got != expected) fail_msg("rule %d, not %d", got, expected);
        chosen[got + 1]++;
        if (got < 0)
            assert_true(lost == -1 && lost_base == -1);
        else
            assert_true(fabs(lost / (2 * worst) - 1) < 1e-9 && fabs(lost_base / (2 * worst_base) - 1) < 1e-9);
    }
    assert_true(chosen[0] > 0 && chosen[1] > 50 && chosen[2] > 50 && chosen[3] > 10);
}

/* ---- all panels: the points stand for the segment ---- */

static double complex by_rule(const dpn_tilt_rule *rule, double kappa, double omega, double unit) {
    double complex sum = 0;
    for (size_t i = 0; i < rule->count; i++)
        sum += rule->difference[i] * cexp(rule->sum[i] + (kappa + I * omega) * rule->value[i] - unit);
    return sum;
}

static void points_stand_for_segments(void **state) {
    (void)state;
    enum { CELLS = 40000 };
    draw_source source = {135};
    for (int trial = 0; trial < 24; trial++) {
        dpn_segment x = some_segment(&source, trial);
        dpn_panels panels = {.theta = trial % 5 ? draw_uniform(&source, 0, 2) : -0.4,
                             .omega = draw_uniform(&source, 0, 20),
                             .log_goal = -draw_uniform(&source, 12, 25)};
        panels.high = fmax(panels.theta, 0);
        panels.top = fmax(0, dpn_panels_top(&x, panels.high));
        dpn_tilt_rule rule = {0};
        assert_int_equal(dpn_panels_add(&panels, &rule, &x), DPN_OK);
        assert_true(rule.count > 0 && rule.count % 8 == 0 && rule.count < 8000);
        double end = isinf(x.length) ? 40 : x.length, plain = 0, log_mass;
        if (x.power.p != 0 && isinf(x.length)) end = dpn_power_cut(&x.power, panels.high, panels.top - 30, &log_mass);
        double complex most = 0;
        for (int i = 0; i < CELLS; i++) { /* shorter ones towards s = 0 */
            double t = (i + 0.5) / CELLS, s = end * t * t * t, h = 3 * end * t * t / CELLS,
                   loss = exponent(&x, 1, s) - exponent(&x, 0, s);
            plain += h * exp(exponent(&x, 0, s));
            most += h * cexp(exponent(&x, panels.theta, s) - panels.top + I * (panels.omega * loss));
        }
        double slack = 2e-7;
        if (!(fabs(creal(by_rule(&rule, 0, 0, 0)) - plain) <= panels.lost_base + slack &&
              cabs(by_rule(&rule, panels.theta, panels.omega, panels.top) - most) <= panels.lost + slack))
            fail_msg("power %g, length %g: off by %g of %g, by %g of %g", x.power.p, x.length,
                     fabs(creal(by_rule(&rule, 0, 0, 0)) - plain), panels.lost_base,
                     cabs(by_rule(&rule, panels.theta, panels.omega, panels.top) - most), panels.lost);
        /* No panel gives more than twice the goal, and none is left out of the sum. */
        double panels_at_most = (double)rule.count / 8 + 130, goal = exp(panels.log_goal);
        assert_true(panels.lost > 0 && panels.lost <= 2 * goal * panels_at_most && panels.lost_base > 0 &&
                    panels.lost_base <= 2 * goal * panels_at_most);
        for (size_t i = 0; i < rule.count;
             i++) { /* each point is one of the segment, told with the sizes of what it was made of */
            if (x.power.p == 0) {
                double discriminant = x.loss.c[1] * x.loss.c[1] + 4 * x.loss.c[2] * (rule.value[i] - x.loss.c[0]);
                double s = x.loss.c[2] != 0 ? 2 * (rule.value[i] - x.loss.c[0]) / (x.loss.c[1] + sqrt(discriminant))
                                            : (rule.value[i] - x.loss.c[0]) / x.loss.c[1];
                double size = 0;
                for (int k = 2; k >= 0; k--) size = size * s + fabs(x.log_density.c[k]);
                assert_true(s > -1e-9 && s < end + 1e-9 &&
                            fabs(rule.sum[i] - at(&x.log_density, s)) < 1e-9 * (1 + size));
                assert_true(fabs(rule.minus[i] - size) < 1e-7 * (1 + size));
            } else {
                double psi = -rule.sum[i], s = pow(psi / x.power.weight, 1 / x.power.p),
                       loss = exponent(&x, 1, s) - exponent(&x, 0, s);
                assert_true(fabs(rule.value[i] - loss) < 1e-6 * (1 + loss) &&
                            rule.minus[i] > psi + (1 + panels.high) * loss * (1 - 1e-6));
                /* And s + h quarters of a unit, felt through both slopes; h is at most s on all panels. */
                double slopes = psi * x.power.p + (1 + panels.high) * s * dpn_power_loss_slope(&x.power, s),
                       more = rule.minus[i] - psi - (1 + panels.high) * rule.value[i];
                if (!(more >= 0.25 * slopes * (1 - 1e-6) &&
                      (s < 1e-3 || more <= 0.51 * slopes * (1 + 1e-3) || rule.sum[i] > -0.6 * x.power.weight)))
                    fail_msg("at %g: %g more, the slopes %g", s, more, slopes);
            }
        }
        dpn_tilt_rule_free(&rule);
    }
}

/* One panel, node by node. */
static void points_of_one_panel(void **state) {
    (void)state;
    dpn_segment x = {.length = 1, .power = {3, 2, 1}};
    dpn_panels panels = {.high = 0.5};
    dpn_tilt_rule rule = {0};
    const double c = 0.75, h = 0.25;
    assert_int_equal(add_points(&panels, &rule, &x, &dpn_gauss_rule[0], c, h), DPN_OK);
    assert_int_equal(rule.count, 8);
    double weights = 0, places = 0, squares = 0;
    for (size_t i = 0; i < 8; i++) {
        double s = cbrt(-rule.sum[i] / 2), psi = 2 * s * s * s, loss = 2 * (1 + 3 * s + 3 * s * s),
               slope = 2 * (3 + 6 * s);
        weights += rule.difference[i];
        places += rule.difference[i] * s;
        squares += rule.difference[i] * s * s;
        assert_true(fabs(rule.value[i] - loss) < 1e-12);
        double size = psi + 0.25 * (s + h) * 6 * s * s + 1.5 * (loss + 0.25 * (s + h) * slope);
        assert_true(fabs(rule.minus[i] - size) < 1e-12 * size);
    }
    assert_true(fabs(weights - 2 * h) < 1e-15 && fabs(places - 2 * h * c) < 1e-15 &&
                fabs(squares - (1 - 0.125) / 3) < 1e-15);
    dpn_tilt_rule_free(&rule);
}

static void too_many_panels_are_refused(void **state) {
    (void)state;
    dpn_segment x = {.length = 1, .log_density = {{0, -1, 0}}, .loss = {{0, 1, 0}}};
    dpn_panels panels = {.theta = 1, .high = 1, .top = 1, .log_goal = -20, .omega = 2e3};
    dpn_tilt_rule rule = {0};
    assert_int_equal(dpn_panels_add(&panels, &rule, &x), DPN_OK); /* about a point for each unit of the phase */
    assert_true(rule.count > 700 && rule.count < 6000);
    size_t before = rule.count;
    panels.omega = 1e7;
    assert_int_equal(dpn_panels_add(&panels, &rule, &x), DPN_EACCURACY);
    assert_true(rule.count - before < DPN_MAX_POINTS);
    dpn_tilt_rule_free(&rule);
    dpn_segment far = {.length = INFINITY, .power = {1.0001, 1e-3, 1}};
    dpn_panels endless = {.theta = 1e200, .high = 1e200, .log_goal = -30};
    assert_int_equal(dpn_panels_add(&endless, &rule, &far), DPN_EACCURACY);
    assert_int_equal(rule.count, 0);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(tops_are_the_highest),        cmocka_unit_test(tails_are_cut_where_little_is_left),
        cmocka_unit_test(idle_panels_hold_little),     cmocka_unit_test(the_first_rule_that_serves),
        cmocka_unit_test(points_stand_for_segments),   cmocka_unit_test(points_of_one_panel),
        cmocka_unit_test(too_many_panels_are_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
