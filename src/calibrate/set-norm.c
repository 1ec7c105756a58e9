/* How long the moves of a sensitivity set are in a weighted norm (docs/proofs/calibrate/ball.md). */
#include "calibrate/set-norm.h"

#include <float.h>
#include <math.h>
#include <stdlib.h>

static double or_unbounded(double x) {
    return x == 0 ? INFINITY : x;
}

double dpn_set_reach(const dpn_sensitivity *set, size_t i) {
    double bound = fmin(fmin(or_unbounded(set->l1), or_unbounded(set->l2)), or_unbounded(set->linf));
    if (set->bound) bound = fmin(bound, set->bound[i]);
    double vertex = 0;
    for (size_t v = 0; v < set->vertices; v++) vertex = fmax(vertex, fabs(set->vertex[v * set->dimension + i]));
    return set->vertices ? fmin(bound, vertex) : bound;
}

/* A sum of `terms` numbers >= 0, each within a few ulps, and its root, rounded up. */
static double rounded_up(double value, size_t terms) {
    return value * (1 + ((double)terms + 16) * DBL_EPSILON);
}

static int larger_first(const void *x, const void *y) {
    double a = *(const double *)x, b = *(const double *)y;
    return (a < b) - (a > b);
}

/* The norm of the `most` largest of them; sorts. A single one is as it is: a quotient is at most 1, as it rounds, if and only if the
 * true one is. */
static double norm_of_largest(double *size, size_t count, size_t most, dpn_ball_kind ball) {
    bool one = ball == DPN_BALL_LINF || most <= 1;
    double sum = 0;
    if (most < count && !one) qsort(size, count, sizeof *size, larger_first);
    for (size_t k = 0; k < count; k++) {
        if (one)
            sum = fmax(sum, size[k]);
        else if (k < most)
            sum += ball == DPN_BALL_L2 ? size[k] * size[k] : size[k];
    }
    if (one) return sum;
    return rounded_up(ball == DPN_BALL_L2 ? sqrt(sum) : sum, count);
}

/* The largest norm of a vertex: those of the hull are no longer. */
static double by_vertices(double *size, const dpn_sensitivity *set, dpn_ball_kind ball, const size_t *coordinate,
                          size_t count, const double *side) {
    double largest = 0;
    for (size_t v = 0; v < set->vertices; v++) {
        for (size_t k = 0; k < count; k++) size[k] = fabs(set->vertex[v * set->dimension + coordinate[k]]) / side[k];
        largest = fmax(largest, norm_of_largest(size, count, count, ball));
    }
    return largest;
}

/* Bounds of l1 and l2 norms, by the inequalities of Hoelder: |d/s|_1 <= |d|_1 max 1/s, |d/s|_2 <= |d|_2 max 1/s, |d/s|_1 <=
 * |d|_2 |1/s|_2, and |x|_2^2 <= |x|_1 |x|_inf. */
static double by_norms(double *size, const dpn_sensitivity *set, dpn_ball_kind ball, size_t count, size_t most,
                       const double *side, double longest) {
    double l1 = or_unbounded(set->l1), l2 = or_unbounded(set->l2), narrowest = INFINITY;
    for (size_t k = 0; k < count; k++) {
        size[k] = 1 / side[k];
        narrowest = fmin(narrowest, side[k]);
    }
    if (ball == DPN_BALL_LINF || (isinf(l1) && isinf(l2))) return INFINITY;
    double upper = fmin(l1, ball == DPN_BALL_L2 ? l2 : INFINITY) / narrowest; /* a single quotient, as above */
    if (ball == DPN_BALL_L1 && !isinf(l2))
        upper = fmin(upper, rounded_up(l2 * norm_of_largest(size, count, most, DPN_BALL_L2), 0));
    if (ball == DPN_BALL_L2 && !isinf(l1)) upper = fmin(upper, rounded_up(sqrt(l1 / narrowest * longest), 0));
    return upper;
}

double dpn_set_norm_upper(const dpn_sensitivity *set, dpn_ball_kind ball, const size_t *coordinate, size_t count,
                          const double *side) {
    if (ball == DPN_BALL_BOX) ball = DPN_BALL_LINF;
    double *size = malloc((count ? count : 1) * sizeof *size), longest = 0;
    if (!size) return -1;
    size_t most = set->max_changed > 0 && set->max_changed < count ? set->max_changed : count;
    for (size_t k = 0; k < count; k++) {
        size[k] = dpn_set_reach(set, coordinate[k]) / side[k];
        longest = fmax(longest, size[k]);
    }
    double upper = norm_of_largest(size, count, most, ball);
    upper = fmin(upper, by_norms(size, set, ball, count, most, side, longest));
    if (set->vertices) upper = fmin(upper, by_vertices(size, set, ball, coordinate, count, side));
    free(size);
    return upper;
}
