/* The parts of `dpnoise register`. */
#ifndef DPNOISE_CLI_REGISTER_REGISTER_H
#define DPNOISE_CLI_REGISTER_REGISTER_H

#include "budget/budget.h"
#include "input/source.h"
#include "kit/options.h"

struct registering {
    const struct arguments *arguments;
    const char *name, *data; /* data: NULL if none are named */
    struct budget budget;
    dpn_registration registration; /* as it will be, or is */
    dpn_table *table;              /* the data, if they were opened */
    dpn_table_identity identity;
    uint64_t version;
    bool known;      /* there is a budget of this name: account */
    bool registered; /* and a registration */
    dpn_account account;
    char user[DPN_LEDGER_NAME_SIZE];
    char *checked; /* what the check of the rows found, for the curator */
};

/* Begin a registration: that of --from, or one of nothing (data.c). Open the data, if they can be read now, and write down where
 * they are; those of --from are found as if they had been named.
 * Errors   DPN_EPARSE, DPN_EDOMAIN, DPN_EIO, DPN_ENOMEM. */
dpn_status register_start(struct registering *registering, dpn_error *why);
dpn_status register_find_data(struct registering *registering, dpn_error *why);
dpn_status register_find_place(struct registering *registering, dpn_error *why);

/* The ledger (ledger.c): what it has under this name; the registration, which must be there; whether the data have a budget under
 * another name, which is refused; a ledger, if there is none; and the entries themselves, in one commit.
 * Errors   those of the ledger; DPN_EDOMAIN, with the remedy. */
dpn_status register_look_up(struct registering *registering, dpn_error *why);
dpn_status register_load(struct registering *registering, dpn_error *why);
dpn_status register_check_alias(const struct registering *registering, dpn_error *why);
dpn_status register_refuse_again(const struct registering *registering, dpn_error *why);
dpn_status register_make_ledger(struct registering *registering, dpn_error *why);
dpn_status register_record(struct registering *registering, bool again, bool new_version, dpn_error *why);

/* Put what the options say of columns, persons and limits into the registration (schema.c, limits.c). Columns that it has already
 * are replaced.
 * Errors   DPN_EPARSE, DPN_EDOMAIN, DPN_EIO, DPN_ENOMEM, with sentences that name the option. */
dpn_status register_columns(struct registering *registering, dpn_error *why);
dpn_status register_limits(struct registering *registering, dpn_error *why);

/* Refuse another person column for a data set that is registered, unless a note says why (limits.c).
 * Errors   DPN_EDOMAIN. */
dpn_status register_check_person(const struct registering *registering, dpn_error *why);

/* Refuse a log that is the data, the ledger, its key or another file that must be kept (limits.c).
 * Errors   DPN_EIO. */
dpn_status register_check_log(const struct registering *registering, dpn_error *why);

/* The same, and for files that options read, with the data of all other data sets in the ledger (limits.c).
 * Errors   DPN_EDOMAIN; those of the ledger. */
dpn_status register_check_files(const struct registering *registering, dpn_error *why);

/* Look at all rows and write down what the curator should know of them (check.c). The columns that are registered must be there.
 * Errors   DPN_EDOMAIN for a column that is not; those of reading. */
dpn_status register_check(struct registering *registering, dpn_error *why);

/* --propose: what the columns look like, as options to be edited (propose.c). No bound is ever proposed. */
dpn_status register_propose(struct registering *registering, dpn_error *why);

/* Print the registration and its budget (show.c). */
dpn_status register_show(struct registering *registering, dpn_error *why);

#endif
