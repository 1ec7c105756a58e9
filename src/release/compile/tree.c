/* Shapes of trees, and sums over their nodes. */
#include "release/compile/tree.h"

#include <math.h>

/* ---- Shapes ---- */

/* Radices whose product is at least `bins`, as equal as can be; the larger ones below, where they save nodes. */
static dpn_tree even(size_t bins, size_t levels) {
    dpn_tree tree = {.bins = bins, .levels = levels};
    size_t product = 1, base = 1;
    for (;; base++) {
        product = 1;
        for (size_t i = 0; i < levels && product < bins; i++) product *= base + 1;
        if (product >= bins) break;
    }
    size_t raised = 0; /* the last levels that have base + 1 */
    for (product = 0; product < bins; raised++) {
        product = 1;
        for (size_t i = 0; i < levels && product < bins; i++) product *= base + (i < raised);
        if (product >= bins) break;
    }
    for (size_t i = 0; i < levels; i++) tree.radix[i] = base + (i + raised >= levels);
    return tree;
}

dpn_tree dpn_tree_make(size_t bins, size_t others) {
    dpn_tree best = even(bins, 1);
    double least = INFINITY;
    for (size_t levels = 1; levels <= DPN_TREE_LEVELS && (levels == 1 || (size_t)1 << (levels - 1) < bins); levels++) {
        dpn_tree tree = even(bins, levels);
        double error = pow((double)(levels + others), 1.5) * (double)(dpn_tree_beside(&tree) - 1);
        if (error < least) {
            least = error;
            best = tree;
        }
    }
    return best;
}

size_t dpn_tree_stride(const dpn_tree *tree, size_t level) {
    size_t stride = 1;
    for (size_t i = level + 1; i < tree->levels; i++) stride *= tree->radix[i];
    return stride;
}

size_t dpn_tree_nodes(const dpn_tree *tree, size_t level) {
    size_t stride = dpn_tree_stride(tree, level);
    return (tree->bins + stride - 1) / stride;
}

size_t dpn_tree_beside(const dpn_tree *tree) {
    size_t nodes = 1;
    for (size_t i = 0; i < tree->levels; i++) nodes += tree->radix[i] - 1;
    return nodes;
}

size_t dpn_tree_prefixes(const dpn_tree *tree) {
    size_t count = 0;
    for (size_t i = 0; i < tree->levels; i++) count += dpn_tree_nodes(tree, i) + 1;
    return count;
}

/* ---- Sums ---- */

dpn_tree_place dpn_tree_look(const dpn_tree *tree, const double *prefix, size_t bin) {
    dpn_tree_place place = {0};
    for (size_t i = 0; i < tree->levels; i++) {
        size_t nodes = dpn_tree_nodes(tree, i), node = bin / dpn_tree_stride(tree, i);
        size_t first = node - node % tree->radix[i], end = first + tree->radix[i];
        if (end > nodes) end = nodes; /* beyond the last bin there is nothing */
        size_t own = i + 1 == tree->levels ? node + 1 : node;
        place.left += prefix[own] - prefix[first];
        place.right += prefix[end] - prefix[node + 1];
        place.lefts += own - first;
        prefix += nodes + 1;
    }
    return place;
}
