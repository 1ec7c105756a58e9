/* dpnoise budget charge: spend, durably, before anything is read. */
#include "budget/budget.h"

#include "input/sensitivity.h"
#include "kit/fact.h"
#include "kit/fail.h"
#include "words/decimal.h"

#include <dpnoise/number.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static dpn_status read_amount(dpn_ledger_charge *out, const struct arguments *arguments, const dpn_account *account,
                              dpn_error *why) {
    dpn_decimal epsilon = {{0}}, delta = {{0}};
    dpn_sensitivity said;
    dpn_status status = budget_amount(&epsilon, arguments, "--epsilon", false, why);
    if (!status) status = budget_amount(&delta, arguments, "--delta", true, why);
    if (!status) status = sensitivity_read_neighbours(&said, arguments, why);
    if (status) return status;
    out->charge = dpn_charge_pure(account->filter, &epsilon, &delta);
    out->relation = arguments_have(arguments, "--relation") ? said.relation : account->relation;
    out->unit = arguments_have(arguments, "--unit") ? said.unit : account->unit;
    return DPN_OK;
}

static dpn_status read_charge(dpn_ledger_charge *out, char **plan, const struct arguments *arguments,
                              const dpn_account *account, dpn_error *why) {
    bool training = training_charged(arguments);
    if (!training && !arguments_have(arguments, "--plan")) return read_amount(out, arguments, account, why);
    struct plan_charge read = {0};
    dpn_status status = training ? training_charge_read(&read, arguments, account, why)
                                 : plan_charge_read(&read, arguments, account, why);
    if (status) return status;
    *plan = read.text;
    out->charge = read.charge;
    out->relation = read.relation;
    out->unit = read.unit;
    out->plan = read.text;
    out->specification = read.text;
    out->specification_length = strlen(read.text);
    return DPN_OK;
}

/* What does not make sense whatever the ledger says is refused before it is opened. */
static dpn_status check_question(const struct arguments *arguments, dpn_error *why) {
    dpn_decimal amount = {{0}};
    bool epsilon = arguments_have(arguments, "--epsilon"), plan = arguments_have(arguments, "--plan");
    if (training_charged(arguments) && (epsilon || plan))
        return refuse(why, DPN_EPARSE, "a training run is charged by itself: leave out %s",
                      plan ? "--plan" : "--epsilon");
    if (!epsilon && !plan && !training_charged(arguments))
        return refuse(why, DPN_EPARSE,
                      "the charge is missing: give --epsilon, --plan, or --law with --sample-rate and --steps");
    if (arguments_have(arguments, "--times") && !plan) return refuse(why, DPN_EPARSE, "--times belongs to --plan");
    dpn_status status = budget_amount(&amount, arguments, "--epsilon", false, why);
    return status ? status : budget_amount(&amount, arguments, "--delta", true, why);
}

static void print_text(const dpn_receipt *receipt, const dpn_account *account) {
    char epsilon[DPN_DECIMAL_TEXT_SIZE], delta[DPN_DECIMAL_TEXT_SIZE], head[DPN_HEAD_TEXT_SIZE];
    const dpn_charge *charge = &receipt->charge;
    account_print(stdout, account);
    struct fact fact;
    fact_begin(&fact, stdout, "  charged    ");
    if (charge->pure) fprintf(fact.text, "epsilon %s, ", dpn_decimal_print(epsilon, &charge->epsilon));
    if (!charge->pure) fputs("Renyi divergences, ", fact.text);
    fprintf(fact.text, "delta %s%s", dpn_decimal_print(delta, &charge->delta),
            receipt->converted ? ": from add-remove to replace, which is two steps" : "");
    fact_end(&fact);
    printf("  head       %s\n", dpn_head_print(head, &receipt->head));
}

/* The member `charge`, which stays open. */
static void json_charge(struct json *json, const dpn_charge *charge, size_t orders) {
    char text[DPN_DECIMAL_TEXT_SIZE];
    json_open_object(json, "charge");
    if (charge->pure)
        json_string(json, "epsilon", dpn_decimal_print(text, &charge->epsilon));
    else
        json_value(json, "epsilon", "null");
    json_string(json, "delta", dpn_decimal_print(text, &charge->delta));
    json_open_array(json, "divergence");
    for (size_t i = 0; i < orders; i++) json_number(json, NULL, charge->divergence[i]);
    json_close_array(json);
}

static void print_json(const struct budget *budget, const dpn_receipt *receipt, const dpn_account *account) {
    char head[DPN_HEAD_TEXT_SIZE];
    struct json object = json_begin(stdout);
    json_string(&object, "ledger", budget->path);
    account_json(&object, account);
    json_charge(&object, &receipt->charge, dpn_filter_plan_of(account->filter).orders);
    json_bool(&object, "converted", receipt->converted);
    json_close_object(&object);
    json_string(&object, "head", dpn_head_print(head, &receipt->head));
    json_end(&object);
}

/* What is left, in the room that a sentence has: digits that are cut off would take the exponent with them. */
static char *brief(char text[DPN_DECIMAL_TEXT_SIZE], const dpn_decimal *left) {
    dpn_decimal_print(text, left);
    return strlen(text) > 12 ? decimal_print_down(text, dpn_decimal_lower(left), 6) : text;
}

