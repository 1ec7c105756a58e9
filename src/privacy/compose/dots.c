/* A loss put on a grid, from above and from below. */
#include "privacy/compose/dots.h"

#include <math.h>

/* The corners of a polygon: (0, exp(log_start)) and (x_j, exp(log_h[j])). */
typedef struct polygon {
    const double *log_h;
    double log_start, step, forward, backward; /* expm1(step), expm1(-step) */
} polygon;

static polygon polygon_of(const double *log_h, double log_start, double step) {
    return (polygon){log_h, log_start, step, expm1(step), expm1(-step)};
}

/* The slopes of the line from corner i to corner k > i, in units of H/x of its left end and of its right end: no depth
 * underflows. */
typedef struct line {
    double at_left, at_right;
} line;

static line line_between(polygon c, size_t i, size_t k) {
    double fall = c.log_h[k] - c.log_h[i], change = expm1(fall);
    double forward = k == i + 1 ? c.forward : expm1((double)(k - i) * c.step);
    double backward = k == i + 1 ? c.backward : expm1(-(double)(k - i) * c.step);
    return (line){change / forward, (change > -0.5 ? -change / (1 + change) : expm1(-fall)) / backward};
}

/* The greatest convex minorant of the points, as P-masses at its corners. After the last point the polygon is level: its
 * height there is the mass at infinity. */
static void masses_of_minorant(dpn_dots *dots, polygon points, dpn_dots_scratch scratch) {
    size_t count = dots->grid.count, corners = 0, *corner = scratch.corner;
    double *left = scratch.left,
           *right = scratch.right; /* slopes of the lines that meet at a corner, in its own unit */
    const double *log_h = points.log_h;
    for (size_t j = 0; j < count; j++) dots->log_mass[j] = -INFINITY;
    for (size_t j = 0; j < count; j++) {
        line last = {0, -expm1(points.log_start - log_h[j])};
        while (corners > 0) { /* a corner that bends the wrong way goes */
            last = line_between(points, corner[corners - 1], j);
            if (last.at_left > left[corners - 1]) break;
            if (--corners == 0) last.at_right = -expm1(points.log_start - log_h[j]);
        }
        if (corners > 0) right[corners - 1] = last.at_left;
        left[corners] = last.at_right;
        right[corners] = 0;
        corner[corners++] = j;
        if (log_h[j] == -INFINITY) break; /* zero from here on */
    }
    for (size_t c = 0; c < corners; c++) {
        size_t k = corner[c];
        dots->blur[k] = 8;
        if (log_h[k] == -INFINITY) { /* the line falls from the corner before to zero at x_k */
            dots->log_mass[k] = c == 0 ? points.log_start
                                       : log_h[corner[c - 1]] - log(-expm1(-(double)(k - corner[c - 1]) * points.step));
            continue;
        }
        double bend = right[c] - left[c];
        if (!(bend > 0)) continue;
        dots->log_mass[k] = log_h[k] + log(bend);
        dots->blur[k] += 8 * (fabs(right[c]) + fabs(left[c])) / bend;
    }
    dots->infinite = exp(log_h[corner[corners - 1]]);
    dots->log_start = points.log_start;
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
static void keep_below_tangents(double *log_v, const dpn_dot_grid *grid, const double *at_least) {
    double width = expm1(grid->step);
    for (size_t j = grid->count - 1; j-- > 0;) {
        if (log_v[j + 1] != -INFINITY && j + 2 < grid->count) continue;
        double rise = at_least[j + 1] * exp(dpn_dot_grid_value(grid, j)) * width;
        log_v[j] = fmin(log_v[j], log(exp(log_v[j + 1]) + rise));
    }
}

/* Heights H_j - max(gap to the left, gap to the right): the polygon through them is below the profile. */
static void lower_heights(double *log_v, const dpn_dot_grid *grid, const double *log_h, const double *above,
                          const double *at_least, double log_infinite) {
    size_t count = grid->count;
    double width = expm1(grid->step), gap_before = 0;
    for (size_t j = 0; j < count; j++) {
        if (log_h[j] == -INFINITY) {
            log_v[j] = -INFINITY;
            continue;
        }
        double unit = exp(dpn_dot_grid_value(grid, j) - log_h[j]), gap = 0, ratio = 0;
        if (j + 1 < count) {
            ratio = exp(log_h[j + 1] - log_h[j]);
            gap = gap_over_cell(ratio, -above[j] * unit, -at_least[j + 1] * unit, width);
        }
        double drop = fmax(gap, gap_before);
        log_v[j] = drop < 1 ? log_h[j] + log1p(-drop) : -INFINITY;
        gap_before = ratio > 0 ? gap / ratio : 0;
    }
    /* Finite losses beyond the grid are dropped, and the level part must not lie above a corner before it. */
    double level = log_infinite;
    for (size_t j = 0; j + 1 < count; j++) level = fmin(level, log_v[j]);
    log_v[count - 1] = level;
    keep_below_tangents(log_v, grid, at_least);
}

dpn_status dpn_dots_above(dpn_dots *above, const dpn_loss_view *loss, dpn_dots_scratch scratch, dpn_error *why) {
    const dpn_dot_grid *grid = &above->grid;
    for (size_t j = 0; j < grid->count; j++) {
        dpn_status status = loss->source->log_delta(&scratch.log_lower[j], &scratch.log_upper[j], loss,
                                                    dpn_dot_grid_value(grid, j), why);
        if (status) return status;
    }
    masses_of_minorant(above, polygon_of(scratch.log_upper, 0, grid->step), scratch);
    return DPN_OK;
}

dpn_status dpn_dots_below(dpn_dots *below, const dpn_loss_view *loss, dpn_dots_scratch scratch, dpn_error *why) {
    const dpn_dot_grid *grid = &below->grid;
    double *above = scratch.right, *at_least = scratch.left; /* slopes to the right and to the left of the points */
    for (size_t j = 0; j < grid->count; j++) {
        /* An atom that belongs on the grid point may lie an ulp to its left. The slope is therefore taken `nudge` to the
         * left, and the height lowered by what the tangent gains on the way. */
        double value = dpn_dot_grid_value(grid, j), nudge = 1e-13 * (1 + fabs(value));
        above[j] = loss->source->above(loss, value);
        at_least[j] = loss->source->at_least(loss, value - nudge);
        double drop = at_least[j] * exp(value - scratch.log_lower[j]) * 2 * nudge;
        scratch.log_lower[j] = drop < 1 ? scratch.log_lower[j] + log1p(-drop) : -INFINITY;
    }
    double log_infinite, unused;
    dpn_status status = loss->source->log_delta(&log_infinite, &unused, loss, INFINITY, why);
    if (status) return status;
    lower_heights(scratch.log_upper, grid, scratch.log_lower, above, at_least, log_infinite);
    /* To the left of the grid the polygon below follows the tangent at the first point. */
    double start = exp(scratch.log_lower[0]) + at_least[0] * exp(grid->offset);
    masses_of_minorant(below, polygon_of(scratch.log_upper, fmin(0, log(start)), grid->step), scratch);
    return DPN_OK;
}
