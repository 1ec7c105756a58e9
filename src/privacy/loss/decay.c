/* How fast the characteristic function of a tilted loss decays. */
#include "privacy/loss/decay.h"

#include "privacy/interval.h"
#include "privacy/loss/mgf.h"

/* The largest value of a quadratic on [a, b]; where, if it is inside. */
static double quadratic_top(const dpn_quadratic *q, double a, double b) {
    double top = fmax(dpn_quadratic_at(q, a), dpn_quadratic_at(q, b));
    if (q->c[2] < 0) {
        double vertex = -q->c[1] / (2 * q->c[2]);
        if (vertex > a && vertex < b) top = dpn_quadratic_at(q, vertex);
    }
    return top;
}

/* Where the loss is linear the density exp(quadratic)/slope is log-concave: one piece. */
static double linear_peak(const dpn_segment *segment, const dpn_quadratic *exponent, double top, double total) {
    double far = isinf(segment->length) ? fmax(0, -exponent->c[1] / (2 * exponent->c[2])) + 1 : segment->length;
    return exp(quadratic_top(exponent, 0, far) - top) / (segment->loss.c[1] * total);
}

/* Where the loss is quadratic, y is the distance from its stationary point and the density is exp(E(y))/(curvature y)
 * with E'(y) = B + 2 C y. Its logarithm has the derivative (2 C y^2 + B y - 1)/y: from y = 0 it falls to a valley at
 * the first root y1, if there is one, and then rises, up to the second root y2 if there is one. */
static void add_quadratic(dpn_decay *decay, const dpn_segment *segment, const dpn_quadratic *exponent, double top,
                          double total) {
    double curvature = 2 * fabs(segment->loss.c[2]), start = segment->loss.c[1] / curvature;
    double sign = segment->loss.c[2] > 0 ? 1 : -1;
    double from = sign > 0 ? start : fmax(0, start - segment->length), to = from + segment->length;
    /* s = start_s + sign y. */
    double start_s = sign > 0 ? -from : to;
    dpn_quadratic e = {
        {dpn_quadratic_at(exponent, start_s), sign * dpn_quadratic_slope(exponent, start_s), exponent->c[2]}};
    double B = e.c[1], C = e.c[2], discriminant = B * B + 8 * C;
    double valley = INFINITY, peak = INFINITY;
    if (discriminant >= 0 && (C > 0 || B > 0)) {
        double root = sqrt(discriminant);
        valley = B >= 0 ? 2 / (B + root) : (root - B) / (4 * C);
        if (C < 0) peak = (B + root) / (-4 * C);
    }
    if (from < valley) { /* the falling piece */
        double end = fmin(valley, to);
        decay->edge[decay->edges++] = (dpn_edge){exp(quadratic_top(&e, from, end) - top) / total, curvature, from, end};
    }
    if (valley < to) {
        double y = fmin(fmax(peak, fmax(from, valley)), to);
        decay->peaks += exp(dpn_quadratic_at(&e, y) - top) / (curvature * y * total);
    }
}

static void add_segment(dpn_decay *decay, const dpn_segment *segment, double theta, double top, double total) {
    dpn_quadratic plus, minus;
    for (int i = 0; i < 3; i++) {
        plus.c[i] = segment->log_density.c[i] + theta * segment->loss.c[i];
        minus.c[i] = segment->log_density.c[i] - (1 + theta) * segment->loss.c[i];
    }
    if (segment->loss.c[2] != 0) {
        add_quadratic(decay, segment, &plus, top, total);
        add_quadratic(decay, segment, &minus, top, total);
        return;
    }
    double right = linear_peak(segment, &plus, top, total), left = linear_peak(segment, &minus, top, total);
    /* At the loss 0 a segment and its mirror image continue each other, with the same slope: one log-concave piece. */
    decay->peaks += segment->loss.c[0] == 0 ? fmax(left, right) : left + right;
}

void dpn_decay_add(dpn_decay *decay, const dpn_shape *shape, double theta, double top, double total) {
    if (shape->segments > 0 && shape->segment[0].power.p != 0)
        dpn_decay_add_powers(decay, shape, theta, top, total);
    else
        for (size_t i = 0; i < shape->segments; i++) add_segment(decay, &shape->segment[i], theta, top, total);
}

/* H: the least concave function above r -> sup of sin(x)/x over x >= 1/r. Past its first zero sin(x)/x stays below
 * 0.1284; the line from (0, 0.1284) touches r sin(1/r) where cos(1/r) = 0.1284. */
static double concave_sinc(double r) {
    const double floor_value = 0.1284, touch = 1.442040871;
    if (r >= 1 / touch) return r > 1e7 ? 1 : r * sin(1 / r);
    return floor_value + r * (sin(touch) - touch * cos(touch)) + 1e-8;
}

/* If the densities are cut, which takes away at most `excess`, and what is left has the maxima that sum to peaks/2, the
 * segments' part is at most excess + peaks/omega, and with left = rest - excess at most excess + left sqrt
 * H(peaks/(omega left)). */
