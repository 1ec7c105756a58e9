/* Tapes of random bits that end up on, or next to, the point where a decision of the vector samplers changes: acceptance of a
 * gamma variable, rounding of boxes, l1, l_p and cones, choice of a cone, cut corners. A number of the tape is solved for in
 * multiple precision so that the decision is a tie to 0 .. 8 words, and missed by a little there. What the whole strings of
 * bits say, computed from the definition, is what must be drawn: doubles do not tell, and neither do the first words. */
#include "random/vector.h"
#include "unit/base/wide-real.h"
#include "unit/random/laws.h"
#include "unit/random/tape.h"
#include "unit/random/tie.h"
#include "unit/points.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

enum { MOST = 4, DEEPEST = 8 };

static real two_to(long exponent) {
    const uint64_t one = 1;
    return limbs_real(&one, 1, exponent);
}

/* -1 for the head, 0 and more for a word: most ties are shallow, where doubles are asked first. */
static int draw_depth(draw_source *random, int least) {
    return draw_chance(random, 0.5) ? least : (int)(draw_bits(random) % (DEEPEST + 1));
}

/* ---- Gamma ---- */

/* f(r) = (r/M)^M e^(M-r), the density over its largest value. */
static real gamma_f(uint64_t mode, real r) {
    if (mode == 0) return r_exp(r_neg(r));
    real m = limbs_real(&mode, 1, 0);
    return r_exp(r_add(r_mul(m, r_log(r_div(r, m))), r_sub(m, r)));
}

/* The width 2^k of the pieces: the first with log f(M + 2^k) <= -0.7. */
static int gamma_width(uint64_t mode) {
    for (int k = 0;; k++) {
        real r = r_add(limbs_real(&mode, 1, 0), two_to(k));
        if (r_double(r_log(gamma_f(mode, r))) <= -0.7) return k;
    }
}

typedef struct gamma_place {
    int piece;
    bool left;
    uint64_t inside, whole;
} gamma_place;

static bool draw_place(gamma_place *at, uint64_t mode, int k, draw_source *random) {
    at->piece = (int)(draw_bits(random) % (draw_chance(random, 0.2) ? 90 : 4));
    at->left = mode > 0 && draw_chance(random, 0.5);
    at->inside = k > 0 ? draw_bits(random) >> (64 - k) : 0;
    int64_t whole = (int64_t)mode + (at->left ? -at->piece - 1 : at->piece) * (INT64_C(1) << k) + (int64_t)at->inside;
    at->whole = (uint64_t)whole;
    return whole >= 0;
}

static void put_place(tie_tape *to, const gamma_place *at, int k) {
    if (at->piece >= 64) tie_put(to, 0);
    tie_put(to, UINT64_C(1) << at->piece % 64);
    tie_put(to, (k > 0 ? at->inside << (64 - k) : 0) | at->left);
}

/* Bins lead the same words to the same number. */
static void expect_same_by_bins(const dpn_lazy *r, uint64_t shape, const uint64_t *word, size_t count) {
    dpn_gamma gamma;
    tape words;
    dpn_lazy got;
    dpn_gamma_make(&gamma, shape);
    tape_begin(&words, word, count);
    assert_int_equal(dpn_gamma_draw(&got, &gamma, &words.rng), DPN_DRAWN);
    assert_true(got.whole[0] == r->whole[0] && got.part.words == r->part.words);
    assert_memory_equal(got.part.word, r->part.word, (size_t)r->part.words * sizeof *r->part.word);
}

static void gamma_tie(uint64_t shape, draw_source *random) {
    static tie_tape bits;
    const uint64_t mode = shape - 1;
    size_t mark = r_mark();
    gamma_place at;
    int k = gamma_width(mode);
    while (!draw_place(&at, mode, k, random)) continue;
    tie_number r = {.head = at.whole}, y = {.head = 0};
    tie_fill(&r, random);
    if (at.whole == 0 && draw_chance(random, 0.7)) r.word[0] >>= draw_bits(random) % 63; /* next to 0 */
    real f = gamma_f(mode, tie_value(&r)), height = r_mul(f, two_to(at.piece));
    int depth = draw_depth(random, 0);
    tie_aim(&y, height, depth, 46, random);
    bits.laid = 0;
    put_place(&bits, &at, k);
    tie_put_turns(&bits, (const tie_number *const[]){&y, &r}, (const int[]){0, 0}, 2);
    tie_end(&bits, random);
    tape words;
    dpn_lazy got;
    tape_begin(&words, bits.word, bits.laid);
    assert_int_equal(dpn_lazy_gamma(&got, shape, &words.rng), DPN_DRAWN);
    expect_same_by_bins(&got, shape, bits.word, bits.laid);
    bool accepted = got.whole[0] == r.head && got.part.word[0] == r.word[0], under = r_less(tie_value(&y), height);
    if (accepted != under)
        fail_msg("shape %llu, piece %d%s, tie to %d words: a point %s f was %s", (unsigned long long)shape, at.piece,
                 at.left ? " on the left" : "", depth, under ? "under" : "over", accepted ? "taken" : "left");
    if (accepted) {
        assert_true(got.part.words > depth);
        assert_memory_equal(got.part.word, r.word, (size_t)got.part.words * sizeof *r.word);
    }
    r_release(mark);
}

