/* What a kind of statistic provides. A new kind is one file that ends in one row of this type, its line in statistics.def, its
 * name in dpn_statistic_kind (dpnoise/declaration.h) and its option in cli/release/release.c. */
#ifndef DPN_STATISTIC_STATISTIC_H
#define DPN_STATISTIC_STATISTIC_H

#include "release/answer/noisy.h"
#include "release/compile/compile.h"

/* Which parts a statistic has. They say how it is written, read and checked. */
typedef enum dpn_statistic_shape {
    DPN_HAS_COLUMN = 1,
    DPN_HAS_COLUMNS = 2,
    DPN_HAS_BOUNDS = 4,
    DPN_HAS_EDGES = 8,
    DPN_MAY_HAVE_EDGES = 16,
    DPN_HAS_QUANTILE = 32,
} dpn_statistic_shape;

/* What becomes of the bins that its edges make. */
typedef enum dpn_statistic_bins {
    DPN_BINS_NONE,
    DPN_BINS_COUNTED, /* each is released with noise; values outside are in none */
    DPN_BINS_RANKED, /* one edge is chosen, from a tree of counts if there is a step, else by the exponential mechanism; values
                         outside are in the first or last */
} dpn_statistic_bins;

struct dpn_statistic_row {
    const char *name; /* the option of the shell is called so too */
    unsigned shape;   /* of dpn_statistic_shape, all that hold together */
    const char *form; /* what is expected after the option, for people who typed something else */
    bool counts;      /* it releases the number of rows anyway, by itself or on the way to a mean */
    dpn_statistic_bins bins;
    bool total;  /* its value is the number of rows of the group */
    bool whole;  /* its values are whole numbers, none negative */
    bool chosen; /* its values are declared numbers, and are not rounded; `answer` says the digits */

    /* Add its outputs (outputs.h) and the moments that they are made of (compile/moments.h) to a query. */
    dpn_status (*compile)(dpn_query *query, size_t statistic, dpn_error *why);

    /* Fill in `half` or `width` of an output, once the noise is known; room has a place for each simulated draw. NULL: there
     * is nothing to prepare. */
    dpn_status (*prepare)(const dpn_query *query, dpn_output *output, double *room, dpn_error *why);

    /* Value and interval of one output, from noisy numbers alone. */
    void (*answer)(dpn_answer_cell *out, const dpn_query *query, const dpn_output *output, const dpn_noisy *noisy);

    /* The half-width of the interval in a group of so many rows, where that is not `half`; NULL: it is. */
    double (*half_at)(const dpn_query *query, const dpn_output *output, double rows);

    /* Whether the exact value cannot be below 0, where `whole` does not say so; NULL: it can. */
    bool (*nonnegative)(const dpn_query *query, const dpn_output *output);
};

#define STATISTIC(KIND, name) extern const struct dpn_statistic_row dpn_statistic_##name;
#include "release/statistic/statistics.def"
#undef STATISTIC

/* How many rows are left out: not a kind of its own, but declared for all statistics together. */
extern const struct dpn_statistic_row dpn_statistic_left_out;

/* The row of a kind; NULL past the end. */
const struct dpn_statistic_row *dpn_statistic_row_of(dpn_statistic_kind kind);

/* The dpn_statistic_shape of a kind; 0 past the end. */
unsigned dpn_statistic_shape_of(dpn_statistic_kind kind);

#endif
