/* Charges: one, or several in one commit, with the sources that they are about. */
#include "ledger/ledger.h"

#include "base/error.h"

#include <dpnoise/convert.h>
#include <dpnoise/number.h>
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

/* ---- One charge of several ---- */

/* What becomes of a charge that was asked for. */
struct part {
    const dpn_ledger_charge *asked;
    const dpn_set *set;
    char *plan;
    size_t place;       /* among the entries of the commit */
    dpn_record *source; /* which data it is about, NULL if it does not say */
    char *source_text;
    dpn_record record;
};

static void begin_part(struct part *part, const dpn_ledger_charge *asked) {
    memset(part, 0, offsetof(struct part, record));
    dpn_record_clear(&part->record);
    part->asked = asked;
}

/* Its record; the name of the data set is filled in when the book is at hand. */
static dpn_status prepare_source(struct part *part, const dpn_ledger_source *source, dpn_error *why) {
    if (!source->text) return dpn_fail(why, DPN_EDOMAIN, "a source needs a text");
    part->source = calloc(1, sizeof *part->source);
    if (!part->source) return dpn_fail(why, DPN_ENOMEM, "out of memory");
    part->source->entry.kind = DPN_ENTRY_SOURCE;
    part->source->entry.version = source->version;
    memcpy(part->source->entry.user, part->record.entry.user, sizeof part->source->entry.user);
    dpn_status status = dpn_json_line(&part->source_text, source->text, "source", true, why);
    part->source->plan_text = part->source_text;
    return status;
}

static void free_part(struct part *part) {
    free(part->source);
    free(part->source_text);
    free(part->plan);
}

/* What needs no book: words, the plan on one line, the hash of the specification. */
static dpn_status prepare(struct part *part, dpn_error *why) {
    const dpn_ledger_charge *asked = part->asked;
    dpn_entry_fields *entry = &part->record.entry;
    entry->kind = DPN_ENTRY_CHARGE;
    dpn_status status = dpn_entry_fill(entry, asked->name, asked->user, asked->note, why);
    if (!status && asked->specification)
        status = dpn_hash(entry->specification, asked->specification, asked->specification_length, why);
    if (!status && asked->plan) status = dpn_json_line(&part->plan, asked->plan, "plan", false, why);
    part->record.plan_text = part->plan;
    if (!status && asked->source) status = prepare_source(part, asked->source, why);
    return status;
}

/* What needs it: whose budget it is, and the charge for its relation. */
static dpn_status complete(struct part *part, const dpn_book *book, dpn_error *why) {
    dpn_entry_fields *entry = &part->record.entry;
    const dpn_set *set = part->set = dpn_book_find(book, part->asked->name);
    if (!set) return dpn_fail(why, DPN_EDOMAIN, "there is no data set '%.100s' in the ledger", part->asked->name);
    if (part->source && set->cap)
        return dpn_fail(why, DPN_EDOMAIN, "a quota has no source: '%.80s', its data set, has", set->cap->name);
    dpn_status status = convert(&part->record, set, part->asked, why);
    for (size_t i = 0; !status && i < set->filter.plan.orders; i++)
        if (!(entry->charge.divergence[i] >= 0)) /* NaN has no text */
            status = dpn_fail(why, DPN_EDOMAIN, "the Renyi divergences of a charge must not be negative or NaN");
    if (status) return status;
    memcpy(entry->of, set->name, sizeof entry->of);
    if (part->source) memcpy(part->source->entry.name, set->name, sizeof part->source->entry.name);
    entry->relation = set->relation;
    entry->unit = set->unit;
    entry->orders = set->filter.plan.orders;
    return DPN_OK;
}

/* ---- Quotas ---- */

static struct part *part_of(struct part *parts, size_t count, const dpn_set *set) {
    for (size_t i = 0; i < count; i++)
        if (parts[i].set == set) return &parts[i];
    return NULL;
}

