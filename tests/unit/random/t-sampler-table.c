/* The table of a sampler, read back and held against the reference: the staircase lies above f everywhere, the slots
 * that are accepted unseen lie under f, the tail halves as claimed, and the slots of each strip are as many as its
 * height says. */
#include "random/sampler.h"
#include "reference/draw.h"
#include "unit/random/laws.h"
#include "unit/points.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

typedef struct view {
    dpn_law law;
    ref_law reference;
    const dpn_strips *strips;
    int slots[DPN_STRIPS_MOST + 3], sure[DPN_STRIPS_MOST + 3]; /* of each strip, of the tail, of nothing */
} view;

/* f at a place in strips; the sampler's staircase with gamma = 0 is that with gamma = 1. */
static real f_at(const view *at, double x) {
    return r_exp(r_neg(ref_psi(&at->reference, r_num(ldexp(x, at->strips->density.unit_exponent)))));
}

static void look(view *at) {
    memset(at->slots, 0, sizeof at->slots);
    memset(at->sure, 0, sizeof at->sure);
    int previous = 0;
    for (int slot = 0; slot < 1 << at->strips->bits; slot++) {
        int entry = at->strips->slot[slot], strip = entry & ~DPN_STRIPS_UNSURE;
        assert_true(strip >= previous && strip <= at->strips->strips + 1);
        if (strip < at->strips->strips && at->slots[strip] == 0) assert_int_equal(at->strips->first[strip], slot);
        if (!(entry & DPN_STRIPS_UNSURE)) {
            assert_int_equal(at->sure[strip], at->slots[strip]); /* the sure ones come first, that is lowest */
            at->sure[strip]++;
        }
        at->slots[strip]++;
        previous = strip;
    }
    assert_int_equal(at->sure[at->strips->strips], 0);
    assert_int_equal(at->sure[at->strips->strips + 1], 0);
}

static void check_strips(const view *at) {
    bool integer = dpn_law_is_integer(&at->law);
    double last = integer ? 1 - ldexp(1, -at->strips->density.unit_exponent) : 1;
    for (int i = 0; i < at->strips->strips; i++) {
        size_t mark = r_mark();
        real height = r_times(r_num(at->strips->height), at->slots[i]),
             sure = r_times(r_num(at->strips->height), at->sure[i]);
        double share = integer && i == 0 && last == 0 ? 0.5 : 1; /* 0 is drawn with both signs */
        if (r_less(height, r_times(f_at(at, i), share))) fail_msg("strip %d: the staircase is below f", i);
        if (r_less(r_times(f_at(at, i + last), share), sure))
            fail_msg("strip %d: a slot that is sure is not under f", i);
        r_release(mark);
    }
}

/* The first pieces of the tail, by the definition: c 2^-j at the left end of each, and area. */
static void check_tail(const view *at) {
    const dpn_strips *strips = at->strips;
    int tail = at->slots[strips->strips];
    double step = ldexp(1, strips->tail_log2);
    if (tail == 0) {
        assert_true(r_sign(f_at(at, strips->strips)) == 0);
        return;
    }
    assert_true(tail == ldexp(1, strips->tail_log2 + 1 - strips->tail_drop));
    for (int j = 0; j < 20; j++) {
        size_t mark = r_mark();
        real height = r_num(ldexp(strips->height, -strips->tail_drop - j));
        if (r_less(height, f_at(at, strips->strips + j * step))) fail_msg("piece %d of the tail is below f", j);
        r_release(mark);
    }
}

static void check(const char *text, int grid_exponent, int bits) {
    static dpn_sampler sampler;
    static view at;
    dpn_error why;
    size_t mark = r_mark();
    at.law = law_of(text);
    reference_of(&at.reference, &at.law, 0);
    if (dpn_sampler_make(&sampler, &at.law, grid_exponent, bits, &why)) fail_msg("%s: %s", text, why.sentence);
    at.strips = &sampler.strips;
    look(&at);
    check_strips(&at);
    check_tail(&at);
    r_release(mark);
}

