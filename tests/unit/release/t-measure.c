/* The grid of a column and the bounds of its sums, against their definitions: steps in long integers, the sums of all rows at the ends of the
 * bounds. Also the columns, measures and moments of a query: each is there once. */
#include "release/compile/measure.h"
#include "release/compile/moments.h"

#include "reference/draw.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

static dpn_measure measured(const char *lower, const char *upper, bool from_zero) {
    dpn_measure made;
    dpn_error why;
    if (dpn_measure_make(&made, 3, lower, upper, from_zero, &why)) fail_msg("%s %s: %s", lower, upper, why.sentence);
    assert_int_equal(made.column, 3);
    return made;
}

/* ---- Grids ---- */

/* The exponent nearest to 0 that leaves 2^18 to 2^25 steps. */
static int nearest_exponent(double size) {
    for (int e = 0; e < 400; e++) {
        if (ldexp(size, -e) >= 0x1p18 && ldexp(size, -e) < 0x1p25) return e;
        if (ldexp(size, e) >= 0x1p18 && ldexp(size, e) < 0x1p25) return -e;
    }
    fail_msg("no grid for %g", size);
    return 0;
}

/* Bounds that are doubles, written in full, so that they are either steps or not. */
static void check_measure(double low, double high, bool from_zero) {
    char lower[1200], upper[1200];
    snprintf(lower, sizeof lower, "%.60f", low);
    snprintf(upper, sizeof upper, "%.60f", high);
    dpn_measure made = measured(lower, upper, from_zero);
    double size = from_zero ? fmax(fmax(fabs(low), fabs(high)), high - low) : high - low;
    assert_int_equal(made.exponent, nearest_exponent(size));
    double first = ldexp(low, -made.exponent), last = ldexp(high, -made.exponent);
    double least = (double)made.lower, most = (double)made.upper;
    assert_true(least <= first && least > first - 2 && most >= last && most < last + 3);
    if (first == floor(first)) assert_true(least == first);
    if (last == floor(last)) assert_true(most == last || (most == last + 1 && fmod(most - 1 - least, 2) != 0));
    assert_true(made.middle - made.lower == made.upper - made.middle && made.upper > made.lower);
    assert_true(made.upper - made.lower <= (int64_t)1 << 26);
}

static void grids_have_as_many_steps_as_are_told(void **state) {
    (void)state;
    draw_source source = {1};
    for (int i = 0; i < 3000; i++) {
        double size = ldexp(1 + floor(draw_uniform(&source, 0, 64)) / 64, (int)draw_uniform(&source, -40, 33));
        double low = draw_chance(&source, 0.3) ? 0 : size * floor(draw_uniform(&source, -40, 40)) / 16;
        if (draw_chance(&source, 0.3)) low += size * draw_uniform(&source, -1, 1);
        check_measure(low, low + size, draw_chance(&source, 0.5));
    }
    for (int e = -30; e <= 39; e++) /* where the exponent changes */
        for (int side = -1; side <= 1; side++) check_measure(0, ldexp(1 + side * 0x1p-40, e), side == 0);
    check_measure(-0x1p24, 0x1p24 - 1, false);
    check_measure(-0x1p24, 0x1p24, false);
    check_measure(-5, -4, true);
    check_measure(4, 5, true);
}

/* 2^60 steps from 0 are the most, on either side; sizes from 2^-82 to 2^39 have a grid. */
static void limits_of_bounds(void **state) {
    (void)state;
    static const struct {
        const char *lower, *upper;
        dpn_status status;
        const char *part;
    } some[] = {
        {"1152921504606584832", "1152921504606846976", DPN_OK, ""},
        {"1152921504606584832", "1152921504606847232", DPN_EDOMAIN, "the bounds are too close together"},
        {"-1152921504606846976", "-1152921504606584832", DPN_OK, ""},
        {"-1152921504606847232", "-1152921504606584832", DPN_EDOMAIN, "the bounds are too close together"},
        {"0", "549755813887", DPN_OK, ""},           /* 2^39 - 1: 2^14 a step */
        {"0", "1099511627776", DPN_EDOMAIN, "unit"}, /* 2^40: 2^16 */
        {"0", "549755813888", DPN_OK, ""},           /* 2^39: 2^15 */
        {"1", "1", DPN_EDOMAIN, "the bound 1 is not below 1"},
        {"2", "1", DPN_EDOMAIN, "the bound 2 is not below 1"},
        {"x", "1", DPN_EPARSE, ""},
        {"0", "y", DPN_EPARSE, ""},
    };
    for (size_t i = 0; i < sizeof some / sizeof *some; i++) {
        dpn_measure made = {.column = 77};
        dpn_error why = {DPN_OK, ""};
        dpn_status status = dpn_measure_make(&made, 1, some[i].lower, some[i].upper, false, &why);
        if (status != some[i].status) fail_msg("%s: %d %s", some[i].upper, (int)status, why.sentence);
        if (status) assert_true(made.column == 77 && strstr(why.sentence, some[i].part));
    }
    char text[60];
    for (int e = -140; e <= 60; e++) { /* the exponent of the grid is within a quarter of what it may be */
        dpn_measure made;
        dpn_error why;
        snprintf(text, sizeof text, "%.40g", ldexp(1, e));
        int grid = e < 18 ? e - 18 : e > 24 ? e - 24 : 0;
        dpn_status expected = grid < -100 || grid > 15 ? DPN_EDOMAIN : DPN_OK;
        assert_int_equal(dpn_measure_make(&made, 0, "0", text, false, &why), expected);
    }
}

