/* The order of a question, and what every attempt to leave it gives: nothing without a charge, one result a charge, nothing
 * that was not kept, and one sentence for everything that fails after the charge. */
#define _POSIX_C_SOURCE 200809L
#include "unit/question/office.h"
#include "unit/question/registered.h"

#include <dpnoise/answer.h>
#include <setjmp.h>
#include <sqlite3.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cmocka.h>

#define COUNT "{'statistics': [{'kind': 'count'}], 'epsilon': '1'}"
#define MEANS                                                                                                  \
    "{'statistics': [{'kind': 'count'}, {'kind': 'mean', 'column': 'income'}], 'by': [{'column': 'region'}], " \
    "'epsilon': '1'}"

static dpn_status ask(struct office *office, const char *name, const char *json, const char *source, dpn_error *why) {
    char text[REGISTERED_SIZE];
    dpn_question *question = NULL;
    dpn_question_options options = dpn_question_options_init();
    options.source = source;
    registered_quotes(text, json);
    dpn_status status = dpn_question_read(&question, office->ledger, name, text, strlen(text), &options, why);
    if (status) assert_null(question);
    dpn_question_free(question);
    return status;
}

/* ---- The way through ---- */

static void an_answer_is_paid_once_and_given_again(void **state) {
    (void)state;
    struct office office = office_open();
    char *text, *kept;
    size_t length;
    dpn_error why;
    dpn_question *first = office_ask(&office, "people", MEANS), *second;
    assert_int_equal(dpn_question_look(first).state, DPN_QUESTION_ASKED);
    assert_null(dpn_question_look(first).charge);
    const dpn_answer *answer = office_answer(&office, first), *again;
    assert_int_equal(dpn_question_look(first).state, DPN_QUESTION_ANSWERED);
    assert_false(dpn_question_look(first).stored);
    assert_true(answer->groups == 2 && strcmp(answer->key[1], "south") == 0);
    /* Laplace noise of scale 2 or less: 60 has a probability below 1e-12. */
    assert_true(answer->cell[0].value > -58 && answer->cell[0].value < 62);
    assert_int_equal(dpn_question_answer(&again, first, office.rng, &why), DPN_OK);
    assert_ptr_equal(answer, again);
    office_spent(&office, "people", "1");

    /* What is in the ledger is what was given. */
    assert_int_equal(dpn_answer_write(&text, NULL, answer, &why), DPN_OK);
    assert_int_equal(dpn_ledger_export(&kept, &length, office.ledger, &why), DPN_OK);
    assert_non_null(strstr(kept, "result_of"));
    free(kept);

    second = office_ask(&office, "people", MEANS);
    assert_int_equal(dpn_question_look(second).state, DPN_QUESTION_STORED);
    assert_true(dpn_question_look(second).stored);
    assert_true(dpn_question_look(second).head.number == dpn_question_look(first).head.number);
    assert_string_equal(dpn_question_look(second).time, dpn_question_look(first).time);
    again = office_answer(&office, second);
    office_same(answer, again);
    office_spent(&office, "people", "1");
    free(text);
    assert_int_equal(dpn_answer_write(&kept, NULL, again, &why), DPN_OK);
    assert_int_equal(dpn_answer_write(&text, NULL, answer, &why), DPN_OK);
    assert_string_equal(text, kept);
    free(text);
    free(kept);
    dpn_question_free(first);
    dpn_question_free(second);
    dpn_question_free(NULL);
    office_close(&office);
}

static void what_was_filled_in_is_what_is_asked(void **state) {
    (void)state;
    struct office office = office_open();
    dpn_question *question = office_ask(&office, "people",
                                        "{'statistics': [{'kind': 'count'}], 'by': [{'column': "
                                        "'town'}], 'epsilon': '0.50'}");
    assert_string_equal(dpn_question_text(question),
                        "{\"statistics\": [{\"kind\": \"count\"}], \"by\": [{\"column\": \"town\"}], \"epsilon\": "
                        "\"0.5\", \"delta\": \"1e-6\"}");
    assert_string_equal(dpn_question_declaration(question)->delta, "1e-6");
    assert_string_equal(dpn_question_registration(question)->least_epsilon, "0.003");
    dpn_question_free(question);
    office_close(&office);
}

/* Another way to say it is the same question. */
static void equal_questions_have_one_answer(void **state) {
    (void)state;
    struct office office = office_open();
    dpn_question *first = office_ask(&office, "people", MEANS);
    const dpn_answer *answer = office_answer(&office, first);
    dpn_declaration declaration = registered_question(
        "{'epsilon': '1.0', 'by': [{'column': 'region', 'levels': ['north', 'south']}], 'relation': 'add-remove', "
        "'statistics': [{'kind': 'count'}, {'kind': 'mean', 'column': 'income', 'lower': 0, 'upper': 1e2}]}");
    dpn_question *second;
    dpn_error why;
    assert_int_equal(dpn_question_new(&second, office.ledger, "people", &declaration, NULL, &why), DPN_OK);
    assert_int_equal(dpn_question_look(second).state, DPN_QUESTION_STORED);
    office_same(answer, office_answer(&office, second));
    dpn_declaration_free(&declaration);
    dpn_question_free(first);
    dpn_question_free(second);
    office_close(&office);
}

