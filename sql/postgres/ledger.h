/* The ledger of this server: an SQLite file outside of its data directory, opened by each backend itself. */
#ifndef DPN_POSTGRES_LEDGER_H
#define DPN_POSTGRES_LEDGER_H

#include "postgres/front.h"

/* Define the setting dpnoise.ledger: the path of the file. Only the configuration of the server sets it. */
void ledger_settings(void);

/* The handle of this backend, opened when it is first needed and kept. Raises if this is no place to charge from: a standby, a
 * parallel worker, a background process, maintenance that runs a stranger's expressions; or if the file is not as it has to be. */
dpn_ledger *ledger_open(void);

/* Raise a failure of the ledger, after which the handle is opened anew: the file may have been moved. */
void ledger_raise(const dpn_error *why) pg_attribute_noreturn();

#endif
