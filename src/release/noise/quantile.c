/* Quantiles by the exponential mechanism on public edges. docs/proofs/release/quantile.md */
#define _DEFAULT_SOURCE /* explicit_bzero */
#include "release/noise/quantile.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/decimal.h"
#include "base/dyadic.h"
#include "base/error.h"
#include "base/options.h"
#include "random/exponential.h"

static const uint64_t billion = 1000000000;

/* ---- What follows from the options ---- */

static uint64_t common_divisor(uint64_t a, uint64_t b) {
    while (b > 0) {
        uint64_t rest = a % b;
        a = b;
        b = rest;
    }
    return a;
}

static dpn_status read_q(dpn_quantile *out, const char *text, dpn_error *why) {
    dpn_decimal q;
    dpn_error reason;
    dpn_status status = dpn_decimal_parse(&q, text, &reason);
    if (status) return dpn_fail(why, status, "q: %.200s", reason.sentence);
    uint64_t billionths;
    if (!dpn_decimal_billionths(&billionths, &q) || billionths > billion)
        return dpn_fail(why, DPN_EDOMAIN, "q must be from 0 to 1 with up to nine digits after the point");
    uint64_t divisor = common_divisor(billionths, billion);
    out->numerator = billionths / divisor;
    out->denominator = billion / divisor;
    return DPN_OK;
}

/* (b), (c) How much further apart the changes of two scores may lie that one row makes. */
static uint64_t range_of_row(const dpn_quantile *quantile, dpn_relation relation) {
    uint64_t below = quantile->numerator, above = quantile->denominator - quantile->numerator;
    if (below == 0 || above == 0) return 1;
    if (relation == DPN_REPLACE) return 2 * quantile->denominator;
    return 2 * (below > above ? below : above);
}

/* a/b for positive numbers, rounded down, up. */
static double divide_down(double a, double b) {
    double near = a / b;
    return fma(near, b, -a) > 0 ? nextafter(near, 0) : near;
}

static double divide_up(double a, double b) {
    double near = a / b;
    return fma(near, b, -a) < 0 ? nextafter(near, INFINITY) : near;
}

/* (e) In rows. The excess of a score is a whole number; log errs by far less than 2^-40 of its value, which is above 2. */
static double error95_upper(const dpn_quantile *quantile) {
    double log_upper = log(19 * (double)quantile->intervals) * (1 + 0x1p-40);
    double excess = ceil(divide_up(log_upper, quantile->rate)) - 1;
    return divide_up(excess, (double)quantile->denominator);
}

dpn_status dpn_quantile_prepare(dpn_quantile *out, const dpn_quantile_options *asked, dpn_error *why) {
    dpn_quantile_options own, *options = &own;
    dpn_status status = dpn_options_take(&own, sizeof own, asked, why);
    if (status) return status;
    if (out == NULL || options->q == NULL)
        return dpn_fail(why, DPN_EDOMAIN, "a quantile needs options with q and a place to put the result");
    uint64_t rows = options->rows > 0 ? options->rows : 1;
    if (!(options->epsilon >= 1e-9 && options->epsilon <= 1e6))
        return dpn_fail(why, DPN_EDOMAIN, "epsilon of a quantile must be from 1e-9 to 1e6");
    if (options->intervals < 1 || options->intervals > DPN_QUANTILE_INTERVALS_MOST)
        return dpn_fail(why, DPN_EDOMAIN, "a quantile needs 1 to %d intervals", DPN_QUANTILE_INTERVALS_MOST);
    if (rows > DPN_QUANTILE_ROWS_MOST)
        return dpn_fail(why, DPN_EDOMAIN, "rows of a unit must be at most %d", DPN_QUANTILE_ROWS_MOST);
    if (options->relation != DPN_REPLACE && options->relation != DPN_ADD_REMOVE)
        return dpn_fail(why, DPN_EDOMAIN, "relation must be replace or add-remove");
    dpn_quantile made = {.intervals = options->intervals};
    status = read_q(&made, options->q, why);
    if (status) return status;
    made.rate = divide_down(options->epsilon, (double)(range_of_row(&made, options->relation) * rows)); /* below 2^53 */
    made.error95_upper = error95_upper(&made);
    *out = made;
    return DPN_OK;
}

/* ---- The draw ---- */

/* Sums are below 2^20 2^64, products below 2^30 times that. */
void dpn_quantile_scores(uint64_t *score, const dpn_quantile *quantile, const uint64_t *count) {
    dpn_int128 below = 0, total = 0;
    for (size_t j = 0; j < quantile->intervals; j++) total += count[j];
    dpn_int128 target = total * (dpn_int128)quantile->numerator;
    for (size_t k = 0; k <= quantile->intervals; k++) {
        dpn_int128 off = below * (dpn_int128)quantile->denominator - target;
        off = off < 0 ? -off : off;
        score[k] = off > (dpn_int128)UINT64_MAX ? UINT64_MAX : (uint64_t)off;
        if (k < quantile->intervals) below += count[k];
    }
}

static dpn_status check(const size_t *edge, const dpn_quantile *quantile, const dpn_rng *rng, const uint64_t *count,
                        dpn_error *why) {
    if (edge == NULL || quantile == NULL || rng == NULL || count == NULL)
        return dpn_fail(why, DPN_EDOMAIN, "a quantile needs a random source, counts and a place to put the edge");
    bool made = quantile->intervals >= 1 && quantile->intervals <= DPN_QUANTILE_INTERVALS_MOST &&
                quantile->denominator >= 1 && quantile->denominator <= billion &&
                quantile->numerator <= quantile->denominator && quantile->rate > 0;
    return made ? DPN_OK : dpn_fail(why, DPN_EDOMAIN, "the quantile must be one that dpn_quantile_prepare made");
}

dpn_status dpn_quantile_draw(size_t *edge, const dpn_quantile *quantile, dpn_rng *rng, const uint64_t *count,
                             dpn_error *why) {
    dpn_status status = check(edge, quantile, rng, count, why);
    if (status) return status;
    size_t edges = quantile->intervals + 1;
    uint64_t *score = malloc(edges * sizeof *score);
    if (score == NULL) return dpn_fail(why, DPN_ENOMEM, "no memory for the scores");
    dpn_quantile_scores(score, quantile, count);
    status = dpn_choose_exponential(edge, rng, score, edges, quantile->rate, why);
    explicit_bzero(score, edges * sizeof *score);
    free(score);
    return status;
}
