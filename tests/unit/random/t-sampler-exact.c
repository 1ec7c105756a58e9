/* The law of a draw by enumeration. On small tables all random bits that a try may use are tried, to a depth of 20
 * and more; bits beyond it are first all 0 and then all 1. A point that is under f with all 1, or above f with all 0,
 * is decided whatever these bits are, because f decreases; the others make the bracket. The probability that a try
 * yields k is, exactly,
 *
 *     P(k) M / 2A,     M the integral (sum) of f, A the area under the staircase,
 *
 * which the bracket must hold for every k, P and M from the reference. */
#include "random/sampler.h"
#include "random/source.h"
#include "unit/points.h"
#include "unit/random/laws.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

enum { BITS = 6, PIECES = 6, MOST = 5000 };

/* ---- A source of a few words, and then one word for ever ---- */

static dpn_rng_pool pool;
static uint64_t filler;

static bool fill(dpn_rng *rng) {
    rng->pool->word[0] = filler;
    rng->pool->left = 1;
    return true;
}

static dpn_rng source = {.pool = &pool, .refill = fill};

/* ---- Adding up ---- */

typedef struct brackets {
    double lower[2 * MOST + 1], upper[2 * MOST + 1]; /* of the values -MOST to MOST; sums of few bits, exact */
    double unknown;                                  /* may belong to any value */
    double rejected;
    int depth; /* the most bits that a leaf has */
} brackets;

static void add(brackets *to, int64_t value, double mass, bool certain) {
    if (value < -MOST || value > MOST) fail_msg("a value beyond what is counted");
    if (certain) to->lower[value + MOST] += mass;
    to->upper[value + MOST] += mass;
}

/* A word whose highest bits are `bits`, and whose other ones are all 0 or all 1. */
static uint64_t high_bits(uint64_t bits, int count, bool ones) {
    uint64_t rest = count == 64 ? 0 : ones ? UINT64_MAX >> count : 0;
    return (count == 0 ? 0 : bits << (64 - count)) | rest;
}

static dpn_try run(const dpn_sampler *sampler, uint64_t first, const uint64_t *word, int count, bool ones,
                   int64_t *value) {
    for (int i = 0; i < count; i++) pool.word[count - 1 - i] = word[i];
    pool.left = (uint64_t)count;
    filler = ones ? UINT64_MAX : 0;
    return dpn_sampler_try(sampler, first, &source, value);
}

/* All of so many bits of y and x, together, after the given words. */
static void enumerate_point(const dpn_sampler *sampler, brackets *to, uint64_t first, uint64_t *word, int count,
                            int bits, double mass) {
    int x_bits = sampler->layout.half ? bits / 2 : 0, y_bits = bits - x_bits;
    double leaf = ldexp(mass, -x_bits - y_bits);
    for (uint64_t y = 0; y < UINT64_C(1) << y_bits; y++) {
        for (uint64_t x = 0; x < UINT64_C(1) << x_bits; x++) {
            int64_t low = 0, high = 0;
            int words = count + 1 + (x_bits > 0);
            word[count] = high_bits(y, y_bits, false);
            word[count + 1] = high_bits(x, x_bits, false);
            dpn_try with_zeros = run(sampler, first, word, words, false, &low);
            word[count] = high_bits(y, y_bits, true);
            word[count + 1] = high_bits(x, x_bits, true);
            dpn_try with_ones = run(sampler, first, word, words, true, &high);
            assert_true(with_zeros == DPN_DRAWN || with_zeros == DPN_AGAIN);
            if (with_zeros == DPN_AGAIN) {
                assert_true(with_ones == DPN_AGAIN);
                to->rejected += leaf;
            } else {
                assert_true(with_ones != DPN_DRAWN || low == high);
                add(to, low, leaf, with_ones == DPN_DRAWN);
            }
        }
    }
    int depth = (int)-log2(leaf);
    if (depth > to->depth) to->depth = depth;
}

static void enumerate_tail(const dpn_sampler *sampler, brackets *to, uint64_t first, double mass) {
    int cell_bits = sampler->strips.tail_log2 + sampler->layout.cells_log2;
    uint64_t word[4];
    for (int piece = 0; piece < PIECES; piece++) {
        for (uint64_t cell = 0; cell < UINT64_C(1) << cell_bits; cell++) {
            word[0] = UINT64_C(1) << piece;
            word[1] = high_bits(cell, cell_bits, false);
            enumerate_point(sampler, to, first, word, 2, 10, ldexp(mass, -piece - 1 - cell_bits));
        }
    }
    to->unknown += ldexp(mass, -PIECES);
}

/* All bits of the first word of a try. */
static void enumerate(const dpn_sampler *sampler, brackets *to) {
    int cell_bits = sampler->layout.cells_log2;
    int tail_log2 = sampler->strips.tail_log2 + 1 - sampler->strips.tail_drop;
    double mass = ldexp(1, -BITS - 1 - cell_bits);
    for (uint64_t slot = 0; slot < 1 << BITS; slot++) {
        int entry = sampler->strips.slot[slot], strip = entry & ~DPN_STRIPS_UNSURE;
        for (uint64_t sign = 0; sign < 2; sign++) {
            if (strip == sampler->strips.strips) { /* the slots of the tail are all one, and cell bits are not used */
                if (sampler->strips.slot[slot - 1] != entry)
                    enumerate_tail(sampler, to, slot | sign << BITS, ldexp(1, tail_log2 - BITS - 1));
                continue;
            }
            for (uint64_t cell = 0; cell < UINT64_C(1) << cell_bits; cell++) {
                uint64_t first = slot | sign << BITS | high_bits(cell, cell_bits, false), word[2];
                int64_t value;
                if (entry & DPN_STRIPS_UNSURE && strip < sampler->strips.strips) {
                    enumerate_point(sampler, to, first, word, 0, 13, mass);
                } else if (run(sampler, first, word, 0, false, &value) == DPN_DRAWN) {
                    add(to, value, mass, true);
                } else {
                    to->rejected += mass;
                }
            }
        }
    }
}

