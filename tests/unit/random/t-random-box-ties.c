/* Tapes of random bits on the edge of what a random box decides: where the Gaussian law is cut, whether a uniform number is kept, and the rounding of both;
 * ties to nine words against exact arithmetic. */
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

/* Of the two samplers the sizes 0 have q = 0.744 and 2.4: a uniform number and a bell. */
static const double scale = 1.75, c[] = {0.93, 1.2}, beta[] = {1.6, 4};

static dpn_vector_sampler *make(int bell, int grid) {
    dpn_vector_sampler *out;
    assert_int_equal(dpn_vector_sampler_random_box(&out, 1, &scale, 1, &c[bell], &beta[bell], &grid, NULL), DPN_OK);
    return out;
}

static real power_of_two(int exponent) {
    return r_num(ldexp(1, exponent));
}

/* One step of a number with the side s or, for a bell, sqrt(s/beta). */
static real unit_of(int bell, int grid) {
    real s = r_num(c[bell]), unit = bell ? r_sqrt(r_div(s, r_num(beta[bell]))) : s;
    return r_mul(r_times(unit, scale), power_of_two(-grid));
}

static int64_t draw(const dpn_vector_sampler *sampler, const tie_tape *bits) {
    tape words;
    int64_t steps = 0;
    tape_begin(&words, bits->word, bits->laid);
    assert_int_equal(dpn_vector_sampler_draw(&steps, sampler, &words.rng, NULL), DPN_OK);
    return steps;
}

static int64_t rounded(real x, bool negative) {
    int64_t size = (int64_t)mpfr_get_sj(r_floor(r_plus(x, 0.5)), MPFR_RNDD);
    return negative ? -size : size;
}

static int draw_depth(draw_source *random, int least) {
    return draw_chance(random, 0.5) ? least : (int)(draw_bits(random) % 9);
}

/* A word whose slot is under the density altogether; false if there is none in that strip. */
static bool table_word(uint64_t *word, const dpn_sampler *table, uint64_t cell, bool negative) {
    int cells = table->layout.cells_log2;
    uint64_t strip = cell >> cells, within = cell & ((UINT64_C(1) << cells) - 1);
    if (strip >= (uint64_t)table->strips.strips) return false;
    uint64_t slot = table->strips.first[strip];
    *word = slot | (uint64_t)negative << table->layout.slot_bits | within << (64 - cells);
    return !(table->strips.slot[slot] & DPN_STRIPS_UNSURE);
}

/* The number after the size, which is 0, with a half-integer where it is rounded. */
static void rounding_tie(const dpn_vector_sampler *sampler, int bell, int grid, draw_source *random) {
    static tie_tape bits;
    size_t mark = r_mark();
    real unit = unit_of(bell, grid);
    int depth = draw_depth(random, -1);
    bool negative = draw_chance(random, 0.5);
    tie_number x = {.exponent = bell ? dpn_lazy_exponent(sampler->table) : -48};
    uint64_t word;
    double most = bell ? sqrt(c[1] * beta[1]) : 1; /* of |x| */
    do {
        real value = r_times(unit, most * draw_uniform(random, 0, 1)), half = r_plus(r_floor(value), 0.5);
        tie_aim(&x, r_div(half, unit), depth, 12, random);
        word = x.head << 16 | negative; /* of the level 0 */
    } while (!r_less(tie_value(&x), r_num(most * 0.999)) ||
             (bell && !table_word(&word, sampler->table, x.head, negative)));
    bits.laid = 0;
    tie_put(&bits, 0);
    tie_put(&bits, word);
    if (!bell) tie_put(&bits, 5); /* a word of the level, if the place is settled in wide numbers */
    tie_put_turns(&bits, (const tie_number *const[]){&x}, (const int[]){0}, 1);
    int64_t got = draw(sampler, &bits), expected = rounded(r_mul(unit, tie_value(&x)), negative);
    if (got != expected)
        fail_msg("%s, tie to %d words: %lld, not %lld", bell ? "bell" : "uniform", depth, (long long)got,
                 (long long)expected);
    r_release(mark);
}

static void test_rounding(void **state) {
    (void)state;
    draw_source random = {.state = 11};
    for (int bell = 0; bell < 2; bell++)
        for (int fine = 0; fine < 2; fine++) {
            int grid = fine ? -40 : -10;
            dpn_vector_sampler *sampler = make(bell, grid);
            for (int n = 0; n < points(150, 1500); n++) rounding_tie(sampler, bell, grid, &random);
            dpn_vector_sampler_free(sampler);
        }
}

