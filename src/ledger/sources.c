/* Where data are, by sources and registrations: who may come beside them is asked within the commit. */
#include "ledger/ledger.h"

#include "base/error.h"
#include "base/text/hex.h"

#include <stdlib.h>
#include <string.h>

dpn_status dpn_ledger_fetch_text(char **text, size_t *length, dpn_ledger *ledger, uint64_t number, dpn_error *why) {
    dpn_record record;
    unsigned char tag[DPN_TAG_SIZE];
    char *all = NULL;
    size_t size;
    dpn_status status = dpn_ledger_fetch(&record, &all, &size, tag, ledger, number, why);
    if (status) return status;
    memmove(all, all + record.plan_at, record.entry.plan_length);
    all[record.entry.plan_length] = '\0';
    *text = all;
    *length = record.entry.plan_length;
    return DPN_OK;
}

/* The first source or registration in force after an entry; set is NULL if there is none. */
static dpn_book_source find_next(const dpn_book *book, uint64_t after) {
    dpn_book_source next = {0};
    for (size_t i = 0; i < book->sources && !next.set; i++)
        if (book->source[i].number > after) next = book->source[i];
    for (size_t i = 0; i < book->names; i++) {
        const dpn_set *set = book->name[i].set;
        uint64_t number = set->cap ? 0 : set->registration; /* an alias has its data set's, which is the same number */
        if (number > after && (!next.set || number < next.number)) next = (dpn_book_source){number, set};
    }
    return next;
}

/* With its text; NULL in out->text if there is none. */
static dpn_status fetch_next(dpn_known_source *out, dpn_ledger *ledger, uint64_t after, dpn_error *why) {
    dpn_book_source next = find_next(&ledger->book, after);
    dpn_known_source found = {.number = next.number};
    if (next.set) {
        memcpy(found.name, next.set->name, sizeof found.name);
        if (next.number == next.set->registration) found.version = next.set->version;
        dpn_status status = dpn_ledger_fetch_text(&found.text, &found.length, ledger, next.number, why);
        if (status) return status;
    }
    *out = found;
    return DPN_OK;
}

dpn_status dpn_ledger_ask_admit(dpn_ledger *ledger, dpn_ledger_admit admit, void *context, dpn_error *why) {
    dpn_known_source other = {.number = 0};
    while (admit) {
        dpn_error reason = {DPN_OK, ""};
        dpn_status status = fetch_next(&other, ledger, other.number, why);
        if (status || !other.text) return status;
        status = admit(context, &other, &reason);
        free(other.text);
        if (status) return dpn_fail(why, status, "%s", reason.sentence);
    }
    return DPN_OK;
}

dpn_status dpn_ledger_hide(char out[DPN_LEDGER_HIDDEN_SIZE], dpn_ledger *ledger, const char *text, size_t length,
                           dpn_error *why) {
    unsigned char tag[DPN_TAG_SIZE];
    dpn_status status = dpn_chain_name(tag, ledger->chain, text, length, why);
    if (!status) dpn_hex_write(out, tag, sizeof tag);
    return status;
}

dpn_status dpn_ledger_next_source(dpn_known_source *out, dpn_ledger *ledger, uint64_t after, dpn_error *why) {
    dpn_error own;
    dpn_status status = dpn_ledger_begin(ledger, false, &own);
    if (!status) {
        status = fetch_next(out, ledger, after, &own);
        dpn_ledger_end(ledger);
    }
    return status ? dpn_fail(why, status, "%s", own.sentence) : DPN_OK;
}
