/* Linear algebra by OpenBLAS and LAPACKE, loaded when the first fit needs them: they start threads, which no other command has
 * a use for. */
#ifndef DPN_LEARN_ALGEBRA_H
#define DPN_LEARN_ALGEBRA_H

#include <dpnoise/status.h>

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

/* out = a b, matrices of m rows and columns, row by row. */
dpn_status dpn_algebra_multiply(double *out, const double *a, const double *b, size_t m, dpn_error *why);

#endif
