/* dpnoise/push.h - the exact sums of a question as one SQL query, so that an engine makes them where the rows are.
 *
 * What a tally adds up are whole numbers, so that an engine can add them up as well, in any order and on any number of machines, and
 * gets the same ones. The query has one row for each group that has rows, with its keys, its number of rows and the numbers that
 * dpn_tally_add_sums takes. It holds sums without noise: they are raw data, like the table. No value of a row makes the query fail.
 *
 * Example
 *     const char question[] = "{\"statistics\": [{\"kind\": \"sum\", \"column\": \"income\", \"lower\": \"0\","
 *                             " \"upper\": \"200000\"}], \"epsilon\": \"0.5\"}";
 *     const dpn_sql_type type[] = {DPN_SQL_REAL}; // of each column of the query
 *     dpn_sql_options options = dpn_sql_options_init();
 *     dpn_declaration declaration;
 *     dpn_query *query;
 *     char *sql;
 *     dpn_error why;
 *     options.dialect = DPN_DIALECT_POSTGRESQL;
 *     options.table = "people";
 *     options.type = type;
 *     if (dpn_declaration_read(&declaration, question, sizeof question - 1, &why) ||
 *         dpn_query_new_shape(&query, &declaration, &why) || dpn_query_sql(&sql, query, &options, &why))
 *         return puts(why.sentence);
 *     puts(sql);
 *     free(sql);
 *     dpn_query_free(query);
 *     dpn_declaration_free(&declaration);
 */
#ifndef DPNOISE_PUSH_H
#define DPNOISE_PUSH_H

#include <dpnoise/statistics.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef enum dpn_dialect {
    DPN_DIALECT_POSTGRESQL, /* 14 and later */
    DPN_DIALECT_DUCKDB,
    DPN_DIALECT_CLICKHOUSE,
    DPN_DIALECT_SQLITE,
    DPN_DIALECT_SPARK,
} dpn_dialect;

/* "postgresql", "duckdb", "clickhouse", "sqlite", "spark"; NULL past the end. */
DPN_API const char *dpn_dialect_name(dpn_dialect dialect);

/* What the engine keeps in a column. A real stands for its shortest text, as in dpn_value. */
typedef enum dpn_sql_type {
    DPN_SQL_UNKNOWN,
    DPN_SQL_INTEGER, /* up to 64 bits, signed */
    DPN_SQL_REAL,    /* double precision */
    DPN_SQL_SINGLE,  /* single precision */
    DPN_SQL_DECIMAL, /* exact, with any number of digits */
    DPN_SQL_TEXT,    /* of any length, without blanks that do not count */
} dpn_sql_type;

/* "unknown", "integer", "real", "single", "decimal", "text"; NULL past the end. */
DPN_API const char *dpn_sql_type_name(dpn_sql_type type);

typedef struct dpn_sql_options {
    size_t size;
    dpn_dialect dialect;
    const char *table;              /* a name, which is quoted */
    const char *schema;             /* of the table; NULL: none is named */
    const char *from;               /* what stands after FROM, as it is, instead of a table; NULL: the table */
    const dpn_sql_type *type;       /* of each column, in the order of dpn_query_column */
    const dpn_tally_secret *secret; /* of the lottery, which stands in the query; needed with persons */
} dpn_sql_options;

static inline dpn_sql_options dpn_sql_options_init(void) {
    dpn_sql_options options = DPN_ALL_ZERO;
    options.size = sizeof options;
    return options;
}

/* The query, to be freed with free(). Its columns are the keys, named as they are grouped by, "dpn_rows", and "dpn_0", "dpn_1", ... for
 * the numbers. In SQLite, where any column may hold anything, there is also "dpn_other": how many rows hold a value of another
 * type than was said; the sums are those of dpn_tally_rows only if it is 0.
 * Errors   DPN_EUNSUPPORTED with the reason if the engine cannot make these numbers exactly: texts that are to be read as numbers; types
 *          that are unknown; reals as keys, or with steps so fine that halves of them have more digits than a double tells, where the
 *          engine does not write their shortest text; more sums than a query may have columns; persons where the engine has no
 *          SHA-256 or no windows, or whose totals are bounded. DPN_EDOMAIN for options that make no sense; DPN_ENOMEM. On error *out is
 *          not written. */
DPN_API DPN_MUST_CHECK dpn_status dpn_query_sql(char **out, const dpn_query *query, const dpn_sql_options *options,
                                                dpn_error *why);

#ifdef __cplusplus
}
#endif

#endif
