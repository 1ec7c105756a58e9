/* How a row is read, piece by piece: bins by trying every edge, predicates by their table, sums by adding row after row, bounds of sums and records at
 * their ends, totals of persons in 128 bits. */
#include "release/tally/reader.c" /* to see its pieces */

#include "reference/draw.h"
#include "release/tally/bounds.h"
#include "unit/release/declared.h"

#include <math.h>
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
    if (dpn_query_new_shape(&query, &declaration, &why)) fail_msg("%s: %s", words, why.sentence);
    dpn_declaration_free(&declaration);
    return query;
}

static dpn_reader read_by(const dpn_query *query) {
    dpn_reader reader;
    dpn_error why = {DPN_OK, ""};
    if (dpn_reader_make(&reader, query, &why)) fail_msg("%s", why.sentence);
    return reader;
}

/* ---- Bins ---- */

static dpn_numeral numeral(const char *text) {
    dpn_numeral read;
    assert_int_equal(dpn_numeral_read(&read, field_of(text)), DPN_CONTENT_NUMBER);
    return read;
}

/* The bin that holds a value, by what the header says of bins. */
static int64_t bin_by_trial(const double *edge, size_t edges, bool clamp, bool upward, double x) {
    for (size_t i = 0; i + 1 < edges; i++) {
        bool last = i + 2 == edges, first = i == 0;
        bool from = upward ? x > edge[i] : x >= edge[i], to = upward ? x <= edge[i + 1] : x < edge[i + 1];
        if (clamp && first) from = true;
        if (last) to = clamp || x <= edge[i + 1];
        if (from && to) return (int64_t)i;
    }
    return DPN_ABSENT;
}

static void values_are_in_the_bin_that_holds_them(void **state) {
    (void)state;
    draw_source source = {1};
    int in = 0, out = 0;
    for (int i = 0; i < 600; i++) {
        size_t count = 2 + (size_t)draw_uniform(&source, 0, 7);
        double edge[10];
        char text[10][24], *texts[10];
        bool clamp = draw_chance(&source, 0.5), upward = clamp && draw_chance(&source, 0.5);
        for (size_t k = 0; k < count; k++) {
            edge[k] = (k ? edge[k - 1] : -10) + 1 + floor(draw_uniform(&source, 0, 4));
            snprintf(text[k], sizeof text[k], "%g", edge[k]);
            texts[k] = text[k];
        }
        if (upward || draw_chance(&source, 0.3)) strcpy(text[0], "-inf"), edge[0] = -INFINITY;
        if (draw_chance(&source, 0.3)) strcpy(text[count - 1], "inf"), edge[count - 1] = INFINITY;
        dpn_bins bins = {.edge = texts, .edges = count, .clamp = clamp, .upward = upward};
        dpn_edges made = {0};
        dpn_error why;
        assert_int_equal(make_edges(&made, &bins, &why), DPN_OK);
        assert_true(made.from == (edge[0] < -99) && made.to == count - (edge[count - 1] > 99) && made.edges == count);
        for (double x = -12; x < 32; x += 0.5) {
            char value[24];
            snprintf(value, sizeof value, "%g", x);
            dpn_numeral read = numeral(value);
            int64_t bin = dpn_reader_bin(&made, &read), expected = bin_by_trial(edge, count, clamp, upward, x);
            if (bin != expected) fail_msg("%g of %zu: %lld, not %lld", x, count, (long long)bin, (long long)expected);
            in += bin != DPN_ABSENT;
            out += bin == DPN_ABSENT;
        }
        free(made.number);
    }
    assert_true(in > 1000 && out > 1000);
}

