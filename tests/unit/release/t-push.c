/* Queries for engines, made by one that is here: random questions on random tables, each in every dialect, are run by SQLite, which is taught the functions of the
 * others and given their few forms of its own in its own words. The sums are those of the tally. And what is refused, and what is not. */
#include "release/push/dialect.h"
#include "release/tally/tally.h"

#include "unit/points.h"
#include "unit/random/seeded.h"
#include "unit/release/declared.h"

#include <dpnoise/number.h>
#include <dpnoise/push.h>

#include <math.h>
#include <setjmp.h>
#include <sqlite3.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

/* ---- What other engines have ---- */

static bool is_clickhouse(sqlite3_context *context) {
    return *(const dpn_dialect *)sqlite3_user_data(context) == DPN_DIALECT_CLICKHOUSE;
}

/* Of the others a NULL is ignored. */
static void extreme(sqlite3_context *context, sqlite3_value **value, bool greatest) {
    bool null[2] = {sqlite3_value_type(value[0]) == SQLITE_NULL, sqlite3_value_type(value[1]) == SQLITE_NULL};
    if (null[0] || null[1]) {
        if (is_clickhouse(context) || (null[0] && null[1])) return;
        sqlite3_result_value(context, value[null[0]]);
        return;
    }
    bool whole = sqlite3_value_type(value[0]) == SQLITE_INTEGER && sqlite3_value_type(value[1]) == SQLITE_INTEGER;
    bool less = whole ? sqlite3_value_int64(value[0]) < sqlite3_value_int64(value[1])
                      : sqlite3_value_double(value[0]) < sqlite3_value_double(value[1]);
    sqlite3_result_value(context, value[less == greatest]);
}

static void least(sqlite3_context *context, int count, sqlite3_value **value) {
    (void)count;
    extreme(context, value, false);
}

static void greatest(sqlite3_context *context, int count, sqlite3_value **value) {
    (void)count;
    extreme(context, value, true);
}

static void rounded_down(sqlite3_context *context, int count, sqlite3_value **value) {
    (void)count;
    double number = floor(sqlite3_value_double(value[0]));
    if (sqlite3_value_type(value[0]) == SQLITE_NULL) return;
    if (fabs(number) < 0x1p62)
        sqlite3_result_int64(context, (int64_t)number);
    else
        sqlite3_result_error(context, "no whole number of 64 bits", -1);
}

static void to_integer(sqlite3_context *context, int count, sqlite3_value **value) {
    (void)count;
    if (sqlite3_value_type(value[0]) != SQLITE_NULL) sqlite3_result_int64(context, sqlite3_value_int64(value[0]));
}

static void to_real(sqlite3_context *context, int count, sqlite3_value **value) {
    (void)count;
    if (sqlite3_value_type(value[0]) != SQLITE_NULL) sqlite3_result_double(context, sqlite3_value_double(value[0]));
}

/* A real as the shortest text that reads back. */
static void to_text(sqlite3_context *context, int count, sqlite3_value **value) {
    (void)count;
    char text[DPN_NUMBER_SIZE];
    if (sqlite3_value_type(value[0]) == SQLITE_FLOAT)
        sqlite3_result_text(context, dpn_number_print(text, sqlite3_value_double(value[0])), -1, SQLITE_TRANSIENT);
    else if (sqlite3_value_type(value[0]) != SQLITE_NULL)
        sqlite3_result_text(context, (const char *)sqlite3_value_text(value[0]), -1, SQLITE_TRANSIENT);
}

static void same(sqlite3_context *context, int count, sqlite3_value **value) {
    (void)count;
    sqlite3_result_value(context, value[0]);
}

static void is_finite(sqlite3_context *context, int count, sqlite3_value **value) {
    (void)count;
    if (sqlite3_value_type(value[0]) != SQLITE_NULL)
        sqlite3_result_int(context, isfinite(sqlite3_value_double(value[0])));
}

static void either(sqlite3_context *context, int count, sqlite3_value **value) {
    (void)count;
    sqlite3_result_value(context, value[sqlite3_value_int(value[0]) ? 1 : 2]);
}

/* Towards zero, as all of them do. */
static void divided(sqlite3_context *context, int count, sqlite3_value **value) {
    (void)count;
    if (sqlite3_value_type(value[0]) != SQLITE_NULL)
        sqlite3_result_int64(context, sqlite3_value_int64(value[0]) / sqlite3_value_int64(value[1]));
}

