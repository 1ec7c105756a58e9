/* Points that are hard to decide, and every point decided the hard way. */
#include "random/decide.h"
#include "random/sampler.h"
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
#include <string.h>

#include <cmocka.h>

/* ---- Verdicts against the reference ---- */

enum { WORDS = 13 };

typedef struct contest {
    dpn_law law;
    ref_law reference;
    dpn_density density;
    dpn_point point;
    uint64_t x[WORDS], y[WORDS];
} contest;

static real two_to(long exponent) {
    uint64_t one = 1;
    return limbs_real(&one, 1, exponent);
}

/* whole + the words after the point, and one last place more. */
static real with_words(uint64_t whole, const uint64_t *word, int words, bool up) {
    real sum = limbs_real(&whole, 1, 0);
    for (int i = 0; i < words; i++) sum = r_add(sum, limbs_real(&word[i], 1, -64 * (i + 1)));
    return up ? r_add(sum, two_to(-64 * words)) : sum;
}

static real x_of(const contest *at, int words, bool up) {
    const dpn_point *point = &at->point;
    real cells = point->exact ? limbs_real(&point->cell, 1, 0) : with_words(point->cell, at->x, words, up);
    return r_mul(cells, two_to(at->density.unit_exponent - point->cell_log2));
}

/* Of f(x) in units of y: (level + y) height 2^-drop. */
static real f_in_levels(const contest *at, real x) {
    real f = r_exp(r_neg(ref_psi(&at->reference, x)));
    return r_mul(r_div(f, r_num(at->point.height)), two_to(at->point.drop));
}

/* Words that make y agree with f(x) to so many of them; the next one is a coin, and above or below f as it falls. */
static void aim(contest *at, int words, draw_source *source) {
    real level = f_in_levels(at, x_of(at, WORDS, false)), rest;
    at->point.level = mpfr_get_uj(level, MPFR_RNDD);
    rest = r_sub(level, r_floor(level));
    for (int i = 0; i < WORDS; i++) {
        rest = r_mul(rest, two_to(64));
        uint64_t bits = mpfr_get_uj(rest, MPFR_RNDD);
        rest = r_sub(rest, r_floor(rest));
        at->y[i] = i < words                                     ? bits
                   : i == words && bits > 0 && bits < UINT64_MAX ? bits + (draw_chance(source, 0.5) ? 1 : UINT64_MAX)
                                                                 : draw_bits(source);
    }
}

/* The words in the order in which a point takes them. */
static size_t lay_tape(const contest *at, uint64_t *tape_word) {
    size_t n = 0;
    for (int i = 0; i < WORDS; i++) {
        tape_word[n++] = at->y[i];
        if (!at->point.exact) tape_word[n++] = at->x[i];
    }
    return n;
}

static void check_verdict(const contest *at, dpn_verdict verdict, int words, int least) {
    char text[DPN_LAW_TEXT_SIZE];
    if (words < least) fail_msg("%s was decided by %d words", dpn_law_print(text, &at->law), words);
    bool under = verdict == DPN_UNDER;
    if (!under && verdict != DPN_OVER) fail_msg("%s was not decided", dpn_law_print(text, &at->law));
    real level = f_in_levels(at, x_of(at, words, under)), y = with_words(at->point.level, at->y, words, under);
    if (under ? r_less(level, y) : r_less(y, level))
        fail_msg("%s: cell %llu is on the wrong side after %d words", dpn_law_print(text, &at->law),
                 (unsigned long long)at->point.cell, words);
}

