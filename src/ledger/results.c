/* Answers that were paid for. */
#include "ledger/ledger.h"

#include "base/error.h"
#include "base/text/utf8.h"

#include <stdlib.h>
#include <string.h>

size_t dpn_result_size(const char *text, size_t length) {
    size_t size = length;
    for (size_t i = 0; i < length; i++) {
        unsigned char c = (unsigned char)text[i];
        size += c < 0x20 || c == 0x7f ? 5 : c == '"' || c == '\\';
    }
    return size;
}

dpn_status dpn_result_check(const char *text, size_t length, dpn_error *why) {
    if (length > DPN_RESULT_MOST || dpn_result_size(text, length) > DPN_RESULT_MOST || memchr(text, 0, length) ||
        !dpn_utf8_is(text, length))
        return dpn_fail(why, DPN_EDOMAIN, "a result must be UTF-8 text of at most %d bytes as JSON", DPN_RESULT_MOST);
    return DPN_OK;
}

/* ---- Keeping ---- */

dpn_status dpn_ledger_has_result(bool *has, dpn_ledger *ledger, uint64_t number, dpn_error *why) {
    sqlite3_stmt *row = dpn_store_statement(&ledger->store, DPN_SQL_HAS_RESULT, why);
    if (!row) return why->status;
    int code = sqlite3_bind_int64(row, 1, (int64_t)number);
    if (!code) code = sqlite3_step(row);
    sqlite3_reset(row);
    if (code != SQLITE_DONE && code != SQLITE_ROW) return dpn_store_fail(&ledger->store, code, why);
    *has = code == SQLITE_ROW;
    return DPN_OK;
}

static dpn_status refuse_second(dpn_ledger *ledger, uint64_t number, dpn_error *why) {
    bool has = false;
    dpn_status status = dpn_ledger_has_result(&has, ledger, number, why);
    if (!status && has)
        status = dpn_fail(why, DPN_EDOMAIN, "there is a result of entry %llu already", (unsigned long long)number);
    return status;
}

dpn_status dpn_ledger_insert_result(dpn_ledger *ledger, const dpn_result *result, dpn_error *why) {
    sqlite3_stmt *row = dpn_store_statement(&ledger->store, DPN_SQL_KEEP_RESULT, why);
    if (!row) return why->status;
    int code = sqlite3_bind_int64(row, 1, (int64_t)result->number);
    if (!code) code = sqlite3_bind_text(row, 2, result->specification, -1, SQLITE_STATIC);
    if (!code) code = sqlite3_bind_text(row, 3, result->text, (int)result->length, SQLITE_STATIC);
    if (!code) code = sqlite3_bind_blob(row, 4, result->tag, DPN_TAG_SIZE, SQLITE_STATIC);
    if (!code) code = sqlite3_step(row);
    sqlite3_reset(row);
    sqlite3_clear_bindings(row);
    return code == SQLITE_DONE ? DPN_OK : dpn_store_fail(&ledger->store, code, why);
}

/* The charge that a result belongs to: its hash of the specification and its tag. */
static dpn_status charge_of(dpn_result *result, dpn_entry_fields *entry, unsigned char tag[DPN_TAG_SIZE],
                            dpn_ledger *ledger, dpn_error *why) {
    dpn_record record;
    char *text = NULL;
    size_t length;
    if (result->number < 1 || result->number > ledger->last)
        return dpn_fail(why, DPN_EDOMAIN, "there is no entry %llu", (unsigned long long)result->number);
    dpn_status status = dpn_ledger_fetch(&record, &text, &length, tag, ledger, result->number, why);
    if (status) return status;
    free(text);
    *entry = record.entry;
    if (entry->kind != DPN_ENTRY_CHARGE || !entry->specification[0])
        return dpn_fail(why, DPN_EDOMAIN, "entry %llu is not a charge with a specification",
                        (unsigned long long)result->number);
    /* Or one release could have two answers, one kept for the cap and one for the quota. */
    if (entry->with || entry->reuse)
        return dpn_fail(
            why, DPN_EDOMAIN, "entry %llu is a quota's: the result belongs to the charge of its cap, entry %llu",
            (unsigned long long)result->number, (unsigned long long)(entry->with ? entry->with : entry->reuse));
    return DPN_OK;
}

