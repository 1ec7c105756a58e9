/* What the entries add up to. */
#include "ledger/book.h"

#include "base/error.h"

#include <float.h>
#include <stdlib.h>
#include <string.h>

void dpn_book_free(dpn_book *book) {
    for (size_t i = 0; i < book->names; i++)
        if (!book->name[i].alias) free(book->name[i].set);
    free(book->name);
    *book = (dpn_book){0};
}

/* The place of a name, or where it would be. */
static size_t place_of(const dpn_book *book, const char *name) {
    size_t low = 0, high = book->names;
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        if (strcmp(book->name[middle].text, name) < 0)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

static bool known(const dpn_book *book, size_t place, const char *name) {
    return place < book->names && strcmp(book->name[place].text, name) == 0;
}

dpn_set *dpn_book_find(const dpn_book *book, const char *name) {
    size_t place = place_of(book, name);
    return known(book, place, name) ? book->name[place].set : NULL;
}

static dpn_status add_name(dpn_book *book, const char *name, bool alias, dpn_set *set, dpn_error *why) {
    size_t place = place_of(book, name);
    if (known(book, place, name))
        return dpn_fail(why, DPN_EDOMAIN, "there is a data set '%.100s' already; what was fixed for it stays", name);
    if (book->names == book->room) {
        size_t room = 2 * book->room + 8;
        dpn_book_name *larger = realloc(book->name, room * sizeof *larger);
        if (!larger) return dpn_fail(why, DPN_ENOMEM, "out of memory");
        book->name = larger;
        book->room = room;
    }
    memmove(&book->name[place + 1], &book->name[place], (book->names - place) * sizeof *book->name);
    book->name[place] = (dpn_book_name){.alias = alias, .set = set};
    memcpy(book->name[place].text, name, strlen(name) + 1);
    book->names++;
    return DPN_OK;
}

/* No less than the smallest normal double. That double has hundreds of digits, and writing them out would be most of what
 * an opening does: amounts that people spend are far above. */
static bool is_normal(const dpn_decimal *amount) {
    dpn_decimal above;
    if (!dpn_decimal_parse(&above, "1e-300", NULL) && dpn_decimal_compare(amount, &above) >= 0) return true;
    return dpn_decimal_lower(amount) >= DBL_MIN;
}

dpn_status dpn_amount_check(const dpn_decimal *amount, const char *what, bool may_be_zero, dpn_error *why) {
    if (dpn_decimal_is_zero(amount))
        return may_be_zero ? DPN_OK : dpn_fail(why, DPN_EDOMAIN, "%s must be more than 0", what);
    if (!is_normal(amount))
        return dpn_fail(why, DPN_EDOMAIN, "%s is below the smallest normal double, about 2.2e-308", what);
    return DPN_OK;
}

static dpn_status enter_budget(dpn_book *book, const dpn_record *record, dpn_error *why) {
    dpn_set *set = calloc(1, sizeof *set);
    if (!set) return dpn_fail(why, DPN_ENOMEM, "out of memory");
    memcpy(set->name, record->entry.name, sizeof set->name);
    set->relation = record->entry.relation;
    set->unit = record->entry.unit;
    dpn_status status = dpn_amount_check(&record->filter.epsilon, "epsilon", false, why);
    if (!status) status = dpn_amount_check(&record->filter.delta, "delta", true, why);
    if (!status) status = dpn_filter_begin(&set->filter, &record->filter, why);
    if (!status) status = add_name(book, set->name, false, set, why);
    if (status) free(set);
    return status;
}

static dpn_status enter_alias(dpn_book *book, const dpn_record *record, dpn_error *why) {
    dpn_set *set = dpn_book_find(book, record->entry.of);
    if (!set) return dpn_fail(why, DPN_EDOMAIN, "there is no data set '%.100s'", record->entry.of);
    return add_name(book, record->entry.name, true, set, why);
}

/* A charge of nothing would be an answer for nothing. */
static dpn_status check_worth(const dpn_charge *charge, size_t orders, dpn_error *why) {
    dpn_decimal one;
    dpn_status status = dpn_decimal_parse(&one, "1", why);
    if (!status) status = dpn_amount_check(&charge->delta, "delta", true, why);
    if (!status && dpn_decimal_compare(&charge->delta, &one) >= 0)
        status = dpn_fail(why, DPN_EDOMAIN, "delta must be less than 1");
    if (status || charge->pure) return status ? status : dpn_amount_check(&charge->epsilon, "epsilon", false, why);
    for (size_t i = 0; i < orders; i++)
        if (!(charge->divergence[i] == 0)) return DPN_OK;
    return orders ? dpn_fail(why, DPN_EDOMAIN, "a charge must be more than nothing") : DPN_OK;
}

static dpn_status enter_charge(dpn_book *book, const dpn_record *record, dpn_error *why) {
    const dpn_entry_fields *entry = &record->entry;
    dpn_set *set = dpn_book_find(book, entry->name);
    if (!set || strcmp(set->name, entry->of) != 0)
        return dpn_fail(why, DPN_EDOMAIN, "there is no data set '%.100s'", entry->name);
    if (entry->orders != set->filter.plan.orders || entry->relation != set->relation || entry->unit != set->unit)
        return dpn_fail(why, DPN_EDOMAIN, "the charge is not made for the budget '%.100s'", set->name);
    dpn_status status = check_worth(&entry->charge, entry->orders, why);
    return status ? status : dpn_filter_admit(&set->filter, &entry->charge, why);
}

dpn_status dpn_book_enter(dpn_book *book, const dpn_record *record, dpn_error *why) {
    if (book->begun == (record->entry.kind == DPN_ENTRY_LEDGER))
        return dpn_fail(why, DPN_EDOMAIN, "a ledger begins with the entry 'ledger', once");
    switch (record->entry.kind) {
    case DPN_ENTRY_LEDGER:
        book->begun = true;
        memcpy(book->identity, record->identity, sizeof book->identity);
        return DPN_OK;
    case DPN_ENTRY_BUDGET:
        return enter_budget(book, record, why);
    case DPN_ENTRY_ALIAS:
        return enter_alias(book, record, why);
    case DPN_ENTRY_CHARGE:
        return enter_charge(book, record, why);
    }
    return dpn_fail(why, DPN_EDOMAIN, "there is no such kind of entry");
}
