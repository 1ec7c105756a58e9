/* Numbers in the words of an engine, by one that is here: steps, comparisons and bins that SQLite makes of them against rational numbers, near every edge; the least number whose
 * text reaches a decimal, by its neighbour; and which bounds an engine can take. */
#include "release/push/number.c" /* to see its steps */
#include "release/push/sums.c"

#include "reference/draw.h"
#include "unit/release/rational.h"

#include <setjmp.h>
#include <sqlite3.h>
#include <stdarg.h>
#include <string.h>

#include <cmocka.h>

/* ---- An engine ---- */

static sqlite3 *engine;

/* Rounded down to a whole number of 32 bits, which others raise an error for. */
static void small_floor(sqlite3_context *context, int count, sqlite3_value **value) {
    (void)count;
    double number = floor(sqlite3_value_double(value[0]));
    if (fabs(number) < 0x1p31)
        sqlite3_result_int64(context, (int64_t)number);
    else
        sqlite3_result_error(context, "no whole number of 32 bits", -1);
}

static void whole_real(sqlite3_context *context, int count, sqlite3_value **value) {
    (void)count;
    sqlite3_result_double(context, floor(sqlite3_value_double(value[0])));
}

/* A number that compares with x as its text does: next to x if that is rounded. */
static void by_text(sqlite3_context *context, int count, sqlite3_value **value) {
    (void)count;
    double x = sqlite3_value_double(value[0]);
    char digits[DPN_NUMBER_SIZE];
    mpq_t exact, written;
    mpq_inits(exact, written, NULL);
    mpq_set_d(exact, x);
    dpn_number_print(digits, x);
    assert_int_equal(rational_read(written, (dpn_field){digits, strlen(digits)}), RATIONAL_NUMBER);
    int order = mpq_cmp(written, exact);
    mpq_clears(exact, written, NULL);
    sqlite3_result_double(context, order ? nextafter(x, order < 0 ? -INFINITY : INFINITY) : x);
}

static int begin(void **state) {
    (void)state;
    return sqlite3_open(":memory:", &engine) ||
           sqlite3_create_function(engine, "small_floor", 1, SQLITE_UTF8, NULL, small_floor, NULL, NULL) ||
           sqlite3_create_function(engine, "by_text", 1, SQLITE_UTF8, NULL, by_text, NULL, NULL) ||
           sqlite3_create_function(engine, "whole_real", 1, SQLITE_UTF8, NULL, whole_real, NULL, NULL);
}

static int end(void **state) {
    (void)state;
    return sqlite3_close(engine);
}

/* What others have and SQLite has not, in its words: CASE for clamping, floors of two kinds. */
static dpn_dialect_row dialect_of(int kind) {
    dpn_dialect_row row = *dpn_dialect_of(DPN_DIALECT_SQLITE);
    row.between = kind & 1;
    row.small_floor = kind & 2 ? "small_floor(%s)" : NULL;
    row.whole = kind & 2 ? "whole_real(%s)" : NULL;
    row.shortest = kind & 4;
    if (kind & 4) row.text = "by_text(%s)", row.number = "%s";
    return row;
}

/* A question about the number x. */
static sqlite3_stmt *asked(dpn_text *expression) {
    dpn_text text = {0};
    sqlite3_stmt *made = NULL;
    assert_false(expression->failed);
    dpn_text_put(&text, "SELECT (");
    for (const char *at = expression->at; *at; at++) /* the exact numbers of PostgreSQL are doubles here */
        if (strncmp(at, "::numeric", 9) == 0)
            at += 8;
        else
            dpn_text_add(&text, at, 1);
    dpn_text_put(&text, ") FROM (SELECT ?1 AS dpn_n0)");
    if (sqlite3_prepare_v2(engine, text.at, -1, &made, NULL)) fail_msg("%s: %s", text.at, sqlite3_errmsg(engine));
    free(text.at);
    free(expression->at);
    return made;
}