/* ---- Refusals before the charge ---- */

static void refusals_cost_nothing(void **state) {
    (void)state;
    struct office office = office_open();
    dpn_error why;
    office_expect(DPN_EDOMAIN, ask(&office, "nobody", COUNT, NULL, &why), &why, "nobody");
    office_expect(DPN_EDOMAIN, ask(&office, "visits", COUNT, NULL, &why), &why, "not registered");
    office_expect(DPN_EDOMAIN, ask(&office, "people", COUNT, "/data/others.csv", &why), &why, "elsewhere");
    office_expect(DPN_EPARSE, ask(&office, "people", "{'epsilom': '1'}", NULL, &why), &why, "epsilom");
    /* Attack 1: a number of a text column failed if and only if the predicate selected a row. */
    office_expect(DPN_EDOMAIN,
                  ask(&office, "people",
                      "{'statistics': [{'kind': 'sum', 'column': 'region', 'lower': '0', 'upper': '1'}], 'epsilon': "
                      "'1e-9'}",
                      NULL, &why),
                  &why, "not as a number");
    office_expect(DPN_EDOMAIN,
                  ask(&office, "people", "{'statistics': [{'kind': 'count'}], 'epsilon': '1e-9'}", NULL, &why), &why,
                  "least");
    office_spent(&office, "people", "0");
    office_close(&office);
}

static void a_budget_that_is_spent_refuses(void **state) {
    (void)state;
    struct office office = office_open();
    const dpn_answer *answer;
    dpn_cost cost;
    dpn_error why;
    dpn_question *first = office_ask(&office, "people", "{'statistics': [{'kind': 'count'}], 'epsilon': '2.5'}");
    office_answer(&office, first);
    dpn_question *second = office_ask(&office, "people", COUNT);
    assert_int_equal(dpn_question_preview(&cost, NULL, second, &why), DPN_OK);
    assert_false(cost.fits);
    office_expect(DPN_EBUDGET, dpn_question_charge(second, office.rng, &why), &why, NULL);
    assert_null(dpn_question_tally(second));
    office_expect(DPN_EDOMAIN, dpn_question_answer(&answer, second, office.rng, &why), &why, "charged before");
    assert_int_equal(dpn_question_look(second).state, DPN_QUESTION_ASKED);
    office_spent(&office, "people", "2.5");
    dpn_question_free(first);
    dpn_question_free(second);
    office_close(&office);
}

static void nothing_leaves_without_a_charge(void **state) {
    (void)state;
    struct office office = office_open();
    const dpn_answer *answer = NULL;
    dpn_error why;
    dpn_question *question = office_ask(&office, "people", COUNT);
    assert_null(dpn_question_tally(question));
    office_expect(DPN_EDOMAIN, dpn_question_answer(&answer, question, office.rng, &why), &why, "charged before");
    office_expect(DPN_EDOMAIN, dpn_question_fail(question, &why, &why), &why, NULL);
    assert_null(answer);
    dpn_question_free(question);
    office_close(&office);
}

static void a_question_is_charged_once(void **state) {
    (void)state;
    struct office office = office_open();
    dpn_cost cost;
    dpn_error why;
    dpn_question *question = office_ask(&office, "people", COUNT);
    assert_int_equal(dpn_question_charge(question, office.rng, &why), DPN_OK);
    office_expect(DPN_EDOMAIN, dpn_question_charge(question, office.rng, &why), &why, "already");
    office_expect(DPN_EDOMAIN, dpn_question_preview(&cost, NULL, question, &why), &why, "already");
    office_spent(&office, "people", "1");
    dpn_question_free(question);
    office_close(&office);
}

/* ---- Quotas ---- */

static void a_quota_and_its_cap_are_charged_together(void **state) {
    (void)state;
    struct office office = office_open();
    dpn_cost cost, quota;
    dpn_error why;
    dpn_question *first = office_ask(&office, "people/team-a", MEANS);
    assert_int_equal(dpn_question_preview(&cost, &quota, first, &why), DPN_OK);
    assert_true(cost.fits && quota.fits && quota.after.epsilon > 0.9 && quota.after.epsilon < 1.1);
    const dpn_answer *answer = office_answer(&office, first);
    office_spent(&office, "people", "1");
    office_spent(&office, "people/team-a", "1");
    office_spent(&office, "people/team-b", "0");

    /* The answer that team a paid costs team b its quota, and nobody else. */
    dpn_question *second = office_ask(&office, "people/team-b", MEANS);
    assert_int_equal(dpn_question_look(second).state, DPN_QUESTION_OTHERS);
    const dpn_answer *none = NULL;
    office_expect(DPN_EDOMAIN, dpn_question_answer(&none, second, office.rng, &why), &why, "charged before");
    assert_int_equal(dpn_question_preview(&cost, &quota, second, &why), DPN_OK);
    assert_true(cost.after.epsilon == cost.before.epsilon && quota.after.epsilon > quota.before.epsilon);
    office_same(answer, office_answer(&office, second));
    office_spent(&office, "people", "1");
    office_spent(&office, "people/team-b", "1");

    /* From then on both have it for nothing. */
    for (int i = 0; i < 2; i++) {
        dpn_question *again = office_ask(&office, i ? "people/team-a" : "people/team-b", MEANS);
        assert_int_equal(dpn_question_look(again).state, DPN_QUESTION_STORED);
        office_same(answer, office_answer(&office, again));
        dpn_question_free(again);
    }
    office_spent(&office, "people/team-a", "1");
    office_spent(&office, "people/team-b", "1");

    /* The quota refuses, and then the cap is not charged either. */
    dpn_question *third = office_ask(&office, "people/team-a", "{'statistics': [{'kind': 'count'}], 'epsilon': '1.5'}");
    office_expect(DPN_EBUDGET, dpn_question_charge(third, office.rng, &why), &why, NULL);
    office_spent(&office, "people", "1");
    office_spent(&office, "people/team-a", "1");
    dpn_question_free(first);
    dpn_question_free(second);
    dpn_question_free(third);
    office_close(&office);
}

