/* Errors of Gauss-Legendre rules, held against the theorem itself: the integrand is looked at all around each ellipse, which quadrature never comes
 * near enough to tell. */
#include "privacy/loss/ellipse.h"
#include "reference/draw.h"

#include <complex.h>
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

enum { ANGLES = 720 };
static const double rhos[DPN_ELLIPSES] = {1.5, 2, 3, 4, 6, 9, 14, 24, 48};

static double complex on_ellipse(int i, int angle) {
    double t = 6.283185307179586 * angle / ANGLES;
    return 0.5 * (rhos[i] + 1 / rhos[i]) * cos(t) + I * (0.5 * (rhos[i] - 1 / rhos[i]) * sin(t));
}

static double complex quadratic(const dpn_quadratic *q, double complex x) {
    return q->c[0] + x * (q->c[1] + x * q->c[2]);
}

/* log of (64/15) h B rho^(-2N)/(1 - rho^-2), the least over the ellipses, by the largest of what is seen of the integrand. */
static double theorem(const dpn_panel *panel, double kappa, double omega, double points) {
    double least = INFINITY;
    for (int i = 0; i < DPN_ELLIPSES; i++) {
        double top = -INFINITY;
        for (int angle = 0; angle < ANGLES; angle++)
            for (int side = -1; side <= 1; side += 2) {
                double complex x = on_ellipse(i, angle), loss = quadratic(&panel->loss, x);
                top = fmax(top, creal(quadratic(&panel->log_density, x) + (kappa + I * (side * omega)) * loss));
            }
        top += panel->density_rest[i] + (fabs(kappa) + omega) * panel->loss_rest[i];
        least = fmin(least, log(64.0 / 15 * panel->half) + top - 2 * points * log(rhos[i]) - log1p(-pow(rhos[i], -2)));
    }
    return least;
}

static void check_bounds(const dpn_panel *panel, double kappa, double omega, bool alone) {
    dpn_panel_errors errors = dpn_panel_error(panel, kappa, omega);
    for (int k = 0; k < DPN_GAUSS_RULES; k++) {
        double bound = errors.log_bound[k], truth = theorem(panel, kappa, omega, 2 * (double)dpn_gauss_rule[k].half);
        if (!(bound >= truth - 1e-3 - 1e-4 * fabs(truth)))
            fail_msg("rule %d: %.9g, the theorem has %.9g", k, bound, truth);
        if (alone && !(bound <= truth + 1e-3 + 1e-4 * fabs(truth)))
            fail_msg("rule %d: %.9g for one term, the theorem has %.9g", k, bound, truth);
    }
}

/* Of one term alone the largest value is that of the formula; of several the largest ones are added, which is no less. */
static void bounds_are_those_of_the_theorem(void **state) {
    (void)state;
    draw_source source = {41};
    for (int trial = 0; trial < 40; trial++) {
        int only = trial % 8;
        dpn_panel panel = {.half = draw_log_uniform(&source, 1e-3, 10)};
        double *density = panel.log_density.c, *loss = panel.loss.c, kappa = 0, omega = 0;
        density[0] = draw_uniform(&source, -3, 3);
        if (only == 0 || only > 5) density[1] = draw_uniform(&source, -4, 4);
        if (only == 1 || only == 2) density[2] = (only == 1 ? 1 : -1) * draw_uniform(&source, 0.1, 4);
        if (only > 5) density[2] = draw_uniform(&source, -4, 4);
        if (only >= 3) {
            kappa = only == 4 || only == 5 ? 0 : draw_uniform(&source, -3, 3);
            omega = only == 3 ? 0 : draw_uniform(&source, 0.1, 5);
        }
        if (only == 3 || only == 4 || only > 5) loss[1] = draw_uniform(&source, -4, 4);
        if (only == 5 || only > 5) loss[2] = draw_uniform(&source, -4, 4);
        if (only == 7)
            for (int i = 0; i < DPN_ELLIPSES; i++) {
                panel.density_rest[i] = draw_uniform(&source, 0, 1);
                panel.loss_rest[i] = draw_uniform(&source, 0, 1);
            }
        check_bounds(&panel, kappa, omega, only < 6);
    }
}

