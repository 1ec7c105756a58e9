/* The rows of a registered table.
 *
 * The statement has names in it and nothing else: no operator, cast or function that somebody could put in the place of another. Values
 * become text, integers and doubles here. */
#include "postgres/rows.h"

#include <access/htup_details.h>
#include <access/relation.h>
#include <access/table.h>
#include <access/xlog.h>
#include <catalog/namespace.h>
#include <catalog/pg_class.h>
#include <catalog/pg_inherits.h>
#include <catalog/pg_type.h>
#include <commands/dbcommands.h>
#include <executor/spi.h>
#include <lib/stringinfo.h>
#include <miscadmin.h>
#include <utils/acl.h>
#include <utils/builtins.h>
#include <utils/lsyscache.h>
#include <utils/rel.h>
#include <utils/rls.h>

#include <stdio.h>
#include <string.h>

/* Rows are fetched by the thousand, and their values taken until they fill so many bytes: a text that the server keeps compressed or
 * apart can be long. */
enum { BATCH = 1000, MOST_BYTES = 1 << 20 };

/* How a column's values are taken. */
typedef enum Taking { TAKE_INT2, TAKE_INT4, TAKE_INT8, TAKE_FLOAT8, TAKE_TEXT, TAKE_OUTPUT } Taking;

struct Reading {
    Portal cursor;
    int columns;
    Taking *taking;
    FmgrInfo *output; /* of TAKE_OUTPUT: the type's own text */
    dpn_value *value; /* BATCH rows */
    MemoryContext batch;
};

/* ---- The table ---- */

static void refuse(const char *sentence) pg_attribute_noreturn();
static void refuse(const char *sentence) {
    ereport(ERROR, (errcode(ERRCODE_WRONG_OBJECT_TYPE), errmsg("%s", sentence)));
}

static Oid find_table(const dpn_place *place) {
    char system[32];
    snprintf(system, sizeof system, UINT64_FORMAT, GetSystemIdentifier());
    if (place->kind != DPN_PLACE_POSTGRESQL) refuse("the data set is registered for data that are not in PostgreSQL");
    if (strcmp(place->system, system) != 0) refuse("the data set is registered for another server");
    if (strcmp(place->database, get_database_name(MyDatabaseId)) != 0)
        refuse("the data set is registered for another database");
    Oid schema = get_namespace_oid(place->schema, true);
    Oid table = OidIsValid(schema) ? get_relname_relid(place->table, schema) : InvalidOid;
    if (!OidIsValid(table)) refuse("the registered table is gone");
    if (isAnyTempNamespace(schema)) refuse("the registered table is a temporary one");
    return table;
}

/* A view, or a foreign table, can fail or call functions row by row, and so can policies. */
static void check_table(Relation table) {
    char kind = table->rd_rel->relkind;
    if (kind != RELKIND_RELATION && kind != RELKIND_PARTITIONED_TABLE && kind != RELKIND_MATVIEW)
        refuse("the registered relation is a view or foreign table: register the table that has the rows");
    if (check_enable_rls(RelationGetRelid(table), InvalidOid, true) == RLS_ENABLED)
        refuse("the registered table has row-level security, which would leave rows out: grant its reader BYPASSRLS, "
               "or drop the policies");
}

/* So can a foreign table that is a partition, or inherits. */
static void check_parts(Oid table) {
    ListCell *cell;
    List *parts = find_all_inheritors(table, AccessShareLock, NULL);
    foreach (cell, parts) {
        char kind = get_rel_relkind(lfirst_oid(cell));
        if (kind != RELKIND_RELATION && kind != RELKIND_PARTITIONED_TABLE && kind != RELKIND_MATVIEW)
            refuse("the registered table has a foreign table among its partitions: its rows could be told by how it "
                   "fails");
    }
}

/* ---- The columns ---- */

static Taking how_to_take(Oid type, bool number, bool as_text) {
    Oid base = getBaseType(type);
    switch (base) {
    case INT2OID:
        return as_text ? TAKE_OUTPUT : TAKE_INT2;
    case INT4OID:
        return as_text ? TAKE_OUTPUT : TAKE_INT4;
    case INT8OID:
        return as_text ? TAKE_OUTPUT : TAKE_INT8;
    case FLOAT8OID:
        return number && !as_text ? TAKE_FLOAT8 : TAKE_OUTPUT;
    case TEXTOID:
    case VARCHAROID:
        return TAKE_TEXT;
    case FLOAT4OID:
    case NUMERICOID:
    case BPCHAROID:
    case BOOLOID:
    case DATEOID:
    case TIMESTAMPOID:
    case TIMESTAMPTZOID:
    case UUIDOID:
        return TAKE_OUTPUT;
    default:
        if (get_typtype(base) == TYPTYPE_ENUM) return TAKE_OUTPUT;
        refuse("a column is of a type that questions do not read: numbers, text, dates, booleans, enumerations and "
               "uuid are");
    }
}

static bool is_number(const dpn_registration *registration, const char *name) {
    const dpn_registered_column *column = dpn_registration_column(registration, name);
    return column && column->type == DPN_COLUMN_NUMBER;
}