static void test_gamma(void **state) {
    (void)state;
    static const uint64_t shape[] = {1, 2, 3, 8, 101, 100003, UINT64_C(1) << 30};
    draw_source random = {.state = 1};
    for (size_t s = 0; s < sizeof shape / sizeof *shape; s++)
        for (int n = 0; n < points(60, 600); n++) gamma_tie(shape[s], &random);
}

/* The bounds of every bin hold at points of it, next to its ends among them, and most bins around the mode have bounds. */
static void test_gamma_bins(void **state) {
    (void)state;
    static const uint64_t shape[] = {1, 2, 3, 8, 101, 100003, UINT64_C(1) << 24};
    for (size_t s = 0; s < sizeof shape / sizeof *shape; s++) {
        dpn_gamma gamma;
        int bounded = 0;
        dpn_gamma_make(&gamma, shape[s]);
        for (int bin = 0; bin < DPN_GAMMA_BINS; bin++) {
            if (isinf(gamma.high[bin])) continue;
            bounded++;
            for (int i = 0; i <= 4; i++) {
                size_t mark = r_mark();
                double inside = i == 0 ? 0x1p-30 : i == 4 ? 1 - 0x1p-30 : 0.25 * i;
                double at = (double)gamma.mode + (bin + inside - DPN_GAMMA_BINS / 2) / gamma.bins_per_unit;
                real f = gamma_f(gamma.mode, r_num(at));
                assert_true(!r_less(f, r_num(gamma.low[bin])) && !r_less(r_num(gamma.high[bin]), f));
                r_release(mark);
            }
        }
        assert_true(bounded >= DPN_GAMMA_BINS / 4);
    }
}

/* At the very top, from the right and from the left, no bits decide: r = M and y = 1. */
static void test_gamma_undecided(void **state) {
    (void)state;
    for (uint64_t mode = 0; mode < 3; mode++)
        for (int left = 0; left < (mode > 0 ? 2 : 1); left++) {
            uint64_t word[2 + 2 * TIE_WORDS] = {1, left ? UINT64_MAX : 0};
            for (int i = 0; i < 2 * TIE_WORDS; i++) word[2 + i] = i % 2 == 0 || left ? UINT64_MAX : 0;
            tape words;
            dpn_lazy r;
            tape_begin(&words, word, 2 + 2 * TIE_WORDS);
            assert_int_equal(dpn_lazy_gamma(&r, mode + 1, &words.rng), DPN_GIVEN_UP);
            assert_int_equal(tape_taken(&words), 2 + 2 * TIE_WORDS);
        }
}

/* ---- Vectors ---- */

static dpn_vector_sampler *sampler_of(size_t dimension, double p, int grid) {
    static const double scale[MOST] = {1, 1.75, 0.3, 2.5};
    const int exponent[MOST] = {grid, grid + 1, grid, grid - 1};
    dpn_vector_sampler *out;
    assert_int_equal(dpn_vector_sampler_lp(&out, dimension, p, scale, 0.7, exponent, NULL), DPN_OK);
    return out;
}

/* x scale_i/(rate grid_i) */
static real in_steps(const dpn_vector_sampler *sampler, size_t i, real x) {
    real scaled = r_div(r_times(x, sampler->scale[i]), r_num(sampler->rate));
    return r_mul(scaled, two_to(-sampler->grid[i]));
}

static int64_t rounded(real x) {
    int64_t size = (int64_t)mpfr_get_sj(r_floor(r_plus(r_abs(x), 0.5)), MPFR_RNDD);
    return r_sign(x) < 0 ? -size : size;
}

/* A half-integer next to x, of its sign. */
static real half_next_to(real x) {
    real half = r_plus(r_floor(r_abs(x)), 0.5);
    return r_sign(x) < 0 ? r_neg(half) : half;
}