/* What powers differ from their quadratics by, at all points of the ellipses: psi(s) = weight s^p, continued. */
static void powers_are_near_their_quadratics(void **state) {
    (void)state;
    draw_source source = {42};
    size_t seen = 0;
    for (int trial = 0; trial < 60; trial++) {
        double p = trial % 3 ? draw_uniform(&source, 1.1, 6) : 2 + trial / 3 % 4;
        dpn_segment segment = {.power = {p, draw_log_uniform(&source, 0.1, 10), trial % 2 ? 1 : -1}};
        double most = segment.power.side > 0 ? 3 : 0.5, from = trial % 5 ? draw_uniform(&source, 0, 0.9 * most) : 0;
        double to = draw_uniform(&source, from + 0.01 * most, most), c = 0.5 * (from + to), h = 0.5 * (to - from);
        dpn_panel panel = dpn_panel_make(&segment, from, to);
        assert_true(panel.half == h);
        for (int i = 0; i < DPN_ELLIPSES; i++)
            for (int angle = 0; angle < ANGLES; angle += 8) {
                double complex x = on_ellipse(i, angle), s = c + h * x;
                double complex near = segment.power.weight * cpow(s, p);
                double complex far = segment.power.weight * cpow(1 + segment.power.side * s, p);
                if (panel.dropped > 0) near = 0;
                double slack = 1e-12 * (cabs(near) + cabs(far));
                double density = cabs(quadratic(&panel.log_density, x) + near);
                double loss = cabs(quadratic(&panel.loss, x) - (far - near));
                if (!(density <= panel.density_rest[i] + slack) || !(loss <= panel.loss_rest[i] + slack))
                    fail_msg("p %g, side %g, [%g, %g], ellipse %d: %g of %g, %g of %g", p, segment.power.side, from, to,
                             i, density, panel.density_rest[i], loss, panel.loss_rest[i]);
                if (isfinite(panel.loss_rest[i])) seen++;
            }
        if (panel.dropped > 0) assert_true(panel.dropped >= segment.power.weight * pow(to, p) * (1 - 1e-12));
    }
    assert_true(seen > 1000);
}

/* psi <= dropped was left out: it changes the integrand by (|1 + kappa| + omega) dropped times the larger of the two sizes, and the integral and the
 * rule by 2 h times that each. Of one term alone its largest size is that of the formula, and the rule itself errs by next to nothing. */
static void what_was_dropped_is_counted(void **state) {
    (void)state;
    draw_source source = {43};
    for (int trial = 0; trial < 60; trial++) {
        dpn_panel panel = {.half = draw_log_uniform(&source, 1e-3, 10), .dropped = draw_log_uniform(&source, 1e-6, 2)};
        double *loss = panel.loss.c, kappa = draw_uniform(&source, -3, 3),
               omega = trial % 4 ? draw_uniform(&source, 0, 0.5) : 0;
        panel.log_density.c[0] = draw_uniform(&source, -3, 3);
        loss[0] = draw_uniform(&source, -1, 1);
        if (trial % 3 == 1) loss[1] = draw_uniform(&source, -0.5, 0.5);
        if (trial % 3 == 2) panel.log_density.c[2] = draw_uniform(&source, 0.1, 1);
        for (int i = 0; i < DPN_ELLIPSES; i++) panel.loss_rest[i] = i ? 9 : draw_uniform(&source, 0, 1);
        double top = -INFINITY;
        for (int i = -200; i <= 200; i++)
            top =
                fmax(top, creal(quadratic(&panel.log_density, i / 200.0) + kappa * quadratic(&panel.loss, i / 200.0)));
        double more = fabs(kappa) * panel.loss_rest[0] + (kappa < -1 ? (-1 - kappa) * panel.dropped : 0);
        double truth = log(2 * 2 * panel.half * (fabs(1 + kappa) + omega) * panel.dropped) + top + more;
        dpn_panel_errors errors = dpn_panel_error(&panel, kappa, omega);
        if (!(fabs(errors.log_bound[2] - truth) <= 1e-9 * (1 + fabs(truth))))
            fail_msg("%.12g, not %.12g", errors.log_bound[2], truth);
        panel.dropped = 0;
        assert_true(dpn_panel_error(&panel, kappa, omega).log_bound[2] < truth - 20);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(bounds_are_those_of_the_theorem),
        cmocka_unit_test(powers_are_near_their_quadratics),
        cmocka_unit_test(what_was_dropped_is_counted),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
