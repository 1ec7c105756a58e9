/* From the sums of a group to an answer: with so large an epsilon that there is no noise to speak of, what is drawn must be the sums themselves, place by place. And
 * the digits that are told, by what they promise. */
#define _DEFAULT_SOURCE
#include <stdlib.h>
#include <string.h>

static int texts_left = -1; /* copies of text that there is memory for; -1: all */
static char *told_strdup(const char *text) {
    if (texts_left == 0) { /* once */
        texts_left = -1;
        return NULL;
    }
    texts_left -= texts_left > 0;
    return strdup(text);
}

#define strdup told_strdup
#undef _DEFAULT_SOURCE
#include "release/answer/answer.c" /* to see its steps */
#undef strdup

#include "reference/draw.h"
#include "unit/random/seeded.h"
#include "unit/release/declared.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>

#include <cmocka.h>

static dpn_query *compiled(const char *words) {
    char json[DECLARED_SIZE];
    dpn_declaration declaration = declared_read(declared_quotes(json, words));
    dpn_query *query = NULL;
    dpn_error why = {DPN_OK, ""};
    if (dpn_query_new(&query, &declaration, NULL, &why)) fail_msg("%s: %s", words, why.sentence);
    dpn_declaration_free(&declaration);
    return query;
}

/* ---- Drawing ---- */

#define TREE(column, upper) \
    "{'kind': 'quantile', 'column': '" column "', 'quantile': '0.5', 'lower': '0', 'upper': '" upper "', 'step': '1'}"

/* Two histograms, two trees of several levels, two quantiles and three sums; noise of epsilon 10^5 is 0 but for e^-1000. */
static const char everything[] =
    "{'statistics': [{'kind': 'count'}, {'kind': 'histogram', 'column': 'a', 'edges': ['0', '1', '2', '3']}, "
    "{'kind': 'histogram', 'column': 'b', 'edges': ['0', '5', '9']}, " TREE("c", "60") ", " TREE(
        "d", "400") ", "
                    "{'kind': 'quantile', 'column': 'e', 'quantile': '0.5', 'edges': ['0', '1', '2', '3', '4']}, "
                    "{'kind': 'quantile', 'column': 'f', 'quantile': '0.25', 'edges': ['0', '1', '2']}, "
                    "{'kind': 'sum', 'column': 'g', 'lower': '0', 'upper': '16777216'}], 'epsilon': '100000'}";