/* A radius of Gamma(shape) right of its mode whose acceptance is beyond doubt, as its y is 0: four words. That of shape 2 may
 * lie left of 1, the second half of piece 0 on that side, and be small. */
static tie_number put_radius(tie_tape *to, uint64_t shape, draw_source *random) {
    int k = gamma_width(shape - 1);
    bool small = shape == 2 && draw_chance(random, 0.4);
    gamma_place at = {.left = small, .inside = small ? 1 : k > 0 ? draw_bits(random) >> (64 - k) : 0};
    tie_number radius = {.head = small ? 0 : shape - 1 + at.inside};
    tie_fill(&radius, random);
    if (small) radius.word[0] >>= draw_bits(random) % 24;
    put_place(to, &at, k);
    tie_put(to, 0);
    tie_put(to, radius.word[0]);
    return radius;
}

static bool draw_from(const dpn_vector_sampler *sampler, const tie_tape *bits, int64_t *steps) {
    tape words;
    tape_begin(&words, bits->word, bits->laid);
    return dpn_vector_sampler_draw(steps, sampler, &words.rng, NULL) == DPN_OK;
}

/* Exact numbers beside those drawn. */
static void check_steps(const int64_t *steps, const real *exact, size_t count, const char *what, int depth) {
    for (size_t i = 0; i < count; i++)
        if (steps[i] != rounded(exact[i]))
            fail_msg("%s, tie to %d words: coordinate %zu is %lld, not %lld", what, depth, i, (long long)steps[i],
                     (long long)rounded(exact[i]));
}

/* Further than a quarter from every half-integer: rounded at first sight, without further words. */
static bool is_clear(real x) {
    real rest = r_sub(r_abs(x), r_floor(r_abs(x)));
    return r_less(rest, r_num(0.25)) || r_less(r_num(0.75), rest);
}

typedef void (*tie_of)(const dpn_vector_sampler *sampler, draw_source *random);

/* Ties in 1 .. 3 dimensions, on a grid where doubles decide nearly all roundings and on one where they decide few. */
static void with_samplers(double p, int times, tie_of tie, draw_source *random) {
    for (size_t count = 1; count <= 3; count++)
        for (int fine = 0; fine < 2; fine++) {
            dpn_vector_sampler *sampler = sampler_of(count, p, fine ? -45 : -10);
            for (int n = 0; n < times; n++) tie(sampler, random);
            dpn_vector_sampler_free(sampler);
        }
}

/* Numbers uniform on (-1, 1), the last of which is aimed at a half-integer. */
static void box_tie(const dpn_vector_sampler *sampler, draw_source *random) {
    static tie_tape bits;
    size_t count = sampler->dimension, mark = r_mark(), last = count - 1;
    int depth = draw_depth(random, -1);
    bits.laid = 0;
    tie_number radius = put_radius(&bits, count + 1, random), u[MOST];
    real exact[MOST];
    for (size_t i = 0; i < count; i++) {
        bool negative = draw_chance(random, 0.5);
        real whole = in_steps(sampler, i, tie_value(&radius));
        do {
            u[i] = (tie_number){.head = draw_bits(random) >> 1, .exponent = -63};
            tie_fill(&u[i], random);
        } while (i < last && !is_clear(r_mul(whole, tie_value(&u[i]))));
        if (i == last) {
            real half = half_next_to(r_mul(whole, tie_value(&u[i])));
            if (!r_less(half, whole)) half = r_plus(half, -1);
            tie_aim(&u[i], r_div(half, whole), depth, 20, random);
        }
        exact[i] = r_mul(whole, tie_value(&u[i]));
        if (negative) exact[i] = r_neg(exact[i]);
        tie_put(&bits, u[i].head << 1 | negative);
    }
    tie_put_turns(&bits, (const tie_number *const[]){&u[last], &radius}, (const int[]){0, 1}, 2);
    int64_t steps[MOST];
    assert_true(draw_from(sampler, &bits, steps));
    check_steps(steps, exact, count, "box", depth);
    r_release(mark);
}

static void test_box(void **state) {
    (void)state;
    draw_source random = {.state = 2};
    with_samplers(INFINITY, points(70, 700), box_tie, &random);
}

/* ---- Numbers of a table ---- */

