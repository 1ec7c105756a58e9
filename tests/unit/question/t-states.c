/* States that were made elsewhere, beside a registration: one budget has them, and the ledger notes whose they are with the charge. */
#include "unit/question/office.h"
#include "unit/question/registered.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#define COUNT "{'statistics': [{'kind': 'count'}], 'epsilon': '1'}"
#define SUM "{'statistics': [{'kind': 'sum', 'column': 'income'}], 'epsilon': '1'}"

/* Whether a place names the state that the context is. */
static bool is_same(void *context, const dpn_place *other) {
    return other->kind == DPN_PLACE_DECLARED && strstr(other->what, context);
}

static dpn_status ask(dpn_question **out, struct office *office, const char *name, const char *json, char *state,
                      dpn_error *why) {
    char text[REGISTERED_SIZE];
    dpn_question_options options = dpn_question_options_init();
    dpn_place place = {.kind = DPN_PLACE_DECLARED, .what = state};
    options.states = true;
    if (state) options.place = &place, options.same = is_same, options.same_context = state;
    registered_quotes(text, json);
    return dpn_question_read(out, office->ledger, name, text, strlen(text), &options, why);
}

static void answer(struct office *office, const char *name, char *state, dpn_question_state wanted) {
    dpn_question *question;
    dpn_error why;
    office_expect(DPN_OK, ask(&question, office, name, COUNT, state, &why), &why, NULL);
    assert_int_equal(dpn_question_look(question).state, wanted);
    office_answer(office, question);
    dpn_question_free(question);
}

static size_t sources(struct office *office) {
    dpn_known_source known = {.number = 0};
    dpn_error why;
    size_t count = 0;
    for (;;) {
        if (dpn_ledger_next_source(&known, office->ledger, known.number, &why)) fail_msg("%s", why.sentence);
        if (!known.text) return count;
        count += known.version == 0;
        free(known.text);
    }
}

static void states_have_one_budget(void **state) {
    (void)state;
    struct office office = office_open();
    dpn_question *question, *late;
    dpn_error why;
    char one[] = "states one", two[] = "states two", both[] = "states one two";
    answer(&office, "people", one, DPN_QUESTION_ASKED);
    office_spent(&office, "people", "1");
    assert_int_equal(sources(&office), 1);
    /* The same again is free. The answer of the registered file, and that of other states, is another. */
    answer(&office, "people", one, DPN_QUESTION_STORED);
    question = office_ask(&office, "people", COUNT);
    assert_int_equal(dpn_question_look(question).state, DPN_QUESTION_ASKED);
    dpn_question_free(question);
    office_expect(DPN_OK, ask(&question, &office, "people", COUNT, both, &why), &why, NULL);
    assert_int_equal(dpn_question_look(question).state, DPN_QUESTION_ASKED);
    dpn_question_free(question);
    /* Others are refused, when they ask and when they pay. */
    office_expect(DPN_EDOMAIN, ask(&question, &office, "visits", COUNT, one, &why), &why, "budget of 'people'");
    office_expect(DPN_OK, ask(&late, &office, "visits", COUNT, two, &why), &why, NULL);
    answer(&office, "people", two, DPN_QUESTION_ASKED);
    office_expect(DPN_EDOMAIN, dpn_question_charge(late, office.rng, &why), &why, "budget of 'people'");
    dpn_question_free(late);
    office_spent(&office, "visits", "0");
    office_spent(&office, "people", "2");
    /* What others had first a registered data set does not get. */
    char three[] = "states three";
    answer(&office, "visits", three, DPN_QUESTION_ASKED);
    office_expect(DPN_EDOMAIN, ask(&question, &office, "people", COUNT, three, &why), &why, "budget of 'visits'");
    assert_int_equal(sources(&office), 3);
    /* Which states they are has to be said. */
    office_expect(DPN_EDOMAIN, ask(&question, &office, "people", COUNT, NULL, &why), &why, "states");
    office_close(&office);
}

