/* A registration as text, what it refuses, and what it leaves of a question: the narrowing is checked against a table of
 * questions with their expected texts, written by hand. */
#include "question/registration.h"
#include "unit/question/registered.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

/* ---- as text ---- */

static void the_text_reads_back(void **state) {
    (void)state;
    char expected[REGISTERED_SIZE], *text, *again;
    size_t length;
    dpn_error why;
    dpn_registration registration = registered_read(registered_people), second;
    assert_int_equal(dpn_registration_check(&registration, &why), DPN_OK);
    assert_int_equal(dpn_registration_write(&text, &length, &registration, &why), DPN_OK);
    assert_string_equal(text, registered_quotes(expected, registered_people));
    assert_int_equal(length, strlen(text));
    assert_int_equal(dpn_registration_read(&second, text, length, &why), DPN_OK);
    assert_int_equal(dpn_registration_write(&again, NULL, &second, &why), DPN_OK);
    assert_string_equal(text, again);
    free(text);
    free(again);
    dpn_registration_free(&registration);
    dpn_registration_free(&second);
    assert_null(registration.source.path);
    dpn_registration_free(NULL);
}

static void defaults_and_forms_of_numbers_have_one_text(void **state) {
    (void)state;
    static const char *const same[][2] = {
        {"{'source': {'kind': 'declared', 'what': 'standard input'}, 'columns': [], 'where': [], 'na': [], 'max_rows': "
         "1, "
         "'relation': 'add-remove', 'missing': 'skip', 'multiline': false, 'population': null, 'person': null}",
         "{'source': {'kind': 'declared', 'what': 'standard input'}}"},
        {"{'least_epsilon': 1e-3, 'columns': [{'upper': '1.50', 'lower': '-0.0', 'type': 'number', 'name': 'x', "
         "'unit': "
         "null}], 'source': {'table': 'people', 'path': '/p.db', 'kind': 'sqlite'}}",
         "{'source': {'kind': 'sqlite', 'path': '/p.db', 'table': 'people'}, 'columns': [{'name': 'x', 'type': "
         "'number', 'lower': '0', 'upper': '1.5'}], 'least_epsilon': '0.001'}"},
        {"{'source': {'kind': 'postgresql', 'connect': 'postgresql://host/d', 'system': '73', 'database': 'd', "
         "'schema': "
         "'public', 'table': 'people'}}",
         "{'source': {'kind': 'postgresql', 'system': '73', 'database': 'd', 'schema': 'public', 'table': 'people', "
         "'connect': 'postgresql://host/d'}}"},
    };
    for (size_t i = 0; i < sizeof same / sizeof *same; i++) {
        char expected[REGISTERED_SIZE], *text;
        dpn_error why;
        dpn_registration registration = registered_read(same[i][0]);
        if (dpn_registration_check(&registration, &why)) fail_msg("%s", why.sentence);
        assert_int_equal(dpn_registration_write(&text, NULL, &registration, &why), DPN_OK);
        assert_string_equal(text, registered_quotes(expected, same[i][1]));
        free(text);
        dpn_registration_free(&registration);
    }
}

static void a_place_is_what_it_is_and_not_how_it_is_reached(void **state) {
    (void)state;
    static const char form[] = "{'source': {'kind': 'postgresql', 'system': '73', 'database': 'd', 'schema': 'public', "
                               "'table': 'people'%s}}";
    char *text[2], json[REGISTERED_SIZE];
    dpn_error why;
    for (int i = 0; i < 2; i++) {
        snprintf(json, sizeof json, form, i ? ", 'connect': 'postgresql://elsewhere/d'" : "");
        dpn_registration registration = registered_read(json);
        assert_int_equal(dpn_place_write(&text[i], NULL, &registration.source, &why), DPN_OK);
        dpn_registration_free(&registration);
    }
    assert_string_equal(text[0], text[1]);
    assert_null(strstr(text[1], "connect"));
    free(text[0]);
    free(text[1]);
}

/* ---- what is refused ---- */

#define DECLARED "'source': {'kind': 'declared', 'what': 'x'}"

