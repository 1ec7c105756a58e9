/* A loss put on a grid, from above and from below. */
#include "privacy/compose/dots.h"

#include <math.h>

/* The corners of a polygon: (0, exp(log_start)) and (x_j, exp(log_h[j])). */
typedef struct polygon {
    const double *log_h;
    double log_start, step;
} polygon;

/* Slope of the line through points i < k, or k < i, in units of H_k/x_k; i = NONE is the point at x = 0. */
#define NONE ((size_t)-1)
static double slope_at(polygon c, size_t i, size_t k) {
    const double *log_h = c.log_h;
    double step = c.step;
    if (i == NONE) return -expm1(c.log_start - log_h[k]);
    double distance = i > k ? (double)(i - k) * step : -(double)(k - i) * step;
    return expm1(log_h[i] - log_h[k]) / expm1(distance);
}

/* The greatest convex minorant of the points, as P-masses at its corners. All slopes are taken relative to x_k and H_k of a
 * corner k, so that no depth underflows. After the last point the polygon is level: its height there is the mass at
 * infinity. */
static void masses_of_minorant(dpn_dots *dots, polygon points, size_t *corner) {
    size_t count = dots->grid.count, corners = 0;
    const double *log_h = points.log_h;
    for (size_t j = 0; j < count; j++) {
        dots->log_mass[j] = -INFINITY;
        while (corners > 0) { /* a corner that bends the wrong way goes */
            size_t top = corner[corners - 1], before = corners > 1 ? corner[corners - 2] : NONE;
            if (slope_at(points, j, top) > slope_at(points, before, top)) break;
            corners--;
        }
        corner[corners++] = j;
        if (log_h[j] == -INFINITY) { /* zero from here on */
            for (size_t rest = j + 1; rest < count; rest++) dots->log_mass[rest] = -INFINITY;
            break;
        }
    }
    for (size_t c = 0; c < corners; c++) {
        size_t k = corner[c], before = c > 0 ? corner[c - 1] : NONE;
        if (log_h[k] == -INFINITY) {
            /* The line falls from the corner before to zero at x_k. */
            dots->log_mass[k] = before == NONE ? points.log_start
                                               : log_h[before] - log(-expm1(-(double)(k - before) * points.step));
            continue;
        }
        double right = c + 1 < corners ? slope_at(points, corner[c + 1], k) : 0;
        double bend = right - slope_at(points, before, k);
        dots->log_mass[k] = bend > 0 ? log_h[k] + log(bend) : -INFINITY;
    }
    size_t last = corner[corners - 1];
    dots->infinite = exp(log_h[last]);
}

/* How far the chord over a cell may lie above the profile, in units of the height at the cell's left end: the two tangents
 * are below the profile, and the chord's largest distance from them is at their intersection. right_slope is the slope
 * at the left end, left_slope at the right end, both in units of H/x of the left end; width = e^step - 1. */
static double gap_over_cell(double ratio, double right_slope, double left_slope, double width) {
    double chord = (ratio - 1) / width;
    if (!(left_slope > right_slope)) return 1 - ratio; /* the profile does not rise: it is at least its right end */
    double at = width * (left_slope - chord) / (left_slope - right_slope);
    at = fmin(fmax(at, 0), width);
    return fmin(fmax(0, (chord - right_slope) * at), 1 - ratio);
}

/* Heights H_j - max(gap to the left, gap to the right): the polygon through them is below the profile. */
static void lower_heights(double *log_v, const dpn_grid *grid, const double *log_h, const double *above,
                          const double *at_least, double log_infinite) {
    size_t count = grid->count;
    double width = expm1(grid->step), gap_before = 0;
    for (size_t j = 0; j < count; j++) {
        if (log_h[j] == -INFINITY) {
            log_v[j] = -INFINITY;
            continue;
        }
        double unit = exp(dpn_grid_value(grid, j) - log_h[j]), gap = 0, ratio = 0;
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
}

dpn_status dpn_dots_make(dpn_dots *upper, dpn_dots *lower, const dpn_loss_view *loss, dpn_dots_scratch scratch, dpn_error *why) {
    const dpn_grid *grid = &upper->grid;
    for (size_t j = 0; j < grid->count; j++) {
        dpn_delta delta;
        double value = dpn_grid_value(grid, j);
        dpn_status status = dpn_loss_delta(&delta, loss, value, why);
        if (status) return status;
        scratch.log_upper[j] = fmin(0, delta.log_upper);
        /* An atom that belongs on the grid point may lie an ulp to its left. The slope is therefore taken `nudge` to the
         * left, and the height lowered by what the tangent gains on the way. */
        double nudge = 1e-13 * (1 + fabs(value));
        dpn_reverse_tails here = dpn_loss_reverse_tails(loss, value), left = dpn_loss_reverse_tails(loss, value - nudge);
        scratch.above[j] = here.above * (1 + here.error); /* each to the side on which its tangent stays below */
        scratch.at_least[j] = left.at_least * (1 - left.error);
        double drop = scratch.at_least[j] * exp(value - delta.log_lower) * 2 * nudge;
        scratch.log_lower[j] = drop < 1 ? delta.log_lower + log1p(-drop) : -INFINITY;
    }
    dpn_delta infinite;
    dpn_status status = dpn_loss_delta(&infinite, loss, INFINITY, why);
    if (status) return status;
    masses_of_minorant(upper, (polygon){scratch.log_upper, 0, grid->step}, scratch.corner);
    lower_heights(scratch.log_upper, grid, scratch.log_lower, scratch.above, scratch.at_least, infinite.log_lower);
    /* To the left of the grid the polygon below follows the tangent at the first point. */
    double start = exp(scratch.log_lower[0]) + scratch.at_least[0] * exp(grid->offset);
    masses_of_minorant(lower, (polygon){scratch.log_upper, fmin(0, log(start)), grid->step}, scratch.corner);
    return DPN_OK;
}