static void edges_that_are_none(void **state) {
    (void)state;
    static const struct {
        const char *edge[4];
        bool good;
    } some[] = {{{"1", NULL}, false},
                {{"1", "2"}, true},
                {{"1", "1"}, false},
                {{"2", "1"}, false},
                {{"1", "x"}, false},
                {{"-inf", "inf"}, true},
                {{"-inf", "5"}, true},
                {{"5", "inf"}, true},
                {{"inf", "5"}, false},
                {{"0", "1", "1e-3"}, false},
                {{"0", "1", "2", "2.0"}, false},
                {{"0", "1e1000000000"}, true},
                {{"0", "1e1000000001"}, false},
                {{"0", "1e-1000000000"}, true},
                {{"0", "1e-1000000001"}, false},
                {{"1e-1000000001", "1"}, false}};
    for (size_t i = 0; i < sizeof some / sizeof *some; i++) {
        char text[4][30], *texts[4];
        size_t count = 0;
        for (; count < 4 && some[i].edge[count]; count++) texts[count] = strcpy(text[count], some[i].edge[count]);
        dpn_bins bins = {.edge = texts, .edges = count};
        dpn_edges made = {0};
        dpn_error why = {DPN_OK, ""};
        if (make_edges(&made, &bins, &why) != (some[i].good ? DPN_OK : DPN_EDOMAIN)) fail_msg("case %zu", i);
        if (!some[i].good) assert_true(strstr(why.sentence, "edges") && made.clamp == false);
        free(made.number);
    }
}

/* ---- Predicates ---- */

static void predicates_say_what_their_table_says(void **state) {
    (void)state;
    static const bool holds[6][3] = {
        [DPN_IS_EQUAL] = {false, true, false},   [DPN_IS_NOT_EQUAL] = {true, false, true},
        [DPN_IS_LESS] = {true, false, false},    [DPN_IS_LESS_OR_EQUAL] = {true, true, false},
        [DPN_IS_GREATER] = {false, false, true}, [DPN_IS_GREATER_OR_EQUAL] = {false, true, true}};
    static const char *const below[] = {"-3", "4.9", "  4 "}, *const same[] = {"5", "5.0", "50e-1"},
                             *const above[] = {"6", "5.01", "1e9"}, *const none[] = {"", "x", "5 5", NULL, "  "};
    for (int is = 0; is < 6; is++) {
        dpn_condition condition = {
            .is = (dpn_predicate_is)is, .number = true, .value = numeral("5"), .text = "5", .length = 1};
        for (int side = -1; side <= 1; side++) {
            assert_true(satisfies((dpn_predicate_is)is, side) == holds[is][side + 1]);
            for (size_t k = 0; k < 3; k++) {
                const char *text = side < 0 ? below[k] : side > 0 ? above[k] : same[k];
                assert_int_equal(judge(&condition, field_of(text)), asked_for(holds[is][side + 1]));
            }
        }
        for (size_t k = 0; k < 5;
             k++) { /* what is no number equals nothing; a text differs, what is missing does neither */
            dpn_field field = none[k] ? field_of(none[k]) : (dpn_field){NULL, 0};
            bool text = k == 1 || k == 2, order = is != DPN_IS_EQUAL && is != DPN_IS_NOT_EQUAL;
            dpn_row_verdict expected = order ? DPN_ROW_LEFT_OUT : asked_for(is == DPN_IS_NOT_EQUAL && text);
            assert_int_equal(judge(&condition, field), expected);
        }
        if (is > DPN_IS_NOT_EQUAL) continue;
        dpn_condition word = {.is = (dpn_predicate_is)is, .text = "ab", .length = 2};
        static const char *const others[] = {"ab", "a", "abc", "AB", "7", " ab", ""};
        for (size_t k = 0; k < 7; k++) {
            bool equal = k == 0, missing = k == 6;
            assert_int_equal(judge(&word, field_of(others[k])), asked_for(!missing && equal == (is == DPN_IS_EQUAL)));
        }
    }
}

