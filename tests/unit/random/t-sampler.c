/* Samplers as a caller sees them: what they refuse, and that a failing source gives no number. */
#define _DEFAULT_SOURCE /* setrlimit, fork */
#include "random/sampler.h"
#include "unit/random/laws.h"
#include "unit/random/seeded.h"
#include "unit/random/tape.h"
#include "unit/points.h"

#include <limits.h>
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cmocka.h>

static void refuse(const char *text, int grid_exponent, dpn_status expected) {
    dpn_law law = law_of(text);
    dpn_sampler *sampler = NULL;
    dpn_error why;
    dpn_status got = dpn_sampler_new(&sampler, &law, grid_exponent, &why);
    if (got != expected)
        fail_msg("%s on 2^%d: %s instead of %s", text, grid_exponent, dpn_status_name(got), dpn_status_name(expected));
    assert_int_equal(why.status, expected);
    assert_true(strlen(why.sentence) > 10);
    assert_null(sampler);
    assert_int_equal(dpn_sampler_new(&sampler, &law, grid_exponent, NULL), expected);
}

static void accept(const char *text, int grid_exponent) {
    dpn_law law = law_of(text);
    dpn_sampler *sampler;
    dpn_error why;
    if (dpn_sampler_new(&sampler, &law, grid_exponent, &why))
        fail_msg("%s on 2^%d: %s", text, grid_exponent, why.sentence);
    dpn_sampler_free(sampler);
}

static void refusals(void **state) {
    (void)state;
    refuse("discrete-gaussian(sigma=1)", -1, DPN_EDOMAIN);
    refuse("gaussian(sigma=1)", 1101, DPN_EDOMAIN);
    refuse("gaussian(sigma=1)", INT_MIN, DPN_EDOMAIN);
    refuse("gaussian(sigma=1e150)", -1074, DPN_EDOMAIN);
    refuse("staircase(epsilon=230.26,sensitivity=1,gamma=1e-100)", 0, DPN_EUNSUPPORTED);
    refuse("staircase(epsilon=300,sensitivity=1,gamma=1e-100)", 0, DPN_EUNSUPPORTED);
    accept("staircase(epsilon=8,sensitivity=1,gamma=1e-100)", 0);
    accept("staircase(epsilon=20,sensitivity=1,gamma=3e-9)", 0);
    accept("gaussian(sigma=1e-150)", 1000);
    accept("gaussian(sigma=1e-150)", -500);
    accept("staircase(epsilon=40,sensitivity=1,gamma=2e-9)", -40);
    assert_int_equal(dpn_sampler_new(NULL, NULL, 0, NULL), DPN_EDOMAIN);
    dpn_sampler_free(NULL);
}

/* As fine a grid as the header says and no finer; within 1% of 2^-200 either will do. */
static void finest_grids(void **state) {
    (void)state;
    for (const test_law *at = test_laws; at->text; at++) {
        dpn_law law = law_of(at->text);
        if (dpn_law_is_integer(&law)) continue;
        int median = ilogb(dpn_law_isf(&law, 0.25));
        for (int grid = median - 60; grid < median - 40; grid++) {
            double log2_beyond = dpn_law_log_sf(&law, ldexp(1, grid + 61)) / log(2);
            if (median - grid > 53 || log2_beyond > -199)
                refuse(at->text, grid, DPN_EDOMAIN);
            else if (log2_beyond < -203)
                accept(at->text, grid);
        }
    }
}

/* Far below its grid a law is 0; a try may still need more than one word. */
static void coarse_grid(void **state) {
    (void)state;
    static seeded source;
    seeded_begin(&source, 5);
    dpn_law law = law_of("laplace(scale=1e-100)");
    dpn_sampler *sampler;
    int64_t steps[1000];
    assert_int_equal(dpn_sampler_new(&sampler, &law, 0, NULL), DPN_OK);
    assert_int_equal(dpn_sampler_draw(steps, sampler, &source.rng, 1000, NULL), DPN_OK);
    for (int i = 0; i < 1000; i++) assert_true(steps[i] == 0);
    assert_int_equal(dpn_sampler_draw(NULL, sampler, &source.rng, 0, NULL), DPN_OK);
    assert_int_equal(dpn_sampler_draw(NULL, sampler, &source.rng, 1, NULL), DPN_EDOMAIN);
    assert_int_equal(dpn_sampler_draw(steps, NULL, &source.rng, 1, NULL), DPN_EDOMAIN);
    assert_int_equal(dpn_sampler_draw(steps, sampler, NULL, 1, NULL), DPN_EDOMAIN);
    dpn_sampler_free(sampler);
}

