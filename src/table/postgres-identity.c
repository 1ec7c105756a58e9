/* Which table of which PostgreSQL server is open. */
#include "table/postgres.h"

#include "base/error.h"

#include <string.h>

/* What shows rows that are kept elsewhere; a partition or child is read through its parent too. */
static const char *derived_from(const char *kind, const char *partition, const char *child) {
    switch (kind[0]) {
    case 'v':
        return "view";
    case 'm':
        return "materialized view";
    case 'f':
        return "foreign table";
    default:
        return partition[0] == 't' ? "partition" : child[0] == 't' ? "child table" : NULL;
    }
}

/* The name resolves as it does for reading, in the same transaction. */
static PGresult *look_up(const dpn_server *source, dpn_error *why) {
    static const char sql[] =
        "SELECT s.system_identifier::text, pg_catalog.current_database(), n.nspname, c.relname, c.relkind, "
        "c.relispartition, EXISTS (SELECT FROM pg_catalog.pg_inherits i WHERE i.inhrelid " EQUALS " c.oid) "
        "FROM pg_catalog.pg_control_system() s, pg_catalog.pg_class c JOIN pg_catalog.pg_namespace n "
        "ON n.oid " EQUALS " c.relnamespace WHERE c.oid " EQUALS " pg_catalog.to_regclass($1)";
    const char *argument[] = {source->name};
    PGresult *found = source->pq.PQexecParams(source->server, sql, 1, NULL, argument, NULL, NULL, 0);
    if (source->pq.PQresultStatus(found) == PGRES_TUPLES_OK && source->pq.PQntuples(found) == 1) return found;
    const char *code = source->pq.PQresultErrorField(found, PG_DIAG_SQLSTATE);
    if (code && strcmp(code, "42501") == 0)
        dpn_fail(why, DPN_EIO,
                 "the server does not say which one it is: grant the role that reads EXECUTE on pg_control_system()");
    else if (source->pq.PQresultStatus(found) == PGRES_TUPLES_OK)
        dpn_fail(why, DPN_EIO, "the server does not find the table again");
    else
        dpn_server_fails(source, "the server does not say which table it is", why);
    source->pq.PQclear(found);
    return NULL;
}

dpn_status dpn_server_check_plain(const dpn_server *source, dpn_error *why) {
    static const char sql[] =
        "WITH RECURSIVE tree AS (SELECT pg_catalog.to_regclass($1)::pg_catalog.oid AS oid UNION "
        "SELECT i.inhrelid FROM pg_catalog.pg_inherits i JOIN tree t ON i.inhparent " EQUALS " t.oid) "
        "SELECT FROM tree t JOIN pg_catalog.pg_class c ON c.oid " EQUALS " t.oid "
        "WHERE pg_catalog.getdatabaseencoding() OPERATOR(pg_catalog.<>) 'UTF8' OR (c.relkind OPERATOR(pg_catalog.<>) "
        "'r' AND c.relkind OPERATOR(pg_catalog.<>) 'p') "
        "OR pg_catalog.row_security_active(c.oid) OR EXISTS (SELECT FROM pg_catalog.pg_attribute a "
        "WHERE a.attrelid " EQUALS " c.oid AND a.attgenerated " EQUALS " 'v')";
    const char *argument[] = {source->name};
    PGresult *found = source->pq.PQexecParams(source->server, sql, 1, NULL, argument, NULL, NULL, 0);
    dpn_status status = DPN_OK;
    if (source->pq.PQresultStatus(found) != PGRES_TUPLES_OK)
        status = dpn_server_fails(source, "the server does not say what the table is made of", why);
    else if (source->pq.PQntuples(found) > 0)
        status = dpn_fail(why, DPN_EUNSUPPORTED,
                          "rows of other servers, that a policy shows, or not in UTF-8 have to be read");
    source->pq.PQclear(found);
    return status;
}

static bool holds_password(const dpn_server *source, const char *url) {
    PQconninfoOption *options = source->pq.PQconninfoParse(url, NULL);
    bool found = false;
    for (const PQconninfoOption *option = options; option && option->keyword; option++)
        if (strcmp(option->keyword, "password") == 0 && option->val) found = true;
    source->pq.PQconninfoFree(options);
    return found;
}

dpn_status dpn_server_identify(dpn_table_identity *identity, const dpn_table *table, dpn_error *why) {
    char **const text[] = {&identity->system, &identity->database, &identity->schema, &identity->table};
    dpn_error reason = {DPN_EIO, ""};
    const dpn_server *source = table->state;
    PGresult *found = look_up(source, &reason);
    if (!found) return dpn_fail(why, reason.status, "%s", reason.sentence);
    dpn_status status = DPN_OK;
    for (int i = 0; i < 4 && !status; i++) status = dpn_table_copy(text[i], source->pq.PQgetvalue(found, 0, i), why);
    identity->origin = DPN_TABLE_POSTGRESQL;
    identity->derived = derived_from(source->pq.PQgetvalue(found, 0, 4), source->pq.PQgetvalue(found, 0, 5),
                                     source->pq.PQgetvalue(found, 0, 6));
    identity->password = holds_password(source, table->source);
    source->pq.PQclear(found);
    return status;
}
