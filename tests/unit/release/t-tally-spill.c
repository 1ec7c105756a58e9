/* Persons and keys beyond the memory: whatever the limit is and however often it was reached, the sums, the states and the answers are
 * those of a tally that holds everything in memory, which t-tally*.c compare with rational numbers; and the disk tells nothing. */
#define _GNU_SOURCE /* memmem */
#include "release/tally/spill.h"

#include "unit/release/declared.h"
#include "unit/release/random-table.h"

#include <pthread.h>
#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cmocka.h>

/* ---- Tables with many keys ---- */

static size_t below(draw_source *source, size_t count) {
    return draw_bits(source) % count;
}

/* Persons that are bounded as a whole have no bins, and nothing counts what is left out of them. */
static void bound_as_a_whole(table_query *query, dpn_per_person per_person) {
    query->query.declaration.per_person = per_person;
    query->query.histograms = query->query.trees = query->query.quantiles = 0;
    while (query->moment[query->query.moments - 1].kind == DPN_MOMENT_BINS) query->query.moments--;
}

static void make_query(table_query *query, draw_source *source, uint64_t i) {
    table_options options = {.persons = i % 4 > 0, .unknown_keys = i % 2, .skip = i % 3 == 0, .value = i % 5 == 1};
    bool whole = options.persons && i % 7 < 2;
    options.left_out = !whole && i % 4 == 1;
    if (!options.persons) options.unknown_keys = true; /* else there is nothing that could be beyond the memory */
    table_random_query(query, source, options);
    query->query.declaration.wheres = i % 3 > 0 ? 0 : query->query.declaration.wheres;
    if (whole) bound_as_a_whole(query, i % 7 == 0 ? DPN_PER_PERSON_SUM : DPN_PER_PERSON_MEAN);
}

/* Names of many lengths, a few of them no text; few values, so that rows repeat. */
static void make_table(random_table *table, draw_source *source, const table_query *query, size_t rows,
                       size_t persons) {
    size_t keys = 1 + below(source, 2 * rows + 1);
    table_random(table, source, query, rows, persons);
    for (size_t i = 0; i < rows; i++) {
        char(*text)[TABLE_TEXT] = table->text + i * TABLE_COLUMNS;
        dpn_field *field = table->field + i * TABLE_COLUMNS;
        for (size_t j = 0; j < query->query.declaration.bys && !query->query.known_keys; j++) {
            size_t column = query->by_column[j];
            if (query->by[j].level) continue;
            snprintf(text[column], TABLE_TEXT, "%.*s%zu", (int)below(source, 20), "a key, of many lengths",
                     below(source, keys));
            if (draw_chance(source, 0.02)) text[column][0] = (char)0xff;
            field[column] = (dpn_field){text[column], strlen(text[column])};
        }
        if (!draw_chance(source, 0.5)) continue;
        snprintf(text[TABLE_INCOME], TABLE_TEXT, "%zu", below(source, 3));
        snprintf(text[TABLE_AGE], TABLE_TEXT, "%zu", below(source, 2));
        for (size_t j = TABLE_INCOME; j <= TABLE_AGE; j++) field[j] = (dpn_field){text[j], strlen(text[j])};
    }
}

/* ---- Tallies ---- */

static dpn_tally_secret secret_of(uint64_t seed) {
    draw_source source = {seed};
    dpn_tally_secret secret;
    for (size_t i = 0; i < sizeof secret.byte; i++) secret.byte[i] = draw_bits(&source) & 255;
    return secret;
}

static dpn_tally *open_within(const table_query *query, uint64_t seed, size_t bytes) {
    dpn_tally_secret secret = secret_of(seed);
    dpn_error why;
    dpn_tally *tally = table_open_with(query, &secret, seed + 1);
    if (bytes > 0 && dpn_tally_set_limit(tally, bytes, "/tmp", &why)) fail_msg("%s", why.sentence);
    return tally;
}

