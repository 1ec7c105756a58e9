/* Totals that add up: what a histogram lacks by the least-squares solution, worked out by bisection; whole numbers by their remainders; the total as the mean of
 * all estimates, in long doubles. */
#include "release/answer/consistent.c" /* to see its steps */

#include "reference/draw.h"
#include "unit/release/declared.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

#include <cmocka.h>

enum { MOST = 12 };

static double drawn_value(draw_source *source) {
    double x = draw_uniform(source, -20, 60);
    return draw_chance(source, 0.2) ? 0 : draw_chance(source, 0.3) ? floor(x) : x;
}

/* ---- One histogram ---- */

/* The nearest to c of all bins that are not negative and have this sum, where bins at 0 stay: max(c - t, 0) for one t, found by halving; all alike
 * where all are 0. */
static void nearest_bins(long double *out, const dpn_answer_cell *cell, size_t count, long double total) {
    long double low = -1e6L, high = 1e6L;
    size_t positive = 0;
    for (size_t i = 0; i < count; i++) positive += cell[i].value > 0;
    for (int k = 0; k < 200; k++) {
        long double t = (low + high) / 2, sum = 0;
        for (size_t i = 0; i < count; i++) {
            long double x = cell[i].value - t;
            out[i] = positive == 0 ? total / count : cell[i].value > 0 && x > 0 ? x : 0;
            sum += out[i];
        }
        if (sum > total)
            low = t;
        else
            high = t;
    }
}

static void bins_are_the_nearest_that_are_not_negative(void **state) {
    (void)state;
    draw_source source = {1};
    int raised = 0, cut = 0;
    for (int i = 0; i < 3000; i++) {
        dpn_answer_cell cell[MOST] = {0};
        long double expected[MOST];
        size_t count = 1 + (size_t)draw_uniform(&source, 0, MOST);
        bool none = draw_chance(&source, 0.1);
        double sum = 0;
        for (size_t k = 0; k < count; k++) sum += cell[k].value = none ? 0 : fmax(drawn_value(&source), 0);
        double total = draw_chance(&source, 0.1) ? 0 : floor(draw_uniform(&source, 0, 1.5 * sum + 30));
        nearest_bins(expected, cell, count, total);
        divide_nonnegative(cell, count, total);
        for (size_t k = 0; k < count; k++) {
            if (!(fabsl(cell[k].value - expected[k]) < 1e-9L)) fail_msg("%g, not %Lg", cell[k].value, expected[k]);
            assert_true(cell[k].value >= 0);
        }
        raised += total > sum;
        cut += total < sum;
    }
    assert_true(raised > 500 && cut > 500);
}

/* Each down or up, those up that have the largest remainders, so many that the sum is whole. */
static void whole_numbers_have_the_sum(void **state) {
    (void)state;
    draw_source source = {2};
    for (int i = 0; i < 3000; i++) {
        dpn_answer_cell cell[MOST] = {0}, before[MOST];
        size_t count = 1 + (size_t)draw_uniform(&source, 0, MOST);
        double sum = 0, made = 0, up = INFINITY, down = -INFINITY;
        for (size_t k = 0; k < count; k++) sum += cell[k].value = drawn_value(&source);
        double total = round(sum);
        cell[0].value += total - sum;
        memcpy(before, cell, sizeof before);
        make_whole(cell, count, total);
        for (size_t k = 0; k < count; k++) {
            double rest = before[k].value - floor(before[k].value);
            made += cell[k].value;
            assert_true(cell[k].value == floor(before[k].value) ||
                        (rest > 0 && cell[k].value == ceil(before[k].value)));
            if (cell[k].value > before[k].value)
                up = fmin(up, rest);
            else if (rest > 0)
                down = fmax(down, rest);
        }
        assert_true(fabs(made - total) < 1e-9 && up >= down);
    }
}

