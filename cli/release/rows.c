/* The rows of `dpnoise release`: from the source into exact sums, on several threads if it is large, and the answer. */
#define _POSIX_C_SOURCE 200809L
#include "release/release.h"

#include "kit/fail.h"
#include "kit/nearest.h"
#include "kit/progress.h"

#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

enum { THREADS = 2, MOST_THREADS = 64 };

/* ---- The columns ---- */

/* A column that is not there, with the one that may be meant: the names are public. */
static dpn_status refuse_column(const struct release *release, const char *name, dpn_error *why) {
    struct nearest search = nearest_to(name, strlen(name));
    for (size_t i = 0; dpn_table_column(release->table, i); i++)
        nearest_try(&search, dpn_table_column(release->table, i));
    if (!search.name) return refuse(why, DPN_EDOMAIN, "the table has no column '%.80s'", name);
    return refuse(why, DPN_EDOMAIN, "the table has no column '%.80s'; did you mean '%.80s'?", name, search.name);
}

/* A table that was opened to be recognised is opened anew if it is registered with line ends in quotes. */
static dpn_status open_as_registered(struct release *release, dpn_error *why) {
    const dpn_registration *registration = dpn_question_registration(release->question);
    release->multiline = registration && registration->multiline;
    if (release->table && release->multiline && !release->by_name &&
        !arguments_have(release->arguments, "--multiline")) {
        if (release_source_is_stream(release))
            return refuse(why, DPN_EPARSE, "the data are registered with line ends in quotes: give --multiline too");
        dpn_table_close(release->table);
        release->table = NULL;
    }
    return release->table ? DPN_OK : release_open_source(release, why);
}

dpn_status release_open_table(struct release *release, dpn_error *why) {
    size_t columns = 0;
    while (dpn_query_column(dpn_question_query(release->question), columns)) columns++;
    dpn_status status = open_as_registered(release, why);
    if (status) return status;
    size_t *wanted = calloc(columns + 1, sizeof *wanted);
    if (!wanted) return refuse(why, DPN_ENOMEM, "out of memory");
    for (size_t i = 0; i < columns && !status; i++) {
        status =
            dpn_table_find(&wanted[i], release->table, dpn_query_column(dpn_question_query(release->question), i), why);
        if (status == DPN_EDOMAIN)
            status = refuse_column(release, dpn_query_column(dpn_question_query(release->question), i), why);
    }
    if (!status) status = dpn_table_want(release->table, wanted, columns, why);
    free(wanted);
    return status;
}

/* ---- One thread ---- */

struct reader {
    dpn_table *table;
    dpn_tally *tally;
    atomic_bool *stop; /* some reader found bad data: the others need not go on */
    struct progress *progress;
    dpn_status status;
    dpn_error why;
};

static void read_part(struct reader *reader) {
    const dpn_field *field;
    size_t rows = 1;
    while (!reader->status && rows > 0 && !atomic_load(reader->stop)) {
        reader->status = dpn_table_next(&field, &rows, reader->table, &reader->why);
        if (!reader->status && rows > 0) reader->status = dpn_tally_rows(reader->tally, field, rows, &reader->why);
        if (reader->progress) /* the other parts are about as far; how many rows there are is private */
            progress_share(reader->progress, dpn_table_progress(reader->table));
    }
    if (!reader->status)
        reader->status = dpn_tally_unusable(reader->tally, dpn_table_unusable(reader->table, NULL), &reader->why);
    if (reader->status) atomic_store(reader->stop, true);
}

static void *run_thread(void *argument) {
    read_part(argument);
    return NULL;
}

/* ---- All of them ---- */

dpn_status release_threads(struct release *release, dpn_error *why) {
    uint64_t threads = THREADS;
    dpn_status status = arguments_count(&threads, release->arguments, "--threads", why);
    if (!status && threads > MOST_THREADS) status = refuse(why, DPN_EDOMAIN, "--threads is at most %d", MOST_THREADS);
    release->threads = (size_t)threads;
    return status;
}

static size_t count_parts(const struct release *release) {
    size_t most = dpn_table_parts(release->table);
    return most < release->threads ? most + (most == 0) : release->threads;
}

/* The first reader has the first tally, the others tallies with the same secret. */
static dpn_status open_parts(struct reader *reader, size_t parts, struct release *release, dpn_tally *tally,
                             dpn_error *why) {
    dpn_status status = DPN_OK;
    reader[0].tally = tally;
    if (parts == 1) {
        reader[0].table = release->table;
        release->table = NULL;
        return DPN_OK;
    }
    for (size_t i = 0; i < parts && !status; i++) {
        status = dpn_table_part(&reader[i].table, release->table, i, parts, why);
        if (!status && i > 0) status = dpn_tally_split(&reader[i].tally, tally, why);
    }
    return status;
}

static dpn_status read_parts(struct reader *reader, size_t parts, dpn_error *why) {
    pthread_t thread[MOST_THREADS];
    size_t started = 1;
    dpn_status status = DPN_OK;
    while (started < parts && pthread_create(&thread[started], NULL, run_thread, &reader[started]) == 0) started++;
    read_part(&reader[0]);
    for (size_t i = started; i < parts; i++) read_part(&reader[i]); /* threads that were not to be had */
    for (size_t i = 1; i < started; i++) pthread_join(thread[i], NULL);
    for (size_t i = 0; i < parts && !status; i++) {
        status = reader[i].status;
        if (status) *why = reader[i].why;
        if (!status && i > 0) status = dpn_tally_merge(reader[0].tally, reader[i].tally, why);
    }
    return status;
}

static dpn_status tally_rows(struct release *release, dpn_tally *tally, dpn_error *why) {
    struct reader reader[MOST_THREADS] = {{0}};
    struct progress progress = progress_start("release", 1);
    atomic_bool stop = false;
    size_t parts = count_parts(release);
    for (size_t i = 0; i < parts; i++) reader[i] = (struct reader){.stop = &stop};
    reader[0].progress = &progress;
    dpn_status status = open_parts(reader, parts, release, tally, why);
    if (!status) status = read_parts(reader, parts, why);
    progress_end(&progress);
    for (size_t i = 0; i < parts; i++) {
        dpn_table_close(reader[i].table);
        if (i > 0) dpn_tally_free(reader[i].tally);
    }
    return status;
}

dpn_status release_read(struct release *release, dpn_error *why) {
    dpn_status status = tally_rows(release, dpn_question_tally(release->question), why);
    return status ? dpn_question_fail(release->question, why, why) : DPN_OK;
}
