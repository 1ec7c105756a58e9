/* A loss put on a grid, from above and from below. */
#include "privacy/compose/dots.h"

#include "base/error.h"

#include <math.h>

/* From one point to the next no height falls by more than e^DEEPEST. */
#define DEEPEST 600

static size_t node_count(const dpn_dots *dots) {
    return dots->node ? dots->nodes : dots->grid.count;
}

static size_t node_at(const dpn_dots *dots, size_t i) {
    return dots->node ? dots->node[i] : i;
}

/* expm1(span step) and expm1(-span step); most spans are as long as the one before. */
typedef struct widths {
    double step, forward, backward;
    size_t span;
} widths;

static void measure(widths *w, size_t span) {
    if (w->span == span) return;
    w->span = span;
    w->forward = expm1((double)span * w->step);
    w->backward = expm1(-(double)span * w->step);
}

/* The slopes of the line from corner i to corner k > i of a polygon with heights exp(log_h), in units of H/x of its left end and of
 * its right end: no depth underflows. */
typedef struct line {
    double at_left, at_right;
} line;

static line line_between(const double *log_h, widths *w, size_t i, size_t k) {
    double fall = log_h[k] - log_h[i], change = expm1(fall);
    measure(w, k - i);
    return (line){change / w->forward, (change > -0.5 ? -change / (1 + change) : expm1(-fall)) / w->backward};
}

/* The greatest convex minorant of (0, exp(log_start)) and (x_j, exp(log_h[j])), j a node, as P-masses at its corners. After
 * the last point the polygon is level: its height there is the mass at infinity. */
static void masses_of_minorant(dpn_dots *dots, const double *log_h, double log_start, dpn_dots_scratch scratch) {
    size_t nodes = node_count(dots), corners = 0, *corner = scratch.corner;
    double *left = scratch.left,
           *right = scratch.right; /* slopes of the lines that meet at a corner, in its own unit */
    widths w = {.step = dots->grid.step};
    for (size_t j = 0; j < dots->grid.count; j++) dots->log_mass[j] = -INFINITY;
    for (size_t i = 0; i < nodes; i++) {
        size_t j = node_at(dots, i);
        line last = {0, 0};
        while (corners > 0) { /* a corner that bends the wrong way goes */
            last = line_between(log_h, &w, corner[corners - 1], j);
            if (last.at_left > left[corners - 1]) break;
            corners--;
        }
        if (corners > 0)
            right[corners - 1] = last.at_left;
        else
            last.at_right = -expm1(log_start - log_h[j]);
        left[corners] = last.at_right;
        right[corners] = 0;
        corner[corners++] = j;
        if (log_h[j] == -INFINITY) break; /* zero from here on */
    }
    for (size_t c = 0; c < corners; c++) {
        size_t k = corner[c];
        dots->blur[k] = 8;
        if (log_h[k] == -INFINITY) { /* the line falls from the corner before to zero at x_k */
            dots->log_mass[k] =
                c == 0 ? log_start : log_h[corner[c - 1]] - log(-expm1(-(double)(k - corner[c - 1]) * w.step));
            continue;
        }
        double bend = right[c] - left[c];
        if (!(bend > 0)) continue;
        dots->log_mass[k] = log_h[k] + log(bend);
        dots->blur[k] += 8 * (fabs(right[c]) + fabs(left[c])) / bend;
    }
    dots->infinite = exp(log_h[corner[corners - 1]]);
    dots->log_start = log_start;
    dots->corners = corners;
}

/* How far the chord over a cell may lie above the profile, in units of the height at the cell's left end: the two tangents
 * are below the profile, and the chord's largest distance from them is at their intersection. right_slope is the slope
 * at the left end, left_slope at the right end, both in units of H/x of the left end; width = e^step - 1. */
