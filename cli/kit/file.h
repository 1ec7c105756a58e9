/* A whole file. */
#ifndef DPNOISE_CLI_KIT_FILE_H
#define DPNOISE_CLI_KIT_FILE_H

#include <dpnoise/status.h>
#include <stddef.h>

/* Read a file; *text is freed by the caller. Reading ends once more than `most` bytes are there, so that *length tells a file
 * that is too long. Sentences start with `what`: "--spec: " or "".
 * Errors   DPN_EIO, DPN_ENOMEM. On error nothing is written. */
enum { FILE_MOST = 1 << 26 }; /* bytes, what the readers of plans and specifications take */
dpn_status file_read(char **text, size_t *length, const char *name, size_t most, const char *what, dpn_error *why);

#endif
