/* The rows of a registered table, from the server itself. */
#ifndef DPN_POSTGRES_ROWS_H
#define DPN_POSTGRES_ROWS_H

#include "postgres/front.h"

typedef struct Reading Reading;

/* Find the table that is registered and open a cursor over the columns of the query: everything that can be refused is refused now, before
 * a charge, and no row is read. SPI is connected.
 * With as_text every value is a text, as the type writes it.
 * Raises for a table that is elsewhere, missing, a view, with foreign partitions, under row-level security or not granted to the function's owner, and for columns
 * that are missing or of types that may run foreign code. */
Reading *rows_open(const dpn_registration *registration, const dpn_query *query, bool as_text);

/* Takes rows, value by value in the order of the query's columns; it must not raise. */
typedef dpn_status RowSink(void *context, const dpn_value *value, size_t rows, dpn_error *why);

/* All rows into the sink. What PostgreSQL raises meanwhile it raises through this; what the sink refuses is returned. */
dpn_status rows_read(Reading *reading, RowSink *sink, void *context, dpn_error *why);

#endif
