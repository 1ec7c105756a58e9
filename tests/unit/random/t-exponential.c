/* Choices by the exponential mechanism. The index is an increasing function of the random bits read as a number U in
 * [0, 1): it is above i from U = (w_0 + ... + w_i)/W on. The reference computes that point in multiple precision, and the
 * choice must change exactly there, at the last of 64, 128, 192 and 256 bits. */
#include "random/exponential.h"
#include "unit/random/fit.h"
#include "unit/random/laws.h"
#include "unit/random/seeded.h"
#include "unit/random/tape.h"
#include "unit/base/wide-real.h"
#include "unit/points.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

enum { MOST = 24, WORDS = 13 };

typedef struct example {
    double rate;
    size_t count;
    uint64_t score[MOST];
} example;

static const example examples[] = {
    {1, 2, {0, 1}},
    {0.1, 5, {4, 2, 0, 3, 5}},
    {0.25, 8, {7, 7, 7, 7, 8, 9, 10, 11}},
    {1e-3, 6, {1000, 2000, 0, 500, 123456, 1}},
    {3.5, 4, {10, 3, 2, 9}},
    {0, 7, {5, 9, 1, 0, 3, 3, 3}},
    {1, 4, {6, 6, 6, 6}},
    {0x1p-70, 3, {UINT64_MAX, 0, UINT64_C(1) << 63}},
    {0x1p-40, 5, {UINT64_C(1) << 40, UINT64_C(3) << 40, 0, UINT64_C(9) << 40, 77}},
    {1e-300, 3, {1, 2, UINT64_MAX}},
    {50, 5, {3, 1, 2, 0, 1}},
    {1, 4, {900, 0, 100, 1}},
    {0x1p20, 3, {UINT64_MAX, UINT64_MAX - 1, UINT64_MAX}},
    {0.01, 20, {96, 85, 75, 65, 55, 45, 35, 25, 15, 5, 5, 15, 25, 35, 45, 55, 65, 75, 85, 95}},
};
enum { EXAMPLES = sizeof examples / sizeof *examples };

/* ---- A source of a few words, and then one word for ever ---- */

static dpn_rng_pool pool;
static uint64_t filler;

static bool fill(dpn_rng *rng) {
    rng->pool->word[0] = filler;
    rng->pool->left = 1;
    return true;
}

static dpn_rng source = {.pool = &pool, .refill = fill};

static dpn_status choose(size_t *out, const example *at, const uint64_t *word, int words, uint64_t then, double guard) {
    for (int i = 0; i < words; i++) pool.word[words - 1 - i] = word[i];
    pool.left = (uint64_t)words;
    filler = then;
    return dpn_choose_guarded(out, &source, at->score, at->count, at->rate, guard, NULL);
}

/* ---- The truth ---- */

static uint64_t least_score(const example *at) {
    uint64_t least = UINT64_MAX;
    for (size_t i = 0; i < at->count; i++)
        if (at->score[i] < least) least = at->score[i];
    return least;
}

/* boundary[i] = (w_0 + ... + w_i)/W. */
static void boundaries(const example *at, real boundary[MOST]) {
    uint64_t least = least_score(at);
    real sum = r_num(0);
    for (size_t i = 0; i < at->count; i++) {
        uint64_t excess = at->score[i] - least;
        sum = r_add(sum, r_exp(r_neg(r_times(limbs_real(&excess, 1, 0), at->rate))));
        boundary[i] = sum;
    }
    for (size_t i = 0; i < at->count; i++) boundary[i] = r_div(boundary[i], sum);
}

/* The digits of x in [0, 1] to the base 2^64; false if there are none because x is 1, or too near to it to tell. */
static bool digits(real x, uint64_t *word, int words, bool *exact) {
    for (int i = 0; i < words; i++) {
        x = r_times(x, 0x1p64);
        if (!r_less(x, r_num(0x1p64))) return false;
        word[i] = mpfr_get_uj(x, MPFR_RNDD);
        x = r_sub(x, r_floor(x));
    }
    *exact = r_sign(x) == 0;
    return true;
}

