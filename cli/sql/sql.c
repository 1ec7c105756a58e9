/* dpnoise sql: the exact sums of a question as one query for an engine. */
#define _POSIX_C_SOURCE 200809L
#include "input/state.h"
#include "input/sums.h"
#include "kit/command.h"
#include "kit/fail.h"
#include "kit/json.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct pushing {
    const struct arguments *arguments;
    dpn_declaration declaration;
    char *spec;
    dpn_query *query;
    dpn_table *table; /* whose columns tell their types; NULL: --types does */
    dpn_sql_type *type;
    dpn_sql_options options;
    dpn_tally_secret secret;
};

/* ---- Types ---- */

static dpn_status set_type(struct pushing *pushing, const char *column, size_t length, const char *word,
                           dpn_error *why) {
    for (size_t i = 0; dpn_query_column(pushing->query, i); i++) {
        const char *name = dpn_query_column(pushing->query, i);
        if (strlen(name) != length || strncmp(name, column, length) != 0) continue;
        for (unsigned t = DPN_SQL_INTEGER; dpn_sql_type_name((dpn_sql_type)t); t++)
            if (strcmp(dpn_sql_type_name((dpn_sql_type)t), word) == 0) {
                pushing->type[i] = (dpn_sql_type)t;
                return DPN_OK;
            }
        return refuse(why, DPN_EPARSE, "--type: types are integer, real, single, decimal and text, not '%.40s'", word);
    }
    return refuse(why, DPN_EPARSE, "--type: the question has no column '%.*s'", (int)(length < 60 ? length : 60),
                  column);
}

static dpn_status read_types(struct pushing *pushing, dpn_error *why) {
    const struct arguments *arguments = pushing->arguments;
    dpn_status status = DPN_OK;
    for (size_t i = 0; i < arguments->givens && !status; i++) {
        if (strcmp(arguments->given[i].option->name, "--type") != 0) continue;
        const char *text = arguments->given[i].value, *equals = strrchr(text, '=');
        if (!equals) return refuse(why, DPN_EPARSE, "--type is written --type income=real");
        status = set_type(pushing, text, (size_t)(equals - text), equals + 1, why);
    }
    return status;
}

/* Columns whose type nobody said: those of groups and persons are texts, and of the others it has to be known. */
static dpn_status find_types(struct pushing *pushing, dpn_error *why) {
    size_t columns = 0;
    while (dpn_query_column(pushing->query, columns)) columns++;
    pushing->type = calloc(columns + 1, sizeof *pushing->type);
    if (!pushing->type) return refuse(why, DPN_ENOMEM, "out of memory");
    for (size_t i = 0; pushing->table && i < columns; i++)
        pushing->type[i] = sums_type(pushing->table, dpn_query_column(pushing->query, i));
    dpn_status status = read_types(pushing, why);
    for (size_t i = 0; i < columns && !status; i++) {
        const char *name = dpn_query_column(pushing->query, i);
        bool text = pushing->declaration.person && strcmp(pushing->declaration.person, name) == 0;
        for (size_t j = 0; j < pushing->declaration.bys; j++)
            text |= strcmp(pushing->declaration.by[j].column, name) == 0;
        if (pushing->type[i] != DPN_SQL_UNKNOWN) continue;
        if (!text || pushing->table)
            return refuse(why, DPN_EPARSE,
                          "what does the engine keep in '%.60s'? give --type '%.60s=real', or integer, single, "
                          "decimal, text",
                          name, name);
        pushing->type[i] = DPN_SQL_TEXT;
    }
    return status;
}

/* ---- The query ---- */

static dpn_status read_options(struct pushing *pushing, dpn_error *why) {
    const struct arguments *arguments = pushing->arguments;
    const char *words[8] = {NULL};
    size_t dialect = 0;
    bool given;
    for (unsigned i = 0; i < 7 && dpn_dialect_name((dpn_dialect)i); i++) words[i] = dpn_dialect_name((dpn_dialect)i);
    if (arguments->operands > 1)
        return refuse(why, DPN_EPARSE, "a query is about one table, but there is also '%.40s'", arguments->operand[1]);
    dpn_status status = arguments_choice(&dialect, arguments, "--dialect", words, why);
    if (!status) status = secret_read(&pushing->secret, &given, arguments, why);
    if (!status) status = state_declaration(&pushing->declaration, &pushing->spec, arguments, NULL, why);
    if (!status) status = secret_check(&pushing->declaration, given, why);
    if (status) return status;
    pushing->options = dpn_sql_options_init();
    pushing->options.dialect = (dpn_dialect)dialect;
    pushing->options.table = arguments_value(arguments, "--table");
    pushing->options.schema = arguments_value(arguments, "--schema");
    pushing->options.from = arguments_value(arguments, "--from");
    if (given) pushing->options.secret = &pushing->secret;
    if (!pushing->options.table && !pushing->options.from)
        return refuse(why, DPN_EPARSE,
                      "--table is missing: the table of the engine, or --from with what stands after FROM");
    if (pushing->options.table && pushing->options.from)
        return refuse(why, DPN_EPARSE, "--table and --from exclude each other");
    if (!arguments_have(arguments, "--dialect") && arguments->operands == 0)
        return refuse(why, DPN_EPARSE, "--dialect is missing: postgresql, duckdb, clickhouse, sqlite or spark");
    return DPN_OK;
}

