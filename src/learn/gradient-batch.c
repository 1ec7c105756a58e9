/* Gradients of batches. docs/proofs/learn/fit.md, F15 */
#include "learn/gradient-batch.h"

#include <math.h>
#include <string.h>

/* ---- Which rows ---- */

/* Sixteen bits a row: in the batch if they are below the rate. Four rows share a word. */
typedef struct lot {
    uint64_t word;
    int left;
} lot;

static dpn_status drawn(bool *in, lot *of, const dpn_gradient_batch *batch, dpn_rng *rng, dpn_error *why) {
    *in = true;
    if (batch->rate >= DPN_BATCH_RATE_UNIT) return DPN_OK;
    if (of->left == 0) {
        dpn_status status = dpn_rng_words(&of->word, rng, 1, why);
        if (status) return status;
        of->left = 4;
    }
    *in = (of->word & 0xffff) < batch->rate;
    of->word >>= DPN_BATCH_RATE_LOG;
    of->left--;
    return DPN_OK;
}

/* ---- What a row adds ---- */

static const int64_t unit = (int64_t)1 << DPN_BATCH_CLIP_LOG;

/* Towards 0, and within +-unit; what is not a number becomes 0. */
static int64_t whole(double steps) {
    const double most = (double)unit;
    if (!(steps > -most)) return steps <= -most ? -unit : 0;
    return steps < most ? (int64_t)steps : unit;
}

static double derivative(const dpn_fit *fit, double t, int32_t y) {
    if (fit->options.kind == DPN_FIT_LINEAR) return t - ldexp(y, -DPN_UNIT_LOG);
    return 1 / (1 + exp(-t)) - (y > 0);
}

/* The vector e z/C, shortened to length 1. Rounding towards 0 makes no coordinate larger, and a relative 2^-30 is more than all that
 * arithmetic does; whole numbers have the last word: a vector that is too long all the same adds nothing. */
static void add_short(int64_t *sum, const dpn_gradient_batch *batch, double e, size_t block, size_t r) {
    const dpn_rows *rows = &batch->fit->rows;
    double square = 0;
    int64_t squares = 0;
    for (size_t j = 0; j < batch->m; j++) {
        double z = ldexp(dpn_rows_column(rows, block, batch->from + j)[r], -DPN_UNIT_LOG);
        square += z * z;
    }
    double length = fabs(e) * sqrt(square) / batch->clip;
    double scale = ldexp(e / batch->clip / fmax(length * (1 + 0x1p-30), 1), DPN_BATCH_CLIP_LOG - DPN_UNIT_LOG);
    for (size_t j = 0; j < batch->m; j++) {
        int64_t steps = whole(scale * dpn_rows_column(rows, block, batch->from + j)[r]);
        squares += steps * steps;
    }
    for (size_t j = 0; j < batch->m && squares <= unit * unit; j++)
        sum[j] += whole(scale * dpn_rows_column(rows, block, batch->from + j)[r]);
}

static void add_each(int64_t *sum, const dpn_gradient_batch *batch, double e, size_t block, size_t r) {
    double scale = ldexp(e / batch->clip, DPN_BATCH_CLIP_LOG - DPN_UNIT_LOG);
    for (size_t j = 0; j < batch->m; j++)
        sum[j] += whole(scale * dpn_rows_column(&batch->fit->rows, block, batch->from + j)[r]);
}

static void add(int64_t *sum, const dpn_gradient_batch *batch, const double *b, size_t block, size_t r) {
    const dpn_fit *fit = batch->fit;
    double t = 0;
    for (size_t j = batch->from; j < batch->from + batch->m; j++) t += b[j] * dpn_rows_column(&fit->rows, block, j)[r];
    double e = derivative(fit, ldexp(t, -DPN_UNIT_LOG), dpn_rows_column(&fit->rows, block, dpn_target_column(fit))[r]);
    (batch->each ? add_each : add_short)(sum, batch, e, block, r);
}

dpn_status dpn_gradient_batch_sum(int64_t *sum, const dpn_gradient_batch *batch, const double *b, dpn_rng *rng,
                                  dpn_error *why) {
    const dpn_rows *rows = &batch->fit->rows;
    lot of = {0};
    memset(sum, 0, batch->m * sizeof *sum);
    for (size_t block = 0; block < dpn_rows_blocks(rows); block++)
        for (size_t r = 0; r < dpn_rows_in(rows, block); r++) {
            bool in;
            dpn_status status = drawn(&in, &of, batch, rng, why);
            if (status) return status;
            if (in) add(sum, batch, b, block, r);
        }
    return DPN_OK;
}
