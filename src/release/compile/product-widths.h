/* How large the pivot of a variance or covariance is by noise alone, where the means are known: simulated at nodes, linear between
 * them. It only sets the scale, and need not be accurate: product-tails.h says how many of these noise exceeds. */
#ifndef DPN_COMPILE_PRODUCT_WIDTHS_H
#define DPN_COMPILE_PRODUCT_WIDTHS_H

#include "release/compile/product-pivot.h"

enum { DPN_SQUARE_NODES = 9, DPN_PRODUCT_NODES = 5 };

/* The 95% range of |v_P - s v_Y - t v_X + f v_N| at nodes of |s| and |t|, from 0 to 1, and of f, from -last to last, f taken for s and t of
 * the same sign: the law of the noise is the same if x and its sums and products change their sign, but that of rows and
 * squares that are tied is not if one of them does. */
typedef struct dpn_widths {
    size_t means, others,
        factors; /* nodes; `others` is 1 for squares, `factors` is 1 where the number of rows is known */
    double last; /* the largest factor */
    double at[DPN_PRODUCT_NODES * DPN_PRODUCT_NODES * (2 * DPN_PRODUCT_NODES - 1)]; /* more than squares have */
} dpn_widths;

/* Nodes for squares or other products, filled from `count` draws of noise. room has a place for each. */
void dpn_widths_fill(dpn_widths *out, bool square, bool known, const dpn_noisy_sums *noise, size_t count, double *room);

double dpn_product_width(const dpn_widths *of, double s, double t, double factor);

#endif
