/* The engines, a row each. */
#include "release/push/dialect.h"

#include <dpnoise/number.h>
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#define PG_BYTE(n) "pg_catalog.substr(pg_catalog.int8send(%s), " #n ", 1)"
#define DUCK_BYTE(n) "substr(lpad(hex(CAST(%s AS BIGINT)), 16, '0'), " #n ", 2)"

static const dpn_dialect_row rows[] = {
    [DPN_DIALECT_POSTGRESQL] = {.name = "postgresql",
                                .quote = '"',
                                .real = "float8",
                                .integer = "CAST(%s AS BIGINT)",
                                .from_text = "CAST(%s AS float8)",
                                .text = "(%s)::text",
                                .bytes = "(%s) COLLATE \"C\"",
                                .trim = "pg_catalog.btrim(%s, E' \\t')",
                                .least = "LEAST(%s, %s)",
                                .greatest = "GREATEST(%s, %s)",
                                .floor = "pg_catalog.floor(%s)::int8",
                                .halve = "((%s) >> 1)",
                                .divide = "((%s) / (%s))",
                                .shift = "((%s) >> %s)",
                                .infinity = "'infinity'",
                                .count_if = "count(*) FILTER (WHERE %s)",
                                .sum = "COALESCE(sum(%s), 0)",
                                .small = "(%s)::int4",
                                .whole = "pg_catalog.floor(%s)",
                                .small_floor = "pg_catalog.floor(%s)::int4",
                                .number = "(%s)::numeric",
                                .digest = "pg_catalog.sha256(%s)",
                                .as_bytes = "pg_catalog.convert_to(%s, 'UTF8')",
                                .word = PG_BYTE(8) "||" PG_BYTE(7) "||" PG_BYTE(6) "||" PG_BYTE(5) "||" PG_BYTE(
                                    4) "||" PG_BYTE(3) "||" PG_BYTE(2) "||" PG_BYTE(1),
                                .joined = "||",
                                .hex = "pg_catalog.decode('%s', 'hex')", /* a backslash may be one or not */
                                .shortest = true},
    [DPN_DIALECT_DUCKDB] = {.name = "duckdb",
                            .quote = '"',
                            .real = "DOUBLE",
                            .integer = "CAST(%s AS BIGINT)",
                            .from_text = "CAST(%s AS DOUBLE)",
                            .text = "decode(encode(CAST(%s AS VARCHAR)))", /* which has no collation */
                            .bytes = "%s",
                            .trim = "trim(%s, ' ' || chr(9))",
                            .least = "LEAST(%s, %s)",
                            .greatest = "GREATEST(%s, %s)",
                            .between = true,
                            .floor = "CAST(floor(%s) AS BIGINT)",
                            .halve = "((%s) >> 1)",
                            .divide = "((%s) // (%s))",
                            .infinity = "CAST('infinity' AS DOUBLE)",
                            .count_if = "count(*) FILTER (WHERE %s)",
                            .sum = "CAST(COALESCE(sum(%s), 0) AS BIGINT)",
                            .digest = "sha256(%s)",
                            .as_bytes = "encode(%s)",
                            .word = "unhex(" DUCK_BYTE(15) "||" DUCK_BYTE(13) "||" DUCK_BYTE(11) "||" DUCK_BYTE(
                                9) "||" DUCK_BYTE(7) "||" DUCK_BYTE(5) "||" DUCK_BYTE(3) "||" DUCK_BYTE(1) ")",
                            .joined = "||",
                            .hex = "unhex('%s')"},
    [DPN_DIALECT_CLICKHOUSE] = {.name = "clickhouse",
                                .quote = '`',
                                .backslash = true,
                                .seen_within = true,
                                .real = "Float64",
                                .integer = "toInt64(%s)",
                                .from_text = "toFloat64(%s)",
                                .text = "toString(%s)",
                                .bytes = "%s",
                                .trim = "replaceRegexpAll(%s, '^[ \\t]+|[ \\t]+$', '')", /* trim is younger */
                                .least = "least(%s, %s)",
                                .greatest = "greatest(%s, %s)",
                                .floor = "toInt64(floor(if(isFinite(%s), %s, 0)))", /* NaN would raise */
                                .halve = "intDiv(%s, 2)",
                                .divide = "intDiv(%s, %s)",
                                .infinity = "inf",
                                .count_if =
                                    "countIf(ifNull(%s, 0))", /* of NULL alone it would be NULL in old versions */
                                .sum = "sum(toInt64(ifNull(%s, 0)))",
                                .digest = "SHA256(%s)",
                                .as_bytes = "toString(%s)",
                                .word = "reinterpretAsFixedString(toInt64(%s))", /* a String drops zeros */
                                .joined = "||",
                                .hex = "unhex('%s')"},
    [DPN_DIALECT_SQLITE] = {.name = "sqlite",
                            .quote = '"',
                            .real = "REAL",
                            .integer = "CAST(%s AS INTEGER)",
                            .from_text = "CAST(%s AS REAL)",
                            .text = "CAST(%s AS TEXT)",
                            .bytes = "%s COLLATE BINARY",
                            .trim = "trim(%s, ' ' || char(9))",
                            .least = "min(%s, %s)",
                            .greatest = "max(%s, %s)",
                            .floor = "(CAST(%s AS INTEGER) - (CAST(%s AS INTEGER) > %s))",
                            .halve = "((%s) >> 1)",
                            .divide = "((%s) / (%s))",
                            .shift = "((%s) >> %s)",
                            .infinity = "9e999",
                            .count_if = "count(CASE WHEN %s THEN 1 END)",
                            .sum = "COALESCE(sum(%s), 0)",
                            .any_type = true},
    [DPN_DIALECT_SPARK] = {.name = "spark",
                           .quote = '`',
                           .variables = true,
                           .real = "DOUBLE",
                           .integer = "CAST(%s AS BIGINT)",
                           .from_text = "CAST(%s AS DOUBLE)",
                           .text = "CAST(%s AS STRING)",
                           .bytes = "%s",
                           .trim = "trim(BOTH CAST(X'2009' AS STRING) FROM %s)",
                           .least = "least(%s, %s)",
                           .greatest = "greatest(%s, %s)",
                           .floor = "CAST(floor(%s) AS BIGINT)",
                           .halve = "((%s) div 2)",
                           .divide = "((%s) div (%s))",
                           .infinity = "CAST('Infinity' AS DOUBLE)",
                           .count_if = "count_if(%s)",
                           .sum = "COALESCE(sum(CAST(%s AS BIGINT)), 0)"},
};

