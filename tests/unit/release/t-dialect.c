/* How engines are written to: the numbers, texts and names of a query, read back by the rules of each engine, are those that were meant. */
#include "release/push/dialect.h"

#include "reference/draw.h"

#include <inttypes.h>
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

enum { ENGINES = 5 };

static const dpn_dialect engines[ENGINES] = {DPN_DIALECT_POSTGRESQL, DPN_DIALECT_DUCKDB, DPN_DIALECT_CLICKHOUSE,
                                             DPN_DIALECT_SQLITE, DPN_DIALECT_SPARK};

/* ---- Numbers ---- */

static void take(const char **at, const char *word) {
    if (strncmp(*at, word, strlen(word)) != 0) fail_msg("'%s' is expected in '%s'", word, *at);
    *at += strlen(word);
}

/* CAST(4503599627370497 AS DOUBLE): a whole number that a double is. */
static double read_cast(const char **at, const char *type) {
    char *end = NULL;
    take(at, "CAST(");
    long long whole = strtoll(*at, &end, 10);
    double number = (double)whole;
    assert_true(end != *at && number < 0x1p62 && number > -0x1p62 && (long long)number == whole);
    *at = end;
    take(at, " AS ");
    take(at, type);
    take(at, ")");
    return number;
}

static double read_real(const char *at, const dpn_dialect_row *row, dpn_dialect engine) {
    double number = 0;
    if (engine == DPN_DIALECT_POSTGRESQL) {
        char *end = NULL;
        take(&at, "float8 '");
        number = strtod(at, &end);
        assert_string_equal(end, "'");
        return number;
    }
    take(&at, "(");
    number = read_cast(&at, row->real);
    while (*at == ' ') {
        bool over = at[1] == '/';
        take(&at, over ? " / " : " * ");
        double next = read_cast(&at, row->real);
        number = over ? number / next : number * next;
    }
    assert_string_equal(at, ")");
    return number;
}

static void reals_are_exact(void **state) {
    (void)state;
    static const double some[] = {0,         1,
                                  -1,        0.1,
                                  -0.3,      60,
                                  1e300,     -1e-300,
                                  0x1p-1074, 0x1.fffffffffffffp1023,
                                  0x1p60,    0x1p61,
                                  0x1p-60,   0x1p-61,
                                  0x1.8p119, 0x1p120,
                                  -0x1p53,   0x1.fffffffffffffp52};
    draw_source source = {8};
    for (size_t i = 0; i < 3000; i++) {
        double number = 0;
        uint64_t bits = draw_bits(&source);
        memcpy(&number, &bits, sizeof number);
        if (i % 3 == 0) number = ldexp((double)(bits >> 40), (int)(bits % 200) - 100);
        if (i < sizeof some / sizeof *some) number = some[i];
        if (!isfinite(number)) continue;
        for (size_t e = 0; e < ENGINES; e++) {
            const dpn_dialect_row *row = dpn_dialect_of(engines[e]);
            dpn_text text = {0};
            dpn_sql_real(&text, row, number);
            assert_false(text.failed);
            double back = read_real(text.at, row, engines[e]);
            if (back != number) fail_msg("%s: %a became %a: %s", row->name, number, back, text.at);
            free(text.at);
        }
    }
}

/* What is below 0 stands in brackets, lest a sign before it make a comment; the least is no literal of any engine. */
static void integers_are_exact(void **state) {
    (void)state;
    static const int64_t some[] = {0, 1, -1, 9, -10, INT64_MAX, -INT64_MAX, INT64_MIN, INT64_MIN + 1, 1234567890123};
    for (size_t i = 0; i < sizeof some / sizeof *some; i++) {
        dpn_text text = {0};
        char expected[40];
        dpn_sql_integer(&text, some[i]);
        snprintf(expected, sizeof expected, some[i] < 0 ? "(%lld)" : "%lld", (long long)some[i]);
        assert_string_equal(text.at, some[i] == INT64_MIN ? "(-9223372036854775807 - 1)" : expected);
        free(text.at);
    }
}

/* ---- Texts and names ---- */

static int digit(char c) {
    const char *digits = "0123456789abcdef", *at = strchr(digits, c);
    assert_true(c && at);
    return (int)(at - digits);
}

/* X'...' of Spark. */
static void read_bytes(char *out, const char *at) {
    take(&at, "CAST(X'");
    for (; *at != '\''; at += 2) *out++ = (char)(digit(at[0]) * 16 + digit(at[1]));
    assert_string_equal(at, "' AS STRING)");
    *out = '\0';
}