static bool add_one(uint64_t *word, int words) {
    for (int i = words - 1; i >= 0; i--)
        if (++word[i]) return true;
    return false;
}

/* ---- Every boundary lies where it should, to the last bit ---- */

static void check_boundary(size_t which, size_t i, real boundary, int words, double guard) {
    const example *at = &examples[which];
    uint64_t word[WORDS];
    bool exact;
    size_t got;
    if (!digits(boundary, word, words, &exact)) return;
    bool at_zero = r_exponent(boundary) < -820; /* no tape that ends tells U = 0 from such a boundary */
    dpn_status status = choose(&got, at, word, words, 0, guard);
    if (status != (at_zero ? DPN_EACCURACY : DPN_OK)) fail_msg("example %zu, boundary %zu: %d", which, i, (int)status);
    if (!at_zero && (exact ? got <= i : got > i))
        fail_msg("example %zu: just below boundary %zu, at %d words, the choice is %zu", which, i, words, got);
    if (!add_one(word, words)) return;
    if (choose(&got, at, word, words, 0, guard)) fail_msg("example %zu is undecided above boundary %zu", which, i);
    if (got <= i)
        fail_msg("example %zu: just above boundary %zu, at %d words, the choice is %zu", which, i, words, got);
}

static void every_boundary_is_exact(void **state) {
    (void)state;
    mpfr_prec_t before = r_precision(1200);
    for (size_t which = 0; which < EXAMPLES; which++) {
        size_t mark = r_mark();
        real boundary[MOST];
        boundaries(&examples[which], boundary);
        for (size_t i = 0; i + 1 < examples[which].count; i++) {
            for (int words = 1; words <= 4; words++) {
                check_boundary(which, i, boundary[i], words, DPN_CHOICE_GUARD);
                check_boundary(which, i, boundary[i], words, INFINITY);
            }
        }
        r_release(mark);
    }
    r_precision(before);
}

/* ---- All bit strings to a depth: every bracket holds the probability ---- */

static void enumerate(size_t which) {
    enum { DEPTH = 13 };
    const example *at = &examples[which];
    double lower[MOST] = {0}, upper[MOST] = {0}, width = 0;
    for (uint64_t bits = 0; bits < UINT64_C(1) << DEPTH; bits++) {
        uint64_t zeros = bits << (64 - DEPTH), ones = zeros | UINT64_MAX >> DEPTH;
        size_t low, high;
        dpn_status from = choose(&low, at, &zeros, 1, 0, DPN_CHOICE_GUARD);
        dpn_status to = choose(&high, at, &ones, 1, UINT64_MAX, DPN_CHOICE_GUARD);
        if (from) low = 0; /* U = 0 and U = 1 may remain undecided, no other number does */
        if (to) high = at->count - 1;
        assert_true((from == DPN_OK || bits == 0) && (to == DPN_OK || ones == UINT64_MAX));
        assert_true(low <= high && high < at->count);
        if (low == high) lower[low] += ldexp(1, -DEPTH);
        for (size_t i = low; i <= high; i++) upper[i] += ldexp(1, -DEPTH);
    }
    size_t mark = r_mark();
    real boundary[MOST];
    boundaries(at, boundary);
    for (size_t i = 0; i < at->count; i++) {
        real truth = i > 0 ? r_sub(boundary[i], boundary[i - 1]) : boundary[i];
        if (r_less(truth, r_num(lower[i])) || r_less(r_num(upper[i]), truth))
            fail_msg("example %zu: %zu has %.12g, outside of [%.12g, %.12g]", which, i, r_double(truth), lower[i],
                     upper[i]);
        width += upper[i] - lower[i];
    }
    r_release(mark);
    if (width > 2e-3 * (double)at->count) fail_msg("example %zu: brackets of %g in all say little", which, width);
}