/* Without blanks and tabs around it; what else is given says which these are. */
static void trimmed(sqlite3_context *context, int count, sqlite3_value **value) {
    (void)count;
    const char *text = (const char *)sqlite3_value_text(value[0]);
    if (!text) return;
    text += strspn(text, " \t");
    size_t length = strlen(text);
    while (length > 0 && strchr(" \t", text[length - 1])) length--;
    sqlite3_result_text(context, text, (int)length, SQLITE_TRANSIENT);
}

static void count_one(sqlite3_context *context, int count, sqlite3_value **value) {
    (void)count;
    int64_t *seen = sqlite3_aggregate_context(context, sizeof *seen);
    if (seen) *seen += sqlite3_value_int(value[0]) != 0;
}

static void count_end(sqlite3_context *context) {
    int64_t *seen = sqlite3_aggregate_context(context, sizeof *seen);
    sqlite3_result_int64(context, seen ? *seen : 0);
}

static void teach(sqlite3 *engine, const dpn_dialect *dialect) {
    static const struct {
        const char *name;
        int count;
        void (*function)(sqlite3_context *, int, sqlite3_value **);
    } of[] = {{"least", 2, least},
              {"greatest", 2, greatest},
              {"floor", 1, rounded_down},
              {"toInt64", 1, to_integer},
              {"toFloat64", 1, to_real},
              {"toString", 1, to_text},
              {"->>", 2, to_text},
              {"encode", 1, same},
              {"decode", 1, same},
              {"isFinite", 1, is_finite},
              {"if", 3, either},
              {"intDiv", 2, divided},
              {"replaceRegexpAll", 3, trimmed},
              {"btrim", 2, trimmed},
              {"trim_both", 1, trimmed}};
    static const char *const counts[] = {"countIf", "count_if"};
    for (size_t i = 0; i < sizeof of / sizeof *of; i++)
        if (sqlite3_create_function(engine, of[i].name, of[i].count, SQLITE_UTF8, (void *)(uintptr_t)dialect,
                                    of[i].function, NULL, NULL))
            fail_msg("%s", sqlite3_errmsg(engine));
    for (size_t i = 0; i < 2; i++)
        assert_int_equal(sqlite3_create_function(engine, counts[i], 1, SQLITE_UTF8, NULL, NULL, count_one, count_end),
                         SQLITE_OK);
}

/* What has no function, in other words. */
static const struct {
    dpn_dialect dialect;
    const char *theirs, *ours;
} words[] = {
    {DPN_DIALECT_POSTGRESQL, "pg_catalog.", ""},
    {DPN_DIALECT_POSTGRESQL, "::int8", ""},
    {DPN_DIALECT_POSTGRESQL, "::int4", ""},
    {DPN_DIALECT_POSTGRESQL, "::text", " ->> ''"},
    {DPN_DIALECT_POSTGRESQL, "::numeric", " * 1.0"}, /* here no number has more digits than a double */
    {DPN_DIALECT_POSTGRESQL, "E' \\t'", "''"},
    {DPN_DIALECT_POSTGRESQL, "COLLATE \"C\"", "COLLATE BINARY"},
    {DPN_DIALECT_POSTGRESQL, "'-infinity'", "-9e999"},
    {DPN_DIALECT_POSTGRESQL, "'infinity'", "9e999"},
    {DPN_DIALECT_DUCKDB, "//", "/"},
    {DPN_DIALECT_DUCKDB, "CAST('infinity' AS DOUBLE)", "9e999"},
    {DPN_DIALECT_DUCKDB, "chr(9)", "char(9)"},
    {DPN_DIALECT_CLICKHOUSE, "> -inf", "> -9e999"},
    {DPN_DIALECT_CLICKHOUSE, "< inf", "< 9e999"},
    {DPN_DIALECT_CLICKHOUSE, "\\'", "''"},
    {DPN_DIALECT_SPARK, "CAST('Infinity' AS DOUBLE)", "9e999"},
    {DPN_DIALECT_SPARK, "trim(BOTH CAST(X'2009' AS STRING) FROM ", "trim_both("},
    {DPN_DIALECT_SPARK, " AS STRING)", " AS TEXT)"},
    {DPN_DIALECT_SPARK, " div ", " / "},
};