static void bad_registrations_are_refused_with_the_part(void **state) {
    (void)state;
    static const struct {
        const char *json, *part;
    } bad[] = {
        {"[]", "braces"},
        {"{}", "source"},
        {"{'source': 'people.csv'}", "source"},
        {"{'source': {'kind': 'fiel', 'path': '/x'}}", "kind"},
        {"{'source': {'kind': 'file'}}", "path is missing"},
        {"{'source': {'kind': 'file', 'path': 'people.csv'}}", "absolute"},
        {"{'source': {'kind': 'file', 'path': '/x', 'table': 't'}}", "table"},
        {"{'source': {'kind': 'postgresql', 'database': 'd', 'schema': 's', 'table': 't'}}", "system is missing"},
        {"{" DECLARED ", 'colums': []}", "colums"},
        {"{" DECLARED ", 'person': 'a', 'person': 'b'}", "twice"},
        {"{" DECLARED ", 'columns': [{'name': 'x', 'type': 'number'}]}", "lower and upper"},
        {"{" DECLARED ", 'columns': [{'name': 'x', 'type': 'number', 'lower': '1', 'upper': '1'}]}", "less than"},
        {"{" DECLARED ", 'columns': [{'name': 'x', 'type': 'real', 'lower': '1', 'upper': '2'}]}", "type"},
        {"{" DECLARED ", 'columns': [{'name': 'x', 'type': 'text', 'levels': ['a']}]}", "levels"},
        {"{" DECLARED ", 'columns': [{'name': 'x', 'type': 'category', 'levels': ['a', 'a']}]}", "twice"},
        {"{" DECLARED ", 'columns': [{'name': 'x', 'type': 'category', 'upper': '1'}]}", "upper"},
        {"{" DECLARED ", 'columns': [{'name': 'x', 'type': 'text'}, {'name': 'x', 'type': 'text'}]}", "twice"},
        {"{" DECLARED ", 'where': ['x']}", "where"},
        {"{" DECLARED ", 'columns': [{'name': 'x', 'type': 'text'}], 'where': ['x', 'x']}", "where"},
        {"{" DECLARED ", 'max_rows': '2'}", "max_rows"},
        {"{" DECLARED ", 'person': 'id', 'max_groups': '0'}", "max_groups"},
        {"{" DECLARED ", 'relation': 'none'}", "relation"},
        {"{" DECLARED ", 'missing': 'refuse'}", "missing"},
        {"{" DECLARED ", 'missing': 'value:x'}", "missing"},
        {"{" DECLARED ", 'na': ['a', 'b', 'a']}", "na: 'a' is given twice"},
        {"{" DECLARED ", 'multiline': 'yes'}", "multiline"},
        {"{" DECLARED ", 'population': '1000000000000001'}", "population"},
        {"{" DECLARED ", 'population': '-1'}", "population"},
        {"{" DECLARED ", 'least_epsilon': '0'}", "least_epsilon"},
        {"{" DECLARED ", 'least_epsilon': '1', 'most_epsilon': '0.5'}", "most_epsilon"},
        {"{" DECLARED ", 'least_epsilon': '1e999999999'}", "least_epsilon"},
        {"{" DECLARED ", 'most_delta': '1'}", "most_delta"},
        {"{" DECLARED ", 'log': 'people.log'}", "log"},
        {"{'source': {'kind': 'declared', 'what': 'a\\u001bb'}}", "what"},
    };
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        char text[REGISTERED_SIZE];
        dpn_registration registration = {0};
        dpn_error why = {DPN_OK, ""};
        registered_quotes(text, bad[i].json);
        dpn_status status = dpn_registration_read(&registration, text, strlen(text), &why);
        if (status) assert_null(registration.column);
        if (!status) status = dpn_registration_check(&registration, &why);
        if (!status || !strstr(why.sentence, bad[i].part)) fail_msg("%s: %s", bad[i].json, why.sentence);
        assert_true(status == DPN_EPARSE || status == DPN_EDOMAIN);
        dpn_registration_free(&registration);
    }
}

/* ---- questions ---- */