static dpn_status ask_with(dpn_question **out, struct office *office, const char *name, const char *also,
                           const char *json, dpn_error *why) {
    dpn_question_options options = dpn_question_options_init();
    options.also = also;
    return dpn_question_read(out, office->ledger, name, json, strlen(json), &options, why);
}

/* Registered data are where the registration says: another file, or a name that begins as that one, is refused before anything is charged. */
static void data_elsewhere_are_not_the_registered_ones(void **state) {
    (void)state;
    static const char *const path[] = {"/data/people.csv", "/data/people.csv2", "/data/people.cs", "/data/others.csv"};
    static const char count[] = "{\"count\": true, \"epsilon\": \"0.5\"}";
    struct office office = office_open();
    dpn_error why;
    for (size_t i = 0; i < sizeof path / sizeof *path; i++) {
        dpn_question *question;
        dpn_place place = {.kind = DPN_PLACE_FILE, .path = (char *)path[i]};
        dpn_question_options options = dpn_question_options_init();
        options.place = &place;
        dpn_status status = dpn_question_read(&question, office.ledger, "people", count, strlen(count), &options, &why);
        office_expect(i == 0 ? DPN_OK : DPN_EDOMAIN, status, &why, i == 0 ? NULL : "registered for data elsewhere");
        if (!status) dpn_question_free(question);
    }
    office_spent(&office, "people", "0");
    office_close(&office);
}

/* Of two quotas that pay both are charged, or neither is. */
static void two_quotas_pay_all_or_none(void **state) {
    (void)state;
    static const char count[] = "{\"count\": true, \"epsilon\": \"0.5\"}",
                      other[] = "{\"count\": true, \"epsilon\": \"1.25\"}";
    struct office office = office_open();
    dpn_question *question;
    dpn_cost cost, quota;
    dpn_error why;
    office_expect(DPN_OK, ask_with(&question, &office, "people/team-a", "people/team-b", count, &why), &why, NULL);
    const dpn_answer *answer = office_answer(&office, question);
    office_spent(&office, "people", "0.5");
    office_spent(&office, "people/team-a", "0.5");
    office_spent(&office, "people/team-b", "0.5");

    /* Team b has 1.5 left, team a after another question 1: what does not fit it costs b nothing either. */
    dpn_question *own = office_ask(&office, "people/team-a", "{'count': true, 'epsilon': '0.75'}");
    (void)office_answer(&office, own);
    dpn_question *refused;
    for (int swap = 0; swap < 2; swap++) {
        office_expect(DPN_OK,
                      ask_with(&refused, &office, swap ? "people/team-b" : "people/team-a",
                               swap ? "people/team-a" : "people/team-b", other, &why),
                      &why, NULL);
        assert_int_equal(dpn_question_preview(&cost, &quota, refused, &why), DPN_OK);
        assert_true(cost.fits && !quota.fits);
        office_expect(DPN_EBUDGET, dpn_question_charge(refused, office.rng, &why), &why, "team-a");
        dpn_question_free(refused);
    }
    office_spent(&office, "people", "1.25");
    office_spent(&office, "people/team-a", "1.25");
    office_spent(&office, "people/team-b", "0.5");

    /* A stored answer costs the one that has not paid for it. */
    dpn_question *stored;
    office_expect(
        DPN_OK,
        ask_with(&stored, &office, "people/team-b", "people/team-a", "{\"count\": true, \"epsilon\": \"0.75\"}", &why),
        &why, NULL);
    assert_int_equal(dpn_question_look(stored).state, DPN_QUESTION_OTHERS);
    (void)office_answer(&office, stored);
    office_spent(&office, "people", "1.25");
    office_spent(&office, "people/team-a", "1.25");
    office_spent(&office, "people/team-b", "1.25");
    dpn_question_free(stored);
    office_expect(DPN_OK, ask_with(&stored, &office, "people", "people/team-a", count, &why), &why, NULL);
    assert_int_equal(dpn_question_look(stored).state, DPN_QUESTION_STORED);
    office_same(answer, office_answer(&office, stored));
    dpn_question_free(stored);

    office_expect(DPN_EDOMAIN, ask_with(&stored, &office, "people/team-a", "visits", count, &why), &why,
                  "is not a quota of");
    office_expect(DPN_EDOMAIN, ask_with(&stored, &office, "people/team-a", "people", count, &why), &why,
                  "is not a quota of");
    /* Nor is one of other data. */
    dpn_ledger_budget apart = {.name = "visits/team-a", .of = "visits", .user = "curator", .unit = DPN_ROW};
    assert_int_equal(dpn_decimal_parse(&apart.plan.epsilon, "2", &why), DPN_OK);
    office_expect(DPN_OK, dpn_ledger_add_budget(NULL, office.ledger, &apart, &why), &why, NULL);
    office_expect(DPN_EDOMAIN, ask_with(&stored, &office, "people/team-a", "visits/team-a", count, &why), &why,
                  "is not a quota of");
    office_expect(DPN_EDOMAIN, ask_with(&stored, &office, "people", "visits/team-a", count, &why), &why,
                  "is not a quota of");
    dpn_question_free(question);
    dpn_question_free(own);
    office_close(&office);
}

