/* Renyi divergences of losses that consist of segments and atoms, by Gauss-Legendre panels with a proven error.
 *
 * The integrand F = e^q (e^(theta L) - 1)/theta (1 - e^(-(1+theta) L)) is entire. From |(e^z - 1)/z| <= e^max(0, Re z)
 * it follows that |F| <= (1+theta) |L|^2 max(|e^(q + theta L)|, |e^(q - (1+theta) L)|) anywhere, so that the bound of
 * loss/panels.h on an ellipse is relative to L^2, and weak losses keep their digits. docs/proofs/privacy/renyi.md,
 * section 4.
 */
#include "privacy/loss/gauss-legendre.h"
#include "privacy/renyi/segments.h"

#include <float.h>
#include <math.h>

/* A panel is good enough when its error is this part of the whole or of its own integral. */
#define GOAL 1e-14

/* Semi-axes of ellipses with the foci -1 and 1: rho = 1.5, 2, 3, 5, 9, 20, 60. */
static const double rhos[] = {1.5, 2, 3, 5, 9, 20, 60};
enum { ELLIPSES = sizeof rhos / sizeof *rhos, DEPTH = 80, MOST_PANELS = 4000 };

typedef struct sum {
    double theta;
    double unit;           /* 1 over the total mass of the shape: all masses are divided by it */
    dpn_twofold gain;      /* the integral of F */
    double rounding, lost; /* bounds of what it may have lost: by rounding, by quadrature and cut tails */
    int panels;
} sum;

static dpn_quadratic tilted(const dpn_segment *segment, double kappa) {
    dpn_quadratic q;
    for (int i = 0; i < 3; i++) q.c[i] = segment->log_density.c[i] + kappa * segment->loss.c[i];
    return q;
}

/* ---- bounds on one panel [c - h, c + h] ---- */

/* The largest real part of q on the ellipse of semi-axes a h, b h around c. */
static double real_part(const dpn_quadratic *q, double c, double h, double a, double b) {
    double bend = h * h * q->c[2];
    return dpn_quadratic_at(q, c) + fabs(h * dpn_quadratic_slope(q, c)) * a + (bend > 0 ? bend * a * a : -bend * b * b);
}

typedef struct bound {
    double largest;               /* log of the bound of |F| on the panel itself */
    double rule[DPN_GAUSS_RULES]; /* log of the bound of the error, by rule */
} bound;

static bound panel_bound(const sum *s, const dpn_segment *segment, double c, double h) {
    dpn_quadratic high = tilted(segment, s->theta), low = tilted(segment, -(1 + s->theta));
    double l0 = fabs(dpn_quadratic_at(&segment->loss, c)), l1 = fabs(h * dpn_quadratic_slope(&segment->loss, c));
    double l2 = fabs(h * h * segment->loss.c[2]), log_factor = log1p(s->theta) + log(s->unit);
    bound out = {0, {INFINITY, INFINITY, INFINITY}};
    out.largest = log_factor + 2 * log(l0 + l1 + l2) + fmax(real_part(&high, c, h, 1, 0), real_part(&low, c, h, 1, 0));
    for (int i = 0; i < ELLIPSES; i++) {
        double rho = rhos[i], a = 0.5 * (rho + 1 / rho), b = 0.5 * (rho - 1 / rho);
        double top = fmax(real_part(&high, c, h, a, b), real_part(&low, c, h, a, b));
        double log_bound =
            log_factor + 2 * log(l0 + a * (l1 + a * l2)) + top + log(64.0 / 15 * h) - log1p(-1 / (rho * rho));
        for (int k = 0; k < DPN_GAUSS_RULES; k++)
            out.rule[k] = fmin(out.rule[k], log_bound - 4 * (double)dpn_gauss_rule[k].half * log(rho));
    }
    return out;
}

/* ---- the panels ---- */

static double loss_at(const dpn_segment *segment, double s) {
    return fmax(0, dpn_quadratic_at(&segment->loss, s));
}

/* The integral over a panel by eight points, for its size only. */
static double rough(const sum *s, const dpn_segment *segment, double c, double h) {
    const dpn_gauss *gauss = &dpn_gauss_rule[0];
    double value = 0;
    for (size_t i = 0; i < 2 * gauss->half; i++) {
        size_t j = i % gauss->half;
        double x = c + (i < gauss->half ? -h : h) * gauss->node[j];
        value += gauss->weight[j] * exp(dpn_quadratic_at(&segment->log_density, x)) *
                 dpn_tilted_gain(s->theta, loss_at(segment, x));
    }
    return h * s->unit * value;
}

/* A mass weight * exp(log_mass) at L; magnitude is the size of the numbers that log_mass was made of. */
static void add_point(sum *s, double loss, double log_mass, double weight, double magnitude) {
    double mass = weight * s->unit * exp(log_mass);
    if (mass < 1e-290) { /* (e^(theta L) - 1)/theta <= L e^(theta L) */
        s->lost += weight * s->unit * exp(log_mass + s->theta * loss) * loss;
        return;
    }
    double value = mass * dpn_tilted_gain(s->theta, loss);
    s->gain = dpn_two_add(s->gain, dpn_two(value));
    s->rounding += DBL_EPSILON * (16 + 8 * (magnitude + s->theta * loss)) * value;
}

