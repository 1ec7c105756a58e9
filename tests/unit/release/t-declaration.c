/* Declarations as text: random ones, written sloppily and in their one form by this test, read and written back. */
#include "unit/release/declared.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

/* ---- Helpers ---- */

static uint64_t seed = 20240229;

static unsigned below(unsigned n) {
    seed = seed * 6364136223846793005u + 1442695040888963407u;
    return (unsigned)((seed >> 33) % n);
}

typedef struct text {
    char at[1 << 16];
    size_t length;
} text;

__attribute__((format(printf, 2, 3))) static void put(text *out, const char *format, ...) {
    va_list values;
    va_start(values, format);
    int length = vsnprintf(out->at + out->length, sizeof out->at - out->length, format, values);
    va_end(values);
    assert_true(length >= 0 && (size_t)length < sizeof out->at - out->length);
    out->length += (size_t)length;
}

/* ---- Random declarations, in two texts ---- */

/* The one form of size times 10^exponent, from its definition: no zeros at the ends; written out from 1e-5 to 1e15. */
static void number_form(char out[64], uint64_t size, int exponent, bool negative) {
    char digits[24];
    if (size == 0) {
        strcpy(out, "0");
        return;
    }
    for (; size % 10 == 0; size /= 10) exponent++;
    int count = snprintf(digits, sizeof digits, "%llu", (unsigned long long)size), point = count + exponent;
    char *at = out;
    if (negative) *at++ = '-';
    if (point - 1 < -5 || point - 1 > 15) {
        at += sprintf(at, "%c%s%s", digits[0], count > 1 ? "." : "", digits + 1);
        sprintf(at, "e%d", point - 1);
    } else if (point <= 0) {
        sprintf(at, "0.%.*s%s", -point, "0000000000", digits);
    } else if (point >= count) {
        sprintf(at, "%s%.*s", digits, point - count, "0000000000000000");
    } else {
        sprintf(at, "%.*s.%s", point, digits, digits + point);
    }
}

/* The same number in one of many forms; in quotes or, as JSON has them, without. */
static void number_sloppy(char out[96], uint64_t size, int exponent, bool negative) {
    const char *sign = negative ? "-" : "";
    switch (below(5)) {
    case 0:
        sprintf(out, "\"%s000%llue%d\"", negative ? "-" : "+", (unsigned long long)size, exponent);
        break;
    case 1:
        sprintf(out, "%s%llu.000E%+d", sign, (unsigned long long)size, exponent);
        break;
    case 2:
        sprintf(out, "\"%s.%06llue%03d\"", sign, (unsigned long long)size, exponent + 6);
        break;
    case 3:
        sprintf(out, "\"%s%llu00.e%d\"", sign, (unsigned long long)size, exponent - 2);
        break;
    default:
        sprintf(out, "%s%lluE%d", sign, (unsigned long long)size, exponent);
        break;
    }
}

/* Two texts of one declaration. */
typedef struct pair {
    text sloppy, form;
} pair;

static void put_both(pair *p, const char *words) {
    put(&p->sloppy, "%s", words);
    put(&p->form, "%s", words);
}

static void put_number(pair *p, uint64_t size, int exponent, bool negative) {
    char sloppy[96], form[64];
    number_sloppy(sloppy, size, exponent, negative && size > 0);
    number_form(form, size, exponent, negative);
    put(&p->sloppy, "%s", sloppy);
    put(&p->form, "\"%s\"", form);
}

/* Ascending numbers base, base + 1, ... times one power of ten. */
static void put_ascent(pair *p, size_t count) {
    int exponent = (int)below(30) - 15;
    unsigned base = below(1000);
    bool negative = below(2);
    for (size_t i = 0; i < count; i++) {
        uint64_t size = negative ? base + count - i : base + i;
        if (i) put_both(p, ", ");
        put_number(p, size, exponent, negative);
    }
}

static void put_bounds(pair *p) {
    int exponent = (int)below(30) - 15;
    unsigned lower = below(100000);
    put_both(p, ", \"lower\": ");
    put_number(p, lower, exponent, false);
    put_both(p, ", \"upper\": ");
    put_number(p, lower + 1 + below(1000), exponent, false);
}