/* Who wants another draw pays for it, and from then on that is the answer. */
static void a_fresh_answer_is_paid_again(void **state) {
    (void)state;
    struct office office = office_open();
    char text[REGISTERED_SIZE];
    dpn_question *question = office_ask(&office, "people", COUNT);
    dpn_error why;
    office_answer(&office, question);
    dpn_question_free(question);
    dpn_question_options options = dpn_question_options_init();
    options.fresh = true;
    registered_quotes(text, COUNT);
    assert_int_equal(dpn_question_read(&question, office.ledger, "people", text, strlen(text), &options, &why), DPN_OK);
    assert_int_equal(dpn_question_look(question).state, DPN_QUESTION_ASKED);
    const dpn_answer *answer = office_answer(&office, question);
    office_spent(&office, "people", "2");
    dpn_question *again = office_ask(&office, "people", COUNT);
    office_same(answer, office_answer(&office, again));
    office_spent(&office, "people", "2");
    dpn_question_free(question);
    dpn_question_free(again);
    office_close(&office);
}

/* With a delta of a half there would be next to no noise, whatever epsilon is registered as the most. */
static void no_question_has_more_delta_than_the_budget(void **state) {
    (void)state;
    struct office office = office_open();
    dpn_error why;
    office_register(&office, /* which does not say the most delta of one question */
                    "{'source': {'kind': 'file', 'path': '/data/people.csv'}, 'columns': [{'name': 'income', 'type': "
                    "'number', 'lower': '0', 'upper': '100'}], 'most_epsilon': '3'}",
                    1);
    office_expect(DPN_EDOMAIN,
                  ask(&office, "people",
                      "{'statistics': [{'kind': 'count'}], 'epsilon': '1', 'delta': '0.5', 'noise': 'gaussian'}", NULL,
                      &why),
                  &why, "delta");
    office_close(&office);
}

/* ---- Which data an answer is of ---- */

/* Attack 4: an answer about one database is not given for another. */
static void a_stored_answer_is_of_its_source_and_version_alone(void **state) {
    (void)state;
    static const char *const moved =
        "{'source': {'kind': 'file', 'path': '%s'}, 'columns': [{'name': 'income', 'type': 'number', 'lower': '0', "
        "'upper': '100'}], 'most_epsilon': '3'}";
    struct office office = office_open();
    char json[REGISTERED_SIZE];
    dpn_question *question = office_ask(&office, "people", COUNT);
    office_answer(&office, question);
    dpn_question_free(question);
    for (int i = 0; i < 3; i++) { /* amended, moved, new content */
        snprintf(json, sizeof json, moved, i == 1 ? "/data/elsewhere.csv" : "/data/people.csv");
        office_register(&office, json, i == 2 ? 2 : 1);
        question = office_ask(&office, "people", COUNT);
        assert_int_equal(dpn_question_look(question).state, i == 0 ? DPN_QUESTION_STORED : DPN_QUESTION_ASKED);
        dpn_question_free(question);
    }
    for (int i = 0; i < 2; i++) { /* not registered: the front says what the data are */
        char text[REGISTERED_SIZE];
        dpn_error why;
        dpn_question_options options = dpn_question_options_init();
        question = office_ask(&office, "visits", COUNT);
        assert_int_equal(dpn_question_look(question).state, i ? DPN_QUESTION_STORED : DPN_QUESTION_ASKED);
        office_answer(&office, question);
        dpn_question_free(question);
        options.source = "/data/other-visits.csv";
        registered_quotes(text, COUNT);
        assert_int_equal(dpn_question_read(&question, office.ledger, "visits", text, strlen(text), &options, &why),
                         DPN_OK);
        assert_int_equal(dpn_question_look(question).state, DPN_QUESTION_ASKED);
        dpn_question_free(question);
    }
    office_close(&office);
}

