/* From the rows of the file to the book: every tag is verified, every charge admitted anew. */
#define _POSIX_C_SOURCE 200809L /* getpid */
#include "ledger/ledger.h"

#include "base/error.h"

#include <string.h>
#include <unistd.h>

static dpn_status damaged(uint64_t number, const char *what, dpn_error *why) {
    return dpn_fail(why, DPN_EIO, "entry %llu of the ledger %s", (unsigned long long)number, what);
}

static const char missing[] = "is missing or was changed";

/* A row that is out of place, of another type or of another size than ours is not ours. */
static dpn_status check_row(sqlite3_stmt *row, uint64_t expected, dpn_error *why) {
    int64_t number = sqlite3_column_int64(row, 0);
    if (sqlite3_column_type(row, 0) != SQLITE_INTEGER || number < 1) return damaged(expected, "has no number", why);
    if ((uint64_t)number != expected)
        return damaged(expected, "is missing: it was removed, or others were put in its place", why);
    if (sqlite3_column_type(row, 1) != SQLITE_TEXT || sqlite3_column_type(row, 2) != SQLITE_BLOB ||
        sqlite3_column_bytes(row, 2) != DPN_TAG_SIZE)
        return damaged(expected, "was changed", why);
    return DPN_OK;
}

static dpn_status enter_row(dpn_ledger *ledger, sqlite3_stmt *row, dpn_error *why) {
    uint64_t number = ledger->last + 1;
    unsigned char tag[DPN_TAG_SIZE];
    dpn_record record;
    dpn_error reason;
    dpn_status status = check_row(row, number, why);
    if (status) return status;
    const unsigned char *said = sqlite3_column_blob(row, 2);
    const char *text = (const char *)sqlite3_column_text(row, 1);
    size_t length = (size_t)sqlite3_column_bytes(row, 1);
    if (!said || !text) return dpn_fail(why, DPN_ENOMEM, "out of memory");
    status = dpn_chain_entry(tag, ledger->chain, ledger->tag, number, text, length, why);
    if (status) return status;
    if (!dpn_tag_equal(tag, said)) {
        if (number == 1) return dpn_fail(why, DPN_EIO, "the key is not that of this ledger, or entry 1 was changed");
        return damaged(number, "was changed, moved or put there without the key", why);
    }
    status = dpn_record_read(&record, text, length, &reason);
    if (!status) status = dpn_book_enter(&ledger->book, &record, number, &reason);
    if (status == DPN_ENOMEM) return dpn_fail(why, status, "%s", reason.sentence);
    if (status)
        return dpn_fail(why, DPN_EIO, "entry %llu of the ledger does not follow: %.150s", (unsigned long long)number,
                        reason.sentence);
    ledger->last = number;
    memcpy(ledger->tag, tag, sizeof tag);
    return DPN_OK;
}

dpn_status dpn_ledger_tag_of(unsigned char out[DPN_TAG_SIZE], dpn_ledger *ledger, uint64_t number, dpn_error *why) {
    memset(out, 0, DPN_TAG_SIZE);
    if (number == 0) return DPN_OK;
    sqlite3_stmt *row = dpn_store_statement(&ledger->store, DPN_SQL_SELECT_TAG, why);
    if (!row) return why->status;
    int code = sqlite3_bind_int64(row, 1, (int64_t)number);
    if (!code) code = sqlite3_step(row);
    const void *tag = code == SQLITE_ROW ? sqlite3_column_blob(row, 0) : NULL;
    dpn_status status = DPN_OK;
    if (code != SQLITE_ROW && code != SQLITE_DONE)
        status = dpn_store_fail(&ledger->store, code, why);
    else if (!tag || sqlite3_column_bytes(row, 0) != DPN_TAG_SIZE)
        status = damaged(number, missing, why);
    else
        memcpy(out, tag, DPN_TAG_SIZE);
    sqlite3_reset(row);
    return status;
}

/* The file may have been replaced by an older one while we held it open: the last entry of the book is its first row here. */
static dpn_status check_last(const dpn_ledger *ledger, sqlite3_stmt *row, dpn_error *why) {
    const unsigned char *tag = sqlite3_column_blob(row, 2);
    if ((uint64_t)sqlite3_column_int64(row, 0) != ledger->last || !tag || sqlite3_column_bytes(row, 2) != DPN_TAG_SIZE)
        return damaged(ledger->last, missing, why);
    return dpn_tag_equal(tag, ledger->tag) ? DPN_OK
                                           : damaged(ledger->last, "is not the one that was there before", why);
}

/* One statement sees that the last entry is the same, which *known tells, and reads on from it. */
static dpn_status read_on(bool *known, dpn_ledger *ledger, dpn_error *why) {
    sqlite3_stmt *row = dpn_store_statement(&ledger->store, DPN_SQL_SELECT_ON, why);
    if (!row) return why->status;
    dpn_status status = DPN_OK;
    int code = sqlite3_bind_int64(row, 1, (int64_t)ledger->last);
    while (!code && !status && (code = sqlite3_step(row)) == SQLITE_ROW) {
        status = *known ? enter_row(ledger, row, why) : check_last(ledger, row, why);
        if (!status) *known = true;
        code = SQLITE_OK;
    }
    if (!status && code != SQLITE_DONE) status = dpn_store_fail(&ledger->store, code, why);
    if (!status && !*known) status = damaged(ledger->last, missing, why);
    sqlite3_reset(row);
    return status;
}

dpn_status dpn_ledger_catch_up(dpn_ledger *ledger, dpn_error *why) {
    uint32_t version = dpn_store_version(&ledger->store);
    if (!ledger->stale && ledger->last > 0 && version != 0 && version == ledger->version) return DPN_OK;
    ledger->version = 0;
    if (ledger->stale) {
        dpn_book_free(&ledger->book);
        ledger->last = 0;
        memset(ledger->tag, 0, sizeof ledger->tag);
        ledger->stale = false;
    }
    bool known = ledger->last == 0;
    dpn_status status = read_on(&known, ledger, why);
    if (!status && ledger->last == 0) status = dpn_fail(why, DPN_EIO, "the ledger is empty: its entries were removed");
    /* A book whose last entry is not in the file is kept, and not made anew of a shorter file. */
    if (status && known) ledger->stale = true;
    if (!status) ledger->version = version;
    return status;
}

dpn_status dpn_ledger_begin(dpn_ledger *ledger, bool write, dpn_error *why) {
    dpn_store *store = &ledger->store;
    if (ledger->process != (long)getpid())
        return dpn_fail(why, DPN_EIO, "a ledger must not be used by the child of the process that opened it");
    dpn_status status = dpn_store_run(store, write ? DPN_SQL_BEGIN_NOW : DPN_SQL_BEGIN, why);
    if (status) return status;
    /* Without the lock SQLite has not looked at the file yet, and its version is that of before: the entries are read on. */
    if (!write) ledger->version = 0;
    /* Somebody who renames the file away must not find it charged there, with another one in its place. */
    if (dpn_store_moved(store))
        status = dpn_fail(why, DPN_EIO, "the file of the ledger was moved or removed while it was open");
    if (!status) status = dpn_ledger_catch_up(ledger, why);
    if (status) dpn_store_abandon(store);
    return status;
}

void dpn_ledger_end(dpn_ledger *ledger) {
    dpn_store_abandon(&ledger->store);
}