static void add_points(sum *s, const dpn_segment *segment, const dpn_gauss *gauss, double c, double h) {
    const double *d = segment->log_density.c;
    for (size_t i = 0; i < 2 * gauss->half; i++) {
        size_t j = i % gauss->half;
        double x = c + (i < gauss->half ? -h : h) * gauss->node[j];
        double magnitude = fabs(d[0]) + x * (fabs(d[1]) + x * fabs(d[2]));
        add_point(s, loss_at(segment, x), dpn_quadratic_at(&segment->log_density, x), h * gauss->weight[j], magnitude);
    }
}

/* Take a panel, with the cheapest rule that serves; false: it must be halved. */
static bool take(sum *s, const dpn_segment *segment, double a, double b) {
    double c = 0.5 * (a + b), h = 0.5 * (b - a), whole = dpn_two_value(s->gain);
    bound at = panel_bound(s, segment, c, h);
    double skipped = exp(at.largest) * 2 * h;
    if (skipped <= 0.01 * GOAL * whole) {
        s->lost += skipped;
        return true;
    }
    if (log(GOAL) + log(whole) < at.rule[DPN_GAUSS_RULES - 1]) whole += rough(s, segment, c, h);
    for (int k = 0; k < DPN_GAUSS_RULES; k++) {
        double error = exp(at.rule[k]);
        if (!(error <= GOAL * whole)) continue;
        s->lost += error;
        add_points(s, segment, &dpn_gauss_rule[k], c, h);
        return true;
    }
    return false;
}

/* Where an unbounded segment is cut. Beyond E, with the slope -g of Q = q + theta L there, F is at most (1+theta)
 * L^2 e^(Q(E) - g x) and L grows linearly. */
static double cut_tail(sum *s, const dpn_segment *segment) {
    dpn_quadratic q = tilted(segment, s->theta);
    double vertex = q.c[2] < 0 ? fmax(0, -q.c[1] / (2 * q.c[2])) : 0, slope = -dpn_quadratic_slope(&q, vertex);
    double drop = 100, end = vertex + 2 * drop / (slope + sqrt(slope * slope - 4 * drop * q.c[2]));
    double g = -dpn_quadratic_slope(&q, end), loss = loss_at(segment, end),
           rise = dpn_quadratic_slope(&segment->loss, end);
    s->lost += (1 + s->theta) * s->unit * exp(dpn_quadratic_at(&q, end)) *
               (loss * loss / g + 2 * loss * rise / (g * g) + 2 * rise * rise / (g * g * g));
    return end;
}

/* Halve until all is taken, the end with more mass first: what follows is then measured against it. */
static bool add_segment(sum *s, const dpn_segment *segment) {
    double from[DEPTH], to[DEPTH];
    size_t waiting = 1;
    from[0] = 0;
    to[0] = isinf(segment->length) ? cut_tail(s, segment) : segment->length;
    while (waiting > 0) {
        double a = from[--waiting], b = to[waiting], c = 0.5 * (a + b);
        if (++s->panels > MOST_PANELS) return false;
        if (take(s, segment, a, b)) continue;
        if (waiting + 2 > DEPTH || !(c > a && c < b)) return false;
        bool left = dpn_quadratic_at(&segment->log_density, a) >= dpn_quadratic_at(&segment->log_density, b);
        from[waiting] = left ? c : a, to[waiting++] = left ? b : c;
        from[waiting] = left ? a : c, to[waiting++] = left ? c : b;
    }
    return true;
}

/* The segment not yet done with the largest mass at its ends. */
static size_t next_segment(const dpn_shape *shape, const bool *done) {
    size_t best = 0;
    double top = -INFINITY;
    for (size_t i = 0; i < shape->segments; i++) {
        const dpn_segment *segment = &shape->segment[i];
        double here = dpn_quadratic_at(&segment->log_density, 0);
        if (isfinite(segment->length)) here = fmax(here, dpn_quadratic_at(&segment->log_density, segment->length));
        if (!done[i] && here >= top) {
            best = i;
            top = here;
        }
    }
    return best;
}

dpn_growth dpn_segments_quadrature(const dpn_shape *shape, double theta) {
    sum s = {.theta = theta, .unit = 1 / shape->scale};
    bool done[DPN_SHAPE_SEGMENTS] = {false};
    for (size_t i = 0; i < shape->atoms; i++)
        add_point(&s, shape->atom[i].value, shape->atom[i].log_mass, 1, fabs(shape->atom[i].log_mass));
    for (size_t i = 0; i < shape->segments; i++) {
        size_t next = next_segment(shape, done);
        done[next] = true;
        if (!add_segment(&s, &shape->segment[next])) return (dpn_growth){INFINITY, INFINITY};
    }
    double gain = dpn_two_value(s.gain), error = (s.rounding + s.lost) / gain + DPN_PLAIN_ERROR + 8 * DBL_EPSILON;
    if (!(gain >= 1e-290 && gain < INFINITY)) return (dpn_growth){INFINITY, INFINITY}; /* digits lost to underflow */
    return (dpn_growth){dpn_tilted_of_gain(theta, gain), error};
}