enum { ROWS = sizeof rows / sizeof *rows };

const dpn_dialect_row *dpn_dialect_of(dpn_dialect dialect) {
    return (size_t)dialect < ROWS ? &rows[dialect] : NULL;
}

const char *dpn_dialect_name(dpn_dialect dialect) {
    const dpn_dialect_row *row = dpn_dialect_of(dialect);
    return row ? row->name : NULL;
}

const char *dpn_sql_type_name(dpn_sql_type type) {
    static const char *const names[] = {"unknown", "integer", "real", "single", "decimal", "text"};
    return (size_t)type < sizeof names / sizeof *names ? names[type] : NULL;
}

/* ---- Writing ---- */

/* The first %s is `one`, further ones are `two`, or `one` again if there is none. */
void dpn_sql_put(dpn_text *out, const char *form, const char *one, const char *two) {
    bool first = true;
    for (const char *at = form; *at; at++) {
        if (at[0] != '%' || at[1] != 's') {
            dpn_text_add(out, at, 1);
            continue;
        }
        dpn_text_put(out, first || !two ? one : two);
        first = false;
        at++;
    }
}

static void put_quoted(dpn_text *out, const char *text, char quote, bool backslash) {
    dpn_text_add(out, &quote, 1);
    for (const char *at = text; *at; at++) {
        if (*at == quote) dpn_text_add(out, backslash ? "\\" : &quote, 1);
        if (*at == '\\' && backslash) dpn_text_put(out, "\\");
        dpn_text_add(out, at, 1);
    }
    dpn_text_add(out, &quote, 1);
}

/* Spark's settings say what a backslash is, and a variable is put in the place of ${...}, wherever it stands: such a text is written as its bytes. */
static void put_bytes(dpn_text *out, const char *text) {
    static const char digits[] = "0123456789abcdef";
    dpn_text_put(out, "CAST(X'");
    for (const unsigned char *at = (const unsigned char *)text; *at; at++) {
        dpn_text_add(out, &digits[*at >> 4], 1);
        dpn_text_add(out, &digits[*at & 15], 1);
    }
    dpn_text_put(out, "' AS STRING)");
}

void dpn_sql_text(dpn_text *out, const dpn_dialect_row *dialect, const char *text) {
    if (dialect->variables && strpbrk(text, "\\'$")) {
        put_bytes(out, text);
        return;
    }
    bool escape = dialect == &rows[DPN_DIALECT_POSTGRESQL] && strchr(text, '\\'); /* whatever the server takes it for */
    if (escape) dpn_text_put(out, "E");
    put_quoted(out, text, '\'', dialect->backslash || escape);
}

/* Spark doubles a backquote and knows no backslash in names; ClickHouse knows both. */
void dpn_sql_name(dpn_text *out, const dpn_dialect_row *dialect, const char *name) {
    put_quoted(out, name, dialect->quote, dialect == &rows[DPN_DIALECT_CLICKHOUSE]);
}

void dpn_sql_integer(dpn_text *out, int64_t number) {
    char text[32];
    snprintf(text, sizeof text, number < 0 ? "(%" PRId64 ")" : "%" PRId64, number);
    dpn_text_put(out, number == INT64_MIN ? "(-9223372036854775807 - 1)" : text);
}

static void put_cast(dpn_text *out, const dpn_dialect_row *dialect, const char *number) {
    dpn_text_put(out, "CAST(");
    dpn_text_put(out, number);
    dpn_text_put(out, " AS ");
    dpn_text_put(out, dialect->real);
    dpn_text_put(out, ")");
}

/* PostgreSQL reads decimals as the nearest double; elsewhere, where that is not sure, a whole number of up to 53 bits is divided by powers of two or
 * multiplied with them, which rounds nothing. */
void dpn_sql_real(dpn_text *out, const dpn_dialect_row *dialect, double number) {
    enum { BITS = 60 };
    char text[DPN_NUMBER_SIZE + 8];
    if (dialect == &rows[DPN_DIALECT_POSTGRESQL]) {
        dpn_number_print(text, number);
        dpn_text_put(out, "float8 '");
        dpn_text_put(out, text);
        dpn_text_put(out, "'");
        return;
    }
    int exponent = 0;
    double part = frexp(number, &exponent);
    int64_t whole = (int64_t)ldexp(part, 53);
    exponent = number == 0 ? 0 : exponent - 53;
    while (whole != 0 && whole % 2 == 0) whole /= 2, exponent++;
    dpn_text_put(out, "(");
    snprintf(text, sizeof text, "%" PRId64, whole);
    put_cast(out, dialect, text);
    for (int left = abs(exponent); left > 0; left -= left < BITS ? left : BITS) {
        dpn_text_put(out, exponent < 0 ? " / " : " * ");
        snprintf(text, sizeof text, "%" PRId64, (int64_t)1 << (left < BITS ? left : BITS));
        put_cast(out, dialect, text);
    }
    dpn_text_put(out, ")");
}
