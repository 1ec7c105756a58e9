/* How many widths the pivot of a variance or covariance may be off, on each side: simulated for tables of all sizes, means and
 * variances. */
#ifndef DPN_COMPILE_PRODUCT_TAILS_H
#define DPN_COMPILE_PRODUCT_TAILS_H

#include "release/compile/product-widths.h"

enum { DPN_TAIL_SIZES = 12, DPN_TAIL_MEANS = 5 };

typedef struct dpn_tails {
    size_t means, others;                                         /* nodes of |s| and |t|; `others` is 1 for squares */
    double scale;                                                 /* of the numbers of rows, in which they have nodes */
    double low[DPN_TAIL_SIZES][DPN_TAIL_MEANS * DPN_TAIL_MEANS];  /* below 0 */
    double high[DPN_TAIL_SIZES][DPN_TAIL_MEANS * DPN_TAIL_MEANS]; /* above 0 */
} dpn_tails;

/* Of tables with any number of rows >= 2, the pivot is below -low widths with `tail`, and above `high` of them as well. noise: `count`
 * draws, of which `offset` is the query's; none of them may have made the widths. room has a place for each. */
void dpn_tails_fill(dpn_tails *out, const dpn_widths *widths, const dpn_noisy_sums *noise, size_t count, double scale,
                    double tail, double *room);

/* The largest of `low` and `high` for tables of at least `fewest` rows whose means have sizes from s_least to s_most, t_least to t_most. */
typedef struct dpn_reach {
    double low, high;
} dpn_reach;
dpn_reach dpn_tails_of(const dpn_tails *of, double fewest, const double s[2], const double t[2]);

#endif
