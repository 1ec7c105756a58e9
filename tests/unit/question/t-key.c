/* What an answer is kept under, and what each budget pays for it, as the entries of the ledger say. */
#include "unit/question/office.h"
#include "unit/question/registered.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#define COUNT "{'statistics': [{'kind': 'count'}], 'epsilon': '0.1'}"
#define OTHER "{'statistics': [{'kind': 'count'}], 'epsilon': '0.2'}"
#define NOISY "{'statistics': [{'kind': 'count'}], 'noise': 'gaussian', 'epsilon': '0.5', 'delta': '0.000001'}"

static void add_budget(struct office *office, const char *name, const char *of, const dpn_filter_plan *plan) {
    dpn_error why;
    dpn_ledger_budget budget = {.name = name, .of = of, .plan = *plan, .relation = DPN_ADD_REMOVE};
    if (dpn_ledger_add_budget(NULL, office->ledger, &budget, &why)) fail_msg("%s", why.sentence);
}

static dpn_decimal decimal(const char *text) {
    dpn_decimal out;
    dpn_error why;
    if (dpn_decimal_parse(&out, text, &why)) fail_msg("%s", why.sentence);
    return out;
}

/* The entry of a charge for a question that is put now. To be freed. */
static dpn_entry charged(struct office *office, const char *name, const char *source, const char *path,
                         const char *json) {
    char text[REGISTERED_SIZE];
    dpn_question *question;
    dpn_error why;
    dpn_entry entry;
    dpn_place place = {.kind = DPN_PLACE_FILE, .path = (char *)path};
    dpn_question_options options = dpn_question_options_init();
    options.source = source;
    options.place = &place;
    options.fresh = true;
    registered_quotes(text, json);
    if (dpn_question_read(&question, office->ledger, name, text, strlen(text), &options, &why) ||
        dpn_question_charge(question, office->rng, &why) ||
        dpn_ledger_entry(&entry, office->ledger, dpn_question_look(question).head.number, &why))
        fail_msg("%s", why.sentence);
    assert_int_equal(entry.kind, DPN_ENTRY_CHARGE);
    assert_int_equal(strlen(entry.specification), 64);
    dpn_question_free(question);
    return entry;
}

/* One part after the other is another one; the first question is asked twice. */
static void each_part_is_in_the_key(void **state) {
    static const char *const asked[][4] = {{"visits", "here", "/data/visits.csv", COUNT},
                                           {"visits", "here", "/data/visits.csv", COUNT},
                                           {"trips", "here", "/data/trips.csv", COUNT},
                                           {"visits", "there", "/data/visits.csv", COUNT},
                                           {"visits", "here", "/data/visits.csv", OTHER}};
    enum { ASKED = sizeof asked / sizeof *asked };
    struct office office = office_open();
    dpn_entry entry[ASKED];
    dpn_filter_plan plan = {.epsilon = decimal("3")};
    (void)state;
    add_budget(&office, "trips", NULL, &plan);
    for (size_t i = 0; i < ASKED; i++) entry[i] = charged(&office, asked[i][0], asked[i][1], asked[i][2], asked[i][3]);
    assert_string_equal(entry[0].specification, entry[1].specification);
    for (size_t i = 1; i < ASKED; i++)
        for (size_t k = i + 1; k < ASKED; k++) assert_string_not_equal(entry[i].specification, entry[k].specification);
    for (size_t i = 0; i < ASKED; i++) dpn_entry_free(&entry[i]);
    office_close(&office);
}

/* The divergence of Gaussian noise is proportional to its order, whatever its scale and the move are. A quota and its cap
 * count at orders of their own. */
