/* The first basis of a hull of points: chosen, inverted, and verified as far as bounds rest on it. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "geometry/points.h"

/* Choose m points by elimination with the largest pivot of all that are left; the count chosen, m if they span. work
 * holds a copy of the points. */
static size_t choose(uint32_t *basis, double *work, size_t m, size_t count, const double *size) {
    bool used[DPN_POINTS_DIMENSION] = {false};
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
            work[i * m + k] = dpn_point_of(ball, ball->vertex_of[k])[i];
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

/* A bound of the norms of the unit vectors: n_i <= s_i + sum_k |rest_ik| n_k, with s_i the sum of the coefficients of
 * e_i and rest what they leave of it; so max n <= max s/(1 - the largest sum of a rest). */
static double unit_norms(const dpn_norm_ball *ball) {
    size_t m = ball->dimension;
    double most = 0, worst = 0;
    for (size_t e = 0; e < m; e++) {
        double sum = 0, rest = 0;
        for (size_t k = 0; k < m; k++) sum += fabs(ball->inverse[k * m + e]);
        for (size_t i = 0; i < m; i++) {
            double left = i == e, size = 1;
            for (size_t k = 0; k < m; k++) {
                double term = ball->inverse[k * m + e] * dpn_point_of(ball, ball->vertex_of[k])[i];
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

dpn_status dpn_points_prepare(dpn_norm_ball *ball, dpn_error *why) {
    size_t m = ball->dimension, room = ball->vertices > m ? ball->vertices : m;
    double size[DPN_POINTS_DIMENSION], *work = malloc(room * m * sizeof *work);
    ball->vertex_of = calloc(m, sizeof *ball->vertex_of);
    ball->inverse = calloc(m * m, sizeof *ball->inverse);
    dpn_status status = DPN_OK;
    if (!work || !ball->vertex_of || !ball->inverse) {
        status = dpn_fail(why, DPN_ENOMEM, "there is no memory for a ball");
    } else {
        memcpy(work, ball->vertex, ball->vertices * m * sizeof *work);
        ball->kind->half_widths(ball, size);
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
