/* What the entries add up to: data sets, their other names, their quotas, registrations, sources and periods. */
#include "ledger/book.h"

#include "base/decimal.h"
#include "base/error.h"

#include <float.h>
#include <stdlib.h>
#include <string.h>

/* No less than the smallest normal double. That double has hundreds of digits, and writing them out would be most of what
 * an opening does: amounts that people spend are far above. */
static bool is_normal(const dpn_decimal *amount) {
    return dpn_decimal_reaches(amount, 300) || dpn_decimal_lower(amount) >= DBL_MIN;
}

dpn_status dpn_amount_check(const dpn_decimal *amount, const char *what, bool may_be_zero, dpn_error *why) {
    if (dpn_decimal_is_zero(amount))
        return may_be_zero ? DPN_OK : dpn_fail(why, DPN_EDOMAIN, "%s must be more than 0", what);
    if (!is_normal(amount))
        return dpn_fail(why, DPN_EDOMAIN, "%s is below the smallest normal double, about 2.2e-308", what);
    return DPN_OK;
}

static dpn_status unknown(const char *name, dpn_error *why) {
    return dpn_fail(why, DPN_EDOMAIN, "there is no data set '%.100s'", name);
}

/* A quota counts the same neighbours as its cap, so that one release is one charge to both. */
static dpn_status find_cap(dpn_set **out, const dpn_book *book, const dpn_entry_fields *entry, dpn_error *why) {
    dpn_set *cap = dpn_book_find(book, entry->of);
    if (!cap || strcmp(cap->name, entry->of) != 0) return unknown(entry->of, why);
    if (cap->cap)
        return dpn_fail(why, DPN_EDOMAIN, "'%.80s' is a quota of '%.80s' itself; a quota has none", cap->name,
                        cap->cap->name);
    if (cap->relation != entry->relation || cap->unit != entry->unit)
        return dpn_fail(why, DPN_EDOMAIN, "a quota has the relation and unit of its cap: '%.80s' is for %s of one %s",
                        cap->name, dpn_relation_name(cap->relation), dpn_unit_name(cap->unit));
    *out = cap;
    return DPN_OK;
}

static dpn_status enter_budget(dpn_book *book, const dpn_record *record, dpn_error *why) {
    dpn_set *set = calloc(1, sizeof *set);
    if (!set) return dpn_fail(why, DPN_ENOMEM, "out of memory");
    memcpy(set->name, record->entry.name, sizeof set->name);
    set->relation = record->entry.relation;
    set->unit = record->entry.unit;
    set->periods = 1;
    dpn_status status = DPN_OK;
    if (record->entry.kind == DPN_ENTRY_QUOTA) status = find_cap(&set->cap, book, &record->entry, why);
    if (!status) status = dpn_amount_check(&record->filter.epsilon, "epsilon", false, why);
    if (!status) status = dpn_amount_check(&record->filter.delta, "delta", true, why);
    if (!status) status = dpn_filter_begin(&set->filter, &record->filter, why);
    if (!status) status = dpn_book_add_name(book, set->name, false, set, why);
    if (status) free(set);
    return status;
}

static dpn_status enter_alias(dpn_book *book, const dpn_record *record, dpn_error *why) {
    dpn_set *set = dpn_book_find(book, record->entry.of);
    return set ? dpn_book_add_name(book, record->entry.name, true, set, why) : unknown(record->entry.of, why);
}

static dpn_status enter_registration(dpn_book *book, const dpn_entry_fields *entry, uint64_t number, dpn_error *why) {
    dpn_set *set = dpn_book_find(book, entry->name);
    if (!set) return unknown(entry->name, why);
    if (set->cap || strcmp(set->name, entry->name) != 0)
        return dpn_fail(why, DPN_EDOMAIN, "'%.80s' is %s of '%.80s': register that", entry->name,
                        set->cap ? "a quota" : "another name", set->cap ? set->cap->name : set->name);
    uint64_t least = set->version ? set->version : 1;
    if (entry->version < least || entry->version > set->version + 1)
        return dpn_fail(why, DPN_EDOMAIN, "the version of the registration of '%.80s' must be %llu%s", set->name,
                        (unsigned long long)least, set->version ? " or one more" : "");
    set->version = entry->version;
    set->registration = number;
    return DPN_OK;
}

/* Of registered data the registration tells where they are; beside it stands what was made of them elsewhere, with its version. */
static dpn_status enter_source(dpn_book *book, const dpn_entry_fields *entry, uint64_t number, dpn_error *why) {
    const dpn_set *set = dpn_book_find(book, entry->name);
    if (!set || set->cap || strcmp(set->name, entry->name) != 0) return unknown(entry->name, why);
    if (set->version > 0 && entry->version == 0)
        return dpn_fail(why, DPN_EDOMAIN, "'%.80s' is registered, which says where its data are", set->name);
    if (entry->version != set->version)
        return dpn_fail(why, DPN_EDOMAIN, "'%.80s' has no registration of version %llu in force", set->name,
                        (unsigned long long)entry->version);
    if (book->sources == book->source_room) {
        size_t room = 2 * book->source_room + 8;
        dpn_book_source *larger = realloc(book->source, room * sizeof *larger);
        if (!larger) return dpn_fail(why, DPN_ENOMEM, "out of memory");
        book->source = larger;
        book->source_room = room;
    }
    book->source[book->sources++] = (dpn_book_source){number, set};
    return DPN_OK;
}

/* The same plan, and nothing spent. */
static dpn_status enter_renewal(dpn_book *book, const dpn_entry_fields *entry, dpn_error *why) {
    dpn_set *set = dpn_book_find(book, entry->name);
    if (!set || strcmp(set->name, entry->of) != 0) return unknown(entry->name, why);
    if (!entry->note[0]) return dpn_fail(why, DPN_EDOMAIN, "a renewal needs a note that says why");
    dpn_filter_terms plan = set->filter.plan;
    dpn_status status = dpn_filter_begin(&set->filter, &plan, why);
    if (!status) set->periods++;
    return status;
}

dpn_status dpn_book_enter_set(dpn_book *book, const dpn_record *record, uint64_t number, dpn_error *why) {
    dpn_status status = DPN_EDOMAIN;
    switch (record->entry.kind) {
    case DPN_ENTRY_BUDGET:
    case DPN_ENTRY_QUOTA:
        status = enter_budget(book, record, why);
        break;
    case DPN_ENTRY_ALIAS:
        status = enter_alias(book, record, why);
        break;
    case DPN_ENTRY_REGISTRATION:
        status = enter_registration(book, &record->entry, number, why);
        break;
    case DPN_ENTRY_RENEWAL:
        status = enter_renewal(book, &record->entry, why);
        break;
    case DPN_ENTRY_SOURCE:
        status = enter_source(book, &record->entry, number, why);
        break;
    case DPN_ENTRY_LEDGER:
    case DPN_ENTRY_CHARGE:
        return dpn_fail(why, DPN_EDOMAIN, "the entry is not about a data set");
    }
    if (!status) book->joint = 0; /* what follows belongs to no charge */
    return status;
}