/* A number of the table from a word that lies under the density altogether; false if its strip has no such word. */
static bool table_word(uint64_t *word, const dpn_sampler *table, const tie_number *x, bool negative) {
    int cells = table->layout.cells_log2, bits = table->layout.slot_bits;
    uint64_t strip = x->head >> cells, cell = x->head & ((UINT64_C(1) << cells) - 1);
    if (strip >= (uint64_t)table->strips.strips) return false;
    uint64_t slot = table->strips.first[strip];
    *word = slot | (uint64_t)negative << bits | cell << (64 - cells);
    return !(table->strips.slot[slot] & DPN_STRIPS_UNSURE);
}

/* The same from a word that is not: the lowest of its strip, which is under the density if the height that follows is 0. */
static bool unsure_word(uint64_t *word, const dpn_sampler *table, const tie_number *x, bool negative) {
    if (!table_word(word, table, x, negative)) return false;
    uint64_t slots = UINT64_C(1) << table->layout.slot_bits, slot = *word & (slots - 1);
    unsigned strip = table->strips.slot[slot];
    while (slot + 1 < slots && table->strips.slot[slot] == strip) slot++;
    *word = (*word & ~(slots - 1)) | slot;
    return table->strips.slot[slot] == (strip | DPN_STRIPS_UNSURE);
}

static tie_number table_number(const dpn_sampler *table, draw_source *random) {
    uint64_t word;
    tie_number x = {.exponent = table->strips.density.unit_exponent - table->layout.cells_log2};
    do x.head = draw_bits(random) % ((uint64_t)table->strips.strips << table->layout.cells_log2);
    while (!table_word(&word, table, &x, false));
    if (draw_chance(random, 0.2)) x.head >>= draw_bits(random) % 12; /* small */
    tie_fill(&x, random);
    return x;
}

static void l1_tie(const dpn_vector_sampler *sampler, draw_source *random) {
    static tie_tape bits;
    size_t count = sampler->dimension, mark = r_mark(), last = count - 1;
    int depth = draw_depth(random, -1);
    tie_number x;
    real exact[MOST];
    bits.laid = 0;
    for (size_t i = 0; i < count; i++) {
        bool negative = draw_chance(random, 0.5);
        uint64_t word;
        do {
            do x = table_number(sampler->table, random);
            while (i < last && !is_clear(in_steps(sampler, i, tie_value(&x))));
            real half = half_next_to(in_steps(sampler, i, tie_value(&x))), one = in_steps(sampler, i, r_num(1));
            if (i == last) tie_aim(&x, r_div(half, one), depth, 12, random);
        } while (!table_word(&word, sampler->table, &x, negative));
        exact[i] = in_steps(sampler, i, tie_value(&x));
        if (negative) exact[i] = r_neg(exact[i]);
        tie_put(&bits, word);
    }
    tie_put_turns(&bits, (const tie_number *const[]){&x}, (const int[]){0}, 1);
    int64_t steps[MOST];
    assert_true(draw_from(sampler, &bits, steps));
    check_steps(steps, exact, count, "l1", depth);
    r_release(mark);
}

static void test_l1(void **state) {
    (void)state;
    draw_source random = {.state = 3};
    with_samplers(1, points(70, 700), l1_tie, &random);
}

/* ---- l_p ---- */

/* V_i = R X_i scale_i/|X|_p in steps. */
static void lp_values(const dpn_vector_sampler *sampler, const tie_number *radius, const tie_number *x, real *out) {
    real sum = r_num(0), p = r_num(sampler->p);
    for (size_t i = 0; i < sampler->dimension; i++) sum = r_add(sum, r_pow(tie_value(&x[i]), p));
    real ratio = r_div(tie_value(radius), r_pow(sum, r_div(r_num(1), p)));
    for (size_t i = 0; i < sampler->dimension; i++) out[i] = in_steps(sampler, i, r_mul(ratio, tie_value(&x[i])));
}

/* The X_i at which |V_i| is h: X_i^p ((R scale_i/h)^p - 1) is the sum of the other powers. Zero if there is none. */
static real lp_solution(const dpn_vector_sampler *sampler, const tie_number *radius, const tie_number *x, size_t i,
                        real h) {
    real rest = r_num(0), p = r_num(sampler->p);
    for (size_t k = 0; k < sampler->dimension; k++)
        if (k != i) rest = r_add(rest, r_pow(tie_value(&x[k]), p));
    real ratio = r_div(in_steps(sampler, i, tie_value(radius)), h);
    if (!r_less(r_num(1), ratio)) return r_num(0);
    return r_pow(r_div(rest, r_plus(r_pow(ratio, p), -1)), r_div(r_num(1), p));
}