/* A no decides, wherever it stands; else the first field that is not what is needed is told. */
static void all_predicates_have_to_hold(void **state) {
    (void)state;
    dpn_query *query = compiled(
        "{'statistics': [{'kind': 'count'}], 'where': [{'column': 'a', 'is': '<', 'value': '5'}, "
        "{'column': 'b', 'is': '>', 'value': '0'}, {'column': 'c', 'is': '=', 'value': 'x'}], 'epsilon': '1'}");
    dpn_reader reader = read_by(query);
    static const char *const texts[][3] = {{"1", "9", ""}, {"1", "0", ""}, {"x", "y", NULL}}; /* yes, no, neither */
    for (int a = 0; a < 3; a++)
        for (int b = 0; b < 3; b++)
            for (int c = 0; c < 3; c++) {
                dpn_field row[3] = {field_of(texts[0][a]),
                                    field_of(b == 1   ? "0"
                                             : b == 0 ? "1"
                                                      : ""),
                                    field_of(texts[2][c] ? texts[2][c] : "")};
                size_t column = 77;
                dpn_row_verdict verdict = dpn_reader_admits(&reader, row, &column);
                bool no = a == 1 || b == 1 || c > 0;
                assert_int_equal(verdict, no ? DPN_ROW_NOT_ASKED : a == 2 || b == 2 ? DPN_ROW_LEFT_OUT : DPN_ROW_USED);
                if (verdict == DPN_ROW_LEFT_OUT) assert_int_equal(column, a == 2 ? 0 : 1);
                if (verdict == DPN_ROW_USED) assert_int_equal(column, 77);
            }
    dpn_reader_free(&reader);
    dpn_query_free(query);
}

static void predicates_that_need_a_number(void **state) {
    (void)state;
    static const struct {
        dpn_predicate_is is;
        const char *value;
        bool good;
    } some[] = {{DPN_IS_LESS, "x", false},
                {DPN_IS_EQUAL, "x", true},
                {DPN_IS_NOT_EQUAL, "x", true},
                {DPN_IS_GREATER_OR_EQUAL, "", false},
                {DPN_IS_LESS, "7", true},
                {DPN_IS_EQUAL, "1e1000000000", true},
                {DPN_IS_EQUAL, "1e1000000001", false},
                {DPN_IS_LESS, "1e-1000000001", false},
                {DPN_IS_LESS, "-1e-1000000000", true}};
    for (size_t i = 0; i < sizeof some / sizeof *some; i++) {
        char value[30], name[] = "col";
        dpn_predicate predicate = {.column = name, .value = strcpy(value, some[i].value), .is = some[i].is};
        size_t where = 0;
        dpn_query query = {.where = &where, .declaration = {.where = &predicate, .wheres = 1}};
        dpn_condition condition;
        dpn_reader reader = {.condition = &condition};
        dpn_error why = {DPN_OK, ""};
        assert_int_equal(make_conditions(&reader, &query, &why), some[i].good ? DPN_OK : DPN_EDOMAIN);
        if (!some[i].good) assert_string_equal(why.sentence, "the predicate on col needs a number of ordinary size");
    }
}

/* ---- Missing fields ---- */

