/* Data sets: what is fixed for them, and how they stand. */
#include "ledger/ledger.h"

#include "base/error.h"
#include "base/text/excerpt.h"

#include <string.h>

/* Sentences are kept even if nobody asked for them, so that the parts may rely on them. */
static dpn_status tell(dpn_error *why, dpn_status status, const dpn_error *own) {
    return status ? dpn_fail(why, status, "%s", own->sentence) : DPN_OK;
}

dpn_status dpn_budget_fill(dpn_record *record, const dpn_ledger_budget *budget, dpn_error *why) {
    dpn_filter filter; /* a plan that is not valid is refused before its text is made */
    *record = (dpn_record){.entry = {.kind = budget->of ? DPN_ENTRY_QUOTA : DPN_ENTRY_BUDGET,
                                     .relation = budget->relation,
                                     .unit = budget->unit}};
    dpn_status status = dpn_filter_terms_of(&record->filter, &budget->plan, why);
    if (!status) status = dpn_filter_begin(&filter, &record->filter, why);
    if (!status) status = dpn_entry_fill(&record->entry, budget->name, budget->user, NULL, why);
    if (!status && budget->of)
        status = dpn_text_check(budget->of, "the name of a data set", sizeof record->entry.of, false, why);
    return status;
}

/* The name of a budget itself, where it was called by an alias; a name that is unknown stays, to be refused. */
static void name_of(dpn_entry_fields *entry, const dpn_ledger *ledger, const char *called) {
    const dpn_set *set = dpn_book_find(&ledger->book, called);
    const char *name = set ? set->name : called;
    memcpy(entry->of, name, strlen(name) + 1);
}

dpn_status dpn_ledger_add_budget(dpn_head *head, dpn_ledger *ledger, const dpn_ledger_budget *budget, dpn_error *why) {
    dpn_error own;
    dpn_record record;
    dpn_status status = dpn_budget_fill(&record, budget, &own);
    if (!status) status = dpn_ledger_begin(ledger, true, &own);
    if (!status) {
        if (budget->of) name_of(&record.entry, ledger, budget->of);
        status = dpn_ledger_append(head, ledger, &record, NULL, &own);
    }
    return tell(why, status, &own);
}

dpn_status dpn_ledger_add_alias(dpn_head *head, dpn_ledger *ledger, const char *name, const char *of, const char *user,
                                dpn_error *why) {
    dpn_error own;
    dpn_record record = {.entry.kind = DPN_ENTRY_ALIAS};
    dpn_status status = dpn_text_check(of, "the name of a data set", sizeof record.entry.of, false, &own);
    if (!status) status = dpn_entry_fill(&record.entry, name, user, NULL, &own);
    if (!status) status = dpn_ledger_begin(ledger, true, &own);
    if (!status) {
        name_of(&record.entry, ledger, of);
        status = dpn_ledger_append(head, ledger, &record, NULL, &own);
    }
    return tell(why, status, &own);
}

dpn_status dpn_ledger_renew(dpn_head *head, dpn_ledger *ledger, const char *name, const char *user, const char *note,
                            dpn_error *why) {
    dpn_error own;
    dpn_record record = {.entry.kind = DPN_ENTRY_RENEWAL};
    dpn_status status = dpn_entry_fill(&record.entry, name, user, note, &own);
    if (!status) status = dpn_ledger_begin(ledger, true, &own);
    if (!status) {
        name_of(&record.entry, ledger, name);
        status = dpn_ledger_append(head, ledger, &record, NULL, &own);
    }
    return tell(why, status, &own);
}

/* ---- How they stand ---- */

static dpn_status fill_account(dpn_account *out, const dpn_set *set, dpn_error *why) {
    dpn_account account = {.relation = set->relation,
                           .unit = set->unit,
                           .periods = set->periods,
                           .version = set->cap ? set->cap->version : set->version};
    dpn_status status = dpn_filter_copy(&account.filter, &set->filter, why);
    if (status) return status;
    memcpy(account.name, set->name, sizeof account.name);
    if (set->cap) memcpy(account.of, set->cap->name, sizeof account.of);
    *out = account;
    return DPN_OK;
}

void dpn_account_free(dpn_account *account) {
    if (!account) return;
    dpn_filter_free(account->filter);
    account->filter = NULL;
}

dpn_status dpn_ledger_account(dpn_account *out, dpn_ledger *ledger, const char *name, dpn_error *why) {
    dpn_error own;
    dpn_status status = dpn_ledger_begin(ledger, false, &own);
    if (status) return tell(why, status, &own);
    dpn_ledger_end(ledger);
    const dpn_set *set = dpn_book_find(&ledger->book, name);
    if (!set) return dpn_fail(why, DPN_EDOMAIN, "there is no data set '%.100s' in the ledger", name);
    return fill_account(out, set, why);
}

dpn_status dpn_ledger_account_at(dpn_account *out, dpn_ledger *ledger, size_t place, dpn_error *why) {
    dpn_error own;
    dpn_status status = dpn_ledger_begin(ledger, false, &own);
    if (status) return tell(why, status, &own);
    dpn_ledger_end(ledger);
    for (size_t i = 0; i < ledger->book.names; i++) {
        if (ledger->book.name[i].alias || place-- > 0) continue;
        return fill_account(out, ledger->book.name[i].set, why);
    }
    return dpn_fail(why, DPN_EDOMAIN, "there are not so many data sets");
}

dpn_status dpn_ledger_count(size_t *budgets, dpn_head *head, dpn_ledger *ledger, dpn_error *why) {
    dpn_error own;
    dpn_status status = dpn_ledger_begin(ledger, false, &own);
    if (status) return tell(why, status, &own);
    dpn_ledger_end(ledger);
    size_t count = 0;
    for (size_t i = 0; i < ledger->book.names; i++) count += !ledger->book.name[i].alias;
    if (budgets) *budgets = count;
    if (head) *head = dpn_head_make(ledger->last, ledger->tag);
    return DPN_OK;
}

dpn_status dpn_ledger_next_alias(char out[DPN_LEDGER_NAME_SIZE], dpn_ledger *ledger, const char *budget,
                                 const char *after, dpn_error *why) {
    dpn_error own;
    dpn_status status = dpn_ledger_begin(ledger, false, &own);
    if (status) return tell(why, status, &own);
    dpn_ledger_end(ledger);
    const dpn_set *set = dpn_book_find(&ledger->book, budget);
    if (!set) return dpn_fail(why, DPN_EDOMAIN, "there is no data set '%.100s' in the ledger", budget);
    for (size_t i = 0; i < ledger->book.names; i++) {
        const dpn_book_name *name = &ledger->book.name[i];
        if (!name->alias || name->set != set || (after && strcmp(name->text, after) <= 0)) continue;
        memcpy(out, name->text, sizeof name->text);
        return DPN_OK;
    }
    out[0] = '\0';
    return DPN_OK;
}
