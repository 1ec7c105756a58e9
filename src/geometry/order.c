/* Containment. */
#include <math.h>
#include <stdlib.h>

#include "geometry/ball.h"

/* ---- l_p balls ---- */

/* sup |u|_B over A: with r_i the ratios of the weights it is the largest r_i if p <= q, and else |r|_s, 1/s = 1/q - 1/p, by
 * the inequality of Hoelder. Rounding makes it wrong by much less than the margins below. */
static double reach_of(const dpn_norm_ball *a, const dpn_norm_ball *b) {
    double largest = 0, sum = 0;
    for (size_t i = 0; i < a->dimension; i++) largest = fmax(largest, a->weight[i] / b->weight[i]);
    if (a->p <= b->p) return largest;
    double inverse = 1 / b->p - (isinf(a->p) ? 0 : 1 / a->p);
    if (!(inverse > 0)) return largest;
    for (size_t i = 0; i < a->dimension; i++) sum += pow(a->weight[i] / b->weight[i] / largest, 1 / inverse);
    return largest * pow(sum, inverse);
}

/* Where p <= q and the scales or the weights are equal, numbers that are given decide. */
static dpn_order compare_sides(const dpn_norm_ball *a, double scale_a, const dpn_norm_ball *b, double scale_b) {
    bool equal = true, shorter = true;
    for (size_t i = 0; i < a->dimension; i++) {
        equal = equal && a->weight[i] == b->weight[i];
        shorter = shorter && a->weight[i] <= b->weight[i];
    }
    if (equal) return scale_a <= scale_b ? DPN_ORDER_INSIDE : DPN_ORDER_NOT_INSIDE;
    if (scale_a == scale_b) return shorter ? DPN_ORDER_INSIDE : DPN_ORDER_NOT_INSIDE;
    return DPN_ORDER_UNKNOWN;
}

/* By the largest norm of a point, known to much less than a relative 1e-9. */
static dpn_order with_margins(double reach, double scale_a, double scale_b) {
    if (reach * scale_a * (1 + 1e-9) <= scale_b) return DPN_ORDER_INSIDE;
    return reach * scale_a * (1 - 1e-9) > scale_b ? DPN_ORDER_NOT_INSIDE : DPN_ORDER_UNKNOWN;
}

static dpn_order inside_lp(const dpn_norm_ball *a, double scale_a, const dpn_norm_ball *b, double scale_b) {
    dpn_order order = a->p <= b->p ? compare_sides(a, scale_a, b, scale_b) : DPN_ORDER_UNKNOWN;
    return order == DPN_ORDER_UNKNOWN ? with_margins(reach_of(a, b), scale_a, scale_b) : order;
}

/* ---- Vertices ---- */

enum { MOST_CORNERS = 16 };

/* How many vertices, up to sign, a ball is the hull of; 0 if it is not a hull or they are too many. */
static size_t count_vertices(const dpn_norm_ball *ball) {
    if (ball->kind == &dpn_norm_ball_kind_hull) return ball->vertices;
    if (ball->kind == &dpn_norm_ball_kind_points) return ball->dimension <= MOST_CORNERS ? ball->vertices : 0;
    if (ball->kind != &dpn_norm_ball_kind_lp || ball->dimension > MOST_CORNERS) return 0;
    if (ball->p == 1 || ball->dimension == 1) return ball->dimension;
    return isinf(ball->p) ? (size_t)1 << (ball->dimension - 1) : 0;
}

static void get_vertex(const dpn_norm_ball *ball, size_t number, double *out) {
    if (ball->kind == &dpn_norm_ball_kind_hull || ball->kind == &dpn_norm_ball_kind_points) {
        dpn_ball_vertex(out, ball, number);
        return;
    }
    bool box = isinf(ball->p) && ball->dimension > 1;
    for (size_t i = 0; i < ball->dimension; i++)
        out[i] = box ? (number >> i & 1 ? -ball->weight[i] : ball->weight[i]) : i == number ? ball->weight[i] : 0;
}

/* b itself if it is a hull, else a hull made of its vertices, if they are few. */
static const dpn_norm_ball *as_hull(const dpn_norm_ball *b, dpn_norm_ball **made) {
    *made = NULL;
    if (b->kind == &dpn_norm_ball_kind_hull) return b;
    size_t count = count_vertices(b);
    if (count == 0 || b->dimension > 6) return NULL;
    double *point = calloc(count * b->dimension, sizeof *point);
    for (size_t v = 0; point && v < count; v++) get_vertex(b, v, point + v * b->dimension);
    if (point && dpn_ball_hull(made, b->dimension, point, count, NULL)) *made = NULL;
    free(point);
    return *made;
}

