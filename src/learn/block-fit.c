/* Plain fits of parts of a table. */
#include "learn/block-fit.h"

#include <math.h>
#include <string.h>

typedef struct block {
    const dpn_fit *fit;
    size_t from, m, count;
    const size_t *row;
    double *a, *c, *z, *b; /* the equations A x = c, a row, the coefficients */
} block;

size_t dpn_block_fit_work(size_t m) {
    return m * m + 2 * m;
}

static double step_of(const block *of, size_t row, size_t column) {
    return ldexp(dpn_rows_column(&of->fit->rows, row / DPN_ROWS_A_BLOCK, column)[row % DPN_ROWS_A_BLOCK],
                 -DPN_UNIT_LOG);
}

static void read_row(const block *of, size_t row) {
    for (size_t j = 0; j < of->m; j++) of->z[j] = step_of(of, row, of->from + j);
}

/* The ridge leaves the constant alone, but for the part of one row that keeps the equations solvable. */
static double ridge_of(const block *of, size_t j) {
    return 1 / (double)of->count + (of->from + j > 0 ? of->fit->options.l2 : 0);
}

/* Newton's equations at b: A is the mean of w z z' + ridge, c that of e z - ridge b, where e and w are minus the first derivative of a row's loss by b.z and its second. */
static void expand(const block *of) {
    size_t m = of->m;
    bool linear = of->fit->options.kind == DPN_FIT_LINEAR;
    memset(of->a, 0, m * m * sizeof *of->a);
    memset(of->c, 0, m * sizeof *of->c);
    for (size_t i = 0; i < of->count; i++) {
        double t = 0, y = step_of(of, of->row[i], dpn_target_column(of->fit));
        read_row(of, of->row[i]);
        for (size_t j = 0; j < m; j++) t += of->b[j] * of->z[j];
        double p = 1 / (1 + exp(-t)), e = linear ? y - t : (y > 0) - p, w = linear ? 1 : p * (1 - p);
        for (size_t j = 0; j < m; j++) {
            of->c[j] += e * of->z[j] / (double)of->count;
            for (size_t k = 0; k <= j; k++) of->a[j * m + k] += w * of->z[j] * of->z[k] / (double)of->count;
        }
    }
    for (size_t j = 0; j < m; j++) {
        of->a[j * m + j] += ridge_of(of, j);
        of->c[j] -= ridge_of(of, j) * of->b[j];
    }
}

/* Cholesky's decomposition in the lower triangle, and both substitutions in c. */
static void solve(const block *of) {
    double *a = of->a, *c = of->c;
    size_t m = of->m;
    for (size_t j = 0; j < m; j++)
        for (size_t i = j; i < m; i++) {
            double sum = a[i * m + j];
            for (size_t k = 0; k < j; k++) sum -= a[i * m + k] * a[j * m + k];
            a[i * m + j] = i == j ? sqrt(sum) : sum / a[j * m + j];
        }
    for (size_t i = 0; i < m; i++) {
        for (size_t k = 0; k < i; k++) c[i] -= a[i * m + k] * c[k];
        c[i] /= a[i * m + i];
    }
    for (size_t i = m; i-- > 0;) {
        for (size_t k = i + 1; k < m; k++) c[i] -= a[k * m + i] * c[k];
        c[i] /= a[i * m + i];
    }
}

void dpn_block_fit(double *b, const dpn_fit *fit, size_t from, size_t m, const size_t *row, size_t count,
                   double *work) {
    enum { STEPS = 12 };
    const double longest =
        2; /* of a step of a logistic fit: Newton's method does not leap away where labels are nearly told apart */
    memset(b, 0, m * sizeof *b);
    if (count == 0) return;
    bool linear = fit->options.kind == DPN_FIT_LINEAR;
    block of = {.fit = fit, .from = from, .m = m, .count = count, .row = row, .b = b};
    of.a = work;
    of.c = of.a + m * m;
    of.z = of.c + m;
    for (int step = 0; step < (linear ? 1 : STEPS); step++) {
        double size = 0;
        expand(&of);
        solve(&of);
        for (size_t j = 0; j < m; j++) size = fmax(size, fabs(of.c[j]));
        double share = linear || size <= longest ? 1 : longest / size;
        for (size_t j = 0; j < m; j++) b[j] += share * of.c[j];
    }
    for (size_t j = 0; j < m; j++)
        if (!isfinite(b[j])) b[j] = 0;
}