static void words_for_missing_fields(void **state) {
    (void)state;
    dpn_query *query = compiled("{'statistics': [{'kind': 'sum', 'column': 'x', 'lower': '0', 'upper': '1'}, {'kind': "
                                "'sum', 'column': 'y', 'lower': '0', "
                                "'upper': '1'}], 'na': ['NA', ' - ', '-9'], 'epsilon': '1'}");
    dpn_reader reader = read_by(query);
    static const struct {
        const char *text;
        bool missing;
    } some[] = {{"NA", true}, {" NA", true},  {"NA\t ", true}, {"-", true},   {"  - ", true},
                {"-9", true}, {"-90", false}, {"N A", false},  {"N", false},  {"na", false},
                {"9", false}, {"", false},    {"  ", false},   {"NAN", false}};
    for (size_t i = 0; i < sizeof some / sizeof *some; i++)
        for (int place = 0; place < 2; place++) {
            dpn_field row[2] = {field_of("5"), field_of("5")}, marked[2];
            row[place] = field_of(some[i].text);
            dpn_reader_mark_missing(&reader, row, marked);
            if ((marked[place].text == NULL) != some[i].missing) fail_msg("'%s'", some[i].text);
            assert_true(some[i].missing || marked[place].text == row[place].text);
            assert_int_equal(marked[place].length, some[i].missing ? 0 : strlen(some[i].text));
            assert_true(marked[1 - place].text == row[1 - place].text && marked[1 - place].length == 1);
        }
    /* Whatever blanks stand around a word. */
    static const char *const blank[] = {"", " ", "\t", " \t", "\t ", "\t\t"};
    for (size_t i = 0; i < 6; i++)
        for (size_t j = 0; j < 6; j++) {
            char text[16];
            dpn_field row[2] = {field_of("5"), {NULL, 0}}, marked[2];
            snprintf(text, sizeof text, "%sNA%s", blank[i], blank[j]);
            row[1] = field_of(text);
            dpn_reader_mark_missing(&reader, row, marked);
            if (marked[1].text) fail_msg("'%s'", text);
        }
    dpn_field none[2] = {{NULL, 0}, {NULL, 0}}, marked[2];
    dpn_reader_mark_missing(&reader, none, marked);
    assert_true(!marked[0].text && !marked[1].text);
    dpn_reader_free(&reader);
    dpn_query_free(query);
}

/* ---- Rows ---- */

static const char several[] = "{'statistics': [{'kind': 'covariance', 'columns': ['x', 'y'], 'lower': ['-1', '0'], "
                              "'upper': ['3', '16']}, {'kind': 'histogram', "
                              "'column': 'x', 'edges': ['0', '1', '2']}, {'kind': 'histogram', 'column': 'z', 'edges': "
                              "['0', '1', '2', '3']}, {'kind': 'quantile', "
                              "'column': 'y', 'quantile': '0.5', 'edges': ['0', '5', '9']}], 'by': [{'column': 'k'}], "
                              "'person': 'p', 'max_rows': 5, 'delta': '1e-6', "
                              "%s'epsilon': '1'}";

static dpn_query *with_rows(bool left_out) {
    char words[DECLARED_SIZE];
    snprintf(words, sizeof words, several, left_out ? "'count_left_out': true, " : "");
    return compiled(words);
}

/* A record as the header tells it, the columns by their names. */
static void records_are_steps_and_bins(void **state) {
    (void)state;
    for (int left_out = 0; left_out < 2; left_out++) {
        dpn_query *query = with_rows(left_out);
        dpn_reader reader = read_by(query);
        assert_true(reader.numerics == 3 && reader.edge_sets == 3 && reader.counts == 2 + 3 + 2);
        size_t numbers = dpn_reader_record(&reader);
        assert_int_equal(numbers, 2 + 3 + left_out);
        draw_source source = {2};
        for (int i = 0; i < 500; i++) {
            char text[3][24];
            double value[3];
            dpn_field row[8] = {{"", 0}};
            for (size_t k = 0; k < 3; k++) {
                value[k] = floor(draw_uniform(&source, -8, 80)) / 4;
                snprintf(text[k], sizeof text[k], "%g", value[k]);
            }
            for (size_t c = 0; c < query->columns; c++) {
                char name = *query->column[c];
                row[c] = name == 'k' || name == 'p' ? field_of("a") : field_of(text[name - 'x']);
            }
            dpn_numeral number[3];
            int64_t record[8];
            record[numbers] = 4711;
            assert_true(dpn_reader_read(&reader, row, number, record) == SIZE_MAX && record[numbers] == 4711);
            for (size_t m = 0; m < 2; m++) {
                const dpn_measure *measure = &query->measure[m];
                double x = ldexp(value[*query->column[measure->column] - 'x'], -measure->exponent);
                double steps = fmin(fmax(floor(x + 0.5), (double)measure->lower), (double)measure->upper);
                assert_true((double)record[m] == steps);
            }
            const double x = value[0], y = value[1], z = value[2];
            assert_true(record[2] == (x < 0 || x > 2 ? DPN_ABSENT : x < 1 ? 0 : 1));
            assert_true(record[3] == (z < 0 || z > 3 ? DPN_ABSENT : z < 1 ? 0 : z < 2 ? 1 : 2));
            assert_true(record[4] == (y < 5 ? 0 : 1));
            if (left_out) assert_true(record[5] == 0);
            for (size_t c = 0; c < query->columns; c++) { /* and no number, no record */
                char name = *query->column[c];
                if (name == 'k' || name == 'p') continue;
                dpn_field before = row[c];
                row[c] = field_of("?");
                assert_int_equal(dpn_reader_read(&reader, row, number, record), c);
                row[c] = before;
            }
        }
        dpn_reader_free(&reader);
        dpn_query_free(query);
    }
}

