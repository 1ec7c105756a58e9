/* Several runs as one: a heap of the next record of each. */
#define _DEFAULT_SOURCE /* explicit_bzero */
#include "release/tally/runs.h"

#include "base/error.h"

#include <stdlib.h>
#include <string.h>

/* ---- One run ---- */

typedef struct run_cursor {
    const dpn_runs *runs;
    uint64_t next; /* block */
    uint64_t left; /* bytes of the run */
    size_t at;     /* in the block */
    size_t length, longest;
    unsigned char *block, *key; /* the block that is read, and the key of the record */
    int64_t *number;
} run_cursor;

static void cursor_free(run_cursor *cursor) {
    if (cursor->block) explicit_bzero(cursor->block, cursor->runs->file->block);
    if (cursor->key) explicit_bzero(cursor->key, cursor->longest);
    if (cursor->number) explicit_bzero(cursor->number, cursor->runs->numbers * sizeof *cursor->number);
    free(cursor->block);
    free(cursor->key);
    free(cursor->number);
}

static dpn_status damaged(dpn_error *why) {
    return dpn_fail(why, DPN_EIO, "the disk gives back other keys and persons than were put there");
}

static dpn_status read_block(run_cursor *cursor, dpn_error *why) {
    const dpn_overflow *file = cursor->runs->file;
    size_t capacity = file->block - sizeof cursor->next;
    dpn_status status = dpn_overflow_read(file, cursor->runs->cipher, cursor->next, cursor->block, why);
    memcpy(&cursor->next, cursor->block + capacity, sizeof cursor->next);
    cursor->at = 0;
    return status;
}

static dpn_status take(void *out, run_cursor *cursor, size_t length, dpn_error *why) {
    size_t capacity = cursor->runs->file->block - sizeof cursor->next;
    unsigned char *to = out;
    if (length > cursor->left) return damaged(why);
    cursor->left -= length;
    while (length > 0) {
        dpn_status status = cursor->at == capacity ? read_block(cursor, why) : DPN_OK;
        if (status) return status;
        size_t part = length < capacity - cursor->at ? length : capacity - cursor->at;
        memcpy(to, cursor->block + cursor->at, part);
        cursor->at += part;
        to += part;
        length -= part;
    }
    return DPN_OK;
}

static dpn_status read_record(run_cursor *cursor, dpn_error *why) {
    dpn_status status = take(&cursor->length, cursor, sizeof cursor->length, why);
    if (!status && cursor->length > cursor->longest) status = damaged(why);
    if (!status) status = take(cursor->key, cursor, cursor->length, why);
    if (!status) status = take(cursor->number, cursor, cursor->runs->numbers * sizeof *cursor->number, why);
    return status;
}

static dpn_status cursor_begin(run_cursor *out, const dpn_runs *runs, const dpn_run *run, dpn_error *why) {
    *out = (run_cursor){.runs = runs,
                        .next = run->first,
                        .left = run->bytes,
                        .at = runs->file->block - sizeof out->next,
                        .longest = run->longest,
                        .block = malloc(runs->file->block),
                        .key = malloc(run->longest + 1),
                        .number = calloc(runs->numbers + 1, sizeof *out->number)};
    if (!out->block || !out->key || !out->number) return dpn_fail(why, DPN_ENOMEM, "no memory for the tally");
    return read_record(out, why);
}

/* ---- The heap ---- */

struct dpn_merge {
    const dpn_runs *runs;
    run_cursor *cursor;
    run_cursor **heap; /* the one with the least key first */
    size_t cursors, count;
    unsigned char *key; /* of the record that is given out */
    size_t longest;
    int64_t *number;
};

static int compare(const unsigned char *a, size_t a_length, const unsigned char *b, size_t b_length) {
    int sign = memcmp(a, b, a_length < b_length ? a_length : b_length);
    return sign ? sign : (a_length > b_length) - (a_length < b_length);
}

static bool less(const run_cursor *a, const run_cursor *b) {
    return compare(a->key, a->length, b->key, b->length) < 0;
}

static void sink(dpn_merge *merge, size_t at) {
    run_cursor *in = merge->heap[at];
    for (size_t child; (child = 2 * at + 1) < merge->count; at = child) {
        if (child + 1 < merge->count && less(merge->heap[child + 1], merge->heap[child])) child++;
        if (!less(merge->heap[child], in)) break;
        merge->heap[at] = merge->heap[child];
    }
    merge->heap[at] = in;
}

