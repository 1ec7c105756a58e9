/* What a question is charged for, where it and the budget are about different neighbours. A guarantee for adding or removing a row
 * is, for replacing one, that of two such steps: 2 epsilon and (1 + e^epsilon) delta. The amounts here are computed from that
 * and never from what the question says of itself. */
#include "unit/question/office.h"
#include "unit/question/registered.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

static void add_budget(struct office *office, const char *name, const char *of, dpn_relation relation, dpn_unit unit,
                       const char *delta) {
    dpn_error why;
    dpn_ledger_budget budget = {.name = name, .of = of, .relation = relation, .unit = unit};
    if (dpn_decimal_parse(&budget.plan.epsilon, "9", &why) || dpn_decimal_parse(&budget.plan.delta, delta, &why) ||
        dpn_ledger_add_budget(NULL, office->ledger, &budget, &why))
        fail_msg("%s", why.sentence);
}

/* Charge a question about the file of a data set; DPN_OK, or why not. */
static dpn_status charge(struct office *office, const char *name, const char *file, const char *json, dpn_error *why) {
    char text[REGISTERED_SIZE];
    dpn_question *question = NULL;
    dpn_question_options options = dpn_question_options_init();
    options.source = file;
    registered_quotes(text, json);
    dpn_status status = dpn_question_read(&question, office->ledger, name, text, strlen(text), &options, why);
    if (!status) status = dpn_question_charge(question, office->rng, why);
    dpn_question_free(question);
    return status;
}

static double delta_spent(struct office *office, const char *name) {
    dpn_account account;
    dpn_error why;
    if (dpn_ledger_account(&account, office->ledger, name, &why)) fail_msg("%s", why.sentence);
    dpn_decimal delta = dpn_filter_spent(account.filter).delta;
    dpn_account_free(&account);
    return dpn_decimal_upper(&delta);
}

#define ADDED(epsilon) "{'statistics': [{'kind': 'count'}], 'relation': 'add-remove', 'epsilon': '" epsilon "'}"
#define REPLACED(epsilon) "{'statistics': [{'kind': 'count'}], 'relation': 'replace', 'epsilon': '" epsilon "'}"
#define NOISY(delta)                                                                                                 \
    "{'statistics': [{'kind': 'count'}], 'relation': 'add-remove', 'noise': 'gaussian', 'epsilon': '0.5', 'delta': " \
    "'" delta "'}"

static void a_replaced_row_is_removed_and_added(void **state) {
    struct office office = office_open();
    dpn_error why;
    (void)state;
    add_budget(&office, "pairs", NULL, DPN_REPLACE, DPN_ROW, "0.01");
    assert_int_equal(charge(&office, "pairs", "/pairs.csv", ADDED("1"), &why), DPN_OK);
    office_spent(&office, "pairs", "2");
    assert_int_equal(charge(&office, "pairs", "/pairs.csv", REPLACED("1"), &why), DPN_OK);
    office_spent(&office, "pairs", "3");
    /* Gaussian noise too is charged by its epsilon and delta: its divergences are those of one step. */
    assert_int_equal(charge(&office, "pairs", "/pairs.csv", NOISY("0.000001"), &why), DPN_OK);
    office_spent(&office, "pairs", "4");
    double wanted = (1 + exp(0.5)) * 1e-6, spent = delta_spent(&office, "pairs");
    if (!(spent >= wanted * (1 - 1e-12) && spent <= wanted * (1 + 1e-9))) fail_msg("delta %g is spent", spent);
    office_close(&office);
}

