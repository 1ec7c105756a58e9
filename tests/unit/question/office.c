/* A ledger in a directory of its own. */
#define _POSIX_C_SOURCE 200809L
#include "unit/question/office.h"
#include "unit/question/registered.h"

#include <dirent.h>
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

static const char people[] =
    "{'source': {'kind': 'file', 'path': '/data/people.csv'}, 'columns': [{'name': 'income', 'type': 'number', "
    "'lower': "
    "'0', 'upper': '100'}, {'name': 'region', 'type': 'category', 'levels': ['north', 'south']}, {'name': 'town', "
    "'type': 'category'}], 'where': ['region'], 'most_epsilon': '3', 'most_delta': '1e-6'}";

void office_expect(dpn_status wanted, dpn_status got, const dpn_error *why, const char *words) {
    if (wanted != got) fail_msg("%s, not %s: %s", dpn_status_name(got), dpn_status_name(wanted), why->sentence);
    if (got) assert_int_equal(why->status, got);
    if (words && !strstr(why->sentence, words)) fail_msg("'%s' lacks '%s'", why->sentence, words);
}

static void add(dpn_ledger *ledger, const char *name, const char *of, const char *epsilon) {
    dpn_error why;
    dpn_ledger_budget budget = {.name = name, .relation = DPN_ADD_REMOVE, .of = of};
    if (dpn_decimal_parse(&budget.plan.epsilon, epsilon, &why) || dpn_decimal_parse(&budget.plan.delta, "1e-5", &why) ||
        dpn_ledger_add_budget(NULL, ledger, &budget, &why))
        fail_msg("%s", why.sentence);
}

void office_register(struct office *office, const char *json, uint64_t version) {
    char text[REGISTERED_SIZE];
    dpn_error why;
    dpn_ledger_registration registration = {
        .name = "people", .text = registered_quotes(text, json), .version = version};
    if (dpn_ledger_register(NULL, office->ledger, NULL, &registration, &why)) fail_msg("%s", why.sentence);
}

struct office office_open(void) {
    struct office office = {.directory = "/tmp/dpnoise-question-XXXXXX"};
    dpn_error why;
    dpn_ledger_options options = {.size = sizeof options, .wait = 1};
    if (!mkdtemp(office.directory)) fail_msg("no directory");
    snprintf(office.path, sizeof office.path, "%s/l.db", office.directory);
    if (dpn_ledger_create(&office.ledger, office.path, &options, &why) || dpn_rng_new(&office.rng, &why))
        fail_msg("%s", why.sentence);
    add(office.ledger, "people", NULL, "3");
    add(office.ledger, "people/team-a", "people", "2");
    add(office.ledger, "people/team-b", "people", "2");
    add(office.ledger, "visits", NULL, "3");
    office_register(&office, people, 1);
    return office;
}

void office_close(struct office *office) {
    dpn_ledger_close(office->ledger);
    dpn_rng_free(office->rng);
    DIR *directory = opendir(office->directory);
    for (struct dirent *entry; directory && (entry = readdir(directory));) {
        char name[600];
        snprintf(name, sizeof name, "%s/%s", office->directory, entry->d_name);
        if (strcmp(entry->d_name, ".") != 0 && strcmp(entry->d_name, "..") != 0) unlink(name);
    }
    if (directory) closedir(directory);
    rmdir(office->directory);
}

dpn_question *office_ask(struct office *office, const char *name, const char *json) {
    char text[REGISTERED_SIZE];
    dpn_question *question;
    dpn_error why;
    dpn_question_options options = dpn_question_options_init();
    options.analyst = "ada";
    options.source = strncmp(name, "people", 6) == 0 ? NULL : "/data/visits.csv";
    registered_quotes(text, json);
    if (dpn_question_read(&question, office->ledger, name, text, strlen(text), &options, &why))
        fail_msg("%s: %s", json, why.sentence);
    return question;
}

/* Rows are income, region and town, as far as the question reads them. */
void office_rows(dpn_question *question) {
    static const char *const row[][3] = {{"10", "north", "a"}, {"20", "north", "a"}, {"30", "south", "b"}};
    static const char *const name[] = {"income", "region", "town"};
    dpn_error why;
    dpn_tally *tally = dpn_question_tally(question);
    assert_non_null(tally);
    for (size_t i = 0; i < sizeof row / sizeof *row; i++) {
        dpn_field field[3];
        size_t fields = 0;
        for (const char *column; (column = dpn_query_column(dpn_question_query(question), fields)); fields++)
            for (size_t k = 0; k < 3; k++)
                if (strcmp(column, name[k]) == 0) field[fields] = (dpn_field){row[i][k], strlen(row[i][k])};
        if (dpn_tally_rows(tally, field, 1, &why)) fail_msg("%s", why.sentence);
    }
}

const dpn_answer *office_answer(struct office *office, dpn_question *question) {
    const dpn_answer *answer;
    dpn_error why;
    if (dpn_question_charge(question, office->rng, &why)) fail_msg("%s", why.sentence);
    if (dpn_question_tally(question)) office_rows(question);
    if (dpn_question_answer(&answer, question, office->rng, &why)) fail_msg("%s", why.sentence);
    return answer;
}

void office_spent(struct office *office, const char *name, const char *epsilon) {
    dpn_account account;
    dpn_error why;
    if (dpn_ledger_account(&account, office->ledger, name, &why)) fail_msg("%s", why.sentence);
    double spent = dpn_filter_spent(account.filter).epsilon;
    dpn_account_free(&account);
    if (!(fabs(spent - strtod(epsilon, NULL)) < 1e-12)) fail_msg("%s has spent %.17g, not %s", name, spent, epsilon);
}

static bool equal(double a, double b) {
    return a == b || (isnan(a) && isnan(b));
}

void office_same(const dpn_answer *a, const dpn_answer *b) {
    assert_true(a->groups == b->groups && a->outputs == b->outputs && a->bys == b->bys);
    for (size_t i = 0; i < a->groups * a->bys; i++) assert_string_equal(a->key[i], b->key[i]);
    for (size_t i = 0; i < a->groups * a->outputs; i++)
        assert_true(equal(a->cell[i].value, b->cell[i].value) && equal(a->cell[i].low, b->cell[i].low) &&
                    equal(a->cell[i].high, b->cell[i].high) && a->cell[i].digits == b->cell[i].digits);
}