static double gap_over_cell(double ratio, double right_slope, double left_slope, double width) {
    double chord = (ratio - 1) / width;
    if (!(left_slope > right_slope)) { /* a line, which is its own tangent; or slopes that are not known */
        double below = (chord - right_slope) * width;
        return below >= 0 ? fmin(below, 1 - ratio) : left_slope == right_slope ? 0 : 1 - ratio;
    }
    double at = width * (left_slope - chord) / (left_slope - right_slope);
    at = fmin(fmax(at, 0), width);
    return fmin(fmax(0, (chord - right_slope) * at), 1 - ratio);
}

/* A height of 0, and that of the level part, could not be lowered by the gap of the cell before it. There the line from the right
 * end must not exceed the tangent's slope: the tangent, moved down to that end, is below the profile. */
static void keep_below_tangents(double *log_v, const dpn_dots *dots, const double *at_least) {
    size_t nodes = node_count(dots);
    widths w = {.step = dots->grid.step};
    for (size_t i = nodes - 1; i-- > 0;) {
        size_t j = node_at(dots, i), next = node_at(dots, i + 1);
        if (log_v[next] != -INFINITY && i + 2 < nodes) continue;
        measure(&w, next - j);
        double rise = at_least[next] * exp(dpn_dot_grid_value(&dots->grid, j)) * w.forward;
        log_v[j] = fmin(log_v[j], log(exp(log_v[next]) + rise));
    }
}

/* Heights H_j - max(gap to the left, gap to the right): the polygon through them is below the profile. */
static void lower_heights(double *log_v, const dpn_dots *dots, const double *log_h, const double *above,
                          const double *at_least, double log_infinite) {
    size_t nodes = node_count(dots);
    double gap_before = 0, level = log_infinite;
    widths w = {.step = dots->grid.step};
    for (size_t i = 0; i < nodes; i++) {
        size_t j = node_at(dots, i);
        if (log_h[j] == -INFINITY) {
            log_v[j] = -INFINITY;
            continue;
        }
        double unit = exp(dpn_dot_grid_value(&dots->grid, j) - log_h[j]), gap = 0, ratio = 0;
        if (i + 1 < nodes) {
            size_t next = node_at(dots, i + 1);
            measure(&w, next - j);
            ratio = exp(log_h[next] - log_h[j]);
            gap = gap_over_cell(ratio, -above[j] * unit, -at_least[next] * unit, w.forward);
        }
        double drop = fmax(gap, gap_before);
        log_v[j] = drop < 1 ? log_h[j] + log1p(-drop) : -INFINITY;
        gap_before = ratio > 0 ? gap / ratio : 0;
    }
    /* Finite losses beyond the grid are dropped, and the level part must not lie above a corner before it. */
    for (size_t i = 0; i + 1 < nodes; i++) level = fmin(level, log_v[node_at(dots, i)]);
    log_v[dots->grid.count - 1] = level;
    for (size_t i = 0; i + 1 < nodes; i++) /* lower is safe, and no slope overflows */
        if (log_v[node_at(dots, i + 1)] < log_v[node_at(dots, i)] - DEEPEST) log_v[node_at(dots, i + 1)] = -INFINITY;
    keep_below_tangents(log_v, dots, at_least);
}

/* A point takes up to milliseconds, and there are up to millions. */
static dpn_status check_cancelled(const dpn_dots_scratch *scratch, dpn_error *why) {
    if (!scratch->cancelled || !scratch->cancelled(scratch->context)) return DPN_OK;
    return dpn_fail(why, DPN_ECANCELLED, "the calculation was cancelled");
}