static int64_t answer(sqlite3_stmt *question) {
    if (sqlite3_step(question) != SQLITE_ROW) fail_msg("%s: %s", sqlite3_sql(question), sqlite3_errmsg(engine));
    int64_t made = sqlite3_column_int64(question, 0);
    if (sqlite3_column_type(question, 0) != SQLITE_INTEGER) fail_msg("%s: no whole number", sqlite3_sql(question));
    sqlite3_reset(question);
    return made;
}

static int64_t of_integer(sqlite3_stmt *question, int64_t x) {
    sqlite3_bind_int64(question, 1, x);
    return answer(question);
}

static int64_t of_real(sqlite3_stmt *question, double x) {
    sqlite3_bind_double(question, 1, x);
    return answer(question);
}

/* ---- What is put into words ---- */

static char *names[] = {"x"};
static dpn_sql_type types[1];
static const dpn_sql_options sql_options = {.type = types};

static dpn_push push_of(const dpn_query *query, const dpn_dialect_row *dialect, dpn_sql_type type, dpn_error *why) {
    types[0] = type;
    return (dpn_push){.query = query, .dialect = dialect, .options = &sql_options, .why = why};
}

static dpn_numeral numeral_of(const char *text) {
    dpn_numeral out;
    assert_int_equal(dpn_numeral_read(&out, (dpn_field){text, strlen(text)}), DPN_CONTENT_NUMBER);
    return out;
}

static int64_t whole_between(draw_source *source, int64_t low, int64_t high) {
    return low + (int64_t)(draw_bits(source) % ((uint64_t)high - (uint64_t)low + 1));
}

/* ---- Steps ---- */

static int64_t step_of_text(const dpn_measure *measure, const char *text) {
    mpq_t x;
    mpq_init(x);
    assert_int_equal(rational_read(x, (dpn_field){text, strlen(text)}), RATIONAL_NUMBER);
    int64_t step = rational_step(x, measure->exponent, measure->lower, measure->upper);
    mpq_clear(x);
    return step - measure->lower;
}

static dpn_measure some_measure(draw_source *source, int least, int most, int64_t size) {
    dpn_measure measure = {.exponent = least + (int)(draw_bits(source) % (uint64_t)(most - least + 1))};
    int64_t reach = whole_between(source, 1, draw_chance(source, 0.5) ? size : size < 100 ? size : 100);
    do {
        measure.lower = whole_between(source, -reach, reach);
        measure.upper = whole_between(source, -reach, reach);
    } while (measure.lower >= measure.upper);
    return measure;
}

/* Whole numbers at each end, half way between steps, just beside, far out, and anywhere. */
static void whole_numbers_have_the_nearest_step(void **state) {
    (void)state;
    draw_source source = {1};
    dpn_query query = {.column = names, .columns = 1};
    for (int i = 0; i < 1500; i++) {
        dpn_dialect_row dialect = dialect_of(i);
        dpn_error why = {DPN_OK, ""};
        dpn_push push = push_of(&query, &dialect, DPN_SQL_INTEGER, &why);
        int exponent = i % 3 == 0 ? 0 : i % 3 == 1 ? (int)(draw_bits(&source) % 12) : 0;
        dpn_measure measure = i % 3 == 2
                                  ? some_measure(&source, -60, -1, (INT64_C(1) << 51) - 1)
                                  : some_measure(&source, exponent, exponent, INT64_C(1) << (exponent ? 48 : 50));
        dpn_text text = {0};
        if (dpn_push_step(&text, &push, &measure, "dpn_n0")) fail_msg("%s", why.sentence);
        sqlite3_stmt *question = asked(&text);
        for (int k = 0; k < 24; k++) {
            int64_t steps = k < 6    ? measure.lower + k % 3 - 1
                            : k < 12 ? measure.upper + k % 3 - 1
                                     : whole_between(&source, measure.lower - 3, measure.upper + 3);
            int64_t x = exponent > 0 ? steps * (INT64_C(1) << exponent) +
                                           (k & 1 ? (INT64_C(1) << (exponent - 1)) - (k & 2 ? 1 : 0) : 0)
                        : measure.exponent < 0 ? (steps >> -measure.exponent) + k % 3 - 1
                                               : steps;
            if (k == 20) x = INT64_MAX;
            if (k == 21) x = INT64_MIN;
            char digits[30];
            snprintf(digits, sizeof digits, "%" PRId64, x);
            int64_t expected = step_of_text(&measure, digits), found = of_integer(question, x);
            if (found != expected)
                fail_msg("%s of [%" PRId64 ", %" PRId64 "] 2^%d is %" PRId64 ", not %" PRId64, digits, measure.lower,
                         measure.upper, measure.exponent, found, expected);
        }
        sqlite3_finalize(question);
    }
}