static dpn_status open_table(struct pushing *pushing, dpn_error *why) {
    dpn_table_options options = dpn_table_options_init();
    if (pushing->arguments->operands == 0) return DPN_OK;
    options.table = pushing->options.table;
    options.schema = pushing->options.schema;
    return dpn_table_open(&pushing->table, pushing->arguments->operand[0], &options, why);
}

/* Operators and functions are looked up in the search path of whoever runs a query, where others may have put their own, which would run with the rights of
 * the curator: that path is set first, and the table is named with its schema. As a member of JSON the query is for those who set it themselves. */
static const char only_its_own[] = "SET search_path = pg_catalog, pg_temp;";

static dpn_status check_schema(const struct pushing *pushing, dpn_error *why) {
    if (pushing->options.dialect != DPN_DIALECT_POSTGRESQL || !pushing->options.table || pushing->options.schema)
        return DPN_OK;
    return refuse(why, DPN_EPARSE,
                  "--schema is missing: the search path, in which others may have put operators of their own, is left "
                  "out of the query; most tables are in public");
}

static dpn_status print(const struct pushing *pushing, dpn_error *why) {
    char *sql = NULL;
    dpn_status status = dpn_query_sql(&sql, pushing->query, &pushing->options, why);
    if (status) return status;
    if (arguments_have(pushing->arguments, "--json")) {
        struct json object = json_begin(stdout);
        json_string(&object, "dialect", dpn_dialect_name(pushing->options.dialect));
        json_string(&object, "sql", sql);
        json_end(&object);
    } else {
        if (pushing->options.dialect == DPN_DIALECT_POSTGRESQL) puts(only_its_own);
        puts(sql);
    }
    free(sql);
    return DPN_OK;
}

static dpn_status run(const struct arguments *arguments, dpn_error *why) {
    struct pushing pushing = {.arguments = arguments};
    dpn_status status = read_options(&pushing, why);
    if (!status) status = check_schema(&pushing, why);
    if (!status) status = dpn_query_new_shape(&pushing.query, &pushing.declaration, why);
    if (!status) status = open_table(&pushing, why);
    if (!status) status = find_types(&pushing, why);
    pushing.options.type = pushing.type;
    if (!status) status = print(&pushing, why);
    free(pushing.type);
    dpn_table_close(pushing.table);
    dpn_query_free(pushing.query);
    dpn_declaration_free(&pushing.declaration);
    free(pushing.spec);
    return status;
}

static const struct option options[] = {
    {"--spec", "FILE", false, "the question, as dpnoise release --save-spec writes it"},
    {"--dialect", "D", false, "the engine: postgresql, duckdb, clickhouse, sqlite, spark"},
    {"--table", "NAME", false, "the table, a name that is quoted"},
    {"--schema", "NAME", false, "its schema"},
    {"--from", "SQL", false, "instead of a table, what stands after FROM: \"read_parquet('*.parquet')\""},
    {"--type", "C=TYPE", true,
     "what the engine keeps in column C: integer, real (double precision), single, decimal, text; columns of groups\n"
     "and persons are texts if nothing is said"},
    {"--secret", "FILE", false, "if there are persons: the secret of the lottery, which stands in the query"},
    {NULL, NULL, false, NULL},
};

const struct command sql_command = {
    .name = "sql",
    .summary = "the sums of a question as a query, for an engine that has the rows",
    .synopsis = "--spec FILE --dialect D (--table NAME | --from SQL) [--type C=TYPE]... [--secret FILE]\n"
                "       dpnoise sql postgresql://... --spec FILE --table NAME",
    .description = "The query computes all sums, products, bins, groups and predicates of the question as whole "
                   "numbers, the same as\n"
                   "those of dpnoise tally, on whatever machines the engine has. No value of a row makes it fail. What "
                   "the engine\n"
                   "cannot do exactly is refused. The result, as comma-separated values with a first row of names, is "
                   "raw data for the\n"
                   "curator alone; dpnoise release --sums FILE charges and adds the noise. With the address of a "
                   "PostgreSQL server the\n"
                   "types are those of its table; dpnoise release postgresql://... does all of it by itself.\n",
    .example = "  printf 'region,income\\nnorth,31000.5\\nsouth,42000\\n' >people.csv\n"
               "  dpnoise release people.csv --count --mean income:0:200000 --by region --levels region=north,south "
               "--epsilon 1 --dry-run --save-spec question.json >plan.txt\n"
               "  dpnoise sql --spec question.json --dialect duckdb --table people --type income=real\n",
    .options = options,
    .run = run,
};