/* Column names are different by their number, so that no statistic comes twice. */
static void put_statistic(pair *p, unsigned number) {
    static const char *const kinds[] = {"sum", "mean", "variance", "histogram", "quantile", "covariance"};
    static const char *const names[] = {"a", "income of all", "\xc3\xa9t\xc3\xa9", "x:y,z", "\\\"quoted\\\"", "\\\\"};
    unsigned kind = below(6);
    char head[128];
    const char *name = names[below(6)];
    sprintf(head, kind == 5 ? "{\"kind\": \"%s\", \"columns\": [\"%s%u\", " : "{\"kind\": \"%s\", \"column\": \"%s%u\"",
            kinds[kind], name, number);
    put_both(p, head);
    if (kind == 5) {
        sprintf(head, "\"%s-%u\"], \"lower\": [", name, number);
        put_both(p, head);
        put_ascent(p, 2);
        put_both(p, "], \"upper\": [");
        put_number(p, 1 + below(9), 20, false);
        put_both(p, ", ");
        put_number(p, 1 + below(9), 21, false);
        put_both(p, "]");
    }
    if (kind == 4) {
        put_both(p, ", \"quantile\": ");
        put_number(p, 1 + below(999), -3, false);
    }
    if (kind < 3 || (kind == 4 && below(2))) {
        put_bounds(p);
    } else if (kind < 5) {
        put_both(p, ", \"edges\": [");
        if (kind == 3 && below(2)) put_both(p, "\"-inf\", ");
        put_ascent(p, 2 + below(5));
        if (kind == 3 && below(2)) put_both(p, ", \"inf\"");
        put_both(p, "]");
    }
    put_both(p, "}");
}

static void put_grouping(pair *p, unsigned number, bool known) {
    char words[128];
    sprintf(words, "{\"column\": \"group %u\"", number);
    put_both(p, words);
    if (known) put_both(p, ", \"levels\": [\"north\", \"\xe2\x82\xac\", \"so, uth\"]");
    put_both(p, "}");
}

/* Predicates on a1, a2, ... in order in the one form; in the sloppy one from the last to the first, and the last one
 * twice. */
static void put_wheres(pair *p, unsigned count) {
    static const char *const is[] = {"=", "!=", "<", "<=", ">", ">="};
    text backwards[4];
    put_both(p, ", \"where\": [");
    for (unsigned i = 0; i < count; i++) {
        char sloppy[96], form[64];
        uint64_t size = below(1000);
        unsigned sign = below(6);
        number_sloppy(sloppy, size, -1, false);
        number_form(form, size, -1, false);
        backwards[i].length = 0;
        put(&backwards[i], "{\"value\": %s, \"is\": \"%s\", \"column\": \"a%u\"}", sloppy, is[sign], i);
        put(&p->form, "%s{\"column\": \"a%u\", \"is\": \"%s\", \"value\": \"%s\"}", i ? ", " : "", i, is[sign], form);
    }
    put(&p->sloppy, "%s", backwards[count - 1].at);
    for (unsigned i = count; i-- > 0;) put(&p->sloppy, ", %s", backwards[i].at);
    put_both(p, "]");
}

/* Whether something that is not the default is said; else the default may be said, which the one form does not. */
static bool said(pair *p, const char *usual) {
    if (below(2)) return true;
    if (below(2)) put(&p->sloppy, ",\n  %s", usual);
    return false;
}

