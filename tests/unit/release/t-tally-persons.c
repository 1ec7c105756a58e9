/* Persons and unknown keys: the cut against a second computation of it, that it is fair, and what keys may be. */
#include "unit/random/seeded.h"
#include "unit/release/random-table.h"

#include <openssl/evp.h>
#include <pthread.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

static dpn_field text_field(const char *text) {
    return (dpn_field){text, strlen(text)};
}

/* ---- The cut, a second time ---- */

/* What the lots of one row are made of, and the lots. */
typedef struct ticket {
    bool in;
    dpn_field person, key[2];
    int64_t record[TABLE_RECORD];
    unsigned char group_lot[32], row_lot[32];
} ticket;

/* Bytes that are hashed at once, by libcrypto. */
typedef struct message {
    unsigned char byte[1000];
    size_t length;
} message;

static void put_number(message *out, uint64_t number) {
    for (int i = 0; i < 8; i++, number >>= 8) out->byte[out->length++] = number & 255;
}

static void put(message *out, const void *bytes, size_t length) {
    put_number(out, length);
    if (length > 0) memcpy(out->byte + out->length, bytes, length);
    out->length += length;
}

static void put_head(message *out, const char *what, const dpn_tally_secret *secret, const ticket *one, size_t bys) {
    out->length = 0;
    put(out, what, strlen(what));
    put(out, secret->byte, sizeof secret->byte);
    put(out, one->person.text, one->person.length);
    for (size_t i = 0; i < bys; i++) put(out, one->key[i].text, one->key[i].length);
}

static void hash(unsigned char out[32], const message *in) {
    assert_int_equal(EVP_Digest(in->byte, in->length, out, NULL, EVP_sha256(), NULL), 1);
}

static bool same_text(dpn_field a, dpn_field b) {
    return a.length == b.length && memcmp(a.text, b.text, a.length) == 0;
}

static bool same_person(const ticket *a, const ticket *b) {
    return a->in && b->in && same_text(a->person, b->person);
}

static bool same_group(const ticket *a, const ticket *b) {
    return same_person(a, b) && same_text(a->key[0], b->key[0]) && same_text(a->key[1], b->key[1]);
}

/* Equal rows before this one. */
static uint64_t copy_number(const ticket *all, size_t row) {
    uint64_t before = 0;
    for (size_t i = 0; i < row; i++)
        before += same_group(&all[i], &all[row]) && memcmp(all[i].record, all[row].record, sizeof all[row].record) == 0;
    return before;
}

/* How many groups of the same person have a lesser lot. */
static uint64_t lesser_groups(const ticket *all, size_t rows, size_t row) {
    uint64_t lesser = 0;
    for (size_t i = 0; i < rows; i++) {
        bool counts = same_person(&all[i], &all[row]) && memcmp(all[i].group_lot, all[row].group_lot, 32) < 0;
        for (size_t j = 0; j < i && counts; j++) counts = !same_group(&all[j], &all[i]); /* each group once */
        lesser += counts;
    }
    return lesser;
}

static uint64_t lesser_rows(const ticket *all, size_t rows, size_t row) {
    uint64_t lesser = 0;
    for (size_t i = 0; i < rows; i++)
        lesser += same_group(&all[i], &all[row]) && memcmp(all[i].row_lot, all[row].row_lot, 32) < 0;
    return lesser;
}

static void fill_ticket(ticket *all, size_t row, const random_table *table, const table_query *query,
                        const dpn_tally_secret *secret) {
    const dpn_field *field = table->field + row * TABLE_COLUMNS;
    size_t bys = query->query.declaration.bys;
    ticket *one = &all[row];
    *one =
        (ticket){table_admits(table, query, row), field[TABLE_PERSON], {text_field(""), text_field("")}, {0}, {0}, {0}};
    for (size_t i = 0; i < bys; i++) one->key[i] = table_field(query, field[query->by_column[i]]);
    size_t numbers = table_record(one->record, query, table, row);
    message text;
    put_head(&text, "group", secret, one, bys);
    hash(one->group_lot, &text);
    put_head(&text, "row", secret, one, bys);
    put_number(&text, numbers * sizeof *one->record);
    for (size_t i = 0; i < numbers; i++) put_number(&text, (uint64_t)one->record[i]);
    put_number(&text, 8);
    put_number(&text, copy_number(all, row));
    hash(one->row_lot, &text);
}