static void lp_tie(const dpn_vector_sampler *sampler, draw_source *random) {
    static tie_tape bits;
    size_t count = sampler->dimension, mark = r_mark(), tied = draw_bits(random) % count;
    tie_number x[MOST], radius;
    uint64_t word[MOST];
    bool negative[MOST], unsure[MOST], placed = false;
    real exact[MOST];
    int depth = draw_depth(random, -1);
    while (!placed) {
        r_release(mark);
        bits.laid = 0;
        radius = put_radius(&bits, count, random);
        int small = draw_chance(random, 0.2) ? (int)(draw_bits(random) % 12) : 0; /* all of them */
        for (size_t i = 0; i < count; i++) {
            x[i] = table_number(sampler->table, random);
            x[i].head >>= small;
        }
        lp_values(sampler, &radius, x, exact);
        real aim = lp_solution(sampler, &radius, x, tied, half_next_to(exact[tied]));
        if (r_sign(aim) == 0 || !r_less(aim, r_num(1e6))) continue;
        tie_aim(&x[tied], aim, depth, 10, random);
        placed = true;
        for (size_t i = 0; i < count; i++) {
            negative[i] = draw_chance(random, 0.5);
            unsure[i] = draw_chance(random, 0.3);
            placed = (unsure[i] ? unsure_word : table_word)(&word[i], sampler->table, &x[i], negative[i]) && placed;
        }
    }
    lp_values(sampler, &radius, x, exact);
    const tie_number *turn[MOST + 1];
    int had[MOST + 1] = {0};
    for (size_t i = 0; i < count; i++) {
        if (negative[i]) exact[i] = r_neg(exact[i]);
        tie_put(&bits, word[i]);
        turn[i] = &x[i];
        had[i] = unsure[i];
        if (!unsure[i]) continue;
        tie_put(&bits, 0);
        tie_put(&bits, x[i].word[0]);
    }
    turn[count] = &radius;
    had[count] = 1;
    tie_put_turns(&bits, turn, had, count + 1);
    int64_t steps[MOST];
    assert_true(draw_from(sampler, &bits, steps));
    check_steps(steps, exact, count, "l_p", depth);
    r_release(mark);
}

static void test_lp(void **state) {
    (void)state;
    static const double p[] = {2, 1.5, 3};
    draw_source random = {.state = 4};
    for (size_t k = 0; k < 3; k++)
        for (size_t count = 2; count <= MOST; count++)
            for (int fine = 0; fine < 2; fine++) {
                dpn_vector_sampler *sampler = sampler_of(count, p[k], fine ? -45 : -8);
                for (int n = 0; n < points(p[k] == 2 ? 20 : 6, 60); n++) lp_tie(sampler, &random);
                dpn_vector_sampler_free(sampler);
            }
}

/* A number of the tail beyond 2^60 cells, which doubles are not asked about: the words that lead to it, its y all zeros. Returns how many words of its fraction the
 * acceptance took. */
static int put_far(tie_tape *to, tie_number *x, const dpn_sampler *table, bool negative, draw_source *random) {
    int log2 = table->strips.tail_log2 + table->layout.cells_log2;
    uint64_t slot = 0, word, piece = (UINT64_C(1) << 60 >> log2) + 1 + draw_bits(random) % 20;
    while ((table->strips.slot[slot] & ~DPN_STRIPS_UNSURE) != table->strips.strips) slot++;
    word = draw_bits(random);
    *x = (tie_number){.exponent = dpn_lazy_exponent(table)};
    x->head = ((uint64_t)table->strips.strips << table->layout.cells_log2) + (piece << log2) + (word >> (64 - log2));
    tie_fill(x, random);
    const size_t begin = to->laid;
    tie_put(to, slot | (uint64_t)negative << table->layout.slot_bits);
    for (; piece >= 64; piece -= 64) tie_put(to, 0);
    tie_put(to, UINT64_C(1) << piece);
    tie_put(to, word);
    const size_t end = to->laid;
    for (int i = 0; i < TIE_WORDS; i++) {
        tie_put(to, 0);
        tie_put(to, x->word[i]);
    }
    tape words;
    dpn_lazy got;
    tape_begin(&words, to->word + begin + 1, to->laid - begin - 1);
    assert_int_equal(dpn_lazy_try(&got, table, to->word[begin], &words.rng), DPN_DRAWN);
    assert_true(got.whole[0] == x->head && got.whole[1] == 0 && got.negative == negative);
    assert_memory_equal(got.part.word, x->word, (size_t)got.part.words * sizeof *x->word);
    assert_int_equal(begin + 1 + tape_taken(&words), end + 2 * (size_t)got.part.words);
    to->laid = end + 2 * (size_t)got.part.words;
    return got.part.words;
}

