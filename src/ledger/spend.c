/* A charge. */
#include "ledger/ledger.h"

#include "base/error.h"
#include "base/text/excerpt.h"
#include "base/text/json.h"

#include <dpnoise/convert.h>
#include <stdlib.h>
#include <string.h>

/* ---- Relations and units ---- */

/* The group of two: a row is replaced by removing it and adding another. docs/proofs/privacy/convert.md. */
static dpn_status two_steps(dpn_charge *out, const dpn_set *set, const dpn_charge *charge, dpn_error *why) {
    dpn_decimal epsilon, delta = {{0}};
    dpn_conversion step;
    dpn_status status = dpn_decimal_add(&epsilon, &charge->epsilon, &charge->epsilon, why);
    if (!status && !dpn_decimal_is_zero(&charge->delta)) {
        dpn_guarantee one = {.notion = DPN_APPROXIMATE,
                             .epsilon = dpn_decimal_upper(&charge->epsilon),
                             .delta = dpn_decimal_upper(&charge->delta)};
        status = dpn_convert_to_replace(&step, &one, why);
        if (!status) status = dpn_decimal_from_upper(&delta, step.guarantee.delta, why);
    }
    if (!status) *out = dpn_charge_pure(&set->filter, &epsilon, &delta);
    return status;
}

static dpn_status convert(dpn_record *record, const dpn_set *set, const dpn_ledger_charge *asked, dpn_error *why) {
    dpn_entry_fields *entry = &record->entry;
    if (asked->unit != set->unit)
        return dpn_fail(why, DPN_EDOMAIN,
                        "the charge protects a %s and the budget of '%.80s' a %s; that is not converted",
                        dpn_unit_name(asked->unit), set->name, dpn_unit_name(set->unit));
    entry->charge = asked->charge;
    if (asked->relation == set->relation) return DPN_OK;
    if (set->relation == DPN_ADD_REMOVE)
        return dpn_fail(why, DPN_EDOMAIN,
                        "the charge holds for replace and the budget of '%.80s' for add-remove; the one does not give "
                        "the other",
                        set->name);
    if (!asked->charge.pure)
        return dpn_fail(why, DPN_EDOMAIN,
                        "the charge holds for add-remove, the budget of '%.80s' for replace, and only charges that are "
                        "pure are converted",
                        set->name);
    entry->converted = true;
    record->asked = asked->charge;
    return two_steps(&entry->charge, set, &asked->charge, why);
}

/* ---- What is recorded besides ---- */

/* A copy of the plan on one line. Line breaks of JSON lie between its values only, where a blank does as well. */
static dpn_status copy_plan(char **out, const char *plan, dpn_error *why) {
    dpn_json json;
    size_t length = strlen(plan);
    if (length >= DPN_LEDGER_PLAN_SIZE)
        return dpn_fail(why, DPN_EDOMAIN, "the plan has more than %d bytes", DPN_LEDGER_PLAN_SIZE - 1);
    dpn_status status = dpn_json_read(&json, plan, length, why);
    if (status) return status;
    dpn_json_free(&json);
    char *copy = malloc(length + 1);
    if (!copy) return dpn_fail(why, DPN_ENOMEM, "out of memory");
    for (size_t i = 0; i <= length; i++) copy[i] = plan[i] == '\n' || plan[i] == '\r' ? ' ' : plan[i];
    *out = copy;
    return DPN_OK;
}

static dpn_status fill_in(dpn_record *record, const dpn_ledger_charge *asked, dpn_error *why) {
    dpn_entry_fields *entry = &record->entry;
    dpn_status status = dpn_text_check(asked->name, "the name of a data set", sizeof entry->name, false, why);
    if (!status && asked->user)
        status = dpn_text_check(asked->user, "the name of the user", sizeof entry->user, true, why);
    if (!status && asked->note) status = dpn_text_check(asked->note, "the note", sizeof entry->note, true, why);
    if (status) return status;
    memcpy(entry->name, asked->name, strlen(asked->name) + 1);
    if (asked->user) memcpy(entry->user, asked->user, strlen(asked->user) + 1);
    if (asked->note) memcpy(entry->note, asked->note, strlen(asked->note) + 1);
    if (asked->specification)
        status = dpn_hash(entry->specification, asked->specification, asked->specification_length, why);
    return status;
}

/* ---- The charge ---- */

static dpn_status spend(dpn_receipt *out, dpn_ledger *ledger, const dpn_ledger_charge *asked, dpn_record *record,
                        dpn_error *why) {
    dpn_record read;
    dpn_head head;
    const dpn_set *set = dpn_book_find(&ledger->book, asked->name);
    dpn_status status = DPN_OK;
    if (!set) status = dpn_fail(why, DPN_EDOMAIN, "there is no data set '%.100s' in the ledger", asked->name);
    if (!status) status = convert(record, set, asked, why);
    for (size_t i = 0; !status && i < set->filter.plan.orders; i++)
        if (!(record->entry.charge.divergence[i] >= 0)) /* NaN has no text */
            status = dpn_fail(why, DPN_EDOMAIN, "the Renyi divergences of a charge must not be negative or NaN");
    if (status) {
        dpn_ledger_end(ledger);
        return status;
    }
    memcpy(record->entry.of, set->name, sizeof record->entry.of);
    record->entry.relation = set->relation;
    record->entry.unit = set->unit;
    record->entry.orders = set->filter.plan.orders;
    status = dpn_ledger_append(&head, ledger, record, &read, why);
    if (status) return status;
    *out = (dpn_receipt){.head = head, .converted = read.entry.converted, .charge = read.entry.charge};
    return DPN_OK;
}

dpn_status dpn_ledger_spend(dpn_receipt *out, dpn_ledger *ledger, const dpn_ledger_charge *charge, dpn_error *why) {
    dpn_error own;
    dpn_record record = {.entry.kind = DPN_ENTRY_CHARGE};
    char *plan = NULL;
    dpn_status status = fill_in(&record, charge, &own);
    if (!status && charge->plan) status = copy_plan(&plan, charge->plan, &own);
    record.plan_text = plan;
    if (!status) status = dpn_ledger_begin(ledger, true, &own);
    if (!status) status = spend(out, ledger, charge, &record, &own);
    free(plan);
    return status ? dpn_fail(why, status, "%s", own.sentence) : DPN_OK;
}
