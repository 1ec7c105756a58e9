/* Runs, a record after the other. */
#define _DEFAULT_SOURCE /* explicit_bzero */
#include "release/tally/runs.h"

#include "base/error.h"

#include <stdlib.h>
#include <string.h>

static dpn_status no_memory(dpn_error *why) {
    return dpn_fail(why, DPN_ENOMEM, "no memory for the tally");
}

dpn_status dpn_runs_make(dpn_runs *out, dpn_overflow *file, size_t numbers, dpn_error *why) {
    *out = (dpn_runs){.file = file, .numbers = numbers};
    out->block = malloc(file->block);
    if (!out->block) return no_memory(why);
    out->cipher = dpn_cipher_new();
    return out->cipher ? DPN_OK : dpn_fail(why, DPN_EENTROPY, "libcrypto gives no AES-256-CTR");
}

void dpn_runs_free(dpn_runs *runs) {
    if (runs->block) explicit_bzero(runs->block, runs->file->block);
    free(runs->block);
    free(runs->run);
    if (runs->cipher) dpn_cipher_free(runs->cipher);
    *runs = (dpn_runs){0};
}

/* ---- Writing ---- */

/* Bytes of a block before the offset of the next one. */
static size_t capacity(const dpn_overflow *file) {
    return file->block - sizeof(uint64_t);
}

static dpn_status write_block(dpn_runs *runs, uint64_t next, dpn_error *why) {
    memset(runs->block + runs->used, 0, capacity(runs->file) - runs->used);
    memcpy(runs->block + capacity(runs->file), &next, sizeof next);
    runs->used = 0;
    return dpn_overflow_write(runs->file, runs->cipher, runs->at, runs->block, why);
}

static dpn_status put(dpn_runs *runs, const void *bytes, size_t length, dpn_error *why) {
    const unsigned char *from = bytes;
    if (runs->open.bytes == 0) runs->open.first = runs->at = dpn_overflow_claim(runs->file);
    while (length > 0) {
        if (runs->used == capacity(runs->file)) {
            uint64_t next = dpn_overflow_claim(runs->file);
            dpn_status status = write_block(runs, next, why);
            if (status) return status;
            runs->at = next;
        }
        size_t left = capacity(runs->file) - runs->used, part = length < left ? length : left;
        memcpy(runs->block + runs->used, from, part);
        runs->used += part;
        runs->open.bytes += part;
        from += part;
        length -= part;
    }
    return DPN_OK;
}

static bool make_room(dpn_runs *runs, size_t count) {
    if (count <= runs->room) return true;
    size_t room = 2 * count + 14;
    dpn_run *run = realloc(runs->run, room * sizeof *run);
    if (!run) return false;
    runs->run = run;
    runs->room = room;
    return true;
}

dpn_status dpn_runs_begin(dpn_runs *runs, dpn_error *why) {
    if (!make_room(runs, runs->count + 1)) return no_memory(why);
    runs->used = 0;
    runs->open = (dpn_run){0};
    return DPN_OK;
}

dpn_status dpn_runs_put(dpn_runs *runs, const unsigned char *key, size_t length, const int64_t *number,
                        dpn_error *why) {
    if (length > runs->open.longest) runs->open.longest = length;
    dpn_status status = put(runs, &length, sizeof length, why);
    if (!status) status = put(runs, key, length, why);
    return status ? status : put(runs, number, runs->numbers * sizeof *number, why);
}

dpn_status dpn_runs_end(dpn_runs *runs, dpn_error *why) {
    if (runs->open.bytes == 0) return DPN_OK; /* an empty run is none */
    dpn_status status = write_block(runs, 0, why);
    if (!status) runs->run[runs->count++] = runs->open;
    return status;
}

bool dpn_runs_absorb(dpn_runs *into, dpn_runs *from) {
    if (!make_room(into, into->count + from->count)) return false;
    if (from->count > 0) memcpy(into->run + into->count, from->run, from->count * sizeof *from->run);
    into->count += from->count;
    from->count = 0;
    return true;
}