static size_t some_limit(draw_source *source) {
    static const size_t limits[] = {1, 9000, 20000, 60000, 200000};
    return limits[below(source, sizeof limits / sizeof *limits)];
}

static void assert_same_group(const dpn_query *query, const dpn_group *a, const dpn_group *b) {
    size_t counts = 0;
    for (size_t i = 0; i < dpn_bin_sets(query); i++) counts += query->bins[i].edges - 1;
    for (size_t i = 0; i < query->declaration.bys; i++) {
        assert_int_equal(a->length[i], b->length[i]);
        assert_memory_equal(a->key[i], b->key[i], a->length[i] + 1);
    }
    assert_memory_equal(a->sum, b->sum, query->moments * sizeof *a->sum);
    if (counts > 0) assert_memory_equal(a->count, b->count, counts * sizeof *a->count);
}

/* One after the other, and all in a list. */
static void assert_same_groups(const dpn_query *query, dpn_tally *tally, const dpn_group *group, size_t groups) {
    dpn_error why;
    for (int again = 0; again < 2; again++) {
        dpn_walk *walk;
        const dpn_group *one;
        if (dpn_walk_begin(&walk, tally, &why)) fail_msg("%s", why.sentence);
        for (size_t i = 0; i <= groups; i++) {
            if (dpn_walk_next(&one, walk, &why)) fail_msg("%s", why.sentence);
            assert_true((one != NULL) == (i < groups));
            if (one) assert_same_group(query, one, &group[i]);
        }
        dpn_walk_free(walk);
    }
    size_t count;
    const dpn_group *list = table_settle(&count, tally);
    assert_int_equal(count, groups);
    for (size_t i = 0; i < groups; i++) assert_same_group(query, &list[i], &group[i]);
}

static void assert_same_state(dpn_tally *a, dpn_tally *b) {
    unsigned char *x = NULL, *y = NULL;
    size_t x_length = 0, y_length = 0;
    dpn_error why;
    if (dpn_tally_write(&x, &x_length, a, &why) || dpn_tally_write(&y, &y_length, b, &why))
        fail_msg("%s", why.sentence);
    assert_int_equal(x_length, y_length);
    assert_memory_equal(x, y, x_length);
    dpn_tally_state_free(x, x_length);
    dpn_tally_state_free(y, y_length);
}

/* ---- The same sums ---- */

static void limits_change_nothing(void **state) {
    (void)state;
    draw_source source = {1};
    size_t spilled = 0;
    for (uint64_t i = 0; i < 300; i++) {
        table_query query;
        random_table table;
        make_query(&query, &source, i);
        make_table(&table, &source, &query, below(&source, 250), 1 + below(&source, 60));
        dpn_tally *whole = open_within(&query, i, 0), *within = open_within(&query, i, some_limit(&source));
        table_add(whole, table.field, table.rows);
        size_t half = table.rows / 2;
        table_add(within, table.field, half);
        if (i % 3 == 0) { /* a state on the way changes nothing either */
            dpn_tally *other = open_within(&query, i, 0);
            table_add(other, table.field, half);
            assert_same_state(within, other);
            dpn_tally_free(other);
        }
        table_add(within, table.field + half * TABLE_COLUMNS, table.rows - half);
        spilled += dpn_tally_has_spilled(within);
        if (i % 5 == 0) assert_same_state(within, whole);
        size_t groups;
        const dpn_group *group = table_settle(&groups, whole);
        assert_same_groups(&query.query, within, group, groups);
        dpn_tally_free(within);
        dpn_tally_free(whole);
        table_free(&table);
    }
    assert_true(spilled > 150);
}

/* Parts with one limit, in threads; some come as states. */
typedef struct worker {
    pthread_t thread;
    dpn_tally *tally;
    const dpn_field *field;
    size_t rows;
} worker;

static void *run_part(void *context) {
    worker *self = context;
    dpn_error why;
    return dpn_tally_rows(self->tally, self->field, self->rows, &why) ? self : NULL;
}

