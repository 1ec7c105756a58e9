/* What the entries of a ledger add up to: budgets, their names and their filters. */
#ifndef DPN_LEDGER_BOOK_H
#define DPN_LEDGER_BOOK_H

#include "ledger/record.h"

typedef struct dpn_set {
    char name[DPN_LEDGER_NAME_SIZE];
    dpn_relation relation;
    dpn_unit unit;
    dpn_filter filter;
} dpn_set;

typedef struct dpn_book_name {
    char text[DPN_LEDGER_NAME_SIZE];
    bool alias;
    dpn_set *set;
} dpn_book_name;

/* Zero-initialise for an empty one. */
typedef struct dpn_book {
    bool begun;
    char identity[DPN_IDENTITY_SIZE];
    dpn_book_name *name; /* in the order of strcmp */
    size_t names, room;
} dpn_book;

void dpn_book_free(dpn_book *book);

/* NULL if the name is unknown. */
dpn_set *dpn_book_find(const dpn_book *book, const char *name);

/* Enter a record. The one way in, for new entries and for old ones.
 * Errors   DPN_EBUDGET for a charge that does not fit, DPN_EDOMAIN for one that is not a charge, for names that are taken or
 *          unknown and for budgets that are none; DPN_ENOMEM. Then the book is as before. */
dpn_status dpn_book_enter(dpn_book *book, const dpn_record *record, dpn_error *why);

/* Whether an amount may be counted: not 0 (unless that is allowed), and no less than the smallest normal double.
 * Errors   DPN_EDOMAIN. */
dpn_status dpn_amount_check(const dpn_decimal *amount, const char *what, bool may_be_zero, dpn_error *why);

#endif