static dpn_status keep(dpn_ledger *ledger, dpn_result *result, dpn_error *why) {
    dpn_entry_fields entry;
    unsigned char tag[DPN_TAG_SIZE];
    dpn_status status = charge_of(result, &entry, tag, ledger, why);
    if (!status) status = refuse_second(ledger, result->number, why);
    if (!status)
        status = dpn_chain_result(result->tag, ledger->chain, tag, result->number, result->text, result->length, why);
    if (status) return status;
    memcpy(result->specification, entry.specification, sizeof result->specification);
    status = dpn_ledger_insert_result(ledger, result, why);
    return status ? status : dpn_store_run(&ledger->store, DPN_SQL_COMMIT, why);
}

dpn_status dpn_ledger_store_result(dpn_ledger *ledger, uint64_t number, const char *text, size_t length,
                                   dpn_error *why) {
    dpn_error own;
    dpn_result result = {.number = number, .text = (char *)text, .length = length};
    dpn_status status = dpn_result_check(text, length, &own);
    if (!status) status = dpn_ledger_begin(ledger, true, &own);
    if (!status) {
        status = keep(ledger, &result, &own);
        dpn_ledger_end(ledger);
    }
    return status ? dpn_fail(why, status, "%s", own.sentence) : DPN_OK;
}

/* ---- Reading ---- */

/* Copy the row that a statement is at. What is not as it was written fails the check later. */
static dpn_status copy_row(dpn_result *out, sqlite3_stmt *row, dpn_error *why) {
    const char *text = (const char *)sqlite3_column_text(row, 2);
    size_t length = (size_t)sqlite3_column_bytes(row, 2);
    const void *tag = sqlite3_column_blob(row, 3);
    const char *specification = (const char *)sqlite3_column_text(row, 4);
    *out =
        (dpn_result){.place = (uint64_t)sqlite3_column_int64(row, 0), .number = (uint64_t)sqlite3_column_int64(row, 1)};
    out->text = text ? malloc(length + 1) : NULL;
    if (!out->text) return dpn_fail(why, DPN_ENOMEM, "out of memory");
    memcpy(out->text, text, length);
    out->text[length] = '\0';
    out->length = length;
    if (tag && sqlite3_column_bytes(row, 3) == DPN_TAG_SIZE) memcpy(out->tag, tag, DPN_TAG_SIZE);
    if (specification && strlen(specification) == 64) memcpy(out->specification, specification, 65);
    return DPN_OK;
}

/* Step a statement and copy the first row with a number below `before`; text stays NULL if there is none. */
static dpn_status first_row(dpn_result *out, dpn_ledger *ledger, sqlite3_stmt *row, int code, uint64_t before,
                            dpn_error *why) {
    dpn_status status = DPN_OK;
    *out = (dpn_result){0};
    if (!code) code = sqlite3_step(row);
    while (code == SQLITE_ROW && (uint64_t)sqlite3_column_int64(row, 1) >= before) code = sqlite3_step(row);
    if (code == SQLITE_ROW)
        status = copy_row(out, row, why);
    else if (code != SQLITE_DONE)
        status = dpn_store_fail(&ledger->store, code, why);
    sqlite3_reset(row);
    sqlite3_clear_bindings(row);
    return status;
}

/* That a result is as it was stored; *budget is whose it is. */
static dpn_status check(char budget[DPN_LEDGER_NAME_SIZE], dpn_ledger *ledger, dpn_result *result, dpn_error *why) {
    dpn_entry_fields entry;
    unsigned char before[DPN_TAG_SIZE], tag[DPN_TAG_SIZE];
    dpn_status status = charge_of(result, &entry, before, ledger, why);
    if (status == DPN_EDOMAIN) return dpn_fail(why, DPN_EIO, "a stored result belongs to no charge");
    if (!status)
        status = dpn_chain_result(tag, ledger->chain, before, result->number, result->text, result->length, why);
    if (status) return status;
    if (strcmp(entry.specification, result->specification) != 0 || !dpn_tag_equal(tag, result->tag))
        return dpn_fail(why, DPN_EIO, "the result stored for entry %llu was changed",
                        (unsigned long long)result->number);
    memcpy(budget, entry.of, sizeof entry.of);
    return DPN_OK;
}