static void check_question(const char *json, const char *expected, const char *part) {
    char form[REGISTERED_SIZE], *text = NULL;
    dpn_error why = {DPN_OK, ""};
    dpn_registration registration = registered_read(registered_people);
    dpn_declaration declaration = registered_question(json);
    dpn_status status = dpn_registration_apply(&declaration, &registration, &why);
    if (!status) status = dpn_declaration_check(&declaration, &why);
    if (part) {
        if (!status || !strstr(why.sentence, part)) fail_msg("%s: '%s' and not '%s'", json, why.sentence, part);
        assert_true(status == DPN_EDOMAIN || status == DPN_EPARSE);
    } else {
        if (status) fail_msg("%s: %s", json, why.sentence);
        assert_int_equal(dpn_declaration_write(&text, NULL, &declaration, &why), DPN_OK);
        assert_string_equal(text, registered_quotes(form, expected));
        assert_int_equal(declaration.unsaid, 0);
        /* A second time it says the same. */
        assert_int_equal(dpn_registration_apply(&declaration, &registration, &why), DPN_OK);
        free(text);
        assert_int_equal(dpn_declaration_write(&text, NULL, &declaration, &why), DPN_OK);
        assert_string_equal(text, form);
    }
    free(text);
    dpn_declaration_free(&declaration);
    dpn_registration_free(&registration);
}

#define UNIT "'person': 'id', 'max_rows': '5', "
#define REST "'relation': 'replace', 'epsilon': '0.5'"

static void what_is_unsaid_is_filled_in(void **state) {
    (void)state;
    static const char *const same[][2] = {
        {"{'statistics': [{'kind': 'count'}, {'kind': 'mean', 'column': 'income'}], 'by': [{'column': 'region'}], "
         "'epsilon': '0.5'}",
         "{'statistics': [{'kind': 'count'}, {'kind': 'mean', 'column': 'income', 'lower': '0', 'upper': '200000'}], "
         "'by': [{'column': 'region', 'levels': ['north', 'south']}], " UNIT "'max_groups': '3', " REST "}"},
        /* Narrower in every way, and without groups a person has one. */
        {"{'statistics': [{'kind': 'sum', 'column': 'age', 'lower': '18', 'upper': '65'}], 'where': [{'column': "
         "'region', "
         "'is': '=', 'value': 'north'}], 'person': 'id', 'max_rows': '2', 'relation': 'replace', "
         "'epsilon': '1'}",
         "{'statistics': [{'kind': 'sum', 'column': 'age', 'lower': '18', 'upper': '65'}], 'where': [{'column': "
         "'region', "
         "'is': '=', 'value': 'north'}], 'person': 'id', 'max_rows': '2', 'relation': 'replace', 'epsilon': '1'}"},
        {"{'statistics': [{'kind': 'covariance', 'columns': ['age', 'income']}, {'kind': 'histogram', 'column': 'age', "
         "'edges': ['0', '65', '120']}, {'kind': 'quantile', 'column': 'age', 'quantile': '0.5'}], 'by': [{'column': "
         "'region', 'levels': ['south']}], 'max_rows': '1', 'max_groups': '1', 'epsilon': '0.001'}",
         "{'statistics': [{'kind': 'covariance', 'columns': ['age', 'income'], 'lower': ['0', '0'], 'upper': ['120', "
         "'200000']}, {'kind': 'histogram', 'column': 'age', 'edges': ['0', '65', '120']}, {'kind': 'quantile', "
         "'column': "
         "'age', 'quantile': '0.5', 'lower': '0', 'upper': '120'}], 'by': [{'column': 'region', 'levels': ['south']}], "
         "'person': 'id', 'relation': 'replace', 'epsilon': '0.001'}"},
        /* Keys that nobody listed take a delta: 1/(10 * 100000^2). */
        {"{'statistics': [{'kind': 'count'}], 'by': [{'column': 'education'}], 'epsilon': '0.5'}",
         "{'statistics': [{'kind': 'count'}], 'by': [{'column': 'education'}], " UNIT "'max_groups': '3', " REST
         ", 'delta': '1e-11'}"},
        {"{'statistics': [{'kind': 'count'}], 'by': [{'column': 'education'}], 'epsilon': '0.5', 'delta': '1e-5'}",
         "{'statistics': [{'kind': 'count'}], 'by': [{'column': 'education'}], " UNIT "'max_groups': '3', " REST
         ", 'delta': '0.00001'}"},
        {"{'statistics': [{'kind': 'count'}], 'by': [{'column': 'education', 'levels': ['any']}], 'epsilon': '0.5'}",
         "{'statistics': [{'kind': 'count'}], 'by': [{'column': 'education', 'levels': ['any']}], " UNIT
         "'max_groups': '3', " REST "}"},
    };
    for (size_t i = 0; i < sizeof same / sizeof *same; i++) check_question(same[i][0], same[i][1], NULL);
}

