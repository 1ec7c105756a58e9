/* Gauss-Legendre panels on a segment. */
#include "privacy/loss/panels.h"

#include "privacy/loss/gauss-legendre.h"

#include <math.h>

static dpn_quadratic tilted(const dpn_segment *segment, double kappa) {
    dpn_quadratic q;
    for (int i = 0; i < 3; i++) q.c[i] = segment->log_density.c[i] + kappa * segment->loss.c[i];
    return q;
}

/* The largest value on [a, b]; b may be +inf for a quadratic that falls there. */
static double largest(const dpn_quadratic *q, double a, double b) {
    double top = isinf(b) ? dpn_quadratic_at(q, a) : fmax(dpn_quadratic_at(q, a), dpn_quadratic_at(q, b));
    if (q->c[2] < 0) {
        double vertex = -q->c[1] / (2 * q->c[2]);
        if (vertex > a && vertex < b) top = dpn_quadratic_at(q, vertex);
    }
    return top;
}

double dpn_panels_top(const dpn_segment *segment, double kappa) {
    dpn_quadratic q = tilted(segment, kappa);
    return largest(&q, 0, segment->length);
}

/* ---- the error of the rules on one panel ---- */

/* Ellipses with the foci -1 and 1: semi-axes, log rho, log(1 - rho^-2) for rho = 1.5, 2, 3, 4, 6, 9, 14, 24, 48. */
typedef struct ellipse {
    double a, b, log_rho, log_gap;
} ellipse;

