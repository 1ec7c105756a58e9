/* How the tool fails: one sentence on standard error, with --json also {"error": ..., "status": ...} on standard
 * output, and the exit code of the status. */
#ifndef DPNOISE_CLI_KIT_FAIL_H
#define DPNOISE_CLI_KIT_FAIL_H

#include <dpnoise/status.h>
#include <stdbool.h>

/* Fill in *why with a status and a sentence made as by printf. Returns the status. */
dpn_status refuse(dpn_error *why, dpn_status status, const char *format, ...) __attribute__((format(printf, 3, 4)));

/* Tell the person, on behalf of a command (NULL: of the tool itself). Returns the exit code. */
int fail(const char *command, bool json, const dpn_error *why);

#endif