/* The last coordinate is far out, so that wide numbers round all of them; one of the others is tied. */
static void lp_far_tie(const dpn_vector_sampler *sampler, draw_source *random) {
    static tie_tape bits;
    size_t count = sampler->dimension, mark = r_mark(), last = count - 1, tied = draw_bits(random) % last;
    tie_number x[MOST], radius;
    bool negative[MOST], placed = false;
    real exact[MOST];
    int depth = draw_depth(random, -1), had[MOST + 1] = {0};
    while (!placed) {
        r_release(mark);
        bits.laid = 0;
        radius = put_radius(&bits, count, random);
        for (size_t i = 0; i < count; i++) negative[i] = draw_chance(random, 0.5);
        tie_tape end = {.laid = 0};
        for (size_t i = 0; i < last; i++) x[i] = table_number(sampler->table, random);
        had[last] = put_far(&end, &x[last], sampler->table, negative[last], random);
        lp_values(sampler, &radius, x, exact);
        real aim = lp_solution(sampler, &radius, x, tied, half_next_to(exact[tied]));
        if (r_sign(aim) == 0 || !r_less(aim, r_num(1e6))) continue;
        tie_aim(&x[tied], aim, depth, 10, random);
        placed = true;
        for (size_t i = 0; i < last; i++) {
            uint64_t word = 0;
            placed = table_word(&word, sampler->table, &x[i], negative[i]) && placed;
            tie_put(&bits, word);
        }
        for (size_t i = 0; i < end.laid; i++) tie_put(&bits, end.word[i]);
    }
    lp_values(sampler, &radius, x, exact);
    const tie_number *turn[MOST + 1];
    for (size_t i = 0; i < count; i++) {
        if (negative[i]) exact[i] = r_neg(exact[i]);
        turn[i] = &x[i];
    }
    turn[count] = &radius;
    had[count] = 1;
    tie_put_turns(&bits, turn, had, count + 1);
    int64_t steps[MOST];
    assert_true(draw_from(sampler, &bits, steps));
    check_steps(steps, exact, count, "l_p far out", depth);
    r_release(mark);
}

static void test_lp_far_out(void **state) {
    (void)state;
    static const double p[] = {1.1, 1.25};
    draw_source random = {.state = 14};
    for (size_t k = 0; k < 2; k++)
        for (size_t count = 2; count <= 3; count++)
            for (int fine = 0; fine < 2; fine++) {
                dpn_vector_sampler *sampler = sampler_of(count, p[k], fine ? -45 : -8);
                for (int n = 0; n < points(4, 40); n++) lp_far_tie(sampler, &random);
                dpn_vector_sampler_free(sampler);
            }
}

/* ---- Cones ---- */

enum { CONES = 4, LIMBS = 2 };
static const double vertex[CONES][2] = {{1, 0.25}, {-0.5, 1}, {-1, -0.25}, {0.5, -1}};
static const uint64_t cumulated[CONES][LIMBS] = {{0, UINT64_MAX}, {1, 5}, {1, 6}, {5, 0}};

static void fill_cones(dpn_cones *cones) {
    *cones = (dpn_cones){.cones = CONES, .vertices = CONES, .limbs = LIMBS};
    cones->corner = calloc(CONES * 2, sizeof *cones->corner);
    cones->vertex = calloc(CONES * 2, sizeof *cones->vertex);
    cones->cumulated = calloc(CONES * LIMBS, sizeof *cones->cumulated);
    assert_true(cones->corner && cones->vertex && cones->cumulated);
    memcpy(cones->vertex, vertex, sizeof vertex);
    memcpy(cones->cumulated, cumulated, sizeof cumulated);
    for (uint32_t k = 0; k < CONES; k++) {
        cones->corner[2 * k] = k;
        cones->corner[2 * k + 1] = (k + 1) % CONES;
    }
}

static dpn_vector_sampler *cones_of(int grid) {
    dpn_vector_sampler *out;
    dpn_cones cones;
    fill_cones(&cones);
    assert_int_equal(dpn_vector_sampler_cones(&out, 2, &cones, 0.7, (const int[]){grid, grid - 1}, NULL), DPN_OK);
    return out;
}

/* The number one below a cumulated weight belongs to its cone, the weight itself to the next that is not empty, and the sum
 * of all is drawn again: here it is followed by 0. The highest limb has 61 spare bits. */