/* A point of the sampler's own table, y within 2^-64 words of f. */
static void tie(const char *text, int grid_exponent, int words, draw_source *source) {
    static dpn_sampler sampler;
    contest at;
    dpn_error why;
    size_t mark = r_mark();
    at.law = law_of(text);
    reference_of(&at.reference, &at.law, 1200);
    if (dpn_sampler_make(&sampler, &at.law, grid_exponent, DPN_STRIPS_BITS, &why))
        fail_msg("%s: %s", text, why.sentence);
    at.density = sampler.strips.density;
    at.point = (dpn_point){
        .cell_log2 = sampler.layout.cells_log2, .exact = !sampler.layout.half, .height = sampler.strips.height};
    at.point.cell = draw_bits(source) % ((uint64_t)sampler.strips.strips << sampler.layout.cells_log2);
    if (draw_chance(source, 0.2)) at.point.drop = (int)(draw_bits(source) % 40); /* as in the tail */
    for (int i = 0; i < WORDS; i++) at.x[i] = i <= words ? draw_bits(source) : 0;
    aim(&at, words, source);
    bool flat = r_sign(f_in_levels(&at, x_of(&at, WORDS, false))) == 0; /* beyond the end of the law */
    uint64_t tape_word[2 * WORDS];
    tape source_tape;
    tape_begin(&source_tape, tape_word, lay_tape(&at, tape_word));
    dpn_verdict verdict = dpn_point_draw(&at.point, &at.density, &source_tape.rng);
    int taken = (int)tape_taken(&source_tape);
    check_verdict(&at, verdict, at.point.exact ? taken : taken / 2, flat ? 1 : words + 1);
    r_release(mark);
}

static void ties(void **state) {
    (void)state;
    draw_source source = {7};
    for (const test_law *at = test_laws; at->text; at++) {
        int rounds = strncmp(at->text, "subbotin", 8) == 0 ? 4 : 8;
        for (int n = 0; n < points(rounds, 10 * rounds); n++)
            tie(at->text, at->grid_exponent, (int)(draw_bits(&source) % 9), &source);
    }
}

/* ---- The hard way gives the same numbers from the same words ---- */

static void forced(void **state) {
    (void)state;
    enum { DRAWS = 4000 };
    static dpn_sampler sampler;
    static seeded usual, hard;
    static int64_t expected[DRAWS], steps[DRAWS];
    for (const test_law *at = test_laws; at->text; at++) {
        dpn_law law = law_of(at->text);
        size_t draws = (size_t)points(strncmp(at->text, "subbotin", 8) == 0 ? 500 : 2000, DRAWS);
        assert_int_equal(dpn_sampler_make(&sampler, &law, at->grid_exponent, 9, NULL),
                         DPN_OK); /* more of the points are unsure */
        seeded_begin(&usual, 11);
        seeded_begin(&hard, 11);
        assert_int_equal(dpn_sampler_draw(expected, &sampler, &usual.rng, draws, NULL), DPN_OK);
        sampler.strips.density.guard = INFINITY;
        assert_int_equal(dpn_sampler_draw(steps, &sampler, &hard.rng, draws, NULL), DPN_OK);
        for (size_t i = 0; i < draws; i++)
            if (steps[i] != expected[i])
                fail_msg("%s, draw %zu: %lld instead of %lld", at->text, i, (long long)steps[i],
                         (long long)expected[i]);
        assert_true(seeded_taken(&usual) == seeded_taken(&hard));
    }
}

/* After all the bits that wide numbers hold, no verdict: y = f exactly, here at the top of exp(-0) = 1. */
static void undecided(void **state) {
    (void)state;
    dpn_law law = law_of("laplace(scale=1)");
    dpn_density density;
    assert_true(dpn_density_make(&density, &law, 0));
    uint64_t zeros[2 * WORDS] = {0}, ones[2 * WORDS];
    for (int i = 0; i < 2 * WORDS; i++) ones[i] = i % 2 ? 0 : UINT64_MAX; /* y just below 1, x just above 0 */
    dpn_point point = {.height = 1};
    tape source_tape;
    tape_begin(&source_tape, ones, 2 * WORDS);
    assert_int_equal(dpn_point_draw(&point, &density, &source_tape.rng), DPN_UNDECIDED);
    assert_int_equal(tape_taken(&source_tape), 2 * WORDS);
    tape_begin(&source_tape, ones, 2 * WORDS - 1);
    assert_int_equal(dpn_point_draw(&point, &density, &source_tape.rng), DPN_NO_ENTROPY);
    tape_begin(&source_tape, zeros, 2 * WORDS);
    assert_int_equal(dpn_point_draw(&point, &density, &source_tape.rng), DPN_UNDER);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(ties),
        cmocka_unit_test(forced),
        cmocka_unit_test(undecided),
    };
    int failed = cmocka_run_group_tests(tests, NULL, NULL);
    r_free_all();
    return failed;
}