/* An answer is given again only if there is one. */
static dpn_status check_reuse(struct part *part, dpn_ledger *ledger, dpn_error *why) {
    bool has = false;
    uint64_t number = part->asked->reuse;
    dpn_status status = dpn_book_check_reuse(&ledger->book, part->set, number, part->record.entry.specification, why);
    if (!status) status = dpn_ledger_has_result(&has, ledger, number, why);
    if (!status && !has)
        status =
            dpn_fail(why, DPN_EDOMAIN, "entry %llu has no stored result to give again", (unsigned long long)number);
    part->record.entry.reuse = number;
    return status;
}

/* Which charge to the cap a quota's belongs to. */
static dpn_status join(struct part *part, struct part *parts, size_t count, dpn_ledger *ledger, dpn_error *why) {
    if (part_of(parts, count, part->set) != part)
        return dpn_fail(why, DPN_EDOMAIN, "two of the charges are to '%.80s'", part->set->name);
    bool with_cap = part->set->cap && part_of(parts, count, part->set->cap);
    if (part->asked->reuse && (!part->set->cap || with_cap))
        return dpn_fail(why, DPN_EDOMAIN,
                        "only a quota that is charged without its cap takes an answer of another charge");
    if (part->asked->reuse) return check_reuse(part, ledger, why);
    if (part->set->cap && !with_cap)
        return dpn_fail(why, DPN_EDOMAIN,
                        "'%.80s' is a quota of '%.80s': it is charged together with it (dpn_ledger_spend_all)",
                        part->set->name, part->set->cap->name);
    return DPN_OK;
}

/* A charge by itself, before anything is entered, so that a refusal leaves the book as it is. Of several the sentence says
 * which one it was. */
static dpn_status try(const struct part *part, bool several, dpn_error *why) {
    dpn_error own;
    dpn_filter filter = part->set->filter;
    const dpn_entry_fields *entry = &part->record.entry;
    dpn_status status = dpn_charge_check_worth(&entry->charge, entry->orders, &own);
    if (!status) status = dpn_filter_admit(&filter, &entry->charge, &own);
    if (!status) return DPN_OK;
    if (!several) return dpn_fail(why, status, "%s", own.sentence);
    char aside[DPN_DECIMAL_TEXT_SIZE];
    dpn_decimal kept = dpn_filter_spent(&part->set->filter).aside;
    bool some = status == DPN_EBUDGET && !dpn_decimal_is_zero(&kept);
    if (some && strlen(dpn_decimal_print(aside, &kept)) > 12) /* cut off, it would lose its exponent */
        dpn_number_print_down(aside, dpn_decimal_lower(&kept), 6);
    return dpn_fail(why, status, "%s '%.50s': %.105s%s%.12s%s", part->set->cap ? "the quota" : "the budget",
                    part->set->name, own.sentence, some ? "; delta " : "", some ? aside : "",
                    some ? " is set aside for Renyi sums (budget init --delta-renyi)" : "");
}

/* ---- All of them ---- */

/* The sources; a charge to a cap, then those of its quotas, which name its number; then what stands alone. */
static size_t put_in_order(dpn_record **record, struct part *parts, size_t count, uint64_t first) {
    size_t placed = 0;
    for (size_t i = 0; i < count; i++)
        if (parts[i].source) record[placed++] = parts[i].source;
    for (size_t i = 0; i < count; i++) {
        bool alone = !parts[i].set->cap || parts[i].asked->reuse;
        if (!alone) continue;
        uint64_t number = first + placed;
        parts[i].place = placed;
        record[placed++] = &parts[i].record;
        for (size_t q = 0; q < count; q++) {
            if (parts[q].set->cap != parts[i].set || parts[q].asked->reuse) continue;
            parts[q].record.entry.with = number;
            parts[q].place = placed;
            record[placed++] = &parts[q].record;
        }
    }
    return placed;
}