/* ---- Moments ---- */

static dpn_query *some_query(void) {
    dpn_query *query = calloc(1, sizeof *query);
    assert_non_null(query);
    return query;
}

static void put_measure(dpn_query *query, dpn_measure made) {
    dpn_measure *room = realloc(query->measure, (query->measures + 1) * sizeof *room);
    assert_non_null(room);
    query->measure = room;
    room[query->measures++] = made;
}

static int64_t value_size(int64_t value, int64_t offset) {
    return llabs(value - offset);
}

/* The product of steps about the middles, in steps of 2^shift, half way up. */
static int64_t product_in(int64_t a, int64_t b, int shift) {
    __extension__ typedef __int128 wide;
    wide twice = (wide)a * b * 2 + ((wide)1 << shift), unit = (wide)2 << shift;
    return (int64_t)(twice >= 0 ? twice / unit : -((-twice + unit - 1) / unit));
}

static void bounds_of_sums_are_the_largest_terms(void **state) {
    (void)state;
    draw_source source = {2};
    for (int i = 0; i < 3000; i++) {
        dpn_query *query = some_query();
        dpn_error why;
        size_t index;
        for (size_t m = 0; m < 2; m++) {
            int64_t lower = (int64_t)draw_uniform(&source, -0x1p30, 0x1p30);
            int64_t half = (int64_t)draw_log_uniform(&source, 1, 0x1p25);
            if (draw_chance(&source, 0.1)) half = (int64_t)1 << (int)draw_uniform(&source, 0, 25.99);
            put_measure(query, (dpn_measure){0, -3 + (int)m, lower, lower + 2 * half, lower + half});
            for (int centred = 0; centred < 2; centred++) {
                assert_int_equal(dpn_find_value(&index, query, m, centred, &why), DPN_OK);
                const dpn_moment *made = &query->moment[index];
                int64_t at_low = value_size(lower, made->offset), at_high = value_size(lower + 2 * half, made->offset);
                assert_true(made->kind == DPN_MOMENT_VALUE && made->a == m && made->exponent == -3 + (int)m);
                assert_true(made->offset == (centred ? lower + half : 0));
                assert_true(made->bound == (at_low > at_high ? at_low : at_high));
            }
        }
        for (size_t a = 0; a < 2; a++)
            for (size_t b = a; b < 2; b++) {
                assert_int_equal(dpn_find_product(&index, query, a, b, &why), DPN_OK);
                const dpn_moment *made = &query->moment[index];
                const dpn_measure *x = &query->measure[a], *y = &query->measure[b];
                int64_t p = x->upper - x->middle, q = y->upper - y->middle, bound = 0;
                assert_true(made->kind == DPN_MOMENT_PRODUCT && made->a == a && made->b == b);
                assert_true(made->exponent == x->exponent + y->exponent + made->shift);
                assert_true(ldexp((double)p * (double)q, -made->shift) < 0x1p25);
                assert_true(made->shift == 0 || ldexp((double)p * (double)q, 1 - made->shift) >= 0x1p25);
                assert_true(a == b || made->offset == 0);
                for (int corner = 0; corner < (a == b ? 2 : 4); corner++) {
                    int64_t u = corner & 1 ? p : a == b ? 0 : -p, v = a == b ? u : corner & 2 ? q : -q;
                    int64_t size = llabs(product_in(u, v, made->shift) - made->offset);
                    if (size > bound) bound = size;
                }
                assert_true(made->bound >= bound && made->bound <= bound + 1);
                if (made->shift == 0 && a != b) assert_true(made->bound == bound);
            }
        free(query->measure);
        free(query->moment);
        free(query);
    }
}

/* The largest product of a grid, which is just below a power of two or is one, is not rounded beyond the bound. */
static void squares_on_the_edge(void **state) {
    (void)state;
    for (int64_t half = 1; half < (int64_t)1 << 25; half = half < 40 ? half + 1 : half * 2) {
        for (int64_t other = half - (half > 1); other <= half + 1; other++) {
            dpn_query *query = some_query();
            dpn_error why;
            size_t index;
            put_measure(query, (dpn_measure){0, 0, -other, other, 0});
            assert_int_equal(dpn_find_product(&index, query, 0, 0, &why), DPN_OK);
            const dpn_moment *made = &query->moment[index];
            int64_t top = product_in(other, other, made->shift);
            assert_true(top - made->offset <= made->bound && made->offset <= made->bound);
            assert_true(made->bound <= top / 2 + 1 && made->offset >= top / 2);
            if (made->shift == 0) assert_true(made->bound == (top + 1) / 2);
            free(query->measure);
            free(query->moment);
            free(query);
        }
    }
}

