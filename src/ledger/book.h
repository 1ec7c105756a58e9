/* What the entries of a ledger add up to: budgets, their names and their filters. */
#ifndef DPN_LEDGER_BOOK_H
#define DPN_LEDGER_BOOK_H

#include "ledger/record.h"

typedef struct dpn_set {
    char name[DPN_LEDGER_NAME_SIZE];
    dpn_relation relation;
    dpn_unit unit;
    dpn_filter filter;
    struct dpn_set *cap;            /* of a quota; NULL: it is none */
    uint64_t periods;               /* 1, and one for each renewal */
    uint64_t version, registration; /* of the registration in force, and the number of its entry; 0: none */
} dpn_set;

typedef struct dpn_book_name {
    char text[DPN_LEDGER_NAME_SIZE];
    bool alias;
    dpn_set *set;
} dpn_book_name;

/* Data that a budget is charged for, in the entry of that number. */
typedef struct dpn_book_source {
    uint64_t number;
    const dpn_set *set;
} dpn_book_source;

/* A charge that has a specification. */
typedef struct dpn_book_charge {
    uint64_t number;
    const dpn_set *set;
    unsigned char hash[32];
} dpn_book_charge;

/* Zero-initialise for an empty one. */
typedef struct dpn_book {
    bool begun;
    char identity[DPN_IDENTITY_SIZE];
    dpn_book_name *name; /* in the order of strcmp */
    size_t names, room;
    dpn_book_source *source; /* in the order of their numbers */
    size_t sources, source_room;
    dpn_book_charge *charge; /* in the order of their numbers */
    size_t charges, charge_room;
    uint64_t joint;           /* the number of a charge to a cap that the entry before was, or belongs to; 0: none */
    const dpn_set *joint_set; /* whose */
} dpn_book;

void dpn_book_free(dpn_book *book);

/* NULL if the name is unknown. */
dpn_set *dpn_book_find(const dpn_book *book, const char *name);

/* The latest charge to a budget for the hash of a specification, in hexadecimal; the charge of a number; NULL if there is
 * none. */
const dpn_book_charge *dpn_book_charge_for(const dpn_book *book, const dpn_set *set, const char *hash);
const dpn_book_charge *dpn_book_charge_at(const dpn_book *book, uint64_t number);

/* That a charge to a quota may stand without one to its cap: the number is that of a charge to the cap for the same
 * specification.
 * Errors   DPN_EDOMAIN. */
dpn_status dpn_book_check_reuse(const dpn_book *book, const dpn_set *quota, uint64_t number, const char *hash,
                                dpn_error *why);

/* Enter a record as the entry of that number. The one way in, for new entries and for old ones.
 * Errors   DPN_EBUDGET for a charge that does not fit, DPN_EDOMAIN for one that is not a charge, for names that are taken or
 *          unknown and for budgets that are none; DPN_ENOMEM. Then the book is as before. */
dpn_status dpn_book_enter(dpn_book *book, const dpn_record *record, uint64_t number, dpn_error *why);

/* Its parts: a new name for a set; budgets, quotas, aliases, registrations, sources and renewals (book-sets.c); charges
 * (book-charges.c). The book gets the set.
 * Errors   as above. */
dpn_status dpn_book_add_name(dpn_book *book, const char *name, bool alias, dpn_set *set, dpn_error *why);
dpn_status dpn_book_enter_set(dpn_book *book, const dpn_record *record, uint64_t number, dpn_error *why);
dpn_status dpn_book_enter_charge(dpn_book *book, const dpn_record *record, uint64_t number, dpn_error *why);

/* Whether an amount may be counted: not 0 (unless that is allowed), and no less than the smallest normal double.
 * Errors   DPN_EDOMAIN. */
dpn_status dpn_amount_check(const dpn_decimal *amount, const char *what, bool may_be_zero, dpn_error *why);

/* Whether a charge is more than nothing, and one that may be counted.
 * Errors   DPN_EDOMAIN. */
dpn_status dpn_charge_check_worth(const dpn_charge *charge, size_t orders, dpn_error *why);

#endif