/* Each of theirs becomes ours; and float8 '1.5' becomes 1.5. */
static char *in_our_words(const char *sql, dpn_dialect dialect) {
    static const char real[] = "float8 '";
    dpn_text out = {0};
    for (const char *at = sql; *at;) {
        const char *put = NULL;
        for (size_t i = 0; i < sizeof words / sizeof *words && !put; i++)
            if (words[i].dialect == dialect && strncmp(at, words[i].theirs, strlen(words[i].theirs)) == 0) {
                put = words[i].ours;
                at += strlen(words[i].theirs);
            }
        if (put) {
            dpn_text_put(&out, put);
        } else if (dialect == DPN_DIALECT_POSTGRESQL && strncmp(at, real, strlen(real)) == 0) {
            at += strlen(real);
            for (; *at != '\''; at++) dpn_text_add(&out, at, 1);
            at++;
        } else {
            dpn_text_add(&out, at++, 1);
        }
    }
    assert_false(out.failed);
    return out.at;
}

/* ---- Tables ---- */

enum { COLUMNS = 4, MOST_ROWS = 40, X = 0, R, G, K };
static const char *const names[COLUMNS] = {"x", "r", "g", "k"};
static const dpn_sql_type types[COLUMNS] = {DPN_SQL_INTEGER, DPN_SQL_REAL, DPN_SQL_TEXT, DPN_SQL_INTEGER};

static size_t below(draw_source *source, size_t count) {
    return draw_bits(source) % count;
}

static dpn_value some_value(draw_source *source, size_t column) {
    static const char *const texts[] = {"a", "b", "it's", "", " a", "\xc3\xa4", "NA", "back\\slash", "7", " "};
    static const int64_t whole[] = {INT64_MIN, INT64_MAX, -1, 0, 1000000, -1000000};
    static const double reals[] = {INFINITY, -INFINITY, 1e300, -1e300, 0.5, 2.5, 100.5, -3, -0.0, 18, 1e-300};
    dpn_value out = {.kind = DPN_VALUE_MISSING};
    if (below(source, 8) == 0) return out;
    if (column == G) {
        const char *text = texts[below(source, sizeof texts / sizeof *texts)];
        out = (dpn_value){.kind = DPN_VALUE_TEXT, .as.text = {text, strlen(text)}};
    } else if (column == R) {
        out = (dpn_value){.kind = DPN_VALUE_REAL, .as.real = reals[below(source, sizeof reals / sizeof *reals)]};
        if (below(source, 2))
            out.as.real =
                ldexp((double)below(source, 200000) - 50000, -(int)below(source, 16)); /* few digits: see words */
    } else {
        out = (dpn_value){.kind = DPN_VALUE_INTEGER, .as.integer = (int64_t)below(source, column == K ? 4 : 130) - 2};
        if (below(source, 8) == 0) out.as.integer = whole[below(source, sizeof whole / sizeof *whole)];
    }
    return out;
}

static void run(sqlite3 *engine, const char *sql) {
    if (sqlite3_exec(engine, sql, NULL, NULL, NULL)) fail_msg("%s: %s", sqlite3_errmsg(engine), sql);
}

static void bind(sqlite3_stmt *statement, int at, const dpn_value *value) {
    if (value->kind == DPN_VALUE_INTEGER) sqlite3_bind_int64(statement, at, value->as.integer);
    if (value->kind == DPN_VALUE_REAL) sqlite3_bind_double(statement, at, value->as.real);
    if (value->kind == DPN_VALUE_TEXT)
        sqlite3_bind_text(statement, at, value->as.text.text, (int)value->as.text.length, SQLITE_STATIC);
    if (value->kind == DPN_VALUE_MISSING) sqlite3_bind_null(statement, at);
}

static void fill_table(sqlite3 *engine, dpn_value (*row)[COLUMNS], size_t rows) {
    sqlite3_stmt *insert = NULL;
    run(engine, "DROP TABLE IF EXISTS t; CREATE TABLE t (x INTEGER, r REAL, g TEXT, k INTEGER)");
    assert_int_equal(sqlite3_prepare_v2(engine, "INSERT INTO t VALUES (?, ?, ?, ?)", -1, &insert, NULL), SQLITE_OK);
    for (size_t i = 0; i < rows; i++) {
        for (int c = 0; c < COLUMNS; c++) bind(insert, c + 1, &row[i][c]);
        assert_int_equal(sqlite3_step(insert), SQLITE_DONE);
        sqlite3_reset(insert);
    }
    sqlite3_finalize(insert);
}

/* ---- Questions ---- */

static const char *pick(draw_source *source, const char *const *of, size_t count) {
    return of[below(source, count)];
}
#define PICK(source, of) pick(source, of, sizeof(of) / sizeof *(of))

