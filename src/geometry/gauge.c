#include "geometry/gauge.h"

#include <math.h>
#include <stdlib.h>

bool dpn_gauge_exists(const dpn_norm_ball *ball) {
    if (ball->kind == &dpn_norm_ball_kind_members || ball->kind == &dpn_norm_ball_kind_points) return false;
    for (size_t i = 0; i < ball->parts; i++)
        if (!dpn_gauge_exists(ball->part[i])) return false;
    return true;
}

/* ---- Kinds with a formula ---- */

static dpn_gauge_status lp_gauge(dpn_span *out, const dpn_norm_ball *ball, const dpn_span *u, int limbs) {
    dpn_span result = dpn_span_double(limbs, 0);
    for (size_t i = 0; i < ball->dimension; i++) {
        dpn_span term = dpn_span_size(limbs, &u[i]), weight = dpn_span_double(limbs, ball->weight[i]);
        if (!dpn_span_divide(&term, limbs, &term, &weight)) return DPN_GAUGE_OPEN; /* never: weights are positive */
        if (!isinf(ball->p)) term = dpn_span_power(limbs, &term, ball->p);
        result = isinf(ball->p) ? dpn_span_larger(limbs, &result, &term) : dpn_span_add(limbs, &result, &term);
    }
    *out = isinf(ball->p) ? result : dpn_span_root(limbs, &result, ball->p);
    return DPN_GAUGE_FOUND;
}

/* The largest normal.u/offset of a facet, in whole columns. */
static dpn_gauge_status hull_gauge(dpn_span *out, const dpn_norm_ball *ball, const dpn_span *u, int limbs) {
    const dpn_hull *hull = &ball->hull;
    dpn_span result = dpn_span_double(limbs, 0);
    for (size_t f = 0; f < hull->facets; f++) {
        dpn_span sum = dpn_span_double(limbs, 0), offset;
        dpn_integer exact;
        for (int j = 0; j < hull->dimension; j++) {
            dpn_hull_normal(hull, &hull->facet[f], j, &exact);
            dpn_span normal = dpn_span_integer(limbs, &exact), at = dpn_span_scale(&u[j], -hull->shift[j]);
            at = dpn_span_multiply(limbs, &normal, &at);
            sum = dpn_span_add(limbs, &sum, &at);
        }
        dpn_hull_offset(hull, &hull->facet[f], &exact);
        offset = dpn_span_integer(limbs, &exact);
        if (!dpn_span_divide(&sum, limbs, &sum, &offset)) return DPN_GAUGE_OPEN; /* never: offsets are positive */
        result = dpn_span_larger(limbs, &result, &sum);
    }
    *out = result;
    return DPN_GAUGE_FOUND;
}

/* c/2, or 2 a^2/(4 a - c) where c <= 2 a: increasing in a and in c, so that one end gives one end. */
static dpn_wide k2_end(dpn_rounding how, const dpn_wide *a, const dpn_wide *c) {
    dpn_rounding other = {how.limbs, !how.up};
    dpn_wide twice = dpn_wide_scale(*a, 1), four = dpn_wide_scale(*a, 2);
    if (dpn_wide_is_zero(how, a) || dpn_wide_compare(how, c, &twice) > 0) return dpn_wide_scale(*c, -1);
    dpn_wide under = dpn_wide_subtract(other, &four, c), square = dpn_wide_multiply(how, a, &twice);
    return dpn_wide_divide(how, &square, &under);
}

static dpn_span k2_of(int limbs, const dpn_span *u1, const dpn_span *u2) {
    dpn_span a = dpn_span_size(limbs, u1), c = dpn_span_size(limbs, u2), out = a;
    out.low = (dpn_signed_wide){false, k2_end((dpn_rounding){limbs, false}, &a.low.size, &c.low.size)};
    out.high = (dpn_signed_wide){false, k2_end((dpn_rounding){limbs, true}, &a.high.size, &c.high.size)};
    return out;
}

static dpn_span k3_of(int limbs, const dpn_span *a, const dpn_span *b, const dpn_span *c) {
    dpn_span x = dpn_span_size(limbs, a), y = dpn_span_size(limbs, b), z = dpn_span_size(limbs, c);
    dpn_span sum = dpn_span_add(limbs, &x, &y), most = dpn_span_larger(limbs, &x, &y);
    sum = dpn_span_add(limbs, &sum, &z);
    most = dpn_span_larger(limbs, &most, &z);
    sum = dpn_span_scale(&sum, -2);
    most = dpn_span_scale(&most, -1);
    return dpn_span_larger(limbs, &most, &sum);
}

static dpn_gauge_status k2_gauge(dpn_span *out, const dpn_span *u, int limbs) {
    *out = k2_of(limbs, &u[0], &u[1]);
    return DPN_GAUGE_FOUND;
}