/* The latest result of a hash under a budget; text stays NULL if there is none. */
static dpn_status find(dpn_result *out, dpn_ledger *ledger, const char *budget, const char *hash, dpn_error *why) {
    char whose[DPN_LEDGER_NAME_SIZE];
    for (uint64_t before = INT64_MAX;; before = out->number) {
        sqlite3_stmt *row = dpn_store_statement(&ledger->store, DPN_SQL_FIND_RESULT, why);
        if (!row) return why->status;
        dpn_status status =
            first_row(out, ledger, row, sqlite3_bind_text(row, 1, hash, -1, SQLITE_STATIC), before, why);
        if (status || !out->text) return status;
        status = check(whose, ledger, out, why);
        if (!status && strcmp(whose, budget) == 0) return DPN_OK;
        free(out->text);
        out->text = NULL;
        if (status) return status;
    }
}

dpn_status dpn_ledger_find_result(char **text, size_t *length, uint64_t *number, dpn_ledger *ledger, const char *name,
                                  const char *specification, size_t specification_length, dpn_error *why) {
    dpn_error own;
    char hash[65];
    dpn_result result = {0};
    dpn_status status = dpn_hash(hash, specification, specification_length, &own);
    if (!status) status = dpn_ledger_begin(ledger, false, &own);
    if (!status) {
        const dpn_set *set = dpn_book_find(&ledger->book, name);
        if (set && set->cap) set = set->cap;
        status = set ? find(&result, ledger, set->name, hash, &own)
                     : dpn_fail(&own, DPN_EDOMAIN, "there is no data set '%.100s' in the ledger", name);
        dpn_ledger_end(ledger);
    }
    if (status) return dpn_fail(why, status, "%s", own.sentence);
    *text = result.text;
    *length = result.text ? result.length : 0;
    if (number) *number = result.text ? result.number : 0;
    return DPN_OK;
}

/* ---- One after the other ---- */

dpn_status dpn_ledger_next_result(dpn_result *out, dpn_ledger *ledger, uint64_t place, dpn_error *why) {
    char budget[DPN_LEDGER_NAME_SIZE];
    dpn_result result;
    sqlite3_stmt *row = dpn_store_statement(&ledger->store, DPN_SQL_NEXT_RESULT, why);
    if (!row) return why->status;
    dpn_status status = first_row(&result, ledger, row, sqlite3_bind_int64(row, 1, (int64_t)place), UINT64_MAX, why);
    if (!status && result.text && result.place != place + 1)
        status = dpn_fail(why, DPN_EIO, "stored result %llu is missing", (unsigned long long)place + 1);
    if (!status && result.text) status = check(budget, ledger, &result, why);
    if (status)
        free(result.text);
    else
        *out = result;
    return status;
}

/* A copy of a row is genuine, but it was not put there by us. */
static dpn_status check_for_copies(dpn_ledger *ledger, dpn_error *why) {
    sqlite3_stmt *row = dpn_store_statement(&ledger->store, DPN_SQL_TWICE, why);
    if (!row) return why->status;
    int code = sqlite3_step(row);
    uint64_t number = code == SQLITE_ROW ? (uint64_t)sqlite3_column_int64(row, 0) : 0;
    sqlite3_reset(row);
    if (code == SQLITE_DONE) return DPN_OK;
    if (code != SQLITE_ROW) return dpn_store_fail(&ledger->store, code, why);
    return dpn_fail(why, DPN_EIO, "there are two results of entry %llu", (unsigned long long)number);
}

dpn_status dpn_ledger_check_results(dpn_ledger *ledger, dpn_error *why) {
    dpn_result result;
    for (uint64_t place = 0;; place = result.place) {
        dpn_status status = dpn_ledger_next_result(&result, ledger, place, why);
        if (status) return status;
        if (!result.text) return check_for_copies(ledger, why);
        free(result.text);
    }
}
