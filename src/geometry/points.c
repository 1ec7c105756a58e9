/* Hulls of points in dimensions that facets cannot serve: |u| is the least sum of l_j >= 0 with u = sum l_j (+-v_j), a linear
 * program.
 *
 * The revised simplex method in doubles, begun for every u from one basis. Its answer is trusted in nothing: what it leaves of
 * u is bounded, so that any basis, the best or not, gives a number that |u| does not exceed; and any y with |y.v_j| <= 1 for
 * all j gives one that |u| is not below. docs/proofs/geometry/balls.md
 */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "geometry/ball.h"

enum { MOST = 256 };

static const double *point_of(const dpn_norm_ball *ball, size_t number) {
    return ball->vertex + number * ball->dimension;
}

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
        double one = dot(ball->dimension, t->weight, point_of(ball, j));
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
    for (size_t k = 0; k < m; k++) t->direction[k] = sign * dot(m, t->inverse + k * m, point_of(ball, entering));
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

/* Improve until no price is above 1, or for so many steps. *lower is a lower bound of the norm. */
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
            double term = t->coefficient[k] * point_of(ball, t->basis[k])[i];
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
    for (size_t j = 0; j < ball->vertices; j++) most = fmax(most, fabs(dot(ball->dimension, c, point_of(ball, j))));
    return most;
}

static double no_volume(const dpn_norm_ball *ball) {
    (void)ball;
    return NAN;
}

static bool no_variance(const dpn_norm_ball *ball, double *out) {
    (void)ball, (void)out;
    return false;
}

static void half_widths(const dpn_norm_ball *ball, double *out) {
    size_t m = ball->dimension;
    for (size_t i = 0; i < m; i++) out[i] = 0;
    for (size_t k = 0; k < ball->vertices * m; k++) out[k % m] = fmax(out[k % m], fabs(ball->vertex[k]));
}

const dpn_ball_kind dpn_ball_kind_points = {.name = "points",
                                            .norm = norm,
                                            .norm_upper = norm_upper,
                                            .support = support,
                                            .log_volume = no_volume,
                                            .half_widths = half_widths,
                                            .variance = no_variance};

/* ---- The first basis ---- */

/* Choose m points by elimination with the largest pivot of all that are left; the count chosen, m if they span. work holds a
 * copy of the points. */
static size_t choose(uint32_t *basis, double *work, size_t m, size_t count, const double *size) {
    bool used[MOST] = {false};
    for (size_t k = 0; k < m; k++) {
        size_t row = 0, column = 0;
        double most = 0;
        for (size_t i = 0; i < count; i++)
            for (size_t j = 0; j < m; j++)
                if (!used[j] && size[j] > 0 && fabs(work[i * m + j]) / size[j] > most) {
                    most = fabs(work[i * m + j]) / size[j];
                    row = i;
                    column = j;
                }
        if (most < 1e-9) return k;
        basis[k] = (uint32_t)row;
        used[column] = true;
        for (size_t i = 0; i < count; i++) {
            double times = work[i * m + column] / work[row * m + column];
            for (size_t j = 0; i != row && j < m; j++) work[i * m + j] -= times * work[row * m + j];
        }
        for (size_t j = 0; j < m; j++) work[row * m + j] = 0;
    }
    return m;
}

/* The inverse of the basis, whose columns are points: Gauss and Jordan on rows of the transpose. */
static bool invert(double *inverse, double *work, const dpn_norm_ball *ball) {
    size_t m = ball->dimension;
    for (size_t i = 0; i < m; i++)
        for (size_t k = 0; k < m; k++) {
            work[i * m + k] = point_of(ball, ball->vertex_of[k])[i];
            inverse[i * m + k] = i == k;
        }
    for (size_t c = 0; c < m; c++) {
        size_t best = c;
        for (size_t i = c + 1; i < m; i++)
            if (fabs(work[i * m + c]) > fabs(work[best * m + c])) best = i;
        double lead = work[best * m + c];
        if (lead == 0) return false;
        for (size_t k = 0; k < m; k++) {
            double one = work[c * m + k], two = inverse[c * m + k];
            work[c * m + k] = work[best * m + k] / lead;
            inverse[c * m + k] = inverse[best * m + k] / lead;
            if (best != c) work[best * m + k] = one, inverse[best * m + k] = two;
        }
        for (size_t i = 0; i < m; i++) {
            double times = work[i * m + c];
            for (size_t k = 0; i != c && k < m; k++) {
                work[i * m + k] -= times * work[c * m + k];
                inverse[i * m + k] -= times * inverse[c * m + k];
            }
        }
    }
    return true;
}

