/* The files of the data sets in a ledger: their data, which are private, and the logs of their curators. */
#ifndef DPNOISE_CLI_INPUT_KEPT_H
#define DPNOISE_CLI_INPUT_KEPT_H

#include <dpnoise/ledger.h>

/* What an option does with a file: it is read as something public, written anew, or gets the lines of a log, which several data
 * sets may share. */
enum kept_use { KEPT_READ, KEPT_WRITTEN, KEPT_AS_LOG };

/* Whether an option may do that; `file` may be NULL.
 * Errors   DPN_EDOMAIN for a file of a data set, by any of its names; those of the ledger. */
dpn_status kept_check(dpn_ledger *ledger, const char *option, const char *file, enum kept_use use, dpn_error *why);

#endif