static void some_question(char *out, size_t size, draw_source *source) {
    static const char *const statistics[] = {
        "{'kind': 'count'}",
        "{'kind': 'sum', 'column': 'x', 'lower': '0', 'upper': '100'}",
        "{'kind': 'sum', 'column': 'r', 'lower': '-3', 'upper': '100.5'}",
        "{'kind': 'mean', 'column': 'r', 'lower': '0.1', 'upper': '7'}",
        "{'kind': 'variance', 'column': 'x', 'lower': '-10', 'upper': '90'}",
        "{'kind': 'variance', 'column': 'r', 'lower': '-1e6', 'upper': '1e8'}",
        "{'kind': 'mean', 'column': 'x', 'lower': '0.5', 'upper': '1e12'}",
        "{'kind': 'covariance', 'columns': ['x', 'r'], 'lower': ['0', '-5'], 'upper': ['1e9', '2.75']}",
        "{'kind': 'histogram', 'column': 'x', 'edges': ['-inf', '0', '18', '64.5', 'inf']}",
        "{'kind': 'histogram', 'column': 'r', 'edges': ['-3', '0.1', '2.5', '100.5']}",
        "{'kind': 'quantile', 'column': 'x', 'quantile': '0.5', 'lower': '0', 'upper': '20', 'step': '2'}",
        "{'kind': 'quantile', 'column': 'r', 'quantile': '0.25', 'edges': ['-1', '0.5', '18']}",
    };
    static const char *const by[] = {"", "", ", 'by': [{'column': 'g'}]",
                                     ", 'by': [{'column': 'g', 'levels': ['a', 'b', 'it\\u0027s', 'NA']}]",
                                     ", 'by': [{'column': 'k', 'levels': ['-1', '0', '1', '7']}, {'column': 'g'}]"};
    static const char *const where[] = {
        "",
        "",
        ", 'where': [{'column': 'x', 'is': '<', 'value': '64'}]",
        ", 'where': [{'column': 'r', 'is': '>=', 'value': '0.1'}, {'column': 'g', 'is': '!=', 'value': 'b'}]",
        ", 'where': [{'column': 'x', 'is': '!=', 'value': '18'}]",
        ", 'where': [{'column': 'r', 'is': '!=', 'value': '2.5'}]", /* infinite ones are not 2.5 */
        ", 'where': [{'column': 'r', 'is': '<=', 'value': '2.5'}]",
        ", 'where': [{'column': 'r', 'is': '>', 'value': '-3'}]",
        ", 'where': [{'column': 'g', 'is': '=', 'value': 'a'}, {'column': 'x', 'is': '=', 'value': '7'}]"};
    static const char *const missing[] = {"", "", ", 'missing': 'value:2.5'", ", 'missing': 'value:-7'"};
    static const char *const na[] = {"", "", ", 'na': ['NA', '18', 'it\\u0027s']"};
    size_t first = below(source, sizeof statistics / sizeof *statistics), second;
    do second = below(source, sizeof statistics / sizeof *statistics);
    while (second == first);
    snprintf(out, size, "{'statistics': [%s, %s]%s%s%s%s%s, 'epsilon': '1', 'delta': '1e-6'}", statistics[first],
             statistics[second], PICK(source, by), PICK(source, where), PICK(source, missing), PICK(source, na),
             below(source, 3) ? "" : ", 'count_left_out': true");
}

/* ---- The same sums ---- */

static size_t place_of(const char *name) {
    for (size_t c = 0; c < COLUMNS; c++)
        if (strcmp(name, names[c]) == 0) return c;
    fail_msg("%s", name);
    return 0;
}

static dpn_tally *new_tally(const dpn_query *query, seeded *random) {
    dpn_tally *tally = NULL;
    dpn_error why = {DPN_OK, ""};
    if (dpn_tally_new(&tally, query, &random->rng, &why)) fail_msg("%s", why.sentence);
    return tally;
}

static dpn_tally *tallied(const dpn_query *query, seeded *random, dpn_value (*row)[COLUMNS], size_t rows) {
    dpn_tally *tally = new_tally(query, random);
    dpn_error why = {DPN_OK, ""};
    for (size_t i = 0; i < rows; i++) {
        dpn_value value[COLUMNS];
        for (size_t c = 0; dpn_query_column(query, c); c++) value[c] = row[i][place_of(dpn_query_column(query, c))];
        if (dpn_tally_values(tally, value, 1, &why)) fail_msg("%s", why.sentence);
    }
    return tally;
}

