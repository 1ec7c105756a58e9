/* Tapes of random bits that end up on, or next to, the point where a decision changes: the hidden size of start boxes, the radius of spherical noise, the end and the shell of staircases. As in
 * t-ties.c: what the whole string of bits says, computed from the definition in multiple precision, is what must be drawn. */
#include "base/dyadic.h"
#include "random/radius.h"
#include "random/start-size.h"
#include "random/vector.h"
#include "unit/base/wide-real.h"
#include "unit/points.h"
#include "unit/random/tape.h"
#include "unit/random/tie.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

#include <cmocka.h>

enum { DEEPEST = 8, MOST_OFFSETS = 300 };

/* Most ties are shallow, where doubles are asked first. */
static int draw_depth(draw_source *random, int deepest) {
    return draw_chance(random, 0.6) ? 0 : (int)(draw_bits(random) % (unsigned)(deepest + 1));
}

/* ---- Start boxes ---- */

/* f(r) = e^(-speed (r - T)) prod (a_i + r)/(a_i + T). */
static real weight(const dpn_start_size *size, real r) {
    real top = limbs_real(&size->top, 1, 0), product = r_num(1);
    for (size_t i = 0; i < size->count; i++) {
        real a = r_num(size->offset[i]);
        if (!size->stairs) a = r_times(a, size->rate);
        product = r_mul(product, r_div(r_add(a, r), r_add(a, top)));
    }
    real far = r_sub(top, r);
    return r_mul(product, r_exp(size->stairs ? r_times(far, size->rate) : far));
}

/* A point of the staircase of heights 5/4 2^-piece over f, whose y is next to f. Words of 2 are the piece 1, its first size and a y of nearly 0: the size T + 2^k is
 * what is drawn from them. */
static void start_tie(const dpn_start_size *size, draw_source *random) {
    static tie_tape bits;
    size_t mark = r_mark();
    int k = size->width_log2, piece;
    bool left;
    uint64_t inside;
    int64_t whole;
    do {
        piece = (int)(draw_bits(random) % 4);
        left = size->top > 0 && draw_chance(random, 0.5);
        inside = k > 0 ? draw_bits(random) >> (64 - k) : 0;
        whole = (int64_t)size->top + (left ? -piece - 1 : piece) * (INT64_C(1) << k) + (int64_t)inside;
    } while (whole < 0 || (size->stairs && (uint64_t)whole == size->top + (UINT64_C(1) << k)));
    tie_number r = {.head = (uint64_t)whole}, y = {.head = 0};
    if (!size->stairs) tie_fill(&r, random);
    real height = r_over(r_times(weight(size, tie_value(&r)), ldexp(4, piece)), 5); /* y 5/4 2^-piece is f there */
    if (!r_less(height, r_num(1))) {                                                /* no y is next to it */
        r_release(mark);
        return;
    }
    int depth = draw_depth(random, DEEPEST);
    tie_aim(&y, height, depth, 46, random);
    for (int i = depth + 1; size->stairs && i < TIE_WORDS; i++) y.word[i] = 2;
    bits.laid = 0;
    tie_put(&bits, UINT64_C(1) << piece);
    tie_put(&bits, (k > 0 ? inside << (64 - k) : 0) | left);
    tie_put_turns(&bits, (const tie_number *const[]){&y, &r}, (const int[]){0, 0}, size->stairs ? 1 : 2);
    for (int i = 0; size->stairs && i < 8; i++) tie_put(&bits, 2);
    tie_end(&bits, random);
    tape words;
    dpn_lazy got;
    tape_begin(&words, bits.word, bits.laid);
    assert_int_equal(dpn_start_size_draw(&got, size, &words.rng), DPN_DRAWN);
    bool under = r_less(tie_value(&y), height);
    bool accepted = got.whole[0] == r.head && (size->stairs || got.part.word[0] == r.word[0]);
    if (size->stairs && !accepted) assert_true(got.whole[0] == size->top + (UINT64_C(1) << k));
    if (accepted != under)
        fail_msg("%zu offsets%s, piece %d%s, tie to %d words: a point %s f was %s", size->count,
                 size->stairs ? " of a staircase" : "", piece, left ? " on the left" : "", depth,
                 under ? "under" : "over", accepted ? "taken" : "left");
    r_release(mark);
}

