/* The curator's log: why questions failed after their charge. Reasons may tell what the data are, so nobody else reads them. */
#ifndef DPNOISE_CLI_INPUT_LOG_H
#define DPNOISE_CLI_INPUT_LOG_H

#include <dpnoise/status.h>
#include <stdint.h>

/* Open the log, or make it with mode 0600; -1 in *out if the path is NULL. It is opened before the charge, so that a log that
 * cannot be written costs nothing. The caller closes it.
 * Errors   DPN_EIO for what is not a regular file of this user's, or a link. */
dpn_status log_open(int *out, const char *path, dpn_error *why);

/* One line: when, which entry of the ledger (0: nothing was charged), who asked, and why it failed. */
void log_write(int log, uint64_t entry, const char *analyst, const char *reason);

#endif