/* A row of the result is a group; in SQLite one more tells how many rows have values of other types: none. */
static dpn_tally *summed(const dpn_query *query, seeded *random, sqlite3 *engine, const char *sql, bool other) {
    dpn_tally *tally = new_tally(query, random);
    sqlite3_stmt *select = NULL;
    int keys = (int)query->declaration.bys, sums = (int)dpn_query_sums(query), step;
    int64_t *sum = calloc((size_t)sums + 1, sizeof *sum);
    assert_non_null(sum);
    if (sqlite3_prepare_v2(engine, sql, -1, &select, NULL)) fail_msg("%s:\n%s", sqlite3_errmsg(engine), sql);
    assert_int_equal(sqlite3_column_count(select), keys + 1 + sums + other);
    while ((step = sqlite3_step(select)) == SQLITE_ROW) {
        dpn_field key[COLUMNS];
        dpn_error why = {DPN_OK, ""};
        if (other) assert_int_equal(sqlite3_column_int64(select, keys + 1 + sums), 0);
        if (sqlite3_column_int64(select, keys) == 0) continue;
        for (int i = 0; i < keys; i++) {
            const char *text = (const char *)sqlite3_column_text(select, i);
            key[i] = (dpn_field){text ? text : "", text ? strlen(text) : 0};
        }
        for (int i = 0; i < sums; i++) {
            assert_true(sqlite3_column_type(select, keys + 1 + i) != SQLITE_FLOAT);
            sum[i] = sqlite3_column_int64(select, keys + 1 + i);
        }
        if (dpn_tally_add_sums(tally, key, (uint64_t)sqlite3_column_int64(select, keys), sum, &why))
            fail_msg("%s:\n%s", why.sentence, sql);
    }
    if (step != SQLITE_DONE) fail_msg("%s:\n%s", sqlite3_errmsg(engine), sql);
    sqlite3_finalize(select);
    free(sum);
    return tally;
}

static bool same_group(const dpn_query *query, const dpn_group *a, const dpn_group *b) {
    size_t counts = 0;
    for (size_t i = 0; i < dpn_bin_sets(query); i++) counts += query->bins[i].edges - 1;
    for (size_t i = 0; i < query->declaration.bys; i++)
        if (a->length[i] != b->length[i] || memcmp(a->key[i], b->key[i], a->length[i]) != 0) return false;
    return memcmp(a->sum, b->sum, query->moments * sizeof *a->sum) == 0 &&
           (counts == 0 || memcmp(a->count, b->count, counts * sizeof *a->count) == 0);
}

static void assert_same(const dpn_query *query, dpn_tally *rows, dpn_tally *sums, const char *question,
                        const char *sql) {
    const dpn_group *a, *b;
    size_t count_a = 0, count_b = 0;
    dpn_error why = {DPN_OK, ""};
    if (dpn_tally_settle(&a, &count_a, rows, &why) || dpn_tally_settle(&b, &count_b, sums, &why))
        fail_msg("%s", why.sentence);
    bool equal = count_a == count_b;
    for (size_t i = 0; equal && i < count_a; i++) equal = same_group(query, &a[i], &b[i]);
    if (!equal) fprintf(stderr, "%s\n", sql);
    if (!equal) fail_msg("other sums, of %zu groups and %zu: %s\n%s", count_a, count_b, question, sql);
}

