/* Hulls as balls. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "geometry/ball.h"

/* normal.u for a facet in doubles, and a bound of its error: normals are within 2^-50, products and at most 10 sums add
 * less than 2^-49. */
static double value_of(const dpn_norm_ball *ball, size_t facet, const double *u, double *error) {
    const double *normal = ball->facet + facet * ball->dimension;
    double sum = 0, size = 0;
    for (size_t j = 0; j < ball->dimension; j++) {
        sum += normal[j] * u[j];
        size += fabs(normal[j] * u[j]);
    }
    *error = 0x1p-47 * size;
    return sum;
}

/* The same in whole numbers, rounded once. False if u has bits that are too far apart. */
static bool exact_value(const dpn_norm_ball *ball, size_t facet, const double *u, double *out) {
    enum { FINE = 200 }; /* bits after the point, in whole columns */
    const dpn_hull *hull = &ball->hull;
    dpn_integer sum, offset, normal, x;
    dpn_integer_set(&sum, 0);
    for (int j = 0; j < hull->dimension; j++) {
        double y = ldexp(u[j], FINE - hull->shift[j]);
        if (!(fabs(y) < 0x1p500) || floor(y) != y || (y == 0) != (u[j] == 0)) return false;
        dpn_integer_set(&x, y);
        dpn_hull_normal(hull, &hull->facet[facet], j, &normal);
        dpn_integer_accumulate(&sum, &normal, &x, false);
    }
    dpn_hull_offset(hull, &hull->facet[facet], &offset);
    *out = ldexp(dpn_integer_ratio(&sum, &offset), -FINE);
    return true;
}

/* The largest value of a facet, or a bound of it. Needles, whose normals are long and nearly cancel, are beyond
 * doubles: there whole numbers take over, for the facets that can have the largest value. */
static double largest(const dpn_norm_ball *ball, const double *u, bool upper) {
    double most = 0, above = 0, below = 0, error;
    bool overflow = false;
    for (size_t f = 0; f < ball->hull.facets; f++) {
        double value = value_of(ball, f, u, &error);
        overflow = overflow || !isfinite(value + error);
        most = fmax(most, value);
        above = fmax(above, value + error);
        below = fmax(below, value - error);
    }
    if (!overflow && above - below <= 1e-12 * above) return upper ? above : most;
    most = 0;
    for (size_t f = 0; f < ball->hull.facets; f++) {
        double value = value_of(ball, f, u, &error), exact;
        if (value + error < below) continue; /* not if it is NaN */
        if (exact_value(ball, f, u, &exact))
            value = upper && exact > 0 ? exact * (1 + 0x1p-48) : exact;
        else if (upper)
            value = isfinite(value + error) ? value + error : INFINITY;
        most = fmax(most, value);
    }
    return most;
}

static double norm(const dpn_norm_ball *ball, const double *u) {
    return largest(ball, u, false);
}

static double norm_upper(const dpn_norm_ball *ball, const double *u) {
    return largest(ball, u, true);
}

static double support(const dpn_norm_ball *ball, const double *c) {
    size_t m = ball->dimension;
    double most = 0;
    for (size_t v = 0; v < ball->vertices; v++) {
        double sum = 0;
        for (size_t j = 0; j < m; j++) sum += ball->vertex[v * m + j] * c[j];
        most = fmax(most, fabs(sum));
    }
    return most;
}

/* The sum of the exact offsets, which are the determinants of the simplices. */
static void total_offset(const dpn_hull *hull, dpn_integer *total) {
    dpn_integer one;
    dpn_integer_set(total, 0);
    for (size_t f = 0; f < hull->facets; f++) {
        dpn_hull_offset(hull, &hull->facet[f], &one);
        dpn_integer_add(total, total, &one);
    }
}

static double log_volume(const dpn_norm_ball *ball) {
    dpn_integer total;
    int exponent;
    total_offset(&ball->hull, &total);
    double value = dpn_integer_scaled(&total, &exponent), shift = exponent;
    for (size_t j = 0; j < ball->dimension; j++) shift += ball->hull.shift[j];
    return log(value) + shift * log(2) - dpn_log_gamma((double)ball->dimension + 1);
}

static void half_widths(const dpn_norm_ball *ball, double *out) {
    size_t m = ball->dimension;
    for (size_t j = 0; j < m; j++) out[j] = 0;
    for (size_t i = 0; i < ball->vertices * m; i++) out[i % m] = fmax(out[i % m], fabs(ball->vertex[i]));
}

static const double *corner_of(const dpn_norm_ball *ball, size_t facet, size_t k) {
    return ball->vertex + (size_t)ball->vertex_of[ball->hull.facet[facet].corner[k]] * ball->dimension;
}