static void join(dpn_tally *into, dpn_tally *from, bool by_state) {
    dpn_error why;
    unsigned char *bytes;
    size_t length;
    if (!by_state) {
        if (dpn_tally_merge(into, from, &why)) fail_msg("%s", why.sentence);
    } else {
        if (dpn_tally_write(&bytes, &length, from, &why)) fail_msg("%s", why.sentence);
        if (dpn_tally_add_state(into, bytes, length, &why)) fail_msg("%s", why.sentence);
        dpn_tally_state_free(bytes, length);
    }
}

static void parts_are_the_whole(void **state) {
    (void)state;
    enum { PARTS = 4 };
    draw_source source = {2};
    for (uint64_t i = 0; i < 120; i++) {
        table_query query;
        random_table table;
        make_query(&query, &source, i);
        make_table(&table, &source, &query, below(&source, 250), 1 + below(&source, 60));
        dpn_tally *whole = open_within(&query, i, 0);
        table_add(whole, table.field, table.rows);
        worker part[PARTS];
        dpn_error why;
        for (size_t j = 0; j < PARTS; j++) {
            size_t begin = table.rows * j / PARTS, end = table.rows * (j + 1) / PARTS;
            part[j].field = table.field + begin * TABLE_COLUMNS;
            part[j].rows = end - begin;
            if (j == 0)
                part[j].tally = open_within(&query, i, some_limit(&source));
            else if (dpn_tally_split(&part[j].tally, part[0].tally, &why))
                fail_msg("%s", why.sentence);
        }
        void *failed;
        for (size_t j = 0; j < PARTS; j++)
            assert_int_equal(pthread_create(&part[j].thread, NULL, run_part, &part[j]), 0);
        for (size_t j = 0; j < PARTS; j++) {
            pthread_join(part[j].thread, &failed);
            assert_null(failed);
        }
        for (size_t j = 1; j < PARTS; j++) {
            join(part[0].tally, part[j].tally, draw_chance(&source, 0.3));
            dpn_tally_free(part[j].tally);
        }
        size_t groups;
        const dpn_group *group = table_settle(&groups, whole);
        assert_same_groups(&query.query, part[0].tally, group, groups);
        dpn_tally_free(part[0].tally);
        dpn_tally_free(whole);
        table_free(&table);
    }
}

/* Sums that were made elsewhere, with keys of their own, between rows. */
static void sums_made_elsewhere(void **state) {
    (void)state;
    draw_source source = {3};
    for (uint64_t i = 0; i < 40; i++) {
        table_query query;
        make_query(&query, &source, 4 * i); /* unknown keys without persons */
        dpn_tally *tally[2] = {open_within(&query, i, 0), open_within(&query, i, some_limit(&source))};
        for (size_t j = 0; j < 100; j++) {
            char text[TABLE_TEXT];
            int64_t sum[TABLE_MOMENTS + 64] = {1, 1};
            dpn_field key[2];
            snprintf(text, sizeof text, "key %zu", below(&source, 50));
            for (size_t k = 0; k < query.query.declaration.bys; k++) {
                const char *level = query.by[k].level ? query.by[k].level[0] : text;
                key[k] = (dpn_field){level, strlen(level)};
            }
            dpn_error why;
            for (size_t k = 0; k < 2; k++)
                if (dpn_tally_add_sums(tally[k], key, 1, sum, &why)) fail_msg("%s", why.sentence);
        }
        size_t groups;
        const dpn_group *group = table_settle(&groups, tally[0]);
        assert_same_groups(&query.query, tally[1], group, groups);
        dpn_tally_free(tally[0]);
        dpn_tally_free(tally[1]);
    }
}

/* ---- The same answers ---- */