/* Which rows are kept. */
static void slow_cut(bool *keep, const random_table *table, const table_query *query, const dpn_tally_secret *secret) {
    ticket *all = calloc(table->rows + 1, sizeof *all);
    if (!all) abort();
    for (size_t i = 0; i < table->rows; i++) fill_ticket(all, i, table, query, secret);
    for (size_t i = 0; i < table->rows; i++)
        keep[i] = all[i].in && lesser_groups(all, table->rows, i) < query->query.declaration.max_groups &&
                  lesser_rows(all, table->rows, i) < query->query.declaration.max_rows;
    free(all);
}

enum { MOST_ROWS = 60, PARTS = 3 };

/* One random table, in one tally or in several. */
static void try_cut(draw_source *source, uint64_t seed, table_options options, size_t parts) {
    table_query query;
    random_table table;
    table_random_query(&query, source, options);
    table_random(&table, source, &query, draw_bits(source) % MOST_ROWS, 1 + draw_bits(source) % 8);
    if (seed % 3 == 0) /* many rows that are equal */
        for (size_t i = 0; i < table.rows; i++)
            for (size_t j = TABLE_INCOME; j <= TABLE_AGE; j++)
                table.field[i * TABLE_COLUMNS + j] = table.field[i % 3 * TABLE_COLUMNS + j];
    dpn_tally_secret secret;
    for (size_t i = 0; i < sizeof secret.byte; i++) secret.byte[i] = draw_bits(source) & 255;
    bool keep[MOST_ROWS];
    slow_cut(keep, &table, &query, &secret);
    slow_tally slow = table_tally(&table, &query, keep);
    dpn_tally *tally[PARTS] = {table_open_with(&query, &secret, seed)};
    for (size_t i = 1; i < parts; i++) assert_int_equal(dpn_tally_split(&tally[i], tally[0], NULL), DPN_OK);
    for (size_t i = 0; i < table.rows; i++)
        table_add(tally[draw_bits(source) % parts], table.field + i * TABLE_COLUMNS, 1);
    for (size_t i = parts - 1; i > 0; i--) assert_int_equal(dpn_tally_merge(tally[i - 1], tally[i], NULL), DPN_OK);
    table_assert_settles_to(&query, tally[0], &slow);
    for (size_t i = 0; i < parts; i++) dpn_tally_free(tally[i]);
    slow_free(&slow);
    table_free(&table);
}

static void the_cut_is_that_of_the_lots(void **state) {
    (void)state;
    draw_source source = {1};
    for (uint64_t i = 0; i < 150; i++)
        try_cut(&source, i,
                (table_options){.persons = true, .unknown_keys = i % 2, .skip = i % 4 < 2, .left_out = i % 8 < 4}, 1);
}

static void the_cut_of_merged_tallies_is_that_of_the_lots(void **state) {
    (void)state;
    draw_source source = {2};
    for (uint64_t i = 0; i < 150; i++)
        try_cut(
            &source, i,
            (table_options){
                .persons = true, .unknown_keys = i % 2, .skip = i % 4 < 2, .value = i % 16 == 0, .left_out = i % 8 < 4},
            PARTS);
}

/* ---- Fairness ---- */

/* A query by region, without predicates. */
static void simple_query(table_query *out, bool unknown, uint64_t max_groups, uint64_t max_rows) {
    static char *levels[] = {"0", "1", "2", "3", "4", "5"};
    draw_source source = {3};
    table_random_query(out, &source, (table_options){.persons = true, .unknown_keys = true, .left_out = true});
    out->query.declaration.bys = 1;
    out->query.declaration.wheres = 0;
    out->query.declaration.max_groups = max_groups;
    out->query.declaration.max_rows = max_rows;
    out->by[0].level = unknown ? NULL : levels;
    out->by[0].levels = unknown ? 0 : 6;
    out->query.known_keys = !unknown;
    out->query.groups = unknown ? 0 : 6;
    for (size_t i = 0; i < out->query.moments; i++)
        out->moment[i].bound = 1; /* no limit on rows: numbers are small here */
}

/* A row whose region and bin of ages can be told from the answer. */
static void simple_row(dpn_field row[TABLE_COLUMNS], const char *region, const char *age, const char *person) {
    for (size_t i = 0; i < TABLE_COLUMNS; i++) row[i] = text_field("1");
    row[TABLE_REGION] = text_field(region);
    row[TABLE_AGE] = text_field(age);
    row[TABLE_PERSON] = text_field(person);
}