/* Reals on steps, half way between them, and next to that. */
static void reals_have_the_nearest_step(void **state) {
    (void)state;
    draw_source source = {2};
    dpn_query query = {.column = names, .columns = 1};
    int made = 0, rounded = 0;
    for (int i = 0; i < 2400; i++) {
        dpn_dialect_row dialect = dialect_of(i / 3);
        dpn_error why = {DPN_OK, ""};
        dpn_push push = push_of(&query, &dialect, DPN_SQL_REAL, &why);
        dpn_measure measure = i % 4 == 0   ? some_measure(&source, -18, 6, 1000)
                              : i % 4 == 1 ? some_measure(&source, 0, 4, INT64_C(1) << 40)
                              : i % 4 == 2 ? some_measure(&source, -3, 30, (INT64_C(1) << 29) + 2)
                                           : some_measure(&source, -30, 80, INT64_C(1) << 45);
        if (i % 8 == 2) measure.upper = (INT64_C(1) << 29) - whole_between(&source, 0, 2) + 1;
        if (i % 16 == 2) measure.lower = -measure.upper;
        dpn_text text = {0};
        dpn_status status = dpn_push_step(&text, &push, &measure, "dpn_n0");
        if (status) {
            assert_int_equal(status, DPN_EUNSUPPORTED);
            assert_false(halves_are_texts(&measure) || dialect.shortest);
            free(text.at);
            continue;
        }
        made++;
        rounded += strstr(text.at, "by_text") != NULL;
        if (strstr(text.at, "small_floor")) /* sums of it are of 32 bits too */
            assert_true(2 * (measure.upper - measure.lower) + 1 <= INT32_MAX);
        assert_true((strstr(text.at, "by_text") != NULL) == !halves_are_texts(&measure));
        sqlite3_stmt *question = asked(&text);
        for (int k = 0; k < 24; k++) {
            int64_t steps = k < 6    ? measure.lower + k % 3 - 1
                            : k < 12 ? measure.upper + k % 3 - 1
                                     : whole_between(&source, measure.lower - 3, measure.upper + 3);
            double x = ldexp((double)(2 * steps + (k & 1)), measure.exponent - 1);
            if (k & 2) x = nextafter(x, k & 4 ? INFINITY : -INFINITY);
            if (k == 20) x = 1e300;
            if (k == 21) x = -1e300;
            if (k == 22) x = 5e-324;
            char digits[DPN_NUMBER_SIZE];
            dpn_number_print(digits, x);
            int64_t expected = step_of_text(&measure, digits), found = of_real(question, x);
            if (found != expected)
                fail_msg("%s of [%" PRId64 ", %" PRId64 "] 2^%d is %" PRId64 ", not %" PRId64, digits, measure.lower,
                         measure.upper, measure.exponent, found, expected);
        }
        sqlite3_finalize(question);
    }
    assert_true(made > 1000 && rounded > 200);
}

