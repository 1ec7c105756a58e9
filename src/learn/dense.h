/* Linear algebra of small matrices by plain loops, for libraries without OpenBLAS (kit.h says what each function does). */
#ifndef DPN_LEARN_DENSE_H
#define DPN_LEARN_DENSE_H

#include "learn/rows.h"

/* Errors   DPN_ENOMEM of eigen, and DPN_EACCURACY if its rotations do not end; DPN_EACCURACY of solve for what is not positive definite. */
dpn_status dpn_dense_moments(int64_t *out, const dpn_rows *rows, dpn_error *why);
dpn_status dpn_dense_multiply(double *out, const double *a, const double *b, size_t m, dpn_error *why);
dpn_status dpn_dense_eigen(double *vector, double *value, size_t m, dpn_error *why);
dpn_status dpn_dense_solve(double *a, double *b, size_t m, dpn_error *why);

#endif