#define COUNT "'statistics': [{'kind': 'count'}], 'epsilon': '0.5'"
#define SUM_OF(more) "{'statistics': [{'kind': 'sum', 'column': " more "}], 'epsilon': '0.5'}"

static void nothing_is_widened(void **state) {
    (void)state;
    static const char *const bad[][2] = {
        {SUM_OF("'income', 'lower': '-1', 'upper': '10'"), "-1 is outside"},
        {SUM_OF("'income', 'lower': '1', 'upper': '200000.01'"), "outside"},
        {SUM_OF("'salary'"), "no column 'salary'"},
        {SUM_OF("'id'"), "no column 'id'"},
        {SUM_OF("'region', 'lower': '0', 'upper': '1'"), "registered as category"}, /* failure was an oracle */
        {SUM_OF("'note', 'lower': '0', 'upper': '1'"), "registered as text"},
        {"{'statistics': [{'kind': 'histogram', 'column': 'age', 'edges': ['-inf', '0', '120']}], 'epsilon': '1'}",
         "outside"},
        {"{'statistics': [{'kind': 'histogram', 'column': 'age', 'edges': ['0', '121']}], 'epsilon': '1'}", "121"},
        {"{'statistics': [{'kind': 'quantile', 'column': 'age', 'quantile': '0.5', 'edges': ['-5', '0', '10']}], "
         "'epsilon': '1'}",
         "-5 is outside"},
        {"{'statistics': [{'kind': 'covariance', 'columns': ['age', 'income'], 'lower': ['0', '0'], 'upper': ['120', "
         "'200001']}], 'epsilon': '1'}",
         "200001"},
        {"{" COUNT ", 'by': [{'column': 'region', 'levels': ['north', 'east']}]}", "'east' is not registered"},
        {"{" COUNT ", 'by': [{'column': 'town'}]}", "no column 'town'"},
        {"{" COUNT ", 'by': [{'column': 'note'}]}", "only a category"},
        {"{" COUNT ", 'by': [{'column': 'age'}]}", "only a category"},
        {"{" COUNT ", 'where': [{'column': 'age', 'is': '<', 'value': '5'}]}", "where: predicates on 'age'"},
        {"{" COUNT ", 'where': [{'column': 'id', 'is': '=', 'value': '4711'}]}", "where: predicates on 'id'"},
        {"{" COUNT ", 'person': 'visit'}", "person: 'id'"}, /* --unit person was bound to no column */
        {"{" COUNT ", 'max_rows': '6'}", "max_rows 6 is more than 5"},
        {"{" COUNT ", 'by': [{'column': 'region'}], 'max_groups': '4'}", "max_groups 4"},
        {"{" COUNT ", 'relation': 'add-remove'}", "relation"},
        {"{" COUNT ", 'missing': 'refuse'}", "missing"},
        {"{'statistics': [{'kind': 'count'}], 'epsilon': '0.00099'}", "below 0.001"},
        {"{'statistics': [{'kind': 'count'}], 'epsilon': '-1'}", "below 0.001"},
        {"{'statistics': [{'kind': 'count'}], 'epsilon': '1.01'}", "above 1,"},
        {"{'statistics': [{'kind': 'count'}]}", "epsilon is missing"},
        {"{" COUNT ", 'delta': '1.1e-5'}", "delta 0.000011 is above"},
        {"{" COUNT ", 'by': [{'column': 'education'}], 'delta': '0'}", "delta above 0"},
    };
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) check_question(bad[i][0], NULL, bad[i][1]);
}

