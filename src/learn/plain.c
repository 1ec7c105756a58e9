/* Fits without noise: Newton's method.
 *
 * The mean loss is (1/n) sum (y - t)^2/2, or log(1 + e^t) - y t, with t = b.z; minus its gradient is (1/n) sum e z and its Hessian (1/n) sum w z z', with e = y - t and
 * w = 1, or e = y - p and w = p(1-p). Each step minimises the quadratic around b with the penalties, and is halved until the objective falls. Errors of the Hessian only slow the
 * steps down: where they end is told by the gradient, which is summed in long double. */
#define _DEFAULT_SOURCE /* explicit_bzero */
#include "learn/plain.h"

#include "base/error.h"
#include "learn/kit.h"
#include "learn/quadratic.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Eigenvalues below this share of the largest are 0, as far as sums of squares in doubles tell. */
#define LEAST 1e-12

typedef struct newton {
    const dpn_fit *fit;
    double *row;        /* of `width` numbers; the target is the last */
    size_t rows, width; /* of the fit */
    size_t from, m;     /* columns from .. from + m - 1 are fitted */
    bool linear;
    double l1, l2;
    double *mean, *scale;     /* of each of the m: what was subtracted and divided by */
    double *a, *g, *c, *next; /* the Hessian, minus the gradient, the quadratic's own, the next b */
    double *trial;
    long double *sum;
} newton;

/* ---- Columns ---- */

static double *column(const newton *n, size_t j) {
    return n->row + n->from + j;
}

/* Subtract the mean, if there is a constant that takes it up, and divide by the root of the mean square. A constant column becomes 0. */
static void standardise_one(const newton *n, size_t j) {
    double *at = column(n, j), least = INFINITY, most = -INFINITY;
    long double sum = 0, square = 0;
    for (size_t r = 0; r < n->rows; r++) {
        double z = at[r * n->width];
        sum += z;
        least = fmin(least, z);
        most = fmax(most, z);
    }
    n->mean[j] = n->from > 0 ? 0 : least == most ? least : (double)(sum / (long double)n->rows);
    for (size_t r = 0; r < n->rows; r++) {
        double z = at[r * n->width] -= n->mean[j];
        square += (long double)z * z;
    }
    n->scale[j] = square > 0 ? (double)sqrtl(square / (long double)n->rows) : 1;
    for (size_t r = 0; r < n->rows; r++) at[r * n->width] /= n->scale[j];
}

static void standardise(const newton *n) {
    for (size_t j = 0; j < n->m; j++) {
        n->mean[j] = 0;
        n->scale[j] = 1;
        bool constant = n->from == 0 && j == 0;
        if (!constant && n->l1 == 0 && n->l2 == 0) standardise_one(n, j);
    }
}

/* b~ in units of the standardised columns is b_j = b~_j/s_j, and b_0 = b~_0 - sum_j mean_j b_j. */
static void restore(const newton *n, double *b) {
    for (size_t j = 0; j < n->m; j++) b[j] /= n->scale[j];
    for (size_t j = 1; j < n->m && n->from == 0; j++) b[0] -= n->mean[j] * b[j];
}

/* The same on both sides of a matrix, which goes to its place among all coefficients. */
static void restore_matrix(double *out, const newton *n, double *matrix) {
    size_t m = n->m, all = n->fit->features + 1;
    for (size_t i = 0; i < m; i++) restore(n, matrix + i * m);
    for (size_t j = 0; j < m; j++) {
        for (size_t i = 0; i < m; i++) n->c[i] = matrix[i * m + j];
        restore(n, n->c);
        for (size_t i = 0; i < m; i++) out[(i + n->from) * all + j + n->from] = n->c[i];
    }
}

/* ---- Derivatives ---- */

static double dot(const double *a, const double *b, size_t m) {
    double sum = 0;
    for (size_t j = 0; j < m; j++) sum += a[j] * b[j];
    return sum;
}

static double penalty(const newton *n, const double *b) {
    double sum = 0;
    for (size_t j = !n->from; j < n->m; j++) sum += n->l1 * fabs(b[j]) + 0.5 * n->l2 * b[j] * b[j];
    return sum;
}

/* log(1 + e^t) without overflow. */
static double softplus(double t) {
    return fmax(t, 0) + log1p(exp(-fabs(t)));
}

static double objective(const newton *n, const double *b) {
    long double sum = 0;
    for (size_t r = 0; r < n->rows; r++) {
        const double *z = n->row + r * n->width;
        double t = dot(b, z + n->from, n->m), y = z[n->width - 1];
        sum += n->linear ? 0.5 * (y - t) * (y - t) : softplus(t) - (y > 0 ? t : 0);
    }
    return (double)(sum / (long double)n->rows) + penalty(n, b);
}

