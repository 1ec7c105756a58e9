/* What a library fits with. libdpnoise has every method and the linear algebra of OpenBLAS and LAPACK; libdpnoise-core, for servers that cannot
 * have these, has the method of moments and plain loops. Each defines its own kit (kit.c, kit-core.c), and the rest of a fit is the same. */
#ifndef DPN_LEARN_KIT_H
#define DPN_LEARN_KIT_H

#include "learn/rows.h"

#include <dpnoise/calibrate.h>

struct dpn_fit_method;

typedef struct dpn_fit_kit {
    const struct dpn_fit_method *const *method; /* the default of each kind is the first that is private and does it */
    size_t methods;
    const struct dpn_fit_method *tuned; /* of fits that choose their setting privately; NULL: there is none */
    size_t most_features;
    const dpn_hulls *(*hulls)(void); /* NULL: no noise of hulls */

    /* Whether what follows is there: asked when a fit is planned, before anything is charged. NULL: it is. */
    dpn_status (*ready)(dpn_error *why);
    /* Z'Z of the rows that are kept, as in dpn_rows_moments. */
    dpn_status (*moments)(int64_t *out, const dpn_rows *rows, dpn_error *why);
    /* Of matrices of m rows and columns, row by row. out = a b; */
    dpn_status (*multiply)(double *out, const double *a, const double *b, size_t m, dpn_error *why);
    /* eigenvalues, the least first, of the symmetric matrix that `vector` has, and the vector of each as a row in its place; */
    dpn_status (*eigen)(double *vector, double *value, size_t m, dpn_error *why);
    /* b = a^-1 b of a symmetric a, which is lost. DPN_EACCURACY if it is not positive definite. */
    dpn_status (*solve)(double *a, double *b, size_t m, dpn_error *why);
} dpn_fit_kit;

extern const dpn_fit_kit dpn_fit_kit_here;

#endif