static void a_question_without_a_ledger_can_join_one(void **state) {
    (void)state;
    struct office office = office_open();
    char text[REGISTERED_SIZE];
    dpn_question *question;
    dpn_error why;
    dpn_question_options options = dpn_question_options_init();
    options.source = "/data/visits.csv";
    registered_quotes(text, COUNT);
    assert_int_equal(dpn_question_read(&question, NULL, "visits", text, strlen(text), &options, &why), DPN_OK);
    office_expect(DPN_EDOMAIN, dpn_question_charge(question, office.rng, &why), &why, "no ledger");
    assert_null(dpn_question_look(question).account);
    assert_int_equal(dpn_question_join(question, office.ledger, &why), DPN_OK);
    office_expect(DPN_EDOMAIN, dpn_question_join(question, office.ledger, &why), &why, NULL);
    office_answer(&office, question);
    office_spent(&office, "visits", "1");
    dpn_question_free(question);
    /* A registration cannot be got around in this way. */
    assert_int_equal(dpn_question_read(&question, NULL, "people", text, strlen(text), &options, &why), DPN_OK);
    office_expect(DPN_EDOMAIN, dpn_question_join(question, office.ledger, &why), &why, "registered");
    office_expect(DPN_EDOMAIN, dpn_question_charge(question, office.rng, &why), &why, "no ledger");
    dpn_question_free(question);
    office_close(&office);
}

/* ---- Data that are not registered ---- */

/* Put a question about data at a place; *why tells why not. */
static dpn_status ask_at(dpn_question **out, struct office *office, const char *name, const char *json,
                         const dpn_place *place, bool (*same)(void *, const dpn_place *), dpn_error *why) {
    char text[REGISTERED_SIZE];
    dpn_question_options options = dpn_question_options_init();
    options.place = place;
    options.same = same;
    options.same_context = office;
    registered_quotes(text, json);
    return dpn_question_read(out, office->ledger, name, text, strlen(text), &options, why);
}

static void add_person_budget(struct office *office, const char *name) {
    dpn_error why;
    dpn_ledger_budget budget = {.name = name, .relation = DPN_ADD_REMOVE, .unit = DPN_PERSON};
    if (dpn_decimal_parse(&budget.plan.epsilon, "3", &why) ||
        dpn_ledger_add_budget(NULL, office->ledger, &budget, &why))
        fail_msg("%s", why.sentence);
}

static bool is_linked(void *context, const dpn_place *other) {
    assert_non_null(context);
    return other->path && strcmp(other->path, "/data/stays.csv") == 0;
}

#define OF_PERSONS "{'statistics': [{'kind': 'count'}], 'person': '%s', 'epsilon': '%s'}"

static void data_have_one_budget_and_one_person(void **state) {
    (void)state;
    struct office office = office_open();
    dpn_place stays = {.kind = DPN_PLACE_FILE, .path = (char[]){"/data/stays.csv"}},
              link = {.kind = DPN_PLACE_FILE, .path = (char[]){"/data/link.csv"}},
              more = {.kind = DPN_PLACE_FILE, .path = (char[]){"/data/more.csv"}},
              people = {.kind = DPN_PLACE_FILE, .path = (char[]){"/data/people.csv"}},
              odd = {.kind = DPN_PLACE_FILE, .path = (char[]){"/data/\xff.csv"}},
              input = {.kind = DPN_PLACE_DECLARED, .what = (char[]){"standard input"}};
    dpn_question *question, *late;
    dpn_error why;
    char json[300], visit[300];
    add_person_budget(&office, "stays");
    add_person_budget(&office, "other");
    snprintf(json, sizeof json, OF_PERSONS, "id", "1");
    snprintf(visit, sizeof visit, OF_PERSONS, "visit", "1");
    /* Before the first charge both may come; the one that is charged first has the data. */
    assert_int_equal(ask_at(&question, &office, "stays", json, &stays, NULL, &why), DPN_OK);
    assert_int_equal(ask_at(&late, &office, "other", json, &link, is_linked, &why), DPN_OK);
    office_answer(&office, question);
    dpn_question_free(question);
    office_expect(DPN_EDOMAIN, dpn_question_charge(late, office.rng, &why), &why, "budget of 'stays'");
    assert_null(dpn_question_tally(late));
    office_spent(&office, "other", "0");
    dpn_question_free(late);
    office_expect(DPN_EDOMAIN, ask_at(&late, &office, "other", json, &stays, NULL, &why), &why, "budget of 'stays'");
    office_expect(DPN_EDOMAIN, ask_at(&late, &office, "other", json, &link, is_linked, &why), &why, "of 'stays'");
    /* Nor do registered data have another. */
    office_expect(DPN_EDOMAIN, ask_at(&late, &office, "other", json, &people, NULL, &why), &why, "of 'people'");
    /* The answer that was paid for is given again, another person is not taken. */
    assert_int_equal(ask_at(&question, &office, "stays", json, &stays, NULL, &why), DPN_OK);
    assert_int_equal(dpn_question_look(question).state, DPN_QUESTION_STORED);
    dpn_question_free(question);
    office_expect(DPN_EDOMAIN, ask_at(&question, &office, "stays", visit, &stays, NULL, &why), &why, "'id'");
    office_expect(DPN_EDOMAIN, ask_at(&question, &office, "stays", visit, &link, is_linked, &why), &why, "'id'");
    /* A budget may have further data, with persons of their own. */
    assert_int_equal(ask_at(&question, &office, "stays", visit, &more, NULL, &why), DPN_OK);
    office_answer(&office, question);
    dpn_question_free(question);
    office_spent(&office, "stays", "2");
    office_expect(DPN_EDOMAIN, ask_at(&question, &office, "stays", json, &more, NULL, &why), &why, "'visit'");
    /* The same words mean the same data under one budget alone. */
    for (int i = 0; i < 2; i++) {
        assert_int_equal(ask_at(&question, &office, i ? "other" : "stays", i ? visit : json, &input, NULL, &why),
                         DPN_OK);
        office_answer(&office, question);
        dpn_question_free(question);
    }
    office_expect(DPN_EDOMAIN, ask_at(&question, &office, "other", json, &input, NULL, &why), &why, "'visit'");
    /* What no ledger can keep is refused before it costs anything. */
    office_expect(DPN_EDOMAIN, ask_at(&question, &office, "other", json, &odd, NULL, &why), &why, "source: path");
    office_spent(&office, "other", "1");
    office_close(&office);
}