static void brackets_hold_the_law(void **state) {
    (void)state;
    for (size_t which = 0; which < EXAMPLES; which++) enumerate(which);
}

/* ---- The hard way gives the same choices from the same words ---- */

/* Scores of all sizes, at rates that leave them something to say. */
static void draw_example(example *at, draw_source *random) {
    at->count = 1 + draw_bits(random) % MOST;
    int bits = (int)(draw_bits(random) % 64);
    at->rate = draw_chance(random, 0.05) ? 0 : ldexp(draw_uniform(random, 0.5, 8), -bits);
    for (size_t i = 0; i < at->count; i++) at->score[i] = draw_bits(random) >> (63 - bits);
}

static void forced(void **state) {
    (void)state;
    draw_source random = {5};
    static seeded usual, hard;
    seeded_begin(&usual, 3);
    seeded_begin(&hard, 3);
    for (int n = 0; n < points(4000, 40000); n++) {
        example at;
        size_t expected, got;
        draw_example(&at, &random);
        assert_int_equal(dpn_choose_exponential(&expected, &usual.rng, at.score, at.count, at.rate, NULL), DPN_OK);
        assert_int_equal(dpn_choose_guarded(&got, &hard.rng, at.score, at.count, at.rate, INFINITY, NULL), DPN_OK);
        assert_true(got == expected && got < at.count);
        assert_true(seeded_taken(&usual) == seeded_taken(&hard));
    }
}

/* As many scores as there may be; the sums of doubles are at their longest. */
static void many_scores(void **state) {
    (void)state;
    uint64_t *score = malloc(DPN_CHOICES_MOST * sizeof *score);
    assert_non_null(score);
    for (size_t i = 0; i < DPN_CHOICES_MOST; i++) score[i] = 7; /* so the choice is floor(U count) */
    draw_source random = {9};
    for (int n = 0; n < 5; n++) {
        uint64_t word = draw_bits(&random);
        __extension__ unsigned __int128 product = (unsigned __int128)word * DPN_CHOICES_MOST;
        tape words;
        size_t got;
        tape_begin(&words, &word, 1);
        assert_int_equal(dpn_choose_exponential(&got, &words.rng, score, DPN_CHOICES_MOST, 1, NULL), DPN_OK);
        assert_int_equal(got, (size_t)(product >> 64));
    }
    free(score);
}

/* ---- Frequencies ---- */

static void frequencies(void **state) {
    (void)state;
    static const size_t shown[] = {1, 2, 3, 13};
    for (size_t s = 0; s < sizeof shown / sizeof *shown; s++) {
        const example *at = &examples[shown[s]];
        double n = points(100000, 1000000), share[MOST];
        uint64_t tally[MOST] = {0};
        seeded random;
        seeded_begin(&random, 17 + s);
        for (int i = 0; i < (int)n; i++) {
            size_t got;
            assert_int_equal(dpn_choose_exponential(&got, &random.rng, at->score, at->count, at->rate, NULL), DPN_OK);
            tally[got]++;
        }
        size_t mark = r_mark(), bins = 0, rare = 0;
        real boundary[MOST];
        boundaries(at, boundary);
        double rest = 0;
        uint64_t rest_tally = 0;
        for (size_t i = 0; i < at->count; i++) { /* what is expected less than ten times is put together */
            double p = r_double(i > 0 ? r_sub(boundary[i], boundary[i - 1]) : boundary[i]);
            if (p * n < 10) {
                rest += p;
                rest_tally += tally[i];
                rare++;
            } else {
                share[bins] = p;
                tally[bins++] = tally[i];
            }
        }
        r_release(mark);
        if (rest * n > 10) {
            share[bins] = rest;
            tally[bins++] = rest_tally;
        } else {
            assert_true((double)rest_tally < 60); /* of Poisson at most 10: probability below 1e-20 */
        }
        double pearson = fit_pearson(tally, share, bins, n), limit = fit_pearson_limit(bins, 1e-6);
        if (pearson > limit) fail_msg("example %zu: %g is above %g", shown[s], pearson, limit);
        assert_true(bins >= 4 && rare < 3);
    }
}

