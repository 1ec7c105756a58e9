/* Inverses of small matrices: the bound of the residual against rational arithmetic, and the determinant against the product of
 * triangular factors. */
#include "base/inverse.h"

#include "reference/draw.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>
#include <gmp.h>

enum { MOST = 8 };

/* The largest sum of a row of |I - matrix inverse|, exactly. */
static void exact_residual(mpq_t largest, const double *matrix, const double *inverse, size_t n) {
    mpq_t row, sum, a, b;
    mpq_inits(row, sum, a, b, NULL);
    mpq_set_ui(largest, 0, 1);
    for (size_t i = 0; i < n; i++) {
        mpq_set_ui(row, 0, 1);
        for (size_t j = 0; j < n; j++) {
            mpq_set_ui(sum, i == j, 1);
            for (size_t k = 0; k < n; k++) {
                mpq_set_d(a, matrix[i * n + k]);
                mpq_set_d(b, inverse[k * n + j]);
                mpq_mul(a, a, b);
                mpq_sub(sum, sum, a);
            }
            mpq_abs(sum, sum);
            mpq_add(row, row, sum);
        }
        if (mpq_cmp(row, largest) > 0) mpq_set(largest, row);
    }
    mpq_clears(row, sum, a, b, NULL);
}

/* L U with random factors, whose determinant is the product of the diagonals; *log_determinant is its logarithm. */
static void draw_matrix(double *matrix, double *log_determinant, draw_source *source, size_t n) {
    double lower[MOST * MOST] = {0}, upper[MOST * MOST] = {0};
    *log_determinant = 0;
    for (size_t i = 0; i < n; i++)
        for (size_t j = 0; j <= i; j++) {
            double size = i == j ? draw_log_uniform(source, 0.1, 10) : draw_uniform(source, -1, 1);
            lower[i * n + j] = i == j ? 1 : draw_uniform(source, -1, 1);
            upper[j * n + i] = draw_chance(source, 0.5) ? size : -size;
            if (i == j) *log_determinant += log(size);
        }
    for (size_t i = 0; i < n; i++)
        for (size_t j = 0; j < n; j++) {
            matrix[i * n + j] = 0;
            for (size_t k = 0; k < n; k++) matrix[i * n + j] += lower[i * n + k] * upper[k * n + j];
        }
}

static void residuals_are_bounded(void **state) {
    (void)state;
    draw_source source = {2027};
    mpq_t exact, bound;
    mpq_inits(exact, bound, NULL);
    for (int round = 0; round < 400; round++) {
        double matrix[MOST * MOST], work[MOST * MOST], inverse[MOST * MOST], log_determinant, found;
        size_t n = 1 + draw_bits(&source) % MOST;
        draw_matrix(matrix, &log_determinant, &source, n);
        memcpy(work, matrix, sizeof work);
        assert_true(dpn_matrix_invert(inverse, &found, work, n));
        assert_true(fabs(found - log_determinant) < 1e-9);
        double residual = dpn_matrix_residual_upper(matrix, inverse, n);
        assert_true(residual < 1e-6);
        for (int spoilt = 0; spoilt < 2; spoilt++) {
            exact_residual(exact, matrix, inverse, n);
            mpq_set_d(bound, dpn_matrix_residual_upper(matrix, inverse, n));
            assert_true(mpq_cmp(exact, bound) <= 0);
            inverse[draw_bits(&source) % (n * n)] += 0.25; /* and if it is no inverse at all */
        }
    }
    mpq_clears(exact, bound, NULL);
}

static void what_has_no_inverse(void **state) {
    (void)state;
    double inverse[4], zero[4] = {0}, flat[4] = {1, 2, 2, 4}, wild[4] = {INFINITY, 0, 0, 1}, none[4] = {NAN, 0, 0, 1};
    double log_determinant = 7;
    assert_false(dpn_matrix_invert(inverse, &log_determinant, zero, 2));
    assert_false(dpn_matrix_invert(inverse, &log_determinant, flat, 2));
    assert_false(dpn_matrix_invert(inverse, &log_determinant, wild, 2));
    assert_false(dpn_matrix_invert(inverse, &log_determinant, none, 2));
    assert_true(log_determinant == 7);
    double turn[4] = {0, -2, 1, 0}; /* a pivot of 0 first */
    assert_true(dpn_matrix_invert(inverse, NULL, turn, 2));
    assert_true(inverse[0] == 0 && inverse[1] == 1 && inverse[2] == -0.5 && inverse[3] == 0);
}

/* Not a number, or an overflow, is never taken as a finite bound, wherever it is. */
static void residuals_keep_nan(void **state) {
    (void)state;
    const double unit[9] = {1, 0, 0, 0, 1, 0, 0, 0, 1}, bad[] = {NAN, INFINITY, -INFINITY};
    assert_true(dpn_matrix_residual_upper(unit, unit, 3) < 1e-13);
    for (size_t i = 0; i < 9; i++)
        for (size_t b = 0; b < 3; b++) {
            double spoilt[9];
            memcpy(spoilt, unit, sizeof spoilt);
            spoilt[i] = bad[b];
            assert_true(!isfinite(dpn_matrix_residual_upper(spoilt, unit, 3)));
            assert_true(!isfinite(dpn_matrix_residual_upper(unit, spoilt, 3)));
        }
    /* Exact inverses, whose product overflows in the first row alone and in the last alone. */
    const double first[4] = {0x1p700, 0x1p700, 0, 0x1p-700}, of_first[4] = {0x1p-700, -0x1p700, 0, 0x1p700};
    const double last[4] = {0x1p-700, 0, 0x1p700, 0x1p700}, of_last[4] = {0x1p700, 0, -0x1p700, 0x1p-700};
    assert_true(!isfinite(dpn_matrix_residual_upper(first, of_first, 2)));
    assert_true(!isfinite(dpn_matrix_residual_upper(last, of_last, 2)));
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(residuals_are_bounded),
        cmocka_unit_test(what_has_no_inverse),
        cmocka_unit_test(residuals_keep_nan),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