/* The rule for fields that cannot be used is the curator's. */
static void the_rule_for_missing_fields_is_registered(void **state) {
    (void)state;
    static const struct {
        const char *said, *part;
    } question[] = {{"", NULL},
                    {", 'missing': 'value:-1.0', 'na': ['?', 'NA']", NULL},
                    {", 'missing': 'skip'", "registered with value:-1"},
                    {", 'missing': 'value:1'", "registered with value:-1"},
                    {", 'na': ['NA']", "na: other words"},
                    {", 'na': ['NA', '.']", "na: other words"}};
    for (size_t i = 0; i < sizeof question / sizeof *question; i++) {
        char json[REGISTERED_SIZE];
        dpn_error why;
        dpn_registration registration = registered_read("{" DECLARED ", 'missing': 'value:-1', 'na': ['NA', '?']}");
        snprintf(json, sizeof json, "{" COUNT "%s}", question[i].said);
        dpn_declaration declaration = registered_question(json);
        assert_int_equal(dpn_registration_check(&registration, &why), DPN_OK);
        dpn_status status = dpn_registration_apply(&declaration, &registration, &why);
        assert_int_equal(status, question[i].part ? DPN_EDOMAIN : DPN_OK);
        if (question[i].part) assert_non_null(strstr(why.sentence, question[i].part));
        if (!question[i].part) {
            assert_int_equal(dpn_declaration_check(&declaration, &why), DPN_OK);
            assert_true(declaration.missing == DPN_MISSING_VALUE && declaration.nas == 2);
            assert_string_equal(declaration.missing_value, "-1");
        }
        dpn_declaration_free(&declaration);
        dpn_registration_free(&registration);
    }
}

static dpn_status applied(dpn_declaration *out, const char *relation, const char *said) {
    char text[REGISTERED_SIZE], json[REGISTERED_SIZE];
    dpn_error why;
    static const char usual[] = "'relation': 'replace'";
    const char *at = strstr(registered_people, usual);
    assert_non_null(at);
    snprintf(text, sizeof text, "%.*s'relation': '%s'%s", (int)(at - registered_people), registered_people, relation,
             at + strlen(usual));
    snprintf(json, sizeof json, "{'statistics': [{'kind': 'count'}], 'by': [{'column': 'region'}]%s%s}",
             strstr(said, "epsilon") ? "" : ", 'epsilon': '0.5'", said);
    dpn_registration registration = registered_read(text);
    *out = registered_question(json);
    dpn_status status = dpn_registration_apply(out, &registration, &why);
    assert_true(status == DPN_OK || status == DPN_EDOMAIN);
    dpn_registration_free(&registration);
    return status;
}

/* What is asked for is given or refused, and never something else; no other column tells persons apart, be it a registered one. */
static void a_question_is_taken_at_its_word(void **state) {
    static const char *const relation[] = {"add-remove", "replace"};
    static const char *const no_person[] = {"income", "age", "region", "education", "note", "ID", "i", "id2"};
    static const struct {
        const char *said;
        bool taken;
    } limit[] = {{", 'epsilon': '0.000999'", false},
                 {", 'epsilon': '0.001'", true},
                 {", 'epsilon': '1'", true},
                 {", 'epsilon': '1.0000001'", false},
                 {", 'delta': '0.00001'", true},
                 {", 'delta': '0.000010001'", false},
                 {", 'person': 'id', 'max_rows': 5", true},
                 {", 'person': 'id', 'max_rows': 6", false},
                 {", 'person': 'id', 'max_groups': 3", true},
                 {", 'person': 'id', 'max_groups': 4", false}};
    (void)state;
    dpn_declaration out;
    for (size_t r = 0; r < 2; r++) {
        char said[80];
        for (size_t i = 0; i < 3; i++) {
            snprintf(said, sizeof said, ", 'relation': '%s'", relation[i % 2]);
            dpn_status status = applied(&out, relation[r], i < 2 ? said : "");
            assert_int_equal(status, i < 2 && i != r ? DPN_EDOMAIN : DPN_OK);
            if (!status) assert_string_equal(dpn_relation_name(out.relation), relation[r]);
            dpn_declaration_free(&out);
        }
        for (size_t i = 0; i < sizeof no_person / sizeof *no_person; i++) {
            snprintf(said, sizeof said, ", 'person': '%s'", no_person[i]);
            assert_int_equal(applied(&out, relation[r], said), DPN_EDOMAIN);
            dpn_declaration_free(&out);
        }
        for (size_t i = 0; i < sizeof limit / sizeof *limit; i++) {
            if ((applied(&out, relation[r], limit[i].said) == DPN_OK) != limit[i].taken) fail_msg("%s", limit[i].said);
            dpn_declaration_free(&out);
        }
    }
}

