/* What the files of the SQLite extension share. The host's SQLite is reached through the table that it hands over; the ledger has the SQLite
 * that libdpnoise-core is linked with. Most often both are one library. */
#ifndef DPN_SQLITE_FRONT_H
#define DPN_SQLITE_FRONT_H

#include <sqlite3ext.h>
SQLITE_EXTENSION_INIT3

#include <dpnoise/dpnoise.h>

/* The functions of laws, the tables of guarantees and plans, the aggregates of states, and the table dp_release. SQLITE_OK, or a code of SQLite. */
int front_laws(sqlite3 *db);
int front_planning(sqlite3 *db);
int front_states(sqlite3 *db);
int front_release(sqlite3 *db);

/* Whether this process has a file open already. Two copies of SQLite in one process would give up each other's locks (POSIX): a file that somebody
 * else in the process has open is not opened again. Also true where that cannot be told and the host has a copy of its own. */
bool front_is_open_elsewhere(const char *path, bool own_copy);

/* Whether the host has another copy of SQLite than the ledger. */
bool front_own_copy(void);

#endif