enum { ELLIPSES = 9 };
static const ellipse ellipses[ELLIPSES] = {
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

typedef struct errors {
    double log_bound[DPN_GAUSS_RULES];
} errors;

/* The logarithm of the error bound for exp(q) e^(i omega loss) on [c - h, c + h], by rule; log_width = log(64 h/15). */
static errors panel_errors(const dpn_segment *segment, const dpn_quadratic *q, double omega, double c, double h,
                           double log_width) {
    double p0 = dpn_quadratic_at(q, c), p1 = fabs(h * dpn_quadratic_slope(q, c)), p2 = h * h * q->c[2];
    double w1 = fabs(omega * h * dpn_quadratic_slope(&segment->loss, c)), w2 = fabs(omega * h * h * segment->loss.c[2]);
    errors out = {{INFINITY, INFINITY, INFINITY}};
    for (int i = 0; i < ELLIPSES; i++) {
        const ellipse *e = &ellipses[i];
        /* Re of p0 + p1 x + p2 x^2 + i (w1 x + w2 x^2) at x = a cos + i b sin. */
        double growth = p1 * e->a + (p2 > 0 ? p2 * e->a * e->a : -p2 * e->b * e->b) + w1 * e->b + w2 * e->a * e->b;
        double constant = log_width + p0 + growth - e->log_gap;
        for (int k = 0; k < DPN_GAUSS_RULES; k++)
            out.log_bound[k] = fmin(out.log_bound[k], constant - 4 * (double)dpn_gauss_rule[k].half * e->log_rho);
    }
    return out;
}

/* The first rule that is good enough, or -1; its errors. */
static int choose_rule(const dpn_panels *panels, const dpn_segment *segment, double c, double h, double *lost,
                       double *lost_base) {
    dpn_quadratic high = tilted(segment, panels->high), low = tilted(segment, panels->low);
    dpn_quadratic plain = segment->log_density, mirror = tilted(segment, -1);
    double width = log(h * (64.0 / 15));
    errors e[4] = {panel_errors(segment, &high, panels->omega, c, h, width),
                   panel_errors(segment, &low, panels->omega, c, h, width),
                   panel_errors(segment, &plain, 0, c, h, width), panel_errors(segment, &mirror, 0, c, h, width)};
    for (int k = 0; k < DPN_GAUSS_RULES; k++) {
        double tilt = fmax(e[0].log_bound[k], e[1].log_bound[k]) - panels->top;
        double base = fmax(e[2].log_bound[k], e[3].log_bound[k]);
        if (tilt > panels->log_goal || base > panels->log_goal) continue;
        *lost = 2 * exp(tilt);
        *lost_base = 2 * exp(base);
        return k;
    }
    return -1;
}

/* ---- the panels ---- */

static dpn_status add_points(dpn_rule *rule, const dpn_segment *segment, const dpn_gauss *gauss, double c, double h) {
    const double *d = segment->log_density.c;
    for (size_t i = 0; i < 2 * gauss->half; i++) {
        size_t j = i < gauss->half ? i : 2 * gauss->half - 1 - i;
        double s = c + h * (i < gauss->half ? -gauss->node[j] : gauss->node[j]);
        double magnitude = fabs(d[0]) + s * (fabs(d[1]) + s * fabs(d[2]));
        dpn_status status = dpn_rule_add(rule, dpn_quadratic_at(&segment->loss, s),
                                         dpn_quadratic_at(&segment->log_density, s), h * gauss->weight[j], magnitude);
        if (status) return status;
    }
    return DPN_OK;
}

/* Where an unbounded segment may be cut: beyond, both the tilted and the plain mass are below the goal. */
static double cut_tail(dpn_panels *panels, const dpn_segment *segment) {
    double kappa[2] = {panels->high, 0}, unit[2] = {panels->top, 0}, end = 0;
    for (int i = 0; i < 2; i++) {
        dpn_quadratic q = tilted(segment, kappa[i]);
        double vertex = fmax(0, -q.c[1] / (2 * q.c[2]));
        double room = fmax(1, dpn_quadratic_at(&q, vertex) - unit[i] - panels->log_goal);
        /* q falls by at least `room` from the vertex on. */
        end = fmax(end, vertex + sqrt(room / -q.c[2]));
    }
    for (int i = 0; i < 2; i++) { /* the mass beyond is at most exp(q)/|q'| */
        dpn_quadratic q = tilted(segment, kappa[i]);
        double beyond = 2 * exp(dpn_quadratic_at(&q, end) - unit[i]) / -dpn_quadratic_slope(&q, end);
        *(i ? &panels->lost_base : &panels->lost) += beyond;
    }
    return end;
}

/* Whether a panel carries less than the goal, tilted and plain. */
static bool idle(dpn_panels *panels, const dpn_segment *segment, double a, double b) {
    dpn_quadratic high = tilted(segment, panels->high);
    double tilt = largest(&high, a, b) - panels->top, base = largest(&segment->log_density, a, b);
    double width = log(2 * (b - a));
    if (tilt + width > panels->log_goal || base + width > panels->log_goal) return false;
    panels->lost += exp(tilt + width);
    panels->lost_base += exp(base + width);
    return true;
}

dpn_status dpn_panels_add(dpn_panels *panels, dpn_rule *rule, const dpn_segment *segment) {
    enum { DEPTH = 60 };
    double from[DEPTH + 1], to[DEPTH + 1]; /* panels that wait, the next one on top */
    size_t waiting = 0;
    from[0] = 0;
    to[0] = isinf(segment->length) ? cut_tail(panels, segment) : segment->length;
    for (waiting = 1; waiting > 0;) {
        double a = from[--waiting], b = to[waiting], c = 0.5 * (a + b), lost, lost_base;
        if (idle(panels, segment, a, b)) continue;
        int k = choose_rule(panels, segment, c, 0.5 * (b - a), &lost, &lost_base);
        if (k < 0 && waiting + 2 > DEPTH) return DPN_EACCURACY;
        if (k < 0) {
            from[waiting] = c, to[waiting++] = b;
            from[waiting] = a, to[waiting++] = c;
            continue;
        }
        panels->lost += lost;
        panels->lost_base += lost_base;
        dpn_status status = add_points(rule, segment, &dpn_gauss_rule[k], c, 0.5 * (b - a));
        if (status) return status;
    }
    return DPN_OK;
}
