/* How large the pivot of a variance or covariance can be (products.c): simulated at nodes, linear between them. */
#ifndef DPN_COMPILE_PRODUCT_WIDTHS_H
#define DPN_COMPILE_PRODUCT_WIDTHS_H

#include "release/compile/compile.h"

enum { DPN_SQUARE_NODES = 9, DPN_PRODUCT_NODES = 5 };

/* The widths of the pivot at nodes of |s|, |t| and |s t - c + offset|, each from 0 to its end. */
typedef struct dpn_widths {
    size_t means, others,
        factors; /* nodes; `others` is 1 for squares, `factors` is 1 where the number of rows is known */
    double last; /* the largest factor */
    double far[2][DPN_SQUARE_NODES];                                      /* a and b: what |A| and |B| do not reach */
    double at[DPN_PRODUCT_NODES * DPN_PRODUCT_NODES * DPN_PRODUCT_NODES]; /* more than DPN_SQUARE_NODES squared */
} dpn_widths;

struct dpn_products {
    bool square;
    double rows; /* the noise of the rows is rarely above this */
    dpn_widths noisy, known;
};

/* a or b at a mean; the width at means s and t and a factor of the noise of the rows. */
double dpn_far_at(const dpn_widths *of, size_t side, double mean);
double dpn_product_width(const dpn_widths *of, double s, double t, double factor);

/* part / whole, where nothing of nothing is 0. */
double dpn_part_of(double part, double whole);

#endif
