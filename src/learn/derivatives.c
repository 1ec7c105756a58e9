/* Sums of clipped derivatives. */
#define _DEFAULT_SOURCE /* explicit_bzero */
#include "learn/derivatives.h"

#include "base/error.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

dpn_status dpn_derivatives_begin(dpn_derivatives *out, const dpn_fit *fit, dpn_error *why) {
    double *t = calloc(fit->rows.count + 1, sizeof *t);
    if (!t) return dpn_fail(why, DPN_ENOMEM, "no memory for the derivatives");
    out->fit = fit;
    out->t = t;
    return DPN_OK;
}

void dpn_derivatives_end(dpn_derivatives *at) {
    if (at->t) explicit_bzero(at->t, at->fit->rows.count * sizeof *at->t);
    free(at->t);
    *at = (dpn_derivatives){0};
}

void dpn_derivatives_move(dpn_derivatives *at, size_t column, double by) {
    const dpn_rows *rows = &at->fit->rows;
    const double scaled = ldexp(by, -DPN_UNIT_LOG);
    for (size_t block = 0; block < dpn_rows_blocks(rows); block++) {
        const int32_t *z = dpn_rows_column(rows, block, column);
        double *t = at->t + block * DPN_ROWS_A_BLOCK;
        for (size_t r = 0; r < dpn_rows_in(rows, block); r++) t[r] += scaled * z[r];
    }
}

/* The last two operations on what a row adds: clip, and round to a whole number. A double near 1.5 2^52 has steps of 1, so that
 * adding this rounds, and its bits count on by as much as the number: sums of bits modulo 2^64, less the bits of 1.5 2^52 for each
 * row, are sums of whole numbers. What is not a number becomes the clip: the comparisons are false. */
#define ROUNDER 0x1.8p52
static inline uint64_t clipped(double steps, double clip) {
    double below = steps < clip ? steps : clip, within = below > -clip ? below : -clip, rounded = within + ROUNDER;
    uint64_t bits;
    memcpy(&bits, &rounded, sizeof bits);
    return bits;
}

static int64_t without_rounder(uint64_t bits, size_t rows) {
    const uint64_t each = 0x4338000000000000u; /* the bits of ROUNDER */
    uint64_t sum = bits - each * rows;
    return sum >> 63 ? -(int64_t)(0 - sum) : (int64_t)sum;
}

static int64_t sum_linear(const double *t, const int32_t *z, const int32_t *y, size_t rows, double scale, double clip) {
    uint64_t sum = 0;
    for (size_t r = 0; r < rows; r++) sum += clipped((t[r] - 0x1p-17 * y[r]) * (scale * z[r]), clip);
    return without_rounder(sum, rows);
}

static int64_t sum_logistic(const double *t, const int32_t *z, const int32_t *y, size_t rows, double scale,
                            double clip) {
    uint64_t sum = 0;
    for (size_t r = 0; r < rows; r++) {
        double e = 1 / (1 + exp(-t[r])) - (y[r] > 0);
        sum += clipped(e * (scale * z[r]), clip);
    }
    return without_rounder(sum, rows);
}

/* Of the check loss: 1 - q below what b says, -q above it. */
static int64_t sum_quantile(const double *t, const int32_t *z, const int32_t *y, size_t rows, double scale, double clip,
                            double q) {
    uint64_t sum = 0;
    for (size_t r = 0; r < rows; r++) sum += clipped(((0x1p-17 * y[r] < t[r]) - q) * (scale * z[r]), clip);
    return without_rounder(sum, rows);
}

_Static_assert(DPN_UNIT_LOG == 17, "0x1p-17 is a step of a row");
_Static_assert((int64_t)DPN_DERIVATIVE_UNIT *DPN_ROWS_A_BLOCK <= INT32_MAX, "a block's sum fits");

int64_t dpn_derivatives_sum(const dpn_derivatives *at, size_t column, double unit, int32_t clip) {
    const dpn_rows *rows = &at->fit->rows;
    dpn_fit_kind kind = at->fit->options.kind;
    double q = at->fit->options.quantile > 0 ? at->fit->options.quantile : 0.5;
    double scale = ldexp(1 / unit, DPN_DERIVATIVE_LOG - DPN_UNIT_LOG);
    int64_t sum = 0;
    for (size_t block = 0; block < dpn_rows_blocks(rows); block++) {
        const double *t = at->t + block * DPN_ROWS_A_BLOCK;
        const int32_t *z = dpn_rows_column(rows, block, column),
                      *y = dpn_rows_column(rows, block, dpn_target_column(at->fit));
        size_t in = dpn_rows_in(rows, block);
        sum += kind == DPN_FIT_LINEAR     ? sum_linear(t, z, y, in, scale, clip)
               : kind == DPN_FIT_LOGISTIC ? sum_logistic(t, z, y, in, scale, clip)
                                          : sum_quantile(t, z, y, in, scale, clip, q);
    }
    return sum;
}

/* Of a quantile q: (1 - q)(t - y) above y, q(y - t) below it. */
static inline double check_loss(double e, double q) {
    return e > 0 ? (1 - q) * e : -q * e;
}

/* log(1 + e^t) - y t, which is log(1 + e^s) with the sign of t that speaks against the label. */
static inline double label_loss(double t, bool label) {
    double s = label ? -t : t;
    return fmax(s, 0) + log1p(exp(-fabs(s)));
}

/* From 0 to the clip whatever it was, and rounding comes last. */
static inline uint64_t clipped_loss(double steps) {
    return clipped(steps > 0 ? steps : 0, DPN_DERIVATIVE_UNIT);
}

int64_t dpn_derivatives_loss(const dpn_derivatives *at, double unit) {
    const dpn_rows *rows = &at->fit->rows;
    dpn_fit_kind kind = at->fit->options.kind;
    double q = at->fit->options.quantile > 0 ? at->fit->options.quantile : 0.5, scale = DPN_DERIVATIVE_UNIT / unit;
    int64_t sum = 0;
    for (size_t block = 0; block < dpn_rows_blocks(rows); block++) {
        const double *t = at->t + block * DPN_ROWS_A_BLOCK;
        const int32_t *y = dpn_rows_column(rows, block, dpn_target_column(at->fit));
        size_t in = dpn_rows_in(rows, block);
        uint64_t bits = 0;
        for (size_t r = 0; r < in && kind == DPN_FIT_QUANTILE; r++)
            bits += clipped_loss(scale * check_loss(t[r] - 0x1p-17 * y[r], q));
        for (size_t r = 0; r < in && kind == DPN_FIT_LINEAR; r++)
            bits += clipped_loss(scale * 0.5 * (t[r] - 0x1p-17 * y[r]) * (t[r] - 0x1p-17 * y[r]));
        for (size_t r = 0; r < in && kind == DPN_FIT_LOGISTIC; r++)
            bits += clipped_loss(scale * label_loss(t[r], y[r] > 0));
        sum += without_rounder(bits, in);
    }
    return sum;
}

int64_t dpn_derivatives_squares(const dpn_fit *fit, size_t column, int32_t one) {
    const dpn_rows *rows = &fit->rows;
    int64_t sum = 0;
    for (size_t block = 0; block < dpn_rows_blocks(rows); block++) {
        const int32_t *z = dpn_rows_column(rows, block, column);
        for (size_t r = 0; r < dpn_rows_in(rows, block); r++)
            sum += 2 * (((int64_t)z[r] * z[r] * one) >> (2 * DPN_UNIT_LOG)) - one;
    }
    return sum;
}
