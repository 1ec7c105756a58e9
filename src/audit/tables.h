/* Neighbouring tables for the audit of a whole release, made from its declaration: a few units as a background, and one unit that
 * is as far from ordinary as a unit can be. */
#ifndef DPN_AUDIT_TABLES_H
#define DPN_AUDIT_TABLES_H

#include <dpnoise/statistics.h>

enum { DPN_TABLE_PAIRS = 7, DPN_TRACKED_MOST = 8 };

typedef struct dpn_audit_table {
    dpn_field *field; /* rows times columns */
    size_t rows, room;
} dpn_audit_table;

typedef struct dpn_audit_tables {
    const dpn_query *query;
    const dpn_declaration *declaration;
    size_t columns, pairs;
    struct {
        const char *name;
        dpn_audit_table a, b; /* each with the background */
    } pair[DPN_TABLE_PAIRS];
    /* Groups in which rows are, as the answer names them; the last one holds one unit at most where `has_own` is true. */
    size_t tracked;
    bool has_own;
    char **key; /* tracked times bys */
    char **text;
    size_t texts, room; /* owned */
    bool failed;        /* there was no memory */
} dpn_audit_tables;

/* The tables. Under add-remove the first table of a pair lacks the unit, under replace it holds another one there:
 *   upper, lower  all values at a bound, more rows than a person may have
 *   wide, spread  rows in as many groups as a person may be in, and in one more
 *   beyond        values far beyond the bounds
 *   own key       a key that nobody else has, where keys are unknown
 *   unusable      no numbers where some are needed
 * Predicates hold for these rows where a value is found that they accept. Free with dpn_audit_tables_free, also after an error.
 * Errors   DPN_ENOMEM. */
dpn_status dpn_audit_tables_make(dpn_audit_tables *out, const dpn_query *query, const dpn_declaration *declaration,
                                 dpn_error *why);
void dpn_audit_tables_free(dpn_audit_tables *tables);

#endif