/* However many words are registered, a question that says none has all of them. */
static void all_registered_words_stand_for_missing_fields(void **state) {
    static const char *const words[] = {"", "'?'", "'?', 'NA'", "'?', 'NA', '-9'"};
    (void)state;
    for (size_t count = 0; count < 4; count++) {
        char json[REGISTERED_SIZE];
        dpn_error why;
        snprintf(json, sizeof json, "{" DECLARED ", 'missing': 'skip', 'na': [%s]}", words[count]);
        dpn_registration registration = registered_read(json);
        dpn_declaration declaration = registered_question("{" COUNT "}");
        assert_int_equal(registration.nas, count);
        assert_int_equal(dpn_registration_apply(&declaration, &registration, &why), DPN_OK);
        assert_int_equal(declaration.nas, count);
        for (size_t i = 0; i < count; i++) {
            bool there = false;
            for (size_t k = 0; k < count; k++) there |= strcmp(declaration.na[i], registration.na[k]) == 0;
            assert_true(there);
        }
        dpn_declaration_free(&declaration);
        dpn_registration_free(&registration);
    }
}

/* A data set by rows takes no column for persons. */
static void rows_stay_rows(void **state) {
    (void)state;
    dpn_error why;
    dpn_registration registration = registered_read("{" DECLARED "}");
    dpn_declaration declaration = registered_question("{" COUNT ", 'person': 'id'}");
    assert_int_equal(dpn_registration_apply(&declaration, &registration, &why), DPN_EDOMAIN);
    assert_non_null(strstr(why.sentence, "by rows"));
    dpn_declaration_free(&declaration);
    dpn_registration_free(&registration);
}

/* Bounds that nobody supplies are asked for. */
static void without_a_registration_bounds_are_missing(void **state) {
    (void)state;
    dpn_error why;
    char *text;
    dpn_declaration declaration = registered_question("{'epsilon': '1'}");
    assert_int_equal(dpn_declare_statistic(&declaration, DPN_STATISTIC_MEAN, "income", &why), DPN_OK);
    assert_int_equal(dpn_declare_statistic(&declaration, DPN_STATISTIC_QUANTILE, "age:0.5", &why), DPN_OK);
    assert_int_equal(dpn_declare_statistic(&declaration, DPN_STATISTIC_COVARIANCE, "a,b,c", &why), DPN_OK);
    assert_int_equal(dpn_declaration_check(&declaration, &why), DPN_EDOMAIN);
    assert_non_null(strstr(why.sentence, "mean of 'income': lower and upper are missing"));
    assert_int_equal(dpn_declaration_write(&text, NULL, &declaration, &why), DPN_OK);
    assert_string_equal(text,
                        "{\"statistics\": [{\"kind\": \"mean\", \"column\": \"income\"}, {\"kind\": \"quantile\", "
                        "\"column\": \"age\", \"quantile\": \"0.5\"}, {\"kind\": \"covariance\", \"columns\": "
                        "[\"a\", \"b\", \"c\"]}], \"epsilon\": \"1\"}");
    free(text);
    dpn_declaration_free(&declaration);
}

/* ---- limits ---- */

static void settled(const char *limits, const char *total, const char *least, const char *most) {
    char json[REGISTERED_SIZE];
    dpn_decimal budget;
    dpn_error why;
    snprintf(json, sizeof json, "{" DECLARED "%s}", limits);
    dpn_registration registration = registered_read(json);
    assert_int_equal(dpn_decimal_parse(&budget, total, &why), DPN_OK);
    assert_int_equal(dpn_registration_settle(&registration, &budget, &why), DPN_OK);
    assert_string_equal(registration.least_epsilon, least);
    assert_string_equal(registration.most_epsilon, most);
    dpn_registration_free(&registration);
}

static void limits_have_defaults(void **state) {
    (void)state;
    settled("", "3", "0.003", "10");
    settled("", "100", "0.01", "10");
    settled("", "0.5", "0.0005", "10");
    settled(", 'least_epsilon': '0.2', 'most_epsilon': '20'", "100", "0.2", "20");
    settled(", 'least_epsilon': '11'", "100", "11", "11");
    settled(", 'most_epsilon': '0.002'", "100", "0.002", "0.002"); /* or nothing could be asked */
}