/* Minus the gradient, and the Hessian if it is asked for. */
static void derive(const newton *n, const double *b, bool hessian) {
    size_t m = n->m;
    if (hessian) memset(n->a, 0, m * m * sizeof *n->a);
    for (size_t j = 0; j < m; j++) n->sum[j] = 0;
    for (size_t r = 0; r < n->rows; r++) {
        const double *z = n->row + r * n->width + n->from, y = n->row[(r + 1) * n->width - 1];
        double t = dot(b, z, m), p = n->linear ? t : 1 / (1 + exp(-t)), w = n->linear ? 1 : p * (1 - p);
        double e = n->linear ? y - t : (y > 0) - p;
        for (size_t j = 0; j < m; j++) n->sum[j] += (long double)e * z[j];
        for (size_t j = 0; j < m && hessian; j++)
            for (size_t i = 0; i <= j; i++) n->a[j * m + i] += w * z[j] * z[i];
    }
    for (size_t j = 0; j < m; j++) n->g[j] = (double)(n->sum[j] / (long double)n->rows);
    for (size_t j = 0; j < m && hessian; j++)
        for (size_t i = 0; i <= j; i++) n->a[i * m + j] = n->a[j * m + i] /= (double)n->rows;
}

/* ---- Steps ---- */

/* The minimum of the quadratic around b. Without l1 the step alone is solved for, which has its own relative error and not that of b. */
static dpn_status find_next(const newton *n, const double *b, dpn_error *why) {
    size_t m = n->m, first = !n->from;
    for (size_t i = 0; i < m; i++) {
        bool penalised = i >= first;
        n->c[i] = n->l1 > 0 ? n->g[i] + dot(n->a + i * m, b, m) : n->g[i] - (penalised ? n->l2 * b[i] : 0);
    }
    if (n->l1 > 0) return dpn_quadratic_minimise(n->next, n->a, n->c, m, first, n->l1, n->l2, why);
    double *inverse = malloc(m * m * sizeof *inverse);
    if (!inverse) return dpn_fail(why, DPN_ENOMEM, "no memory for the fit");
    memcpy(inverse, n->a, m * m * sizeof *inverse);
    for (size_t j = first; j < m; j++) inverse[j * m + j] += n->l2;
    dpn_status status = dpn_symmetric_inverse(inverse, inverse, m, LEAST, why);
    for (size_t i = 0; i < m && !status; i++) n->next[i] = b[i] + dot(inverse + i * m, n->c, m);
    free(inverse);
    return status;
}

/* False if no step lowers the objective: b is the minimum, as far as doubles tell. */
static bool step(const newton *n, double *b, double *value) {
    for (double share = 1; share > 1e-10; share *= 0.5) {
        for (size_t j = 0; j < n->m; j++) n->trial[j] = b[j] + share * (n->next[j] - b[j]);
        double reached = objective(n, n->trial);
        if (!(reached < *value)) continue;
        memcpy(b, n->trial, n->m * sizeof *b);
        *value = reached;
        return true;
    }
    return false;
}

static dpn_status iterate(const newton *n, double *b, double *value, dpn_error *why) {
    enum { STEPS = 60 };
    dpn_status status = DPN_OK;
    *value = objective(n, b);
    for (int i = 0; i < STEPS && !status; i++) {
        derive(n, b, !n->linear || i == 0);
        status = find_next(n, b, why);
        if (status || !step(n, b, value)) break;
    }
    if (status) return status;
    /* Near the minimum the objective cannot tell steps apart that Newton's method still can. */
    derive(n, b, !n->linear);
    status = find_next(n, b, why);
    if (!status && objective(n, n->next) <= *value + 1e-13 * fabs(*value)) memcpy(b, n->next, n->m * sizeof *b);
    return status;
}

/* ---- How sure the coefficients are ---- */

/* Add u u' for a direction v that has no curvature, u being v in the units of the fit. What is 0 but for rounding is 0. */
static void add_null(double *null, const newton *n, double *v) {
    size_t all = n->fit->features + 1;
    double size = 0;
    for (size_t j = 0; j < n->m; j++)
        if (fabs(v[j]) < 1e-6) v[j] = 0;
    for (size_t j = 0; j < n->m; j++) size += fabs(v[j] / n->scale[j]) * (j > 0 ? fabs(n->mean[j]) : 1);
    restore(n, v);
    if (n->from == 0 && fabs(v[0]) < 1e-9 * size) v[0] = 0;
    for (size_t i = 0; i < n->m; i++)
        for (size_t j = 0; j < n->m; j++) null[(i + n->from) * all + j + n->from] += v[i] * v[j];
}