static void test_choice_of_a_cone(void **state) {
    (void)state;
    dpn_cones cones;
    fill_cones(&cones);
    static const struct {
        uint64_t high, low;
        size_t cone;
    } row[] = {
        {0, 0, 0}, {0, UINT64_MAX - 1, 0}, {0, UINT64_MAX, 1}, {1, 0, 1}, {1, 4, 1}, {1, 5, 2},
        {1, 6, 3}, {4, UINT64_MAX, 3},     {5, 0, 0},          {5, 1, 0}, {6, 0, 0}, {7, 0, 0},
    };
    for (size_t k = 0; k < sizeof row / sizeof *row; k++) {
        uint64_t word[5] = {row[k].high << 61 | 77, row[k].low};
        tape words;
        size_t cone = 99;
        tape_begin(&words, word, 5);
        assert_true(dpn_cones_choose(&cones, &words.rng, &cone));
        assert_int_equal(cone, row[k].cone);
        /* A highest limb above that of the sum is known to be too large without the next. */
        assert_int_equal(tape_taken(&words), row[k].high < 5 ? 2 : row[k].high == 5 ? 4 : 3);
    }
    dpn_cones_free(&cones);
}

/* sum E_k v_ki in steps. */
static real cone_value(const dpn_vector_sampler *sampler, const tie_number *e, size_t cone, size_t i) {
    real sum = r_num(0);
    for (size_t k = 0; k < 2; k++) sum = r_add(sum, r_times(tie_value(&e[k]), vertex[(cone + k) % CONES][i]));
    return in_steps(sampler, i, sum);
}

static void cone_tie(const dpn_vector_sampler *sampler, draw_source *random) {
    static tie_tape bits;
    size_t mark = r_mark(), tied = 0, cone = 0;
    int depth = draw_depth(random, -1);
    tie_number e[2];
    uint64_t word[2];
    bool placed = false;
    while (!placed) {
        r_release(mark);
        tied = draw_bits(random) % 2;
        cone = draw_bits(random) % CONES;
        bool at_zero = draw_chance(random, 0.2); /* where the sign stays open */
        for (size_t k = 0; k < 2; k++) e[k] = table_number(sampler->table, random);
        real value = cone_value(sampler, e, cone, tied), target = at_zero ? r_num(0) : half_next_to(value);
        /* One step is v_0 E_0 in steps, so that E_0 moves by what the value misses over that. */
        real slope = in_steps(sampler, tied, r_num(vertex[cone][tied]));
        real aim = r_add(tie_value(&e[0]), r_div(r_sub(target, value), slope));
        if (r_sign(aim) <= 0 || !r_less(aim, r_num(1e6))) continue;
        tie_aim(&e[0], aim, depth, 12, random);
        placed = table_word(&word[0], sampler->table, &e[0], draw_chance(random, 0.5)) &&
                 table_word(&word[1], sampler->table, &e[1], false);
    }
    bits.laid = 0;
    uint64_t chosen[LIMBS];
    memcpy(chosen, cumulated[cone], sizeof chosen); /* the last number of the cone */
    chosen[0] -= chosen[1]-- == 0;
    tie_put(&bits, chosen[0] << 61);
    tie_put(&bits, chosen[1]);
    for (size_t k = 0; k < 2; k++) tie_put(&bits, word[k]);
    tie_put_turns(&bits, (const tie_number *const[]){&e[0], &e[1]}, (const int[]){0, 0}, 2);
    real exact[2];
    for (size_t i = 0; i < 2; i++) exact[i] = cone_value(sampler, e, cone, i);
    int64_t steps[2];
    assert_true(draw_from(sampler, &bits, steps));
    check_steps(steps, exact, 2, "cones", depth);
    r_release(mark);
}

static void test_cones(void **state) {
    (void)state;
    static const int grid[] = {-10, -45, 1};
    draw_source random = {.state = 5};
    for (size_t g = 0; g < 3; g++) {
        dpn_vector_sampler *sampler = cones_of(grid[g]);
        for (int n = 0; n < points(120, 1200); n++) cone_tie(sampler, &random);
        dpn_vector_sampler_free(sampler);
    }
}

/* ---- Cut corners ---- */

/* The own coordinate that meets the constraint with equality: 2 - |U_0| - |U_1|, or 1 - (2 |U_0| - 1)^2. */
static real corner_edge(bool parabola, const tie_number *u) {
    if (parabola) return r_sub(r_num(1), r_square(r_plus(r_times(tie_value(&u[0]), 2), -1)));
    return r_sub(r_num(2), r_add(tie_value(&u[0]), tie_value(&u[1])));
}

