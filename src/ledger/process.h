/* Which process has ledgers open. SQLite keeps the locks of a process in its memory; a child of fork inherits that memory
 * and not the locks, and a ledger that it opened itself would be written without any. */
#ifndef DPN_LEDGER_PROCESS_H
#define DPN_LEDGER_PROCESS_H

#include <dpnoise/status.h>

/* Before a file is opened; dpn_process_leave after it was closed.
 * Errors   DPN_EIO in a process that was forked while a ledger was open. */
dpn_status dpn_process_enter(dpn_error *why);
void dpn_process_leave(void);

#endif