/* Laws from their whole domains on grids from far too fine to far too coarse: what is accepted draws numbers that are
 * not larger than a law of a thousand billion draws would show. */
static void any_law_and_grid(void **state) {
    (void)state;
    enum { DRAWS = 100 };
    static seeded source;
    seeded_begin(&source, 21);
    for (size_t f = 0; dpn_family_name(f); f++) {
        draw_source parameters = {200 + f};
        const struct ref_family *row = ref_find(dpn_family_name(f));
        int accepted = 0;
        for (int n = 0; n < points(100, 1000); n++) {
            double parameter[DPN_LAW_PARAMETERS];
            dpn_law law;
            row->draw(&parameters, parameter);
            if (dpn_law_make(&law, row->name, parameter, (size_t)row->parameters, NULL)) continue;
            int grid = row->integer ? 0 : ilogb(dpn_law_isf(&law, 0.25)) + 80 - (int)(draw_bits(&parameters) % 160);
            dpn_sampler *sampler;
            if (dpn_sampler_new(&sampler, &law, grid, NULL)) continue;
            int64_t steps[DRAWS];
            accepted++;
            assert_int_equal(dpn_sampler_draw(steps, sampler, &source.rng, DRAWS, NULL), DPN_OK);
            double largest = dpn_law_isf(&law, 1e-12) + 0.5 * ldexp(1, grid);
            for (int i = 0; i < DRAWS; i++)
                if (!(ldexp(fabs((double)steps[i]), grid) <= largest * 1.001))
                    fail_msg("%s drew %g", row->name, (double)steps[i]);
            dpn_sampler_free(sampler);
        }
        assert_true(accepted > points(100, 1000) / 5);
    }
}

/* The source ends after k words, for every k that leaves the draws unfinished: no number, then and later. */
static void no_entropy(void **state) {
    (void)state;
    enum { DRAWS = 60, WORDS = 2000 };
    static uint64_t word[WORDS];
    for (const test_law *at = test_laws; at->text; at++) {
        static dpn_sampler sampler;
        draw_source bits = {3};
        dpn_law law = law_of(at->text);
        int64_t steps[DRAWS];
        dpn_error why;
        tape source;
        for (int i = 0; i < WORDS; i++) word[i] = draw_bits(&bits);
        assert_int_equal(dpn_sampler_make(&sampler, &law, at->grid_exponent, 7, NULL), DPN_OK);
        tape_begin(&source, word, WORDS);
        assert_int_equal(dpn_sampler_draw(steps, &sampler, &source.rng, DRAWS, NULL), DPN_OK);
        size_t taken = tape_taken(&source);
        assert_true(taken > DRAWS && taken < WORDS);
        for (size_t k = 0; k < taken; k++) {
            memset(steps, 0xa5, sizeof steps);
            tape_begin(&source, word, k);
            assert_int_equal(dpn_sampler_draw(steps, &sampler, &source.rng, DRAWS, &why), DPN_EENTROPY);
            assert_int_equal(why.status, DPN_EENTROPY);
            for (int i = 0; i < DRAWS; i++) assert_true(steps[i] == 0);
            assert_int_equal(dpn_sampler_draw(steps, &sampler, &source.rng, 1, NULL), DPN_EENTROPY);
        }
    }
}

static uint64_t tail_slot(const dpn_sampler *sampler) {
    uint64_t slot = 0;
    while ((sampler->strips.slot[slot] & ~DPN_STRIPS_UNSURE) != sampler->strips.strips) slot++;
    return slot;
}