static void sizes_of_start_boxes(void **state) {
    (void)state;
    static const size_t counts[] = {1, 2, 5, 40, MOST_OFFSETS};
    draw_source random = {.state = 7};
    for (size_t c = 0; c < sizeof counts / sizeof *counts; c++)
        for (int stairs = 0; stairs < 2; stairs++) {
            double offset[MOST_OFFSETS];
            dpn_start_size size;
            for (size_t i = 0; i < counts[c]; i++) offset[i] = draw_log_uniform(&random, 0.1, 10);
            assert_int_equal(dpn_start_size_make(&size, stairs, 0.7, offset, counts[c], NULL), DPN_OK);
            for (int n = 0; n < points(counts[c] > 50 ? 4 : counts[c] > 20 ? 12 : 40, 150); n++)
                start_tie(&size, &random);
            dpn_start_size_free(&size);
        }
}

/* ---- The radius of spherical noise ---- */

/* f(r) = (r/T)^power e^(-(alpha + beta (r + T)/2)(r - T)). */
static real radius_weight(const dpn_radius *radius, real r) {
    real top = limbs_real(&radius->top, 1, radius->exponent), far = r_sub(top, r);
    real rate = r_plus(r_times(r_add(r, top), 0.5 * radius->beta), radius->alpha);
    return r_exp(r_add(r_times(r_log(r_div(r, top)), radius->power), r_mul(rate, far)));
}

/* As start_tie. */
static void radius_tie(const dpn_radius *radius, draw_source *random) {
    static tie_tape bits;
    size_t mark = r_mark();
    int k = radius->width_log2, piece;
    bool left;
    uint64_t inside;
    int64_t whole;
    do {
        piece = (int)(draw_bits(random) % 4);
        left = draw_chance(random, 0.5);
        inside = k > 0 ? draw_bits(random) >> (64 - k) : 0;
        whole = (int64_t)radius->top + (left ? -piece - 1 : piece) * (INT64_C(1) << k) + (int64_t)inside;
    } while (whole < 0);
    tie_number r = {.head = (uint64_t)whole, .exponent = radius->exponent}, y = {.head = 0};
    tie_fill(&r, random);
    real height = r_over(r_times(radius_weight(radius, tie_value(&r)), ldexp(4, piece)), 5);
    if (!r_less(height, r_num(1))) { /* no y is next to it */
        r_release(mark);
        return;
    }
    int depth = draw_depth(random, DEEPEST);
    tie_aim(&y, height, depth, 46, random);
    bits.laid = 0;
    tie_put(&bits, UINT64_C(1) << piece);
    tie_put(&bits, (k > 0 ? inside << (64 - k) : 0) | left);
    tie_put_turns(&bits, (const tie_number *const[]){&y, &r}, (const int[]){0, 0}, 2);
    tie_end(&bits, random);
    tape words;
    dpn_lazy got;
    tape_begin(&words, bits.word, bits.laid);
    assert_int_equal(dpn_radius_draw(&got, radius, &words.rng), DPN_DRAWN);
    bool under = r_less(tie_value(&y), height);
    bool accepted = got.whole[0] == r.head && got.part.word[0] == r.word[0];
    if (accepted != under)
        fail_msg("power %g, piece %d%s, tie to %d words: a point %s f was %s", radius->power, piece,
                 left ? " on the left" : "", depth, under ? "under" : "over", accepted ? "taken" : "left");
    if (accepted) {
        assert_true(got.part.words > depth && got.exponent == radius->exponent && !got.negative);
        assert_memory_equal(got.part.word, r.word, (size_t)got.part.words * sizeof *r.word);
    }
    r_release(mark);
}

static void radii_of_spherical_noise(void **state) {
    (void)state;
    static const double powers[] = {1, 2, 7, 199, 99999};
    draw_source random = {.state = 17};
    for (size_t p = 0; p < sizeof powers / sizeof *powers; p++)
        for (int kind = 0; kind < 3; kind++) { /* mostly alpha, both, mostly beta */
            dpn_radius radius = dpn_radius_make(powers[p], kind == 2 ? 1e-6 : 0.7, kind == 0 ? 1e-6 : 0.3);
            for (int n = 0; n < points(25, 250); n++) radius_tie(&radius, &random);
        }
}

/* ---- Staircases ---- */

static dpn_vector_sampler *staircase(double step, double epsilon, double low, double high, double theta) {
    const double scale = 1;
    const int grid = 0;
    dpn_vector_sampler *sampler;
    dpn_error why;
    if (dpn_vector_sampler_staircase(&sampler, 1, &scale, step, epsilon, low, high, theta, &grid, &why))
        fail_msg("%s", why.sentence);
    return sampler;
}

