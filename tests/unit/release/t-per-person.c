/* Persons that are bounded as a whole: the sums of a tally against rational numbers, in one piece, in parts and by way of states; and
 * what one row can do. t-statistics.c has the neighbours. */
#include "release/tally/totals.h"
#include "release/tally/tally.h"
#include "unit/random/seeded.h"
#include "unit/release/declared.h"
#include "unit/release/rational.h"

#include <openssl/evp.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

enum { ROWS = 80, TEXT = 32, GROUPS = 4, PERSONS = 7, COLUMNS = 4 };

typedef struct visit {
    char x[TEXT], y[TEXT];
    size_t group, person;
} visit;

static dpn_query *asked(const char *rest) {
    char text[DECLARED_SIZE], json[DECLARED_SIZE];
    snprintf(text, sizeof text,
             "{'statistics': [{'kind': 'count'}, {'kind': 'mean', 'column': 'x', 'lower': '-3', 'upper': '100.5'}, "
             "{'kind': 'variance', 'column': 'y', 'lower': '0', 'upper': '10'}], 'person': 'id', 'max_groups': '4', "
             "'epsilon': '1', 'delta': '1e-6', %s}",
             rest);
    dpn_declaration declaration = declared_read(declared_quotes(json, text));
    dpn_query *query = NULL;
    dpn_error why = {0};
    if (dpn_query_new_shape(&query, &declaration, &why)) fail_msg("%s", why.sentence);
    dpn_declaration_free(&declaration);
    return query;
}

static visit draw_row(draw_source *source) {
    static const char *const odd[] = {"1e30", "-1e30", "0.0000001", "100.5", "-3", "7e-40", "-0.5", "1e5"};
    visit made = {.group = draw_bits(source) % GROUPS, .person = draw_bits(source) % PERSONS};
    snprintf(made.x, TEXT, "%.4f", draw_uniform(source, -40, 60));
    snprintf(made.y, TEXT, "%d", (int)(draw_bits(source) % 9) - 3);
    if (draw_chance(source, 0.1)) snprintf(made.x, TEXT, "%s", odd[draw_bits(source) % 8]);
    return made;
}

static void add(dpn_tally *tally, const dpn_query *query, const visit *rows, size_t count) {
    dpn_error why = {0};
    for (size_t r = 0; r < count; r++) {
        char region[2] = {(char)('a' + rows[r].group), 0}, id[2] = {(char)('0' + rows[r].person), 0};
        dpn_field field[COLUMNS];
        for (size_t c = 0; dpn_query_column(query, c); c++) {
            const char *name = dpn_query_column(query, c);
            const char *text = strcmp(name, "x") == 0   ? rows[r].x
                               : strcmp(name, "y") == 0 ? rows[r].y
                               : *name == 'r'           ? region
                                                        : id;
            assert_true(c < COLUMNS);
            field[c] = (dpn_field){text, strlen(text)};
        }
        if (dpn_tally_rows(tally, field, 1, &why)) fail_msg("%s", why.sentence);
    }
}

/* ---- The slow way ---- */

/* floor(total/parts + 1/2), clamped to the bounds. */
static int64_t nearest(const mpz_t total, const mpz_t parts, const dpn_measure *measure) {
    mpz_t twice, over;
    mpz_inits(twice, over, NULL);
    mpz_mul_2exp(twice, total, 1);
    mpz_add(twice, twice, parts);
    mpz_mul_2exp(over, parts, 1);
    mpz_fdiv_q(twice, twice, over);
    int64_t steps = mpz_cmp_si(twice, measure->lower) < 0   ? measure->lower
                    : mpz_cmp_si(twice, measure->upper) > 0 ? measure->upper
                                                            : mpz_get_si(twice);
    mpz_clears(twice, over, NULL);
    return steps;
}

