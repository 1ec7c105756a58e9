/* Registrations: a text of the curator's for each data set, in the chain. */
#include "ledger/ledger.h"

#include "base/error.h"

#include <stdlib.h>
#include <string.h>

static dpn_status check(const dpn_ledger_budget *budget, const dpn_ledger_registration *registration, dpn_error *why) {
    if (!registration->text) return dpn_fail(why, DPN_EDOMAIN, "a registration needs a text");
    if (registration->version < 1) return dpn_fail(why, DPN_EDOMAIN, "the version of a registration is at least 1");
    if (budget && budget->of) return dpn_fail(why, DPN_EDOMAIN, "a quota is not registered: its data set is");
    if (budget && (!budget->name || !registration->name || strcmp(budget->name, registration->name) != 0))
        return dpn_fail(why, DPN_EDOMAIN, "the budget and the registration must have the same name");
    return DPN_OK;
}

static dpn_status register_both(dpn_head *head, dpn_ledger *ledger, const dpn_ledger_budget *budget,
                                const dpn_ledger_registration *registration, dpn_record record[2], dpn_error *why) {
    char *text = NULL;
    dpn_head heads[2];
    size_t records = budget ? 2 : 1;
    dpn_record *const both[2] = {&record[0], &record[1]}, *last = both[records - 1];
    dpn_status status = check(budget, registration, why);
    if (!status && budget) status = dpn_budget_fill(&record[0], budget, why);
    if (!status) status = dpn_entry_fill(&last->entry, registration->name, registration->user, registration->note, why);
    if (!status) status = dpn_json_line(&text, registration->text, "registration", true, why);
    last->entry.kind = DPN_ENTRY_REGISTRATION;
    last->entry.version = registration->version;
    last->plan_text = text;
    if (!status) status = dpn_ledger_begin(ledger, true, why);
    if (!status) {
        status = dpn_ledger_ask_admit(ledger, registration->admit, registration->context, why);
        if (status)
            dpn_ledger_end(ledger);
        else
            status = dpn_ledger_append_all(heads, ledger, both, NULL, records, why);
    }
    free(text);
    if (!status && head) *head = heads[records - 1];
    return status;
}

dpn_status dpn_ledger_register(dpn_head *head, dpn_ledger *ledger, const dpn_ledger_budget *budget,
                               const dpn_ledger_registration *registration, dpn_error *why) {
    dpn_error own;
    dpn_record *record = calloc(2, sizeof *record);
    if (!record) return dpn_fail(why, DPN_ENOMEM, "out of memory");
    dpn_status status = register_both(head, ledger, budget, registration, record, &own);
    free(record);
    return status ? dpn_fail(why, status, "%s", own.sentence) : DPN_OK;
}

dpn_status dpn_ledger_find_registration(char **text, size_t *length, uint64_t *version, uint64_t *number,
                                        dpn_ledger *ledger, const char *name, dpn_error *why) {
    dpn_error own;
    char *found = NULL;
    size_t found_length = 0;
    const dpn_set *set = NULL;
    dpn_status status = dpn_ledger_begin(ledger, false, &own);
    if (!status) {
        set = dpn_book_find(&ledger->book, name);
        if (set && set->cap) set = set->cap;
        if (!set) status = dpn_fail(&own, DPN_EDOMAIN, "there is no data set '%.100s' in the ledger", name);
        if (!status && set->registration)
            status = dpn_ledger_fetch_text(&found, &found_length, ledger, set->registration, &own);
        dpn_ledger_end(ledger);
    }
    if (status) return dpn_fail(why, status, "%s", own.sentence);
    *text = found;
    *length = found_length;
    if (version) *version = set->version;
    if (number) *number = set->registration;
    return DPN_OK;
}
