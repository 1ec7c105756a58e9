/* Loading BLAS and LAPACK. */
#include "learn/algebra.h"

#include "base/error.h"
#include "base/load.h"

dpn_status dpn_algebra_load(dpn_algebra *out, dpn_error *why) {
    static const dpn_load_function blas_functions[] = {{"cblas_dgemm", offsetof(dpn_algebra, dgemm)},
                                                       {"cblas_dsyrk", offsetof(dpn_algebra, dsyrk)}};
    static const dpn_load_function lapack_functions[] = {{"LAPACKE_dposv", offsetof(dpn_algebra, dposv)},
                                                         {"LAPACKE_dsyev", offsetof(dpn_algebra, dsyev)}};
    static const dpn_load_library blas = {
        "libopenblas.so.0", "the linear algebra of fits", "libopenblas0", blas_functions, 2, NULL};
    static const dpn_load_library lapack = {
        "liblapacke.so.3", "the linear algebra of fits", "liblapacke", lapack_functions, 2, NULL};
    dpn_algebra loaded = {0};
    dpn_status status = dpn_load(&loaded, sizeof loaded, &blas, why);
    if (!status) status = dpn_load(&loaded, sizeof loaded, &lapack, why);
    if (!status) *out = loaded;
    return status;
}

dpn_status dpn_algebra_multiply(double *out, const double *a, const double *b, size_t m, dpn_error *why) {
    dpn_algebra algebra;
    dpn_status status = dpn_algebra_load(&algebra, why);
    if (!status)
        algebra.dgemm(CblasRowMajor, CblasNoTrans, CblasNoTrans, (int)m, (int)m, (int)m, 1, a, (int)m, b, (int)m, 0,
                      out, (int)m);
    return status;
}

dpn_status dpn_algebra_eigen(double *vector, double *value, size_t m, dpn_error *why) {
    dpn_algebra algebra;
    dpn_status status = dpn_algebra_load(&algebra, why);
    if (!status && algebra.dsyev(LAPACK_COL_MAJOR, 'V', 'U', (int)m, vector, (int)m, value) != 0)
        status = dpn_fail(why, DPN_EACCURACY, "the eigenvalues of the moments were not found");
    return status;
}

dpn_status dpn_algebra_solve(double *a, double *b, size_t m, dpn_error *why) {
    dpn_algebra algebra;
    dpn_status status = dpn_algebra_load(&algebra, why);
    if (!status && algebra.dposv(LAPACK_COL_MAJOR, 'U', (int)m, 1, a, (int)m, b, (int)m) != 0)
        status = dpn_fail(why, DPN_EACCURACY, "the matrix is not positive definite");
    return status;
}