/* What a person adds of one measure in a group; the number of rows there is *rows. */
static int64_t slow_step(size_t *rows, const dpn_query *query, size_t m, const visit *row, size_t count, size_t group,
                         size_t person) {
    const dpn_measure *measure = &query->measure[m];
    mpz_t total, parts;
    mpq_t x;
    mpz_inits(total, parts, NULL);
    mpq_init(x);
    *rows = 0;
    for (size_t r = 0; r < count; r++) {
        if (row[r].group != group || row[r].person != person) continue;
        const char *text = strcmp(query->column[measure->column], "x") == 0 ? row[r].x : row[r].y;
        assert_int_equal(rational_read(x, (dpn_field){text, strlen(text)}), RATIONAL_NUMBER);
        int64_t fine = rational_step(x, measure->exponent - 26, -(INT64_C(1) << 52), INT64_C(1) << 52);
        mpz_set_si(parts, fine);
        mpz_add(total, total, parts);
        ++*rows;
    }
    mpz_set_ui(parts, query->declaration.per_person == DPN_PER_PERSON_MEAN ? *rows : 1);
    mpz_mul_2exp(parts, parts, 26);
    int64_t steps = *rows ? nearest(total, parts, measure) : 0;
    mpz_clears(total, parts, NULL);
    mpq_clear(x);
    return steps;
}

static int64_t slow_sum(const dpn_query *query, const dpn_moment *moment, const visit *row, size_t count,
                        size_t group) {
    int64_t sum = 0;
    for (size_t person = 0; person < PERSONS; person++) {
        size_t rows = 0;
        for (size_t r = 0; r < count; r++) rows += row[r].group == group && row[r].person == person;
        if (rows == 0) continue;
        int64_t a = 0, b = 0;
        if (moment->kind != DPN_MOMENT_ROWS) a = slow_step(&rows, query, moment->a, row, count, group, person);
        if (moment->kind == DPN_MOMENT_PRODUCT) b = slow_step(&rows, query, moment->b, row, count, group, person);
        if (moment->kind == DPN_MOMENT_ROWS) sum++;
        if (moment->kind == DPN_MOMENT_VALUE) sum += a - moment->offset;
        if (moment->kind == DPN_MOMENT_PRODUCT)
            sum += rational_shift(a - query->measure[moment->a].middle, b - query->measure[moment->b].middle,
                                  moment->shift) -
                   moment->offset;
    }
    return sum;
}

static void assert_sums(const dpn_query *query, dpn_tally *tally, const visit *row, size_t count) {
    const dpn_group *group = NULL;
    size_t groups = 0;
    dpn_error why = {0};
    if (dpn_tally_settle(&group, &groups, tally, &why)) fail_msg("%s", why.sentence);
    for (size_t g = 0; g < groups; g++)
        for (size_t i = 0; i < query->moments; i++) {
            int64_t slow = slow_sum(query, &query->moment[i], row, count, (size_t)(group[g].key[0][0] - 'a'));
            if (group[g].sum[i] != slow)
                fail_msg("group %s, moment %zu: %lld, not %lld", group[g].key[0], i, (long long)group[g].sum[i],
                         (long long)slow);
        }
}

/* ---- Parts ---- */

static dpn_tally *opened(const dpn_query *query, uint64_t seed) {
    static const dpn_tally_secret secret = {{7}};
    seeded source;
    dpn_tally *tally;
    dpn_error why = {0};
    seeded_begin(&source, seed);
    assert_int_equal(dpn_tally_new_with(&tally, query, &secret, &source.rng, &why), DPN_OK);
    return tally;
}

/* Some rows by a part that was split off and merged, some by the state of another tally, the rest at once. */
static dpn_tally *in_parts(const dpn_query *query, const visit *row, size_t count, size_t first, size_t second) {
    dpn_tally *tally = opened(query, 2), *other = opened(query, 3), *part = NULL;
    unsigned char *state = NULL;
    size_t length = 0;
    dpn_error why = {0};
    assert_int_equal(dpn_tally_split(&part, tally, &why), DPN_OK);
    add(part, query, row, first);
    add(other, query, row + first, second - first);
    add(tally, query, row + second, count - second);
    assert_int_equal(dpn_tally_merge(tally, part, &why), DPN_OK);
    assert_int_equal(dpn_tally_write(&state, &length, other, &why), DPN_OK);
    if (dpn_tally_add_state(tally, state, length, &why)) fail_msg("%s", why.sentence);
    dpn_tally_state_free(state, length);
    dpn_tally_free(other);
    dpn_tally_free(part);
    return tally;
}