/* The order of coordinates is that of regression.c. */
static dpn_gauge_status regression_gauge(dpn_span *out, const dpn_norm_ball *ball, const dpn_span *u, int limbs) {
    size_t p = ball->predictors;
    const dpn_span *square = u + p + 1, *pair = square + p, *cross = pair + p * (p - 1) / 2;
    dpn_span most = dpn_span_double(limbs, 0), one;
    for (size_t j = 0; j < p; j++) {
        one = k2_of(limbs, &u[j], &square[j]);
        most = dpn_span_larger(limbs, &most, &one);
        one = k3_of(limbs, &u[j], &u[p], &cross[j]);
        most = dpn_span_larger(limbs, &most, &one);
        for (size_t k = j + 1; k < p; k++) {
            one = k3_of(limbs, &u[j], &u[k], pair++);
            most = dpn_span_larger(limbs, &most, &one);
        }
    }
    *out = most;
    return DPN_GAUGE_FOUND;
}

/* ---- Balls made of balls ---- */

static dpn_gauge_status gather(dpn_span *out, const dpn_norm_ball *ball, const dpn_span *u, int limbs) {
    bool sum = ball->kind == &dpn_norm_ball_kind_sum, blocks = ball->kind != &dpn_norm_ball_kind_intersection;
    dpn_span result = dpn_span_double(limbs, 0), one;
    for (size_t i = 0, at = 0; i < ball->parts; i++) {
        dpn_gauge_status status = dpn_gauge(&one, ball->part[i], u + at, limbs);
        if (status) return status;
        result = sum ? dpn_span_add(limbs, &result, &one) : dpn_span_larger(limbs, &result, &one);
        if (blocks) at += ball->part[i]->dimension;
    }
    *out = result;
    return DPN_GAUGE_FOUND;
}

/* The row below with the largest pivot that is certainly not 0; its double does to choose. */
static size_t pivot_row(const dpn_span *row, size_t m, size_t column, int limbs) {
    dpn_span best = dpn_span_double(limbs, 0);
    size_t at = column;
    for (size_t i = column; i < m; i++) {
        dpn_span size = dpn_span_size(limbs, &row[i * (m + 1) + column]);
        dpn_span larger = dpn_span_larger(limbs, &best, &size);
        if (dpn_span_compare(limbs, &larger, &best) > 0) {
            at = i;
            best = size;
        }
    }
    return at;
}

/* Solve A x = u by elimination, m rows of A and u, in place: x is the last column. */
static bool solve(dpn_span *row, size_t m, int limbs) {
    size_t width = m + 1;
    for (size_t c = 0; c < m; c++) {
        size_t pivot = pivot_row(row, m, c, limbs);
        for (size_t j = c; j < width && pivot != c; j++) {
            dpn_span keep = row[c * width + j];
            row[c * width + j] = row[pivot * width + j];
            row[pivot * width + j] = keep;
        }
        for (size_t j = width; j-- > c;)
            if (!dpn_span_divide(&row[c * width + j], limbs, &row[c * width + j], &row[c * width + c])) return false;
        for (size_t i = 0; i < m; i++) {
            if (i == c) continue;
            dpn_span times = dpn_span_minus(&row[i * width + c]);
            for (size_t j = c; j < width; j++) {
                dpn_span less = dpn_span_multiply(limbs, &times, &row[c * width + j]);
                row[i * width + j] = dpn_span_add(limbs, &row[i * width + j], &less);
            }
        }
    }
    return true;
}

static dpn_gauge_status image_gauge(dpn_span *out, const dpn_norm_ball *ball, const dpn_span *u, int limbs) {
    size_t m = ball->dimension;
    dpn_span *row = malloc(m * (m + 1) * sizeof *row);
    if (row == NULL) return DPN_GAUGE_NO_MEMORY;
    for (size_t i = 0; i < m; i++) {
        for (size_t j = 0; j < m; j++) row[i * (m + 1) + j] = dpn_span_double(limbs, ball->matrix[i * m + j]);
        row[i * (m + 1) + m] = u[i];
    }
    dpn_gauge_status status = solve(row, m, limbs) ? DPN_GAUGE_FOUND : DPN_GAUGE_OPEN;
    for (size_t i = 0; i < m; i++) row[i] = row[i * (m + 1) + m];
    if (!status) status = dpn_gauge(out, ball->part[0], row, limbs);
    free(row);
    return status;
}

dpn_gauge_status dpn_gauge(dpn_span *out, const dpn_norm_ball *ball, const dpn_span *u, int limbs) {
    if (ball->kind == &dpn_norm_ball_kind_lp) return lp_gauge(out, ball, u, limbs);
    if (ball->kind == &dpn_norm_ball_kind_hull) return hull_gauge(out, ball, u, limbs);
    if (ball->kind == &dpn_norm_ball_kind_k2) return k2_gauge(out, u, limbs);
    if (ball->kind == &dpn_norm_ball_kind_regression) return regression_gauge(out, ball, u, limbs);
    if (ball->kind == &dpn_norm_ball_kind_image) return image_gauge(out, ball, u, limbs);
    return gather(out, ball, u, limbs);
}