/* Where persons are bounded as a whole: two numbers for each measure, of its own column. */
static void records_of_persons_are_totals(void **state) {
    (void)state;
    dpn_query *query = compiled("{'statistics': [{'kind': 'sum', 'column': 'x', 'lower': '0', 'upper': '9'}, {'kind': "
                                "'sum', 'column': 'y', 'lower': "
                                "'-5', 'upper': '900000000'}], 'person': 'p', 'per_person': 'sum', 'epsilon': '1'}");
    dpn_reader reader = read_by(query);
    assert_true(query->measures == 2 && dpn_reader_record(&reader) == 4);
    dpn_field row[3];
    for (size_t c = 0; c < 3; c++)
        row[c] = field_of(*query->column[c] == 'x' ? "7.25" : *query->column[c] == 'y' ? "-123456789" : "p");
    dpn_numeral number[2];
    int64_t record[5] = {0, 0, 0, 0, 4711};
    assert_true(dpn_reader_read(&reader, row, number, record) == SIZE_MAX && record[4] == 4711);
    for (size_t m = 0; m < 2; m++) {
        double value = *query->column[query->measure[m].column] == 'x' ? 7.25 : -123456789;
        assert_true(ldexp((double)record[2 * m] + ldexp((double)record[2 * m + 1], -26), query->measure[m].exponent) ==
                    value);
        assert_true(record[2 * m + 1] >= 0 && record[2 * m + 1] < (int64_t)1 << 26);
    }
    dpn_reader_free(&reader);
    dpn_query_free(query);
}

/* What a record adds, by what the header of a query says of each sum. */
static int64_t added(const dpn_query *query, const dpn_moment *moment, const int64_t *record, bool first) {
    __extension__ typedef __int128 wide;
    if (moment->kind == DPN_MOMENT_ROWS) return 1;
    if (moment->kind == DPN_MOMENT_PERSONS) return first;
    if (moment->kind == DPN_MOMENT_VALUE) return record[moment->a] - moment->offset;
    if (moment->kind != DPN_MOMENT_PRODUCT) return 0;
    wide product = (wide)(record[moment->a] - query->measure[moment->a].middle) *
                   (record[moment->b] - query->measure[moment->b].middle);
    wide unit = (wide)1 << moment->shift, twice = 2 * product + unit; /* floor(product/unit + 1/2) */
    wide whole = twice / (2 * unit) - (twice % (2 * unit) < 0);
    return (int64_t)whole - moment->offset;
}