static void make_pair(pair *p) {
    unsigned statistics = below(5), bys = below(3), wheres = below(4);
    bool known = below(2);
    p->sloppy.length = p->form.length = 0;
    put(&p->sloppy, " {\t\"consistent\" : null, ");
    put(&p->form, "{");
    put_both(p, "\"statistics\": [{\"kind\": \"count\"}");
    for (unsigned i = 0; i < statistics; i++) {
        put_both(p, ", ");
        put_statistic(p, i);
    }
    put_both(p, "]");
    if (bys > 0) {
        put_both(p, ", \"by\": [");
        for (unsigned i = 0; i < bys; i++) {
            if (i) put_both(p, ", ");
            put_grouping(p, i, known);
        }
        put_both(p, "]");
    }
    if (wheres > 0) put_wheres(p, wheres);
    if (said(p, "\"person\": null, \"max_rows\": 1")) put_both(p, ", \"person\": \"id\", \"max_rows\": \"7\"");
    if (said(p, "\"relation\": \"add-remove\"")) put_both(p, ", \"relation\": \"replace\"");
    put_both(p, ", \"epsilon\": ");
    put_number(p, 1 + below(1000), (int)below(20) - 18, false);
    if (!known || said(p, "\"delta\": 0.0e5")) {
        put_both(p, ", \"delta\": ");
        put_number(p, 1 + below(1000), -9, false);
    }
    if (said(p, "\"missing\": \"skip\"")) {
        put_both(p, ", \"missing\": \"value:");
        put(&p->sloppy, "-1.50e1\", \"na\": [\"NA\", \".\"]");
        put(&p->form, "-15\", \"na\": [\".\", \"NA\"]");
    }
    if (said(p, "\"count_left_out\": false")) put_both(p, ", \"count_left_out\": true");
    if (said(p, "\"noise\": null")) put_both(p, ", \"noise\": \"gaussian\"");
    if (said(p, "\"nonnegative\": false")) put_both(p, ", \"nonnegative\": true");
    put_both(p, "}");
    put(&p->sloppy, "\n");
}

static void random_ones_have_one_text(void **state) {
    (void)state;
    static pair p;
    for (int i = 0; i < 2000; i++) {
        make_pair(&p);
        dpn_error why;
        dpn_declaration sloppy = declared_read(p.sloppy.at), form = declared_read(p.form.at);
        char *a = declared_write(&sloppy), *b = declared_write(&form);
        assert_string_equal(a, p.form.at);
        assert_string_equal(b, p.form.at);
        if (dpn_declaration_check(&sloppy, &why)) fail_msg("%s: %s", a, why.sentence);
        dpn_declaration again = declared_read(b);
        declared_same(&form, &again);
        dpn_declaration_free(&sloppy);
        dpn_declaration_free(&form);
        dpn_declaration_free(&again);
        free(a);
        free(b);
    }
}

/* A copy holds the same texts in memory of its own. */
static void copies_are_the_same(void **state) {
    (void)state;
    static pair p;
    for (int i = 0; i < 500; i++) {
        make_pair(&p);
        dpn_declaration given = declared_read(p.sloppy.at), copy;
        if (given.wheres > 0) { /* as it was given, in whatever form */
            given.where[0].value = realloc(given.where[0].value, 8);
            memcpy(given.where[0].value, "0010.50", 8);
        }
        given.unsaid = below(32);
        assert_int_equal(dpn_declaration_copy(&copy, &given, NULL), DPN_OK);
        declared_same(&given, &copy);
        assert_int_equal(copy.unsaid, given.unsaid);
        if (given.wheres > 0) assert_string_equal(copy.where[0].value, "0010.50");
        char *expected = declared_write(&given);
        dpn_declaration_free(&given);
        char *found = declared_write(&copy);
        assert_string_equal(found, expected);
        dpn_declaration_free(&copy);
        free(expected);
        free(found);
    }
}

static void copies_of_what_is_not_whole(void **state) {
    (void)state;
    static char *lacking[] = {NULL, NULL};
    dpn_statistic mean = {.kind = DPN_STATISTIC_MEAN, .columns = 2, .column = lacking};
    dpn_grouping by = {.levels_only = true};
    dpn_predicate where = {.is = DPN_IS_LESS};
    const dpn_declaration given = {.statistic = &mean,
                                   .statistics = 1,
                                   .by = &by,
                                   .bys = 1,
                                   .where = &where,
                                   .wheres = 1,
                                   .max_rows = 7,
                                   .per_person = DPN_PER_PERSON_MEAN};
    dpn_declaration copy;
    assert_int_equal(dpn_declaration_copy(&copy, &given, NULL), DPN_OK);
    assert_true(copy.statistics == 1 && copy.statistic[0].kind == DPN_STATISTIC_MEAN && copy.statistic[0].columns == 2);
    assert_true(!copy.statistic[0].column[1] && !copy.statistic[0].lower && !copy.epsilon && !copy.na);
    assert_true(copy.bys == 1 && copy.by[0].levels_only && !copy.by[0].level);
    assert_true(copy.wheres == 1 && copy.where[0].is == DPN_IS_LESS && !copy.where[0].value);
    assert_true(copy.max_rows == 7 && copy.per_person == DPN_PER_PERSON_MEAN);
    dpn_declaration_free(&copy);
}