/* With equal noise, the answer to a real question is the same, cell by cell. */
static void answers_are_the_same(void **state) {
    (void)state;
    static const char *const asked[] = {
        "{'statistics': [{'kind': 'count'}, {'kind': 'mean', 'column': 'x', 'lower': '0', 'upper': '9'}], 'by': "
        "[{'column': 'g'}], 'person': 'id', 'max_rows': '2', 'max_groups': '2', 'epsilon': '4', 'delta': '1e-4'}",
        "{'statistics': [{'kind': 'sum', 'column': 'x', 'lower': '0', 'upper': '9'}], 'by': [{'column': 'g'}], "
        "'epsilon': '4', 'delta': '1e-4'}"};
    for (size_t q = 0; q < 2; q++) {
        char json[DECLARED_SIZE];
        dpn_declaration declaration = declared_read(declared_quotes(json, asked[q]));
        dpn_query *query;
        dpn_error why;
        if (dpn_query_new(&query, &declaration, NULL, &why)) fail_msg("%s", why.sentence);
        dpn_answer *answer[2];
        for (size_t k = 0; k < 2; k++) {
            dpn_tally *tally;
            seeded rng;
            dpn_tally_secret secret = secret_of(5);
            seeded_begin(&rng, 7);
            if (dpn_tally_new_with(&tally, query, &secret, &rng.rng, &why)) fail_msg("%s", why.sentence);
            if (k == 1 && dpn_tally_set_limit(tally, 30000, "/tmp", &why)) fail_msg("%s", why.sentence);
            draw_source source = {9};
            for (size_t i = 0; i < 4000; i++) {
                char text[3][24];
                dpn_field field[3];
                bool common = draw_chance(&source, 0.7);
                for (size_t c = 0; dpn_query_column(query, c); c++) {
                    const char *name = dpn_query_column(query, c);
                    if (*name == 'x') snprintf(text[c], 24, "%zu", below(&source, 10));
                    if (*name == 'g') snprintf(text[c], 24, "%zu", below(&source, common ? 12 : 2000));
                    if (*name == 'i') snprintf(text[c], 24, "person %zu", below(&source, 1500));
                    field[c] = (dpn_field){text[c], strlen(text[c])};
                }
                if (dpn_tally_rows(tally, field, 1, &why)) fail_msg("%s", why.sentence);
            }
            assert_true((k == 1) == dpn_tally_has_spilled(tally));
            if (dpn_answer_draw(&answer[k], query, tally, &rng.rng, &why)) fail_msg("%s", why.sentence);
            assert_true((k == 1) == tally->on_disk); /* it was never a list in memory */
            dpn_tally_free(tally);
        }
        assert_true(answer[0]->groups >= 10 && answer[0]->groups == answer[1]->groups);
        for (size_t i = 0; i < answer[0]->groups; i++) assert_string_equal(answer[0]->key[i], answer[1]->key[i]);
        assert_memory_equal(answer[0]->cell, answer[1]->cell,
                            answer[0]->groups * answer[0]->outputs * sizeof *answer[0]->cell);
        for (size_t k = 0; k < 2; k++) dpn_answer_free(answer[k]);
        dpn_query_free(query);
        dpn_declaration_free(&declaration);
    }
}

/* ---- Memory and disk ---- */

/* What a tally takes stays within its half of the limit, but for what one row adds; and of two tallies each has a part of it. */
static void memory_stays_within(void **state) {
    (void)state;
    enum { LIMIT = 400000, SLACK = 8192 };
    draw_source source = {4};
    for (uint64_t i = 0; i < 8; i++) {
        table_query query;
        random_table table;
        dpn_error why;
        make_query(&query, &source, i);
        query.query.declaration.wheres = 0;
        make_table(&table, &source, &query, 5000, 4000);
        dpn_tally *tally = open_within(&query, i, LIMIT), *other;
        size_t most = 0;
        if (dpn_tally_split(&other, tally, &why)) fail_msg("%s", why.sentence);
        for (size_t j = 0; j < table.rows; j++) {
            table_add(j % 2 ? tally : other, table.field + j * TABLE_COLUMNS, 1);
            assert_true(tally->memory.used <= LIMIT / 4 + SLACK && other->memory.used <= LIMIT / 4 + SLACK);
            if (tally->memory.used > most) most = tally->memory.used;
        }
        assert_true(most > LIMIT / 16);
        if (dpn_tally_merge(tally, other, &why)) fail_msg("%s", why.sentence);
        assert_true(tally->memory.used <= LIMIT / 2 + SLACK);
        dpn_tally_free(other);
        assert_int_equal(atomic_load(&tally->shared->limit.holders), 1);
        dpn_tally_free(tally);
        table_free(&table);
    }
}