static void assert_even(const long *count, size_t cells, long trials, double limit) {
    double expected = (double)trials / (double)cells, square = 0;
    for (size_t i = 0; i < cells; i++)
        square += ((double)count[i] - expected) * ((double)count[i] - expected) / expected;
    if (square > limit) fail_msg("chi-squared is %g", square);
}

/* Of a person in six groups two are kept: all 15 pairs are equally likely. With other persons about, in one tally or two. */
static void groups_are_chosen_evenly(void **state) {
    (void)state;
    static const char *const region[] = {"0", "1", "2", "3", "4", "5"};
    enum { TRIALS = 15000 };
    for (int form = 0; form < 4; form++) {
        table_query query;
        simple_query(&query, form % 2, 2, 1);
        long pairs[15] = {0};
        for (int i = 0; i < TRIALS; i++) {
            seeded rng;
            seeded_begin(&rng, (uint64_t)i);
            dpn_tally *tally = table_open_tally(&query, &rng), *other = NULL;
            assert_int_equal(dpn_tally_split(&other, tally, NULL), DPN_OK);
            for (size_t j = 0; j < 6; j++) {
                dpn_field row[TABLE_COLUMNS];
                simple_row(row, region[j], "1", "a");
                table_add(form >= 2 && j % 2 ? other : tally, row, 1);
            }
            assert_int_equal(dpn_tally_merge(tally, other, NULL), DPN_OK);
            size_t groups, code = 0, seen = 0;
            const dpn_group *group = table_settle(&groups, tally);
            size_t chosen[2] = {0, 0};
            for (size_t j = 0; j < groups; j++)
                if (group[j].sum[0] > 0 && seen < 2) chosen[seen++] = (size_t)(group[j].key[0][0] - '0');
            assert_int_equal(seen, 2);
            for (size_t a = 0, next = 0; a < 6; a++)
                for (size_t b = a + 1; b < 6; b++, next++)
                    if (chosen[0] == a && chosen[1] == b) code = next;
            pairs[code]++;
            dpn_tally_free(other);
            dpn_tally_free(tally);
        }
        assert_even(pairs, 15, TRIALS, 54.636); /* exceeded with probability 1e-6 */
    }
}

/* Of a person's five rows in a group two are kept: all 10 pairs are equally likely. The age tells the row. */
static void rows_are_chosen_evenly(void **state) {
    (void)state;
    static const char *const age[] = {"0", "17.5", "18", "65", "120"};
    static char *edges[] = {"0", "17.5", "18", "65", "120", "inf"};
    enum { TRIALS = 20000 };
    for (int form = 0; form < 2; form++) {
        table_query query;
        simple_query(&query, false, 1, 2);
        query.bins[0].edge = edges;
        query.bins[0].edges = 6;
        long pairs[25] = {0}, compact[10];
        for (int i = 0; i < TRIALS; i++) {
            seeded rng;
            seeded_begin(&rng, (uint64_t)i);
            dpn_tally *tally = table_open_tally(&query, &rng), *other = NULL;
            assert_int_equal(dpn_tally_split(&other, tally, NULL), DPN_OK);
            for (size_t j = 0; j < 5; j++) {
                dpn_field row[TABLE_COLUMNS];
                simple_row(row, "0", age[j], "a");
                table_add(form && j >= 2 ? other : tally, row, 1);
            }
            assert_int_equal(dpn_tally_merge(tally, other, NULL), DPN_OK);
            size_t groups, seen = 0, chosen[2] = {0, 0};
            const dpn_group *group = table_settle(&groups, tally);
            for (size_t j = 0; j < 5; j++)
                if (group[0].count[j] > 0 && seen < 2) chosen[seen++] = j;
            assert_int_equal(seen, 2);
            pairs[chosen[0] * 5 + chosen[1]]++;
            dpn_tally_free(other);
            dpn_tally_free(tally);
        }
        for (size_t a = 0, next = 0; a < 5; a++)
            for (size_t b = a + 1; b < 5; b++) compact[next++] = pairs[a * 5 + b];
        assert_even(compact, 10, TRIALS, 44.811); /* exceeded with probability 1e-6 */
    }
}

/* ---- Many groups ---- */

/* Of a person in 149 groups, declared or not, who comes back to each of them, those with the three least lots are kept, with all rows:
 * also where a dropped group and a kept one have numbers that are 64 apart. In one tally, and in two that met the groups in opposite orders. */
