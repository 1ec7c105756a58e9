/* What the noisy sums say against a variance or covariance, before it is compared with noise. */
#ifndef DPN_COMPILE_PRODUCT_PIVOT_H
#define DPN_COMPILE_PRODUCT_PIVOT_H

#include "release/compile/compile.h"

#include <math.h>

/* Sums about the middles, in halves of the bounds; or their noise. */
typedef struct dpn_noisy_sums {
    double rows, x, y, product;
    double offset; /* taken off each product */
} dpn_noisy_sums;

/* The mean that a sum and a number of rows tell, of those within the bounds. */
static inline double dpn_mean_told(double sum, double rows) {
    return rows > 0 && fabs(sum) <= rows ? sum / rows : sum < 0 ? -1 : 1;
}

/* P - s Y - t X + N s t, the sum of (x - s)(y - t), at the means that are told. Of squares no mean within the bounds makes it less. */
static inline double dpn_centred(const dpn_noisy_sums *sums, double s, double t) {
    return sums->product + sums->rows * sums->offset - s * sums->y - t * sums->x + sums->rows * s * t;
}

#endif