/* x 2^shift as a whole number; false if it is too large or too fine. */
static bool whole(dpn_integer *out, double x, int shift) {
    double y = ldexp(x, shift);
    if (!(fabs(y) < 0x1p300) || floor(y) != y || (y == 0) != (x == 0)) return false;
    dpn_integer_set(out, y);
    return true;
}

/* Is scale_a v beyond a facet of scale_b B? 1 yes, 0 no, -1 cannot say. Exactly: sum N_j v_j scale_a - D scale_b. */
static int beyond(const dpn_hull *hull, const dpn_facet *facet, const double *v, double scale_a, double scale_b) {
    enum { FINE = 100 }; /* bits after the point that v and the scales may have */
    dpn_integer sum, other, x, scale, offset, product;
    dpn_hull_offset(hull, facet, &offset);
    dpn_integer_set(&sum, 0);
    for (int j = 0; j < hull->dimension; j++) {
        dpn_hull_normal(hull, facet, j, &other);
        if (!whole(&x, v[j], FINE - hull->shift[j])) return -1;
        dpn_integer_accumulate(&sum, &other, &x, false);
    }
    if (!whole(&scale, scale_a, FINE)) return -1;
    dpn_integer_multiply(&product, &sum, &scale);
    if (!whole(&scale, ldexp(scale_b, FINE), FINE)) return -1;
    dpn_integer_accumulate(&product, &offset, &scale, true);
    return product.sign > 0;
}

static dpn_order inside_hull(const dpn_norm_ball *a, double scale_a, const dpn_norm_ball *b, double scale_b) {
    double v[MOST_CORNERS];
    for (size_t k = 0; k < count_vertices(a); k++) {
        get_vertex(a, k, v);
        for (size_t f = 0; f < b->hull.facets; f++) {
            int answer = beyond(&b->hull, &b->hull.facet[f], v, scale_a, scale_b);
            if (answer < 0) return DPN_ORDER_UNKNOWN;
            if (answer > 0) return DPN_ORDER_NOT_INSIDE;
        }
    }
    return DPN_ORDER_INSIDE;
}

/* Any b: the largest norm of the vertices, with margins. */
static dpn_order inside_any(const dpn_norm_ball *a, double scale_a, const dpn_norm_ball *b, double scale_b) {
    double v[MOST_CORNERS], upper = 0, lower = 0;
    for (size_t k = 0; k < count_vertices(a); k++) {
        get_vertex(a, k, v);
        double bound = b->kind->norm_upper(b, v);
        if (isnan(bound)) return DPN_ORDER_UNKNOWN;
        upper = fmax(upper, bound);
        lower = fmax(lower, b->kind->norm(b, v) * (1 - 1e-9));
    }
    if (upper * scale_a * (1 + 0x1p-50) <= scale_b) return DPN_ORDER_INSIDE;
    return lower * scale_a > scale_b ? DPN_ORDER_NOT_INSIDE : DPN_ORDER_UNKNOWN;
}

/* A ball without vertices in a hull: how far it reaches along the normal of each facet. */
static dpn_order inside_facets(const dpn_norm_ball *a, double scale_a, const dpn_norm_ball *b, double scale_b) {
    double normal[DPN_HULL_DIMENSION], reach = 0;
    for (size_t f = 0; f < b->hull.facets; f++) {
        for (int j = 0; j < b->hull.dimension; j++) normal[j] = ldexp(b->hull.facet[f].normal[j], -b->hull.shift[j]);
        double one = a->kind->support(a, normal);
        if (isnan(one)) return DPN_ORDER_UNKNOWN;
        reach = fmax(reach, one);
    }
    return with_margins(reach, scale_a, scale_b);
}

dpn_order dpn_ball_inside(const dpn_norm_ball *a, double scale_a, const dpn_norm_ball *b, double scale_b) {
    if (a->dimension != b->dimension || !(scale_a > 0) || !(scale_b > 0)) return DPN_ORDER_UNKNOWN;
    dpn_order order = DPN_ORDER_UNKNOWN;
    if (a->kind == &dpn_norm_ball_kind_lp && b->kind == &dpn_norm_ball_kind_lp)
        order = inside_lp(a, scale_a, b, scale_b);
    if (order != DPN_ORDER_UNKNOWN) return order;
    bool corners = count_vertices(a) > 0;
    dpn_norm_ball *made;
    const dpn_norm_ball *hull = as_hull(b, &made);
    if (hull) order = corners ? inside_hull(a, scale_a, hull, scale_b) : inside_facets(a, scale_a, hull, scale_b);
    if (corners && order == DPN_ORDER_UNKNOWN) order = inside_any(a, scale_a, b, scale_b);
    dpn_ball_free(made);
    return order;
}