/* A quote is doubled, or has a backslash before it where that is an escape; of the others an engine knows that double theirs. */
static void read_quoted(char *out, const char *at, char quote, bool backslash) {
    assert_true(*at++ == quote);
    for (; *at && !(*at == quote && at[1] == '\0'); at++) {
        if (backslash && *at == '\\')
            at++;
        else if (*at == quote && *++at != quote)
            fail_msg("the quotation ends before '%s'", at);
        *out++ = *at;
    }
    assert_true(*at == quote);
    *out = '\0';
}

static void read_text(char *out, const char *at, dpn_dialect engine) {
    bool escaped = engine == DPN_DIALECT_POSTGRESQL && *at == 'E';
    if (engine == DPN_DIALECT_SPARK && *at == 'C') {
        read_bytes(out, at);
        return;
    }
    if (strchr(at, '\\'))
        assert_true(escaped || engine == DPN_DIALECT_CLICKHOUSE || engine == DPN_DIALECT_DUCKDB ||
                    engine == DPN_DIALECT_SQLITE);
    if (engine == DPN_DIALECT_SPARK) assert_null(strpbrk(at, "\\$"));
    read_quoted(out, at + escaped, '\'', escaped || engine == DPN_DIALECT_CLICKHOUSE);
}

static void texts_and_names_read_back(void **state) {
    (void)state;
    static const char letters[] = "a'\"`\\$% E\xc3\xa4{\x7f\xff";
    draw_source source = {9};
    for (size_t i = 0; i < 2000; i++) {
        char meant[12] = "", back[80];
        size_t length = draw_bits(&source) % (sizeof meant - 1);
        for (size_t j = 0; j < length; j++) meant[j] = letters[draw_bits(&source) % (sizeof letters - 1)];
        for (size_t e = 0; e < ENGINES; e++) {
            const dpn_dialect_row *row = dpn_dialect_of(engines[e]);
            bool clickhouse = engines[e] == DPN_DIALECT_CLICKHOUSE;
            dpn_text text = {0}, name = {0};
            dpn_sql_text(&text, row, meant);
            read_text(back, text.at, engines[e]);
            assert_string_equal(back, meant);
            dpn_sql_name(&name, row, meant);
            read_quoted(back, name.at, clickhouse || engines[e] == DPN_DIALECT_SPARK ? '`' : '"', clickhouse);
            assert_string_equal(back, meant);
            free(text.at);
            free(name.at);
        }
    }
}

/* ---- Forms ---- */

static void forms_take_their_parts(void **state) {
    (void)state;
    static const struct {
        const char *form, *one, *two, *made;
    } some[] = {
        {"f(%s)", "x", NULL, "f(x)"},         {"%s + %s", "x", "y", "x + y"},
        {"%s%s%s", "x", "y", "xyy"},          {"%s > %s - %s", "x", NULL, "x > x - x"},
        {"10 % 3 %d", "x", "y", "10 % 3 %d"}, {"", "x", "y", NULL},
    };
    for (size_t i = 0; i < sizeof some / sizeof *some; i++) {
        dpn_text text = {0};
        dpn_sql_put(&text, some[i].form, some[i].one, some[i].two);
        if (some[i].made)
            assert_string_equal(text.at, some[i].made);
        else
            assert_true(text.length == 0);
        free(text.at);
    }
}

static void engines_have_names(void **state) {
    (void)state;
    static const char *const names[ENGINES] = {"postgresql", "duckdb", "clickhouse", "sqlite", "spark"};
    static const char *const types[] = {"unknown", "integer", "real", "single", "decimal", "text"};
    for (size_t e = 0; e < ENGINES; e++) {
        assert_string_equal(dpn_dialect_name(engines[e]), names[e]);
        assert_ptr_equal(dpn_dialect_of(engines[e])->name, dpn_dialect_name(engines[e]));
    }
    assert_null(dpn_dialect_name((dpn_dialect)ENGINES));
    assert_null(dpn_dialect_of((dpn_dialect)ENGINES));
    for (int t = 0; t < 6; t++) assert_string_equal(dpn_sql_type_name((dpn_sql_type)t), types[t]);
    assert_null(dpn_sql_type_name((dpn_sql_type)6));
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(reals_are_exact),           cmocka_unit_test(integers_are_exact),
        cmocka_unit_test(texts_and_names_read_back), cmocka_unit_test(forms_take_their_parts),
        cmocka_unit_test(engines_have_names),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
