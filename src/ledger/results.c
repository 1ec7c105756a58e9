/* Answers that were paid for. */
#include "ledger/ledger.h"

#include "base/error.h"

#include <stdlib.h>
#include <string.h>

enum { MOST = 1 << 24 };

/* ---- Keeping ---- */

static dpn_status refuse_second(dpn_ledger *ledger, uint64_t number, dpn_error *why) {
    sqlite3_stmt *row = dpn_store_statement(&ledger->store, DPN_SQL_HAS_RESULT, why);
    if (!row) return why->status;
    int code = sqlite3_bind_int64(row, 1, (int64_t)number);
    if (!code) code = sqlite3_step(row);
    sqlite3_reset(row);
    if (code == SQLITE_DONE) return DPN_OK;
    if (code != SQLITE_ROW) return dpn_store_fail(&ledger->store, code, why);
    return dpn_fail(why, DPN_EDOMAIN, "there is a result of entry %llu already", (unsigned long long)number);
}

static dpn_status keep(dpn_ledger *ledger, uint64_t number, const char *specification, const char *text, size_t length,
                       dpn_error *why) {
    unsigned char entry[DPN_TAG_SIZE], tag[DPN_TAG_SIZE];
    dpn_status status = refuse_second(ledger, number, why);
    if (!status) status = dpn_ledger_tag_of(entry, ledger, number, why);
    if (!status) status = dpn_chain_result(tag, ledger->chain, entry, number, text, length, why);
    sqlite3_stmt *row = status ? NULL : dpn_store_statement(&ledger->store, DPN_SQL_KEEP_RESULT, why);
    if (!row) return why->status;
    int code = sqlite3_bind_int64(row, 1, (int64_t)number);
    if (!code) code = sqlite3_bind_text(row, 2, specification, -1, SQLITE_STATIC);
    if (!code) code = sqlite3_bind_text(row, 3, text, (int)length, SQLITE_STATIC);
    if (!code) code = sqlite3_bind_blob(row, 4, tag, DPN_TAG_SIZE, SQLITE_STATIC);
    if (!code) code = sqlite3_step(row);
    sqlite3_reset(row);
    sqlite3_clear_bindings(row);
    if (code != SQLITE_DONE) return dpn_store_fail(&ledger->store, code, why);
    return dpn_store_run(&ledger->store, DPN_SQL_COMMIT, why);
}

dpn_status dpn_ledger_store_result(dpn_ledger *ledger, uint64_t number, const char *text, size_t length,
                                   dpn_error *why) {
    dpn_error own;
    dpn_entry entry;
    if (length > MOST || memchr(text, 0, length))
        return dpn_fail(why, DPN_EDOMAIN, "a result must be text of at most %d bytes", MOST);
    dpn_status status = dpn_ledger_entry(&entry, ledger, number, why);
    if (status) return status;
    dpn_entry_free(&entry);
    if (entry.kind != DPN_ENTRY_CHARGE || !entry.specification[0])
        return dpn_fail(why, DPN_EDOMAIN, "entry %llu is no charge with a specification", (unsigned long long)number);
    status = dpn_ledger_begin(ledger, true, &own);
    if (!status) {
        status = keep(ledger, number, entry.specification, text, length, &own);
        dpn_ledger_end(ledger);
    }
    return status ? dpn_fail(why, status, "%s", own.sentence) : DPN_OK;
}

/* ---- Reading ---- */

typedef struct found {
    uint64_t place, number;
    char *text; /* NULL: nothing was found */
    size_t length;
    unsigned char tag[DPN_TAG_SIZE];
    char specification[65];
} found;

/* Copy the row that a statement is at. What is not as it was written fails the check later. */
static dpn_status copy_row(found *out, sqlite3_stmt *row, dpn_error *why) {
    const char *text = (const char *)sqlite3_column_text(row, 2);
    size_t length = (size_t)sqlite3_column_bytes(row, 2);
    const void *tag = sqlite3_column_blob(row, 3);
    const char *specification = (const char *)sqlite3_column_text(row, 4);
    *out = (found){.place = (uint64_t)sqlite3_column_int64(row, 0), .number = (uint64_t)sqlite3_column_int64(row, 1)};
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
static dpn_status first_row(found *out, dpn_ledger *ledger, sqlite3_stmt *row, int code, uint64_t before,
                            dpn_error *why) {
    dpn_status status = DPN_OK;
    *out = (found){0};
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

/* Whether a result is as it was stored, and of this budget. */
static dpn_status check(bool *fits, dpn_ledger *ledger, const found *result, const char *budget, dpn_error *why) {
    dpn_entry entry;
    unsigned char before[DPN_TAG_SIZE], tag[DPN_TAG_SIZE];
    dpn_status status = dpn_ledger_entry(&entry, ledger, result->number, why);
    if (status) return status == DPN_EDOMAIN ? dpn_fail(why, DPN_EIO, "a stored result belongs to no charge") : status;
    bool same = entry.kind == DPN_ENTRY_CHARGE && result->specification[0] &&
                strcmp(entry.specification, result->specification) == 0;
    *fits = same && strcmp(entry.of, budget) == 0;
    dpn_entry_free(&entry);
    status = dpn_ledger_tag_of(before, ledger, result->number, why);
    if (!status)
        status = dpn_chain_result(tag, ledger->chain, before, result->number, result->text, result->length, why);
    if (!status && (!same || !dpn_tag_equal(tag, result->tag)))
        status =
            dpn_fail(why, DPN_EIO, "the result stored for entry %llu was changed", (unsigned long long)result->number);
    return status;
}

dpn_status dpn_ledger_find_result(char **text, size_t *length, uint64_t *number, dpn_ledger *ledger, const char *name,
                                  const char *specification, size_t specification_length, dpn_error *why) {
    dpn_error own;
    char hash[65];
    found result = {0};
    bool fits = false;
    dpn_account account;
    dpn_status status = dpn_ledger_account(&account, ledger, name, &own);
    if (!status) status = dpn_hash(hash, specification, specification_length, &own);
    for (uint64_t before = INT64_MAX; !status && !fits; before = result.number) {
        free(result.text);
        result.text = NULL;
        sqlite3_stmt *row = dpn_store_statement(&ledger->store, DPN_SQL_FIND_RESULT, &own);
        status = row ? first_row(&result, ledger, row, sqlite3_bind_text(row, 1, hash, -1, SQLITE_STATIC), before, &own)
                     : own.status;
        if (status || !result.text) break;
        status = check(&fits, ledger, &result, account.name, &own);
    }
    if (status) {
        free(result.text);
        return dpn_fail(why, status, "%s", own.sentence);
    }
    *text = result.text;
    *length = result.text ? result.length : 0;
    if (number) *number = result.text ? result.number : 0;
    return DPN_OK;
}

dpn_status dpn_ledger_check_results(dpn_ledger *ledger, dpn_error *why) {
    for (uint64_t place = 0;;) {
        found result = {0};
        bool fits;
        sqlite3_stmt *row = dpn_store_statement(&ledger->store, DPN_SQL_NEXT_RESULT, why);
        if (!row) return why->status;
        dpn_status status =
            first_row(&result, ledger, row, sqlite3_bind_int64(row, 1, (int64_t)place), UINT64_MAX, why);
        if (status || !result.text) return status;
        if (result.place != place + 1)
            status = dpn_fail(why, DPN_EIO, "stored result %llu is missing", (unsigned long long)place + 1);
        else
            status = check(&fits, ledger, &result, "", why);
        place = result.place;
        free(result.text);
        if (status) return status;
    }
}
