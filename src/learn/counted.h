/* A fit that takes one of several ways, by how many rows there are. All ways are planned, announced and certified before a row is read; which one is taken follows from the number of
 * rows, which is public, or bought for a small share of epsilon. docs/proofs/learn/fit.md, F21 */
#ifndef DPN_LEARN_COUNTED_H
#define DPN_LEARN_COUNTED_H

#include "learn/method.h"

/* One way: a method, with so many passes (0: not said), for tables of at least so many rows. */
typedef struct dpn_way {
    const struct dpn_fit_method *method;
    uint64_t passes;
    double rows;
} dpn_way;

enum { DPN_WAYS_MOST = 9 };

/* The share of epsilon that a way has if the number of rows is bought. */
double dpn_counted_left(const dpn_fit *fit);

/* The plan and the run of a method (method.h). Ways have ever more rows; with less than the first has the first is taken.
 * Domain   1 <= ways <= DPN_WAYS_MOST; no number of rows and no passes are said.
 * Errors   those of the methods' plans and runs. */
dpn_status dpn_counted_plan(void **out, dpn_fit *fit, const dpn_way *way, size_t ways, dpn_error *why);
dpn_status dpn_counted_run(dpn_fit_estimate *out, dpn_fit *fit, const void *state, dpn_rng *rng, dpn_error *why);
void dpn_counted_free(void *state);

#endif
