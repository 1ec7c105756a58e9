/* The rows of a table into a tally, on several threads if it is large. */
#ifndef INPUT_PARTS_H
#define INPUT_PARTS_H

#include "kit/progress.h"

#include <dpnoise/statistics.h>
#include <dpnoise/table.h>

enum { PARTS_THREADS = 2, PARTS_MOST_THREADS = 64 };

/* Read all rows; the table is closed and *table NULL afterwards, whatever happens. `progress` may be NULL.
 * Errors   those of the table and of the tally. */
dpn_status parts_read(dpn_table **table, dpn_tally *tally, size_t threads, struct progress *progress, dpn_error *why);

#endif
