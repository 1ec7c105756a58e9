/* A question as a service receives it: the name of its data set, and a declaration that is otherwise as it was. */
#include <dpnoise/question.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#define REST "\"statistics\": [{\"kind\": \"count\"}], \"epsilon\": \"1\""

/* Read apart, and the rest as a declaration: the second way is to read the rest alone. */
static void takes(const char *question, const char *name, const char *rest) {
    char found[DPN_LEDGER_NAME_SIZE], *text, *one, *other;
    size_t length;
    dpn_error why;
    dpn_declaration split, alone;
    if (dpn_question_split(found, &text, &length, question, strlen(question), &why)) fail_msg("%s", why.sentence);
    assert_string_equal(found, name);
    assert_int_equal(length, strlen(text));
    if (dpn_declaration_read(&split, text, length, &why)) fail_msg("%s: %s", text, why.sentence);
    assert_int_equal(dpn_declaration_read(&alone, rest, strlen(rest), &why), DPN_OK);
    assert_int_equal(dpn_declaration_write(&one, NULL, &split, &why), DPN_OK);
    assert_int_equal(dpn_declaration_write(&other, NULL, &alone, &why), DPN_OK);
    assert_string_equal(one, other);
    free(one), free(other), free(text);
    dpn_declaration_free(&split), dpn_declaration_free(&alone);
}

static void anywhere_among_the_members(void **state) {
    (void)state;
    takes("{\"dataset\": \"people\", " REST "}", "people", "{" REST "}");
    takes("{" REST ",\n \"dataset\"\t:\n\"people\"\n}", "people", "{" REST "}");
    takes("{\"statistics\": [{\"kind\": \"count\"}], \"dataset\" : \"a \\\"b\\\" \\u00e9, c\" , \"epsilon\": \"1\"}",
          "a \"b\" \xc3\xa9, c", "{" REST "}");
    takes("{\"dataset\": \"people\"}", "people", "{}");
    takes("{\"by\": [{\"column\": \"dataset\"}], \"dataset\": \"x\"}", "x", "{\"by\": [{\"column\": \"dataset\"}]}");
}

static void refuses(const char *question, size_t length, const char *words) {
    char found[DPN_LEDGER_NAME_SIZE] = "as before", *text = NULL;
    dpn_error why = {DPN_OK, ""};
    assert_int_equal(dpn_question_split(found, &text, NULL, question, length, &why), DPN_EPARSE);
    if (!strstr(why.sentence, words)) fail_msg("%s: %s", question, why.sentence);
    assert_null(text);
    assert_string_equal(found, "as before");
}

static void what_is_no_question(void **state) {
    (void)state;
    static const char *const bad[][2] = {
        {"", ""},
        {"dataset", ""},
        {"[\"dataset\", \"people\"]", "one JSON object"},
        {"\"dataset\"", "one JSON object"},
        {"{" REST "}", "dataset is missing"},
        {"{\"dataset\": 1}", "string"},
        {"{\"dataset\": null}", "string"},
        {"{\"dataset\": {\"dataset\": \"people\"}}", "string"},
        {"{\"dataset\": \"a\\u0000b\"}", "string"},
        {"{\"dataset\": \"a\", \"dataset\": \"b\"}", "twice"},
        {"{\"dataset\": \"a\", \"analyst\": \"ada\"}", "analyst"},
        {"{\"analyst\": \"ada\", \"dataset\": \"a\", \"analyst\": \"eve\"}", "analyst"},
        {"{\"dataset\": \"a\"} {}", ""},
    };
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) refuses(bad[i][0], strlen(bad[i][0]), bad[i][1]);
    char name[300], deep[400];
    snprintf(name, sizeof name, "{\"dataset\": \"%0200d\"}", 1);
    refuses(name, strlen(name), "100 bytes");
    memset(deep, '[', sizeof deep);
    refuses(deep, sizeof deep, "");
}

/* Escaped names are other members, which a declaration does not have. */
static void escaped_names_do_not_slip_through(void **state) {
    (void)state;
    const char *question = "{\"dataset\": \"a\", \"\\u0061nalyst\": \"eve\", " REST "}";
    char found[DPN_LEDGER_NAME_SIZE], *text;
    size_t length;
    dpn_error why;
    dpn_declaration declaration;
    assert_int_equal(dpn_question_split(found, &text, &length, question, strlen(question), &why), DPN_OK);
    assert_int_equal(dpn_declaration_read(&declaration, text, length, &why), DPN_EPARSE);
    free(text);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(anywhere_among_the_members),
        cmocka_unit_test(what_is_no_question),
        cmocka_unit_test(escaped_names_do_not_slip_through),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
