/* One more entry, durable before anybody hears of it. docs/proofs/ledger/ledger.md, steps 1 and 2. */
#define _POSIX_C_SOURCE 200809L /* gmtime_r */
#include "ledger/ledger.h"

#include "base/error.h"

#include <stdlib.h>
#include <string.h>
#include <time.h>

/* The last digits of a number, with what follows them. Returns the end. */
static char *put(char *at, int number, int digits, char after) {
    for (int i = digits; i-- > 0; number /= 10) at[i] = (char)('0' + number % 10);
    at[digits] = after;
    return at + digits + 1;
}

static void fill_in_time(dpn_entry_fields *entry) {
    struct tm utc;
    time_t now = time(NULL);
    if (!gmtime_r(&now, &utc) || utc.tm_year < 0 || utc.tm_year >= 8100) {
        memcpy(entry->time, "unknown", sizeof "unknown");
        return;
    }
    char *at = put(entry->time, utc.tm_year + 1900, 4, '-');
    at = put(put(at, utc.tm_mon + 1, 2, '-'), utc.tm_mday, 2, 'T');
    at = put(put(put(at, utc.tm_hour, 2, ':'), utc.tm_min, 2, ':'), utc.tm_sec, 2, 'Z');
    *at = '\0';
}

dpn_status dpn_ledger_insert(dpn_ledger *ledger, uint64_t number, const char *text, size_t length,
                             const unsigned char tag[DPN_TAG_SIZE], dpn_error *why) {
    sqlite3_stmt *row = dpn_store_statement(&ledger->store, DPN_SQL_INSERT, why);
    if (!row) return why->status;
    int code = sqlite3_bind_int64(row, 1, (int64_t)number);
    if (!code) code = sqlite3_bind_text(row, 2, text, (int)length, SQLITE_STATIC);
    if (!code) code = sqlite3_bind_blob(row, 3, tag, DPN_TAG_SIZE, SQLITE_STATIC);
    if (!code) code = sqlite3_step(row);
    sqlite3_reset(row);
    sqlite3_clear_bindings(row);
    return code == SQLITE_DONE ? DPN_OK : dpn_store_fail(&ledger->store, code, why);
}

/* The record is entered into the book as it will be read back: what a later opening computes is what is decided now. */
static dpn_status enter(dpn_ledger *ledger, dpn_record *read, const dpn_text *text, uint64_t number, dpn_error *why) {
    if (text->failed) return dpn_fail(why, DPN_ENOMEM, "out of memory");
    dpn_status status = dpn_record_read(read, text->at, text->length, why);
    return status ? status : dpn_book_enter(&ledger->book, read, number, why);
}

/* One entry, in the book and in the open transaction. `tag` is that of the entry before, and becomes its own. */
static dpn_status add(dpn_ledger *ledger, dpn_record *record, dpn_record *read, uint64_t number,
                      unsigned char tag[DPN_TAG_SIZE], dpn_error *why) {
    dpn_text text = {0};
    dpn_record own;
    fill_in_time(&record->entry);
    dpn_record_write(&text, record);
    dpn_status status = enter(ledger, read ? read : &own, &text, number, why);
    if (!status) {
        /* From here on the book is ahead of the file, until the commit is known to have succeeded. */
        ledger->stale = true;
        status = dpn_chain_entry(tag, ledger->chain, tag, number, text.at, text.length, why);
        if (!status) status = dpn_ledger_insert(ledger, number, text.at, text.length, tag, why);
    }
    free(text.at);
    return status;
}

dpn_status dpn_ledger_append_all(dpn_head *head, dpn_ledger *ledger, dpn_record *const *record, dpn_record *read,
                                 size_t records, dpn_error *why) {
    unsigned char tag[DPN_TAG_SIZE];
    dpn_status status = DPN_OK;
    memcpy(tag, ledger->tag, sizeof tag);
    for (size_t i = 0; i < records && !status; i++) {
        status = add(ledger, record[i], read ? &read[i] : NULL, ledger->last + 1 + i, tag, why);
        if (!status && head) head[i] = dpn_head_make(ledger->last + 1 + i, tag);
    }
    if (!status) status = dpn_store_run(&ledger->store, DPN_SQL_COMMIT, why);
    if (status) {
        dpn_store_abandon(&ledger->store);
        return status;
    }
    ledger->stale = false;
    ledger->version = dpn_store_version(&ledger->store);
    ledger->last += records;
    memcpy(ledger->tag, tag, sizeof tag);
    return DPN_OK;
}

dpn_status dpn_ledger_append(dpn_head *head, dpn_ledger *ledger, dpn_record *record, dpn_record *read, dpn_error *why) {
    dpn_head own;
    dpn_status status = dpn_ledger_append_all(&own, ledger, &record, read, 1, why);
    if (!status && head) *head = own;
    return status;
}