/* ---- Once each ---- */

static void each_is_there_once(void **state) {
    (void)state;
    dpn_query *query = some_query();
    dpn_error why;
    size_t index;
    static const char *const names[] = {"a", "b", "a", "c", "b", "c"};
    static const size_t places[] = {0, 1, 0, 2, 1, 2};
    for (size_t i = 0; i < 6; i++) {
        assert_int_equal(dpn_find_column(&index, query, names[i], &why), DPN_OK);
        assert_true(index == places[i] && strcmp(query->column[index], names[i]) == 0);
    }
    assert_int_equal(query->columns, 3);

    const dpn_moment one = {
        .kind = DPN_MOMENT_PRODUCT, .a = 1, .b = 1, .shift = 3, .exponent = 4, .offset = 5, .bound = 6};
    dpn_moment several[] = {one, one, one, one, one};
    several[1].kind = DPN_MOMENT_VALUE;
    several[2].a = 0;
    several[3].b = 2;
    several[4].offset = -5;
    for (int again = 0; again < 2; again++)
        for (size_t i = 0; i < 5; i++) {
            assert_int_equal(dpn_find_moment(&index, query, several[i], &why), DPN_OK);
            assert_true(index == i && memcmp(&query->moment[i].kind, &several[i].kind, sizeof one.kind) == 0);
            assert_true(query->moment[i].a == several[i].a && query->moment[i].offset == several[i].offset);
        }
    assert_int_equal(query->moments, 5);
    assert_int_equal(dpn_find_rows(&index, query, &why), DPN_OK);
    const dpn_moment *rows = &query->moment[index];
    assert_true(index == 5 && rows->kind == DPN_MOMENT_ROWS && rows->bound == 1 && rows->exponent == 0 &&
                !rows->offset);

    char name[] = "x", other[] = "y", low[] = "0", high[] = "1", above[] = "2", below[] = "-1", wide[] = "100000000";
    const struct {
        char *column, *lower, *upper;
        size_t index;
    } some[] = {{name, low, high, 0},  {other, low, high, 1}, {name, low, above, 2}, {name, below, high, 3},
                {other, low, high, 1}, {name, low, high, 0},  {name, low, wide, 4}};
    for (size_t i = 0; i < sizeof some / sizeof *some; i++) {
        char *column = some[i].column, *lower = some[i].lower, *upper = some[i].upper;
        dpn_statistic statistic = {.column = &column, .lower = &lower, .upper = &upper, .columns = 1};
        assert_int_equal(dpn_find_measure(&index, query, &statistic, 0, false, &why), DPN_OK);
        assert_true(index == some[i].index && strcmp(query->column[query->measure[index].column], column) == 0);
    }
    assert_int_equal(query->measures, 5);
    char *column = name, *lower = high, *upper = low;
    dpn_statistic wrong = {.column = &column, .lower = &lower, .upper = &upper, .columns = 1};
    assert_int_equal(dpn_find_measure(&index, query, &wrong, 0, false, &why), DPN_EDOMAIN);
    assert_string_equal(why.sentence, "column 'x': the bound 1 is not below 0");
    assert_int_equal(query->measures, 5);
    for (size_t i = 0; i < query->columns; i++) free(query->column[i]);
    free(query->column);
    free(query->measure);
    free(query->moment);
    free(query);
}

/* Far bounds have fewer steps where sums of values as they are need room, and where what persons add is bounded. */
static void totals_have_room(void **state) {
    (void)state;
    char name[] = "x", low[] = "1000000", high[] = "1000001";
    char *column = name, *lower = low, *upper = high;
    dpn_statistic statistic = {.column = &column, .lower = &lower, .upper = &upper, .columns = 1};
    for (int kind = 0; kind < 3; kind++) {
        dpn_query *query = some_query();
        dpn_error why;
        size_t index;
        query->declaration.per_person = kind == 1 ? DPN_PER_PERSON_SUM : DPN_PER_PERSON_ROWS;
        assert_int_equal(dpn_find_measure(&index, query, &statistic, 0, kind == 2, &why), DPN_OK);
        assert_int_equal(query->measure[0].exponent, kind == 0 ? -18 : 0);
        free(query->column[0]);
        free(query->column);
        free(query->measure);
        free(query);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(grids_have_as_many_steps_as_are_told),
        cmocka_unit_test(limits_of_bounds),
        cmocka_unit_test(bounds_of_sums_are_the_largest_terms),
        cmocka_unit_test(squares_on_the_edge),
        cmocka_unit_test(each_is_there_once),
        cmocka_unit_test(totals_have_room),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