static void listed_laws(void **state) {
    (void)state;
    for (const test_law *at = test_laws; at->text; at++) {
        check(at->text, at->grid_exponent, DPN_STRIPS_BITS);
        check(at->text, at->grid_exponent, 6);
    }
}

static bool is_staircase(const char *family) {
    return strcmp(family, "staircase") == 0;
}

/* Laws drawn from their whole domains. All but some staircases have a table. */
static void random_laws(void **state) {
    (void)state;
    static dpn_strips strips;
    static view at;
    for (size_t f = 0; dpn_family_name(f); f++) {
        draw_source source = {100 + f};
        const char *family = dpn_family_name(f);
        const struct ref_family *row = ref_find(family);
        for (int n = 0; n < points(12, 120); n++) {
            size_t mark = r_mark();
            double parameter[DPN_LAW_PARAMETERS];
            char text[DPN_LAW_TEXT_SIZE];
            row->draw(&source, parameter);
            if (dpn_law_make(&at.law, family, parameter, (size_t)row->parameters, NULL)) continue;
            bool made = dpn_strips_make(&strips, &at.law, DPN_STRIPS_BITS);
            if (!made && !is_staircase(family)) fail_msg("%s has no table", dpn_law_print(text, &at.law));
            if (made) {
                at.strips = &strips;
                reference_of(&at.reference, &at.law, 0);
                look(&at);
                check_strips(&at);
                check_tail(&at);
            }
            r_release(mark);
        }
    }
}

/* The finest grid is the one on which a word still holds slot, sign and cell, another the cell of a piece of the tail, and on which all but 2^-200 of the draws have less than
 * 2^61 steps. On every coarser one cells are half steps. */
static void the_finest_grids(void **state) {
    (void)state;
    static const char *const texts[] = {"gaussian(sigma=1)",
                                        "gaussian(sigma=0.7)",
                                        "laplace(scale=1)",
                                        "logistic(scale=3)",
                                        "subbotin(p=1.5,scale=1)",
                                        "flipped-huber(alpha=3,gamma=1)",
                                        "truncated-laplace(scale=1,bound=9)"};
    static dpn_sampler sampler;
    for (size_t k = 0; k < sizeof texts / sizeof *texts; k++)
        for (int bits = 6; bits <= DPN_STRIPS_BITS; bits += 4) {
            dpn_law law = law_of(texts[k]);
            int grid = 20, unit;
            for (; dpn_sampler_make(&sampler, &law, grid, bits, NULL) == DPN_OK; grid--) {
                unit = sampler.strips.density.unit_exponent;
                const dpn_layout layout = sampler.layout;
                assert_true(layout.slot_bits == bits && layout.half == 1 && layout.both_zeros == 1);
                assert_int_equal(layout.cells_log2 - layout.coarse, unit - grid + 1);
                assert_true(layout.cells_log2 == 0 || layout.coarse == 0);
                assert_true(layout.slot_bits + 1 + layout.cells_log2 <= 64);
                assert_true(sampler.strips.tail_log2 + layout.cells_log2 <= 62);
                assert_true(dpn_law_log_sf(&law, ldexp(1, grid + 61)) < -200 * 0.6931471805599453);
                assert_int_equal(sampler.grid_exponent, grid);
                assert_true(grid > -100);
            }
            unit = sampler.strips.density.unit_exponent;
            bool fits = bits + 1 + unit - grid + 1 <= 64 && sampler.strips.tail_log2 + unit - grid + 1 <= 62;
            if (fits && dpn_law_log_sf(&law, ldexp(1, grid + 61)) < -141)
                fail_msg("%s: the grid 2^%d is refused", texts[k], grid);
            assert_true(grid < -20);
        }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(listed_laws),
        cmocka_unit_test(random_laws),
        cmocka_unit_test(the_finest_grids),
    };
    int failed = cmocka_run_group_tests(tests, NULL, NULL);
    r_free_all();
    return failed;
}