/* Two handles charge for the same data at the same time, one to each of two budgets: what they ask about a person differs too. */
static void of_two_first_charges_one_notes_the_person(void **state) {
    (void)state;
    struct office office = office_open();
    dpn_place stays = {.kind = DPN_PLACE_FILE, .path = (char[]){"/data/stays.csv"}};
    dpn_question *first, *second;
    dpn_error why;
    char json[300], visit[300];
    add_person_budget(&office, "stays");
    snprintf(json, sizeof json, OF_PERSONS, "id", "1");
    snprintf(visit, sizeof visit, OF_PERSONS, "visit", "1");
    assert_int_equal(ask_at(&first, &office, "stays", json, &stays, NULL, &why), DPN_OK);
    assert_int_equal(ask_at(&second, &office, "stays", visit, &stays, NULL, &why), DPN_OK);
    office_answer(&office, second);
    office_expect(DPN_EDOMAIN, dpn_question_charge(first, office.rng, &why), &why, "'visit'");
    office_spent(&office, "stays", "1");
    dpn_question_free(first);
    dpn_question_free(second);
    office_close(&office);
}

/* ---- Failures after the charge ---- */

static void all_failures_after_the_charge_look_alike(void **state) {
    (void)state;
    struct office office = office_open();
    const dpn_answer *answer = NULL;
    dpn_error why = {DPN_ENOMEM, "no memory for 400000 groups"};
    dpn_question *question = office_ask(&office, "people", COUNT);
    assert_int_equal(dpn_question_charge(question, office.rng, NULL), DPN_OK);
    assert_string_equal(dpn_question_reason(question), "");
    assert_int_equal(dpn_question_fail(question, &why, &why), DPN_EIO);
    assert_string_equal(why.sentence, dpn_question_failure());
    assert_string_equal(dpn_question_reason(question), "no memory for 400000 groups");
    why.sentence[0] = '\0';
    office_expect(DPN_EIO, dpn_question_answer(&answer, question, office.rng, &why), &why, dpn_question_failure());
    assert_null(answer);
    assert_null(dpn_question_tally(question));
    office_spent(&office, "people", "1"); /* the charge stands */
    dpn_question_free(question);
    question = office_ask(&office, "people", COUNT); /* and nothing was kept */
    assert_int_equal(dpn_question_look(question).state, DPN_QUESTION_ASKED);
    dpn_question_free(question);
    office_close(&office);
}

/* A tally that cannot answer fails at the answer, with the same sentence. */
static void a_tally_that_gave_its_sums_away_has_no_answer(void **state) {
    (void)state;
    struct office office = office_open();
    const dpn_answer *answer = NULL;
    dpn_answer *other;
    dpn_error why;
    dpn_question *question = office_ask(&office, "people", COUNT);
    assert_int_equal(dpn_question_charge(question, office.rng, &why), DPN_OK);
    office_rows(question);
    assert_int_equal(
        dpn_query_answer(&other, dpn_question_query(question), dpn_question_tally(question), office.rng, &why), DPN_OK);
    dpn_answer_free(other);
    office_expect(DPN_EIO, dpn_question_answer(&answer, question, office.rng, &why), &why, dpn_question_failure());
    assert_true(dpn_question_reason(question)[0]);
    assert_null(answer);
    dpn_question_free(question);
    office_close(&office);
}