/* States beside one that is known are noted as well, and nothing that is noted can be found by trying names. */
static void each_state_is_noted_under_a_hidden_name(void **state) {
    (void)state;
    struct office office = office_open();
    dpn_question *question;
    dpn_error why;
    char one[] = "states one", two[] = "states two", both[] = "states one two", turned[] = "parts two";
    char *text;
    size_t length;
    answer(&office, "people", one, DPN_QUESTION_ASKED);
    answer(&office, "people", both, DPN_QUESTION_ASKED);
    assert_int_equal(sources(&office), 2);
    office_expect(DPN_EDOMAIN, ask(&question, &office, "visits", COUNT, two, &why), &why, "budget of 'people'");
    office_expect(DPN_EDOMAIN, ask(&question, &office, "visits", COUNT, turned, &why), &why, "budget of 'people'");
    answer(&office, "people", both, DPN_QUESTION_STORED);
    assert_int_equal(sources(&office), 2);
    if (dpn_ledger_export(&text, &length, office.ledger, &why)) fail_msg("%s", why.sentence);
    assert_null(strstr(text, "states"));
    assert_null(strstr(text, "one two"));
    free(text);
    /* Another key makes other names of them. */
    char here[DPN_LEDGER_HIDDEN_SIZE], there[DPN_LEDGER_HIDDEN_SIZE];
    struct office other = office_open();
    assert_int_equal(dpn_ledger_hide(here, office.ledger, "one", 3, &why), DPN_OK);
    assert_int_equal(dpn_ledger_hide(there, other.ledger, "one", 3, &why), DPN_OK);
    assert_string_not_equal(here, there);
    assert_int_equal(dpn_ledger_hide(there, office.ledger, "one", 3, &why), DPN_OK);
    assert_string_equal(here, there);
    office_close(&other);
    office_close(&office);
}

/* A registration that changes between the question and its charge: the states would stand beside a version that is no more. */
static void a_new_version_comes_between(void **state) {
    (void)state;
    struct office office = office_open();
    dpn_question *question;
    dpn_error why;
    char one[] = "states one";
    office_expect(DPN_OK, ask(&question, &office, "people", COUNT, one, &why), &why, NULL);
    office_register(&office, "{'source': {'kind': 'file', 'path': '/data/people.csv'}, 'most_epsilon': '3'}", 2);
    office_expect(DPN_EDOMAIN, dpn_question_charge(question, office.rng, &why), &why, "version 1");
    dpn_question_free(question);
    office_spent(&office, "people", "0");
    assert_int_equal(sources(&office), 0);
    answer(&office, "people", one, DPN_QUESTION_ASKED);
    office_close(&office);
}

/* The state of a question that the registration makes another of does not fit, and that is known before the charge. */
static void states_are_of_what_is_asked_in_the_end(void **state) {
    (void)state;
    static const char *const declared[] = {
        "{'statistics': [{'kind': 'sum', 'column': 'income', 'lower': '0', 'upper': '100'}], 'epsilon': '1'}",
        "{'statistics': [{'kind': 'sum', 'column': 'income', 'lower': '0', 'upper': '50'}], 'epsilon': '1'}"};
    struct office office = office_open();
    dpn_question *question;
    dpn_error why;
    char one[] = "states one";
    office_expect(DPN_OK, ask(&question, &office, "people", SUM, one, &why), &why, NULL);
    for (int i = 0; i < 2; i++) {
        dpn_declaration declaration = registered_question(declared[i]);
        dpn_query *query = NULL;
        dpn_tally *tally = NULL;
        unsigned char *bytes = NULL;
        size_t length = 0;
        if (dpn_query_new_shape(&query, &declaration, &why) || dpn_tally_new(&tally, query, office.rng, &why) ||
            dpn_tally_write(&bytes, &length, tally, &why))
            fail_msg("%s", why.sentence);
        office_expect(i ? DPN_EDOMAIN : DPN_OK, dpn_question_check_state(question, bytes, length, office.rng, &why),
                      &why, NULL);
        dpn_tally_state_free(bytes, length);
        dpn_tally_free(tally);
        dpn_query_free(query);
        dpn_declaration_free(&declaration);
    }
    office_spent(&office, "people", "0");
    dpn_question_free(question);
    office_close(&office);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(states_have_one_budget),
        cmocka_unit_test(each_state_is_noted_under_a_hidden_name),
        cmocka_unit_test(a_new_version_comes_between),
        cmocka_unit_test(states_are_of_what_is_asked_in_the_end),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