static void drawn_numbers_stand_in_their_places(void **state) {
    (void)state;
    dpn_query *query = compiled(everything);
    assert_true(query->histograms == 2 && query->trees == 2 && query->quantiles == 2);
    draw_source source = {1};
    size_t counts = 0;
    for (size_t b = 0; b < dpn_bin_sets(query); b++) {
        if (b <= query->histograms) assert_int_equal(dpn_noisy_first_bin(query, b), counts);
        counts += query->bins[b].edges - 1;
    }
    int64_t *sum = calloc(query->moments, sizeof *sum), *count = calloc(counts, sizeof *count);
    assert_true(sum && count);
    for (size_t i = 0; i < query->moments; i++)
        if (query->moment[i].kind != DPN_MOMENT_BINS) sum[i] = (int64_t)draw_uniform(&source, -1e6, 1e6);
    for (size_t i = 0; i < counts; i++) count[i] = (int64_t)draw_uniform(&source, 0, 1000);
    size_t quantile = dpn_noisy_first_bin(query, query->histograms + query->trees); /* one edge is by far the best */
    for (size_t i = 0; i < 4; i++) count[quantile + i] = i == 2 || i == 1 ? 100000 : 0;
    for (size_t i = 0; i < 2; i++) count[quantile + 4 + i] = i == 0 ? 100000 : 300000;
    dpn_group group = {NULL, sum, count, NULL};
    dpn_noisy noisy;
    seeded rng;
    dpn_error why;
    seeded_begin(&rng, 9);
    assert_true(noisy_make(&noisy, query));
    assert_int_equal(draw_group(&noisy, query, &group, &rng.rng, &why), DPN_OK);
    for (size_t i = 0; i < query->moments; i++)
        if (query->moment[i].kind != DPN_MOMENT_BINS)
            assert_true(fabs(noisy.moment[i] - ldexp((double)sum[i], query->moment[i].exponent)) <
                        20 * sqrt(query->cell[i].variance) + 1e-9);
    size_t start = 0, prefixes = 0;
    for (size_t b = 0; b < query->histograms; b++)
        for (size_t i = 0; i + 1 < query->bins[b].edges; i++, start++)
            assert_true(noisy.bin[start] == (double)count[start]);
    for (size_t b = query->histograms; b < query->histograms + query->trees; b++) {
        const dpn_tree *tree = &query->bins[b].tree;
        assert_int_equal(dpn_noisy_first_prefix(query, b), prefixes);
        assert_true(tree->levels > 1);
        for (size_t level = 0; level < tree->levels; level++) {
            size_t stride = dpn_tree_stride(tree, level), nodes = (tree->bins + stride - 1) / stride;
            for (size_t node = 0; node <= nodes; node++) { /* all bins before a node */
                int64_t before = 0;
                for (size_t bin = 0; bin < node * stride && bin < tree->bins; bin++) before += count[start + bin];
                assert_true(noisy.prefix[prefixes + node] == (double)before);
            }
            prefixes += nodes + 1;
        }
        start += tree->bins;
    }
    assert_true(noisy.edge[0] == 2 && noisy.edge[1] == 1);
    noisy_free(&noisy);
    free(sum);
    free(count);
    dpn_query_free(query);
}

/* Sums beyond the limit become it, in steps of the release's own grid, on both sides. */
static void sums_are_clamped_on_their_grid(void **state) {
    (void)state;
    dpn_query *query = compiled(everything);
    for (size_t i = 0; i < query->moments; i++) {
        int own = query->moment[i].exponent;
        for (int finer = own - dpn_release_grid_exponent(query->release, i), more = 0; more < 3; more++) {
            query->moment[i].exponent = own - finer + more;
            const int64_t unit = (int64_t)1 << more, most = ((((int64_t)1 << 62) - 1) >> more) * unit;
            const int64_t some[] = {0, 1, -1, 12345, most / unit, most / unit - 1, -most / unit, 1 - most / unit};
            for (size_t k = 0; k < sizeof some / sizeof *some; k++)
                assert_true(on_grid(query, i, some[k]) == some[k] * unit);
            for (int64_t beyond = 1; beyond < 100; beyond *= 9) {
                assert_true(on_grid(query, i, most / unit + beyond) == most);
                assert_true(on_grid(query, i, -most / unit - beyond) == -most);
            }
            assert_true(on_grid(query, i, INT64_MAX) == most && on_grid(query, i, INT64_MIN) == -most);
        }
        query->moment[i].exponent = own;
    }
    dpn_query_free(query);
}

/* ---- Digits ---- */

static bool is_multiple(double x, double unit) {
    return fabs(x / unit - round(x / unit)) < 1e-6 * fmax(1, fabs(x / unit) * 1e-9);
}

/* The last digit is between a thirtieth and a three-hundredth of the half-width; the value goes to the nearest, the ends outwards. Whole numbers have no
 * decimals, and what adds up is not rounded further. */