/* Without a bound all bins get the same; with one those below 0 are 0 first. */
static void what_lacks_is_divided(void **state) {
    (void)state;
    draw_source source = {3};
    for (int i = 0; i < 3000; i++) {
        dpn_answer_cell cell[MOST] = {0}, before[MOST];
        size_t count = 1 + (size_t)draw_uniform(&source, 0, MOST);
        bool nonnegative = i % 2;
        double sum = 0, made = 0, total = floor(draw_uniform(&source, nonnegative ? 0 : -60, 300));
        for (size_t k = 0; k < count; k++) sum += cell[k].value = drawn_value(&source);
        memcpy(before, cell, sizeof before);
        settle(cell, count, total, nonnegative);
        long double expected[MOST];
        for (size_t k = 0; k < count; k++) {
            if (nonnegative) before[k].value = fmax(before[k].value, 0);
            expected[k] = before[k].value + (total - sum) / (double)count;
        }
        if (nonnegative) nearest_bins(expected, before, count, total);
        for (size_t k = 0; k < count; k++) {
            made += cell[k].value;
            assert_true(cell[k].value == floor(cell[k].value) && fabsl(cell[k].value - expected[k]) < 1 + 1e-9L);
        }
        assert_true(made == total);
    }
}

static void intervals_are_made_wider_alone(void **state) {
    (void)state;
    for (double value = -3; value <= 9; value++)
        for (dpn_interval_kind kind = DPN_INTERVAL_UNSTATED; kind <= DPN_INTERVAL_CONDITIONAL; kind++) {
            dpn_answer_cell cell = {.value = value, .low = 1, .high = 5, .kind = kind};
            hold(&cell);
            assert_true(cell.value == value && cell.low == fmin(value, 1) && cell.high == fmax(value, 5));
            assert_true(cell.kind == (kind == DPN_INTERVAL_EXACT ? DPN_INTERVAL_CONSERVATIVE : kind));
        }
}

/* ---- All of them ---- */

static dpn_status made(dpn_query **out, const char *words, dpn_error *why) {
    char json[DECLARED_SIZE];
    dpn_declaration declaration = declared_read(declared_quotes(json, words));
    dpn_status status = dpn_query_new(out, &declaration, NULL, why);
    dpn_declaration_free(&declaration);
    return status;
}

#define ALL "{'kind': 'histogram', 'column': 'x', 'edges': ['-inf', '0', '5', 'inf']}"
#define OTHER "{'kind': 'histogram', 'column': 'y', 'edges': ['-inf', '1', 'inf']}"
#define PART "{'kind': 'histogram', 'column': 'w', 'edges': ['0', '1', 'inf']}"
#define LEFT "{'kind': 'histogram', 'column': 'y', 'edges': ['-inf', '1', '2']}"
#define COUNT "{'kind': 'count'}"
#define SUM "{'kind': 'sum', 'column': 'z', 'lower': '0', 'upper': '1'}"

/* Two totals at least, of counts and of histograms that hold every row. */
static void totals_are_there_to_be_made_consistent(void **state) {
    (void)state;
    static const struct {
        const char *statistics;
        bool enough;
    } some[] = {{COUNT "," ALL, true}, {ALL "," OTHER, true},        {COUNT, false},
                {ALL, false},          {COUNT "," PART, false},      {COUNT "," LEFT, false},
                {ALL "," LEFT, false}, {COUNT "," SUM, false},       {ALL "," SUM, false},
                {PART "," ALL, false}, {SUM "," COUNT "," ALL, true}};
    for (size_t i = 0; i < sizeof some / sizeof *some; i++) {
        char words[DECLARED_SIZE];
        dpn_query *query = NULL;
        dpn_error why = {DPN_OK, ""};
        snprintf(words, sizeof words, "{'statistics': [%s], 'consistent': true, 'epsilon': '1'}", some[i].statistics);
        dpn_status status = made(&query, words, &why);
        if (status != (some[i].enough ? DPN_OK : DPN_EDOMAIN)) fail_msg("case %zu: %s", i, why.sentence);
        if (status) assert_true(strstr(why.sentence, "there are no totals to make consistent"));
        dpn_query_free(query);
        query = NULL;
        snprintf(words, sizeof words, "{'statistics': [%s], 'epsilon': '1'}", some[i].statistics); /* nobody asks */
        assert_int_equal(made(&query, words, &why), DPN_OK);
        dpn_query_free(query);
    }
}