static void corner_tie(const dpn_vector_sampler *sampler, bool parabola, draw_source *random) {
    static tie_tape bits;
    size_t count = sampler->dimension, own = count - 1, mark = r_mark();
    int depth = draw_depth(random, -1);
    bits.laid = 0;
    tie_number radius = put_radius(&bits, count + 1, random), u[3];
    real edge, exact[3];
    do {
        for (size_t i = 0; i < count; i++) {
            u[i] = (tie_number){.head = draw_bits(random) >> 1, .exponent = -63};
            tie_fill(&u[i], random);
        }
        edge = corner_edge(parabola, u);
    } while (u[0].head >> 62 == 0 || !r_less(r_num(0x1p-20), edge) || !r_less(edge, r_num(1 - 0x1p-20)));
    tie_aim(&u[own], edge, depth, 24, random);
    bool obeys = r_less(tie_value(&u[own]), edge);
    for (size_t i = 0; i < count; i++) {
        bool negative = draw_chance(random, 0.5);
        exact[i] = in_steps(sampler, i, r_mul(tie_value(&radius), tie_value(&u[i])));
        if (negative) exact[i] = r_neg(exact[i]);
        tie_put(&bits, u[i].head << 1 | negative);
    }
    const tie_number *turn[] = {&u[own], &u[0], &u[1]};
    tie_put_turns(&bits, turn, (const int[]){0, 0, 0}, count);
    tie_end(&bits, random);
    int64_t steps[3];
    assert_true(draw_from(sampler, &bits, steps));
    if (obeys)
        check_steps(steps, exact, count, parabola ? "parabola" : "cuboctahedron", depth);
    else if (steps[own] == rounded(exact[own]))
        fail_msg("tie to %d words: a point beyond the %s was taken", depth, parabola ? "parabola" : "plane");
    r_release(mark);
}

/* A point well inside whose first coordinate rounds at a half-integer; the others are clear. */
static void corner_rounding(const dpn_vector_sampler *sampler, draw_source *random) {
    static tie_tape bits;
    size_t count = sampler->dimension, mark = r_mark();
    int depth = draw_depth(random, -1);
    bits.laid = 0;
    tie_number radius = put_radius(&bits, count + 1, random), u[3];
    real exact[3];
    for (size_t i = 0; i < count; i++) {
        real whole = in_steps(sampler, i, tie_value(&radius));
        do {
            u[i] = (tie_number){.head = draw_bits(random) >> 2, .exponent = -63}; /* below 1/2 */
            tie_fill(&u[i], random);
            exact[i] = r_mul(whole, tie_value(&u[i]));
        } while (i > 0 && !is_clear(exact[i]));
        if (i == 0) {
            tie_aim(&u[0], r_div(half_next_to(exact[0]), whole), depth, 20, random);
            exact[0] = r_mul(whole, tie_value(&u[0]));
        }
        tie_put(&bits, u[i].head << 1);
    }
    tie_put_turns(&bits, (const tie_number *const[]){&u[0], &radius}, (const int[]){0, 1}, 2);
    int64_t steps[3];
    assert_true(draw_from(sampler, &bits, steps));
    check_steps(steps, exact, count, "rounding in a cut box", depth);
    r_release(mark);
}

static void test_corners(void **state) {
    (void)state;
    static const dpn_constraint constraint[] = {{false, 2, 0, 1}, {true, 1, 0, 0}};
    static const double scale[] = {1, 1.75, 0.3};
    static const int grid[] = {-24, -24, -24};
    draw_source random = {.state = 6};
    for (int parabola = 0; parabola < 2; parabola++) {
        dpn_vector_sampler *sampler;
        assert_int_equal(
            dpn_vector_sampler_corners(&sampler, parabola ? 2 : 3, scale, &constraint[parabola], 1, 0.7, grid, NULL),
            DPN_OK);
        for (int n = 0; n < points(200, 2000); n++) corner_tie(sampler, parabola, &random);
        for (int n = 0; n < points(60, 600); n++) corner_rounding(sampler, &random);
        dpn_vector_sampler_free(sampler);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_gamma),
        cmocka_unit_test(test_gamma_bins),
        cmocka_unit_test(test_gamma_undecided),
        cmocka_unit_test(test_box),
        cmocka_unit_test(test_l1),
        cmocka_unit_test(test_lp),
        cmocka_unit_test(test_lp_far_out),
        cmocka_unit_test(test_choice_of_a_cone),
        cmocka_unit_test(test_cones),
        cmocka_unit_test(test_corners),
    };
    r_precision(TIE_BITS);
    int failed = cmocka_run_group_tests(tests, NULL, NULL);
    r_free_all();
    return failed;
}
