/* The rows of a registered table, from the server itself. */
#ifndef DPN_POSTGRES_ROWS_H
#define DPN_POSTGRES_ROWS_H

#include "postgres/front.h"

typedef struct Reading Reading;

/* Find the table that is registered and open a cursor over the columns of the query: everything that can be refused is refused now, before
 * a charge, and no row is read. SPI is connected.
 * Raises for a table that is elsewhere, missing, a view, under row-level security or not granted to the function's owner, and for columns
 * that are missing or of types that may run foreign code. */
Reading *rows_open(const dpn_registration *registration, const dpn_query *query);

/* All rows into the tally. What PostgreSQL raises meanwhile it raises through this; what the library refuses is returned. */
dpn_status rows_read(Reading *reading, dpn_tally *tally, dpn_error *why);

#endif
