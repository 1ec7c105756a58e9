/* The inverse of a small matrix in doubles, and how far off it is. */
#include "base/inverse.h"

#include <float.h>
#include <math.h>

static void swap(double *a, double *b) {
    double keep = *a;
    *a = *b;
    *b = keep;
}

bool dpn_matrix_invert(double *inverse, double *log_determinant, double *matrix, size_t n) {
    double log_size = 0;
    for (size_t i = 0; i < n * n; i++) inverse[i] = i % (n + 1) == 0;
    for (size_t k = 0; k < n; k++) {
        size_t best = k;
        for (size_t i = k + 1; i < n; i++)
            if (fabs(matrix[i * n + k]) > fabs(matrix[best * n + k])) best = i;
        double pivot = matrix[best * n + k];
        if (pivot == 0 || !isfinite(pivot)) return false;
        log_size += log(fabs(pivot));
        for (size_t j = 0; j < n; j++) {
            swap(&matrix[k * n + j], &matrix[best * n + j]);
            swap(&inverse[k * n + j], &inverse[best * n + j]);
            matrix[k * n + j] /= pivot;
            inverse[k * n + j] /= pivot;
        }
        for (size_t i = 0; i < n; i++) {
            double factor = matrix[i * n + k];
            for (size_t j = 0; j < n && i != k; j++) {
                matrix[i * n + j] -= factor * matrix[k * n + j];
                inverse[i * n + j] -= factor * inverse[k * n + j];
            }
        }
    }
    if (log_determinant) *log_determinant = log_size;
    return true;
}

double dpn_matrix_residual_upper(const double *matrix, const double *inverse, size_t n) {
    double largest = 0;
    for (size_t i = 0; i < n; i++) {
        double row = 0;
        for (size_t j = 0; j < n; j++) {
            double product = 0, sizes = 0;
            for (size_t k = 0; k < n; k++) {
                product += matrix[i * n + k] * inverse[k * n + j];
                sizes += fabs(matrix[i * n + k] * inverse[k * n + j]);
            }
            /* A sum of n products errs by less than n + 1 half-ulps of the sum of their sizes; twice that is allowed. */
            row += fabs((i == j) - product) + 2 * ((double)n + 2) * DBL_EPSILON * (sizes + 1);
        }
        if (isnan(row) || row > largest) largest = row; /* NaN stays */
    }
    return largest * (1 + 1e-9);
}