/* A half has its own text if no decimal of as many places is nearer than a double can tell: up to one unit in the last place of the largest. */
static void halves_that_are_their_own_texts(void **state) {
    (void)state;
    draw_source source = {3};
    int own = 0, others = 0;
    for (int i = 0; i < 20000; i++) {
        dpn_measure measure = some_measure(&source, -25, 8, (INT64_C(1) << 51) - 1);
        bool told = halves_are_texts(&measure);
        int places = measure.exponent < 1 ? 1 - measure.exponent : 0;
        int64_t size = measure.upper > -measure.lower ? measure.upper : -measure.lower;
        long double most = ldexpl((long double)size, measure.exponent), ulp = ldexpl(1, -52); /* below `most` */
        while (ulp * 0x1p52L * 2 < most) ulp *= 2;
        while (ulp * 0x1p52L >= most) ulp /= 2;
        long double share = powl(10, places) * ulp; /* of a unit in the last of the places */
        bool expected = places == 0 ? most < 0x1p53L : share < 1;
        if (places > 0 && fabsl(share - 1) < 0.01L) continue;
        if (told != expected)
            fail_msg("[%" PRId64 ", %" PRId64 "] 2^%d", measure.lower, measure.upper, measure.exponent);
        own += told;
        others += !told;
        for (int k = 0; k < 4 && told; k++) {
            int64_t steps = whole_between(&source, measure.lower, measure.upper - 1);
            double half = ldexp((double)(2 * steps + 1), measure.exponent - 1);
            char digits[DPN_NUMBER_SIZE];
            mpq_t exact, written;
            mpq_inits(exact, written, NULL);
            mpq_set_d(exact, half);
            dpn_number_print(digits, half);
            assert_int_equal(rational_read(written, (dpn_field){digits, strlen(digits)}), RATIONAL_NUMBER);
            if (!mpq_equal(exact, written)) fail_msg("%s is not %a", digits, half);
            mpq_clears(exact, written, NULL);
        }
    }
    assert_true(own > 3000 && others > 3000);
}

static void bounds_that_are_too_much(void **state) {
    (void)state;
    static const struct {
        dpn_sql_type type;
        dpn_measure measure;
        const char *says; /* NULL: it is made */
    } some[] = {
        {DPN_SQL_INTEGER, {.exponent = 0, .lower = 0, .upper = (INT64_C(1) << 51) - 1}, NULL},
        {DPN_SQL_INTEGER, {.exponent = 0, .lower = 0, .upper = INT64_C(1) << 51}, "more digits than a double"},
        {DPN_SQL_INTEGER, {.exponent = 0, .lower = -(INT64_C(1) << 51), .upper = 0}, "more digits than a double"},
        {DPN_SQL_REAL, {.exponent = 0, .lower = -(INT64_C(1) << 51), .upper = 0}, "more digits than a double"},
        {DPN_SQL_REAL, {.exponent = 1, .lower = 1 - (INT64_C(1) << 51), .upper = 0}, NULL},
        {DPN_SQL_REAL, {.exponent = 0, .lower = 0, .upper = INT64_C(1) << 49}, NULL},
        {DPN_SQL_REAL, {.exponent = 0, .lower = 0, .upper = (INT64_C(1) << 49) + 1}, "so fine that the engine cannot"},
        {DPN_SQL_DECIMAL, {.exponent = 0, .lower = -(INT64_C(1) << 51), .upper = 0}, "more digits than a double"},
        {DPN_SQL_INTEGER, {.exponent = 11, .lower = 0, .upper = (INT64_C(1) << 50) - 1}, NULL},
        {DPN_SQL_INTEGER, {.exponent = 11, .lower = 0, .upper = INT64_C(1) << 50}, "too large for the engine's whole"},
        {DPN_SQL_INTEGER,
         {.exponent = 11, .lower = -(INT64_C(1) << 50), .upper = 1},
         "too large for the engine's whole"},
        {DPN_SQL_INTEGER, {.exponent = 60, .lower = -1, .upper = 1}, NULL},
        {DPN_SQL_INTEGER, {.exponent = 61, .lower = -1, .upper = 1}, "too large for the engine's whole"},
        {DPN_SQL_INTEGER, {.exponent = -60, .lower = 0, .upper = 5}, NULL},
        {DPN_SQL_INTEGER, {.exponent = -61, .lower = 0, .upper = 5}, "too narrow for whole"},
        {DPN_SQL_REAL, {.exponent = -61, .lower = 0, .upper = 5}, "so fine that the engine cannot tell"},
        {DPN_SQL_REAL, {.exponent = 100, .lower = 0, .upper = 5}, "so fine that the engine cannot tell"},
        {DPN_SQL_REAL, {.exponent = 2, .lower = 0, .upper = (INT64_C(1) << 51) - 1}, NULL},
        {DPN_SQL_REAL, {.exponent = 3, .lower = 0, .upper = (INT64_C(1) << 50)}, "so fine that the engine cannot tell"},
        {DPN_SQL_REAL, {.exponent = -21, .lower = 0, .upper = 1}, NULL},
        {DPN_SQL_REAL, {.exponent = -22, .lower = 0, .upper = 1}, "so fine that the engine cannot tell"},
    };
    dpn_query query = {.column = names, .columns = 1};
    for (size_t i = 0; i < sizeof some / sizeof *some; i++) {
        bool decimal = some[i].type == DPN_SQL_DECIMAL;
        const dpn_dialect_row *dialect = dpn_dialect_of(decimal ? DPN_DIALECT_POSTGRESQL : DPN_DIALECT_DUCKDB);
        dpn_error why = {DPN_OK, ""};
        dpn_push push = push_of(&query, dialect, some[i].type, &why);
        dpn_text text = {0};
        dpn_status status = dpn_push_step(&text, &push, &some[i].measure, "dpn_n0");
        if (status != (some[i].says ? DPN_EUNSUPPORTED : DPN_OK)) fail_msg("%zu: %s", i, why.sentence);
        if (some[i].says && (!strstr(why.sentence, some[i].says) || !strstr(why.sentence, "column x")))
            fail_msg("%zu: %s", i, why.sentence);
        free(text.at);
    }
}

