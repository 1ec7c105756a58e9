/* How far rounding can leave a hull of vertices.
 *
 * Let the rows of the square matrix V be as many vertices, linearly independent, as coordinates can move. A point e is
 * V^T c for one c, so that it lies in |c|_1 times the hull: |e| <= |c|_1 = |W e|_1, W the inverse of V^T, and for |e_i| <= 1
 * this is at most the sum of all |W_ij|. Any choice of vertices gives a bound; pivots as large as can be give a good one.
 * W is computed in doubles, X, and the bound rests on the residual R = I - V^T X: W = X (I - R)^-1, and (I - R)^-1 e has no
 * entry above 1/(1 - r), r the largest sum of a row of |R|. So |e| <= sum |X_ij|/(1 - r). */
#include "release/noise/hull.h"

#include "base/inverse.h"

#include <math.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_COORDINATES = 400, MOST_WORK = 1 << 30 };

typedef struct vertex_system {
    size_t rows, size;       /* of all vertices; the number of coordinates that move */
    size_t *column, *chosen; /* which coordinates; which vertices */
    double *work;            /* rows times size: the vertices, eliminated */
    bool *taken;
    double *matrix, *inverse;
} vertex_system;

static double vertex_at(const double *vertex, size_t dimension, const vertex_system *s, size_t row, size_t i) {
    return vertex[row * dimension + s->column[i]];
}

static size_t moved_columns(size_t *column, const double *vertex, size_t vertices, size_t dimension) {
    size_t count = 0;
    for (size_t i = 0; i < dimension && count <= MOST_COORDINATES; i++)
        for (size_t row = 0; row < vertices; row++)
            if (vertex[row * dimension + i] != 0) {
                if (count < MOST_COORDINATES) column[count] = i;
                count++;
                break;
            }
    return count;
}

/* Choose vertices by elimination with the largest pivot of all. False if they do not span the space. */
static bool choose(vertex_system *s) {
    size_t n = s->size;
    bool used[MOST_COORDINATES] = {false}, *taken = s->taken; /* columns, rows */
    for (size_t step = 0; step < n; step++) {
        size_t row = 0, column = 0;
        double pivot = 0;
        for (size_t i = 0; i < s->rows; i++)
            for (size_t j = 0; j < n && !taken[i]; j++)
                if (!used[j] && fabs(s->work[i * n + j]) > fabs(pivot)) {
                    pivot = s->work[i * n + j];
                    row = i;
                    column = j;
                }
        if (pivot == 0 || !isfinite(pivot)) return false;
        s->chosen[step] = row;
        taken[row] = used[column] = true;
        for (size_t i = 0; i < s->rows; i++) {
            double factor = s->work[i * n + column] / pivot;
            for (size_t j = 0; j < n && !taken[i]; j++) s->work[i * n + j] -= factor * s->work[row * n + j];
        }
    }
    return true;
}

static double bound(vertex_system *s, const double *vertex, size_t dimension) {
    size_t n = s->size;
    for (size_t row = 0; row < s->rows; row++)
        for (size_t i = 0; i < n; i++) s->work[row * n + i] = vertex_at(vertex, dimension, s, row, i);
    if (!choose(s)) return INFINITY;
    for (size_t i = 0; i < n; i++) /* V^T */
        for (size_t k = 0; k < n; k++) s->matrix[i * n + k] = vertex_at(vertex, dimension, s, s->chosen[k], i);
    if (!dpn_matrix_invert(s->inverse, NULL, s->matrix, n)) return INFINITY;
    double sum = 0;
    for (size_t i = 0; i < n; i++)
        for (size_t k = 0; k < n; k++) {
            s->matrix[i * n + k] = vertex_at(vertex, dimension, s, s->chosen[k], i);
            sum += fabs(s->inverse[i * n + k]);
        }
    double residual = dpn_matrix_residual_upper(s->matrix, s->inverse, n);
    return residual <= 0.5 && isfinite(sum) ? sum / (1 - residual) * (1 + 1e-9) : INFINITY;
}

double dpn_hull_norm_upper(const double *vertex, size_t vertices, size_t dimension) {
    size_t column[MOST_COORDINATES], chosen[MOST_COORDINATES];
    vertex_system s = {.rows = vertices, .column = column, .chosen = chosen};
    s.size = moved_columns(column, vertex, vertices, dimension);
    if (s.size == 0) return 0;
    if (s.size > MOST_COORDINATES || vertices < s.size) return INFINITY;
    size_t few = MOST_WORK / (s.size * s.size); /* vertices that can be looked through in a second or so: any will do */
    if (s.rows > few) s.rows = few;
    s.work = malloc(s.rows * s.size * sizeof *s.work);
    s.taken = calloc(s.rows, sizeof *s.taken);
    s.matrix = malloc(s.size * s.size * sizeof *s.matrix);
    s.inverse = malloc(s.size * s.size * sizeof *s.inverse);
    double upper = s.work && s.taken && s.matrix && s.inverse ? bound(&s, vertex, dimension) : -1;
    free(s.work);
    free(s.taken);
    free(s.matrix);
    free(s.inverse);
    return upper;
}