static void assert_same_state(dpn_tally *one, dpn_tally *other) {
    unsigned char *a = NULL, *b = NULL;
    size_t a_length = 0, b_length = 0;
    dpn_error why = {0};
    assert_int_equal(dpn_tally_write(&a, &a_length, one, &why), DPN_OK);
    assert_int_equal(dpn_tally_write(&b, &b_length, other, &why), DPN_OK);
    assert_int_equal(a_length, b_length);
    assert_memory_equal(a, b, a_length);
    dpn_tally_state_free(a, a_length);
    dpn_tally_state_free(b, b_length);
}

static void sums_are_those_of_persons(void **state) {
    (void)state;
    static const char *const rests[] = {
        "'per_person': 'sum', 'by': [{'column': 'region', 'levels': ['a', 'b', 'c', 'd']}]",
        "'per_person': 'mean', 'by': [{'column': 'region', 'levels': ['a', 'b', 'c', 'd']}]",
        "'per_person': 'sum', 'by': [{'column': 'region'}]",
        "'per_person': 'mean', 'by': [{'column': 'region'}], 'relation': 'replace'",
    };
    draw_source source = {5};
    for (size_t q = 0; q < sizeof rests / sizeof *rests; q++) {
        dpn_query *query = asked(rests[q]);
        for (int trial = 0; trial < 40; trial++) {
            visit row[ROWS];
            size_t count = draw_bits(&source) % ROWS, first = draw_bits(&source) % (count + 1);
            size_t second = first + draw_bits(&source) % (count - first + 1);
            for (size_t r = 0; r < count; r++) row[r] = draw_row(&source);
            dpn_tally *whole = opened(query, 1), *parts = in_parts(query, row, count, first, second);
            add(whole, query, row, count);
            assert_same_state(whole, parts);
            assert_sums(query, whole, row, count);
            assert_sums(query, parts, row, count);
            dpn_tally_free(whole);
            dpn_tally_free(parts);
        }
        dpn_query_free(query);
    }
}

/* With fewer groups than a person has, which ones count depends on the secret and the person alone: parts agree. */
static void the_cut_of_groups_stays(void **state) {
    (void)state;
    draw_source source = {6};
    dpn_query *query = asked("'per_person': 'sum', 'by': [{'column': 'region'}]");
    query->declaration.max_groups = 2;
    for (int trial = 0; trial < 100; trial++) {
        visit row[ROWS];
        size_t first = draw_bits(&source) % ROWS;
        for (size_t r = 0; r < ROWS; r++) row[r] = draw_row(&source);
        dpn_tally *whole = opened(query, 1), *parts = in_parts(query, row, ROWS, first, ROWS);
        add(whole, query, row, ROWS);
        assert_same_state(whole, parts);
        const dpn_group *group = NULL;
        size_t groups = 0;
        dpn_error why = {0};
        int64_t persons = 0;
        assert_int_equal(dpn_tally_settle(&group, &groups, whole, &why), DPN_OK);
        for (size_t g = 0; g < groups; g++) persons += group[g].sum[0];
        assert_true(persons <= 2 * PERSONS && persons > 0);
        dpn_tally_free(whole);
        dpn_tally_free(parts);
    }
    dpn_query_free(query);
}

/* ---- Totals ---- */

