/* dpnoise budget init: a data set and what is fixed for it. */
#include "budget/budget.h"

#include "input/sensitivity.h"
#include "input/slips.h"
#include "kit/fail.h"
#include "kit/plain.h"

#include <stdlib.h>
#include <string.h>

/* ---- Reading the filter's plan ---- */

/* A list of decimals, exactly. */
static dpn_status read_weights(struct budget_terms *terms, const struct arguments *arguments, dpn_error *why) {
    const char *at = arguments_value(arguments, "--weights");
    size_t count = 0;
    for (bool more = true; more; count++) {
        char text[DPN_DECIMAL_TEXT_SIZE];
        dpn_error reason;
        size_t length = strcspn(at, ",");
        if (count == DPN_FILTER_ORDERS || length >= sizeof text)
            return refuse(why, DPN_EDOMAIN, "--weights takes at most %d decimals", DPN_FILTER_ORDERS);
        memcpy(text, at, length);
        text[length] = '\0';
        dpn_status status = dpn_decimal_parse(&terms->weight[count], text, &reason);
        if (status) return refuse(why, status, "--weights: %s", reason.sentence);
        more = at[length] == ',';
        at += length + more;
    }
    if (count != terms->plan.orders)
        return refuse(why, DPN_EDOMAIN, "--weights must give one weight for each of --orders");
    return DPN_OK;
}

static dpn_status read_orders(struct budget_terms *terms, const struct arguments *arguments, dpn_error *why) {
    struct numbers orders;
    bool given = arguments_have(arguments, "--orders");
    if (given != arguments_have(arguments, "--weights"))
        return refuse(why, DPN_EPARSE, "--orders and --weights belong together");
    if (!given) return DPN_OK;
    dpn_status status = arguments_numbers(&orders, arguments, "--orders", NUMBER_FINITE, why);
    if (status) return status;
    if (orders.count > DPN_FILTER_ORDERS)
        status = refuse(why, DPN_EDOMAIN, "--orders takes at most %d numbers", DPN_FILTER_ORDERS);
    terms->plan.orders = orders.count;
    for (size_t i = 0; i < orders.count && !status; i++) terms->order[i] = orders.at[i];
    free(orders.at);
    return status ? status : read_weights(terms, arguments, why);
}

/* Without --delta it is `delta`, which was meant when it was given. */
static dpn_status read_terms(struct budget_terms *out, const struct arguments *arguments, dpn_decimal delta,
                             dpn_error *why) {
    dpn_decimal epsilon = {{0}};
    dpn_filter *filter;
    if (!arguments_have(arguments, "--epsilon"))
        return refuse(why, DPN_EPARSE, "--epsilon is missing: how much may be spent in all");
    dpn_status status = budget_amount(&epsilon, arguments, "--epsilon", false, why);
    if (!status) status = budget_amount(&delta, arguments, "--delta", true, why);
    if (!status) status = dpn_filter_new_default(&filter, &epsilon, &delta, why);
    if (status) return status;
    out->plan = dpn_filter_plan_of(filter);
    for (size_t i = 0; i < out->plan.orders; i++) {
        out->order[i] = out->plan.order[i];
        out->weight[i] = out->plan.weight[i];
    }
    out->plan.order = out->order;
    out->plan.weight = out->weight;
    dpn_filter_free(filter);
    if (arguments_have(arguments, "--delta-renyi")) out->plan.delta_first = (dpn_decimal){{0}};
    status = budget_amount(&out->plan.delta_renyi, arguments, "--delta-renyi", true, why);
    if (!status) status = read_orders(out, arguments, why);
    if (!status)
        status = dpn_filter_new(&filter, &out->plan, why); /* what is not valid is refused before a file is made */
    if (!status) dpn_filter_free(filter);
    if (!status && arguments_have(arguments, "--delta")) status = slip_in_delta(&delta, arguments, why);
    return status;
}

dpn_status budget_terms_read(struct budget_terms *out, const struct arguments *arguments, dpn_error *why) {
    static const dpn_decimal none;
    return read_terms(out, arguments, none, why);
}

/* ---- Aliases ---- */

/* Names that are taken are refused before anything is recorded. */
static dpn_status check_free(struct budget *budget, const char *name, dpn_error *why) {
    dpn_account account;
    dpn_status status = dpn_ledger_account(&account, budget->ledger, name, why);
    if (status == DPN_EDOMAIN) return DPN_OK;
    if (!status) dpn_account_free(&account);
    return status ? status : refuse(why, DPN_EDOMAIN, "there is a data set '%.100s' already", name);
}

static dpn_status check_names(struct budget *budget, const char *name, dpn_error *why) {
    const struct arguments *arguments = budget->arguments;
    dpn_status status = check_free(budget, name, why);
    for (size_t i = 0; i < arguments->givens && !status; i++) {
        if (strcmp(arguments->given[i].option->name, "--alias") != 0) continue;
        const char *alias = arguments->given[i].value;
        if (!alias[0] || strlen(alias) >= DPN_LEDGER_NAME_SIZE)
            return refuse(why, DPN_EDOMAIN, "--alias must have 1 to %d bytes", DPN_LEDGER_NAME_SIZE - 1);
        if (strcmp(alias, name) == 0) return refuse(why, DPN_EDOMAIN, "--alias is the name itself");
        for (size_t j = 0; j < i; j++)
            if (strcmp(arguments->given[j].option->name, "--alias") == 0 &&
                strcmp(arguments->given[j].value, alias) == 0)
                return refuse(why, DPN_EDOMAIN, "--alias %.60s is given twice", alias);
        status = check_free(budget, alias, why);
    }
    return status;
}

