/* Quantiles and their intervals from a noisy tree.
 *
 * The quantile q of n values is the least candidate v with at least q n values not above it. With F(k) values in the bins up to k it is the
 * least k with D(k) = (1 - q) F(k) - q (n - F(k)) >= 0. A tree gives D(k) with the noise (1 - q) (sum of the nodes to the left) - q (sum
 * of those to the right), whose 95% range w depends on how many nodes are to the left, and on nothing in the data. */
#ifndef DPN_COMPILE_TREE_INTERVAL_H
#define DPN_COMPILE_TREE_INTERVAL_H

#include "release/compile/compile.h"

/* Fill in `width` of the quantiles that trees answer: w for 0, 1, ... nodes to the left, by simulation of noise whose law is public.
 * Errors   DPN_ENOMEM, DPN_EENTROPY. */
dpn_status dpn_tree_widths(dpn_query *query, dpn_error *why);

/* Which candidates: that of the isotonic fit to the noisy D, moved by nothing else; the first k for which D(k) >= 0 is not refuted;
 * one after the last k for which D(k) < 0 is not refuted. low <= value <= high. */
typedef struct dpn_tree_quantile {
    size_t value, low, high;
} dpn_tree_quantile;
dpn_tree_quantile dpn_tree_invert(const dpn_tree *tree, const double *prefix, double q, const double *width);

#endif