static dpn_status append_in_order(dpn_receipt *out, dpn_ledger *ledger, struct part *parts, size_t count,
                                  dpn_error *why) {
    size_t most = count;
    for (size_t i = 0; i < count; i++) most += parts[i].source != NULL;
    dpn_record **record = malloc(most * sizeof *record), *read = malloc(most * sizeof *read);
    dpn_head *head = calloc(most, sizeof *head);
    if (!record || !read || !head) {
        free(record);
        free(read);
        free(head);
        dpn_ledger_end(ledger);
        return dpn_fail(why, DPN_ENOMEM, "out of memory");
    }
    size_t records = put_in_order(record, parts, count, ledger->last + 1);
    dpn_status status = dpn_ledger_append_all(head, ledger, record, read, records, why);
    for (size_t i = 0; i < count && !status; i++) {
        const dpn_entry_fields *entry = &read[parts[i].place].entry;
        out[i] = (dpn_receipt){.head = head[parts[i].place], .converted = entry->converted, .charge = entry->charge};
    }
    free(record);
    free(read);
    free(head);
    return status;
}

static dpn_status spend(dpn_receipt *out, dpn_ledger *ledger, struct part *parts, size_t count, dpn_error *why) {
    dpn_status status = dpn_ledger_begin(ledger, true, why);
    if (status) return status;
    for (size_t i = 0; i < count && !status; i++) status = complete(&parts[i], &ledger->book, why);
    for (size_t i = 0; i < count && !status; i++) status = join(&parts[i], parts, count, ledger, why);
    for (size_t i = 0; i < count && !status; i++) {
        if (count > 1 || parts[i].source) status = try(&parts[i], count > 1, why);
        const dpn_ledger_source *source = parts[i].asked->source;
        if (!status && source) status = dpn_ledger_ask_admit(ledger, source->admit, source->context, why);
    }
    if (!status) return append_in_order(out, ledger, parts, count, why);
    dpn_ledger_end(ledger);
    return status;
}

dpn_status dpn_ledger_spend_all(dpn_receipt *out, dpn_ledger *ledger, const dpn_ledger_charge *charge, size_t charges,
                                dpn_error *why) {
    dpn_error own;
    if (charges == 0) return dpn_fail(why, DPN_EDOMAIN, "there is nothing to charge");
    struct part *parts = charges < SIZE_MAX / sizeof *parts ? malloc(charges * sizeof *parts) : NULL;
    if (!parts) return dpn_fail(why, DPN_ENOMEM, "out of memory");
    dpn_status status = DPN_OK;
    for (size_t i = 0; i < charges; i++) begin_part(&parts[i], &charge[i]);
    for (size_t i = 0; i < charges && !status; i++) status = prepare(&parts[i], &own);
    if (!status) status = spend(out, ledger, parts, charges, &own);
    for (size_t i = 0; i < charges; i++) free_part(&parts[i]);
    free(parts);
    return status ? dpn_fail(why, status, "%s", own.sentence) : DPN_OK;
}

dpn_status dpn_ledger_spend(dpn_receipt *out, dpn_ledger *ledger, const dpn_ledger_charge *charge, dpn_error *why) {
    return dpn_ledger_spend_all(out, ledger, charge, 1, why);
}

dpn_status dpn_ledger_find_charge(uint64_t *number, dpn_ledger *ledger, const char *name, const char *specification,
                                  size_t specification_length, dpn_error *why) {
    dpn_error own;
    char hash[65];
    dpn_status status = dpn_hash(hash, specification, specification_length, &own);
    if (!status) status = dpn_ledger_begin(ledger, false, &own);
    if (status) return dpn_fail(why, status, "%s", own.sentence);
    dpn_ledger_end(ledger);
    const dpn_set *set = dpn_book_find(&ledger->book, name);
    if (!set) return dpn_fail(why, DPN_EDOMAIN, "there is no data set '%.100s' in the ledger", name);
    const dpn_book_charge *charge = dpn_book_charge_for(&ledger->book, set, hash);
    *number = charge ? charge->number : 0;
    return DPN_OK;
}