static dpn_status add_aliases(dpn_head *head, struct budget *budget, const char *name, const char *user,
                              dpn_error *why) {
    dpn_status status = DPN_OK;
    for (size_t i = 0; i < budget->arguments->givens && !status; i++)
        if (strcmp(budget->arguments->given[i].option->name, "--alias") == 0)
            status = dpn_ledger_add_alias(head, budget->ledger, budget->arguments->given[i].value, name, user, why);
    return status;
}

/* ---- Telling ---- */

static dpn_status tell(struct budget *budget, const char *name, const dpn_head *head, dpn_error *why) {
    char text[DPN_HEAD_TEXT_SIZE];
    dpn_account account;
    dpn_status status = dpn_ledger_account(&account, budget->ledger, name, why);
    if (status) return status;
    dpn_head_print(text, head);
    if (budget->json) {
        struct json object = json_begin(stdout);
        json_string(&object, "ledger", budget->path);
        json_string(&object, "key", budget->key);
        account_json(&object, &account);
        json_string(&object, "head", text);
        json_end(&object);
        dpn_account_free(&account);
        return DPN_OK;
    }
    account_print(stdout, &account);
    dpn_account_free(&account);
    printf("  ledger     ");
    print_plain(stdout, budget->path);
    printf("\n  key        ");
    print_plain(stdout, budget->key);
    printf("\n  head       %s\n", text);
    return DPN_OK;
}

static dpn_status init_alias(struct budget *budget, const char *name, dpn_error *why) {
    static const char *const others[] = {"--epsilon", "--delta",   "--relation", "--unit", "--alias", "--delta-renyi",
                                         "--orders",  "--weights", "--wal",      "--of",   NULL};
    char user[DPN_LEDGER_NAME_SIZE];
    dpn_head head;
    for (size_t i = 0; others[i]; i++)
        if (arguments_have(budget->arguments, others[i]))
            return refuse(why, DPN_EPARSE, "--alias-of and %s exclude each other", others[i]);
    budget_user(user);
    dpn_status status = budget_open(budget, why);
    if (!status)
        status = dpn_ledger_add_alias(&head, budget->ledger, name, arguments_value(budget->arguments, "--alias-of"),
                                      user, why);
    return status ? status : tell(budget, name, &head, why);
}

/* A quota counts the neighbours of its data set, and has its delta unless it is given another: without delta it would take
 * pure charges only. */
static dpn_status init_quota(struct budget *budget, const char *name, dpn_error *why) {
    char user[DPN_LEDGER_NAME_SIZE];
    dpn_ledger_budget asked = {.name = name, .user = user, .of = arguments_value(budget->arguments, "--of")};
    struct budget_terms terms = {0};
    dpn_account cap = {.filter = NULL};
    dpn_head head;
    if (arguments_have(budget->arguments, "--relation") || arguments_have(budget->arguments, "--unit"))
        return refuse(why, DPN_EPARSE, "--of excludes --relation and --unit: a quota has those of its data set");
    budget_user(user);
    dpn_status status = budget_open(budget, why);
    if (!status) status = dpn_ledger_account(&cap, budget->ledger, asked.of, why);
    if (!status) status = read_terms(&terms, budget->arguments, dpn_filter_plan_of(cap.filter).delta, why);
    if (!status) {
        asked.plan = terms.plan;
        asked.relation = cap.relation;
        asked.unit = cap.unit;
        status = check_names(budget, name, why);
    }
    dpn_account_free(&cap);
    if (!status) status = dpn_ledger_add_budget(&head, budget->ledger, &asked, why);
    if (!status) status = add_aliases(&head, budget, name, user, why);
    return status ? status : tell(budget, name, &head, why);
}

dpn_status budget_init(struct budget *budget, dpn_error *why) {
    char user[DPN_LEDGER_NAME_SIZE];
    dpn_sensitivity said;
    dpn_ledger_budget asked = {.user = user};
    struct budget_terms terms;
    dpn_head head;
    dpn_status status = budget_name(&asked.name, budget, why);
    if (!status && arguments_have(budget->arguments, "--alias-of")) return init_alias(budget, asked.name, why);
    if (!status && arguments_have(budget->arguments, "--of")) return init_quota(budget, asked.name, why);
    if (!status) status = sensitivity_read_neighbours(&said, budget->arguments, why);
    if (!status) status = budget_terms_read(&terms, budget->arguments, why);
    if (!status && (!asked.name[0] || strlen(asked.name) >= DPN_LEDGER_NAME_SIZE))
        status = refuse(why, DPN_EDOMAIN, "the name of a data set must have 1 to %d bytes", DPN_LEDGER_NAME_SIZE - 1);
    if (status) return status;
    asked.plan = terms.plan;
    asked.relation = said.relation;
    asked.unit = said.unit;
    budget_user(user);
    status = dpn_ledger_create(&budget->ledger, budget->path, &budget->options, why);
    if (!status) status = check_names(budget, asked.name, why);
    if (!status) status = dpn_ledger_add_budget(&head, budget->ledger, &asked, why);
    if (!status) status = add_aliases(&head, budget, asked.name, user, why);
    return status ? status : tell(budget, asked.name, &head, why);
}