static void many_groups_are_cut_by_their_lots(void **state) {
    (void)state;
    enum { GROUPS = 149, KEPT = 3, ROUNDS = 2 }; /* no multiple of 3: each group is met in one of the rounds */
    static char text[GROUPS][8];
    char *levels[GROUPS];
    for (size_t i = 0; i < GROUPS; i++) {
        snprintf(text[i], sizeof text[i], "%03zu", i);
        levels[i] = text[i];
    }
    for (unsigned form = 0; form < 40; form++) {
        table_query query;
        simple_query(&query, form % 2, KEPT, 100);
        query.by[0].level = form % 2 ? NULL : levels;
        query.by[0].levels = query.query.groups = form % 2 ? 0 : GROUPS;
        dpn_tally_secret secret = {{(unsigned char)form}};
        dpn_tally *tally = table_open_with(&query, &secret, form), *other = NULL;
        assert_int_equal(dpn_tally_split(&other, tally, NULL), DPN_OK);
        unsigned char lot[GROUPS][32];
        for (size_t i = 0; i < ROUNDS * GROUPS; i++) {
            bool there = form % 4 >= 2 && i % 3 == 0;
            size_t j = there ? GROUPS - 1 - i % GROUPS : i % GROUPS;
            dpn_field row[TABLE_COLUMNS];
            simple_row(row, text[j], "1", "a");
            table_add(tally, row, 1);
            if (there) table_add(other, row, 1);
            ticket one = {.person = text_field("a"), .key = {text_field(text[j])}};
            message said;
            put_head(&said, "group", &secret, &one, 1);
            hash(lot[j], &said);
        }
        assert_int_equal(dpn_tally_merge(tally, other, NULL), DPN_OK);
        size_t groups;
        const dpn_group *group = table_settle(&groups, tally);
        assert_int_equal(groups, form % 2 ? KEPT : GROUPS);
        for (size_t i = 0; i < groups; i++) {
            size_t j = (size_t)strtoul(group[i].key[0], NULL, 10), lesser = 0;
            int64_t rows = 0;
            for (size_t k = 0; k < GROUPS; k++) lesser += memcmp(lot[k], lot[j], sizeof lot[k]) < 0;
            for (size_t k = 0; k < ROUNDS * GROUPS; k++) {
                bool there = form % 4 >= 2 && k % 3 == 0;
                rows += (there ? GROUPS - 1 - k % GROUPS : k % GROUPS) == j ? 1 + there : 0;
            }
            assert_int_equal(group[i].sum[0], lesser < KEPT ? rows : 0);
        }
        dpn_tally_free(other);
        dpn_tally_free(tally);
    }
}

/* A person whom one tally has from another, where groups have other numbers, goes on there: what was dropped is told by groups, not by these. */
static void a_person_of_another_tally_goes_on(void **state) {
    (void)state;
    static const char *const region[] = {"0", "1", "2", "3", "4", "5"};
    enum { MET = 4 }; /* groups before, of six */
    for (unsigned trial = 0; trial < 50; trial++) {
        table_query query;
        simple_query(&query, true, 2, 100);
        dpn_tally_secret secret = {{(unsigned char)trial}};
        dpn_tally *tally = table_open_with(&query, &secret, trial), *other = NULL;
        unsigned char lot[6][32];
        dpn_field row[TABLE_COLUMNS];
        assert_int_equal(dpn_tally_split(&other, tally, NULL), DPN_OK);
        for (size_t i = 0; i < 6; i++) { /* a person a group, who are there first, in the opposite order */
            simple_row(row, region[5 - i], "1", region[i]);
            table_add(tally, row, 1);
            simple_row(row, region[i], "1", "a");
            if (i < MET) table_add(other, row, 1);
            message said;
            put_head(&said, "group", &secret, &(ticket){.person = text_field("a"), .key = {row[TABLE_REGION]}}, 1);
            hash(lot[i], &said);
        }
        assert_int_equal(dpn_tally_merge(tally, other, NULL), DPN_OK);
        for (size_t i = 0; i < 6; i++) {
            simple_row(row, region[i], "1", "a");
            table_add(tally, row, 1);
        }
        size_t groups;
        const dpn_group *group = table_settle(&groups, tally);
        assert_int_equal(groups, 6);
        for (size_t i = 0; i < 6; i++) {
            size_t lesser = 0;
            for (size_t k = 0; k < 6; k++) lesser += memcmp(lot[k], lot[i], sizeof lot[k]) < 0;
            assert_int_equal(group[i].sum[0], lesser < 2 ? (i < MET ? 3 : 2) : 1);
        }
        dpn_tally_free(other);
        dpn_tally_free(tally);
    }
}