/* Behind what is tried lies a number that is certainly taken: it is drawn if and only if the first is not. On a grid of 2^-10 both are told apart. */
enum { NEXT_PLACE = 1 };

/* X = sqrt(beta s). */
static void cut_tie(const dpn_vector_sampler *sampler, draw_source *random) {
    static tie_tape bits;
    size_t mark = r_mark();
    const dpn_sampler *table = sampler->table;
    int depth = draw_depth(random, -1);
    real edge = r_sqrt(r_mul(r_num(beta[1]), r_num(c[1])));
    tie_number x = {.exponent = dpn_lazy_exponent(table)};
    uint64_t word = 0, next = 0;
    tie_aim(&x, edge, depth, 8, random);
    assert_true(table_word(&word, table, x.head, false));
    assert_true(table_word(&next, table, NEXT_PLACE, false));
    bits.laid = 0;
    tie_put(&bits, 0);
    tie_put(&bits, word);
    int words = depth < 0 ? 0 : depth + 1; /* that the decision takes: with all known words it may take less */
    for (int i = 0; i < words; i++) tie_put(&bits, x.word[i]);
    bool inside = r_less(tie_value(&x), edge);
    for (int i = words; i < TIE_WORDS && inside; i++) tie_put(&bits, x.word[i]);
    /* Numbers behind the edge, whose words may follow or not, are not told from the next ones: all words are that of the next. */
    for (int i = 0; i < TIE_WORDS && !inside; i++) tie_put(&bits, next);
    int64_t got = draw(sampler, &bits);
    if ((got != 0) != inside)
        fail_msg("the cut, tie to %d words: a number %s it is %s", depth, inside ? "before" : "behind",
                 got ? "taken" : "left");
    r_release(mark);
}

static void test_cut(void **state) {
    (void)state;
    draw_source random = {.state = 12};
    dpn_vector_sampler *sampler = make(1, -10);
    for (int n = 0; n < points(300, 3000); n++) cut_tie(sampler, &random);
    dpn_vector_sampler_free(sampler);
}

/* So fine a grid that what is drawn after a number that is left is not the same number by chance. */
enum { FINE = -40 };

/* Y = e^(-q u^2): its first 15 bits are in the word of U, the others follow. */
static void level_tie(const dpn_vector_sampler *sampler, draw_source *random) {
    static tie_tape bits;
    size_t mark = r_mark();
    int depth = draw_depth(random, 0);
    tie_number u = {.exponent = -48}, y = {.exponent = -15};
    u.head = (draw_bits(random) >> 18) | UINT64_C(3) << 46; /* above 3/4, where the rough value errs most */
    tie_fill(&u, random);
    real at = tie_value(&u), q = r_times(r_mul(r_num(beta[0]), r_num(c[0])), 0.5);
    real height = r_exp(r_neg(r_mul(q, r_mul(at, at))));
    tie_aim(&y, height, depth, depth == 0 ? 20 : 40, random);
    bool below = r_less(tie_value(&y), height);
    bits.laid = 0;
    tie_put(&bits, 0);
    tie_put(&bits, u.head << 16 | y.head << 1);
    tie_put(&bits, y.word[0]);
    for (int i = 0; i < TIE_WORDS; i++) { /* more words of U and Y in turn */
        tie_put(&bits, u.word[i]);
        if (i > 0) tie_put(&bits, y.word[i]);
    }
    tape words;
    int64_t got = 0;
    tape_begin(&words, bits.word, bits.laid);
    dpn_status status = dpn_vector_sampler_draw(&got, sampler, &words.rng, NULL);
    bool taken = !status && got == rounded(r_mul(unit_of(0, FINE), at), false);
    if (taken != below)
        fail_msg("a level, tie to %d words: a number %s is %s", depth, below ? "below" : "above",
                 taken ? "taken" : "left");
    r_release(mark);
}

static void test_level(void **state) {
    (void)state;
    draw_source random = {.state = 13};
    dpn_vector_sampler *sampler = make(0, FINE);
    for (int n = 0; n < points(300, 3000); n++) level_tie(sampler, &random);
    dpn_vector_sampler_free(sampler);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_rounding), cmocka_unit_test(test_cut),
                                       cmocka_unit_test(test_level)};
    r_precision(TIE_BITS);
    int failed = cmocka_run_group_tests(tests, NULL, NULL);
    r_free_all();
    return failed;
}