static void sums_are_those_of_all_rows(void **state) {
    (void)state;
    dpn_query *query = with_rows(true);
    dpn_reader reader = read_by(query);
    draw_source source = {3};
    assert_true(query->moments <= 12 && reader.counts == 7);
    for (int i = 0; i < 500; i++) {
        int64_t record[8], sum[12] = {0}, count[7] = {0}, one_by_one[12] = {0}, counted[7] = {0}, expected[12] = {0};
        bool out = draw_chance(&source, 0.3), first = draw_chance(&source, 0.5);
        uint64_t copies = 1 + (uint64_t)draw_uniform(&source, 0, 6);
        for (size_t m = 0; m < 2; m++) {
            const dpn_measure *measure = &query->measure[m];
            record[m] = (int64_t)draw_uniform(&source, (double)measure->lower, (double)measure->upper);
            if (draw_chance(&source, 0.2)) record[m] = draw_chance(&source, 0.5) ? measure->lower : measure->upper;
        }
        for (size_t k = 0; k < 3; k++)
            record[2 + k] = draw_chance(&source, 0.3) ? DPN_ABSENT : (int64_t)draw_uniform(&source, 0, k == 1 ? 3 : 2);
        record[5] = 0;
        if (out) dpn_reader_leave_out(&reader, record);
        assert_true(dpn_record_left_out(&reader, record) == out && dpn_record_possible(&reader, record, copies));
        if (out)
            for (size_t k = 0; k < 6; k++) assert_true(record[k] == (k == 5 ? 1 : DPN_ABSENT));
        dpn_reader_add_copies(&reader, record, first, copies, sum, count);
        for (uint64_t c = 0; c < copies; c++) dpn_reader_add(&reader, record, first && c == 0, one_by_one, counted);
        for (size_t k = 0; k < query->moments; k++) {
            const dpn_moment *moment = &query->moment[k];
            if (out)
                expected[k] = moment->kind == DPN_MOMENT_LEFT_OUT  ? (int64_t)copies
                              : moment->kind == DPN_MOMENT_PERSONS ? first
                                                                   : 0;
            else
                for (uint64_t c = 0; c < copies; c++) expected[k] += added(query, moment, record, first && c == 0);
            assert_true(sum[k] == expected[k] && one_by_one[k] == expected[k]);
        }
        size_t start = 0;
        for (size_t k = 0; k < 3; start += k == 1 ? 3 : 2, k++)
            for (size_t bin = 0; bin < (k == 1 ? 3 : 2); bin++) {
                int64_t here = !out && record[2 + k] == (int64_t)bin ? (int64_t)copies : 0;
                assert_true(count[start + bin] == here && counted[start + bin] == here);
            }
    }
    dpn_reader_free(&reader);
    dpn_query_free(query);
}

/* ---- Bounds ---- */

static void sums_are_possible_up_to_their_bounds(void **state) {
    (void)state;
    dpn_query *query = with_rows(true);
    dpn_reader reader = read_by(query);
    for (uint64_t rows = 0; rows < 4; rows++)
        for (size_t k = 0; k < query->moments; k++) {
            int64_t sum[12] = {0}, count[7] = {0};
            const char *what = NULL;
            dpn_moment_kind kind = query->moment[k].kind;
            bool both = kind == DPN_MOMENT_VALUE || kind == DPN_MOMENT_PRODUCT;
            int64_t most = query->moment[k].bound * (int64_t)rows, least = both ? -most : 0;
            const char *word = kind == DPN_MOMENT_ROWS       ? "a number of rows"
                               : kind == DPN_MOMENT_PERSONS  ? "a number of persons"
                               : kind == DPN_MOMENT_VALUE    ? "a sum of values"
                               : kind == DPN_MOMENT_LEFT_OUT ? "a number of rows left out"
                               : kind == DPN_MOMENT_PRODUCT  ? "a sum of products"
                                                             : "the place of a histogram among the sums";
            if (kind == DPN_MOMENT_BINS) most = 0;
            for (int end = 0; end < 4; end++) {
                sum[k] = end == 0 ? most : end == 1 ? most + 1 : end == 2 ? least : least - 1;
                bool possible = dpn_sums_possible(&what, &reader, rows, sum, count);
                assert_true(possible == (end % 2 == 0));
                if (!possible) assert_string_equal(what, word);
            }
        }
    static const struct {
        int64_t count[7];
        bool possible;
    } some[] = {{{2, 1, 0, 0, 3, 3, 0}, true},   {{2, 2, 0, 0, 0, 0, 0}, false}, {{0, 0, 1, 1, 1, 0, 0}, true},
                {{0, 0, 1, 1, 2, 0, 0}, false},  {{0, 0, 0, 0, 0, 0, 4}, false}, {{-1, 0, 0, 0, 0, 0, 0}, false},
                {{0, 0, 0, 0, 0, -1, 2}, false}, {{3, 0, 3, 0, 0, 0, 3}, true}};
    for (size_t i = 0; i < sizeof some / sizeof *some; i++) {
        int64_t sum[12] = {0};
        const char *what = NULL;
        assert_true(dpn_sums_possible(&what, &reader, 3, sum, some[i].count) == some[i].possible);
        if (!some[i].possible) assert_string_equal(what, "a count of bins");
    }
    dpn_reader_free(&reader);
    dpn_query_free(query);
}