/* A ledger that another process holds cannot keep the answer: then nobody sees it. */
static void what_is_not_kept_does_not_leave(void **state) {
    (void)state;
    struct office office = office_open();
    sqlite3 *other = NULL;
    const dpn_answer *answer = NULL;
    dpn_error why;
    dpn_question *question = office_ask(&office, "people", COUNT);
    assert_int_equal(dpn_question_charge(question, office.rng, &why), DPN_OK);
    office_rows(question);
    assert_int_equal(sqlite3_open(office.path, &other), SQLITE_OK);
    assert_int_equal(sqlite3_exec(other, "begin immediate", NULL, NULL, NULL), SQLITE_OK);
    office_expect(DPN_EIO, dpn_question_answer(&answer, question, office.rng, &why), &why, dpn_question_failure());
    assert_int_equal(sqlite3_exec(other, "rollback", NULL, NULL, NULL), SQLITE_OK);
    sqlite3_close(other);
    assert_null(answer);
    /* Not later either: the noise that was drawn is gone. */
    office_expect(DPN_EIO, dpn_question_answer(&answer, question, office.rng, &why), &why, dpn_question_failure());
    assert_null(answer);
    dpn_question_free(question);
    question = office_ask(&office, "people", COUNT);
    assert_int_equal(dpn_question_look(question).state, DPN_QUESTION_ASKED);
    dpn_question_free(question);
    office_close(&office);
}

/* ---- One result a charge ---- */

/* The sums of a question, exported and answered again, find that its charge has a result; and so does the question if the
 * others came first. */
static void an_exported_state_is_not_answered_twice(void **state) {
    (void)state;
    for (int first = 0; first < 2; first++) {
        struct office office = office_open();
        unsigned char *sums;
        size_t length;
        char *text;
        const dpn_answer *answer = NULL;
        dpn_answer *twin;
        dpn_tally *tally;
        dpn_error why;
        dpn_question *question = office_ask(&office, "people", COUNT);
        const dpn_query *query = dpn_question_query(question);
        assert_int_equal(dpn_question_charge(question, office.rng, &why), DPN_OK);
        office_rows(question);
        uint64_t number = dpn_question_look(question).head.number;
        if (dpn_tally_write(&sums, &length, dpn_question_tally(question), &why)) fail_msg("%s", why.sentence);
        if (!first) assert_int_equal(dpn_question_answer(&answer, question, office.rng, &why), DPN_OK);
        assert_int_equal(dpn_tally_new(&tally, query, office.rng, &why), DPN_OK);
        if (dpn_tally_add_state(tally, sums, length, &why)) fail_msg("%s", why.sentence);
        assert_int_equal(dpn_query_answer(&twin, query, tally, office.rng, &why), DPN_OK);
        assert_int_equal(dpn_answer_write(&text, NULL, twin, &why), DPN_OK);
        dpn_status stored = dpn_ledger_store_result(office.ledger, number, text, strlen(text), &why);
        office_expect(first ? DPN_OK : DPN_EDOMAIN, stored, &why, first ? NULL : "already");
        if (first)
            office_expect(DPN_EIO, dpn_question_answer(&answer, question, office.rng, &why), &why,
                          dpn_question_failure());
        assert_true(first ? !answer : answer != NULL);
        free(text);
        dpn_tally_state_free(sums, length);
        dpn_answer_free(twin);
        dpn_tally_free(tally);
        dpn_question_free(question);
        office_close(&office);
    }
}

/* Parent and child hold the same sums and the same charge; one of them answers. */
static void a_forked_process_has_no_answer(void **state) {
    (void)state;
    struct office office = office_open();
    const dpn_answer *answer = NULL;
    int code = 0;
    dpn_error why;
    dpn_question *question = office_ask(&office, "people", COUNT);
    assert_int_equal(dpn_question_charge(question, office.rng, &why), DPN_OK);
    office_rows(question);
    pid_t child = fork();
    if (child == 0) {
        dpn_status status = dpn_question_answer(&answer, question, office.rng, &why);
        _exit(status == DPN_EIO && !answer && strcmp(why.sentence, dpn_question_failure()) == 0 ? 42 : 1);
    }
    assert_true(child > 0);
    assert_int_equal(waitpid(child, &code, 0), child);
    assert_true(WIFEXITED(code));
    assert_int_equal(WEXITSTATUS(code), 42);
    assert_int_equal(dpn_question_answer(&answer, question, office.rng, &why), DPN_OK);
    assert_non_null(answer);
    dpn_question_free(question);
    office_close(&office);
}

/* ---- Memory ---- */

/* A question that asks for this much memory for its keys, up to its charge. */
static dpn_status charge_within(struct office *office, const char *name, const char *source, uint64_t memory,
                                dpn_error *why) {
    char text[REGISTERED_SIZE];
    dpn_question *question;
    dpn_question_options options = dpn_question_options_init();
    options.source = source;
    options.memory = memory;
    registered_quotes(
        text, "{'statistics': [{'kind': 'count'}], 'by': [{'column': 'town'}], 'epsilon': '1', 'delta': '1e-6'}");
    if (dpn_question_read(&question, office->ledger, name, text, strlen(text), &options, why))
        fail_msg("%s", why->sentence);
    dpn_status status = dpn_question_charge(question, office->rng, why);
    assert_true((dpn_question_tally(question) != NULL) == (status == DPN_OK));
    dpn_question_free(question);
    return status;
}

static void memory_is_had_before_the_charge(void **state) {
    (void)state;
    struct office office = office_open();
    dpn_error why;
    office_expect(DPN_EDOMAIN, charge_within(&office, "visits", "/data/visits.csv", 1000, &why), &why, "at least");
    office_expect(DPN_ENOMEM, charge_within(&office, "visits", "/data/visits.csv", UINT64_C(1) << 50, &why), &why,
                  "can have less");
    office_spent(&office, "visits", "0");
    assert_int_equal(charge_within(&office, "visits", "/data/visits.csv", DPN_TALLY_LEAST_MEMORY, &why), DPN_OK);
    office_spent(&office, "visits", "1");
    office_close(&office);
}

