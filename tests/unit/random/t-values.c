/* Draws as doubles are the draws in steps times the grid, exactly. */
#include "random/sampler.h"
#include "unit/random/laws.h"
#include "unit/random/seeded.h"
#include "unit/random/tape.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

enum { MOST = 1300 };

static void same(const dpn_sampler *sampler, int grid_exponent, size_t count, uint64_t seed) {
    static seeded one, two;
    int64_t steps[MOST];
    double value[MOST + 1];
    seeded_begin(&one, seed);
    seeded_begin(&two, seed);
    value[count] = 0.125;
    assert_int_equal(dpn_sampler_draw(steps, sampler, &one.rng, count, NULL), DPN_OK);
    assert_int_equal(dpn_sampler_values(value, sampler, &two.rng, count, NULL), DPN_OK);
    for (size_t i = 0; i < count; i++) {
        assert_true(llabs(steps[i]) < (int64_t)1 << 53);
        assert_true(value[i] == ldexp((double)steps[i], grid_exponent) && !(value[i] == 0 && signbit(value[i])));
        assert_true(ldexp(value[i], -grid_exponent) == (double)steps[i]); /* nothing was lost */
    }
    assert_true(value[count] == 0.125);
}

static void values_are_steps_times_the_grid(void **state) {
    (void)state;
    static const size_t counts[] = {0, 1, 511, 512, 513, 1024, MOST};
    for (const test_law *at = test_laws; at->text; at++) {
        dpn_law law = law_of(at->text);
        dpn_sampler *sampler;
        assert_int_equal(dpn_sampler_new(&sampler, &law, at->grid_exponent, NULL), DPN_OK);
        for (size_t i = 0; i < sizeof counts / sizeof *counts; i++) same(sampler, at->grid_exponent, counts[i], 40 + i);
        dpn_sampler_free(sampler);
    }
}

/* As fine and as coarse as laws and doubles go. */
static void grids_at_the_ends(void **state) {
    (void)state;
    static const struct {
        const char *law;
        int grid_exponent;
        dpn_status status;
    } rows[] = {{"laplace(scale=1e-150)", -540, DPN_OK},
                {"laplace(scale=1e150)", 460, DPN_OK},
                {"laplace(scale=1)", 960, DPN_OK},
                {"laplace(scale=1)", 961, DPN_EDOMAIN},
                {"laplace(scale=1)", 1100, DPN_EDOMAIN}};
    static seeded source;
    seeded_begin(&source, 7);
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        dpn_law law = law_of(rows[i].law);
        dpn_sampler *sampler;
        double value = 0.5;
        assert_int_equal(dpn_sampler_new(&sampler, &law, rows[i].grid_exponent, NULL), DPN_OK);
        assert_int_equal(dpn_sampler_values(&value, sampler, &source.rng, 1, NULL), rows[i].status);
        if (rows[i].status) assert_true(value == 0.5);
        if (!rows[i].status) same(sampler, rows[i].grid_exponent, 600, i);
        dpn_sampler_free(sampler);
    }
}

/* No number leaves if the source ends, whether in the first batch or in a later one. */
static void no_entropy(void **state) {
    (void)state;
    enum { WORDS = 2000 };
    static const size_t ends[] = {0, 1, 500, 700, 1200};
    static uint64_t word[WORDS];
    static dpn_sampler sampler;
    dpn_law law = law_of("laplace(scale=1)");
    draw_source bits = {3};
    double value[MOST];
    tape source;
    for (int i = 0; i < WORDS; i++) word[i] = draw_bits(&bits);
    assert_int_equal(dpn_sampler_make(&sampler, &law, -10, DPN_STRIPS_BITS, NULL), DPN_OK);
    for (size_t k = 0; k < sizeof ends / sizeof *ends; k++) {
        memset(value, 0x3f, sizeof value);
        tape_begin(&source, word, ends[k]);
        assert_int_equal(dpn_sampler_values(value, &sampler, &source.rng, MOST, NULL), DPN_EENTROPY);
        for (int i = 0; i < MOST; i++) assert_true(value[i] == 0);
    }
    assert_int_equal(dpn_sampler_values(NULL, &sampler, &source.rng, 1, NULL), DPN_EDOMAIN);
    assert_int_equal(dpn_sampler_values(value, NULL, &source.rng, 1, NULL), DPN_EDOMAIN);
    assert_int_equal(dpn_sampler_values(value, &sampler, NULL, 1, NULL), DPN_EDOMAIN);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(values_are_steps_times_the_grid),
        cmocka_unit_test(grids_at_the_ends),
        cmocka_unit_test(no_entropy),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
