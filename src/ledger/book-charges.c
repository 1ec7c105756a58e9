/* What the entries add up to: charges, each admitted by the filter of its budget. */
#include "ledger/book.h"

#include "base/decimal.h"
#include "base/error.h"
#include "base/text/hex.h"

#include <stdlib.h>
#include <string.h>

/* ---- Charges that have a specification ---- */

const dpn_book_charge *dpn_book_charge_at(const dpn_book *book, uint64_t number) {
    size_t low = 0, high = book->charges;
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        if (book->charge[middle].number < number)
            low = middle + 1;
        else
            high = middle;
    }
    return low < book->charges && book->charge[low].number == number ? &book->charge[low] : NULL;
}

const dpn_book_charge *dpn_book_charge_for(const dpn_book *book, const dpn_set *set, const char *hash) {
    unsigned char bytes[32];
    if (!dpn_hex_read(bytes, sizeof bytes, hash, strlen(hash))) return NULL;
    for (size_t i = book->charges; i-- > 0;)
        if (book->charge[i].set == set && memcmp(book->charge[i].hash, bytes, sizeof bytes) == 0)
            return &book->charge[i];
    return NULL;
}

/* Room for one more, so that noting it cannot fail. */
static dpn_status make_room(dpn_book *book, dpn_error *why) {
    if (book->charges < book->charge_room) return DPN_OK;
    size_t room = 2 * book->charge_room + 64;
    dpn_book_charge *larger = realloc(book->charge, room * sizeof *larger);
    if (!larger) return dpn_fail(why, DPN_ENOMEM, "out of memory");
    book->charge = larger;
    book->charge_room = room;
    return DPN_OK;
}

static dpn_status read_hash(dpn_book_charge *out, const char *hash, dpn_error *why) {
    return dpn_hex_read(out->hash, sizeof out->hash, hash, strlen(hash))
               ? DPN_OK
               : dpn_fail(why, DPN_EDOMAIN, "the specification of a charge is no SHA-256");
}

/* ---- Quotas ---- */

dpn_status dpn_book_check_reuse(const dpn_book *book, const dpn_set *quota, uint64_t number, const char *hash,
                                dpn_error *why) {
    dpn_book_charge wanted;
    const dpn_book_charge *paid = dpn_book_charge_at(book, number);
    if (!paid || paid->set != quota->cap || read_hash(&wanted, hash, why) ||
        memcmp(paid->hash, wanted.hash, sizeof wanted.hash) != 0)
        return dpn_fail(why, DPN_EDOMAIN, "entry %llu is not a charge to '%.80s' for the same specification",
                        (unsigned long long)number, quota->cap->name);
    return DPN_OK;
}

/* A quota is charged right after its cap, for the same release, or for an answer that its cap has paid for. */
static dpn_status check_quota(const dpn_book *book, const dpn_set *set, const dpn_entry_fields *entry, dpn_error *why) {
    if (!set->cap)
        return entry->with || entry->reuse
                   ? dpn_fail(why, DPN_EDOMAIN, "'%.80s' is not a quota, and its charge stands alone", set->name)
                   : DPN_OK;
    if (entry->with && entry->reuse) return dpn_fail(why, DPN_EDOMAIN, "a charge has one charge to the cap, not two");
    if (entry->reuse) return dpn_book_check_reuse(book, set, entry->reuse, entry->specification, why);
    if (!entry->with || entry->with != book->joint || book->joint_set != set->cap)
        return dpn_fail(why, DPN_EDOMAIN, "'%.80s' is a quota: it is charged together with '%.80s'", set->name,
                        set->cap->name);
    return DPN_OK;
}

/* ---- The charge ---- */

/* A charge of nothing would be an answer for nothing. */
dpn_status dpn_charge_check_worth(const dpn_charge *charge, size_t orders, dpn_error *why) {
    dpn_status status = dpn_amount_check(&charge->delta, "delta", true, why);
    if (!status && dpn_decimal_reaches(&charge->delta, 0))
        status = dpn_fail(why, DPN_EDOMAIN, "delta must be less than 1");
    if (status || charge->pure) return status ? status : dpn_amount_check(&charge->epsilon, "epsilon", false, why);
    for (size_t i = 0; i < orders; i++)
        if (!(charge->divergence[i] == 0)) return DPN_OK;
    return orders ? dpn_fail(why, DPN_EDOMAIN, "a charge must be more than nothing") : DPN_OK;
}

dpn_status dpn_book_enter_charge(dpn_book *book, const dpn_record *record, uint64_t number, dpn_error *why) {
    const dpn_entry_fields *entry = &record->entry;
    dpn_set *set = dpn_book_find(book, entry->name);
    if (!set || strcmp(set->name, entry->of) != 0)
        return dpn_fail(why, DPN_EDOMAIN, "there is no data set '%.100s'", entry->name);
    if (entry->orders != set->filter.plan.orders || entry->relation != set->relation || entry->unit != set->unit)
        return dpn_fail(why, DPN_EDOMAIN, "the charge is not made for the budget '%.100s'", set->name);
    dpn_book_charge noted = {.number = number, .set = set};
    dpn_status status = dpn_charge_check_worth(&entry->charge, entry->orders, why);
    if (!status) status = check_quota(book, set, entry, why);
    if (!status && entry->specification[0]) status = read_hash(&noted, entry->specification, why);
    if (!status && entry->specification[0]) status = make_room(book, why);
    if (!status) status = dpn_filter_admit(&set->filter, &entry->charge, why);
    if (status) return status;
    if (entry->specification[0]) book->charge[book->charges++] = noted;
    if (!set->cap) {
        book->joint = number;
        book->joint_set = set;
    } else if (entry->reuse) {
        book->joint = 0;
    }
    return DPN_OK;
}
