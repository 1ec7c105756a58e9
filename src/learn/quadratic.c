/* Small dense problems. */
#include "learn/quadratic.h"

#include "base/error.h"
#include "learn/kit.h"

#include <math.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

static dpn_status no_memory(dpn_error *why) {
    return dpn_fail(why, DPN_ENOMEM, "no memory for the fit");
}

static bool all_finite(const double *x, size_t count) {
    for (size_t i = 0; i < count; i++)
        if (!isfinite(x[i])) return false;
    return true;
}

/* ---- Eigenvalues ---- */

/* out = sum_k f(value_k) v_k v_k', with the eigenvalues and vectors of a. */
typedef double spectral(double value, double largest, double parameter);

static double invert(double value, double largest, double least) {
    return fabs(value) > least * largest ? 1 / value : 0;
}

static double raise(double value, double largest, double floor) {
    (void)largest;
    return fmax(value, floor);
}

static void assemble(double *out, const double *vector, const double *value, size_t m, spectral *f, double parameter) {
    double largest = 0;
    for (size_t k = 0; k < m; k++) largest = fmax(largest, fabs(value[k]));
    for (size_t i = 0; i < m * m; i++) out[i] = 0;
    for (size_t k = 0; k < m; k++) {
        double scale = f(value[k], largest, parameter);
        for (size_t i = 0; i < m; i++)
            for (size_t j = 0; j < m; j++) out[i * m + j] += scale * vector[k * m + i] * vector[k * m + j];
    }
}

static dpn_status map(double *out, double *smallest, const double *a, size_t m, spectral *f, double parameter,
                      dpn_error *why) {
    if (!all_finite(a, m * m)) return dpn_fail(why, DPN_EDOMAIN, "the moments are not finite");
    double *vector = malloc(m * m * sizeof *vector), *value = malloc(m * sizeof *value);
    dpn_status status = vector && value ? DPN_OK : no_memory(why);
    if (!status) {
        memcpy(vector, a, m * m * sizeof *vector);
        status = dpn_fit_kit_here.eigen(vector, value, m, why);
    }
    if (!status) {
        if (smallest) *smallest = value[0];
        assemble(out, vector, value, m, f, parameter);
    }
    free(vector);
    free(value);
    return status;
}

dpn_status dpn_symmetric_inverse(double *out, const double *a, size_t m, double least, dpn_error *why) {
    return map(out, NULL, a, m, invert, least, why);
}

dpn_status dpn_symmetric_raise(double *out, double *smallest, const double *a, size_t m, double floor, dpn_error *why) {
    return map(out, smallest, a, m, raise, floor, why);
}

/* ---- Minimising ---- */

/* (A + l2 I) b = c: by Cholesky, or, where that is singular, by the pseudo-inverse. */
static dpn_status solve(double *b, double *work, const double *a, const double *c, size_t m, size_t first, double l2,
                        dpn_error *why) {
    memcpy(work, a, m * m * sizeof *work);
    for (size_t j = first; j < m; j++) work[j * m + j] += l2;
    memcpy(b, c, m * sizeof *b);
    dpn_status status = dpn_fit_kit_here.solve(work, b, m, why);
    if (status != DPN_EACCURACY) return status;
    memcpy(work, a, m * m * sizeof *work);
    for (size_t j = first; j < m; j++) work[j * m + j] += l2;
    status = dpn_symmetric_inverse(work, work, m, 1e-12, why);
    for (size_t i = 0; i < m && !status; i++) {
        b[i] = 0;
        for (size_t j = 0; j < m; j++) b[i] += work[i * m + j] * c[j];
    }
    return status;
}

static double soft(double x, double threshold) {
    return x > threshold ? x - threshold : x < -threshold ? x + threshold : 0;
}

/* One pass of coordinate descent. Returns the largest step, each in the unit of sqrt(curvature). */
static double descend(double *b, const double *a, const double *c, size_t m, size_t first, double l1, double l2) {
    double largest = 0;
    for (size_t j = 0; j < m; j++) {
        bool penalised = j >= first;
        double curvature = a[j * m + j] + (penalised ? l2 : 0), gradient = c[j];
        if (!(curvature > 0)) continue;
        for (size_t i = 0; i < m; i++)
            if (i != j) gradient -= a[j * m + i] * b[i];
        double next = soft(gradient, penalised ? l1 : 0) / curvature;
        largest = fmax(largest, fabs(next - b[j]) * sqrt(curvature));
        b[j] = next;
    }
    return largest;
}

static double length(const double *b, const double *a, size_t m) {
    double sum = 0;
    for (size_t j = 0; j < m; j++) sum += b[j] * b[j] * fmax(a[j * m + j], 0);
    return sqrt(sum);
}

dpn_status dpn_quadratic_minimise(double *b, const double *a, const double *c, size_t m, size_t first, double l1,
                                  double l2, dpn_error *why) {
    enum { PASSES = 100000 };
    if (!all_finite(a, m * m) || !all_finite(c, m)) return dpn_fail(why, DPN_EDOMAIN, "the moments are not finite");
    double *work = malloc(m * m * sizeof *work);
    if (!work) return no_memory(why);
    dpn_status status = solve(b, work, a, c, m, first, l2, why);
    free(work);
    if (status || l1 == 0) return status;
    for (int pass = 0; pass < PASSES; pass++)
        if (descend(b, a, c, m, first, l1, l2) <= 1e-12 * length(b, a, m)) return DPN_OK;
    return dpn_fail(why, DPN_EACCURACY, "the descent did not end after %d passes", PASSES);
}