/* What differs has different texts. */
static void different_ones_differ(void **state) {
    (void)state;
    static const char *const all[] = {
        "{}",
        "{\"statistics\": [{\"kind\": \"count\"}]}",
        "{\"statistics\": [{\"kind\": \"sum\", \"column\": \"a\", \"lower\": 0, \"upper\": 1}]}",
        "{\"statistics\": [{\"kind\": \"sum\", \"column\": \"a\", \"lower\": 0, \"upper\": "
        "1.0000000000000000000000000001}]}",
        "{\"statistics\": [{\"kind\": \"sum\", \"column\": \"a\", \"lower\": -1, \"upper\": 1}]}",
        "{\"statistics\": [{\"kind\": \"mean\", \"column\": \"a\", \"lower\": 0, \"upper\": 1}]}",
        "{\"statistics\": [{\"kind\": \"mean\", \"column\": \"a \", \"lower\": 0, \"upper\": 1}]}",
        "{\"statistics\": [{\"kind\": \"quantile\", \"column\": \"a\", \"quantile\": 0.5, \"lower\": 0, \"upper\": "
        "1}]}",
        "{\"statistics\": [{\"kind\": \"quantile\", \"column\": \"a\", \"quantile\": 0.5, \"edges\": [0, 1]}]}",
        "{\"by\": [{\"column\": \"a\"}, {\"column\": \"b\"}]}",
        "{\"by\": [{\"column\": \"b\"}, {\"column\": \"a\"}]}",
        "{\"by\": [{\"column\": \"a\", \"levels\": [1]}, {\"column\": \"b\"}]}",
        "{\"by\": [{\"column\": \"a\", \"levels\": [\"1.0\"]}, {\"column\": \"b\"}]}",
        "{\"where\": [{\"column\": \"a\", \"is\": \"<\", \"value\": \"1\"}]}",
        "{\"where\": [{\"column\": \"a\", \"is\": \"<=\", \"value\": \"1\"}]}",
        "{\"where\": [{\"column\": \"a\", \"is\": \"=\", \"value\": \"1e999999999\"}]}",
        "{\"where\": [{\"column\": \"a\", \"is\": \"=\", \"value\": \"1e9999999990\"}]}",
        "{\"person\": \"a\"}",
        "{\"max_rows\": 2}",
        "{\"per_person\": \"sum\"}",
        "{\"per_person\": \"mean\"}",
        "{\"max_groups\": 2}",
        "{\"relation\": \"replace\"}",
        "{\"epsilon\": 1}",
        "{\"delta\": 1}",
        "{\"noise\": \"best\"}",
        "{\"nonnegative\": true}",
        "{\"consistent\": true}",
        "{\"missing\": \"refuse\"}",
        "{\"missing\": \"value:0\"}",
        "{\"missing\": \"value:1\"}",
        "{\"na\": [\"NA\"]}",
        "{\"na\": [\"NA\", \"na\"]}",
        "{\"count_left_out\": true}",
    };
    enum { COUNT = sizeof all / sizeof *all };
    char *words[COUNT];
    for (int i = 0; i < COUNT; i++) {
        dpn_declaration d = declared_read(all[i]);
        words[i] = declared_write(&d);
        dpn_declaration again = declared_read(words[i]);
        declared_same(&d, &again);
        dpn_declaration_free(&d);
        dpn_declaration_free(&again);
        for (int j = 0; j < i; j++) assert_string_not_equal(words[i], words[j]);
    }
    for (int i = 0; i < COUNT; i++) free(words[i]);
}