static void records_are_possible_within_their_bounds(void **state) {
    (void)state;
    for (int left_out = 0; left_out < 2; left_out++) {
        dpn_query *query = with_rows(left_out);
        dpn_reader reader = read_by(query);
        const int64_t good[6] = {query->measure[0].lower, query->measure[1].upper, 0, 2, DPN_ABSENT, 0};
        for (size_t k = 0; k < 5; k++) {
            int64_t least = k < 2 ? query->measure[k].lower : 0;
            int64_t most = k < 2 ? query->measure[k].upper : k == 3 ? 2 : 1;
            for (int end = 0; end < 5; end++) {
                int64_t record[6];
                memcpy(record, good, sizeof record);
                record[k] = end == 0   ? least
                            : end == 1 ? least - 1
                            : end == 2 ? most
                            : end == 3 ? most + 1
                                       : DPN_ABSENT;
                assert_true(dpn_record_possible(&reader, record, 1) == (end == 0 || end == 2 || (end == 4 && k >= 2)));
            }
        }
        int64_t out[6] = {DPN_ABSENT, DPN_ABSENT, DPN_ABSENT, DPN_ABSENT, DPN_ABSENT, 1};
        for (size_t k = 0; left_out && k < 6; k++) { /* one that is left out has nothing, and says so */
            assert_true(dpn_record_possible(&reader, out, 1));
            int64_t before = out[k];
            out[k] = k == 5 ? 2 : 0;
            assert_false(dpn_record_possible(&reader, out, 1));
            out[k] = before;
        }
        dpn_reader_free(&reader);
        dpn_query_free(query);
    }
}

/* 2^36 rows, or as many as leave the largest sum an int64_t. */
static void so_many_rows_have_a_sum(void **state) {
    (void)state;
    static const int64_t bounds[] = {0,
                                     1,
                                     (int64_t)1 << 26,
                                     ((int64_t)1 << 27) - 1,
                                     (int64_t)1 << 27,
                                     ((int64_t)1 << 27) + 1,
                                     (int64_t)1 << 40,
                                     INT64_MAX};
    for (size_t i = 0; i < sizeof bounds / sizeof *bounds; i++)
        for (size_t place = 0; place < 3; place++) {
            dpn_moment moment[3] = {{.bound = 1}, {.bound = 0}, {.bound = 5}};
            dpn_query query = {.moment = moment, .moments = 3};
            moment[place].bound = bounds[i];
            __extension__ typedef __int128 wide;
            uint64_t most = most_rows(&query), limit = (uint64_t)1 << 36;
            int64_t largest = bounds[i] > 5 ? bounds[i] : 5;
            assert_true(most <= limit && (wide)most * largest <= INT64_MAX);
            assert_true(most == limit || (wide)(most + 1) * largest > INT64_MAX);
        }
}

/* ---- Totals of persons ---- */

__extension__ typedef __int128 wide;

