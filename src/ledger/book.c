/* What the entries add up to. */
#include "ledger/book.h"

#include "base/error.h"

#include <stdlib.h>
#include <string.h>

void dpn_book_free(dpn_book *book) {
    for (size_t i = 0; i < book->names; i++)
        if (!book->name[i].alias) free(book->name[i].set);
    free(book->name);
    free(book->charge);
    free(book->source);
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

dpn_status dpn_book_add_name(dpn_book *book, const char *name, bool alias, dpn_set *set, dpn_error *why) {
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

dpn_status dpn_book_enter(dpn_book *book, const dpn_record *record, uint64_t number, dpn_error *why) {
    if (book->begun == (record->entry.kind == DPN_ENTRY_LEDGER))
        return dpn_fail(why, DPN_EDOMAIN, "a ledger begins with the entry 'ledger', once");
    if (record->entry.kind == DPN_ENTRY_CHARGE) return dpn_book_enter_charge(book, record, number, why);
    if (record->entry.kind != DPN_ENTRY_LEDGER) return dpn_book_enter_set(book, record, number, why);
    book->begun = true;
    memcpy(book->identity, record->identity, sizeof book->identity);
    return DPN_OK;
}