/* A number next to a target below 1, and behind it words that are nearly all ones. */
static int64_t drawn_next_to(bool *under, const dpn_vector_sampler *sampler, real target, int deepest,
                             draw_source *random) {
    static tie_tape bits;
    tie_number u = {.head = 0};
    int depth = draw_depth(random, deepest);
    tie_aim(&u, target, depth, 46, random);
    for (int i = depth + 1; i < TIE_WORDS; i++) u.word[i] = UINT64_MAX - 1;
    bits.laid = 0;
    for (int i = 0; i < TIE_WORDS; i++) tie_put(&bits, u.word[i]);
    for (int i = 0; i < 40; i++) tie_put(&bits, UINT64_MAX - 1);
    tape words;
    int64_t k;
    dpn_error why;
    tape_begin(&words, bits.word, bits.laid);
    if (dpn_vector_sampler_draw(&k, sampler, &words.rng, &why)) fail_msg("%s", why.sentence);
    *under = r_less(tie_value(&u), target);
    return k;
}

/* One staircase is no noise at all, of the other the last shell is drawn: 0 tells which end it was. */
static void ends_of_staircases(void **state) {
    (void)state;
    static const double thetas[] = {0.3, 0.5, 1 - 0x1p-53, 0x1p-10, 0.7071, 1e-3};
    draw_source random = {.state = 8};
    for (size_t t = 0; t < sizeof thetas / sizeof *thetas; t++) {
        dpn_vector_sampler *sampler = staircase(1, 1, 0, 1, thetas[t]);
        for (int n = 0; n < points(20, 150); n++) {
            size_t mark = r_mark();
            bool under;
            int64_t k = drawn_next_to(&under, sampler, r_num(thetas[t]), DEEPEST, &random);
            if (k != under)
                fail_msg("theta %.17g: a number %s it gives %d", thetas[t], under ? "below" : "above", (int)k);
            r_release(mark);
        }
        dpn_vector_sampler_free(sampler);
    }
}

/* Shell 0 has f = 2c + 1 cells, shell j >= 1 has 2D e^(-epsilon j): a number next to where shell j ends. Without an end a tie
 * to 190 bits is left undecided, as the table is cut. */
static void shells_of_staircases(void **state) {
    (void)state;
    enum { D = 3, C = 1, END = 13 }; /* the shells 0 .. 4 end at 1, 4, 7, 10, 13 */
    const double epsilon = 0.35;
    draw_source random = {.state = 9};
    for (int endless = 0; endless < 2; endless++) {
        dpn_vector_sampler *sampler = staircase(D, epsilon, endless ? C : 0, endless ? INFINITY : END, 1);
        for (int j = 0; j < 4; j++)
            for (int n = 0; n < points(20, 150); n++) {
                size_t mark = r_mark();
                real q = r_exp(r_num(-epsilon)), sum[2] = {r_num(2 * C + 1), r_num(2 * C + 1)}, term = r_num(2 * D);
                for (int i = 1; i <= 4; i++) {
                    term = r_mul(term, q);
                    sum[1] = r_add(sum[1], term);
                    if (i <= j) sum[0] = r_add(sum[0], term);
                }
                if (endless) sum[1] = r_add(r_num(2 * C + 1), r_div(r_times(q, 2 * D), r_sub(r_num(1), q)));
                bool under;
                int64_t k = drawn_next_to(&under, sampler, r_div(sum[0], sum[1]), endless ? 1 : DEEPEST, &random);
                int64_t shell = llabs(k) <= C ? 0 : (llabs(k) - C + D - 1) / D;
                if (shell != j + !under)
                    fail_msg("%s of shell %d: %d", under ? "below the end" : "above the end", j, (int)shell);
                r_release(mark);
            }
        dpn_vector_sampler_free(sampler);
    }
}

/* ---- Rounding ---- */

/* Of a staircase the side s = offset + J is whole: |U| s 2^20 is (w s)/2^43 steps of 2^-20 for |U| = w 2^-63, which is next to half a step, and no more bits. In
 * whole numbers of 128 bits it is known on which side; doubles, which keep 53 of the 63 bits of w, do not know it. */
