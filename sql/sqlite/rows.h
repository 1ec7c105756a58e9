/* The rows of a registered table of an SQLite file. */
#ifndef DPN_SQLITE_ROWS_H
#define DPN_SQLITE_ROWS_H

#include "sqlite/front.h"

typedef struct dpn_rows dpn_rows;

/* Open the file by the host's SQLite, for reading alone, begin to read, and prepare the columns of the query: what can be refused is refused before
 * a charge, and no row is read. */
dpn_status rows_open(dpn_rows **out, const dpn_registration *registration, const dpn_query *query, dpn_error *why);

/* All rows into the tally. */
dpn_status rows_read(dpn_rows *rows, dpn_tally *tally, dpn_error *why);

/* Accepts NULL. */
void rows_close(dpn_rows *rows);

#endif
