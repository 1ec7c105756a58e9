/* A connection to a PostgreSQL server. */
#ifndef DPN_TABLE_POSTGRES_H
#define DPN_TABLE_POSTGRES_H

#include "table/batch.h"
#include "table/libpq.h"

/* Others may have put operators of their own before PostgreSQL's in the search path, which would run with the rights of whoever reads: each that a statement
 * has is named with its schema. */
#define EQUALS "OPERATOR(pg_catalog.=)"

typedef struct dpn_server {
    dpn_libpq pq;
    PGconn *server;
    char *name;   /* of the table, quoted */
    Oid *types;   /* of the columns */
    char *pushed; /* the query whose rows are delivered; NULL: those of the table */
    bool copying; /* the server sends rows */
    char *row;    /* one that the last batch had no room for, from libpq, or NULL */
    size_t length;
    dpn_batch batch;
} dpn_server;

/* DPN_EIO with what was being done and the server's message in one line. */
dpn_status dpn_server_fails(const dpn_server *source, const char *doing, dpn_error *why);

/* The result of a statement, to be cleared; NULL if it failed. */
PGresult *dpn_server_ask(const dpn_server *source, const char *sql, ExecStatusType expected, const char *doing,
                         dpn_error *why);

/* A name in PostgreSQL's quotes, to be freed with PQfreemem. */
dpn_status dpn_server_quote(char **out, const dpn_server *source, const char *name, size_t length, dpn_error *why);

/* Whether it keeps all its rows itself, in UTF-8, and shows all of them. Bytes that are no UTF-8 are read row by row; a partition on another server, a
 * policy or a column that is computed when it is read can fail at a row, and a query would then fail or not by the rows that it asks for.
 * Errors   DPN_EUNSUPPORTED if not, DPN_EIO. */
dpn_status dpn_server_check_plain(const dpn_server *source, dpn_error *why);

/* Members of the kind. */
dpn_status dpn_server_identify(dpn_table_identity *identity, const dpn_table *table, dpn_error *why);
dpn_status dpn_server_push(dpn_table *table, const char *sql, dpn_error *why);
dpn_status dpn_server_want(dpn_table *table, dpn_error *why);
dpn_status dpn_server_next(const dpn_field **fields, size_t *rows, dpn_table *table, dpn_error *why);

#endif