/* A bound of the norms of the unit vectors: n_i <= s_i + sum_k |rest_ik| n_k, with s_i the sum of the coefficients of e_i and
 * rest what they leave of it; so max n <= max s/(1 - the largest sum of a rest). */
static double unit_norms(const dpn_norm_ball *ball) {
    size_t m = ball->dimension;
    double most = 0, worst = 0;
    for (size_t e = 0; e < m; e++) {
        double sum = 0, rest = 0;
        for (size_t k = 0; k < m; k++) sum += fabs(ball->inverse[k * m + e]);
        for (size_t i = 0; i < m; i++) {
            double left = i == e, size = 1;
            for (size_t k = 0; k < m; k++) {
                double term = ball->inverse[k * m + e] * point_of(ball, ball->vertex_of[k])[i];
                left -= term;
                size += fabs(term);
            }
            rest += fabs(left) + size * ((double)m + 4) * 0x1p-52;
        }
        most = fmax(most, sum);
        worst = fmax(worst, rest);
    }
    return worst <= 0.5 ? dpn_rounded_up(most / (1 - worst), m, 0x1p-40) : INFINITY;
}

static dpn_status prepare(dpn_norm_ball *ball, dpn_error *why) {
    size_t m = ball->dimension, room = ball->vertices > m ? ball->vertices : m;
    double size[MOST], *work = malloc(room * m * sizeof *work);
    ball->vertex_of = calloc(m, sizeof *ball->vertex_of);
    ball->inverse = calloc(m * m, sizeof *ball->inverse);
    dpn_status status = DPN_OK;
    if (!work || !ball->vertex_of || !ball->inverse) {
        status = dpn_fail(why, DPN_ENOMEM, "there is no memory for a ball");
    } else {
        memcpy(work, ball->vertex, ball->vertices * m * sizeof *work);
        half_widths(ball, size);
        size_t rank = choose(ball->vertex_of, work, m, ball->vertices, size);
        bool spans = rank == m && invert(ball->inverse, work, ball);
        if (spans) ball->column_norms = unit_norms(ball);
        if (!spans || isinf(ball->column_norms))
            status = dpn_fail(why, DPN_EDOMAIN,
                              "the points span %zu of %zu dimensions, or all of them too narrowly: release fewer "
                              "answers, and recover the others, which are linear functions of them, afterwards",
                              rank, m);
    }
    free(work);
    return status;
}

dpn_status dpn_ball_points(dpn_norm_ball **out, size_t dimension, const double *point, size_t count, dpn_error *why) {
    if (point == NULL || count == 0 || dimension == 0) return dpn_fail(why, DPN_EDOMAIN, "a hull needs points");
    if (dimension > MOST || count > 100000)
        return dpn_fail(why, DPN_EUNSUPPORTED, "a hull has at most %d dimensions and 100000 points", MOST);
    for (size_t i = 0; i < count * dimension; i++)
        if (point[i] != 0 && !(fabs(point[i]) >= 0x1p-200 && fabs(point[i]) <= 0x1p200))
            return dpn_fail(why, DPN_EDOMAIN,
                            "coordinate %zu of point %zu is neither 0 nor between 2^-200 and 2^200 in size",
                            i % dimension, i / dimension);
    dpn_norm_ball *ball = dpn_ball_begin(&dpn_ball_kind_points, dimension);
    if (ball == NULL) return dpn_ball_no_memory(ball, why);
    ball->vertex = malloc(count * dimension * sizeof *point);
    if (ball->vertex == NULL) return dpn_ball_no_memory(ball, why);
    memcpy(ball->vertex, point, count * dimension * sizeof *point);
    ball->vertices = count;
    dpn_status status = prepare(ball, why);
    if (status)
        dpn_ball_free(ball);
    else
        *out = ball;
    return status;
}