static void sides_of_staircases_are_rounded(void **state) {
    (void)state;
    enum { GRID = -20, HEAD = 40, TAIL = 40 };
    static const double offsets[] = {1, 2, 3, 4, 5, 6, 10, 100};
    const double scale = 1;
    const int grid = GRID;
    draw_source random = {.state = 10};
    for (size_t o = 0; o < sizeof offsets / sizeof *offsets; o++) {
        dpn_vector_sampler *sampler;
        dpn_error why;
        if (dpn_vector_sampler_start(&sampler, 1, &scale, &offsets[o], true, 0.7, &grid, &why))
            fail_msg("%s", why.sentence);
        uint64_t word[HEAD + 1 + TAIL] = {0};
        for (size_t i = 0; i < HEAD; i++) word[i] = 2;
        tape words;
        dpn_lazy size;
        tape_begin(&words, word, HEAD);
        assert_int_equal(dpn_start_size_draw(&size, sampler->size, &words.rng), DPN_DRAWN);
        size_t taken = tape_taken(&words);
        assert_true(taken < HEAD);
        uint64_t side = size.whole[0] + (uint64_t)offsets[o];
        for (size_t i = taken; i < HEAD; i++) word[i] = 0;
        for (int n = 0; n < points(400, 4000); n++) {
            uint64_t k = draw_bits(&random) % ((side << -GRID) - 1); /* between k and k + 1 */
            dpn_int128 tie = (dpn_int128)(2 * k + 1) << (62 + GRID);
            uint64_t w = (uint64_t)(tie / side) + draw_bits(&random) % 2048 - 1023;
            if (w >> 63 || (dpn_int128)w * side == tie) continue;
            word[taken] = w << 1 | (n & 1); /* the last bit is the sign */
            int64_t steps, wanted = (int64_t)(k + ((dpn_int128)w * side > tie));
            tape_begin(&words, word, taken + 1 + TAIL);
            if (dpn_vector_sampler_draw(&steps, sampler, &words.rng, &why)) fail_msg("%s", why.sentence);
            if (steps != (n & 1 ? -wanted : wanted))
                fail_msg("side %d: %.17g and a half is rounded to %.17g", (int)side, (double)k, (double)steps);
        }
        dpn_vector_sampler_free(sampler);
    }
}

/* On the line the noise of shell 0 is f U, that of shell j is f + j - 1 + U, in units of the scale: U is laid so that it is next to half a step. */
static void line_tie(const dpn_vector_sampler *sampler, double first, int shell, real shell_word, real step,
                     draw_source *random) {
    static tie_tape bits;
    size_t mark = r_mark();
    int depth = draw_chance(random, 0.5) ? -1 : (int)(draw_bits(random) % (DEEPEST + 1));
    bool negative = draw_chance(random, 0.5);
    real from = r_num(shell == 0 ? 0 : first + shell - 1), width = r_num(shell == 0 ? first : 1), size, half;
    tie_number u = {.exponent = -63};
    do {
        half = r_div(r_add(from, r_times(width, draw_uniform(random, 0.001, 0.999))), step);
        half = r_mul(r_plus(r_floor(half), 0.5), step);
        tie_aim(&u, r_div(r_sub(half, from), width), depth, 20, random);
        size = r_div(r_add(from, r_mul(width, tie_value(&u))), step);
    } while (u.head >> 63);
    bits.laid = 0;
    tie_put(&bits, mpfr_get_uj(r_floor(shell_word), MPFR_RNDD));
    tie_put(&bits, u.head << 1 | negative);
    tie_put_turns(&bits, (const tie_number *const[]){&u}, (const int[]){0}, 1);
    tape words;
    int64_t k, wanted = (int64_t)mpfr_get_sj(r_floor(r_plus(size, 0.5)), MPFR_RNDD);
    dpn_error why;
    tape_begin(&words, bits.word, bits.laid);
    if (dpn_vector_sampler_draw(&k, sampler, &words.rng, &why)) fail_msg("%s", why.sentence);
    if (k != (negative ? -wanted : wanted))
        fail_msg("shell %d, tie to %d words: %lld, not %lld", shell, depth, (long long)k, (long long)wanted);
    r_release(mark);
}

