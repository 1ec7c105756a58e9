/* From a declaration to columns, sums and outputs. */
#ifndef DPN_COMPILE_COMPILE_H
#define DPN_COMPILE_COMPILE_H

#include "release/compile/query.h"

/* One column of the answer, and the moments that it is made of (SIZE_MAX: none). */
typedef struct dpn_output {
    const struct dpn_statistic_row *row; /* of its kind */
    size_t statistic;
    size_t rows;          /* the moment that counts: ROWS or PRESENT */
    size_t first, second; /* sums of values */
    size_t product;
    size_t bins, bin; /* of a histogram; of a quantile `bins` */
    double half;      /* the half-width of its interval where that is the same for all groups, else NaN */
    double alone;     /* of a sum or mean of a selected count: 98% of the noise on its sum alone is within */
    double *width;    /* of a mean: see interval.h; of a quantile from a tree: see tree-interval.h; NULL else */
    struct dpn_products *products; /* of a variance or covariance: see products.h; NULL else */
} dpn_output;

/* Fill in everything but the noise. What was filled in before an error is freed with the query. */
dpn_status dpn_query_compile(dpn_query *query, dpn_error *why);

#endif
