/* A second front: a clinic's own desk of about a hundred lines, with its own table in memory, which registers data, answers
 * questions, repeats them for nothing and refuses them. It includes public headers alone, and nothing of the tool. */
#define _POSIX_C_SOURCE 200809L
#include <dpnoise/dpnoise.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

/* ---- The front ---- */

struct desk {
    dpn_ledger *ledger;
    dpn_rng *rng;
};

/* Three patients with two visits each: id, ward, days. */
static const int64_t id[] = {1, 1, 2, 2, 3, 3};
static const dpn_field ward[] = {{"east", 4}, {"west", 4}, {"east", 4}, {"east", 4}, {"west", 4}, {"west", 4}};
static const double days[] = {3, 5, 2, 8, 13, 0};
static const unsigned char known[] = {0x1f}; /* the last number of days is missing */

/* Register a data set with a budget. */
static dpn_status desk_register(const struct desk *desk, const char *name, const char *json, const char *epsilon,
                                dpn_error *why) {
    dpn_registration registration;
    dpn_ledger_budget budget = {.name = name, .user = "curator", .unit = DPN_PERSON};
    dpn_ledger_registration entry = {.name = name, .user = "curator", .version = 1};
    char *text = NULL;
    dpn_status status = dpn_registration_read(&registration, json, strlen(json), why);
    if (status) return status;
    status = dpn_registration_check(&registration, why);
    if (!status) status = dpn_decimal_parse(&budget.plan.epsilon, epsilon, why);
    if (!status) status = dpn_registration_settle(&registration, &budget.plan.epsilon, why);
    if (!status) status = dpn_registration_write(&text, NULL, &registration, why);
    budget.relation = registration.relation;
    entry.text = text;
    if (!status) status = dpn_ledger_register(NULL, desk->ledger, &budget, &entry, why);
    free(text);
    dpn_registration_free(&registration);
    return status;
}

/* The columns that the query wants, in its order. */
static dpn_status desk_read(dpn_tally *tally, const dpn_query *query, dpn_error *why) {
    dpn_column column[3];
    size_t columns = 0;
    for (const char *name; (name = dpn_query_column(query, columns)); columns++) {
        if (strcmp(name, "id") == 0)
            column[columns] = (dpn_column){.kind = DPN_VALUE_INTEGER, .data = id, .stride = sizeof *id};
        else if (strcmp(name, "ward") == 0)
            column[columns] = (dpn_column){.kind = DPN_VALUE_TEXT, .data = ward, .stride = sizeof *ward};
        else
            column[columns] =
                (dpn_column){.kind = DPN_VALUE_REAL, .data = days, .stride = sizeof *days, .valid = known};
    }
    return dpn_tally_columns(tally, column, sizeof id / sizeof *id, why);
}

/* One question in, one answer out as text; *paid tells whether the budget was charged. */
static dpn_status desk_ask(char **text, bool *paid, const struct desk *desk, const char *name, const char *analyst,
                           const char *json, dpn_error *why) {
    dpn_question *question;
    const dpn_answer *answer;
    dpn_question_options options = dpn_question_options_init();
    options.analyst = analyst;
    dpn_status status = dpn_question_read(&question, desk->ledger, name, json, strlen(json), &options, why);
    if (status) return status;
    status = dpn_question_charge(question, desk->rng, why);
    dpn_tally *tally = dpn_question_tally(question);
    *paid = tally;
    if (!status && tally && desk_read(tally, dpn_question_query(question), why))
        status = dpn_question_fail(question, why, why);
    if (!status) status = dpn_question_answer(&answer, question, desk->rng, why);
    if (!status) status = dpn_answer_write(text, NULL, answer, why);
    dpn_question_free(question);
    return status;
}

/* ---- Its day ---- */

static const char stays[] =
    "{\"source\": {\"kind\": \"declared\", \"what\": \"the table in t-second-front.c\"}, \"columns\": [{\"name\": "
    "\"days\", \"type\": \"number\", \"lower\": \"0\", \"upper\": \"30\"}, {\"name\": \"ward\", \"type\": "
    "\"category\", "
    "\"levels\": [\"east\", \"west\"]}], \"person\": \"id\", \"max_rows\": 2, \"max_groups\": 2}";
static const char mean[] =
    "{\"statistics\": [{\"kind\": \"count\"}, {\"kind\": \"mean\", \"column\": \"days\"}], \"by\": "
    "[{\"column\": \"ward\"}], \"epsilon\": \"0.75\"}";
static const char count[] = "{\"statistics\": [{\"kind\": \"count\"}], \"epsilon\": 0.5}";
static const char wide[] = "{\"statistics\": [{\"kind\": \"sum\", \"column\": \"days\", \"lower\": 0, \"upper\": 31}], "
                           "\"epsilon\": 0.1}";

static void register_release_repeat_refuse(void **state) {
    (void)state;
    char directory[] = "/tmp/dpnoise-second-XXXXXX", path[80], key[80], *first = NULL, *again = NULL, *none = NULL;
    bool paid = false;
    struct desk desk;
    dpn_answer *answer;
    dpn_error why;
    assert_non_null(mkdtemp(directory));
    snprintf(path, sizeof path, "%s/l.db", directory);
    snprintf(key, sizeof key, "%s/l.db.key", directory);
    if (dpn_rng_new(&desk.rng, &why) || dpn_ledger_create(&desk.ledger, path, NULL, &why) ||
        desk_register(&desk, "stays", stays, "1", &why))
        fail_msg("%s", why.sentence);

    if (desk_ask(&first, &paid, &desk, "stays", "ada", mean, &why)) fail_msg("%s", why.sentence);
    assert_true(paid);
    if (dpn_answer_read(&answer, first, strlen(first), &why)) fail_msg("%s", why.sentence);
    assert_true(answer->groups == 2 && answer->outputs == 2 && strcmp(answer->key[0], "east") == 0);
    dpn_answer_free(answer);

    if (desk_ask(&again, &paid, &desk, "stays", "ben", mean, &why)) fail_msg("%s", why.sentence);
    assert_false(paid);
    assert_string_equal(first, again);

    assert_int_equal(desk_ask(&none, &paid, &desk, "stays", "ada", count, &why), DPN_EBUDGET); /* 0.75 of 1 is spent */
    assert_int_equal(desk_ask(&none, &paid, &desk, "stays", "ada", wide, &why), DPN_EDOMAIN);
    assert_non_null(strstr(why.sentence, "31 is outside"));
    assert_int_equal(desk_ask(&none, &paid, &desk, "others", "ada", count, &why), DPN_EDOMAIN);
    assert_null(none);

    free(first);
    free(again);
    dpn_ledger_close(desk.ledger);
    dpn_rng_free(desk.rng);
    char journal[600];
    snprintf(journal, sizeof journal, "%s-journal", path);
    unlink(journal);
    unlink(path);
    unlink(key);
    assert_int_equal(rmdir(directory), 0);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(register_release_repeat_refuse)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