/* ---- Comparisons ---- */

static void doubles_in_their_order(void **state) {
    (void)state;
    draw_source source = {4};
    assert_true(double_of(DOUBLES - 1) == 0x1.fffffffffffffp1023 && double_of(0) == -0x1.fffffffffffffp1023);
    assert_true(double_of(DOUBLES / 2) == 0 && !signbit(double_of(DOUBLES / 2)));
    assert_true(double_of(DOUBLES / 2 - 1) == 0 && double_of(DOUBLES / 2 - 2) == -0x1p-1074);
    for (int i = 0; i < 10000; i++) {
        uint64_t order = draw_bits(&source) % (DOUBLES - 1);
        if (order + 1 == DOUBLES / 2) continue; /* both zeros */
        assert_true(double_of(order + 1) == nextafter(double_of(order), INFINITY));
    }
    assert_true(integer_of(0) == INT64_MIN && integer_of(UINT64_MAX) == INT64_MAX &&
                integer_of(UINT64_C(1) << 63) == 0);
}

/* A decimal: a number's text, or one that is a little more or less, or has many digits. */
static void some_decimal(char *out, size_t size, draw_source *source, bool real) {
    char digits[DPN_NUMBER_SIZE];
    uint64_t bits = draw_bits(source);
    double x;
    memcpy(&x, &bits, sizeof x);
    if (!isfinite(x) || draw_chance(source, 0.5)) x = ldexp(draw_uniform(source, -1, 1), (int)(bits % 80) - 10);
    if (real)
        dpn_number_print(digits, x);
    else
        snprintf(digits, sizeof digits, "%" PRId64,
                 draw_chance(source, 0.5) ? (int64_t)bits : (int64_t)(bits % 2001) - 1000);
    switch (draw_bits(source) % 6) {
    case 0:
        snprintf(out, size, "%s", digits);
        break;
    case 1:
        snprintf(out, size, real ? "%s" : "%s.0000000000000000000000000001", digits);
        break;
    case 2:
        snprintf(out, size, real ? "%s" : "%s.5", digits);
        break;
    case 3:
        snprintf(out, size, "%se%d", real ? "3.14159265358979323846264338327950288" : digits,
                 (int)(draw_bits(source) % 40) - 20);
        break;
    case 4:
        snprintf(out, size, "-%s", "123456789012345678.9876543210987654321");
        break;
    default:
        snprintf(out, size, "%.*f", (int)(draw_bits(source) % 25), x);
    }
}

