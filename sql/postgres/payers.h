/* Who pays for a question. */
#ifndef DPN_POSTGRES_PAYERS_H
#define DPN_POSTGRES_PAYERS_H

#include "postgres/front.h"

typedef struct Payers {
    char name[DPN_LEDGER_NAME_SIZE];    /* under which it is asked: the quota of the session's user, or the data set */
    char also[DPN_LEDGER_NAME_SIZE];    /* the quota of the role that was set; "": none */
    char analyst[DPN_LEDGER_NAME_SIZE]; /* for the record */
} Payers;

/* The quota of a role is called DATASET/ROLE. The user who opened the session pays, and the role that was set (SET ROLE) too, if it has a
 * quota: neither can be put aside by an analyst. Where a data set has quotas, a user without one is refused. */
Payers payers_find(dpn_ledger *ledger, const char *dataset);

#endif