/* The file has no name and no reader but its owner, and holds no byte of a person that could be recognised. */
static void the_disk_tells_nothing(void **state) {
    (void)state;
    draw_source source = {5};
    table_query query;
    random_table table;
    table_random_query(&query, &source, (table_options){.persons = true, .unknown_keys = true});
    query.query.declaration.wheres = 0;
    make_table(&table, &source, &query, 300, 100);
    dpn_tally *tally = open_within(&query, 1, 1);
    table_add(tally, table.field, table.rows);
    int descriptor = tally->shared->overflow->descriptor;
    struct stat found;
    assert_int_equal(fstat(descriptor, &found), 0);
    assert_int_equal(found.st_nlink, 0);
    assert_int_equal(found.st_mode & 0777, 0600);
    assert_true(found.st_size > 100000);
    char *bytes = malloc((size_t)found.st_size);
    assert_non_null(bytes);
    assert_int_equal(pread(descriptor, bytes, (size_t)found.st_size, 0), found.st_size);
    static const char zeros[16] = {0};
    assert_null(memmem(bytes, (size_t)found.st_size, "person", 6));
    assert_null(memmem(bytes, (size_t)found.st_size, "a key, ", 7));
    assert_null(memmem(bytes, (size_t)found.st_size, zeros, sizeof zeros));
    free(bytes);
    dpn_tally_free(tally);
    table_free(&table);
}

/* A disk that is full is one failure, whose sentence has no number but that of the error. */
static void a_full_disk_is_a_failure(void **state) {
    (void)state;
    draw_source source = {6};
    struct rlimit before, small;
    void (*handler)(int) = signal(SIGXFSZ, SIG_IGN);
    assert_int_equal(getrlimit(RLIMIT_FSIZE, &before), 0);
    for (uint64_t i = 0; i < 12; i++) {
        table_query query;
        random_table table;
        dpn_error why = {DPN_OK, ""};
        dpn_answer *answer = NULL;
        seeded rng;
        make_query(&query, &source, i);
        query.query.declaration.wheres = 0;
        make_table(&table, &source, &query, 300, 100);
        dpn_tally *tally = open_within(&query, i, 1);
        small = (struct rlimit){.rlim_cur = 1000 * i, .rlim_max = before.rlim_max};
        assert_int_equal(setrlimit(RLIMIT_FSIZE, &small), 0);
        dpn_status status = dpn_tally_rows(tally, table.field, table.rows, &why);
        assert_int_equal(setrlimit(RLIMIT_FSIZE, &before), 0);
        assert_int_equal(status, DPN_EIO);
        assert_string_equal(why.sentence,
                            "the disk does not take keys and persons that do not fit in memory (error 27)");
        seeded_begin(&rng, 1);
        assert_int_equal(dpn_answer_draw(&answer, &query.query, tally, &rng.rng, &why), DPN_EDOMAIN);
        assert_null(answer);
        dpn_tally_free(tally);
        table_free(&table);
    }
    signal(SIGXFSZ, handler);
}

/* ---- The interface ---- */

