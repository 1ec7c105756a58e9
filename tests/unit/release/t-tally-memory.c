/* Memory that fails at the k-th request, for every k: a tally with persons and unknown keys never yields sums, a crash or a leak.
 *
 * This program has its own malloc; sanitizers have theirs, and then only the sessions themselves are tried. */
#include "release/tally/spill.h"

#include "unit/failing-memory.h"

#include "unit/random/seeded.h"
#include "unit/release/random-table.h"

#include <setjmp.h>
#include <stdarg.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

/* A row as values. */
static dpn_status add_values(dpn_tally *tally, const dpn_field *field, dpn_error *why) {
    dpn_value value[TABLE_COLUMNS];
    for (size_t i = 0; i < TABLE_COLUMNS; i++) value[i] = (dpn_value){.kind = DPN_VALUE_TEXT, .as = {.text = field[i]}};
    return dpn_tally_values(tally, value, 1, why);
}

/* The state of `from`, taken by `into`. */
static dpn_status send(dpn_tally *into, dpn_tally *from, dpn_error *why) {
    unsigned char *state = NULL;
    size_t length;
    dpn_status status = dpn_tally_write(&state, &length, from, why);
    assert_true((status == DPN_OK) == (state != NULL));
    if (status) return status;
    status = dpn_tally_add_state(into, state, length, why);
    dpn_tally_state_free(state, length);
    return status;
}

/* Sums of a row of which nothing is known but that it is there. */
static dpn_status add_sums(dpn_tally *tally, const table_query *query, dpn_error *why) {
    int64_t sum[TABLE_MOMENTS + 64] = {1, 1};
    dpn_field key[2];
    for (size_t i = 0; i < query->query.declaration.bys; i++)
        key[i] = (dpn_field){query->by[i].level ? query->by[i].level[0] : "new",
                             query->by[i].level ? strlen(query->by[i].level[0]) : 3};
    return dpn_tally_add_sums(tally, key, 1, sum, why);
}

/* The groups one after the other, as an answer takes them. */
static dpn_status walk_through(dpn_tally *tally, dpn_error *why) {
    dpn_walk *walk;
    const dpn_group *group = NULL;
    dpn_status status = dpn_walk_begin(&walk, tally, why);
    if (status) return status;
    do status = dpn_walk_next(&group, walk, why);
    while (!status && group);
    dpn_walk_free(walk);
    return status;
}

/* Two tallies of one table, merged, sent to a third one and settled; with a limit, by way of the disk. Returns the status; on failure
 * nothing is to be seen. */
static dpn_status session(const table_query *query, const random_table *table, size_t limit, dpn_error *why) {
    seeded rng;
    seeded_begin(&rng, 1);
    dpn_tally *tally = NULL, *part = NULL, *last = NULL;
    const dpn_group *group = NULL;
    size_t groups = 0, half = table->rows / 2;
    dpn_status status = dpn_tally_new(&tally, &query->query, &rng.rng, why);
    if (!status && limit > 0)
        status = dpn_tally_set_limit(tally, limit, access("/dev/shm", W_OK) == 0 ? "/dev/shm" : "/tmp", why);
    if (!status) status = dpn_tally_split(&part, tally, why);
    if (!status) status = dpn_tally_rows(tally, table->field, half, why);
    if (!status) status = dpn_tally_rows(part, table->field + half * TABLE_COLUMNS, table->rows - half, why);
    if (!status) status = dpn_tally_merge(tally, part, why);
    if (!status) status = add_values(tally, table->field, why);
    if (!status) status = dpn_tally_split(&last, tally, why);
    if (!status) status = dpn_tally_rows(last, table->field, half, why);
    if (!status) status = add_sums(last, query, why);
    if (!status) status = send(last, tally, why);
    if (!status) status = walk_through(last, why);
    if (!status) status = dpn_tally_settle(&group, &groups, last, why);
    assert_true((status == DPN_OK) == (group != NULL));
    if (status && tally) assert_int_not_equal(dpn_tally_merge(tally, part, NULL), DPN_OK);
    dpn_tally_free(last);
    dpn_tally_free(part);
    dpn_tally_free(tally);
    return status;
}

static const table_options kinds[] = {
    {0}, {.unknown_keys = true}, {.persons = true}, {.persons = true, .unknown_keys = true}};
enum { KINDS = sizeof kinds / sizeof *kinds };

static void make(table_query *query, random_table *table, size_t kind) {
    draw_source source = {kind + 1};
    table_random_query(query, &source, kinds[kind]);
    query->query.declaration.wheres = 0;
    table_random(table, &source, query, 400, 200);
}

static void with_memory_there_are_sums(void **state) {
    (void)state;
    for (size_t i = 0; i < KINDS; i++) {
        table_query query;
        random_table table;
        dpn_error why;
        make(&query, &table, i);
        for (int j = 0; j < 2; j++)
            if (session(&query, &table, j > 0 ? 20000 : 0, &why)) fail_msg("%s", why.sentence);
        table_free(&table);
    }
}

#ifndef SANITIZED

static void fail_everywhere(const table_query *query, const random_table *table, size_t limit, bool on) {
    long k = 0;
    for (;; k++) {
        dpn_error why = {DPN_OK, ""};
        long before = memory.live;
        memory.requests = 0;
        memory.fail_at = k;
        memory.on = on;
        memory.armed = true;
        dpn_status status = session(query, table, limit, &why);
        memory.armed = false;
        assert_true(memory.live == before);
        if (memory.requests <= k) break; /* nothing failed */
        if (status == DPN_OK) continue;  /* qsort can do without what it asks for, and so can a tally that has a disk */
        if (status == DPN_EENTROPY) continue; /* libcrypto got none */
        assert_int_equal(status, DPN_ENOMEM);
        assert_true(why.status == DPN_ENOMEM && why.sentence[0]);
        /* attack: how many keys or persons there are is private, and no number at all is needed to say so */
        if (strpbrk(why.sentence, "0123456789")) fail_msg("%s", why.sentence);
    }
    assert_true(k > 10);
}

static void every_request_fails_once(void **state) {
    (void)state;
    for (size_t i = 0; i < KINDS; i++) {
        table_query query;
        random_table table;
        make(&query, &table, i);
        for (int j = 0; j < 4; j++) {
            if (j == 2) table.rows = 24; /* the disk takes its time */
            fail_everywhere(&query, &table, j < 2 ? 0 : 4000, j % 2);
        }
        table_free(&table);
    }
}

#endif

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(with_memory_there_are_sums),
#ifndef SANITIZED
        cmocka_unit_test(every_request_fails_once),
#endif
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