/* ---- Keys ---- */

/* Keys of any texts, which are told apart and in order: lengths matter. */
static void keys_are_any_texts(void **state) {
    (void)state;
    static const struct {
        dpn_field region, school;
    } ordered[] = {{{NULL, 0}, {"", 0}},        {{"", 0}, {"x", 1}},        {{"\1", 1}, {"", 0}},
                   {{"a", 1}, {"bc", 2}},       {{"a", 1}, {"\x7f", 1}},    {{"a\1b", 3}, {"c", 1}},
                   {{"a\1c", 3}, {"c", 1}},     {{"ab", 2}, {"", 0}},       {{"ab", 2}, {"c", 1}},
                   {{"\xc3\xa9", 2}, {"c", 1}}, {{"\xc3\xaa", 2}, {"c", 1}}};
    enum { KEYS = sizeof ordered / sizeof *ordered };
    table_query query;
    seeded rng;
    seeded_begin(&rng, 4);
    simple_query(&query, true, 1, 1);
    query.query.person = SIZE_MAX;
    query.query.declaration.bys = 2;
    query.by[1] = (dpn_grouping){.column = "school"};
    dpn_tally *tally = table_open_tally(&query, &rng);
    for (size_t i = 0; i < 5 * KEYS; i++) {
        dpn_field row[TABLE_COLUMNS];
        simple_row(row, "", "1", "a");
        row[TABLE_REGION] = ordered[i * 7 % KEYS].region;
        row[TABLE_SCHOOL] = ordered[i * 7 % KEYS].school;
        table_add(tally, row, 1);
    }
    size_t groups;
    const dpn_group *group = table_settle(&groups, tally);
    assert_int_equal(groups, KEYS);
    for (size_t i = 0; i < KEYS; i++) {
        dpn_field part[2] = {ordered[i].region, ordered[i].school};
        assert_int_equal(group[i].sum[0], 5);
        for (size_t j = 0; j < 2; j++) {
            assert_int_equal(group[i].length[j], part[j].length);
            if (part[j].text) assert_memory_equal(group[i].key[j], part[j].text, part[j].length);
            assert_int_equal(group[i].key[j][group[i].length[j]], 0);
        }
    }
    dpn_tally_free(tally);
}

/* A group in which no row is kept is not among those that appear: otherwise one person would show any number of keys. */
static void groups_without_kept_rows_do_not_appear(void **state) {
    (void)state;
    table_query query;
    seeded rng;
    seeded_begin(&rng, 5);
    simple_query(&query, true, 3, 1);
    dpn_tally *tally = table_open_tally(&query, &rng);
    char name[20];
    for (int i = 0; i < 1000; i++) {
        dpn_field row[TABLE_COLUMNS];
        snprintf(name, sizeof name, "key %d", i);
        simple_row(row, name, "1", "a");
        table_add(tally, row, 1);
    }
    size_t groups;
    const dpn_group *group = table_settle(&groups, tally);
    assert_int_equal(groups, 3);
    for (size_t i = 0; i < groups; i++) assert_true(group[i].sum[0] == 1 && group[i].sum[1] == 1);
    dpn_tally_free(tally);
}

/* ---- Threads ---- */

typedef struct work {
    dpn_tally *tally;
    const random_table *table;
    size_t first;
    dpn_status status;
} work;

enum { THREADS = 3 };

/* Every third row. */
static void *add_some(void *context) {
    work *self = context;
    for (size_t i = self->first; i < self->table->rows && !self->status; i += THREADS)
        self->status = dpn_tally_rows(self->tally, self->table->field + i * TABLE_COLUMNS, 1, NULL);
    return NULL;
}

static void threads_have_tallies_of_their_own(void **state) {
    (void)state;
    draw_source source = {8};
    seeded rng;
    seeded_begin(&rng, 8);
    table_query query;
    random_table table;
    table_random_query(&query, &source, (table_options){.persons = true, .unknown_keys = true, .skip = true});
    query.query.declaration.max_rows = query.query.declaration.max_groups = 1000; /* nobody is cut */
    table_random(&table, &source, &query, 1000, 50);
    slow_tally slow = table_tally(&table, &query, NULL);
    work part[THREADS];
    pthread_t thread[THREADS];
    dpn_tally *tally = table_open_tally(&query, &rng);
    for (size_t i = 0; i < THREADS; i++) {
        part[i] = (work){.table = &table, .first = i};
        assert_int_equal(dpn_tally_split(&part[i].tally, tally, NULL), DPN_OK);
        assert_int_equal(pthread_create(&thread[i], NULL, add_some, &part[i]), 0);
    }
    for (size_t i = 0; i < THREADS; i++) {
        assert_int_equal(pthread_join(thread[i], NULL), 0);
        assert_int_equal(part[i].status, DPN_OK);
        assert_int_equal(dpn_tally_merge(tally, part[i].tally, NULL), DPN_OK);
        dpn_tally_free(part[i].tally);
    }
    table_assert_settles_to(&query, tally, &slow);
    dpn_tally_free(tally);
    slow_free(&slow);
    table_free(&table);
}

