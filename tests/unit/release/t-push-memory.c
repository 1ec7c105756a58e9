/* The query for an engine is whole or there is none: memory that fails at the k-th request, for every k, never yields another text. And
 * the bytes of a number that a lot is drawn with stand in the order that the tally has. */
#include "unit/failing-memory.h"

#include "unit/release/declared.h"

#include <dpnoise/push.h>

#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

static const char question[] =
    "{'statistics': [{'kind': 'count'}, {'kind': 'variance', 'column': 'x', 'lower': '-3', 'upper': '100.5'}, "
    "{'kind': 'histogram', 'column': 'y', 'edges': ['0', '2.5', '9']}], 'by': [{'column': 'region', 'levels': ['a', "
    "'b']}, {'column': 'school'}], 'where': [{'column': 'region', 'is': '!=', 'value': 'c'}], 'person': 'id', "
    "'max_rows': '3', 'max_groups': '2', 'epsilon': '1', 'delta': '1e-6'}";

enum { COLUMNS = 8 };

static dpn_query *asked(const char *words, dpn_sql_type of_r, dpn_sql_type type[COLUMNS]) {
    char json[DECLARED_SIZE];
    dpn_declaration declaration = declared_read(declared_quotes(json, words));
    dpn_query *query = NULL;
    dpn_error why = {DPN_OK, ""};
    if (dpn_query_new_shape(&query, &declaration, &why)) fail_msg("%s", why.sentence);
    dpn_declaration_free(&declaration);
    for (size_t i = 0; dpn_query_column(query, i); i++) {
        assert_true(i < COLUMNS);
        const char *name = dpn_query_column(query, i);
        type[i] = strcmp(name, "r") == 0 ? of_r : strchr("xya", name[0]) ? DPN_SQL_INTEGER : DPN_SQL_TEXT;
    }
    return query;
}

static dpn_sql_options for_engine(dpn_dialect dialect, const dpn_sql_type *type) {
    static const dpn_tally_secret secret = {{1, 2, 3, 4, 5}};
    dpn_sql_options options = dpn_sql_options_init();
    options.dialect = dialect;
    options.table = "visits";
    options.type = type;
    options.secret = &secret;
    return options;
}

/* The bytes of 64-bit numbers, which int8send has highest first, are taken lowest first, all eight of each. */
static void numbers_are_lowest_byte_first(void **state) {
    (void)state;
    static const char before[] = "pg_catalog.substr(pg_catalog.int8send(";
    dpn_sql_type type[COLUMNS];
    dpn_query *query = asked(question, DPN_SQL_REAL, type);
    dpn_sql_options options = for_engine(DPN_DIALECT_POSTGRESQL, type);
    char *sql = NULL;
    dpn_error why = {DPN_OK, ""};
    if (dpn_query_sql(&sql, query, &options, &why)) fail_msg("%s", why.sentence);
    size_t seen = 0;
    for (const char *at = sql; (at = strstr(at, before)); seen++) {
        int open = 1;
        for (at += strlen(before); open > 0; at++) open += (*at == '(') - (*at == ')');
        assert_int_equal(strncmp(at, ", ", 2), 0);
        assert_int_equal(at[2] - '0', 8 - seen % 8);
        assert_int_equal(strncmp(at + 3, ", 1)", 4), 0);
    }
    assert_true(seen >= 8 && seen % 8 == 0);
    free(sql);
    dpn_query_free(query);
}

#ifndef SANITIZED

/* Texts that grow more than once, so that memory may be there at first, and not later: of long names, and of steps so fine that it is asked on which side of
 * the half of one a number is written. */
#define LONG_50 "a_long_name_a_long_name_a_long_name_a_long_name_00"
#define LONG LONG_50 LONG_50 LONG_50 LONG_50

static const char long_names[] =
    "{'statistics': [{'kind': 'variance', 'column': '" LONG "', 'lower': '-3', 'upper': '100.5'}, {'kind': "
    "'histogram', 'column': '" LONG "', 'edges': ['0', '2.5', '9']}], 'by': [{'column': 'b', 'levels': ['a', "
    "'b']}], 'na': ['NA', '?'], 'count_left_out': true, 'epsilon': '1', 'delta': '1e-6'}";

static const char fine_steps[] =
    "{'statistics': [{'kind': 'variance', 'column': 'r', 'lower': '-3e-9', 'upper': '1.5e-9'}], 'missing': "
    "'value:1e-9', 'count_left_out': true, 'epsilon': '1', 'delta': '1e-6'}";

static const char coarse_steps[] = "{'statistics': [{'kind': 'covariance', 'columns': ['r', 'x'], 'lower': ['-3', "
                                   "'0'], 'upper': ['100.5', '1e12']}], 'epsilon': '1'}";

static void try_question(const char *words, dpn_sql_type of_r, size_t least) {
    dpn_sql_type type[COLUMNS];
    dpn_query *query = asked(words, of_r, type);
    size_t tried = 0;
    for (int d = 0; dpn_dialect_name((dpn_dialect)d); d++) {
        dpn_sql_options options = for_engine((dpn_dialect)d, type);
        char *whole = NULL;
        dpn_error why = {DPN_OK, ""};
        dpn_status status = dpn_query_sql(&whole, query, &options, &why);
        if (status == DPN_EUNSUPPORTED) continue; /* no persons there, or no such type */
        assert_int_equal(status, DPN_OK);
        tried++;
        for (int on = 0; on < 2; on++) {
            bool failed = true;
            for (long k = 0; failed; k++) {
                char *sql = NULL;
                long before = memory.live;
                memory.requests = 0;
                memory.fail_at = k;
                memory.on = on;
                memory.armed = true;
                status = dpn_query_sql(&sql, query, &options, &why);
                memory.armed = false;
                failed = memory.requests > k;
                if (status)
                    assert_true(status == DPN_ENOMEM && sql == NULL && why.sentence[0]);
                else if (strcmp(sql, whole) != 0)
                    fail_msg("%s, request %ld: another query", dpn_dialect_name((dpn_dialect)d), k);
                free(sql);
                assert_true(memory.live == before);
            }
        }
        free(whole);
    }
    assert_true(tried >= least);
    dpn_query_free(query);
}

static void it_is_whole_or_refused(void **state) {
    (void)state;
    try_question(question, DPN_SQL_REAL, 3);
    try_question(long_names, DPN_SQL_REAL, 5);
    try_question(fine_steps, DPN_SQL_REAL, 1);
    try_question(coarse_steps, DPN_SQL_INTEGER, 5);
    try_question(coarse_steps, DPN_SQL_REAL, 5);
    try_question(coarse_steps, DPN_SQL_SINGLE, 4);
    try_question(coarse_steps, DPN_SQL_DECIMAL, 1);
}

#endif

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(numbers_are_lowest_byte_first),
#ifndef SANITIZED
        cmocka_unit_test(it_is_whole_or_refused),
#endif
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