dpn_status dpn_dots_above(dpn_dots *above, const dpn_loss_view *loss, dpn_dots_scratch scratch, dpn_error *why) {
    dpn_falling last = {.left = 0};
    bool alone = above->alone && loss->source->log_upper;
    for (size_t i = node_count(above); i-- > 0;) { /* from the largest epsilon down, which some losses are quick at */
        size_t j = node_at(above, i);
        double *lower = &scratch.log_lower[j], *upper = &scratch.log_upper[j],
               epsilon = dpn_dot_grid_value(&above->grid, j);
        dpn_status status = alone ? loss->source->log_upper(upper, loss, epsilon, why)
                            : loss->source->log_delta_after
                                ? loss->source->log_delta_after(lower, upper, &last, loss, epsilon, why)
                                : loss->source->log_delta(lower, upper, loss, epsilon, why);
        if (!status) status = check_cancelled(&scratch, why);
        if (status) return status;
    }
    for (size_t i = 1; i < node_count(above); i++) { /* higher is safe, and no slope overflows */
        size_t j = node_at(above, i);
        if (scratch.log_upper[j] > -INFINITY)
            scratch.log_upper[j] = fmax(scratch.log_upper[j], scratch.log_upper[node_at(above, i - 1)] - DEEPEST);
    }
    masses_of_minorant(above, scratch.log_upper, 0, scratch);
    return DPN_OK;
}

/* (e^x - 1)/x, as a guide alone. */
static double relative_change(double x) {
    return fabs(x) < 0.1 ? 1 + x / 2 * (1 + x / 3) : expm1(x) / x;
}

/* Whether the slope may jump at node i, because an atom lies there: without one the right slope is about as far from that of the
 * chord on the left as from that of the chord on the right. In units of H/x of the node. */
static bool may_jump(const dpn_dots *dots, size_t i, const double *log_h, double above) {
    if (i == 0 || i + 1 == node_count(dots)) return true;
    size_t j = node_at(dots, i), before = node_at(dots, i - 1), next = node_at(dots, i + 1);
    double back = (double)(j - before) * dots->grid.step, forth = (double)(next - j) * dots->grid.step;
    double rise = log_h[before] - log_h[j], fall = log_h[next] - log_h[j];
    double slope = above * exp(dpn_dot_grid_value(&dots->grid, j) - log_h[j]);
    double on_left = rise * relative_change(rise) / (back * relative_change(-back)) - slope;
    double on_right = slope + fall * relative_change(fall) / (forth * relative_change(forth));
    return !(on_left * forth <= 2 * on_right * back);
}

static double nudge_at(double value) {
    return 1e-13 * (1 + fabs(value));
}

dpn_status dpn_dots_below(dpn_dots *below, const dpn_loss_view *loss, dpn_dots_scratch scratch, dpn_error *why) {
    const dpn_dot_grid *grid = &below->grid;
    double *above = scratch.right, *at_least = scratch.left; /* slopes to the right and to the left of the points */
    /* An atom that belongs on the grid point may lie an ulp to its left, so where the slope may jump it is taken `nudge` to the left.
     * Elsewhere Q(L > value) serves, which is at most Q(L >= value). */
    for (size_t i = 0; i < node_count(below); i++) {
        size_t j = node_at(below, i);
        double value = dpn_dot_grid_value(grid, j);
        above[j] = loss->source->above(&at_least[j], loss, value);
        if (!(at_least[j] > 0) || may_jump(below, i, scratch.log_lower, above[j]))
            at_least[j] = loss->source->at_least(loss, value - nudge_at(value));
        dpn_status status = check_cancelled(&scratch, why);
        if (status) return status;
    }
    /* All heights are lowered by what the tangent gains over `nudge`. */
    for (size_t i = 0; i < node_count(below); i++) {
        size_t j = node_at(below, i);
        double value = dpn_dot_grid_value(grid, j);
        double drop = at_least[j] * exp(value - scratch.log_lower[j]) * 2 * nudge_at(value);
        scratch.log_lower[j] = drop < 1 ? scratch.log_lower[j] + log1p(-drop) : -INFINITY;
    }
    double log_infinite, unused;
    dpn_status status = loss->source->log_delta(&log_infinite, &unused, loss, INFINITY, why);
    if (status) return status;
    lower_heights(scratch.log_upper, below, scratch.log_lower, above, at_least, log_infinite);
    /* To the left of the grid the polygon below follows the tangent at the first point. */
    double start = exp(scratch.log_lower[0]) + at_least[0] * exp(grid->offset);
    masses_of_minorant(below, scratch.log_upper, fmin(0, log(start)), scratch);
    return DPN_OK;
}
