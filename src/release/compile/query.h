/* A compiled query: what the tally forms in each group, and how far one unit moves it. */
#ifndef DPN_COMPILE_QUERY_H
#define DPN_COMPILE_QUERY_H

#include "release/compile/tree.h"
#include "release/declare/declaration.h"

#include <dpnoise/quantile.h>
#include <dpnoise/release.h>
#include <dpnoise/statistics.h>

/* A column of numbers with bounds, in steps of its grid 2^exponent: a value is clamped to [lower, upper] and rounded to the
 * nearest step, half way up. lower and upper are the declared bounds, moved outwards to the grid; middle is half way between
 * them, which is a step too. At most 2^26 steps lie between them, so that no sum of 2^36 rows leaves an int64_t. */
typedef struct dpn_measure {
    size_t column; /* in the order of dpn_query_column */
    int exponent;
    int64_t lower, upper, middle;
} dpn_measure;

/* One number that a row adds to its group. With c = value - middle of a measure:
 *   ROWS      1                       LEFT_OUT  1 for a row that cannot be used, which adds nothing else but a person
 *   VALUE     value - offset, where the offset is 0 or the middle
 *   PRODUCT   round(c_a c_b / 2^shift) - offset, half way up; a == b is the square, whose offset makes it symmetric
 *   PERSONS   1 for each distinct person
 *   BINS      1 in the bin of bins[a]; of a tree, in its node of level b
 * `bound` is the largest size of that number for one row, in steps of 2^exponent. */
typedef enum dpn_moment_kind {
    DPN_MOMENT_ROWS,
    DPN_MOMENT_VALUE,
    DPN_MOMENT_PRODUCT,
    DPN_MOMENT_PERSONS,
    DPN_MOMENT_BINS,
    DPN_MOMENT_LEFT_OUT,
} dpn_moment_kind;

typedef struct dpn_moment {
    dpn_moment_kind kind;
    size_t a, b;
    int shift, exponent;
    int64_t offset, bound;
} dpn_moment;

/* The bins of a histogram or the candidates of a quantile: edge i is the exact decimal in text. Bin i is [edge i, edge i+1),
 * the last one closed. A histogram leaves values outside alone, a quantile puts them into the first or last bin.
 * Quantiles with a step share a tree of counts: edge 0 is "-inf", edge i+1 the candidate i, and bin i is (edge i, edge i+1], the last one
 * without an end. */
typedef struct dpn_bins {
    size_t column;
    char **edge; /* ascending decimals; "-inf" and "inf" may stand at the ends */
    size_t edges;
    bool clamp;       /* of a quantile */
    size_t statistic; /* whose they are, in the declaration; of a tree the first */
    bool upward;      /* bins are closed above: those of a tree */
    dpn_tree tree;
} dpn_bins;

struct dpn_query {
    char *text;                  /* the declaration as text, equal for equal ones */
    dpn_declaration declaration; /* what that text says */
    dpn_shares asked;            /* its epsilon and delta, read once */
    char **column;
    size_t columns;
    size_t *by;      /* columns of the groups, in the order of the declaration */
    size_t *where;   /* columns of the predicates */
    size_t person;   /* column, or SIZE_MAX */
    bool known_keys; /* all groupings have levels (true too without any) */
    size_t groups;   /* the product of the numbers of levels, 1 without groups; 0 if keys are unknown */

    dpn_measure *measure;
    size_t measures;
    dpn_moment *moment; /* the coordinates of a group; those of kind BINS stand for as many cells as there are bins */
    size_t moments;
    dpn_bins *bins; /* first those of histograms, then trees, then those of quantiles that have none */
    size_t histograms, trees, quantiles;

    bool shape_only;      /* made without noise: no release, no cells, no intervals */
    dpn_release *release; /* of the moments of one group; NULL if there are none */
    uint64_t moved_groups;
    size_t persons; /* the moment that is held against the threshold, or SIZE_MAX */
    int64_t threshold;
    double threshold_delta;
    double quantile_epsilon;       /* of each quantile in each group */
    dpn_quantile *quantile;        /* of each quantile: its rate and error */
    struct dpn_output *outputs_of; /* see compile.h */
    char **output;
    size_t outputs;
    dpn_query_cell *cell; /* one for each moment */
    double *noise;        /* simulated: draws times moments, in units; for the intervals */
    size_t draws;
};

static inline size_t dpn_bin_sets(const dpn_query *query) {
    return query->histograms + query->trees + query->quantiles;
}

/* A row that gives way to another leaves the number of rows that are used as it is if each is used, whatever it holds: there are
 * no groups, predicates or persons, and a field that cannot be used takes a value. */
static inline bool dpn_count_is_public(const dpn_query *query) {
    const dpn_declaration *declaration = &query->declaration;
    return declaration->relation == DPN_REPLACE && declaration->missing == DPN_MISSING_VALUE && declaration->bys == 0 &&
           declaration->wheres == 0 && !declaration->person;
}

#endif
