/* The data behind a registration: from a table to the place that is written down, and back. */
#ifndef DPNOISE_CLI_INPUT_SOURCE_H
#define DPNOISE_CLI_INPUT_SOURCE_H

#include <dpnoise/ledger.h>
#include <dpnoise/registration.h>
#include <dpnoise/table.h>
#include <stdio.h>

/* Where an open table is, to be written down; `source` is how it was opened. Release with source_free.
 * Errors   DPN_EDOMAIN for an address with a password, which a ledger must not hold; those of dpn_table_identify. */
dpn_status source_of(dpn_place *out, dpn_table_identity *identity, const dpn_table *table, const char *source,
                     dpn_error *why);
void source_free(dpn_place *place);

/* A copy in the place of what was there, which is released.
 * Errors   DPN_ENOMEM. */
dpn_status source_copy(dpn_place *to, const dpn_place *from, dpn_error *why);

/* Open what is written down. The table of a server must be the one that was registered.
 * Errors   those of dpn_table_open; DPN_EIO if it is another one. */
dpn_status source_open(dpn_table **out, const dpn_place *place, bool multiline, dpn_error *why);

/* Whether a table is the one that is written down, by another name too. */
bool source_is(const dpn_place *place, const dpn_table_identity *identity);

/* The place of a table, whose texts stay those of the identity. */
dpn_place source_place(const dpn_table_identity *identity);

/* The data set of the ledger that has these data, by its registration or because it was charged for them; "" if there is none.
 * Errors   those of the ledger. */
struct source_owner {
    char name[DPN_LEDGER_NAME_SIZE];
    bool registered; /* as these data; else it was charged for them */
};
dpn_status source_find(struct source_owner *out, dpn_ledger *ledger, const dpn_table_identity *identity,
                       dpn_error *why);

/* The registration of a data set; *known is false if there is none, and then nothing else is written.
 * Errors   those of the ledger; DPN_EIO for a text that cannot be read. */
dpn_status source_registration(dpn_registration *out, bool *known, uint64_t *version, dpn_ledger *ledger,
                               const char *name, dpn_error *why);

/* "the file /data/people.csv", "table people of /data/p.db". */
void source_print(FILE *out, const dpn_place *place);

#endif