static void defaults(void **state) {
    (void)state;
    dpn_declaration d = declared_read("{}");
    assert_true(d.statistics == 0 && d.bys == 0 && d.wheres == 0 && !d.person && d.max_rows == 1 && d.max_groups == 1);
    assert_true(d.relation == DPN_ADD_REMOVE && d.missing == DPN_MISSING_SKIP && !d.epsilon && !d.noise);
    assert_string_equal(d.delta, "0");
    assert_true(!d.nonnegative && !d.consistent && !d.missing_value && d.nas == 0 && !d.count_left_out);
    dpn_declaration_free(&d);
    dpn_declaration_free(NULL);
    static const dpn_declaration zero;
    assert_memory_equal(&d, &zero, sizeof d);
    assert_null(dpn_statistic_kind_name(7));
    assert_null(dpn_predicate_is_name(6));
}

/* ---- In brief ---- */

static void same_text(const char *brief, const char *whole) {
    const char *texts[] = {brief, whole};
    char *written[2];
    dpn_error why;
    for (int i = 0; i < 2; i++) {
        dpn_declaration declaration;
        if (dpn_declaration_read(&declaration, texts[i], strlen(texts[i]), &why))
            fail_msg("%s: %s", texts[i], why.sentence);
        assert_int_equal(dpn_declaration_write(&written[i], NULL, &declaration, &why), DPN_OK);
        dpn_declaration_free(&declaration);
    }
    assert_string_equal(written[0], written[1]);
    for (int i = 0; i < 2; i++) free(written[i]);
}

static void brief_is_the_same_declaration(void **state) {
    (void)state;
    same_text(
        "{\"count\": true, \"sum\": \"income:0:9\", \"by\": [\"region\"], \"where\": [\"age>=18\", {\"column\": \"x\", "
        "\"is\": \"=\", \"value\": \"y\"}], \"epsilon\": 1}",
        "{\"statistics\": [{\"kind\": \"count\"}, {\"kind\": \"sum\", \"column\": \"income\", \"lower\": \"0\", "
        "\"upper\": "
        "\"9\"}], \"by\": [{\"column\": \"region\"}], \"where\": [{\"column\": \"x\", \"is\": \"=\", \"value\": "
        "\"y\"}, "
        "{\"column\": \"age\", \"is\": \">=\", \"value\": \"18\"}], \"epsilon\": \"1\"}");
    same_text(
        "{\"mean\": [\"a\", \"b:0:1\"], \"histogram\": \"age:0,18,65\", \"quantile\": \"age:0.5:0:120:1\", "
        "\"covariance\": \"a:0:1,b:0:10\", \"count\": false, \"statistics\": [{\"kind\": \"count\"}]}",
        "{\"statistics\": [{\"kind\": \"count\"}, {\"kind\": \"mean\", \"column\": \"a\"}, {\"kind\": \"mean\", "
        "\"column\": "
        "\"b\", \"lower\": 0, \"upper\": 1}, {\"kind\": \"histogram\", \"column\": \"age\", \"edges\": [0, 18, 65]}, "
        "{\"kind\": \"quantile\", \"column\": \"age\", \"quantile\": 0.5, \"lower\": 0, \"upper\": 120, \"step\": 1}, "
        "{\"kind\": \"covariance\", \"columns\": [\"a\", \"b\"], \"lower\": [0, 0], \"upper\": [1, 10]}]}");
    static const char *const bad[] = {"{\"count\": \"yes\"}",  "{\"sum\": \"\"}",        "{\"sum\": [1, []]}",
                                      "{\"sum\": {\"a\": 1}}", "{\"where\": [\"age\"]}", "{\"where\": [7]}",
                                      "{\"by\": [7]}",         "{\"mean\": \"a:1\"}"};
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        dpn_declaration declaration;
        dpn_error why;
        assert_int_equal(dpn_declaration_read(&declaration, bad[i], strlen(bad[i]), &why), DPN_EPARSE);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(random_ones_have_one_text), cmocka_unit_test(brief_is_the_same_declaration),
        cmocka_unit_test(copies_are_the_same),       cmocka_unit_test(copies_of_what_is_not_whole),
        cmocka_unit_test(different_ones_differ),     cmocka_unit_test(defaults),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
