/* Hulls of points in dimensions that facets cannot serve: |u| is the least sum of l_j >= 0 with u = sum l_j (+-v_j), a
 * linear program.
 *
 * The revised simplex method in doubles, begun for every u from one basis. Its answer is trusted in nothing: what it
 * leaves of u is bounded, so that any basis, the best or not, gives a number that |u| does not exceed; and any y with
 * |y.v_j| <= 1 for all j gives one that |u| is not below. docs/proofs/geometry/balls.md
 */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "geometry/points.h"

static double dot(size_t m, const double *a, const double *b) {
    double sum = 0;
    for (size_t i = 0; i < m; i++) sum += a[i] * b[i];
    return sum;
}

/* ---- The simplex method ---- */

/* A basis of m points with signs; the rows of the inverse give coefficients: u = sum_k (row_k.u) point_k. */
typedef struct tableau {
    double *inverse, *coefficient, *weight, *direction; /* weight is y, the prices */
    uint32_t *basis;
    signed char *sign;
} tableau;

static bool make_tableau(tableau *t, const dpn_norm_ball *ball) {
    size_t m = ball->dimension;
    *t = (tableau){
        .inverse = malloc((m * m + 3 * m) * sizeof(double)), .basis = malloc(m * sizeof(uint32_t)), .sign = malloc(m)};
    if (!t->inverse || !t->basis || !t->sign) return false;
    t->coefficient = t->inverse + m * m;
    t->weight = t->coefficient + m;
    t->direction = t->weight + m;
    memcpy(t->inverse, ball->inverse, m * m * sizeof(double));
    memcpy(t->basis, ball->vertex_of, m * sizeof(uint32_t));
    return true;
}

static void free_tableau(tableau *t) {
    free(t->inverse);
    free(t->basis);
    free(t->sign);
}

static void set_prices(tableau *t, size_t m) {
    for (size_t i = 0; i < m; i++) t->weight[i] = 0;
    for (size_t k = 0; k < m; k++)
        for (size_t i = 0; i < m; i++) t->weight[i] += t->sign[k] * t->inverse[k * m + i];
}

/* The point with the largest price, which is above 1 if the basis can be improved. */
static size_t dearest(const tableau *t, const dpn_norm_ball *ball, double *price) {
    size_t best = 0;
    *price = 0;
    for (size_t j = 0; j < ball->vertices; j++) {
        double one = dot(ball->dimension, t->weight, dpn_point_of(ball, j));
        if (fabs(one) > fabs(*price)) {
            *price = one;
            best = j;
        }
    }
    return best;
}

/* Let a point in for one of the basis. False if none can leave. */
static bool pivot(tableau *t, const dpn_norm_ball *ball, size_t entering, int sign) {
    size_t m = ball->dimension, leaving = m;
    double least = INFINITY;
    for (size_t k = 0; k < m; k++) t->direction[k] = sign * dot(m, t->inverse + k * m, dpn_point_of(ball, entering));
    for (size_t k = 0; k < m; k++) {
        double rise = t->sign[k] * t->direction[k], ratio = fmax(0, t->sign[k] * t->coefficient[k]) / rise;
        if (rise > 1e-10 && (ratio < least || (ratio == least && leaving < m && rise > fabs(t->direction[leaving])))) {
            least = ratio;
            leaving = k;
        }
    }
    if (leaving == m) return false;
    double lead = t->direction[leaving];
    for (size_t i = 0; i < m; i++) t->inverse[leaving * m + i] *= sign / lead;
    for (size_t k = 0; k < m; k++) {
        double times = sign * t->direction[k];
        for (size_t i = 0; k != leaving && i < m; i++) t->inverse[k * m + i] -= times * t->inverse[leaving * m + i];
    }
    t->basis[leaving] = (uint32_t)entering;
    t->sign[leaving] = (signed char)sign;
    return true;
}

static void set_coefficients(tableau *t, size_t m, const double *u) {
    for (size_t k = 0; k < m; k++) t->coefficient[k] = dot(m, t->inverse + k * m, u);
}