static void limits_are_checked(void **state) {
    (void)state;
    enum { LEAST = DPN_TALLY_LEAST_MEMORY };
    draw_source source = {7};
    table_query query;
    random_table table;
    dpn_error why;
    dpn_tally *part;
    table_random_query(&query, &source, (table_options){.persons = true});
    make_table(&table, &source, &query, 10, 3);
    dpn_tally *tally = open_within(&query, 1, 0);
    assert_int_equal(dpn_tally_limit(NULL, LEAST, "/tmp", &why), DPN_EDOMAIN);
    assert_int_equal(dpn_tally_limit(tally, LEAST, NULL, &why), DPN_EDOMAIN);
    assert_int_equal(dpn_tally_limit(tally, LEAST - 1, "/tmp", &why), DPN_EDOMAIN);
    assert_int_equal(dpn_tally_limit(tally, UINT64_C(1) << 60, "/tmp", &why), DPN_ENOMEM);
    assert_int_equal(dpn_tally_limit(tally, LEAST, "/tmp", &why), DPN_OK);
    assert_non_null(tally->shared->overflow);
    assert_int_equal(dpn_tally_limit(tally, LEAST, "/tmp", &why), DPN_EDOMAIN); /* once */
    dpn_tally_free(tally);
    tally = open_within(&query, 1, 0);
    assert_int_equal(dpn_tally_limit(tally, LEAST, "/nowhere/at/all", &why), DPN_EIO);
    assert_int_equal(dpn_tally_rows(tally, table.field, 1, &why), DPN_EDOMAIN);
    dpn_tally_free(tally);
    tally = open_within(&query, 1, 0);
    table_add(tally, table.field, 1);
    assert_int_equal(dpn_tally_limit(tally, LEAST, "/tmp", &why), DPN_EDOMAIN); /* after a row */
    dpn_tally_free(tally);
    tally = open_within(&query, 1, 0);
    assert_int_equal(dpn_tally_split(&part, tally, &why), DPN_OK);
    assert_int_equal(dpn_tally_limit(tally, LEAST, "/tmp", &why), DPN_EDOMAIN); /* after a split */
    dpn_tally_free(part);
    dpn_tally_free(tally);
    query.query.declaration.max_rows = LEAST / 8 / 100; /* rows of one person that do not fit */
    tally = open_within(&query, 1, 0);
    assert_int_equal(dpn_tally_limit(tally, LEAST, "/tmp", &why), DPN_EDOMAIN);
    dpn_tally_free(tally);
    query.query.declaration.max_rows = UINT64_C(1) << 40; /* nobody has as many: there is nothing to choose */
    tally = open_within(&query, 1, 0);
    assert_int_equal(dpn_tally_limit(tally, LEAST, "/tmp", &why), DPN_OK);
    dpn_tally_free(tally);
    table_free(&table);
    table_random_query(&query, &source, (table_options){0});
    tally = open_within(&query, 1, 0);
    assert_int_equal(dpn_tally_limit(tally, LEAST, "/nowhere/at/all", &why), DPN_OK); /* nothing can be beyond it */
    assert_null(tally->shared->overflow);
    dpn_tally_free(tally);
}

