/* Plain linear algebra against LAPACK, against the definition, and exact moments against both kits' and folded rows. */
#include "learn/algebra.h"
#include "learn/dense.h"

#include <lapacke.h>
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

static uint64_t word = 20;
static double uniform(void) { /* in [-1, 1) */
    word = word * 6364136223846793005u + 1442695040888963407u;
    return (double)(int64_t)word * 0x1p-63;
}

/* Symmetric, of the given rank, with columns of sizes that differ by `spread` decimal orders. */
static void make(double *a, size_t m, size_t rank, double spread) {
    double *factor = calloc(m * m + 1, sizeof *factor);
    for (size_t i = 0; i < m; i++)
        for (size_t k = 0; k < rank; k++)
            factor[i * m + k] = uniform() * pow(10, spread * (double)i / (double)(m > 1 ? m - 1 : 1));
    for (size_t i = 0; i < m; i++)
        for (size_t j = 0; j < m; j++) {
            a[i * m + j] = 0;
            for (size_t k = 0; k < rank; k++)
                a[i * m + j] +=
                    (k % 3 == 2 ? -1 : 1) * factor[(i < j ? i : j) * m + k] * factor[(i < j ? j : i) * m + k];
        }
    free(factor);
}

static double norm(const double *a, size_t count) {
    double most = 0;
    for (size_t i = 0; i < count; i++) most = fmax(most, fabs(a[i]));
    return most;
}

/* |A v - value v|, |V V' - I|, and the values of LAPACK. */
static void check_eigen(const double *a, size_t m) {
    double *vector = malloc((m * m + 1) * sizeof *vector), *value = malloc((m + 1) * sizeof *value);
    double *other = malloc((m * m + 1) * sizeof *other), *theirs = malloc((m + 1) * sizeof *theirs);
    dpn_error why;
    memcpy(vector, a, m * m * sizeof *a);
    memcpy(other, a, m * m * sizeof *a);
    assert_int_equal(dpn_dense_eigen(vector, value, m, &why), DPN_OK);
    assert_int_equal(LAPACKE_dsyev(LAPACK_COL_MAJOR, 'V', 'U', (int)m, other, (int)m, theirs), 0);
    double scale = norm(a, m * m) * (double)m, slack = 1e-14 * (double)m;
    for (size_t k = 0; k < m; k++) {
        assert_true(fabs(value[k] - theirs[k]) <= slack * scale);
        if (k > 0) assert_true(value[k - 1] <= value[k]);
        for (size_t i = 0; i < m; i++) {
            double left = -value[k] * vector[k * m + i], dot = -(double)(i == k);
            for (size_t j = 0; j < m; j++) {
                left += a[i * m + j] * vector[k * m + j];
                dot += vector[k * m + j] * vector[i * m + j];
            }
            assert_true(fabs(left) <= slack * scale);
            assert_true(fabs(dot) <= slack);
        }
    }
    free(vector);
    free(value);
    free(other);
    free(theirs);
}

static void eigenvalues(void **state) {
    (void)state;
    double *a = malloc(102 * 102 * sizeof *a);
    for (size_t m = 1; m <= 30; m++)
        for (size_t rank = 0; rank <= m; rank += 1 + m / 3) {
            make(a, m, rank, 0);
            check_eigen(a, m);
            make(a, m, rank, 12);
            check_eigen(a, m);
        }
    make(a, 102, 102, 3);
    check_eigen(a, 102);
    for (size_t i = 0; i < 49; i++) a[i] = 1e300 * uniform();
    for (size_t i = 0; i < 7; i++)
        for (size_t j = 0; j < i; j++) a[i * 7 + j] = a[j * 7 + i];
    check_eigen(a, 7);
    free(a);
}