static void engines_make_the_sums(void **state) {
    (void)state;
    static dpn_value row[MOST_ROWS][COLUMNS];
    draw_source source = {77};
    size_t made[5] = {0};
    seeded random;
    seeded_begin(&random, 78);
    int trials = points(250, 5000);
    for (int trial = 0; trial < trials; trial++) {
        char json[DECLARED_SIZE], words_of[DECLARED_SIZE];
        dpn_dialect dialect = (dpn_dialect)(trial % 5);
        dpn_query *query = NULL;
        dpn_error why = {DPN_OK, ""};
        sqlite3 *engine = NULL;
        char *sql = NULL;
        size_t rows = 1 + below(&source, MOST_ROWS);
        for (size_t i = 0; i < rows; i++)
            for (size_t c = 0; c < COLUMNS; c++) row[i][c] = some_value(&source, c);
        some_question(words_of, sizeof words_of, &source);
        dpn_declaration declaration = declared_read(declared_quotes(json, words_of));
        if (dpn_query_new_shape(&query, &declaration, &why)) fail_msg("%s: %s", why.sentence, json);
        dpn_sql_type type[COLUMNS];
        for (size_t c = 0; dpn_query_column(query, c); c++) type[c] = types[place_of(dpn_query_column(query, c))];
        dpn_sql_options options = dpn_sql_options_init();
        options.dialect = dialect;
        options.table = "t";
        options.type = type;
        dpn_status status = dpn_query_sql(&sql, query, &options, &why);
        if (status && status != DPN_EUNSUPPORTED) fail_msg("%s: %s", why.sentence, json);
        if (!status) {
            assert_int_equal(sqlite3_open(":memory:", &engine), SQLITE_OK);
            teach(engine, &dialect);
            fill_table(engine, row, rows);
            char *ours = in_our_words(sql, dialect);
            dpn_tally *direct = tallied(query, &random, row, rows);
            dpn_tally *pushed = summed(query, &random, engine, ours, dialect == DPN_DIALECT_SQLITE);
            assert_same(query, direct, pushed, json, ours);
            dpn_tally_free(direct);
            dpn_tally_free(pushed);
            free(ours);
            sqlite3_close(engine);
            made[dialect]++;
        }
        free(sql);
        dpn_query_free(query);
        dpn_declaration_free(&declaration);
    }
    for (size_t d = 0; d < 5; d++)
        if (made[d] < (trials >= 250 ? (size_t)trials / 25 : 1))
            fail_msg("%s made %zu", dpn_dialect_name((dpn_dialect)d), made[d]);
}

/* ---- What is refused ---- */

enum {
    POSTGRESQL = 1 << DPN_DIALECT_POSTGRESQL,
    DUCKDB = 1 << DPN_DIALECT_DUCKDB,
    CLICKHOUSE = 1 << DPN_DIALECT_CLICKHOUSE,
    SQLITE = 1 << DPN_DIALECT_SQLITE,
    SPARK = 1 << DPN_DIALECT_SPARK,
    ALL = 31,
    NONE = 0
};

static dpn_query *shape_of(const char *question) {
    char json[DECLARED_SIZE];
    dpn_declaration declaration = declared_read(declared_quotes(json, question));
    dpn_query *query = NULL;
    dpn_error why = {DPN_OK, ""};
    if (dpn_query_new_shape(&query, &declaration, &why)) fail_msg("%s: %s", why.sentence, json);
    dpn_declaration_free(&declaration);
    return query;
}

/* All columns have the same type. Which engines make the sums, a bit each. */
static void assert_makers(const char *question, dpn_sql_type type, int makers) {
    static const dpn_tally_secret secret = {{7}};
    dpn_query *query = shape_of(question);
    dpn_sql_type of[COLUMNS] = {type, type, type, type};
    for (int d = 0; d < 5; d++) {
        dpn_sql_options options = dpn_sql_options_init();
        dpn_error why = {DPN_OK, ""};
        char *sql = NULL;
        options.dialect = (dpn_dialect)d;
        options.table = "t";
        options.type = of;
        options.secret = &secret;
        dpn_status status = dpn_query_sql(&sql, query, &options, &why);
        if (status != (makers >> d & 1 ? DPN_OK : DPN_EUNSUPPORTED))
            fail_msg("%s, %s, %s: status %d, %s", question, dpn_sql_type_name(type), dpn_dialect_name((dpn_dialect)d),
                     status, why.sentence);
        assert_true(status ? !sql && why.sentence[0] : sql != NULL);
        free(sql);
    }
    dpn_query_free(query);
}