/* The column of that name, in the statement and in the reading. */
static void add_column(Reading *reading, StringInfo sql, Relation table, const dpn_registration *registration,
                       const char *name, bool as_text) {
    TupleDesc shape = RelationGetDescr(table);
    for (int i = 0; i < shape->natts; i++) {
        Form_pg_attribute attribute = TupleDescAttr(shape, i);
        if (attribute->attisdropped || strcmp(NameStr(attribute->attname), name) != 0) continue;
        int place = reading->columns++;
        reading->taking[place] = how_to_take(attribute->atttypid, is_number(registration, name), as_text);
        if (reading->taking[place] == TAKE_OUTPUT) {
            Oid function;
            bool varlena;
            getTypeOutputInfo(getBaseType(attribute->atttypid), &function, &varlena);
            fmgr_info(function, &reading->output[place]);
        }
        appendStringInfo(sql, "%s%s", place ? ", " : "", quote_identifier(name));
        return;
    }
    ereport(ERROR, (errcode(ERRCODE_UNDEFINED_COLUMN), errmsg("the registered table has no column \"%s\"", name)));
}

Reading *rows_open(const dpn_registration *registration, const dpn_query *query, bool as_text) {
    const dpn_place *place = &registration->source;
    size_t columns = 0;
    StringInfoData sql;
    while (dpn_query_column(query, columns)) columns++;
    Oid id = find_table(place);
    Relation table = relation_open(id, AccessShareLock); /* the lock stays: nobody renames it meanwhile */
    check_table(table);
    check_parts(id);
    Reading *reading = palloc0(sizeof *reading);
    reading->taking = palloc0((columns + 1) * sizeof *reading->taking);
    reading->output = palloc0((columns + 1) * sizeof *reading->output);
    reading->value = palloc0((columns + 1) * BATCH * sizeof *reading->value);
    reading->batch = AllocSetContextCreate(CurrentMemoryContext, "dpnoise rows", ALLOCSET_DEFAULT_SIZES);
    initStringInfo(&sql);
    appendStringInfoString(&sql, "SELECT ");
    for (size_t i = 0; i < columns; i++)
        add_column(reading, &sql, table, registration, dpn_query_column(query, i), as_text);
    appendStringInfo(&sql, " FROM %s", quote_qualified_identifier(place->schema, place->table));
    relation_close(table, NoLock);
    SPIPlanPtr plan = SPI_prepare_cursor(sql.data, 0, NULL, CURSOR_OPT_NO_SCROLL);
    if (!plan) refuse("the registered table cannot be read");
    if (get_relname_relid(place->table, get_namespace_oid(place->schema, false)) != id)
        refuse("the registered table was replaced");
    reading->cursor = SPI_cursor_open(NULL, plan, NULL, NULL, true); /* here rights are checked */
    check_parts(id); /* again, now that its plan cannot change any more */
    return reading;
}

/* ---- The rows ---- */

static dpn_value value_of(const Reading *reading, int column, Datum datum) {
    dpn_value value = {.kind = DPN_VALUE_INTEGER};
    switch (reading->taking[column]) {
    case TAKE_INT2:
        value.as.integer = DatumGetInt16(datum);
        break;
    case TAKE_INT4:
        value.as.integer = DatumGetInt32(datum);
        break;
    case TAKE_INT8:
        value.as.integer = DatumGetInt64(datum);
        break;
    case TAKE_FLOAT8:
        value.kind = DPN_VALUE_REAL;
        value.as.real = DatumGetFloat8(datum);
        break;
    case TAKE_TEXT: {
        text *packed = DatumGetTextPP(datum);
        value.kind = DPN_VALUE_TEXT;
        value.as.text = (dpn_field){VARDATA_ANY(packed), VARSIZE_ANY_EXHDR(packed)};
        break;
    }
    case TAKE_OUTPUT: {
        char *text = OutputFunctionCall((FmgrInfo *)&reading->output[column], datum);
        value.kind = DPN_VALUE_TEXT;
        value.as.text = (dpn_field){text, strlen(text)};
        break;
    }
    }
    return value;
}

/* Rows that were fetched, from number `from` on, in the context of the batch; how many. */
static size_t take_rows(const Reading *reading, uint64 from) {
    SPITupleTable *fetched = SPI_tuptable;
    dpn_value *out = reading->value;
    uint64 row = from;
    while (row < SPI_processed && MemoryContextMemAllocated(reading->batch, false) <= MOST_BYTES) {
        for (int i = 0; i < reading->columns; i++, out++) {
            bool null;
            Datum datum = heap_getattr(fetched->vals[row], i + 1, fetched->tupdesc, &null);
            *out = null ? (dpn_value){.kind = DPN_VALUE_MISSING} : value_of(reading, i, datum);
        }
        row++;
    }
    return (size_t)(row - from);
}

static dpn_status read_batch(Reading *reading, RowSink *sink, void *context, dpn_error *why) {
    dpn_status status = DPN_OK;
    for (uint64 done = 0; done < SPI_processed && !status;) {
        MemoryContext before = MemoryContextSwitchTo(reading->batch);
        size_t rows = take_rows(reading, done);
        MemoryContextSwitchTo(before);
        status = sink(context, reading->value, rows, why);
        MemoryContextReset(reading->batch);
        done += rows;
    }
    return status;
}

dpn_status rows_read(Reading *reading, RowSink *sink, void *context, dpn_error *why) {
    for (;;) {
        SPI_cursor_fetch(reading->cursor, true, BATCH);
        if (SPI_processed == 0) break;
        dpn_status status = read_batch(reading, sink, context, why);
        SPI_freetuptable(SPI_tuptable);
        if (status) return status;
        CHECK_FOR_INTERRUPTS();
    }
    SPI_cursor_close(reading->cursor);
    return DPN_OK;
}