/* The pseudo-inverse of the Hessian in its place, what it does not determine, and how many directions it does. */
static dpn_status invert(double *null, size_t *rank, const newton *n, dpn_error *why) {
    size_t m = n->m;
    double *vector = malloc((m + 1) * m * sizeof *vector), *value;
    if (!vector) return dpn_fail(why, DPN_ENOMEM, "no memory for the fit");
    value = vector + m * m;
    memcpy(vector, n->a, m * m * sizeof *vector);
    dpn_status status = dpn_fit_kit_here.eigen(vector, value, m, why);
    memset(n->a, 0, m * m * sizeof *n->a);
    for (size_t k = 0; k < m && !status; k++) {
        double *v = vector + k * m;
        if (!(value[k] > LEAST * value[m - 1])) {
            add_null(null, n, v);
            continue;
        }
        ++*rank;
        for (size_t i = 0; i < m; i++)
            for (size_t j = 0; j < m; j++) n->a[i * m + j] += v[i] * v[j] / value[k];
    }
    free(vector);
    return status;
}

/* The covariance of least squares is s^2 (Z'Z)^-1, s^2 the mean square of n - rank residuals; of a maximum-likelihood fit the inverse of n times the Hessian. */
static dpn_status spread(dpn_fit_estimate *out, const newton *n, double value, dpn_error *why) {
    size_t m = n->m, rank = 0;
    dpn_status status = invert(out->null, &rank, n, why);
    double rows = (double)n->rows, left = rows - (double)rank, square = n->linear ? 2 * value * rows / left : 1;
    if (status || rank == 0 || (n->linear && !(left > 0 && square > 0))) return status;
    for (size_t i = 0; i < m * m; i++) n->a[i] *= square / rows;
    restore_matrix(out->covariance, n, n->a);
    out->interval = "sampling";
    return DPN_OK;
}

/* ---- The fit ---- */

dpn_status dpn_plain_fit(dpn_fit_estimate *out, const dpn_fit *fit, double *row, size_t rows, dpn_error *why) {
    const dpn_fit_options *options = &fit->options;
    newton n = {.fit = fit, .row = row, .rows = rows, .width = dpn_fit_width(fit), .from = options->no_intercept};
    n.m = fit->features + 1 - n.from;
    n.linear = options->kind == DPN_FIT_LINEAR;
    n.l1 = options->l1;
    n.l2 = options->l2;
    memset(out->b, 0, (fit->features + 1) * sizeof *out->b);
    if (rows == 0) return DPN_OK;
    double *room = calloc(n.m * n.m + 6 * n.m, sizeof *room), value = 0;
    n.sum = calloc(n.m, sizeof *n.sum);
    dpn_status status = room && n.sum ? DPN_OK : dpn_fail(why, DPN_ENOMEM, "no memory for the fit");
    if (!status) {
        double **const part[] = {&n.mean, &n.scale, &n.g, &n.c, &n.next, &n.trial};
        n.a = room;
        for (size_t i = 0; i < 6; i++) *part[i] = room + n.m * n.m + i * n.m;
        standardise(&n);
        status = iterate(&n, out->b + n.from, &value, why);
    }
    if (!status && n.l1 == 0 && n.l2 == 0 && out->covariance && out->null) status = spread(out, &n, value, why);
    if (!status) restore(&n, out->b + n.from);
    free(room);
    free(n.sum);
    return status;
}

dpn_status dpn_plain_logistic(double *b, const dpn_fit *fit, dpn_error *why) {
    size_t width = dpn_fit_width(fit), rows = fit->rows.count, cells = rows * width;
    double *row = malloc((cells + 1) * sizeof *row);
    dpn_fit_estimate found = {.b = b, .interval = ""};
    if (!row) return dpn_fail(why, DPN_ENOMEM, "no memory for the fit");
    for (size_t r = 0; r < rows; r++)
        for (size_t c = 0; c < width; c++) {
            const int32_t *steps = dpn_rows_column(&fit->rows, r / DPN_ROWS_A_BLOCK, c);
            row[r * width + c] = ldexp(steps[r % DPN_ROWS_A_BLOCK], -DPN_UNIT_LOG);
        }
    dpn_status status = dpn_plain_fit(&found, fit, row, rows, why);
    explicit_bzero(row, cells * sizeof *row);
    free(row);
    return status;
}
