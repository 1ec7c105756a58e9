/* The error of Gauss-Legendre rules on one panel. */
#include "privacy/loss/ellipse.h"

#include "privacy/interval.h"
#include "privacy/loss/power.h"

/* Ellipses with the foci -1 and 1: semi-axes, log rho, log(1 - rho^-2) for rho = 1.5, 2, 3, 4, 6, 9, 14, 24, 48. */
typedef struct ellipse {
    double a, b, log_rho, log_gap;
} ellipse;

static const ellipse ellipses[DPN_ELLIPSES] = {
    {1.0833333333333333, 0.4166666666666667, 0.4054651081081644, -0.587786664902119},
    {1.25, 0.75, 0.6931471805599453, -0.2876820724517809},
    {1.6666666666666667, 1.3333333333333333, 1.0986122886681098, -0.11778303565638344},
    {2.125, 1.875, 1.3862943611198906, -0.06453852113757118},
    {3.0833333333333335, 2.9166666666666665, 1.791759469228055, -0.02817087696669632},
    {4.555555555555555, 4.444444444444445, 2.1972245773362196, -0.012422519998557152},
    {7.035714285714286, 6.964285714285714, 2.6390573296152584, -0.005115100666770426},
    {12.020833333333334, 11.979166666666666, 3.1780538303479458, -0.0017376198985407992},
    {24.010416666666668, 23.989583333333332, 3.871201010907891, -0.0004341219950966611},
};

static dpn_quadratic seen_from(const dpn_quadratic *q, double c, double h) {
    return (dpn_quadratic){{dpn_quadratic_at(q, c), h * dpn_quadratic_slope(q, c), h * h * q->c[2]}};
}

/* The Taylor polynomial of weight t^p at t = c (1 + step x), and what it lacks for |x| up to the semi-axes. For |w| < 1
 * the rest of (1 + w)^p is at most that at |w| (p >= 3) or at -|w| (p < 3); polynomials have no singularity at 0. */
static dpn_quadratic taylor(double rest[DPN_ELLIPSES], double p, double weight, double c, double step) {
    double value = weight * pow(c, p), square = 0.5 * p * (p - 1);
    for (int i = 0; i < DPN_ELLIPSES; i++) {
        double w = fabs(step) * ellipses[i].a, signed_w = p >= 3 ? w : -w;
        rest[i] = INFINITY;
        if (!(w < 1) && p != floor(p)) continue;
        double power = pow(1 + signed_w, p), slack = 16 * DBL_EPSILON * (fabs(power) + 1 + p * w + square * w * w);
        rest[i] = value * (fabs(power - 1 - p * signed_w - square * w * w) + slack);
    }
    return (dpn_quadratic){{value, value * p * step, value * square * step * step}};
}

/* psi(1 + s) - psi(s) is the mean of psi' over [s, s + 1], and the rest of psi', a power too, is monotone. Where s is
 * large this is less than the rests of both. */
static void bound_mean(double rest[DPN_ELLIPSES], double p, double weight, double c, double h) {
    double most[DPN_ELLIPSES], worst = p >= 4 ? c + 1 : c;
    taylor(most, p - 1, p * weight, worst, h / worst);
    for (int i = 0; i < DPN_ELLIPSES; i++) rest[i] = fmin(rest[i], most[i]);
}

/* Near the singularity at s = 0 psi(s) is small: it is left out. A polynomial has none, but the first panel must not be
 * long, for the rounding of its points. */
static void expand_power(dpn_panel *out, const dpn_power *power, double from, double c, double h) {
    dpn_quadratic near = {{0, 0, 0}}, far;
    double p = power->p, moved = 1 + power->side * c;
    far = taylor(out->loss_rest, p, power->weight, moved, power->side * h / moved);
    if (from == 0 && (p != floor(p) || c + h > 1)) {
        out->dropped = dpn_power_psi(power, c + h);
    } else {
        near = taylor(out->density_rest, p, power->weight, c, h / c);
        for (int i = 0; i < DPN_ELLIPSES; i++) out->loss_rest[i] += out->density_rest[i];
        if (power->side > 0) bound_mean(out->loss_rest, p, power->weight, c, h);
    }
    for (int i = 0; i < 3; i++) {
        out->log_density.c[i] = -near.c[i];
        out->loss.c[i] = far.c[i] - near.c[i];
    }
}

dpn_panel dpn_panel_make(const dpn_segment *segment, double from, double to) {
    double c = 0.5 * (from + to), h = 0.5 * (to - from);
    dpn_panel out = {.half = h};
    if (segment->power.p != 0) {
        expand_power(&out, &segment->power, from, c, h);
        return out;
    }
    out.log_density = seen_from(&segment->log_density, c, h);
    out.loss = seen_from(&segment->loss, c, h);
    return out;
}

/* What leaving out psi(s) <= dropped changes in the integral and in the rule. */
static double log_dropped(const dpn_panel *panel, const dpn_quadratic *q, double kappa, double omega) {
    double factor = fabs(1 + kappa) + omega;
    double top = q->c[0] + fabs(q->c[1]) + fabs(q->c[2]) + fabs(kappa) * panel->loss_rest[0];
    return log(4 * panel->half * factor * panel->dropped) + top + fmax(0, -(1 + kappa)) * panel->dropped;
}

dpn_panel_errors dpn_panel_error(const dpn_panel *panel, double kappa, double omega) {
    dpn_quadratic q;
    for (int i = 0; i < 3; i++) q.c[i] = panel->log_density.c[i] + kappa * panel->loss.c[i];
    double p1 = fabs(q.c[1]), p2 = q.c[2], w1 = fabs(omega * panel->loss.c[1]), w2 = fabs(omega * panel->loss.c[2]);
    double constant = log(panel->half * (64.0 / 15)) + q.c[0];
    dpn_panel_errors out = {{INFINITY, INFINITY, INFINITY}};
    for (int i = 0; i < DPN_ELLIPSES; i++) {
        const ellipse *e = &ellipses[i];
        /* Re of p0 + p1 x + p2 x^2 + i (w1 x + w2 x^2) at x = a cos + i b sin. */
        double growth = p1 * e->a + (p2 > 0 ? p2 * e->a * e->a : -p2 * e->b * e->b) + w1 * e->b + w2 * e->a * e->b;
        growth += panel->density_rest[i] + (fabs(kappa) + omega) * panel->loss_rest[i];
        for (int k = 0; k < DPN_GAUSS_RULES; k++) {
            double points = 2 * (double)dpn_gauss_rule[k].half;
            out.log_bound[k] = fmin(out.log_bound[k], constant + growth - e->log_gap - 2 * points * e->log_rho);
        }
    }
    if (panel->dropped > 0)
        for (int k = 0; k < DPN_GAUSS_RULES; k++)
            out.log_bound[k] = dpn_log_add(out.log_bound[k], log_dropped(panel, &q, kappa, omega));
    return out;
}