static void totals_at_the_ends(void **state) {
    (void)state;
    const dpn_measure measure = {.exponent = -2, .lower = -10, .upper = 40};
    const int64_t one = INT64_C(1) << 26, rows = INT64_C(1) << 36;
    const int64_t most[2] = {one * rows, (one - 1) * rows}, least[2] = {-one * rows, 0};
    assert_int_equal(dpn_total_step(&measure, DPN_PER_PERSON_SUM, most, (uint64_t)rows), 40);
    assert_int_equal(dpn_total_step(&measure, DPN_PER_PERSON_MEAN, most, (uint64_t)rows), 40);
    assert_int_equal(dpn_total_step(&measure, DPN_PER_PERSON_SUM, least, (uint64_t)rows), -10);
    assert_int_equal(dpn_total_step(&measure, DPN_PER_PERSON_MEAN, least, (uint64_t)rows), -10);
    /* Half way goes up: 2.5 and -2.5 steps. */
    assert_int_equal(dpn_total_step(&measure, DPN_PER_PERSON_SUM, (int64_t[2]){2, one / 2}, 9), 3);
    assert_int_equal(dpn_total_step(&measure, DPN_PER_PERSON_SUM, (int64_t[2]){-3, one / 2}, 9), -2);
    assert_int_equal(dpn_total_step(&measure, DPN_PER_PERSON_MEAN, (int64_t[2]){5, 0}, 2), 3);
    assert_int_equal(dpn_total_step(&measure, DPN_PER_PERSON_MEAN, (int64_t[2]){-5, 0}, 2), -2);
    assert_true(dpn_total_possible(most, (uint64_t)rows) && dpn_total_possible(least, (uint64_t)rows));
    assert_false(dpn_total_possible(most, (uint64_t)rows - 1) || dpn_total_possible(least, (uint64_t)rows - 1));
    assert_false(dpn_total_possible((int64_t[2]){0, -1}, 5) || dpn_total_possible((int64_t[2]){0, one}, 1));
    assert_false(dpn_total_possible((int64_t[2]){INT64_MIN, 0}, 5));
}

/* ---- States ---- */

/* A state of one person with one row, whose totals of both measures end it, before the check of 32 bytes: the `at`-th of their four
 * numbers becomes another. What merging it says. */
static dpn_status merged_with(dpn_tally *into, const unsigned char *state, size_t length, size_t at, int64_t number,
                              dpn_error *why) {
    unsigned char *changed = malloc(length);
    assert_non_null(changed);
    memcpy(changed, state, length);
    for (size_t i = 0; i < 8; i++) changed[length - 32 - 8 * (4 - at) + i] = (uint64_t)number >> 8 * i & 255;
    assert_int_equal(EVP_Digest(changed, length - 32, changed + length - 32, NULL, EVP_sha256(), NULL), 1);
    dpn_status status = dpn_tally_add_state(into, changed, length, why);
    free(changed);
    return status;
}

/* One row adds 2^26 whole steps at most, up or down, and less than one step besides. */
static void totals_of_no_rows_are_refused(void **state) {
    (void)state;
    const int64_t one = INT64_C(1) << 26;
    const struct {
        int64_t number;
        bool whole, possible;
    } cases[] = {{one, true, true},        {-one, true, true},       {one + 1, true, false}, {-one - 1, true, false},
                 {INT64_MAX, true, false}, {INT64_MIN, true, false}, {0, false, true},       {one - 1, false, true},
                 {one, false, false},      {-1, false, false}};
    dpn_query *query = asked("'per_person': 'sum', 'by': [{'column': 'region', 'levels': ['a', 'b', 'c', 'd']}]");
    const visit row = {"5", "3", 1, 2};
    unsigned char *made = NULL;
    size_t length = 0;
    dpn_error why = {0};
    dpn_tally *tally = opened(query, 1);
    add(tally, query, &row, 1);
    assert_int_equal(dpn_tally_write(&made, &length, tally, &why), DPN_OK);
    for (size_t at = 0; at < 4; at++)
        for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
            if (cases[i].whole == at % 2) continue;
            dpn_tally *into = opened(query, 2);
            dpn_status status = merged_with(into, made, length, at, cases[i].number, &why);
            assert_int_equal(status, cases[i].possible ? DPN_OK : DPN_EPARSE);
            if (status) assert_non_null(strstr(why.sentence, "out of bounds"));
            dpn_tally_free(into);
        }
    dpn_tally_state_free(made, length);
    dpn_tally_free(tally);
    dpn_query_free(query);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(totals_of_no_rows_are_refused),
        cmocka_unit_test(sums_are_those_of_persons),
        cmocka_unit_test(the_cut_of_groups_stays),
        cmocka_unit_test(totals_at_the_ends),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
