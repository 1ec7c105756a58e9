/* dpnoise/place.h - the data behind a registration: from a table to the place that is written down, and back.
 *
 * In libdpnoise alone. Ledgers hold places (registration.h) and open none of them; every front that reads tables finds them here.
 *
 * Example
 *     dpn_table_identity identity;
 *     dpn_place place;
 *     dpn_table *table;
 *     dpn_error why;
 *     if (dpn_table_open(&table, "people.csv", NULL, &why) ||
 *         dpn_place_of_table(&place, &identity, table, "people.csv", &why))
 *         return puts(why.sentence);
 *     printf("%s\n", place.path); // what may be written down
 *     dpn_place_free(&place);
 *     dpn_table_identity_free(&identity);
 *     dpn_table_close(table);
 */
#ifndef DPNOISE_PLACE_H
#define DPNOISE_PLACE_H

#include <dpnoise/ledger.h>
#include <dpnoise/registration.h>
#include <dpnoise/table.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* ---- From a table to its place ---- */

/* Where an open table is, to be written down, and its identity; `source` is how it was opened. Release with dpn_place_free and
 * dpn_table_identity_free. A stream is declared, as "standard input".
 * Errors   DPN_EDOMAIN for an address with a password, which a ledger must not hold; those of dpn_table_identify; DPN_ENOMEM.
 *          On error nothing is written. */
DPN_API DPN_MUST_CHECK dpn_status dpn_place_of_table(dpn_place *out, dpn_table_identity *identity,
                                                     const dpn_table *table, const char *source, dpn_error *why);

/* The place of an identity, whose texts stay those of the identity; without how a server is reached. */
DPN_API dpn_place dpn_place_of_identity(const dpn_table_identity *identity);

/* A copy in the place of what was there, which is released.
 * Errors   DPN_ENOMEM. On error *out is as before. */
DPN_API DPN_MUST_CHECK dpn_status dpn_place_copy(dpn_place *out, const dpn_place *from, dpn_error *why);

/* Free the texts of a place that is owned. It is then declared, without a text. */
DPN_API void dpn_place_free(dpn_place *place);

/* ---- And back ---- */

/* Whether a table is the one that is written down, by another name too (dpn_table_identity_same). */
DPN_API bool dpn_place_is(const dpn_place *place, const dpn_table_identity *identity);

/* Open what is written down; what is declared is read from standard input. The table of a server must be the one that was registered.
 * Errors   those of dpn_table_open, with DPN_EIO for a first row that cannot be read; DPN_EIO if it is another server; DPN_EDOMAIN where
 *          it is not written down how the server is reached. On error *out is not written. */
DPN_API DPN_MUST_CHECK dpn_status dpn_place_open(dpn_table **out, const dpn_place *place, bool multiline,
                                                 dpn_error *why);

/* ---- In a ledger ---- */

/* The registration of a data set; *known is false if there is none, and then nothing else is written. version may be NULL.
 * Errors   those of the ledger; DPN_EIO for a text that cannot be read; DPN_ENOMEM. */
DPN_API DPN_MUST_CHECK dpn_status dpn_registration_find(dpn_registration *out, bool *known, uint64_t *version,
                                                        dpn_ledger *ledger, const char *name, dpn_error *why);

/* The data set of a ledger that has certain data, by its registration or because it was charged for them. */
typedef struct dpn_place_owner {
    char name[DPN_LEDGER_NAME_SIZE]; /* "": none */
    bool registered;                 /* as these data; else it was charged for them */
} dpn_place_owner;

/* Errors   those of the ledger; DPN_EIO for a text that cannot be read. */
DPN_API DPN_MUST_CHECK dpn_status dpn_place_find_owner(dpn_place_owner *out, dpn_ledger *ledger,
                                                       const dpn_table_identity *identity, dpn_error *why);

/* ---- Registering ---- */

typedef struct dpn_register_options {
    size_t size;                        /* set by the initialiser below */
    const char *user, *note;            /* for the record; NULL: none */
    const dpn_table_identity *identity; /* of data that are named now; NULL: declared, or where they were */
    const dpn_filter_plan *plan;        /* of a new budget; NULL: the data set has one */
    bool again;                         /* change what is registered */
    bool new_version;                   /* the data have changed: stored answers end */
} dpn_register_options;

static inline dpn_register_options dpn_register_options_init(void) {
    dpn_register_options options = DPN_ALL_ZERO;
    options.size = sizeof options;
    return options;
}

/* Register a data set, with its budget if it has none, or with `again` change its registration: one commit.
 * Guarantee  Data have one budget: those that are registered under another name, or were charged to another budget, are refused, also if another
 *          process does it at the same moment. Unit, relation and the column that tells persons apart stay those of the budget; another
 *          column needs a note that says why.
 * Errors   those of dpn_registration_check; DPN_EDOMAIN for what is said above, for an alias or a quota, for a data set that is registered
 *          already or, with `again`, not yet, and for a new budget where there is one; those of dpn_ledger_register. On error nothing is
 *          recorded, except after DPN_EIO, where it is unknown. */
DPN_API DPN_MUST_CHECK dpn_status dpn_register(dpn_head *head, dpn_ledger *ledger, const char *name,
                                               const dpn_registration *registration,
                                               const dpn_register_options *options, dpn_error *why);

#ifdef __cplusplus
}
#endif

#endif