/* The mean of all estimates of the total, each weighed by what its noise leaves; a public one is taken as it is. */
static void the_total_is_the_mean_of_its_estimates(void **state) {
    (void)state;
    draw_source source = {4};
    for (int nonnegative = 0; nonnegative < 2; nonnegative++) {
        char words[DECLARED_SIZE];
        dpn_query *query = NULL;
        dpn_error why = {DPN_OK, ""};
        snprintf(words, sizeof words, "{'statistics': [%s], 'consistent': true, 'nonnegative': %s, 'epsilon': '1'}",
                 SUM "," ALL "," COUNT "," PART "," OTHER, nonnegative ? "true" : "false");
        if (made(&query, words, &why)) fail_msg("%s", why.sentence);
        enum { OUTPUTS = 1 + 3 + 1 + 2 + 2 };
        assert_int_equal(query->outputs, OUTPUTS);
        size_t all = query->outputs_of[1].rows, count = query->outputs_of[4].rows, other = query->outputs_of[7].rows;
        for (int i = 0; i < 1500; i++) {
            dpn_answer_cell cell[OUTPUTS] = {0}, before[OUTPUTS];
            double v_all = query->cell[all].variance = draw_log_uniform(&source, 0.1, 10);
            double v_count = query->cell[count].variance = draw_log_uniform(&source, 0.1, 10);
            double v_other = query->cell[other].variance = draw_log_uniform(&source, 0.1, 10);
            for (size_t k = 0; k < OUTPUTS; k++) {
                cell[k].value = draw_uniform(&source, -9, 30);
                cell[k].low = cell[k].value - 2;
                cell[k].high = cell[k].value + 2;
                cell[k].kind = DPN_INTERVAL_EXACT;
            }
            if (i % 50 == 0) v_count = query->cell[count].variance = 0, cell[4].value = 17;
            memcpy(before, cell, sizeof before);
            long double first = (long double)cell[1].value + cell[2].value + cell[3].value;
            long double last = (long double)cell[7].value + cell[8].value, own = cell[4].value;
            long double total =
                roundl((first / (3 * v_all) + own / v_count + last / (2 * v_other)) /
                       (1 / (3 * (long double)v_all) + 1 / (long double)v_count + 1 / (2 * (long double)v_other)));
            if (v_count == 0) total = 17;
            assert_true(best_total(cell, query) == total);
            if (nonnegative && total < 0) total = 0;
            dpn_make_consistent(cell, query);
            assert_true(cell[4].value == total && cell[1].value + cell[2].value + cell[3].value == total);
            assert_true(cell[7].value + cell[8].value == total);
            for (size_t k = 0; k < OUTPUTS; k++) {
                bool part = k == 0 || k == 5 || k == 6; /* no totals */
                if (part) assert_memory_equal(&cell[k], &before[k], sizeof *cell);
                if (part) continue;
                assert_true(cell[k].low == fmin(before[k].low, cell[k].value));
                assert_true(cell[k].high == fmax(before[k].high, cell[k].value));
                assert_int_equal(cell[k].kind, DPN_INTERVAL_CONSERVATIVE);
                if (nonnegative) assert_true(cell[k].value >= 0);
            }
        }
        dpn_query_free(query);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(bins_are_the_nearest_that_are_not_negative),
        cmocka_unit_test(whole_numbers_have_the_sum),
        cmocka_unit_test(what_lacks_is_divided),
        cmocka_unit_test(intervals_are_made_wider_alone),
        cmocka_unit_test(totals_are_there_to_be_made_consistent),
        cmocka_unit_test(the_total_is_the_mean_of_its_estimates),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
