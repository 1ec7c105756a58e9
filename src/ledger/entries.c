/* Reading what was recorded. */
#include "ledger/ledger.h"

#include "base/error.h"

#include <stdlib.h>
#include <string.h>

/* The chain up to ledger->last was verified; a text that was changed since then does not fit between the tags. */
dpn_status dpn_ledger_fetch(dpn_record *record, char **text, size_t *length, unsigned char tag[DPN_TAG_SIZE],
                            dpn_ledger *ledger, uint64_t number, dpn_error *why) {
    unsigned char before[DPN_TAG_SIZE], expected[DPN_TAG_SIZE];
    dpn_status status = dpn_ledger_tag_of(before, ledger, number - 1, why);
    if (!status) status = dpn_ledger_tag_of(tag, ledger, number, why);
    sqlite3_stmt *row = status ? NULL : dpn_store_statement(&ledger->store, DPN_SQL_SELECT, why);
    if (!row) return why->status;
    int code = sqlite3_bind_int64(row, 1, (int64_t)number - 1);
    if (!code) code = sqlite3_step(row);
    const char *found = code == SQLITE_ROW ? (const char *)sqlite3_column_text(row, 1) : NULL;
    char *copy = NULL;
    if (code == SQLITE_ROW && found) {
        *length = (size_t)sqlite3_column_bytes(row, 1);
        copy = malloc(*length + 1);
        if (copy) memcpy(copy, found, *length + 1);
    }
    sqlite3_reset(row);
    if (code != SQLITE_ROW) return dpn_store_fail(&ledger->store, code, why);
    if (!copy) return dpn_fail(why, DPN_ENOMEM, "out of memory");
    status = dpn_chain_entry(expected, ledger->chain, before, number, copy, *length, why);
    if (!status && !dpn_tag_equal(expected, tag))
        status = dpn_fail(why, DPN_EIO, "entry %llu of the ledger was changed", (unsigned long long)number);
    if (!status) status = dpn_record_read(record, copy, *length, why);
    if (status)
        free(copy);
    else
        *text = copy;
    return status;
}

/* The words of an entry follow its text, in the same piece of memory. */
static dpn_status fill_entry(dpn_entry *out, const dpn_record *record, dpn_head head, char *text, size_t length,
                             dpn_error *why) {
    const dpn_entry_fields *fields = &record->entry;
    const char *word[] = {fields->user, fields->name, fields->of, fields->note};
    size_t room = length + 1;
    for (int i = 0; i < 4; i++) room += strlen(word[i]) + 1;
    char *all = realloc(text, room), *at;
    if (!all) {
        free(text);
        return dpn_fail(why, DPN_ENOMEM, "out of memory");
    }
    at = all + length + 1;
    for (int i = 0; i < 4; i++) {
        size_t size = strlen(word[i]) + 1;
        word[i] = memcpy(at, word[i], size);
        at += size;
    }
    *out = (dpn_entry){.head = head,
                       .kind = fields->kind,
                       .user = word[0],
                       .name = word[1],
                       .of = word[2],
                       .note = word[3],
                       .relation = fields->relation,
                       .unit = fields->unit,
                       .converted = fields->converted,
                       .charge = fields->charge,
                       .orders = fields->orders,
                       .with = fields->with,
                       .reuse = fields->reuse,
                       .version = fields->version,
                       .plan = record->plan_at ? all + record->plan_at : NULL,
                       .plan_length = fields->plan_length,
                       .text = all};
    memcpy(out->time, fields->time, sizeof out->time);
    memcpy(out->specification, fields->specification, sizeof out->specification);
    return DPN_OK;
}

dpn_status dpn_ledger_entry(dpn_entry *out, dpn_ledger *ledger, uint64_t number, dpn_error *why) {
    dpn_error own;
    dpn_record record;
    char *text = NULL;
    size_t length = 0;
    unsigned char tag[DPN_TAG_SIZE];
    dpn_status status = dpn_ledger_begin(ledger, false, &own);
    if (!status) {
        if (number < 1 || number > ledger->last)
            status = dpn_fail(&own, DPN_EDOMAIN, "there is no entry %llu", (unsigned long long)number);
        else
            status = dpn_ledger_fetch(&record, &text, &length, tag, ledger, number, &own);
        dpn_ledger_end(ledger);
    }
    if (status) return dpn_fail(why, status, "%s", own.sentence);
    return fill_entry(out, &record, dpn_head_make(number, tag), text, length, why);
}

void dpn_entry_free(dpn_entry *entry) {
    free(entry->text);
    entry->text = NULL;
    entry->plan = entry->user = entry->name = entry->of = entry->note = NULL;
}

/* ---- Verifying ---- */

static dpn_status check_head(dpn_ledger *ledger, const dpn_head *head, dpn_error *why) {
    unsigned char tag[DPN_TAG_SIZE];
    char text[DPN_HEAD_TEXT_SIZE];
    dpn_head_print(text, head);
    if (head->number > ledger->last)
        return dpn_fail(why, DPN_EIO, "the ledger ends at entry %llu: what the head %s has seen was cut off",
                        (unsigned long long)ledger->last, text);
    dpn_status status = dpn_ledger_tag_of(tag, ledger, head->number, why);
    dpn_head found = dpn_head_make(head->number, tag);
    if (!status && (head->number == 0 || memcmp(found.tag, head->tag, sizeof head->tag) != 0))
        status = dpn_fail(why, DPN_EIO, "the head %s is not of this ledger: what it has seen was replaced", text);
    return status;
}

dpn_status dpn_ledger_verify(dpn_head *last, dpn_ledger *ledger, const dpn_head *head, size_t heads, dpn_error *why) {
    dpn_error own;
    ledger->stale = true; /* everything is read again */
    dpn_status status = dpn_ledger_begin(ledger, false, &own);
    if (status) return dpn_fail(why, status, "%s", own.sentence);
    status = dpn_store_check_schema(&ledger->store, &own);
    if (!status) status = dpn_store_integrity(&ledger->store, &own);
    for (size_t i = 0; i < heads && !status; i++) status = check_head(ledger, &head[i], &own);
    if (!status) status = dpn_store_slack(&ledger->store, &own);
    if (!status) status = dpn_ledger_check_results(ledger, &own);
    dpn_ledger_end(ledger);
    if (status) return dpn_fail(why, status, "%s", own.sentence);
    if (last) *last = dpn_head_make(ledger->last, ledger->tag);
    return DPN_OK;
}
