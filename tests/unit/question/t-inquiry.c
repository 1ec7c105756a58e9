/* Questions that are not statistics: a stand-in for a fit is planned, paid, answered once and given again, and what it is kept
 * under tells it from every other. */
#include "unit/question/office.h"
#include "unit/question/registered.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

/* What was called, and how often. */
typedef struct stand_in {
    int planned, answered;
    const char *costs; /* NULL: it does not say */
} stand_in;

static dpn_status plan(void *context, const dpn_declaration *declaration, dpn_error *why) {
    stand_in *self = context;
    (void)why;
    assert_string_equal(declaration->epsilon, "1");
    self->planned++;
    return DPN_OK;
}

static dpn_status charge(dpn_charge *out, void *context, const dpn_filter *filter, dpn_error *why) {
    const stand_in *self = context;
    dpn_decimal epsilon, delta = {{0}};
    if (!self->costs) return DPN_EUNSUPPORTED;
    dpn_status status = dpn_decimal_parse(&epsilon, self->costs, why);
    if (!status) *out = dpn_charge_pure(filter, &epsilon, &delta);
    return status;
}

static dpn_status answer(char **text, size_t *length, void *context, dpn_rng *rng, dpn_error *why) {
    stand_in *self = context;
    (void)rng;
    (void)why;
    self->answered++;
    *length = 9;
    *text = malloc(*length + 1);
    assert_non_null(*text);
    memcpy(*text, "{\"b\": 17}", *length + 1);
    return DPN_OK;
}

#define COUNT "{'statistics': [{'kind': 'count'}], 'epsilon': '1'}"

static dpn_question *ask(struct office *office, const char *name, const dpn_inquiry *inquiry) {
    char text[REGISTERED_SIZE];
    dpn_question *question = NULL;
    dpn_error why;
    dpn_question_options options = dpn_question_options_init();
    options.inquiry = inquiry;
    options.source = strcmp(name, "people") == 0 ? NULL : "/data/visits.csv";
    registered_quotes(text, COUNT);
    if (dpn_question_read(&question, office->ledger, name, text, strlen(text), &options, &why))
        fail_msg("%s", why.sentence);
    return question;
}

static void pay_and_answer(struct office *office, dpn_question *question) {
    const char *text = NULL;
    dpn_error why;
    if (dpn_question_charge(question, office->rng, &why) || dpn_question_result(&text, question, office->rng, &why))
        fail_msg("%s", why.sentence);
    assert_string_equal(text, "{\"b\": 17}");
}

static void an_inquiry_is_paid_and_answered_once(void **state) {
    struct office office = office_open();
    stand_in self = {0};
    dpn_inquiry inquiry = {&self, "{\"method\": \"one\"}", plan, charge, answer};
    (void)state;
    for (int i = 0; i < 2; i++) {
        dpn_question *question = ask(&office, "visits", &inquiry);
        assert_int_equal(dpn_question_look(question).state, i ? DPN_QUESTION_STORED : DPN_QUESTION_ASKED);
        pay_and_answer(&office, question);
        dpn_question_free(question);
        office_spent(&office, "visits", "1"); /* as declared, for it does not say what it costs */
    }
    assert_int_equal(self.planned, 2);
    assert_int_equal(self.answered, 1);
    office_close(&office);
}

/* Another inquiry about the same rows, and the statistics that the declaration names, are other questions. */
static void each_inquiry_has_its_own_answer(void **state) {
    struct office office = office_open();
    stand_in self = {0};
    dpn_inquiry one = {&self, "{\"method\": \"one\"}", plan, charge, answer}, other = one;
    other.text = "{\"method\": \"two\"}";
    (void)state;
    dpn_question *first = ask(&office, "visits", &one);
    pay_and_answer(&office, first);
    dpn_question *second = ask(&office, "visits", &other), *third = office_ask(&office, "visits", COUNT);
    assert_int_equal(dpn_question_look(second).state, DPN_QUESTION_ASKED);
    assert_int_equal(dpn_question_look(third).state, DPN_QUESTION_ASKED);
    pay_and_answer(&office, second);
    office_spent(&office, "visits", "2");
    assert_int_equal(self.answered, 2);
    dpn_question_free(first);
    dpn_question_free(second);
    dpn_question_free(third);
    office_close(&office);
}

/* A pure charge is never less than the epsilon that was asked for, and one that does not fit gives way to it. */
static void what_it_says_it_costs_is_charged(void **state) {
    static const struct {
        const char *says, *charged;
    } costs[] = {{"1", "1"}, {"0.25", "1"}, {"1.5", "1.5"}, {"100", "1"}};
    (void)state;
    for (size_t i = 0; i < sizeof costs / sizeof *costs; i++) {
        struct office office = office_open();
        stand_in self = {.costs = costs[i].says};
        dpn_inquiry inquiry = {&self, "{\"method\": \"one\"}", plan, charge, answer};
        dpn_question *question = ask(&office, "visits", &inquiry);
        pay_and_answer(&office, question);
        office_spent(&office, "visits", costs[i].charged);
        dpn_question_free(question);
        office_close(&office);
    }
}

/* Line ends in quotes make other rows of the same file: what is known of the one reading is not given for the other. */
static void another_reading_of_the_file_is_another_question(void **state) {
    static const char *const registered =
        "{'source': {'kind': 'file', 'path': '/data/people.csv'}, 'columns': [{'name': 'income', 'type': 'number', "
        "'lower': '0', 'upper': '100'}], 'most_epsilon': '3'%s}";
    struct office office = office_open();
    char json[REGISTERED_SIZE];
    (void)state;
    snprintf(json, sizeof json, registered, "");
    office_register(&office, json, 1);
    dpn_question *question = office_ask(&office, "people", COUNT);
    office_answer(&office, question);
    dpn_question_free(question);
    for (int i = 0; i < 2; i++) {
        snprintf(json, sizeof json, registered, i ? ", 'multiline': false" : ", 'multiline': true");
        office_register(&office, json, 1);
        question = office_ask(&office, "people", COUNT);
        assert_int_equal(dpn_question_look(question).state, i ? DPN_QUESTION_STORED : DPN_QUESTION_ASKED);
        dpn_question_free(question);
    }
    office_close(&office);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(an_inquiry_is_paid_and_answered_once),
                                       cmocka_unit_test(each_inquiry_has_its_own_answer),
                                       cmocka_unit_test(what_it_says_it_costs_is_charged),
                                       cmocka_unit_test(another_reading_of_the_file_is_another_question)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