static void types_and_bounds_that_engines_take(void **state) {
    (void)state;
    static const struct {
        const char *question;
        int makers[6]; /* of unknown, integer, real, single, decimal, text */
    } some[] = {
        {"{'statistics': [{'kind': 'sum', 'column': 'x', 'lower': '0', 'upper': '100'}], 'epsilon': '1'}",
         {NONE, ALL, ALL, ALL & ~SQLITE, POSTGRESQL, NONE}},
        {"{'statistics': [{'kind': 'count'}], 'by': [{'column': 'x'}], 'epsilon': '1', 'delta': '1e-6'}",
         {NONE, ALL, POSTGRESQL, POSTGRESQL, POSTGRESQL, ALL}},
        {"{'statistics': [{'kind': 'count'}], 'where': [{'column': 'x', 'is': '<', 'value': '3'}], 'epsilon': '1'}",
         {NONE, ALL, ALL, ALL & ~SQLITE, POSTGRESQL, NONE}},
        {"{'statistics': [{'kind': 'count'}], 'where': [{'column': 'x', 'is': '!=', 'value': '3'}], 'epsilon': '1'}",
         {NONE, ALL, POSTGRESQL, POSTGRESQL, POSTGRESQL, NONE}},
        {"{'statistics': [{'kind': 'sum', 'column': 'x', 'lower': '0', 'upper': '100'}], 'na': ['?'], 'epsilon': '1'}",
         {NONE, ALL, POSTGRESQL, POSTGRESQL, POSTGRESQL, NONE}},
        {"{'statistics': [{'kind': 'sum', 'column': 'x', 'lower': '-3e-9', 'upper': '1.5e-9'}], 'epsilon': '1'}",
         {NONE, ALL, POSTGRESQL, POSTGRESQL, POSTGRESQL, NONE}},
        {"{'statistics': [{'kind': 'sum', 'column': 'x', 'lower': '0', 'upper': '1e-13'}], 'epsilon': '1'}",
         {NONE, NONE, POSTGRESQL, POSTGRESQL, POSTGRESQL, NONE}},
        {"{'statistics': [{'kind': 'mean', 'column': 'x', 'lower': '1e9', 'upper': '1000000000.01'}], 'epsilon': '1'}",
         {NONE, NONE, NONE, NONE, NONE, NONE}},
        {"{'statistics': [{'kind': 'count'}], 'person': 'x', 'epsilon': '1'}",
         {NONE, POSTGRESQL | DUCKDB | CLICKHOUSE, POSTGRESQL, POSTGRESQL, POSTGRESQL,
          POSTGRESQL | DUCKDB | CLICKHOUSE}},
        {"{'statistics': [{'kind': 'sum', 'column': 'r', 'lower': '0', 'upper': '100'}], 'person': 'x', 'per_person': "
         "'sum', 'epsilon': '1'}",
         {NONE, NONE, NONE, NONE, NONE, NONE}},
        {"{'statistics': [{'kind': 'count'}], 'by': [{'column': 'Dpn_x'}], 'epsilon': '1', 'delta': '1e-6'}",
         {NONE, NONE, NONE, NONE, NONE, NONE}},
        {"{'statistics': [{'kind': 'count'}], 'by': [{'column': 'dpn'}], 'epsilon': '1', 'delta': '1e-6'}",
         {NONE, ALL, POSTGRESQL, POSTGRESQL, POSTGRESQL, ALL}},
        {"{'statistics': [{'kind': 'sum', 'column': 'DPN_x', 'lower': '0', 'upper': '100'}], 'epsilon': '1'}",
         {NONE, ALL & ~CLICKHOUSE, ALL & ~CLICKHOUSE, ALL & ~SQLITE & ~CLICKHOUSE, POSTGRESQL, NONE}},
        {"{'statistics': [{'kind': 'sum', 'column': 'a${b}', 'lower': '0', 'upper': '100'}], 'epsilon': '1'}",
         {NONE, ALL & ~SPARK, ALL & ~SPARK, ALL & ~SQLITE & ~SPARK, POSTGRESQL, NONE}},
    };
    for (size_t i = 0; i < sizeof some / sizeof *some; i++)
        for (int type = 0; type < 6; type++) assert_makers(some[i].question, (dpn_sql_type)type, some[i].makers[type]);
    for (int upper = 1400; upper <= 1600; upper += 200) { /* a sum for each candidate, and 1500 may be */
        char question[200];
        snprintf(question, sizeof question,
                 "{'statistics': [{'kind': 'quantile', 'column': 'x', 'quantile': '0.5', 'lower': '0', 'upper': '%d', "
                 "'step': '1'}], 'epsilon': '1'}",
                 upper);
        assert_makers(question, DPN_SQL_INTEGER, upper > 1500 ? NONE : ALL);
    }
}