/* V = sum E_k v_k on each simplex: E V_i^2 = sum v_ki^2 + (sum v_ki)^2, weighted by volume. */
static bool variance(const dpn_norm_ball *ball, double *out) {
    size_t m = ball->dimension;
    dpn_integer total, one;
    total_offset(&ball->hull, &total);
    for (size_t j = 0; j < m; j++) out[j] = 0;
    for (size_t f = 0; f < ball->hull.facets; f++) {
        dpn_hull_offset(&ball->hull, &ball->hull.facet[f], &one);
        double share = dpn_integer_ratio(&one, &total);
        for (size_t j = 0; j < m; j++) {
            double sum = 0, squares = 0;
            for (size_t k = 0; k < m; k++) {
                double v = corner_of(ball, f, k)[j];
                sum += v;
                squares += v * v;
            }
            out[j] += share * (squares + sum * sum);
        }
    }
    return true;
}

const dpn_norm_ball_kind dpn_norm_ball_kind_hull = {.name = "hull",
                                                    .norm = norm,
                                                    .norm_upper = norm_upper,
                                                    .support = support,
                                                    .log_volume = log_volume,
                                                    .half_widths = half_widths,
                                                    .variance = variance};

/* Number the points that are corners, and list them in their own unit. */
static bool list_vertices(dpn_norm_ball *ball) {
    const dpn_hull *hull = &ball->hull;
    size_t m = ball->dimension;
    ball->vertex_of = malloc(hull->points * sizeof *ball->vertex_of);
    if (ball->vertex_of == NULL) return false;
    memset(ball->vertex_of, 0xff, hull->points * sizeof *ball->vertex_of);
    for (size_t f = 0; f < hull->facets; f++)
        for (size_t k = 0; k < m; k++) ball->vertex_of[hull->facet[f].corner[k]] = 0;
    for (size_t p = 0; p < hull->points; p++)
        if (ball->vertex_of[p] == 0) ball->vertex_of[p] = (uint32_t)ball->vertices++;
    ball->vertex = calloc(ball->vertices * m, sizeof *ball->vertex);
    if (ball->vertex == NULL) return false;
    for (size_t p = 0; p < hull->points; p++)
        for (size_t j = 0; j < m && ball->vertex_of[p] != UINT32_MAX; j++)
            ball->vertex[ball->vertex_of[p] * m + j] = ldexp(hull->whole[p * m + j], hull->shift[j]);
    return true;
}

static bool list_facets(dpn_norm_ball *ball) {
    size_t m = ball->dimension;
    ball->facet = calloc(ball->hull.facets * m, sizeof *ball->facet);
    if (ball->facet == NULL) return false;
    for (size_t f = 0; f < ball->hull.facets; f++)
        for (size_t j = 0; j < m; j++)
            ball->facet[f * m + j] = ldexp(ball->hull.facet[f].normal[j], -ball->hull.shift[j]);
    return true;
}

dpn_status dpn_ball_hull(dpn_norm_ball **out, size_t dimension, const double *point, size_t count, dpn_error *why) {
    bool readable = point != NULL && dimension <= DPN_HULL_DIMENSION;
    for (size_t i = 0; readable && i < count * dimension; i++)
        if (point[i] != 0 && isfinite(point[i]) && !(fabs(point[i]) >= 0x1p-400 && fabs(point[i]) <= 0x1p400))
            return dpn_fail(why, DPN_EDOMAIN,
                            "coordinate %zu of point %zu is neither 0 nor between 2^-400 and 2^400 in size",
                            i % dimension, i / dimension);
    dpn_norm_ball *ball = dpn_ball_begin(&dpn_norm_ball_kind_hull, dimension);
    if (ball == NULL) return dpn_ball_no_memory(ball, why);
    dpn_status status = dpn_hull_make(&ball->hull, dimension, point, count, why);
    if (status) {
        free(ball);
        return status;
    }
    if (!list_vertices(ball) || !list_facets(ball)) return dpn_ball_no_memory(ball, why);
    *out = ball;
    return DPN_OK;
}

size_t dpn_ball_vertices(const dpn_norm_ball *ball) {
    return ball->vertices;
}

void dpn_ball_vertex(double *out, const dpn_norm_ball *ball, size_t number) {
    if (number < ball->vertices) memcpy(out, ball->vertex + number * ball->dimension, ball->dimension * sizeof *out);
}

size_t dpn_ball_facets(const dpn_norm_ball *ball) {
    return ball->hull.facets;
}

dpn_status dpn_points_span(size_t *rank, size_t *kept, size_t dimension, const double *point, size_t count,
                           dpn_error *why) {
    return dpn_hull_rank(rank, kept, dimension, point, count, why);
}
