/* PostgreSQL's client library, loaded when the first server is asked for: it brings two dozen libraries (Kerberos, LDAP),
 * which would otherwise start with every command. */
#ifndef DPN_TABLE_LIBPQ_H
#define DPN_TABLE_LIBPQ_H

#include <dpnoise/status.h>

#include <libpq-fe.h>

/* The functions that are used, under their own names. */
#define DPN_LIBPQ_FUNCTIONS(FUNCTION) \
    FUNCTION(PQclear)                 \
    FUNCTION(PQconnectdb)             \
    FUNCTION(PQconninfoFree)          \
    FUNCTION(PQconninfoParse)         \
    FUNCTION(PQerrorMessage)          \
    FUNCTION(PQescapeIdentifier)      \
    FUNCTION(PQexec)                  \
    FUNCTION(PQexecParams)            \
    FUNCTION(PQfinish)                \
    FUNCTION(PQfname)                 \
    FUNCTION(PQfreemem)               \
    FUNCTION(PQftype)                 \
    FUNCTION(PQgetCopyData)           \
    FUNCTION(PQgetResult)             \
    FUNCTION(PQgetvalue)              \
    FUNCTION(PQnfields)               \
    FUNCTION(PQntuples)               \
    FUNCTION(PQresultErrorField)      \
    FUNCTION(PQresultStatus)          \
    FUNCTION(PQsetClientEncoding)     \
    FUNCTION(PQsetNoticeReceiver)     \
    FUNCTION(PQstatus)

typedef struct dpn_libpq {
#define DPN_LIBPQ_MEMBER(name) __typeof__(name) *name;
    DPN_LIBPQ_FUNCTIONS(DPN_LIBPQ_MEMBER)
#undef DPN_LIBPQ_MEMBER
} dpn_libpq;

/* DPN_EUNSUPPORTED with what to install where it is missing. */
dpn_status dpn_libpq_load(dpn_libpq *out, dpn_error *why);

#endif