/* The rows of one person take up to an eighth of the memory, and the sums of 64 keys all of it: to the byte. What is known beforehand takes none, however much that is. */
static void limits_are_checked_to_the_byte(void **state) {
    (void)state;
    draw_source source = {8};
    table_query query;
    dpn_error why = {DPN_OK, ""};
    table_random_query(&query, &source, (table_options){.persons = true});
    for (uint64_t rows = 50000; rows < 50040; rows += 13) {
        query.query.declaration.max_rows = rows;
        dpn_tally *tally = open_within(&query, 1, 0);
        size_t most = dpn_person_runs_memory(&tally->shared->lottery, tally->shared->reader.most_rows);
        assert_true(most > DPN_TALLY_LEAST_MEMORY / 8);
        if (dpn_tally_check_limit(tally, 8 * most, &why)) fail_msg("%s", why.sentence);
        assert_int_equal(dpn_tally_check_limit(tally, 8 * most - 1, &why), DPN_EDOMAIN);
        assert_non_null(strstr(why.sentence, "max_rows"));
        dpn_tally_free(tally);
    }
    table_random_query(&query, &source, (table_options){.unknown_keys = true});
    dpn_tally *tally = open_within(&query, 1, 0);
    size_t counts = tally->sums.counts;
    for (size_t numbers = 40000; numbers < 40003; numbers++) {
        tally->sums.counts = numbers - tally->sums.moments;
        if (dpn_tally_check_limit(tally, 64 * 8 * numbers, &why)) fail_msg("%s", why.sentence);
        assert_int_equal(dpn_tally_check_limit(tally, 64 * 8 * numbers - 1, &why), DPN_EDOMAIN);
        assert_non_null(strstr(why.sentence, "the sums of a key"));
    }
    tally->sums.counts = counts;
    assert_int_equal(dpn_tally_check_limit(tally, DPN_TALLY_LEAST_MEMORY, &why), DPN_OK);
    assert_int_equal(dpn_tally_check_limit(tally, DPN_TALLY_LEAST_MEMORY - 1, &why), DPN_EDOMAIN);
    assert_int_equal(dpn_tally_check_limit(tally, UINT64_C(1) << 60, &why), DPN_ENOMEM);
    dpn_tally_free(tally);
    table_random_query(&query, &source, (table_options){0});
    tally = open_within(&query, 1, 0);
    assert_int_equal(dpn_tally_check_limit(tally, DPN_TALLY_LEAST_MEMORY - 1, &why), DPN_EDOMAIN);
    assert_int_equal(dpn_tally_check_limit(tally, UINT64_C(1) << 60, &why), DPN_OK);
    dpn_tally_free(tally);
}

/* What is joined in memory fits there: nothing has to leave for it. What would not fit goes to the disk before, and what was there stays. */
static void joining_fills_no_memory(void **state) {
    (void)state;
    draw_source source = {9};
    int joined = 0, apart = 0;
    for (uint64_t i = 0; i < 700; i++) {
        table_query query;
        random_table table;
        dpn_error why;
        make_query(&query, &source, i);
        query.query.declaration.wheres = 0;
        make_table(&table, &source, &query, 20 + below(&source, 300), 1 + below(&source, 200));
        dpn_tally *into = open_within(&query, i, 20000 + below(&source, 300000)), *from;
        if (dpn_tally_split(&from, into, &why)) fail_msg("%s", why.sentence);
        size_t part = below(&source, table.rows);
        table_add(into, table.field, part);
        table_add(from, table.field + part * TABLE_COLUMNS, table.rows - part);
        size_t persons = into->persons.names.count, keys = into->keys.names.count;
        size_t theirs = from->persons.names.count + from->keys.names.count;
        bool spilled =
            into->person_runs.count + into->key_runs.count + from->person_runs.count + from->key_runs.count > 0;
        if (dpn_tally_merge(into, from, &why)) fail_msg("%s", why.sentence);
        if (!spilled && persons + keys > 0 && theirs > 0) {
            assert_true(into->persons.names.count >= persons && into->keys.names.count >= keys);
            bool disk = into->person_runs.count + into->key_runs.count > 0;
            if (disk) assert_true(into->persons.names.count == persons && into->keys.names.count == keys);
            assert_true(!into->memory.full && into->memory.used <= dpn_memory_tables(&into->shared->limit));
            joined += !disk;
            apart += disk;
        }
        dpn_tally_free(from);
        dpn_tally_free(into);
        table_free(&table);
    }
    if (!(joined > 40 && apart > 40)) fail_msg("%d, %d", joined, apart);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(limits_change_nothing),    cmocka_unit_test(parts_are_the_whole),
        cmocka_unit_test(sums_made_elsewhere),      cmocka_unit_test(answers_are_the_same),
        cmocka_unit_test(memory_stays_within),      cmocka_unit_test(the_disk_tells_nothing),
        cmocka_unit_test(a_full_disk_is_a_failure), cmocka_unit_test(limits_are_checked),
        cmocka_unit_test(joining_fills_no_memory),  cmocka_unit_test(limits_are_checked_to_the_byte),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
