/* Logistic regression without noise: Newton's method.
 *
 * The mean loss is (1/n) sum log(1 + e^t) - y t with t = b.z, its gradient (1/n) sum (p - y) z and its Hessian (1/n) sum p(1-p) z z'.
 * Each step minimises the quadratic around b with the penalties, and is halved until the objective falls. */
#include "learn/plain.h"

#include "base/error.h"
#include "learn/quadratic.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

typedef struct newton {
    const dpn_fit *fit;
    size_t from, m;     /* columns from .. from + m - 1 are fitted */
    double *a, *c;      /* the quadratic */
    double *next, *row; /* the next b, a row */
} newton;

static void read_row(double *row, const newton *n, size_t block, size_t r) {
    for (size_t j = 0; j < n->m; j++)
        row[j] = ldexp(dpn_rows_column(&n->fit->rows, block, n->from + j)[r], -DPN_UNIT_LOG);
}

static double dot(const double *a, const double *b, size_t m) {
    double sum = 0;
    for (size_t j = 0; j < m; j++) sum += a[j] * b[j];
    return sum;
}

static double penalty(const newton *n, const double *b) {
    double sum = 0;
    for (size_t j = !n->from; j < n->m; j++)
        sum += n->fit->options.l1 * fabs(b[j]) + 0.5 * n->fit->options.l2 * b[j] * b[j];
    return sum;
}

/* log(1 + e^t) without overflow. */
static double softplus(double t) {
    return fmax(t, 0) + log1p(exp(-fabs(t)));
}

static bool label(const newton *n, size_t block, size_t r) {
    return dpn_rows_column(&n->fit->rows, block, dpn_target_column(n->fit))[r] > 0;
}

static double objective(const newton *n, const double *b) {
    const dpn_rows *rows = &n->fit->rows;
    double sum = 0;
    for (size_t block = 0; block < dpn_rows_blocks(rows); block++)
        for (size_t r = 0; r < dpn_rows_in(rows, block); r++) {
            read_row(n->row, n, block, r);
            double t = dot(b, n->row, n->m);
            sum += softplus(t) - (label(n, block, r) ? t : 0);
        }
    return sum / (double)rows->count + penalty(n, b);
}

/* The quadratic b'Ab/2 - c'b that has the loss's derivatives at b: A is the Hessian, c = A b - gradient. */
static void expand(const newton *n, const double *b) {
    const dpn_rows *rows = &n->fit->rows;
    size_t m = n->m;
    memset(n->a, 0, m * m * sizeof *n->a);
    memset(n->c, 0, m * sizeof *n->c);
    for (size_t block = 0; block < dpn_rows_blocks(rows); block++)
        for (size_t r = 0; r < dpn_rows_in(rows, block); r++) {
            read_row(n->row, n, block, r);
            double t = dot(b, n->row, m), p = 1 / (1 + exp(-t)), w = p * (1 - p), e = label(n, block, r) - p + w * t;
            for (size_t j = 0; j < m; j++) {
                n->c[j] += e * n->row[j] / (double)rows->count;
                for (size_t i = 0; i <= j; i++) n->a[i * m + j] += w * n->row[i] * n->row[j] / (double)rows->count;
            }
        }
    for (size_t j = 0; j < m; j++)
        for (size_t i = 0; i < j; i++) n->a[j * m + i] = n->a[i * m + j];
}

/* False if no step lowers the objective: b is the minimum, as far as doubles tell. */
static bool step(const newton *n, double *b, double *value) {
    for (double share = 1; share > 1e-10; share *= 0.5) {
        double *trial = n->row + n->m;
        for (size_t j = 0; j < n->m; j++) trial[j] = b[j] + share * (n->next[j] - b[j]);
        double reached = objective(n, trial);
        if (!(reached < *value)) continue;
        memcpy(b, trial, n->m * sizeof *b);
        *value = reached;
        return true;
    }
    return false;
}

static dpn_status iterate(const newton *n, double *b, dpn_error *why) {
    enum { STEPS = 60 };
    const dpn_fit_options *options = &n->fit->options;
    double value = objective(n, b);
    dpn_status status = DPN_OK;
    for (int i = 0; i < STEPS && !status; i++) {
        expand(n, b);
        status = dpn_quadratic_minimise(n->next, n->a, n->c, n->m, !n->from, options->l1, options->l2, why);
        if (status || !step(n, b, &value)) break;
    }
    /* Near the minimum the objective cannot tell steps apart that Newton's method still can. */
    if (status) return status;
    expand(n, b);
    status = dpn_quadratic_minimise(n->next, n->a, n->c, n->m, !n->from, options->l1, options->l2, why);
    if (!status && objective(n, n->next) <= value + 1e-13 * fabs(value)) memcpy(b, n->next, n->m * sizeof *b);
    return status;
}

static void copy_hessian(double *hessian, const newton *n) {
    size_t width = n->fit->features + 1;
    memset(hessian, 0, width * width * sizeof *hessian);
    for (size_t i = 0; i < n->m; i++)
        for (size_t j = 0; j < n->m; j++) hessian[(i + n->from) * width + j + n->from] = n->a[i * n->m + j];
}

dpn_status dpn_plain_logistic(double *b, double *hessian, const dpn_fit *fit, dpn_error *why) {
    newton n = {.fit = fit, .from = fit->options.no_intercept};
    n.m = fit->features + 1 - n.from;
    memset(b, 0, (fit->features + 1) * sizeof *b);
    if (hessian) memset(hessian, 0, (fit->features + 1) * (fit->features + 1) * sizeof *hessian);
    if (fit->rows.count == 0) return DPN_OK;
    n.a = malloc(n.m * n.m * sizeof *n.a);
    n.c = malloc(n.m * sizeof *n.c);
    n.next = malloc(n.m * sizeof *n.next);
    n.row = malloc(2 * n.m * sizeof *n.row);
    dpn_status status = DPN_OK;
    if (!n.a || !n.c || !n.next || !n.row) status = dpn_fail(why, DPN_ENOMEM, "no memory for the fit");
    if (!status) status = iterate(&n, b + n.from, why);
    if (!status && hessian) copy_hessian(hessian, &n);
    free(n.a);
    free(n.c);
    free(n.next);
    free(n.row);
    return status;
}