static void places_on_the_line_are_rounded(void **state) {
    (void)state;
    enum { SHELLS = 4 };
    static const int grids[] = {-10, -36};
    const double scale = 1.75, epsilon = 0.35, first = 0.3125; /* the end 3 + first has the shells 0 .. 3 */
    draw_source random = {.state = 12};
    for (size_t g = 0; g < sizeof grids / sizeof *grids; g++) {
        dpn_vector_sampler *sampler;
        dpn_error why;
        if (dpn_vector_sampler_staircase(&sampler, 1, &scale, 0, epsilon, 0.25, 3 + first, 1, &grids[g], &why))
            fail_msg("%s", why.sentence);
        size_t mark = r_mark();
        real total = r_num(first), before = r_num(0), step = r_div(r_num(ldexp(1, grids[g])), r_num(scale));
        for (int j = 1; j < SHELLS; j++) total = r_add(total, r_exp(r_num(-epsilon * j)));
        for (int j = 0; j < SHELLS; j++) {
            real weight = j == 0 ? r_num(first) : r_exp(r_num(-epsilon * j));
            real middle = r_times(r_div(r_add(before, r_times(weight, 0.5)), total), 0x1p64);
            for (int n = 0; n < points(60, 600); n++) line_tie(sampler, first, j, middle, step, &random);
            before = r_add(before, weight);
        }
        r_release(mark);
        dpn_vector_sampler_free(sampler);
    }
}

/* ---- Staircases above their weights ---- */

/* f(T + d) <= 5/4 2^-j on the piece j of the staircase, whose pieces are s = 2^k wide; exactly, at the first place of each piece and at what lies next to it. */
static void staircase_is_above(const dpn_start_size *size) {
    const int64_t s = INT64_C(1) << size->width_log2, top = (int64_t)size->top;
    for (int64_t j = 0; j < 6; j++) {
        size_t mark = r_mark();
        real height = r_num(ldexp(1.25, -(int)j));
        int64_t right = top + j * s, left = top - j * s - (size->stairs ? 1 : 0);
        for (int side = 0; side < 2; side++) {
            int64_t at = side ? left : right;
            if (at < 0) continue;
            if (r_less(height, weight(size, r_num((double)at))))
                fail_msg("%zu offsets of %g%s, rate %g: T = %d, s = %d, f(%d) is above the piece %d", size->count,
                         size->offset[0], size->stairs ? " of a staircase" : "", size->rate, (int)top, (int)s, (int)at,
                         (int)j);
        }
        r_release(mark);
    }
}

/* The whole T is as far from the mode as it can be, half a step to its right, where f falls more slowly on the left: of equal offsets a with the mode M the rate is
 * n log(1 + 1/(a + T - 1)) on the whole numbers, which makes the weights of T - 1 and T the same, and n/(a rate + M) = 1 on the line. */
static void staircases_are_above_if_the_top_is_off(void **state) {
    (void)state;
    enum { COUNT = 24 };
    for (size_t n = 1; n <= COUNT; n++)
        for (int top = 1; top <= 12; top++)
            for (int a = 1; a <= 8; a += n < 4 ? 1 : 4) {
                double offset[COUNT], rate = (double)n * log1p(1 / (double)(a + top - 1)) * (1 - 1e-9);
                dpn_start_size size;
                for (size_t i = 0; i < n; i++) offset[i] = a;
                assert_int_equal(dpn_start_size_make(&size, true, rate, offset, n, NULL), DPN_OK);
                assert_int_equal(size.top, top);
                staircase_is_above(&size);
                dpn_start_size_free(&size);
                double mode = top - 0.5 + 1e-3;
                if ((double)n <= mode) continue;
                for (size_t i = 0; i < n; i++) offset[i] = (double)n - mode;
                assert_int_equal(dpn_start_size_make(&size, false, 1, offset, n, NULL), DPN_OK);
                assert_int_equal(size.top, top);
                staircase_is_above(&size);
                dpn_start_size_free(&size);
            }
}