/* A budget that counts divergences takes it too: those of the plan are about one step, and are left alone. */
static void divergences_of_one_step_are_not_charged(void **state) {
    struct office office = office_open();
    dpn_error why;
    dpn_decimal epsilon, delta;
    dpn_filter *filter = NULL;
    (void)state;
    if (dpn_decimal_parse(&epsilon, "9", &why) || dpn_decimal_parse(&delta, "0.01", &why) ||
        dpn_filter_new_default(&filter, &epsilon, &delta, &why))
        fail_msg("%s", why.sentence);
    dpn_ledger_budget budget = {.name = "pairs", .plan = dpn_filter_plan_of(filter), .relation = DPN_REPLACE};
    if (dpn_ledger_add_budget(NULL, office.ledger, &budget, &why)) fail_msg("%s", why.sentence);
    dpn_filter_free(filter);
    if (charge(&office, "pairs", "/pairs.csv", NOISY("0.000001"), &why)) fail_msg("%s", why.sentence);
    double wanted = (1 + exp(0.5)) * 1e-6, spent = delta_spent(&office, "pairs");
    if (!(spent >= wanted * (1 - 1e-12) && spent <= wanted * (1 + 1e-9))) fail_msg("delta %g is spent", spent);
    office_close(&office);
}

static void a_quota_counts_the_same_two_steps(void **state) {
    struct office office = office_open();
    dpn_error why;
    (void)state;
    add_budget(&office, "pairs", NULL, DPN_REPLACE, DPN_ROW, "0.01");
    add_budget(&office, "pairs/one", "pairs", DPN_REPLACE, DPN_ROW, "0.01");
    assert_int_equal(charge(&office, "pairs/one", "/pairs.csv", ADDED("1.5"), &why), DPN_OK);
    office_spent(&office, "pairs", "3");
    office_spent(&office, "pairs/one", "3");
    office_close(&office);
}

/* What does not follow from the guarantee of the question costs nothing and gives nothing. */
static void other_neighbours_are_refused(void **state) {
    struct office office = office_open();
    dpn_error why;
    (void)state;
    static const char *const persons = "{'statistics': [{'kind': 'count'}], 'person': 'id', 'epsilon': '1'}";
    add_budget(&office, "rows", NULL, DPN_ADD_REMOVE, DPN_ROW, "0.01");
    add_budget(&office, "persons", NULL, DPN_ADD_REMOVE, DPN_PERSON, "0.01");
    office_expect(DPN_EDOMAIN, charge(&office, "rows", "/rows.csv", REPLACED("1"), &why), &why, "replace");
    office_expect(DPN_EDOMAIN, charge(&office, "rows", "/rows.csv", persons, &why), &why, "protects a person");
    office_expect(DPN_EDOMAIN, charge(&office, "persons", "/persons.csv", ADDED("1"), &why), &why, "protects a row");
    assert_int_equal(charge(&office, "persons", "/persons.csv", persons, &why), DPN_OK);
    office_spent(&office, "rows", "0");
    office_spent(&office, "persons", "1");
    office_close(&office);
}

/* A key that one table alone has is shown with some probability, whatever the noise: that is a delta, and no budget without
 * one pays for it. */
static void unknown_keys_cost_delta(void **state) {
    struct office office = office_open();
    dpn_error why;
    (void)state;
    static const char *const keys = "{'statistics': [{'kind': 'count'}], 'by': [{'column': 'region'}], 'noise': "
                                    "'laplace', 'epsilon': '1', 'delta': '0.000001'}";
    add_budget(&office, "rows", NULL, DPN_ADD_REMOVE, DPN_ROW, "0.01");
    add_budget(&office, "no delta", NULL, DPN_ADD_REMOVE, DPN_ROW, "0");
    assert_int_equal(charge(&office, "rows", "/rows.csv", keys, &why), DPN_OK);
    double spent = delta_spent(&office, "rows");
    if (!(spent > 0.25e-6 && spent <= 1e-6)) fail_msg("delta %g is spent", spent);
    office_expect(DPN_EBUDGET, charge(&office, "no delta", "/others.csv", keys, &why), &why, NULL);
    office_spent(&office, "no delta", "0");
    office_close(&office);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_replaced_row_is_removed_and_added),
        cmocka_unit_test(divergences_of_one_step_are_not_charged), cmocka_unit_test(a_quota_counts_the_same_two_steps),
        cmocka_unit_test(other_neighbours_are_refused), cmocka_unit_test(unknown_keys_cost_delta)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
