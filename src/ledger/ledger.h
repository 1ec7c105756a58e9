/* A ledger that is open: its file, its chain, and the book that its entries add up to. */
#ifndef DPN_LEDGER_LEDGER_H
#define DPN_LEDGER_LEDGER_H

#include "ledger/book.h"
#include "ledger/chain.h"
#include "ledger/store.h"

struct dpn_ledger {
    dpn_store store;
    dpn_chain *chain;
    dpn_book book;
    uint64_t last;                   /* the number of the last entry that is in the book, 0: none */
    unsigned char tag[DPN_TAG_SIZE]; /* its tag, all zero before the first */
    uint32_t version;                /* of the file when the book was last up to date, 0: not known */
    bool stale;                      /* the book may hold what the file does not: it is made anew */
    long process;                    /* which opened it; 0: nobody has */
};

/* Begin a transaction and bring the book up to date with the file. On success dpn_ledger_end or dpn_ledger_append must
 * follow.
 * Errors   DPN_EIO, DPN_ENOMEM. */
dpn_status dpn_ledger_begin(dpn_ledger *ledger, bool write, dpn_error *why);

/* End a transaction in which nothing was written. */
void dpn_ledger_end(dpn_ledger *ledger);

/* Enter a record as the next entry and commit: when this returns DPN_OK it is durable. Ends the transaction, whatever
 * happens. The time is filled in. `read` (if not NULL) becomes the record as it was read back.
 * Errors   DPN_EBUDGET, DPN_EDOMAIN, DPN_EPARSE: nothing was recorded. DPN_EIO: unknown. DPN_ENOMEM: unknown. */
dpn_status dpn_ledger_append(dpn_head *head, dpn_ledger *ledger, dpn_record *record, dpn_record *read, dpn_error *why);

/* Several, in one commit; head and read (if not NULL) have a place for each, and head is undefined after an error. */
dpn_status dpn_ledger_append_all(dpn_head *head, dpn_ledger *ledger, dpn_record *const *record, dpn_record *read,
                                 size_t records, dpn_error *why);

/* The words of an entry, checked; user and note may be NULL. A JSON text on one line, to be freed.
 * Errors   DPN_EDOMAIN, DPN_EPARSE, DPN_ENOMEM. */
dpn_status dpn_entry_fill(dpn_entry_fields *entry, const char *name, const char *user, const char *note,
                          dpn_error *why);
dpn_status dpn_json_line(char **out, const char *text, const char *what, bool object, dpn_error *why);

/* Ask about every source and registration in force, within a transaction; `admit` may be NULL.
 * Errors   those of admit; DPN_EIO, DPN_ENOMEM. */
dpn_status dpn_ledger_ask_admit(dpn_ledger *ledger, dpn_ledger_admit admit, void *context, dpn_error *why);

/* The text of others in the entry of that number, to be freed, within a transaction.
 * Errors   DPN_EIO, DPN_ENOMEM. */
dpn_status dpn_ledger_fetch_text(char **text, size_t *length, dpn_ledger *ledger, uint64_t number, dpn_error *why);

/* Whether an entry has a stored result, within a transaction.
 * Errors   DPN_EIO, DPN_ENOMEM. */
dpn_status dpn_ledger_has_result(bool *has, dpn_ledger *ledger, uint64_t number, dpn_error *why);

/* The record of a budget, or quota, as a caller asks for it. The cap's own name is filled in when the book is at hand.
 * Errors   DPN_EDOMAIN. */
dpn_status dpn_budget_fill(dpn_record *record, const dpn_ledger_budget *budget, dpn_error *why);

/* Insert a row of the chain as it is, within a transaction.
 * Errors   DPN_EIO, DPN_ENOMEM. */
dpn_status dpn_ledger_insert(dpn_ledger *ledger, uint64_t number, const char *text, size_t length,
                             const unsigned char tag[DPN_TAG_SIZE], dpn_error *why);

/* Read the entries that are not in the book yet, within a transaction, verify and enter them.
 * Errors   DPN_EIO, DPN_ENOMEM. */
dpn_status dpn_ledger_catch_up(dpn_ledger *ledger, dpn_error *why);

/* Everything but the entries: the file, and with_key the key, which must be there. `make` as for dpn_store_open; the options
 * are complete.
 * Errors   as dpn_ledger_open. On error *out is not written. */
dpn_status dpn_ledger_prepare(dpn_ledger **out, const char *path, const dpn_ledger_options *options, bool make,
                              bool with_key, dpn_error *why);

/* Read an entry of the chain within a transaction, number from 1 to ledger->last, and verify its tag. *text must be freed.
 * Errors   DPN_EIO, DPN_ENOMEM. */
dpn_status dpn_ledger_fetch(dpn_record *record, char **text, size_t *length, unsigned char tag[DPN_TAG_SIZE],
                            dpn_ledger *ledger, uint64_t number, dpn_error *why);

/* The directory of the file, to be freed: whoever writes to a ledger can make files there, for SQLite does. NULL without memory. */
char *dpn_ledger_directory(const dpn_ledger *ledger);

/* A stored result: the row of the file. */
typedef struct dpn_result {
    uint64_t place, number;
    char *text; /* owned; NULL: there is none */
    size_t length;
    unsigned char tag[DPN_TAG_SIZE];
    char specification[65];
} dpn_result;

/* Within a transaction: the result after a place, verified; insert one as it is; verify all.
 * Errors   DPN_EIO, DPN_ENOMEM. */
dpn_status dpn_ledger_next_result(dpn_result *out, dpn_ledger *ledger, uint64_t place, dpn_error *why);
dpn_status dpn_ledger_insert_result(dpn_ledger *ledger, const dpn_result *result, dpn_error *why);
dpn_status dpn_ledger_check_results(dpn_ledger *ledger, dpn_error *why);

/* How many bytes a text has in a line of an export, where quotes, backslashes and control characters are escaped. The line is read again as
 * JSON of up to 2^26 bytes, and has some beside the text. */
enum { DPN_RESULT_MOST = (1 << 26) - 4096 };
size_t dpn_result_size(const char *text, size_t length);

/* Whether a text may be a result: UTF-8 without zeros, and no longer than an export can carry.
 * Errors   DPN_EDOMAIN. */
dpn_status dpn_result_check(const char *text, size_t length, dpn_error *why);

/* The tag in the file of an entry, all zero for number 0.
 * Errors   DPN_EIO, DPN_ENOMEM. */
dpn_status dpn_ledger_tag_of(unsigned char out[DPN_TAG_SIZE], dpn_ledger *ledger, uint64_t number, dpn_error *why);

#endif