/* delta is at most 1/(10 n^2), and with one more in its second digit it would not be. */
static void the_usual_delta_is_the_largest(void **state) {
    (void)state;
    static const uint64_t population[] = {0,     1,          99,        100,       101,      316,      317,
                                          1000,  1234,       99999,     100000,    100001,   31622776, 999999999,
                                          65536, 1000000000, 314159265, 123456789, 271828182};
    for (size_t i = 0; i < sizeof population / sizeof *population; i++) {
        uint64_t n = population[i];
        char text[DPN_USUAL_DELTA_SIZE];
        unsigned digits;
        int exponent;
        dpn_usual_delta(text, n);
        if (10 * n * n <= 1000000) {
            assert_string_equal(text, "1e-6");
            continue;
        }
        assert_int_equal(sscanf(text, "%ue-%d", &digits, &exponent), 2);
        assert_in_range(digits, 10, 99);
        long double scaled = 10.0L * (long double)n * (long double)n; /* exact below 2^64, and near enough above */
        long double power = 1;
        for (int k = 0; k < exponent; k++) power *= 10;
        assert_true(digits * scaled <= power);
        assert_true(digits * scaled + scaled > power);
    }
    char text[DPN_USUAL_DELTA_SIZE];
    assert_string_equal(dpn_usual_delta(text, DPN_POPULATION_MOST), "10e-32");
}

/* A delta that is needed and unsaid is the least of 1e-6, 1/(10 n^2) and the most of one question, of which 0 is none. */
static void a_delta_filled_in_is_at_most_the_most(void **state) {
    (void)state;
    static const struct {
        double population; /* 0: unsaid */
        const char *most;  /* NULL: unsaid */
    } of[] = {{0, NULL},       {0, "1e-9"},         {0, "1e-6"},       {0, "1e-3"},  {0, "9e-7"},   {100, "1e-9"},
              {1000, "2e-7"},  {1000, "0.5e-7"},    {1000, NULL},      {0, "0.0"},   {1000, "0"},   {100000, "1e-11"},
              {100000, "0.1"}, {100000, "1.1e-11"}, {100000, "9e-12"}, {31, "4e-7"}, {31, "1e-300"}};
    for (size_t i = 0; i < sizeof of / sizeof *of; i++) {
        double n = of[i].population, most = of[i].most ? atof(of[i].most) : 1;
        double least = fmin(fmin(1e-6, n > 0 ? 1 / (10 * n * n) : 1), most);
        char json[REGISTERED_SIZE], said[60] = "", limit[60] = "";
        if (n > 0) snprintf(said, sizeof said, ", 'population': '%.0f'", n);
        if (of[i].most) snprintf(limit, sizeof limit, ", 'most_delta': '%s'", of[i].most);
        snprintf(
            json, sizeof json,
            "{'source': {'kind': 'file', 'path': '/d.csv'}, 'columns': [{'name': 'town', 'type': 'category'}]%s%s}",
            said, limit);
        dpn_error why = {DPN_OK, ""};
        dpn_registration registration = registered_read(json);
        dpn_declaration question =
            registered_question("{'statistics': [{'kind': 'count'}], 'by': [{'column': 'town'}], 'epsilon': '0.5'}");
        dpn_status status = dpn_registration_apply(&question, &registration, &why);
        if ((status == DPN_OK) != (least > 0)) fail_msg("%s: '%s'", json, why.sentence);
        if (!status && !(fabs(atof(question.delta) - least) <= 1e-15 * least))
            fail_msg("%s: delta is %s, not %g", json, question.delta, least);
        dpn_declaration_free(&question);
        dpn_registration_free(&registration);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_text_reads_back),
        cmocka_unit_test(defaults_and_forms_of_numbers_have_one_text),
        cmocka_unit_test(a_place_is_what_it_is_and_not_how_it_is_reached),
        cmocka_unit_test(bad_registrations_are_refused_with_the_part),
        cmocka_unit_test(what_is_unsaid_is_filled_in),
        cmocka_unit_test(nothing_is_widened),
        cmocka_unit_test(the_rule_for_missing_fields_is_registered),
        cmocka_unit_test(all_registered_words_stand_for_missing_fields),
        cmocka_unit_test(a_question_is_taken_at_its_word),
        cmocka_unit_test(rows_stay_rows),
        cmocka_unit_test(without_a_registration_bounds_are_missing),
        cmocka_unit_test(limits_have_defaults),
        cmocka_unit_test(the_usual_delta_is_the_largest),
        cmocka_unit_test(a_delta_filled_in_is_at_most_the_most),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
