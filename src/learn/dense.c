/* Small matrices by plain loops. */
#include "learn/dense.h"

#include "base/error.h"

#include <math.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

/* ---- Sums of products ---- */

/* A product of two steps is at most 2^34: sums of 2^27 of them fit 2^61. */
dpn_status dpn_dense_moments(int64_t *out, const dpn_rows *rows, dpn_error *why) {
    (void)why;
    size_t columns = rows->columns;
    memset(out, 0, columns * columns * sizeof *out);
    for (size_t block = 0; block < dpn_rows_blocks(rows); block++) {
        size_t count = dpn_rows_in(rows, block);
        for (size_t i = 0; i < columns; i++)
            for (size_t j = 0; j <= i; j++) {
                const int32_t *one = dpn_rows_column(rows, block, i), *other = dpn_rows_column(rows, block, j);
                int64_t sum = 0;
                for (size_t r = 0; r < count; r++) sum += (int64_t)one[r] * other[r];
                out[i * columns + j] += sum;
            }
    }
    for (size_t i = 0; i < columns; i++)
        for (size_t j = 0; j < i; j++) out[j * columns + i] = out[i * columns + j];
    return DPN_OK;
}

dpn_status dpn_dense_multiply(double *out, const double *a, const double *b, size_t m, dpn_error *why) {
    (void)why;
    for (size_t i = 0; i < m; i++) {
        double *row = out + i * m;
        for (size_t j = 0; j < m; j++) row[j] = 0;
        for (size_t k = 0; k < m; k++)
            for (size_t j = 0; j < m; j++) row[j] += a[i * m + k] * b[k * m + j];
    }
    return DPN_OK;
}

/* ---- Eigenvalues, by Jacobi's rotations ---- */

/* x <- cx - sy, y <- sx + cy, of m numbers that lie `step` apart. */
static void rotate(double *x, double *y, size_t m, size_t step, double c, double s) {
    for (size_t k = 0; k < m; k++) {
        double one = x[k * step], other = y[k * step];
        x[k * step] = c * one - s * other;
        y[k * step] = s * one + c * other;
    }
}

/* The rotation that makes a[p][q] 0 (Golub and Van Loan, Matrix Computations, section 8.5). */
static void annihilate(double *a, double *vector, size_t m, size_t p, size_t q) {
    double off = a[p * m + q];
    if (off == 0) return;
    double theta = (a[q * m + q] - a[p * m + p]) / (2 * off);
    double t = copysign(1, theta) / (fabs(theta) + hypot(theta, 1)), c = 1 / hypot(t, 1), s = t * c;
    double at_p = a[p * m + p] - t * off, at_q = a[q * m + q] + t * off;
    rotate(a + p * m, a + q * m, m, 1, c, s);
    rotate(a + p, a + q, m, m, c, s);
    rotate(vector + p * m, vector + q * m, m, 1, c, s);
    a[p * m + p] = at_p;
    a[q * m + q] = at_q;
    a[p * m + q] = a[q * m + p] = 0;
}

/* The largest size off the diagonal, and of all. */
static double largest(const double *a, size_t m, bool off_alone) {
    double most = 0;
    for (size_t i = 0; i < m; i++)
        for (size_t j = 0; j < m; j++)
            if (i != j || !off_alone) most = fmax(most, fabs(a[i * m + j]));
    return most;
}

/* The least value first, each with its vector. */
static void sort(double *vector, double *value, size_t m) {
    for (size_t i = 0; i + 1 < m; i++) {
        size_t least = i;
        for (size_t j = i + 1; j < m; j++)
            if (value[j] < value[least]) least = j;
        if (least == i) continue;
        double kept = value[i];
        value[i] = value[least];
        value[least] = kept;
        for (size_t k = 0; k < m; k++) {
            kept = vector[i * m + k];
            vector[i * m + k] = vector[least * m + k];
            vector[least * m + k] = kept;
        }
    }
}

/* Sweeps converge quadratically: ten are usual. What is off the diagonal in the end moves no value by more than m times its size. */
static dpn_status sweep(double *a, double *vector, size_t m, dpn_error *why) {
    enum { SWEEPS = 60 };
    double enough = largest(a, m, false) * 0x1p-60;
    for (int round = 0; round < SWEEPS; round++) {
        if (largest(a, m, true) <= enough) return DPN_OK;
        for (size_t p = 0; p < m; p++)
            for (size_t q = p + 1; q < m; q++) annihilate(a, vector, m, p, q);
    }
    return dpn_fail(why, DPN_EACCURACY, "the eigenvalues of the moments were not found");
}

dpn_status dpn_dense_eigen(double *vector, double *value, size_t m, dpn_error *why) {
    double *a = malloc((m * m + 1) * sizeof *a);
    if (!a) return dpn_fail(why, DPN_ENOMEM, "no memory for the fit");
    for (size_t i = 0; i < m; i++)
        for (size_t j = 0; j < m; j++) { /* the half that LAPACK looks at */
            a[i * m + j] = vector[(i > j ? i : j) * m + (i > j ? j : i)];
        }
    for (size_t i = 0; i < m * m; i++) vector[i] = i % (m + 1) == 0;
    dpn_status status = sweep(a, vector, m, why);
    for (size_t i = 0; i < m && !status; i++) value[i] = a[i * m + i];
    if (!status) sort(vector, value, m);
    free(a);
    return status;
}

/* ---- Equations, by Cholesky's factors ---- */

dpn_status dpn_dense_solve(double *a, double *b, size_t m, dpn_error *why) {
    for (size_t i = 0; i < m; i++)
        for (size_t j = 0; j <= i; j++) {
            double sum = a[i * m + j];
            for (size_t k = 0; k < j; k++) sum -= a[i * m + k] * a[j * m + k];
            if (i == j && !(sum > 0)) return dpn_fail(why, DPN_EACCURACY, "the matrix is not positive definite");
            a[i * m + j] = i == j ? sqrt(sum) : sum / a[j * m + j];
        }
    for (size_t i = 0; i < m; i++) {
        for (size_t k = 0; k < i; k++) b[i] -= a[i * m + k] * b[k];
        b[i] /= a[i * m + i];
    }
    for (size_t i = m; i-- > 0;) {
        for (size_t k = i + 1; k < m; k++) b[i] -= a[k * m + i] * b[k];
        b[i] /= a[i * m + i];
    }
    return DPN_OK;
}
