/* Linear algebra by OpenBLAS and LAPACKE, loaded when the first fit needs them: they start threads, which no other command has
 * a use for. */
#ifndef DPN_LEARN_ALGEBRA_H
#define DPN_LEARN_ALGEBRA_H

#include "learn/rows.h"

#include <cblas.h>
#include <lapacke.h>

typedef struct dpn_algebra {
    __typeof__(cblas_dgemm) *dgemm;
    __typeof__(cblas_dsyrk) *dsyrk;
    __typeof__(LAPACKE_dposv) *dposv;
    __typeof__(LAPACKE_dsyev) *dsyev;
} dpn_algebra;

/* DPN_EUNSUPPORTED with what to install where they are missing. A plan of a fit asks first, before anything is charged. */
dpn_status dpn_algebra_load(dpn_algebra *out, dpn_error *why);

/* What a kit has (kit.h). */
dpn_status dpn_algebra_moments(int64_t *out, const dpn_rows *rows, dpn_error *why);
dpn_status dpn_algebra_multiply(double *out, const double *a, const double *b, size_t m, dpn_error *why);
dpn_status dpn_algebra_eigen(double *vector, double *value, size_t m, dpn_error *why);
dpn_status dpn_algebra_solve(double *a, double *b, size_t m, dpn_error *why);

#endif
