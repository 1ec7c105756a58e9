/* dpnoise/quantile.h - a private quantile: one of a list of public edges, chosen by the exponential mechanism.
 *
 * m intervals between m + 1 ascending public edges hold the rows, values beyond the ends clamped into the first and the
 * last. The edge k has the rank B_k, the number of rows in the intervals below it; the quantile q of n rows has the rank
 * q n; the edge is off by |B_k - q n| rows. Edges are chosen with probability proportional to exp(-r |B_k - q n|), exactly
 * so: rounding decides nothing (McSherry and Talwar 2007).
 *
 * Example
 *     uint64_t count[100] = {3, 1, 4, 1, 5}; // the rows of each interval
 *     dpn_quantile_options options = dpn_quantile_options_init();
 *     dpn_quantile quantile;
 *     dpn_error why;
 *     size_t edge;
 *     options.q = "0.5";
 *     options.epsilon = 1;
 *     options.intervals = 100;
 *     options.relation = DPN_ADD_REMOVE;
 *     if (dpn_quantile_prepare(&quantile, &options, &why)) return puts(why.sentence);
 *     if (dpn_quantile_draw(&edge, &quantile, rng, count, &why)) return puts(why.sentence);
 *     printf("edge %zu\n", edge);
 *
 * What is prepared depends on the options alone and may be shown before anything is spent. In a composition the draw is
 * another mechanism known by its epsilon (DPN_BLOCK_PURE). docs/proofs/release/quantile.md says what is proved, and what
 * timing reveals.
 */
#ifndef DPNOISE_QUANTILE_H
#define DPNOISE_QUANTILE_H

#include <dpnoise/privacy.h>
#include <dpnoise/random.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

enum { DPN_QUANTILE_INTERVALS_MOST = 1 << 20, DPN_QUANTILE_ROWS_MOST = 1 << 20 };

/* What is asked; all of it public. Set what is needed. */
typedef struct dpn_quantile_options {
    size_t size;           /* set by the initialiser below */
    const char *q;         /* a decimal number from 0 to 1 with up to nine digits after the point: 0.5 is the median */
    double epsilon;        /* 1e-9 to 1e6; a decimal that is not a double is rounded down by the caller */
    size_t intervals;      /* 1 to DPN_QUANTILE_INTERVALS_MOST */
    uint64_t rows;         /* that one unit may have, 1 to DPN_QUANTILE_ROWS_MOST; 0 stands for 1 */
    dpn_relation relation; /* add-remove of one unit, or its replacement by another */
} dpn_quantile_options;

static inline dpn_quantile_options dpn_quantile_options_init(void) {
    dpn_quantile_options options = DPN_ALL_ZERO;
    options.size = sizeof options;
    return options;
}

/* A quantile made ready. A plain value: copy it, share it, it owns nothing. */
typedef struct dpn_quantile {
    uint64_t numerator, denominator; /* q = numerator/denominator in lowest terms */
    size_t intervals;
    double rate;          /* edge k has weight exp(-rate s_k), s_k = |denominator B_k - numerator n|, a whole number */
    double error95_upper; /* rows, see dpn_quantile_prepare */
} dpn_quantile;

/* Find the rate, and the error it leaves.
 * Guarantee  what dpn_quantile_draw writes is epsilon-DP (pure) if one unit moves at most `rows` rows: under add-remove these
 *          rows come or go, under replace they give way to at most as many others. A row is in one interval. The rate is
 *          the largest double not above epsilon/(c rows), c being 2 max(numerator, denominator - numerator) under
 *          add-remove and 2 denominator under replace; for q = 0 and q = 1, where the score is a count, c = 1 under both.
 *          So r above is epsilon/(2 max(q, 1-q) rows) under add-remove, epsilon/rows for the median, and epsilon/(2 rows)
 *          under replace.
 * Result   for all data the chosen edge is off by at most error95_upper rows more than the best edge, with probability
 *          0.95 or more: |B_k - q n| <= error95_upper + min over j of |B_j - q n|, as long as n times the denominator is
 *          below 2^64. What the best edge is off by is the price of the edges, at most half the rows of the
 *          interval that the quantile falls in; it is not known here.
 * Accuracy  the rate: exact, rounded down. The error: certified, (ceil(log(19 m)/rate) - 1)/denominator rounded up; with
 *          m >= 2 no number smaller by more than a row, rounding aside, holds for all data.
 * Errors   DPN_EPARSE for a q that is not a number; DPN_EDOMAIN. On error *out is not written. */
DPN_API DPN_MUST_CHECK dpn_status dpn_quantile_prepare(dpn_quantile *out, const dpn_quantile_options *options,
                                                       dpn_error *why);

/* Choose an edge: 0 is the lowest, `intervals` the highest.
 * Domain   count[0 .. intervals-1], the rows of each interval; any numbers: none is refused. Scores from 2^64 on count as
 *          2^64 - 1, which leaves the guarantee as it is.
 * Guarantee  see dpn_quantile_prepare. Each draw costs epsilon anew. Not covered: running time, which depends on the scores
 *          and on the choice; every pass goes over all of them.
 * Errors   DPN_EDOMAIN for a quantile that dpn_quantile_prepare did not make; DPN_EENTROPY; DPN_ENOMEM; DPN_EACCURACY if 832
 *          random bits leave the choice undecided, of probability below 2^-700. On error *edge is not written.
 * Cost     bench/sampler.c; 8 bytes an edge. */
DPN_API DPN_MUST_CHECK dpn_status dpn_quantile_draw(size_t *edge, const dpn_quantile *quantile, dpn_rng *rng,
                                                    const uint64_t *count, dpn_error *why);

#ifdef __cplusplus
}
#endif

#endif
