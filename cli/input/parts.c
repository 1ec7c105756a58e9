/* Parts of a table, each read by a thread into a tally of its own, which are merged. */
#include "input/parts.h"

#include <pthread.h>
#include <stdatomic.h>

/* ---- One thread ---- */

struct reader {
    dpn_table *table;
    dpn_tally *tally;
    atomic_bool *stop; /* some reader failed: the others need not go on */
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

static size_t count_parts(const dpn_table *table, size_t threads) {
    size_t most = dpn_table_parts(table);
    return most < threads ? most + (most == 0) : threads;
}

/* The first reader has the tally, the others tallies with the same secret. Where memory is too scarce for one more tally the rest of the
 * parts share the first, one after the other: *threads is how many have their own. */
static dpn_status open_parts(struct reader *reader, size_t parts, size_t *threads, dpn_table **table, dpn_tally *tally,
                             dpn_error *why) {
    dpn_status status = DPN_OK;
    *threads = 1;
    for (size_t i = 0; i < parts; i++) reader[i].tally = tally;
    if (parts == 1) {
        reader[0].table = *table;
        *table = NULL;
        return DPN_OK;
    }
    for (size_t i = 0; i < parts && !status; i++) status = dpn_table_part(&reader[i].table, *table, i, parts, why);
    while (!status && *threads < parts && !dpn_tally_split(&reader[*threads].tally, tally, why)) ++*threads;
    return status;
}

static dpn_status read_parts(struct reader *reader, size_t parts, size_t threads, dpn_error *why) {
    pthread_t thread[PARTS_MOST_THREADS];
    size_t started = 1;
    dpn_status status = DPN_OK;
    while (started < threads && pthread_create(&thread[started], NULL, run_thread, &reader[started]) == 0) started++;
    read_part(&reader[0]);
    for (size_t i = started; i < parts; i++) read_part(&reader[i]); /* threads that were not to be had */
    for (size_t i = 1; i < started; i++) pthread_join(thread[i], NULL);
    for (size_t i = 0; i < parts && !status; i++) {
        status = reader[i].status;
        if (status) *why = reader[i].why;
        if (!status && i > 0 && i < threads) status = dpn_tally_merge(reader[0].tally, reader[i].tally, why);
    }
    return status;
}

dpn_status parts_read(dpn_table **table, dpn_tally *tally, size_t threads, struct progress *progress, dpn_error *why) {
    struct reader reader[PARTS_MOST_THREADS] = {{0}};
    atomic_bool stop = false;
    size_t parts = count_parts(*table, threads), own;
    for (size_t i = 0; i < parts; i++) reader[i].stop = &stop;
    reader[0].progress = progress;
    dpn_status status = open_parts(reader, parts, &own, table, tally, why);
    if (!status) status = read_parts(reader, parts, own, why);
    for (size_t i = 0; i < parts; i++) {
        dpn_table_close(reader[i].table);
        if (reader[i].tally != tally) dpn_tally_free(reader[i].tally);
    }
    dpn_table_close(*table);
    *table = NULL;
    return status;
}