/* No more than is registered; and what was registered before there was a least is taken for that. */
static void registered_memory_is_the_most(void **state) {
    (void)state;
    struct office office = office_open();
    dpn_error why;
    office_register(&office,
                    "{'source': {'kind': 'file', 'path': '/data/people.csv'}, 'columns': [{'name': 'town', 'type': "
                    "'category'}], 'memory': '1000'}",
                    1);
    office_expect(DPN_EDOMAIN, charge_within(&office, "people", NULL, DPN_TALLY_LEAST_MEMORY + 1, &why), &why,
                  "are registered");
    office_spent(&office, "people", "0");
    assert_int_equal(charge_within(&office, "people", NULL, 0, &why), DPN_OK);
    office_spent(&office, "people", "1");
    office_close(&office);
}

/* A row that gives way to another is one that goes and one that comes: what protects against one of them costs twice where the budget is about replacing, and a
 * question about replacing nothing but itself. Nothing about replacing fits a budget of rows that come and go. */
static void a_budget_for_replace_pays_twice_for_add_remove(void **state) {
    (void)state;
    static const char json[] = "{'statistics': [{'kind': 'count'}], 'where': [{'column': 'town', 'is': '=', 'value': "
                               "'%s'}], 'epsilon': '0.5', 'relation': '%s'}";
    struct office office = office_open();
    dpn_ledger_budget cap = {.name = "swaps", .relation = DPN_REPLACE, .unit = DPN_ROW},
                      quota = {.name = "swaps/team", .of = "swaps", .relation = DPN_REPLACE, .unit = DPN_ROW};
    dpn_error why;
    char text[300];
    assert_int_equal(dpn_decimal_parse(&cap.plan.epsilon, "3", NULL), DPN_OK);
    quota.plan.epsilon = cap.plan.epsilon;
    if (dpn_ledger_add_budget(NULL, office.ledger, &cap, &why) ||
        dpn_ledger_add_budget(NULL, office.ledger, &quota, &why))
        fail_msg("%s", why.sentence);
    static const struct {
        const char *name, *town, *relation, *cap, *quota;
    } row[] = {{"swaps", "a", "replace", "0.5", "0"},
               {"swaps", "b", "add-remove", "1.5", "0"},
               {"swaps/team", "c", "add-remove", "2.5", "1"},
               {"swaps/team", "d", "replace", "3", "1.5"}};
    for (size_t i = 0; i < sizeof row / sizeof *row; i++) {
        snprintf(text, sizeof text, json, row[i].town, row[i].relation);
        dpn_question *question = office_ask(&office, row[i].name, text);
        office_answer(&office, question);
        dpn_question_free(question);
        office_spent(&office, "swaps", row[i].cap);
        office_spent(&office, "swaps/team", row[i].quota);
    }
    snprintf(text, sizeof text, json, "e", "replace");
    dpn_question *question = office_ask(&office, "visits", text);
    office_expect(DPN_EDOMAIN, dpn_question_charge(question, office.rng, &why), &why, "does not give");
    dpn_question_free(question);
    office_spent(&office, "visits", "0");
    office_close(&office);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_budget_for_replace_pays_twice_for_add_remove),
        cmocka_unit_test(an_answer_is_paid_once_and_given_again),
        cmocka_unit_test(memory_is_had_before_the_charge),
        cmocka_unit_test(registered_memory_is_the_most),
        cmocka_unit_test(what_was_filled_in_is_what_is_asked),
        cmocka_unit_test(equal_questions_have_one_answer),
        cmocka_unit_test(refusals_cost_nothing),
        cmocka_unit_test(a_budget_that_is_spent_refuses),
        cmocka_unit_test(nothing_leaves_without_a_charge),
        cmocka_unit_test(a_question_is_charged_once),
        cmocka_unit_test(a_quota_and_its_cap_are_charged_together),
        cmocka_unit_test(data_elsewhere_are_not_the_registered_ones),
        cmocka_unit_test(two_quotas_pay_all_or_none),
        cmocka_unit_test(a_stored_answer_is_of_its_source_and_version_alone),
        cmocka_unit_test(a_question_without_a_ledger_can_join_one),
        cmocka_unit_test(a_fresh_answer_is_paid_again),
        cmocka_unit_test(no_question_has_more_delta_than_the_budget),
        cmocka_unit_test(data_have_one_budget_and_one_person),
        cmocka_unit_test(of_two_first_charges_one_notes_the_person),
        cmocka_unit_test(all_failures_after_the_charge_look_alike),
        cmocka_unit_test(a_tally_that_gave_its_sums_away_has_no_answer),
        cmocka_unit_test(what_is_not_kept_does_not_leave),
        cmocka_unit_test(an_exported_state_is_not_answered_twice),
        cmocka_unit_test(a_forked_process_has_no_answer),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