static void digits_are_those_that_noise_supports(void **state) {
    (void)state;
    draw_source source = {2};
    for (int i = 0; i < 4000; i++) {
        double half = draw_log_uniform(&source, 1e-9, 1e9), value = half * draw_uniform(&source, -100, 100);
        bool whole = draw_chance(&source, 0.4), consistent = draw_chance(&source, 0.3);
        if (whole) value = round(value);
        double skew = draw_uniform(&source, 0.2, 1.8);
        dpn_answer_cell cell = {.value = value, .low = value - skew * half, .high = value + (2 - skew) * half};
        dpn_answer_cell before = cell;
        round_cell(&cell, whole, consistent);
        double width = (before.high - before.low) / 2, unit = pow(10, -cell.digits);
        if (!whole) assert_true(unit <= width / 30 * (1 + 1e-12) && unit > width / 300 * (1 - 1e-12));
        if (whole && consistent) assert_int_equal(cell.digits, 0);
        if (whole && !consistent) {
            double own = fmax(unit, 1);
            assert_true(cell.digits <= 0 && (unit == 1 || unit <= width / 30 * (1 + 1e-12)));
            assert_true(own > width / 300 * (1 - 1e-12));
        }
        double slack = 1e-12 * (fabs(before.low) + fabs(before.high)) + 1e-9 * unit;
        assert_true(fabs(cell.value - before.value) <= unit / 2 + slack);
        assert_true(cell.low <= before.low + slack && cell.low > before.low - unit - slack);
        assert_true(cell.high >= before.high - slack && cell.high < before.high + unit + slack);
        if (fabs(value) < 1e6 * unit)
            assert_true(is_multiple(cell.value, unit) && is_multiple(cell.low, unit) && is_multiple(cell.high, unit));
    }
    dpn_answer_cell exact = {.value = 0.123456, .low = 0.123456, .high = 0.123456}, same = exact;
    round_cell(&exact, false, false);
    assert_true(exact.digits == 15 && fabs(exact.value - same.value) < 1e-15);
    dpn_answer_cell count = {.value = 17, .low = 17, .high = 17};
    round_cell(&count, true, false);
    assert_true(count.digits == 0 && count.value == 17 && count.low == 17 && count.high == 17);
    dpn_answer_cell tiny = {
        .value = 3e-20, .low = 2e-20, .high = 4e-20}; /* more digits than a double has are left alone */
    round_cell(&tiny, false, false);
    assert_true(tiny.digits > 15 && tiny.value == 3e-20 && tiny.low == 2e-20 && tiny.high == 4e-20);
}

/* Where it is asked for, counts and sums of what is not negative are raised to 0, with both ends; other values stay. */
static void what_cannot_be_negative_is_raised(void **state) {
    (void)state;
    for (int asked = 0; asked < 2; asked++) {
        char words[DECLARED_SIZE];
        snprintf(
            words, sizeof words,
            "{'statistics': [{'kind': 'count'}, {'kind': 'sum', 'column': 'x', 'lower': '0', 'upper': '1'}, {'kind': "
            "'sum', 'column': 'y', 'lower': '-1', 'upper': '1'}, {'kind': 'mean', 'column': 'x', 'lower': '0', "
            "'upper': '1'}], 'nonnegative': %s, 'epsilon': '1'}",
            asked ? "true" : "false");
        dpn_query *query = compiled(words);
        dpn_answer_cell cell[4], before[4];
        assert_int_equal(query->outputs, 4);
        for (size_t i = 0; i < 4; i++) before[i] = cell[i] = (dpn_answer_cell){.value = -100, .low = -200, .high = -50};
        finish_group(cell, query);
        for (size_t i = 0; i < 4; i++) {
            bool raised = asked && i < 2;
            assert_true(cell[i].value == (raised ? 0 : before[i].value));
            assert_true(cell[i].low == (raised ? 0 : before[i].low) && cell[i].high == (raised ? 0 : before[i].high));
            assert_true(cannot_be_negative(query, &query->outputs_of[i]) == (i < 2));
        }
        dpn_query_free(query);
    }
}

/* ---- The table ---- */

static void room_grows_with_the_groups(void **state) {
    (void)state;
    dpn_answer answer = {.bys = 3, .outputs = 5};
    assert_true(answer_reserve(&answer, 4));
    memset(answer.key, 0, 12 * sizeof *answer.key);
    memset(answer.cell, 0, 20 * sizeof *answer.cell);
    answer.cell[19].digits = 7;
    assert_true(answer_reserve(&answer, 1000) && answer.cell[19].digits == 7);
    assert_false(answer_reserve(&answer, SIZE_MAX / sizeof(dpn_answer_cell) / 5));
    assert_true(answer.cell[19].digits == 7);
    free(answer.key);
    free(answer.cell);
}

