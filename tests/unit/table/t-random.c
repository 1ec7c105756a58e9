/* Random text, right and wrong, through every way of reading it: from a file and a pipe, with buffers of every small size,
 * with both scanners, whole and in parts. The slow reader says what should come out. */
#define _POSIX_C_SOURCE 200809L
#include "place.h"
#include "slow.h"

#include "table/csv.h"

#include "unit/points.h"

#include <pthread.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

enum { ROOM = 4096 };

struct sample {
    char text[ROOM];
    size_t length, row_limit;
};

static void put(struct sample *sample, const char *piece) {
    size_t count = strlen(piece);
    if (sample->length + count > ROOM) return;
    memcpy(sample->text + sample->length, piece, count);
    sample->length += count;
}

/* Fields that make it hard to tell from their middle whether one is in quotes. */
static const char *const fields[] = {"1",         "",           "abc",       "\"\"", "\",\"",      "\"\n\"",
                                     "\"\"\"\"",  "\"a\"\"b\"", "\"\r\n,\"", "x\ry", "\",\"\",\"", "\"\"\",\"",
                                     "long text", "\"\n,\n\"",  "\xc3\xa9",  "\"1\""};

/* A table that is right, mostly; then it may be broken at one place. */
static void make(struct sample *sample, uint64_t *state) {
    unsigned columns = 1 + next_random(state, 4), rows = next_random(state, 30), kinds = 1 + next_random(state, 16);
    unsigned from = next_random(state, 16 - kinds + 1);
    const char *newline = next_random(state, 3) ? "\n" : "\r\n";
    sample->length = 0;
    sample->row_limit = next_random(state, 4) ? 1000 : 16 + next_random(state, 60);
    for (unsigned i = 0; i < columns; i++) {
        static const char *const names[] = {"a", "\"b\"\"\"", "\"c,\nd\"", "e"};
        put(sample, names[i]);
        put(sample, i + 1 < columns ? "," : newline);
    }
    for (unsigned row = 0; row < rows; row++)
        for (unsigned i = 0; i < columns; i++) {
            put(sample, fields[from + next_random(state, kinds)]);
            if (i + 1 == columns && row + 1 == rows && next_random(state, 3) == 0) break;
            put(sample, i + 1 < columns ? "," : newline);
        }
    if (next_random(state, 3) == 0) {
        static const char faults[] = {'"', '"', '"', '\n', ',', '\0', '\r', 'x'};
        sample->text[next_random(state, (unsigned)sample->length)] = faults[next_random(state, 8)];
    }
}

/* ---- Reading ---- */

struct reading {
    char *rows; /* as read_all gives them */
    bool accepted;
    uint64_t unusable;
};

static void use_scanner(dpn_table *table, bool portable) {
    dpn_csv *csv = table->state;
    if (portable) csv->scan = dpn_scan_portable;
}

static struct reading read_whole(const char *source, const dpn_table_options *options, bool portable) {
    struct reading reading = {0};
    dpn_table *table;
    dpn_error why = {DPN_OK, ""};
    dpn_status status = dpn_table_open(&table, source, options, &why);
    if (!status) {
        use_scanner(table, portable);
        status = read_all(&reading.rows, table, &why);
        if (!status) assert_true(dpn_table_progress(table) == 1);
        reading.unusable = dpn_table_unusable(table, &why);
        if (reading.unusable > 0) assert_true(why.status == DPN_EPARSE && why.sentence[0]);
        dpn_table_close(table);
    }
    if (status) assert_true(why.status == status && why.sentence[0]);
    if (status && status != DPN_EPARSE) fail_msg("%s", why.sentence);
    reading.accepted = !status;
    return reading;
}

/* All parts, one after the other. */
static struct reading read_parts(const char *path, const dpn_table_options *options, size_t parts) {
    struct reading reading = {.accepted = true};
    dpn_table *whole, *part;
    dpn_error why;
    size_t length = 0;
    if (dpn_table_open(&whole, path, options, &why)) return (struct reading){0};
    for (size_t i = 0; i < parts; i++) {
        char *rows = NULL;
        dpn_status status = dpn_table_part(&part, whole, i, parts, &why);
        if (!status) {
            status = read_all(&rows, part, &why);
            reading.unusable += dpn_table_unusable(part, NULL);
            dpn_table_close(part);
        }
        if (status) reading.accepted = false;
        if (status && status != DPN_EPARSE) fail_msg("%s", why.sentence);
        size_t more = rows ? strlen(rows) : 0;
        reading.rows = realloc(reading.rows, length + more + 1);
        memcpy(reading.rows + length, rows ? rows : "", more + 1);
        length += more;
        free(rows);
    }
    dpn_table_close(whole);
    return reading;
}

/* ---- Comparing ---- */

static char *rows_of(const struct slow *slow) {
    size_t length = 1;
    for (size_t i = 0; i < slow->fields; i++) length += slow->length[i] + 1;
    char *rows = malloc(length), *to = rows;
    for (size_t i = slow->columns; i < slow->fields; i++) {
        memcpy(to, slow->field[i], slow->length[i]);
        to += slow->length[i];
        *to++ = (i + 1) % slow->columns ? '|' : '\n';
    }
    *to = '\0';
    return rows;
}

static void compare(struct reading *reading, const struct slow *slow, const char *right, const char *how) {
    if (reading->accepted != slow->accepted)
        fail_msg("%s: %s, but should be %s", how, reading->accepted ? "accepted" : "refused",
                 slow->accepted ? "accepted" : "refused");
    if (slow->accepted) assert_string_equal(reading->rows, right);
    if (slow->accepted) assert_int_equal(reading->unusable, slow->unusable);
    free(reading->rows);
}