/* Improve until no price is above 1, or for N steps. *lower is a lower bound of the norm. */
static void improve(tableau *t, const dpn_norm_ball *ball, const double *u, double *lower) {
    size_t m = ball->dimension, steps = 50 * m + 1000;
    *lower = 0;
    set_coefficients(t, m, u);
    for (size_t k = 0; k < m; k++) t->sign[k] = t->coefficient[k] < 0 ? -1 : 1;
    for (size_t step = 0; step < steps; step++) {
        double price;
        set_prices(t, m);
        size_t entering = dearest(t, ball, &price);
        *lower = fmax(*lower, dot(m, t->weight, u) / fmax(1, fabs(price)));
        if (fabs(price) <= 1 + 1e-12 || !pivot(t, ball, entering, price < 0 ? -1 : 1)) return;
        set_coefficients(t, m, u);
    }
}

/* What the basis makes of u, and a bound of |what it leaves|: each unit vector has at most the norm column_norms. */
static double bound_of(const tableau *t, const dpn_norm_ball *ball, const double *u) {
    size_t m = ball->dimension;
    double sum = 0, rest = 0;
    for (size_t k = 0; k < m; k++) sum += fabs(t->coefficient[k]);
    for (size_t i = 0; i < m; i++) {
        double left = u[i], size = fabs(u[i]);
        for (size_t k = 0; k < m; k++) {
            double term = t->coefficient[k] * dpn_point_of(ball, t->basis[k])[i];
            left -= term;
            size += fabs(term);
        }
        rest += fabs(left) + size * ((double)m + 4) * 0x1p-52;
    }
    return dpn_rounded_up(sum + rest * ball->column_norms, 2 * m, 0);
}

static double solve(const dpn_norm_ball *ball, const double *u, double *lower) {
    tableau t;
    double upper = INFINITY;
    *lower = 0;
    if (make_tableau(&t, ball)) {
        improve(&t, ball, u, lower);
        upper = bound_of(&t, ball, u);
    }
    free_tableau(&t);
    return upper;
}

/* ---- The ball ---- */

static double norm_upper(const dpn_norm_ball *ball, const double *u) {
    double lower;
    return solve(ball, u, &lower);
}

static double norm(const dpn_norm_ball *ball, const double *u) {
    double lower, upper = solve(ball, u, &lower);
    return isinf(upper) ? NAN : upper <= lower ? upper : lower + (upper - lower) / 2;
}

static double support(const dpn_norm_ball *ball, const double *c) {
    double most = 0;
    for (size_t j = 0; j < ball->vertices; j++) most = fmax(most, fabs(dot(ball->dimension, c, dpn_point_of(ball, j))));
    return most;
}

static void half_widths(const dpn_norm_ball *ball, double *out) {
    size_t m = ball->dimension;
    for (size_t i = 0; i < m; i++) out[i] = 0;
    for (size_t k = 0; k < ball->vertices * m; k++) out[k % m] = fmax(out[k % m], fabs(ball->vertex[k]));
}

const dpn_norm_ball_kind dpn_norm_ball_kind_points = {.name = "points",
                                                      .norm = norm,
                                                      .norm_upper = norm_upper,
                                                      .support = support,
                                                      .log_volume = dpn_ball_no_volume,
                                                      .half_widths = half_widths,
                                                      .variance = dpn_ball_no_variance};

dpn_status dpn_ball_points(dpn_norm_ball **out, size_t dimension, const double *point, size_t count, dpn_error *why) {
    if (point == NULL || count == 0 || dimension == 0) return dpn_fail(why, DPN_EDOMAIN, "a hull needs points");
    if (dimension > DPN_POINTS_DIMENSION || count > 100000)
        return dpn_fail(why, DPN_EUNSUPPORTED, "a hull has at most %d dimensions and 100000 points",
                        DPN_POINTS_DIMENSION);
    for (size_t i = 0; i < count * dimension; i++)
        if (point[i] != 0 && !(fabs(point[i]) >= 0x1p-200 && fabs(point[i]) <= 0x1p200))
            return dpn_fail(why, DPN_EDOMAIN,
                            "coordinate %zu of point %zu is neither 0 nor between 2^-200 and 2^200 in size",
                            i % dimension, i / dimension);
    dpn_norm_ball *ball = dpn_ball_begin(&dpn_norm_ball_kind_points, dimension);
    if (ball == NULL) return dpn_ball_no_memory(ball, why);
    ball->vertex = malloc(count * dimension * sizeof *point);
    if (ball->vertex == NULL) return dpn_ball_no_memory(ball, why);
    memcpy(ball->vertex, point, count * dimension * sizeof *point);
    ball->vertices = count;
    dpn_status status = dpn_points_prepare(ball, why);
    if (status)
        dpn_ball_free(ball);
    else
        *out = ball;
    return status;
}