static void the_least_number_that_reaches(void **state) {
    (void)state;
    static const char *const beyond[] = {"9223372036854775808", "1e400", "1.7976931348623158e308"};
    static const char *const before[] = {"-9223372036854775808", "-1e400", "-1.7976931348623157e308"};
    draw_source source = {5};
    for (int i = 0; i < 2500; i++) {
        bool real = i % 2, above = i % 4 < 2;
        char text[500], digits[DPN_NUMBER_SIZE];
        some_decimal(text, sizeof text, &source, real);
        dpn_numeral bound = numeral_of(text);
        uint64_t least = 0;
        if (!find_least(&least, real, &bound, above)) {
            assert_false(reaches(real, real ? DOUBLES - 1 : UINT64_MAX, &bound, above));
            continue;
        }
        mpq_t at, edge;
        mpq_inits(at, edge, NULL);
        assert_int_equal(rational_read(edge, (dpn_field){text, strlen(text)}), RATIONAL_NUMBER);
        for (uint64_t under = 0; under < 2 && under <= least; under++) {
            if (real)
                dpn_number_print(digits, double_of(least - under));
            else
                snprintf(digits, sizeof digits, "%" PRId64, integer_of(least - under));
            assert_int_equal(rational_read(at, (dpn_field){digits, strlen(digits)}), RATIONAL_NUMBER);
            int order = mpq_cmp(at, edge);
            if ((above ? order > 0 : order >= 0) != (under == 0)) fail_msg("%s is not the least from %s", digits, text);
        }
        mpq_clears(at, edge, NULL);
    }
    for (size_t i = 0; i < 3; i++) {
        dpn_numeral bound = numeral_of(beyond[i]);
        uint64_t least = 77;
        assert_false(find_least(&least, i > 0, &bound, false));
        assert_int_equal(least, 77);
        bound = numeral_of(before[i]);
        assert_true(find_least(&least, i > 0, &bound, false) && least == 0);
    }
    dpn_numeral largest = numeral_of("9223372036854775807");
    uint64_t least = 0;
    assert_true(find_least(&least, false, &largest, false) && least == UINT64_MAX);
    assert_false(find_least(&least, false, &largest, true));
    largest = numeral_of("1.7976931348623157e308");
    assert_true(find_least(&least, true, &largest, false) && least == DOUBLES - 1);
    assert_false(find_least(&least, true, &largest, true));
}

/* In SQL numbers next to a decimal compare with it as their texts do. */
static void numbers_are_compared_as_their_texts(void **state) {
    (void)state;
    draw_source source = {6};
    dpn_query query = {.column = names, .columns = 1};
    dpn_dialect_row dialect = dialect_of(0);
    for (int i = 0; i < 1200; i++) {
        bool real = i % 2, above = i % 4 < 2;
        dpn_error why = {DPN_OK, ""};
        dpn_push push = push_of(&query, &dialect, real ? DPN_SQL_REAL : DPN_SQL_INTEGER, &why);
        char text[500], digits[DPN_NUMBER_SIZE];
        some_decimal(text, sizeof text, &source, real);
        dpn_numeral bound = numeral_of(text);
        dpn_text words = {0};
        dpn_push_reaches(&words, &push, 0, "dpn_n0", &bound, above);
        sqlite3_stmt *question = asked(&words);
        double near = strtod(text, NULL);
        for (int k = 0; k < 7; k++) {
            double x = k == 5 ? -1e308 : k == 6 ? 1e308 : near;
            int64_t whole = k == 5 ? INT64_MIN : k == 6 ? INT64_MAX : fabs(near) < 0x1p62 ? (int64_t)near + k - 2 : k;
            for (int step = 0; step < abs(k - 2) && k < 5; step++) x = nextafter(x, k < 2 ? -INFINITY : INFINITY);
            if (real && !isfinite(x)) continue;
            if (real)
                dpn_number_print(digits, x);
            else
                snprintf(digits, sizeof digits, "%" PRId64, whole);
            dpn_numeral number = numeral_of(digits);
            int order = dpn_numeral_compare(&number, &bound);
            int64_t told = real ? of_real(question, x) : of_integer(question, whole);
            if (told != (above ? order > 0 : order >= 0)) fail_msg("%s against %s", digits, text);
        }
        sqlite3_finalize(question);
    }
}