static void from_a_pipe(const struct sample *sample, const dpn_table_options *options, bool portable,
                        const struct slow *slow, const char *right) {
    int ends[2];
    char path[40];
    assert_int_equal(pipe(ends), 0);
    assert_int_equal(write(ends[1], sample->text, sample->length), (int)sample->length);
    close(ends[1]);
    snprintf(path, sizeof path, "/dev/fd/%d", ends[0]);
    struct reading reading = read_whole(path, options, portable);
    close(ends[0]);
    compare(&reading, slow, right, "pipe");
}

static void try_one(struct place *place, const struct sample *sample, uint64_t *state, size_t *accepted) {
    bool multiline = next_random(state, 2);
    dpn_table_options options = {
        .size = sizeof(dpn_table_options), .delimiter = ',', .row_limit = sample->row_limit, .multiline = multiline};
    struct slow slow = slow_read(sample->text, sample->length, ',', false, multiline, sample->row_limit);
    char *right = slow.accepted ? rows_of(&slow) : NULL;
    *accepted += slow.accepted;
    place_write(place, "t", sample->text, sample->length);
    for (int i = 0; i < 4; i++) {
        options.buffer = 16 + next_random(state, 160);
        struct reading reading = read_whole(place->file, &options, i & 1);
        compare(&reading, &slow, right, "file");
    }
    from_a_pipe(sample, &options, next_random(state, 2), &slow, right);
    for (size_t parts = 1; parts < 9 && !multiline; parts++) {
        struct reading reading = read_parts(place->file, &options, parts);
        compare(&reading, &slow, right, "parts");
    }
    free(right);
    slow_free(&slow);
}

static void every_way_reads_the_same(void **unused) {
    (void)unused;
    struct place place = place_make();
    uint64_t state = 11;
    size_t accepted = 0;
    long count = points(500, 10000);
    static struct sample sample;
    for (long i = 0; i < count; i++) {
        make(&sample, &state);
        try_one(&place, &sample, &state, &accepted);
    }
    assert_in_range(accepted, (size_t)count / 4, (size_t)count * 99 / 100);
    place_remove(&place);
}

/* One text, every buffer, every number of parts: no place is special. */
static void every_boundary(void **unused) {
    (void)unused;
    struct place place = place_make();
    uint64_t state = 3;
    static struct sample sample;
    for (int i = 0; i < 2; i++) {
        do {
            make(&sample, &state);
        } while (sample.length < 300 || sample.length > 700 || sample.row_limit < 1000);
        struct slow slow = slow_read(sample.text, sample.length, ',', false, false, sample.row_limit);
        char *right = slow.accepted ? rows_of(&slow) : NULL;
        place_write(&place, "t", sample.text, sample.length);
        for (size_t buffer = 16; buffer < 300; buffer++) {
            dpn_table_options options = {
                .size = sizeof(dpn_table_options), .delimiter = ',', .row_limit = 1000, .buffer = buffer};
            struct reading whole = read_whole(place.file, &options, buffer & 1);
            struct reading parts = read_parts(place.file, &options, buffer - 15);
            compare(&whole, &slow, right, "file");
            compare(&parts, &slow, right, "parts");
        }
        free(right);
        slow_free(&slow);
    }
    place_remove(&place);
}

/* ---- Threads ---- */

struct worker {
    dpn_table *part;
    char *rows;
    dpn_status status;
};

static void *read_part(void *argument) {
    struct worker *worker = argument;
    worker->status = read_all(&worker->rows, worker->part, NULL);
    return NULL;
}

static void parts_in_threads(void **unused) {
    (void)unused;
    enum { THREADS = 4, ROWS = 20000 };
    struct place place = place_make();
    char *text = malloc(40 * ROWS), *to = text, *right, *all;
    dpn_table *whole;
    dpn_error why;
    struct worker worker[THREADS];
    pthread_t thread[THREADS];
    to += sprintf(to, "a,b\n");
    for (int i = 0; i < ROWS; i++)
        to += sprintf(to, i % 3 ? "%d,\"x\"\"%d\"\n" : i % 7 ? "%d,%d\n" : "%d\"%d\n", i, 7 * i);
    place_text(&place, text);
    assert_int_equal(read_source(&right, place.file, NULL, &why), DPN_OK);
    assert_int_equal(dpn_table_open(&whole, place.file, NULL, &why), DPN_OK);
    for (size_t i = 0; i < THREADS; i++)
        assert_int_equal(dpn_table_part(&worker[i].part, whole, i, THREADS, &why), DPN_OK);
    dpn_table_close(whole); /* the parts live on */
    for (size_t i = 0; i < THREADS; i++) assert_int_equal(pthread_create(&thread[i], NULL, read_part, &worker[i]), 0);
    all = malloc(strlen(right) + 1);
    *all = '\0';
    size_t length = 0;
    for (size_t i = 0; i < THREADS; i++) {
        pthread_join(thread[i], NULL);
        assert_int_equal(worker[i].status, DPN_OK);
        assert_true(strlen(worker[i].rows) > strlen(right) / (2 * THREADS)); /* each has its share */
        assert_true(length + strlen(worker[i].rows) <= strlen(right));
        strcpy(all + length, worker[i].rows);
        length += strlen(worker[i].rows);
        free(worker[i].rows);
        dpn_table_close(worker[i].part);
    }
    assert_string_equal(all, right);
    free(all);
    free(right);
    free(text);
    place_remove(&place);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_way_reads_the_same),
        cmocka_unit_test(every_boundary),
        cmocka_unit_test(parts_in_threads),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