/* ---- The truth ---- */

static real probability(const ref_law *reference, int k, int grid_exponent) {
    if (reference->family->integer) return ref_pdf(reference, r_num(k));
    real left = r_num(ldexp(k - 0.5, grid_exponent)), right = r_num(ldexp(k + 0.5, grid_exponent));
    return r_sub(ref_sf(reference, left), ref_sf(reference, right));
}

/* Returns the width of all brackets together. Both signs have exactly the same bits. */
static double compare(const char *text, const dpn_sampler *sampler, const brackets *got, const dpn_law *law,
                      int grid_exponent) {
    ref_law reference;
    reference_of(&reference, law, 0);
    real area = r_num(ldexp(sampler->strips.height, BITS + sampler->strips.density.unit_exponent));
    real share = r_over(r_div(r_exp(reference.constant[REF_LOG_MASS]), area), 2);
    double width = 2 * got->unknown, sum = got->rejected + got->unknown;
    for (int k = 0; k <= MOST; k++) {
        double lower = got->lower[k + MOST], upper = got->upper[k + MOST];
        assert_true(lower == got->lower[MOST - k] && upper == got->upper[MOST - k]);
        width += (k > 0 ? 2 : 1) * (upper - lower);
        sum += (k > 0 ? 2 : 1) * upper;
        if (upper == 0) continue;
        size_t mark = r_mark();
        real truth = r_mul(share, probability(&reference, k, grid_exponent));
        if (r_less(truth, r_num(lower)) || r_less(r_num(upper + got->unknown), truth))
            fail_msg("%s, grid 2^%d: k = %d has %.12g, outside of [%.12g, %.12g]", text, grid_exponent, k,
                     r_double(truth), lower, upper);
        r_release(mark);
    }
    assert_true(sum == 1);
    return width;
}

static void check(const char *text, int cells_log2) {
    static dpn_sampler sampler;
    static brackets got;
    size_t mark = r_mark();
    dpn_law law = law_of(text);
    dpn_error why;
    int grid = dpn_law_is_integer(&law) ? 0 : dpn_strips_width(&law, BITS) + 1 - cells_log2;
    if (dpn_sampler_make(&sampler, &law, grid, BITS, &why)) fail_msg("%s: %s", text, why.sentence);
    memset(&got, 0, sizeof got);
    enumerate(&sampler, &got);
    double width = compare(text, &sampler, &got, &law, grid);
    if (got.depth < 20) fail_msg("%s: a depth of %d only", text, got.depth);
    if (width > 0.03) fail_msg("%s: brackets of %g in all say little", text, width);
    r_release(mark);
}

static void continuous_laws(void **state) {
    (void)state;
    static const struct {
        const char *text;
        int cells_log2;
    } laws[] = {{"gaussian(sigma=1)", 2},
                {"gaussian(sigma=1)", -2},
                {"laplace(scale=1)", 0},
                {"flipped-huber(alpha=1,gamma=1)", 1},
                {"flipped-huber(alpha=30,gamma=1)", 0},
                {"osgt(m=1,sigma=2)", 1},
                {"huber(alpha=1,gamma=1)", 0},
                {"logistic(scale=3)", 1},
                {"subbotin(p=1.5,scale=1)", 0},
                {"subbotin(p=7,scale=1)", 1},
                {"truncated-laplace(scale=1,bound=1.7)", 1},
                {"staircase(epsilon=1,sensitivity=1,gamma=0.4)", 0},
                {"staircase(epsilon=2,sensitivity=1,gamma=0)", -1}};
    for (size_t i = 0; i < sizeof laws / sizeof *laws; i += points_are_few() ? 4 : 1)
        check(laws[i].text, laws[i].cells_log2);
}

static void integer_laws(void **state) {
    (void)state;
    static const struct {
        const char *text;
        int cells_log2;
    } laws[] = {{"discrete-gaussian(sigma=1)", 0},
                {"discrete-gaussian(sigma=20)", 0},
                {"discrete-laplace(scale=0.7)", 0},
                {"discrete-laplace(scale=5)", 0},
                {"discrete-flipped-huber(alpha=3,gamma=2)", 0},
                {"discrete-osgt(m=3,sigma=6.3)", 0},
                {"truncated-geometric(epsilon=0.3,n=4,theta=0.4)", 0}};
    for (size_t i = 0; i < sizeof laws / sizeof *laws; i += points_are_few() ? 4 : 1)
        check(laws[i].text, laws[i].cells_log2);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(continuous_laws),
        cmocka_unit_test(integer_laws),
    };
    int failed = cmocka_run_group_tests(tests, NULL, NULL);
    r_free_all();
    return failed;
}