/* Bits that are all ones below half a step leave it open for ever: the first of two coordinates is not known, and none leaves. Of the same bits with a 0 in the end both are drawn. */
static void places_that_stay_open(void **state) {
    (void)state;
    static const double scale[] = {1, 1};
    static const int grid[] = {-10, -10};
    dpn_vector_sampler *sampler;
    assert_int_equal(dpn_vector_sampler_staircase(&sampler, 2, scale, 0, 0.35, 0.5, 1, 1, grid, NULL), DPN_OK);
    uint64_t word[2 + TIE_WORDS + 2] = {5, (UINT64_C(1) << 53) - 2}; /* |U| is just below 2^-11 */
    for (int i = 0; i < TIE_WORDS; i++) word[2 + i] = UINT64_MAX;
    word[2 + TIE_WORDS] = word[3 + TIE_WORDS] = 5;
    for (int open = 0; open < 2; open++) {
        tape words;
        int64_t steps[2] = {7, 7};
        dpn_error why;
        word[1 + TIE_WORDS] = open ? UINT64_MAX : UINT64_MAX - 1;
        tape_begin(&words, word, sizeof word / sizeof *word);
        assert_int_equal(dpn_vector_sampler_draw(steps, sampler, &words.rng, &why), open ? DPN_EACCURACY : DPN_OK);
        assert_true(steps[0] == 0 && steps[1] == 0);
        if (open) assert_int_equal(tape_taken(&words), 2 + TIE_WORDS);
    }
    dpn_vector_sampler_free(sampler);
}

/* ---- the domain of staircases ---- */

static dpn_status made(double step, double epsilon, double low, double high, double theta, int grid) {
    const double scale = 1;
    dpn_vector_sampler *sampler = NULL;
    dpn_status status = dpn_vector_sampler_staircase(&sampler, 1, &scale, step, epsilon, low, high, theta, &grid, NULL);
    assert_true((sampler != NULL) == !status);
    dpn_vector_sampler_free(sampler);
    return status;
}

/* At each end of the domain, and a little beyond. */
static void domains_end_where_they_say(void **state) {
    (void)state;
    static const struct {
        double step, epsilon, low, high, theta;
        int grid;
        bool right;
    } rows[] = {{0, 1e-4, 1, 2, 1, -10, true},
                {0, 0.99e-4, 1, 2, 1, -10, false},
                {0, 100, 1, 2, 1, -10, true},
                {0, 100.01, 1, 2, 1, -10, false},
                {1e9, 1, 1, 2, 1, 0, true},
                {1e9 + 1, 1, 1, 2, 1, 0, false},
                {1, 1, 0, 1, 1, 0, true},
                {1, 1, 1, 1, 1, 0, false},
                {0, 1, 0x1p-12, 0x1p-11, 1, -10, true},
                {0, 1, 0x1p-13, 0x1p-11, 1, -10, false},
                {0, 1, 0x1p-12, 0x1.8p-12, 1, -10, false},
                {0, 1, 1, 1 + 0x1p-12, 1, -10, true},
                {0, 1, 1, 1 + 0x1p-13, 1, -10, false},
                {3, 1, 1, 2, 0x1p-1000, 0, true},
                {3, 1, -1, 2, 1, 0, false},
                {1, 1, 2, 0x1p20 - 1, 1, 0, true}, /* the shells 0 .. 2^20 - 1 */
                {1, 1, 2, 0x1p20, 1, 0, false},
                {1e9, 1, 0x1p40 - 1, 0x1p40, 0.5, 0, true},
                {1e9, 1, 0x1p40, 0x1p40 + 1, 1, 0, false},
                {3, 1, 2, INFINITY, 1, 0, true},
                {3, 1e-4, 2, INFINITY, 1, 0, false}, /* more than 2^20 shells */
                {3, 1.5e-4, 2, INFINITY, 1, 0, true},
                {0, 1, 1, 4, 1, -48, true}, /* 2^50 steps */
                {0, 1, 1, 4 + 0x1p-12, 1, -48, false},
                {0, 1, 1, 4, 1, -49, false}};
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
        if ((made(rows[i].step, rows[i].epsilon, rows[i].low, rows[i].high, rows[i].theta, rows[i].grid) == DPN_OK) !=
            rows[i].right)
            fail_msg("row %zu is %s", i, rows[i].right ? "refused" : "taken");
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(sizes_of_start_boxes),
                                       cmocka_unit_test(radii_of_spherical_noise),
                                       cmocka_unit_test(ends_of_staircases),
                                       cmocka_unit_test(shells_of_staircases),
                                       cmocka_unit_test(sides_of_staircases_are_rounded),
                                       cmocka_unit_test(places_on_the_line_are_rounded),
                                       cmocka_unit_test(places_that_stay_open),
                                       cmocka_unit_test(domains_end_where_they_say),
                                       cmocka_unit_test(staircases_are_above_if_the_top_is_off)};
    r_precision(TIE_BITS);
    int failed = cmocka_run_group_tests(tests, NULL, NULL);
    r_free_all();
    return failed;
}
