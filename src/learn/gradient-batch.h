/* Gradients of the rows of a secret random batch: each clipped as a vector, in whole numbers, and added up. */
#ifndef DPN_LEARN_GRADIENT_BATCH_H
#define DPN_LEARN_GRADIENT_BATCH_H

#include "learn/fit.h"

/* A clip is so many steps. 2^27 rows of at most 2^18 steps fit 64 bits. */
enum { DPN_BATCH_CLIP_LOG = 18 };

/* Probabilities are whole numbers of 2^-16: sixteen random bits decide. */
enum { DPN_BATCH_RATE_LOG = 16, DPN_BATCH_RATE_UNIT = 1 << DPN_BATCH_RATE_LOG };

typedef struct dpn_gradient_batch {
    const dpn_fit *fit;
    size_t from, m; /* columns from .. from + m - 1 are fitted */
    double clip;    /* C */
    bool each;      /* every coordinate is clipped to C; else the length of the vector */
    uint32_t rate;  /* of DPN_BATCH_RATE_UNIT */
} dpn_gradient_batch;

/* The sum over a fresh Poisson sample of the rows of the gradients of the loss at b (of all columns of dpn_rows), in steps of C 2^-DPN_BATCH_CLIP_LOG. Clipping and rounding
 * come last: what a row adds is at most 2^DPN_BATCH_CLIP_LOG steps long, or in each coordinate, whatever it holds.
 * Errors   DPN_EENTROPY. On error *sum is not to be used. */
dpn_status dpn_gradient_batch_sum(int64_t *sum, const dpn_gradient_batch *batch, const double *b, dpn_rng *rng,
                                  dpn_error *why);

#endif