static void equations(void **state) {
    (void)state;
    enum { MOST = 40 };
    static double a[MOST * MOST], plain[MOST * MOST], x[MOST], b[MOST], c[MOST];
    dpn_error why;
    for (size_t m = 1; m <= MOST; m++) {
        make(a, m, m, 0);
        for (size_t i = 0; i < m; i++) a[i * m + i] += 2 * (double)m; /* dominates */
        for (size_t i = 0; i < m; i++) x[i] = uniform();
        for (size_t i = 0; i < m; i++) {
            b[i] = 0;
            for (size_t j = 0; j < m; j++) b[i] += a[i * m + j] * x[j];
        }
        memcpy(c, b, sizeof c);
        memcpy(plain, a, sizeof a);
        assert_int_equal(dpn_dense_solve(plain, b, m, &why), DPN_OK);
        memcpy(plain, a, sizeof a);
        assert_int_equal(dpn_algebra_solve(plain, c, m, &why), DPN_OK);
        for (size_t i = 0; i < m; i++) assert_true(fabs(b[i] - x[i]) <= 1e-12 && fabs(c[i] - b[i]) <= 1e-12);
        a[m * m - 1] = -1;
        memcpy(plain, a, sizeof a);
        assert_int_equal(dpn_dense_solve(plain, b, m, &why), DPN_EACCURACY);
        memcpy(plain, a, sizeof a);
        assert_int_equal(dpn_algebra_solve(plain, b, m, &why), DPN_EACCURACY);
    }
}

static void products(void **state) {
    (void)state;
    enum { M = 17 };
    double a[M * M], b[M * M], one[M * M], other[M * M];
    for (size_t i = 0; i < M * M; i++) a[i] = uniform(), b[i] = uniform();
    assert_int_equal(dpn_dense_multiply(one, a, b, M, NULL), DPN_OK);
    assert_int_equal(dpn_algebra_multiply(other, a, b, M, NULL), DPN_OK);
    for (size_t i = 0; i < M * M; i++) assert_true(fabs(one[i] - other[i]) <= 1e-14 * M);
}

/* Both kits, rows that are kept and rows that are folded, at the ends of blocks and of what is kept. */
static void moments(void **state) {
    (void)state;
    enum { COLUMNS = 4, FOLD = 16 * DPN_ROWS_A_BLOCK };
    static const size_t ends[] = {0, 1, DPN_ROWS_A_BLOCK, DPN_ROWS_A_BLOCK + 1, FOLD, FOLD + 1, 2 * FOLD + 77};
    int64_t exact[COLUMNS * COLUMNS], found[COLUMNS * COLUMNS];
    for (size_t e = 0; e < sizeof ends / sizeof *ends; e++) {
        dpn_rows kept = {.columns = COLUMNS}, folded = {.columns = COLUMNS};
        assert_int_equal(dpn_rows_fold(&folded, NULL), DPN_OK);
        memset(exact, 0, sizeof exact);
        for (size_t r = 0; r < ends[e]; r++) {
            int32_t step[COLUMNS] = {DPN_UNIT};
            for (size_t c = 1; c < COLUMNS; c++) step[c] = r % 5 == c ? -DPN_UNIT : (int32_t)(uniform() * DPN_UNIT);
            for (size_t c = 0; c < COLUMNS * COLUMNS; c++) exact[c] += (int64_t)step[c / COLUMNS] * step[c % COLUMNS];
            assert_int_equal(dpn_rows_add(&kept, step, NULL), DPN_OK);
            assert_int_equal(dpn_rows_add(&folded, step, NULL), DPN_OK);
        }
        assert_int_equal(dpn_dense_moments(found, &kept, NULL), DPN_OK);
        assert_memory_equal(found, exact, sizeof exact);
        assert_int_equal(dpn_algebra_moments(found, &kept, NULL), DPN_OK);
        assert_memory_equal(found, exact, sizeof exact);
        assert_int_equal(dpn_rows_moments(found, &folded, NULL), DPN_OK);
        assert_memory_equal(found, exact, sizeof exact);
        assert_true(folded.count <= FOLD && folded.count + folded.before == ends[e]);
        dpn_rows_free(&kept);
        dpn_rows_free(&folded);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(eigenvalues), cmocka_unit_test(equations),
                                       cmocka_unit_test(products), cmocka_unit_test(moments)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