/* ---- Persons ---- */

/* A row without a person is left out, and not counted as such either: nothing bounds how many there are. */
static void a_row_without_a_person_is_lost(void **state) {
    (void)state;
    static const dpn_field missing[] = {{NULL, 0}, {"", 0}, {"  \t", 3}};
    for (size_t i = 0; i < 3; i++) {
        table_query query;
        seeded rng;
        seeded_begin(&rng, 6);
        simple_query(&query, false, 1, 1);
        dpn_tally *tally = table_open_tally(&query, &rng);
        dpn_field row[2 * TABLE_COLUMNS];
        simple_row(row, "0", "1", "a");
        simple_row(row + TABLE_COLUMNS, "undeclared", "1", "a");
        row[TABLE_COLUMNS + TABLE_PERSON] = missing[i]; /* nobody asks for this row */
        dpn_error why = {DPN_OK, ""};
        assert_int_equal(dpn_tally_explain(tally, row + TABLE_COLUMNS, &why), DPN_OK);
        row[TABLE_COLUMNS + TABLE_REGION] = text_field("0");
        assert_int_equal(dpn_tally_explain(tally, row + TABLE_COLUMNS, &why), DPN_EPARSE);
        assert_non_null(strstr(why.sentence, "person"));
        table_add(tally, row, 2);
        size_t groups;
        const dpn_group *group = table_settle(&groups, tally);
        int64_t rows = 0, left_out = 0;
        for (size_t g = 0; g < groups; g++) {
            rows += group[g].sum[0];
            left_out += group[g].sum[query.query.moments - 1];
        }
        assert_int_equal(rows, 1);
        assert_int_equal(query.query.moment[query.query.moments - 1].kind, DPN_MOMENT_LEFT_OUT);
        assert_int_equal(left_out, 0);
        dpn_tally_free(tally);
    }
}

/* Many persons with many rows: what a person adds is what is allowed, exactly. */
static void many_persons(void **state) {
    (void)state;
    enum { PERSONS = 3000, ROWS = 7 };
    table_query query;
    seeded rng;
    seeded_begin(&rng, 7);
    simple_query(&query, false, 2, 3);
    dpn_tally *tally = table_open_tally(&query, &rng);
    for (int round = 0; round < ROWS; round++)
        for (int i = 0; i < PERSONS; i++)
            for (int region = 0; region < 3; region++) {
                char name[20], key[2] = {(char)('0' + region), 0};
                dpn_field row[TABLE_COLUMNS];
                snprintf(name, sizeof name, "%d", i);
                simple_row(row, key, "1", name);
                table_add(tally, row, 1);
            }
    size_t groups;
    int64_t rows = 0, persons = 0;
    const dpn_group *group = table_settle(&groups, tally);
    for (size_t i = 0; i < groups; i++) {
        rows += group[i].sum[0];
        persons += group[i].sum[1];
    }
    assert_int_equal(rows, PERSONS * 2 * 3);
    assert_int_equal(persons, PERSONS * 2);
    dpn_tally_free(tally);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_cut_is_that_of_the_lots),
        cmocka_unit_test(the_cut_of_merged_tallies_is_that_of_the_lots),
        cmocka_unit_test(groups_are_chosen_evenly),
        cmocka_unit_test(many_groups_are_cut_by_their_lots),
        cmocka_unit_test(a_person_of_another_tally_goes_on),
        cmocka_unit_test(rows_are_chosen_evenly),
        cmocka_unit_test(keys_are_any_texts),
        cmocka_unit_test(groups_without_kept_rows_do_not_appear),
        cmocka_unit_test(threads_have_tallies_of_their_own),
        cmocka_unit_test(a_row_without_a_person_is_lost),
        cmocka_unit_test(many_persons),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