/* ---- Failures ---- */

/* Words that follow a boundary as long as there are any: whenever the tape ends, no choice. */
static void no_words_no_choice(void **state) {
    (void)state;
    mpfr_prec_t before = r_precision(1200);
    const example *at = &examples[1];
    real boundary[MOST];
    boundaries(at, boundary);
    uint64_t word[8];
    bool exact;
    assert_true(digits(boundary[2], word, 8, &exact));
    for (size_t k = 0; k <= 8; k++) {
        tape words;
        size_t got = 77;
        dpn_error why = {DPN_OK, ""};
        tape_begin(&words, word, k);
        assert_int_equal(dpn_choose_exponential(&got, &words.rng, at->score, at->count, at->rate, &why), DPN_EENTROPY);
        assert_true(got == 77 && why.status == DPN_EENTROPY && why.sentence[0]);
        assert_int_equal(tape_taken(&words), k);
    }
    tape words;
    size_t got;
    word[6] += 5; /* which decides */
    tape_begin(&words, word, 8);
    assert_int_equal(dpn_choose_exponential(&got, &words.rng, at->score, at->count, at->rate, NULL), DPN_OK);
    assert_true(got == 3 && tape_taken(&words) == 7);
    r_release(0);
    r_precision(before);
}

/* Half of the weight lies on either side, which no number of digits of e^-1 shows. */
static void undecided(void **state) {
    (void)state;
    static const example halves = {1, 4, {0, 1, 0, 1}};
    static const uint64_t half[1] = {UINT64_C(1) << 63};
    size_t got = 77;
    assert_int_equal(choose(&got, &halves, half, 1, 0, DPN_CHOICE_GUARD), DPN_EACCURACY);
    assert_int_equal(got, 77);
    assert_int_equal(choose(&got, &halves, half, 1, 1, DPN_CHOICE_GUARD), DPN_OK);
    assert_int_equal(got, 2);
}

static void outside_the_domain(void **state) {
    (void)state;
    static const uint64_t score[2] = {0, 1};
    const double rates[] = {-1, NAN, INFINITY, 0x1p20 + 1, -0x1p-1070};
    size_t got = 77;
    seeded random;
    dpn_error why;
    seeded_begin(&random, 1);
    for (size_t i = 0; i < sizeof rates / sizeof *rates; i++)
        assert_int_equal(dpn_choose_exponential(&got, &random.rng, score, 2, rates[i], &why), DPN_EDOMAIN);
    assert_int_equal(dpn_choose_exponential(&got, &random.rng, score, 0, 1, &why), DPN_EDOMAIN);
    assert_int_equal(dpn_choose_exponential(&got, &random.rng, score, DPN_CHOICES_MOST + 1, 1, &why), DPN_EDOMAIN);
    assert_int_equal(dpn_choose_exponential(&got, &random.rng, NULL, 2, 1, &why), DPN_EDOMAIN);
    assert_int_equal(dpn_choose_exponential(&got, NULL, score, 2, 1, &why), DPN_EDOMAIN);
    assert_int_equal(dpn_choose_exponential(NULL, &random.rng, score, 2, 1, &why), DPN_EDOMAIN);
    assert_true(got == 77 && seeded_taken(&random) == 0);
    assert_int_equal(dpn_choose_exponential(&got, &random.rng, score, 1, 1, &why), DPN_OK);
    assert_int_equal(got, 0);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_boundary_is_exact),
        cmocka_unit_test(brackets_hold_the_law),
        cmocka_unit_test(forced),
        cmocka_unit_test(many_scores),
        cmocka_unit_test(frequencies),
        cmocka_unit_test(no_words_no_choice),
        cmocka_unit_test(undecided),
        cmocka_unit_test(outside_the_domain),
    };
    int failed = cmocka_run_group_tests(tests, NULL, NULL);
    r_free_all();
    return failed;
}