/* Decimals are written out, the same number. */
static void decimals_are_written_out(void **state) {
    (void)state;
    draw_source source = {7};
    dpn_query query = {.column = names, .columns = 1};
    dpn_error why;
    dpn_push push = push_of(&query, dpn_dialect_of(DPN_DIALECT_POSTGRESQL), DPN_SQL_DECIMAL, &why);
    for (int i = 0; i < 3000; i++) {
        char text[500], said[600];
        some_decimal(text, sizeof text, &source, i % 2);
        dpn_numeral bound = numeral_of(text);
        dpn_text words = {0};
        dpn_push_reaches(&words, &push, 0, "dpn_n0", &bound, i % 3 == 0);
        assert_false(words.failed);
        const char *head = i % 3 == 0 ? "dpn_n0 > ('" : "dpn_n0 >= ('";
        assert_int_equal(strncmp(words.at, head, strlen(head)), 0);
        snprintf(said, sizeof said, "%s", words.at + strlen(head));
        char *close = strchr(said, '\'');
        assert_non_null(close);
        assert_string_equal(close, "')::numeric");
        *close = '\0';
        mpq_t a, b;
        mpq_inits(a, b, NULL);
        assert_int_equal(rational_read(a, (dpn_field){text, strlen(text)}), RATIONAL_NUMBER);
        assert_int_equal(rational_read(b, (dpn_field){said, strlen(said)}), RATIONAL_NUMBER);
        if (!mpq_equal(a, b)) fail_msg("%s is written as %s", text, said);
        mpq_clears(a, b, NULL);
        free(words.at);
    }
}

/* ---- Products ---- */

/* What a row adds to a sum of products: of both numbers about their middles, shifted to the nearest whole number, half way up, also below 0; by an engine that shifts and by one that
 * divides. */
static void products_are_shifted_to_the_nearest(void **state) {
    (void)state;
    draw_source source = {9};
    dpn_measure measure[2] = {{0, 0, -100, 300, 100}, {0, 0, -50, 350, 150}};
    size_t slot[2] = {0, 0};
    dpn_query query = {.column = names, .columns = 1, .measure = measure, .measures = 2, .person = SIZE_MAX};
    for (int shift = 0; shift <= 9; shift++)
        for (int kind = 0; kind < 4; kind++) {
            dpn_dialect_row dialect = dialect_of(0);
            dpn_error why = {DPN_OK, ""};
            if (kind & 1) dialect.shift = NULL;
            dpn_push push = push_of(&query, &dialect, DPN_SQL_INTEGER, &why);
            push.reader.slot = slot;
            dpn_moment moment = {
                .kind = DPN_MOMENT_PRODUCT, .a = 0, .b = kind >= 2, .shift = shift, .offset = 7 * shift};
            dpn_text text = {0};
            int64_t each = 77;
            assert_int_equal(put_term(&text, &each, &push, &moment), DPN_OK);
            assert_int_equal(each, -7 * shift);
            sqlite3_stmt *question = asked(&text);
            for (int k = 0; k < 300; k++) {
                int64_t x = whole_between(&source, -130, 380), a = x < -100 ? -100 : x > 300 ? 300 : x;
                int64_t b = kind < 2 ? a : x < -50 ? -50 : x > 350 ? 350 : x;
                int64_t expected = rational_shift(a - 100, kind < 2 ? b - 100 : b - 150, shift);
                int64_t found = of_integer(question, x);
                if (found != expected)
                    fail_msg("%" PRId64 " shifted by %d is %" PRId64 ", not %" PRId64, x, shift, found, expected);
            }
            sqlite3_finalize(question);
        }
}

