/* Gauss-Legendre panels on a segment. */
#include "privacy/loss/panels.h"

#include "privacy/loss/ellipse.h"
#include "privacy/loss/power.h"

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

/* The largest value of log_density + kappa loss on [a, b]. */
static double largest_tilted(const dpn_segment *segment, double kappa, double a, double b) {
    if (segment->power.p != 0)
        return dpn_power_tilted(&segment->power, kappa, dpn_power_top(&segment->power, kappa, a, b));
    dpn_quadratic q = tilted(segment, kappa);
    return largest(&q, a, b);
}

double dpn_panels_top(const dpn_segment *segment, double kappa) {
    return largest_tilted(segment, kappa, 0, segment->length);
}

/* The first rule that is good enough, or -1; its errors. */
static int choose_rule(const dpn_panels *panels, const dpn_segment *segment, double a, double b, double *lost,
                       double *lost_base) {
    dpn_panel panel = dpn_panel_make(segment, a, b);
    dpn_panel_errors e[4] = {dpn_panel_error(&panel, panels->theta, panels->omega),
                             dpn_panel_error(&panel, -(1 + panels->theta), panels->omega),
                             dpn_panel_error(&panel, 0, 0), dpn_panel_error(&panel, -1, 0)};
    for (int k = 0; k < DPN_GAUSS_RULES; k++) {
        double tilt = fmax(e[0].log_bound[k], e[1].log_bound[k]) - panels->top;
        double base = fmax(e[2].log_bound[k], e[3].log_bound[k]);
        if (!(tilt <= panels->log_goal && base <= panels->log_goal)) continue;
        *lost = 2 * exp(tilt);
        *lost_base = 2 * exp(base);
        return k;
    }
    return -1;
}

/* ---- the panels ---- */

static dpn_status add_point(dpn_tilt_rule *rule, const dpn_segment *segment, double s, double weight) {
    const double *d = segment->log_density.c;
    return dpn_tilt_rule_add(rule, dpn_quadratic_at(&segment->loss, s), dpn_quadratic_at(&segment->log_density, s),
                             weight, fabs(d[0]) + s * (fabs(d[1]) + s * fabs(d[2])));
}

/* The rounding of s, at most s + h units, is felt through the slopes of psi and of the loss. */
static dpn_status add_power_point(dpn_tilt_rule *rule, const dpn_power *power, double s, double h, double weight,
                                  double tilt) {
    double psi = dpn_power_psi(power, s), loss = dpn_power_loss(power, s), moved = 0.25 * (s + h);
    double magnitude = psi + moved * (power->p * psi / s) + tilt * (loss + moved * dpn_power_loss_slope(power, s));
    return dpn_tilt_rule_add(rule, loss, -psi, weight, magnitude);
}

static dpn_status add_points(const dpn_panels *panels, dpn_tilt_rule *rule, const dpn_segment *segment,
                             const dpn_gauss *gauss, double c, double h) {
    for (size_t i = 0; i < 2 * gauss->half; i++) {
        size_t j = i < gauss->half ? i : 2 * gauss->half - 1 - i;
        double s = c + h * (i < gauss->half ? -gauss->node[j] : gauss->node[j]), weight = h * gauss->weight[j];
        dpn_status status = segment->power.p != 0
                                ? add_power_point(rule, &segment->power, s, h, weight, 1 + panels->high)
                                : add_point(rule, segment, s, weight);
        if (status) return status;
    }
    return DPN_OK;
}

static double cut_power_tail(dpn_panels *panels, const dpn_power *power) {
    double log_mass = 0, tilted_end = dpn_power_cut(power, panels->high, panels->log_goal + panels->top, &log_mass);
    panels->lost += 2 * exp(log_mass - panels->top);
    double plain_end = dpn_power_cut(power, 0, panels->log_goal, &log_mass);
    panels->lost_base += 2 * exp(log_mass);
    return fmax(tilted_end, plain_end);
}

/* Where an unbounded segment may be cut: beyond, both the tilted and the plain mass are below the goal. */
static double cut_tail(dpn_panels *panels, const dpn_segment *segment) {
    if (segment->power.p != 0) return cut_power_tail(panels, &segment->power);
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
    double tilt = largest_tilted(segment, panels->high, a, b) - panels->top, base = largest_tilted(segment, 0, a, b);
    double width = log(2 * (b - a));
    if (tilt + width > panels->log_goal || base + width > panels->log_goal) return false;
    panels->lost += exp(tilt + width);
    panels->lost_base += exp(base + width);
    return true;
}

dpn_status dpn_panels_add(dpn_panels *panels, dpn_tilt_rule *rule, const dpn_segment *segment) {
    enum { DEPTH = 120, MOST = 1 << 13 };
    double from[DEPTH + 1], to[DEPTH + 1]; /* panels that wait, the next one on top */
    size_t waiting = 0, seen = 0;
    from[0] = 0;
    to[0] = isinf(segment->length) ? cut_tail(panels, segment) : segment->length;
    if (isinf(to[0])) return DPN_EACCURACY;
    for (waiting = 1; waiting > 0;) {
        double a = from[--waiting], b = to[waiting], c = 0.5 * (a + b), lost, lost_base;
        if (idle(panels, segment, a, b)) continue;
        int k = choose_rule(panels, segment, a, b, &lost, &lost_base);
        if (k < 0 && (waiting + 2 > DEPTH || ++seen > MOST)) return DPN_EACCURACY;
        if (k < 0) {
            from[waiting] = c, to[waiting++] = b;
            from[waiting] = a, to[waiting++] = c;
            continue;
        }
        panels->lost += lost;
        panels->lost_base += lost_base;
        dpn_status status = add_points(panels, rule, segment, &dpn_gauss_rule[k], c, 0.5 * (b - a));
        if (status) return status;
    }
    return DPN_OK;
}