static void options_that_make_no_sense(void **state) {
    (void)state;
    static const char question[] = "{'statistics': [{'kind': 'count'}], 'person': 'x', 'epsilon': '1'}";
    static const dpn_sql_type type[] = {DPN_SQL_TEXT};
    static const dpn_tally_secret secret = {{7}};
    dpn_query *query = shape_of(question);
    for (int wrong = 0; wrong < 7; wrong++) {
        dpn_sql_options options = dpn_sql_options_init();
        dpn_error why = {DPN_OK, ""};
        char *sql = NULL;
        options.dialect = wrong == 3 ? (dpn_dialect)5 : DPN_DIALECT_POSTGRESQL;
        options.table = wrong == 1 || wrong == 6 ? NULL : "a table";
        options.from = wrong == 6 ? "(SELECT 1) AS one" : NULL;
        options.type = wrong == 2 ? NULL : type;
        options.secret = wrong == 4 ? NULL : &secret;
        options.schema = wrong == 0 ? "a schema" : NULL;
        dpn_status status = dpn_query_sql(&sql, wrong == 5 ? NULL : query, &options, &why);
        bool fine = wrong == 0 || wrong == 6;
        if (status != (fine ? DPN_OK : DPN_EDOMAIN)) fail_msg("%d: status %d, %s", wrong, status, why.sentence);
        if (fine) assert_non_null(strstr(sql, wrong ? "FROM (SELECT 1) AS one" : "FROM \"a schema\".\"a table\""));
        if (!fine) assert_null(sql);
        free(sql);
    }
    dpn_query_free(query);
}

/* Rows of a person are copies of each other where group and record are equal: they are numbered within what the lot of a row is made of, or which rows are
 * taken would hang on the order of the table. The lot has CAST(NAME AS BIGINT) for each number of a record. */
static void copies_are_equal_in_all_that_lots_are_of(void **state) {
    (void)state;
    static const char *const questions[] = {
        "{'statistics': [{'kind': 'sum', 'column': 'x', 'lower': '0', 'upper': '100'}, {'kind': 'histogram', 'column': "
        "'r', "
        "'edges': ['0', '1', '2']}], 'by': [{'column': 'g', 'levels': ['a', 'b']}], 'person': 'k', 'max_rows': '2', "
        "'epsilon': '1'}",
        "{'statistics': [{'kind': 'covariance', 'columns': ['x', 'r'], 'lower': ['0', '0'], 'upper': ['9', '9']}], "
        "'person': 'k', 'max_rows': '2', 'epsilon': '1'}"};
    static const dpn_tally_secret secret = {{7}};
    static const int numbers[] = {2, 2};
    for (size_t q = 0; q < sizeof questions / sizeof *questions; q++)
        for (int d = 0; d < 3; d++) { /* PostgreSQL, DuckDB, ClickHouse */
            static const char begin[] = "row_number() OVER (PARTITION BY ", end[] = ") - 1 AS dpn_c",
                              cast[] = "CAST(dpn_";
            dpn_query *query = shape_of(questions[q]);
            dpn_sql_type type[COLUMNS];
            dpn_sql_options options = dpn_sql_options_init();
            dpn_error why = {DPN_OK, ""};
            char *sql = NULL, within[500] = "";
            for (size_t c = 0; dpn_query_column(query, c); c++)
                type[c] = dpn_query_column(query, c)[0] == 'g' ? DPN_SQL_TEXT : DPN_SQL_INTEGER;
            options.dialect = (dpn_dialect)d;
            options.table = "t";
            options.type = type;
            options.secret = &secret;
            if (dpn_query_sql(&sql, query, &options, &why)) fail_msg("%s", why.sentence);
            const char *last = strstr(sql, end), *first = NULL;
            assert_non_null(last);
            for (const char *at = strstr(sql, begin); at && at < last; at = strstr(at + 1, begin)) first = at;
            assert_non_null(first);
            first += strlen(begin);
            snprintf(within, sizeof within, ", %.*s,", (int)(last - first), first);
            int found = 0;
            char seen[8][24];
            for (const char *at = strstr(sql, cast); at; at = strstr(at + 1, cast)) {
                char name[24];
                bool again = false;
                if (sscanf(at, "CAST(%20[^ ] AS BIGINT)", name) != 1 || !strchr("mb", name[4])) continue;
                for (int i = 0; i < found; i++) again |= strcmp(seen[i], name) == 0;
                if (again || found == 8) continue;
                strcpy(seen[found++], name);
                char listed[32];
                snprintf(listed, sizeof listed, ", %s,", name);
                if (!strstr(within, listed)) fail_msg("%s is not in '%s'", name, within);
            }
            assert_int_equal(found, numbers[q]);
            assert_non_null(strstr(within, ", dpn_p,"));
            if (query->declaration.bys > 0) assert_non_null(strstr(within, ", dpn_k0,"));
            free(sql);
            dpn_query_free(query);
        }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(engines_make_the_sums),
        cmocka_unit_test(types_and_bounds_that_engines_take),
        cmocka_unit_test(options_that_make_no_sense),
        cmocka_unit_test(copies_are_equal_in_all_that_lots_are_of),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