void dpn_merge_free(dpn_merge *merge) {
    if (!merge) return;
    for (size_t i = 0; merge->cursor && i < merge->cursors; i++) cursor_free(&merge->cursor[i]);
    if (merge->key) explicit_bzero(merge->key, merge->longest);
    if (merge->number) explicit_bzero(merge->number, merge->runs->numbers * sizeof *merge->number);
    free(merge->cursor);
    free(merge->heap);
    free(merge->key);
    free(merge->number);
    free(merge);
}

/* The first `count` runs as one. */
static dpn_status begin(dpn_merge **out, const dpn_runs *runs, size_t count, dpn_error *why) {
    dpn_merge *merge = calloc(1, sizeof *merge);
    if (!merge) return dpn_fail(why, DPN_ENOMEM, "no memory for the tally");
    dpn_status status = DPN_OK;
    merge->runs = runs;
    for (size_t i = 0; i < count; i++)
        if (runs->run[i].longest > merge->longest) merge->longest = runs->run[i].longest;
    merge->cursor = calloc(count + 1, sizeof *merge->cursor);
    merge->heap = calloc(count + 1, sizeof *merge->heap);
    merge->key = malloc(merge->longest + 1);
    merge->number = calloc(runs->numbers + 1, sizeof *merge->number);
    if (!merge->cursor || !merge->heap || !merge->key || !merge->number)
        status = dpn_fail(why, DPN_ENOMEM, "no memory for the tally");
    for (size_t i = 0; i < count && !status; i++) {
        merge->heap[merge->count++] = &merge->cursor[merge->cursors];
        status = cursor_begin(&merge->cursor[merge->cursors++], runs, &runs->run[i], why);
    }
    for (size_t i = merge->count / 2; i-- > 0 && !status;) sink(merge, i);
    if (status)
        dpn_merge_free(merge);
    else
        *out = merge;
    return status;
}

/* The record at the top is used: the next of its run takes its place. */
static dpn_status advance(dpn_merge *merge, dpn_error *why) {
    run_cursor *top = merge->heap[0];
    dpn_status status = DPN_OK;
    if (top->left > 0)
        status = read_record(top, why);
    else
        merge->heap[0] = merge->heap[--merge->count];
    if (!status && merge->count > 0) sink(merge, 0);
    return status;
}

dpn_status dpn_merge_next(dpn_run_record *out, dpn_merge *merge, dpn_error *why) {
    if (merge->count == 0) {
        *out = (dpn_run_record){NULL, 0, NULL};
        return DPN_OK;
    }
    const run_cursor *top = merge->heap[0];
    size_t length = top->length, numbers = merge->runs->numbers;
    memcpy(merge->key, top->key, length);
    memset(merge->number, 0, numbers * sizeof *merge->number);
    while (merge->count > 0 && compare(merge->heap[0]->key, merge->heap[0]->length, merge->key, length) == 0) {
        for (size_t i = 0; i < numbers; i++) merge->number[i] += merge->heap[0]->number[i];
        dpn_status status = advance(merge, why);
        if (status) return status;
    }
    *out = (dpn_run_record){merge->key, length, merge->number};
    return DPN_OK;
}

/* ---- Too many runs ---- */

/* As many of the first runs as can be read at once. */
static size_t count_within(const dpn_runs *runs, size_t memory) {
    size_t longest = 0, count = 0;
    while (count < runs->count) {
        if (runs->run[count].longest > longest) longest = runs->run[count].longest;
        size_t each =
            sizeof(run_cursor) + sizeof(run_cursor *) + runs->file->block + longest + runs->numbers * sizeof(int64_t);
        if (count >= 2 && count + 1 > memory / each) break;
        count++;
    }
    return count;
}

/* The first runs become one, which is the last. */
static dpn_status join(dpn_runs *runs, size_t count, dpn_error *why) {
    dpn_merge *merge;
    dpn_run_record record = {NULL, 0, NULL};
    dpn_status status = begin(&merge, runs, count, why);
    if (status) return status;
    status = dpn_runs_begin(runs, why);
    do {
        if (!status) status = dpn_merge_next(&record, merge, why);
        if (!status && record.key) status = dpn_runs_put(runs, record.key, record.length, record.number, why);
    } while (!status && record.key);
    if (!status) status = dpn_runs_end(runs, why);
    dpn_merge_free(merge);
    if (status) return status;
    runs->count -= count;
    memmove(runs->run, runs->run + count, runs->count * sizeof *runs->run);
    return DPN_OK;
}

dpn_status dpn_merge_begin(dpn_merge **out, dpn_runs *runs, size_t memory, dpn_error *why) {
    dpn_status status = DPN_OK;
    for (size_t count; !status && (count = count_within(runs, memory)) < runs->count;) status = join(runs, count, why);
    return status ? status : begin(out, runs, runs->count, why);
}