static void names_of_intervals(void **state) {
    (void)state;
    assert_null(dpn_interval_kind_name(DPN_INTERVAL_UNSTATED));
    assert_string_equal(dpn_interval_kind_name(DPN_INTERVAL_EXACT), "exact");
    assert_string_equal(dpn_interval_kind_name(DPN_INTERVAL_CONSERVATIVE), "conservative");
    assert_string_equal(dpn_interval_kind_name(DPN_INTERVAL_CONDITIONAL), "conditional");
    assert_null(dpn_interval_kind_name((dpn_interval_kind)(DPN_INTERVAL_CONDITIONAL + 1)));
}

/* One answer from a tally, into a place, with a source of noise. */
static void answers_need_a_place_and_a_source(void **state) {
    (void)state;
    dpn_query *query = compiled("{'statistics': [{'kind': 'count'}], 'epsilon': '1'}");
    dpn_tally *tally = NULL;
    dpn_answer *answer = NULL;
    seeded rng;
    dpn_error why;
    seeded_begin(&rng, 3);
    assert_int_equal(dpn_tally_new(&tally, query, &rng.rng, &why), DPN_OK);
    assert_int_equal(dpn_query_answer(NULL, query, tally, &rng.rng, &why), DPN_EDOMAIN);
    assert_int_equal(dpn_query_answer(&answer, query, tally, NULL, &why), DPN_EDOMAIN);
    assert_string_equal(why.sentence, "an answer needs a random source");
    assert_int_equal(dpn_query_answer(&answer, query, tally, &rng.rng, &why), DPN_OK);
    assert_true(answer->groups == 1 && answer->bys == 0 && answer->outputs == 1 &&
                strcmp(answer->output[0], "count") == 0);
    dpn_answer_free(answer);
    answer = NULL;
    assert_int_equal(dpn_query_answer(&answer, query, tally, &rng.rng, &why), DPN_EDOMAIN);
    assert_null(answer);
    dpn_tally_free(tally);
    dpn_query_free(query);
}

/* A key is shown above the threshold alone; without unknown keys every group is. */
static void keys_above_the_threshold_are_shown(void **state) {
    (void)state;
    double moment[3] = {1e9, 0, 1e9};
    dpn_noisy noisy = {.moment = moment};
    dpn_query query = {.known_keys = false, .persons = 1, .threshold = 12};
    for (double x = 9; x < 16; x++) {
        moment[1] = x;
        query.known_keys = false;
        assert_true(is_shown(&query, &noisy) == (x > 12));
        query.known_keys = true;
        assert_true(is_shown(&query, &noisy));
    }
}

/* Without memory for one of the names there is no answer. */
static void answers_have_all_their_names(void **state) {
    (void)state;
    dpn_query *query = compiled(everything);
    for (size_t k = 0; k <= query->outputs; k++) {
        texts_left = (int)k;
        dpn_answer *answer = answer_make(query);
        texts_left = -1;
        assert_true((answer != NULL) == (k == query->outputs));
        for (size_t i = 0; answer && i < query->outputs; i++) assert_string_equal(answer->output[i], query->output[i]);
        dpn_answer_free(answer);
    }
    dpn_query_free(query);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(answers_have_all_their_names),
        cmocka_unit_test(drawn_numbers_stand_in_their_places),
        cmocka_unit_test(sums_are_clamped_on_their_grid),
        cmocka_unit_test(digits_are_those_that_noise_supports),
        cmocka_unit_test(what_cannot_be_negative_is_raised),
        cmocka_unit_test(room_grows_with_the_groups),
        cmocka_unit_test(names_of_intervals),
        cmocka_unit_test(answers_need_a_place_and_a_source),
        cmocka_unit_test(keys_above_the_threshold_are_shown),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