dpn_status budget_refused(struct budget *budget, const char *name, dpn_error *why) {
    char pure[PURE_LEFT_SIZE], delta[DPN_DECIMAL_TEXT_SIZE], set_aside[DPN_DECIMAL_TEXT_SIZE];
    dpn_account account;
    dpn_error reason = *why, other;
    if (dpn_ledger_account(&account, budget->ledger, name, &other)) return why->status;
    if (account.of[0]) { /* the sentence says which of the two refused, and what is set aside there */
        dpn_account_free(&account);
        return why->status;
    }
    dpn_remaining left = dpn_filter_remaining(account.filter);
    dpn_decimal aside = dpn_filter_spent(account.filter).aside;
    pure_left_print(pure, account.filter, true);
    dpn_account_free(&account);
    brief(delta, &left.delta);
    if (dpn_decimal_is_zero(&aside))
        return refuse(why, reason.status, "%.120s; %.50s and delta %.24s are left, nothing was charged",
                      reason.sentence, pure, delta);
    return refuse(why, reason.status,
                  "%.105s; %.40s and delta %.12s are left, %.12s is set aside for Renyi sums "
                  "(budget init --delta-renyi), nothing was charged",
                  reason.sentence, pure, delta, brief(set_aside, &aside));
}

/* A quota is charged together with its data set, each at its own orders. */
static dpn_status spend(dpn_receipt *out, struct budget *budget, const dpn_ledger_charge *charge,
                        const dpn_account *account, dpn_error *why) {
    dpn_ledger_charge both[2] = {*charge, *charge};
    dpn_receipt receipt[2];
    dpn_account cap = {.filter = NULL};
    char *plan = NULL;
    size_t charges = account->of[0] ? 2 : 1;
    dpn_status status = DPN_OK;
    if (charges == 2) {
        both[1].name = account->of;
        status = dpn_ledger_account(&cap, budget->ledger, account->of, why);
        if (!status) status = read_charge(&both[1], &plan, budget->arguments, &cap, why);
    }
    if (!status) status = dpn_ledger_spend_all(receipt, budget->ledger, both, charges, why);
    if (status == DPN_EBUDGET && charges == 1) status = budget_refused(budget, charge->name, why);
    if (!status) *out = receipt[0];
    dpn_account_free(&cap);
    free(plan);
    return status;
}

/* The charge as it would be after it, without it. */
static dpn_status print_dry(struct budget *budget, const dpn_ledger_charge *charge, const dpn_account *account,
                            dpn_error *why) {
    dpn_cost cost;
    char epsilon[DPN_DECIMAL_TEXT_SIZE], delta[DPN_DECIMAL_TEXT_SIZE], spent[DPN_NUMBER_SIZE];
    if (account->of[0]) return refuse(why, DPN_EUNSUPPORTED, "--dry-run of a quota: ask about the data set itself");
    if (charge->relation != account->relation)
        return refuse(why, DPN_EUNSUPPORTED, "--dry-run: the charge is about another relation than the budget");
    dpn_status status = dpn_filter_preview(&cost, account->filter, &charge->charge, why);
    if (status) return status;
    if (!cost.fits) {
        dpn_filter *copy;
        status = dpn_filter_copy(&copy, account->filter, why);
        if (status) return status;
        status = dpn_filter_admit(copy, &charge->charge, why); /* for its sentence */
        dpn_filter_free(copy);
        return status == DPN_EBUDGET ? budget_refused(budget, charge->name, why) : status;
    }
    decimal_print_up(spent, cost.after.epsilon, 10);
    if (budget->json) {
        struct json object = json_begin(stdout);
        json_string(&object, "ledger", budget->path);
        account_json(&object, account);
        json_charge(&object, &charge->charge, dpn_filter_plan_of(account->filter).orders);
        json_close_object(&object);
        json_open_object(&object, "after");
        json_string(&object, "epsilon", spent);
        json_string(&object, "delta", dpn_decimal_print(delta, &cost.after.delta));
        json_close_object(&object);
        json_bool(&object, "dry_run", true);
        json_end(&object);
        return DPN_OK;
    }
    account_print(stdout, account);
    struct fact fact;
    fact_begin(&fact, stdout, "  it fits    ");
    if (charge->charge.pure) fprintf(fact.text, "epsilon %s, ", dpn_decimal_print(epsilon, &charge->charge.epsilon));
    if (!charge->charge.pure) fputs("Renyi divergences, ", fact.text);
    fprintf(fact.text, "delta %s; epsilon %s would be spent, nothing was charged",
            dpn_decimal_print(delta, &charge->charge.delta), spent);
    fact_end(&fact);
    return DPN_OK;
}

dpn_status budget_charge(struct budget *budget, dpn_error *why) {
    char user[DPN_LEDGER_NAME_SIZE], *plan = NULL;
    dpn_account account = {.filter = NULL};
    dpn_receipt receipt;
    dpn_ledger_charge charge = {.user = user, .note = arguments_value(budget->arguments, "--note")};
    budget_user(user);
    dpn_status status = budget_name(&charge.name, budget, why);
    if (!status) status = check_question(budget->arguments, why);
    if (!status) status = budget_open(budget, why);
    if (!status) status = dpn_ledger_account(&account, budget->ledger, charge.name, why);
    if (!status) status = read_charge(&charge, &plan, budget->arguments, &account, why);
    bool dry = arguments_have(budget->arguments, "--dry-run");
    if (!status && dry) status = print_dry(budget, &charge, &account, why);
    if (!status && !dry) status = spend(&receipt, budget, &charge, &account, why);
    free(plan);
    dpn_account_free(&account);
    if (dry) return status;
    if (!status) status = dpn_ledger_account(&account, budget->ledger, charge.name, why);
    if (!status && budget->json) print_json(budget, &receipt, &account);
    if (!status && !budget->json) print_text(&receipt, &account);
    if (!status) dpn_account_free(&account);
    return status;
}