static void a_quota_pays_at_its_own_orders(void **state) {
    static const double orders[2][3] = {{2, 8, 32}, {3, 50, 200}};
    struct office office = office_open();
    dpn_decimal weight[3] = {decimal("0.3"), decimal("0.3"), decimal("0.3")};
    dpn_filter_plan plan = {.epsilon = decimal("9"),
                            .delta = decimal("0.01"),
                            .delta_renyi = decimal("0.005"),
                            .orders = 3,
                            .weight = weight};
    dpn_entry entry[2];
    dpn_error why;
    (void)state;
    plan.order = orders[0];
    add_budget(&office, "trips", NULL, &plan);
    plan.order = orders[1];
    add_budget(&office, "trips/own", "trips", &plan);
    entry[0] = charged(&office, "trips/own", "here", "/data/trips.csv", NOISY);
    if (dpn_ledger_entry(&entry[1], office.ledger, entry[0].head.number + 1, &why)) fail_msg("%s", why.sentence);
    assert_string_equal(entry[0].of, "trips");
    assert_string_equal(entry[1].of, "trips/own");
    assert_true(entry[1].with == entry[0].head.number);
    double rho = entry[0].charge.divergence[0] / orders[0][0];
    assert_true(rho > 0 && rho < 0.1);
    for (size_t of = 0; of < 2; of++) {
        assert_int_equal(entry[of].orders, 3);
        assert_false(entry[of].charge.pure);
        for (size_t i = 0; i < 3; i++) {
            double wanted = orders[of][i] * rho, got = entry[of].charge.divergence[i];
            if (!(fabs(got - wanted) <= 1e-9 * wanted))
                fail_msg("order %g: the divergence %.17g, not %.17g", orders[of][i], got, wanted);
        }
        dpn_entry_free(&entry[of]);
    }
    office_close(&office);
}

static double spent_of(struct office *office, const char *name) {
    dpn_account account;
    dpn_error why;
    if (dpn_ledger_account(&account, office->ledger, name, &why)) fail_msg("%s", why.sentence);
    double epsilon = dpn_filter_spent(account.filter).epsilon;
    dpn_account_free(&account);
    return epsilon;
}

/* A quota whose orders differ from those of its cap, in one order and in the other: what is foretold of each is what each has spent then. */
static void a_preview_tells_what_each_will_have_spent(void **state) {
    static const double orders[2][3] = {{2, 8, 32}, {3, 50, 200}};
    static const char *const asked[] = {NOISY, OTHER, NOISY};
    (void)state;
    for (size_t swap = 0; swap < 2; swap++) {
        struct office office = office_open();
        dpn_decimal weight[3] = {decimal("0.3"), decimal("0.3"), decimal("0.3")};
        dpn_filter_plan plan = {.epsilon = decimal("9"),
                                .delta = decimal("0.01"),
                                .delta_renyi = decimal("0.005"),
                                .orders = 3,
                                .order = orders[swap],
                                .weight = weight};
        add_budget(&office, "trips", NULL, &plan);
        plan.order = orders[1 - swap];
        add_budget(&office, "trips/own", "trips", &plan);
        for (size_t i = 0; i < 3; i++) {
            char text[REGISTERED_SIZE];
            dpn_question *question;
            dpn_error why;
            dpn_cost cost, quota;
            dpn_place place = {.kind = DPN_PLACE_FILE, .path = "/data/trips.csv"};
            dpn_question_options options = dpn_question_options_init();
            options.source = "here";
            options.place = &place;
            options.fresh = true;
            registered_quotes(text, asked[i]);
            if (dpn_question_read(&question, office.ledger, "trips/own", text, strlen(text), &options, &why) ||
                dpn_question_preview(&cost, &quota, question, &why))
                fail_msg("%s", why.sentence);
            assert_true(cost.fits && quota.fits);
            assert_true(cost.before.epsilon == spent_of(&office, "trips"));
            assert_true(quota.before.epsilon == spent_of(&office, "trips/own"));
            assert_int_equal(dpn_question_charge(question, office.rng, &why), DPN_OK);
            assert_true(cost.after.epsilon == spent_of(&office, "trips"));
            assert_true(quota.after.epsilon == spent_of(&office, "trips/own"));
            assert_true(quota.after.epsilon != cost.after.epsilon);
            dpn_question_free(question);
        }
        office_close(&office);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(each_part_is_in_the_key),
                                       cmocka_unit_test(a_quota_pays_at_its_own_orders),
                                       cmocka_unit_test(a_preview_tells_what_each_will_have_spent)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
