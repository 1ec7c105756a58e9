/* DuckDB's library, by the part of its C interface that is used here. */
#ifndef DPN_TABLE_DUCKDB_H
#define DPN_TABLE_DUCKDB_H

#include "table/table.h"

#include <stdint.h>

/* As large as DuckDB's duckdb_result. */
typedef struct dpn_duckdb_result {
    uint64_t part[6];
} dpn_duckdb_result;

/* result type, name, parameters: handles are pointers to nobody knows what, states 0 for success. */
#define DPN_DUCKDB_FUNCTIONS(FUNCTION)                                                    \
    FUNCTION(int, duckdb_open, (const char *path, void **base))                           \
    FUNCTION(void, duckdb_close, (void **base))                                           \
    FUNCTION(int, duckdb_connect, (void *base, void **connection))                        \
    FUNCTION(void, duckdb_disconnect, (void **connection))                                \
    FUNCTION(int, duckdb_query, (void *connection, const char *sql, dpn_duckdb_result *)) \
    FUNCTION(void, duckdb_destroy_result, (dpn_duckdb_result *))                          \
    FUNCTION(const char *, duckdb_result_error, (dpn_duckdb_result *))                    \
    FUNCTION(uint64_t, duckdb_column_count, (dpn_duckdb_result *))                        \
    FUNCTION(const char *, duckdb_column_name, (dpn_duckdb_result *, uint64_t column))    \
    FUNCTION(int, duckdb_column_type, (dpn_duckdb_result *, uint64_t column))             \
    FUNCTION(int, duckdb_prepare, (void *connection, const char *sql, void **statement))  \
    FUNCTION(void, duckdb_destroy_prepare, (void **statement))                            \
    FUNCTION(int, duckdb_pending_prepared_streaming, (void *statement, void **pending))   \
    FUNCTION(int, duckdb_execute_pending, (void *pending, dpn_duckdb_result *))           \
    FUNCTION(void, duckdb_destroy_pending, (void **pending))                              \
    FUNCTION(void *, duckdb_fetch_chunk, (dpn_duckdb_result))                             \
    FUNCTION(uint64_t, duckdb_data_chunk_get_size, (void *chunk))                         \
    FUNCTION(void *, duckdb_data_chunk_get_vector, (void *chunk, uint64_t column))        \
    FUNCTION(void, duckdb_destroy_data_chunk, (void **chunk))                             \
    FUNCTION(void *, duckdb_vector_get_data, (void *vector))                              \
    FUNCTION(uint64_t *, duckdb_vector_get_validity, (void *vector))

typedef struct dpn_duckdb {
#define DPN_DUCKDB_MEMBER(type, name, parameters) type(*name) parameters;
    DPN_DUCKDB_FUNCTIONS(DPN_DUCKDB_MEMBER)
#undef DPN_DUCKDB_MEMBER
} dpn_duckdb;

/* DPN_EUNSUPPORTED with what to install where it is missing. */
dpn_status dpn_duckdb_load(dpn_duckdb *out, dpn_error *why);

/* Open a table of a DuckDB database; without options a file of Parquet. */
dpn_status dpn_table_open_duckdb(dpn_table *table, const char *path, const dpn_table_options *options, dpn_error *why);

#endif