/* Zeros for ever in the tail ask for its next piece for ever: that ends as the source does, or as an error. */
static void zeros(void **state) {
    (void)state;
    static dpn_sampler sampler;
    static uint64_t word[40000];
    dpn_law law = law_of("laplace(scale=1)");
    assert_int_equal(dpn_sampler_make(&sampler, &law, -40, DPN_STRIPS_BITS, NULL), DPN_OK);
    word[0] = tail_slot(&sampler);
    tape source;
    int64_t steps = 7;
    tape_begin(&source, word, 40);
    assert_int_equal(dpn_sampler_draw(&steps, &sampler, &source.rng, 1, NULL), DPN_EENTROPY);
    assert_true(steps == 0 && tape_taken(&source) == 40);
    steps = 7;
    tape_begin(&source, word, 40000);
    assert_int_equal(dpn_sampler_draw(&steps, &sampler, &source.rng, 1, NULL), DPN_EACCURACY);
    assert_true(steps == 0);
}

/* Beyond 2^63 steps the ends of int64_t stand for all numbers. With this scale a piece of the tail, 1 long, is hardly
 * longer than needed, so that points of the piece number j + 1 near 1024 = 2^63 g are drawn if y is small. */
static void ends(void **state) {
    (void)state;
    static dpn_sampler sampler;
    dpn_law law = law_of("laplace(scale=1.43)");
    assert_int_equal(dpn_sampler_make(&sampler, &law, -53, DPN_STRIPS_BITS, NULL), DPN_OK);
    double start = ldexp(sampler.strips.strips, sampler.strips.density.unit_exponent);
    assert_true(ldexp(1, sampler.strips.tail_log2 + sampler.strips.density.unit_exponent) == 1);
    for (int negative = 0; negative < 2; negative++) {
        for (int piece = 1000; piece < 1040; piece++) {
            uint64_t word[40] = {0};
            int at = 0;
            word[at++] = tail_slot(&sampler) | (uint64_t)negative << DPN_STRIPS_BITS;
            at += piece / 64;
            word[at++] = UINT64_C(1) << piece % 64;
            word[at++] = UINT64_C(1) << 63; /* half of the piece */
            word[at++] = UINT64_C(1) << 40; /* y */
            tape source;
            int64_t steps;
            tape_begin(&source, word, 40);
            assert_int_equal(dpn_sampler_draw(&steps, &sampler, &source.rng, 1, NULL), DPN_OK);
            double expected = ldexp(start + piece + 0.5, 53);
            if (expected >= 0x1p63)
                assert_true(steps == (negative ? INT64_MIN : INT64_MAX));
            else
                assert_true((double)steps == (negative ? -expected : expected));
        }
    }
}

#if defined(__has_feature)
#if __has_feature(address_sanitizer)
#define SANITIZED
#endif
#elif defined(__SANITIZE_ADDRESS__)
#define SANITIZED
#endif

#ifndef SANITIZED
/* In a process without any memory left; a sanitizer would not bear it. */
static void no_memory(void **state) {
    (void)state;
    pid_t child = fork();
    assert_true(child >= 0);
    if (child == 0) {
        dpn_law law = law_of("gaussian(sigma=1)");
        dpn_sampler *sampler = NULL;
        dpn_error why;
        if (setrlimit(RLIMIT_AS, &(struct rlimit){0, 0})) _exit(2);
        for (size_t size = 1 << 20; size > 1000; size /= 2) {
            void *volatile taken; /* or the compiler would leave the calls out */
            do taken = malloc(size);
            while (taken);
        }
        dpn_status status = dpn_sampler_new(&sampler, &law, 0, &why);
        _exit(status == DPN_ENOMEM && why.status == DPN_ENOMEM && sampler == NULL ? 0 : 1);
    }
    int result;
    assert_true(waitpid(child, &result, 0) == child);
    assert_true(WIFEXITED(result) && WEXITSTATUS(result) == 0);
}
#endif

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(refusals),         cmocka_unit_test(finest_grids), cmocka_unit_test(coarse_grid),
        cmocka_unit_test(no_entropy),       cmocka_unit_test(zeros),
#ifndef SANITIZED
        cmocka_unit_test(no_memory),
#endif
        cmocka_unit_test(any_law_and_grid), cmocka_unit_test(ends),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