static double after_cut(const dpn_decay *decay, double omega, double excess, double peaks) {
    double left = decay->rest - excess;
    if (!(left > 0)) return decay->rest;
    return excess + fmin(left * sqrt(concave_sinc(peaks / (omega * left))), peaks / omega);
}

/* The densities at the edges are cut off at the distance x/sqrt(curvature). */
static double rest_cut(const dpn_decay *decay, double omega, double x) {
    double peaks = 2 * decay->peaks, excess = 0;
    for (size_t i = 0; i < decay->edges; i++) {
        const dpn_edge *edge = &decay->edge[i];
        double cut = fmin(fmax(x / sqrt(edge->curvature), edge->from), edge->to);
        if (cut > edge->from) excess += 0.5 * edge->amplitude * cut;
        peaks += 2 * edge->amplitude / (edge->curvature * cut);
    }
    return after_cut(decay, omega, excess, peaks);
}

double dpn_decay_rest(const dpn_decay *decay, double omega) {
    if (!(decay->rest > 0)) return 0;
    if (decay->cuts > 0) {
        double least = decay->rest;
        for (size_t i = 0; i < decay->cuts; i++)
            least = fmin(least, after_cut(decay, omega, decay->cut[i].excess, 2 * decay->cut[i].peaks));
        return least;
    }
    double best = fmin(decay->rest, rest_cut(decay, omega, 0)), longest = 0;
    if (decay->edges == 0) return best;
    for (size_t i = 0; i < decay->edges; i++)
        longest = fmax(longest, decay->edge[i].to * sqrt(decay->edge[i].curvature));
    best = fmin(best, rest_cut(decay, omega, longest));
    /* The best cut is near 2/sqrt(omega) if omega is large, and a good part of the edge if it is not. */
    for (double x = 0.5 * longest; x > 0.2 / sqrt(omega) && x > 1e-9 * longest; x *= 0.5)
        best = fmin(best, rest_cut(decay, omega, x));
    return best;
}

/* The atoms' part from omega to end, end at most pi/pair: of a pair with the masses u and v at +-pair its square is
 * (u + v)^2 - 4 u v sin^2(omega pair), which falls and then rises. */
static double pair_bound(const dpn_decay *decay, double omega, double end) {
    double product = decay->lesser * (decay->atoms * (1 - 2 * DPN_DECAY_MARGIN) - decay->lesser);
    double least = fmin(fabs(sin(omega * decay->pair)), fabs(sin(end * decay->pair)));
    return sqrt(fmax(0, decay->atoms * decay->atoms - 4 * product * least * least));
}

/* The triangle inequality, and for a pair of atoms the fact that they come back to phase at pi/pair only. */
static double far_bound(const dpn_decay *decay, double omega) {
    double rest = dpn_decay_rest(decay, omega), best = decay->atoms + rest;
    for (int i = 7; i < 10 && decay->pair > 0; i++) {
        double end = 0.1 * i * DPN_PI / decay->pair;
        if (omega >= end) continue;
        double beyond = decay->atoms + dpn_decay_rest(decay, end);
        best = fmin(best, fmax(beyond, pair_bound(decay, omega, end) + rest));
    }
    return fmin(1, best);
}

/* |phi|^2 = E cos(omega (L - L')) <= 1 - omega^2 variance + omega^4 (2 fourth + 6 variance^2)/24, which falls up to
 * omega^2 = 12 variance/(2 fourth + 6 variance^2). The margins cover the rounding of the moments. */
static double quartic_of(const dpn_decay *decay) {
    return (2 * decay->fourth + 6 * decay->variance * decay->variance) * (1 + DPN_DECAY_MARGIN);
}

static double end_of_moments(const dpn_decay *decay) {
    return sqrt(12 * decay->variance * (1 - DPN_DECAY_MARGIN) / quartic_of(decay));
}

/* The second derivative of |phi|^2 is at most 2 variance in size, so between two samples it exceeds the larger by at
 * most variance * spacing^2/4. */
void dpn_decay_scan(dpn_decay *decay, const dpn_shape *shape, double theta, double top, double total) {
    enum { SAMPLES = 24 };
    double from = end_of_moments(decay), to = 8 * from, spacing = (to - from) / SAMPLES, largest = 0;
    for (int i = 0; i <= SAMPLES; i++) {
        double complex z = theta + I * (from + i * spacing);
        double size = cabs(dpn_mgf_segments(shape, z, top) + dpn_mgf_atoms(shape, z, top)) / total + DPN_MGF_ERROR;
        largest = fmax(largest, size * size);
    }
    decay->scanned = to;
    decay->scan_bound = sqrt(largest + 0.25 * decay->variance * (1 + DPN_DECAY_MARGIN) * spacing * spacing);
}

double dpn_decay_log_bound(const dpn_decay *decay, double omega) {
    double last = end_of_moments(decay), far = far_bound(decay, fmax(omega, last));
    if (omega < decay->scanned) far = fmin(far, fmax(decay->scan_bound, far_bound(decay, decay->scanned)));
    if (!(omega < last)) return log(far);
    double square = omega * omega;
    double near = 0.5 * log1p(-square * (decay->variance * (1 - DPN_DECAY_MARGIN) - square * quartic_of(decay) / 24));
    return fmax(near, log(far));
}
