/* A uniform number U against the boundaries P_i = w_0 + ... + w_i of the weights w_i = exp(-rate (score_i - least)): the
 * index is how many of them are at most U W, W the sum of all. docs/proofs/random/exponential.md
 *
 * U is drawn word by word. Doubles bound the boundaries first, wide numbers if these leave two answers. Every pass goes
 * over all scores; none ends early.
 */
#include "random/exponential.h"

#include <math.h>
#include <stdbool.h>

#include "base/error.h"
#include "random/decide.h"
#include "random/source.h"

/* How many boundaries certainly lie at or below U W, and how many may. */
typedef struct span {
    size_t certain, possible;
} span;

static uint64_t least_of(const uint64_t *score, size_t count) {
    uint64_t least = UINT64_MAX;
    for (size_t i = 0; i < count; i++) least = score[i] < least ? score[i] : least;
    return least;
}

/* ---- (a) in doubles ---- */

/* From 700 on a weight is within 2^-1000 of e^-700, and no subnormal number takes its time. */
static double weight(double rate, uint64_t excess) {
    return exp(-fmin(rate * (double)excess, 700));
}

static span look(const uint64_t *score, size_t count, uint64_t least, double rate, uint64_t word, double guard) {
    double total = 0, sum = 0;
    for (size_t i = 0; i < count; i++) total += weight(rate, score[i] - least);
    double target = 0x1p-64 * (double)word * total, band = guard * total;
    span found = {0, 0};
    for (size_t i = 0; i + 1 < count; i++) {
        sum += weight(rate, score[i] - least);
        found.certain += sum <= target - band;
        found.possible += sum < target + band;
    }
    return found;
}

/* ---- (b) in wide numbers ---- */

/* e^(-rate 2^j) for the bits j of a score, from below [0] and from above [1]. */
enum { RUNGS = 64, FAR = 1 << 30 };
typedef struct ladder {
    dpn_wide rung[2][RUNGS];
} ladder;

/* Rungs beyond 2^-FAR are bounded by 0 and by the last one before. */
static void climb(ladder *out, double rate, int limbs) {
    dpn_rounding down = {limbs, false}, up = {limbs, true};
    dpn_wide one = dpn_wide_integer(down, 1), exponent = dpn_wide_double(down, rate), inverse;
    (void)dpn_wide_exp(&inverse, up, &exponent); /* it has a value: the rate is below 2^40 */
    out->rung[0][0] = dpn_wide_divide(down, &one, &inverse);
    (void)dpn_wide_exp(&inverse, down, &exponent);
    out->rung[1][0] = dpn_wide_divide(up, &one, &inverse);
    for (int j = 1; j < RUNGS; j++) {
        const dpn_wide *lower = &out->rung[0][j - 1], *upper = &out->rung[1][j - 1];
        bool far = upper->exponent < -FAR;
        out->rung[0][j] = far ? dpn_wide_integer(down, 0) : dpn_wide_multiply(down, lower, lower);
        out->rung[1][j] = far ? *upper : dpn_wide_multiply(up, upper, upper);
    }
}

static void add_weight(dpn_wide *sum, dpn_rounding how, const ladder *steps, uint64_t excess) {
    dpn_wide product = dpn_wide_integer(how, 1);
    for (int j = 0; j < RUNGS; j++)
        if (excess >> j & 1) product = dpn_wide_multiply(how, &product, &steps->rung[how.up][j]);
    *sum = dpn_wide_add(how, sum, &product);
}

static span look_closely(const uint64_t *score, size_t count, uint64_t least, double rate, const dpn_fraction *u) {
    static const uint64_t nothing[2] = {0, 0};
    dpn_rounding down = {u->words + 3, false}, up = {u->words + 3, true};
    ladder steps;
    climb(&steps, rate, down.limbs);
    dpn_wide low = dpn_wide_integer(down, 0), high = low;
    for (size_t i = 0; i < count; i++) {
        add_weight(&low, down, &steps, score[i] - least);
        add_weight(&high, up, &steps, score[i] - least);
    }
    dpn_wide u_low = dpn_fraction_bound(down, nothing, u, 0), u_high = dpn_fraction_bound(up, nothing, u, 0);
    dpn_wide target_low = dpn_wide_multiply(down, &u_low, &low), target_high = dpn_wide_multiply(up, &u_high, &high);
    span found = {0, 0};
    low = high = dpn_wide_integer(down, 0);
    for (size_t i = 0; i + 1 < count; i++) {
        add_weight(&low, down, &steps, score[i] - least);
        add_weight(&high, up, &steps, score[i] - least);
        found.certain += dpn_wide_compare(down, &high, &target_low) <= 0;
        found.possible += dpn_wide_compare(down, &low, &target_high) < 0;
    }
    return found;
}

/* ---- The choice ---- */

dpn_status dpn_choose_guarded(size_t *out, dpn_rng *rng, const uint64_t *score, size_t count, double rate, double guard,
                              dpn_error *why) {
    if (out == NULL || rng == NULL || score == NULL || count < 1 || count > DPN_CHOICES_MOST)
        return dpn_fail(why, DPN_EDOMAIN, "a choice needs a random source and 1 to %d scores", DPN_CHOICES_MOST);
    if (!(rate >= 0 && rate <= 0x1p20)) return dpn_fail(why, DPN_EDOMAIN, "the rate of a choice must be 0 to 2^20");
    uint64_t least = least_of(score, count);
    dpn_fraction u = {.words = 0};
    span found = {0, 0};
    do {
        if (u.words == DPN_FRACTION_WORDS)
            return dpn_fail(why, DPN_EACCURACY, "a choice was still undecided after 832 random bits");
        if (!dpn_fraction_refine(&u, rng)) return dpn_rng_failure(rng, why);
        if (u.words == 1) found = look(score, count, least, rate, u.word[0], guard);
        if (found.certain != found.possible) found = look_closely(score, count, least, rate, &u);
    } while (found.certain != found.possible);
    *out = found.certain;
    return DPN_OK;
}

dpn_status dpn_choose_exponential(size_t *out, dpn_rng *rng, const uint64_t *score, size_t count, double rate,
                                  dpn_error *why) {
    return dpn_choose_guarded(out, rng, score, count, rate, DPN_CHOICE_GUARD, why);
}