static void totals_are_two_numbers(void **state) {
    (void)state;
    draw_source source = {4};
    const wide one = (wide)1 << 26;
    for (int i = 0; i < 3000; i++) {
        dpn_measure measure = {0, (int)draw_uniform(&source, -12, 8), -100000, 700000, 300000};
        double x = ldexp(floor(draw_uniform(&source, -0x1p36, 0x1p36)),
                         measure.exponent - 28); /* of quarters of a finer step */
        if (i % 10 == 0) x = ldexp(draw_chance(&source, 0.5) ? 1 : -1, measure.exponent + 26 + i % 3 - 1);
        char text[400];
        snprintf(text, sizeof text, "%.80f", x);
        dpn_numeral value = numeral(text);
        int64_t out[2];
        dpn_total_read(out, &measure, &value);
        double finer = floor(ldexp(x, 26 - measure.exponent) + 0.5);
        finer = fmin(fmax(finer, -0x1p52), 0x1p52);
        assert_true((double)out[0] * 0x1p26 + (double)out[1] == finer && out[1] >= 0 && out[1] < (int64_t)one);
        assert_true(dpn_total_possible(out, 1));
        /* the sum or mean of so many rows, nearest, half way up, clamped */
        uint64_t rows = 1 + (uint64_t)draw_uniform(&source, 0, 5);
        int64_t total[2] = {(int64_t)draw_uniform(&source, -2e6, 2e6), (int64_t)draw_uniform(&source, 0, 0x1p27)};
        if (i % 4 == 0) total[1] = (int64_t)(one / 2 * (int64_t)rows) - (i % 8 == 0);
        for (int mean = 0; mean < 2; mean++) {
            int64_t step = dpn_total_step(&measure, mean ? DPN_PER_PERSON_MEAN : DPN_PER_PERSON_SUM, total, rows);
            wide sum = (wide)total[0] * one + total[1], parts = mean ? one * (wide)rows : one;
            if (step > measure.lower && step < measure.upper) {
                wide twice = 2 * sum - 2 * (wide)step * parts; /* -1/2 <= the rest < 1/2 */
                assert_true(twice >= -parts && twice < parts);
            } else if (step == measure.lower) {
                assert_true(2 * sum < (2 * (wide)step + 1) * parts);
            } else {
                assert_true(step == measure.upper && 2 * sum >= (2 * (wide)step - 1) * parts);
            }
        }
    }
}

static void totals_are_possible_up_to_their_ends(void **state) {
    (void)state;
    const int64_t one = (int64_t)1 << 26;
    for (uint64_t rows = 1; rows < 1u << 30; rows = 3 * rows + 1) {
        int64_t most = one * (int64_t)rows, rest = (one - 1) * (int64_t)rows;
        const struct {
            int64_t whole, rest;
            bool possible;
        } some[] = {{most, 0, true},       {most + 1, 0, false}, {-most, 0, true},
                    {-most - 1, 0, false}, {0, rest, true},      {0, rest + 1, false},
                    {0, -1, false},        {most, rest, true},   {-most, -1, false}};
        for (size_t i = 0; i < sizeof some / sizeof *some; i++) {
            int64_t total[2] = {some[i].whole, some[i].rest};
            assert_true(dpn_total_possible(total, rows) == some[i].possible);
        }
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(values_are_in_the_bin_that_holds_them),
        cmocka_unit_test(edges_that_are_none),
        cmocka_unit_test(predicates_say_what_their_table_says),
        cmocka_unit_test(all_predicates_have_to_hold),
        cmocka_unit_test(predicates_that_need_a_number),
        cmocka_unit_test(words_for_missing_fields),
        cmocka_unit_test(records_are_steps_and_bins),
        cmocka_unit_test(records_of_persons_are_totals),
        cmocka_unit_test(sums_are_those_of_all_rows),
        cmocka_unit_test(sums_are_possible_up_to_their_bounds),
        cmocka_unit_test(records_are_possible_within_their_bounds),
        cmocka_unit_test(so_many_rows_have_a_sum),
        cmocka_unit_test(totals_are_two_numbers),
        cmocka_unit_test(totals_are_possible_up_to_their_ends),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