/* ---- Bins ---- */

/* Each number, and each that is next to an edge, is in the bin that a tally puts it into; without a number in none. */
static void bins_hold_what_a_tally_puts_there(void **state) {
    (void)state;
    draw_source source = {8};
    dpn_bins bins = {.column = 0};
    dpn_query query = {.column = names, .columns = 1, .bins = &bins, .histograms = 1};
    dpn_dialect_row dialect = dialect_of(0);
    for (int i = 0; i < 400; i++) {
        enum { MOST = 6 };
        dpn_error why = {DPN_OK, ""};
        dpn_numeral number[MOST];
        char text[MOST][40];
        int64_t at = whole_between(&source, -9, 0);
        bool real = i & 1, upward = i & 2, clamp = i & 4;
        size_t count = 2 + draw_bits(&source) % (MOST - 1);
        dpn_edges edges = {.number = number, .edges = count, .to = count, .clamp = clamp, .upward = upward};
        if (!clamp && count > 2 && i & 8) edges.from = 1;
        if (!clamp && count > 3 && i & 16) edges.to = count - 1;
        for (size_t k = 0; k < count; k++, at += whole_between(&source, 1, 4)) {
            snprintf(text[k], sizeof text[k], i & 32 ? "%" PRId64 ".5" : "%" PRId64, at);
            number[k] = numeral_of(text[k]);
        }
        dpn_push push = push_of(&query, &dialect, real ? DPN_SQL_REAL : DPN_SQL_INTEGER, &why);
        push.reader.edges = &edges;
        push.reader.edge_sets = 1;
        sqlite3_stmt *question[MOST];
        for (size_t k = 0; k + 1 < count; k++) {
            dpn_text words = {0};
            dpn_push_in_bin(&words, &push, 0, k, "dpn_n0");
            question[k] = asked(&words);
        }
        for (int64_t x = -40; x <= 80; x++) {
            char digits[40];
            double half = (double)x / 2;
            snprintf(digits, sizeof digits, "%g", real ? half : (double)x);
            dpn_numeral value = numeral_of(digits);
            int64_t bin = dpn_reader_bin(&edges, &value);
            for (size_t k = 0; k + 1 < count; k++)
                if (((real ? of_real(question[k], half) : of_integer(question[k], x)) != 0) != (bin == (int64_t)k))
                    fail_msg("%d: %s is in %" PRId64 ", not %zu", i, digits, bin, k);
        }
        for (size_t k = 0; k + 1 < count; k++) {
            sqlite3_bind_null(question[k], 1);
            assert_int_equal(answer(question[k]), 0);
            sqlite3_finalize(question[k]);
        }
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(whole_numbers_have_the_nearest_step),
        cmocka_unit_test(reals_have_the_nearest_step),
        cmocka_unit_test(halves_that_are_their_own_texts),
        cmocka_unit_test(bounds_that_are_too_much),
        cmocka_unit_test(doubles_in_their_order),
        cmocka_unit_test(the_least_number_that_reaches),
        cmocka_unit_test(numbers_are_compared_as_their_texts),
        cmocka_unit_test(decimals_are_written_out),
        cmocka_unit_test(bins_hold_what_a_tally_puts_there),
        cmocka_unit_test(products_are_shifted_to_the_nearest),
    };
    return cmocka_run_group_tests(tests, begin, end);
}
