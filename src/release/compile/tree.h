/* The tree of counts that the quantiles of a column share.
 *
 * Bin k of C holds the values in (candidate k-1, candidate k], values beyond the ends in the first and the last. Level i of the tree joins
 * bins into nodes of as many bins as the radices of the levels below multiply to; the last level has the bins themselves. One row is
 * in one node of each level: a level is a histogram of its own. The bins up to k are the nodes that stand to the left of k below the
 * same parent, on every level, and the node k of the last level; those beyond k stand to the right.
 * docs/proofs/release/quantile.md has the argument. */
#ifndef DPN_COMPILE_TREE_H
#define DPN_COMPILE_TREE_H

#include <stddef.h>

enum { DPN_TREE_LEVELS = 20 };

/* `levels` is 0 where there is no tree. */
typedef struct dpn_tree {
    size_t bins, levels;
    size_t radix[DPN_TREE_LEVELS]; /* children of a node of the level above, the top first */
} dpn_tree;

/* The tree with the least error: among those with radices as equal as can be, the least (levels + others)^(3/2) (sum of (radix - 1)), where
 * `others` sums share the guarantee. With r nodes beside the way to a bin the variance is r times that of a node, which grows with
 * the square of the number of sums under pure epsilon and linearly under delta; 3/2 serves both, so that
 * the sums that are formed do not depend on the guarantee.
 * Domain   1 <= bins <= 2^20. */
dpn_tree dpn_tree_make(size_t bins, size_t others);

/* Bins of a node of a level; how many nodes there are. */
size_t dpn_tree_stride(const dpn_tree *tree, size_t level);
size_t dpn_tree_nodes(const dpn_tree *tree, size_t level);

/* The most nodes that stand beside a way, both sides together, the bin itself among them. */
size_t dpn_tree_beside(const dpn_tree *tree);

/* Noisy counts of all nodes as sums of those before them: for each level nodes + 1 numbers, the top first. */
size_t dpn_tree_prefixes(const dpn_tree *tree);

/* What a tree says of a bin: noisy numbers of values in the bins up to it and beyond it, and of how many nodes the first is made. */
typedef struct dpn_tree_place {
    double left, right;
    size_t lefts;
} dpn_tree_place;
dpn_tree_place dpn_tree_look(const dpn_tree *tree, const double *prefix, size_t bin);

#endif
