/* What `dpnoise add` costs a budget: charged, durably, before a number is read. */
#include "add/add.h"

#include "budget/budget.h"
#include "kit/fail.h"

#include <string.h>

/* The charge for this account, whose words for neighbours count unless the caller had others. */
static dpn_status find_cost(struct plan_charge *out, struct addition *addition, const struct arguments *arguments,
                            const dpn_account *account, dpn_error *why) {
    const dpn_plan *plan = dpn_release_plan(addition->release);
    dpn_sensitivity set = *dpn_release_sensitivity(addition->release), *told = &addition->asked.sensitivity.set;
    /* Bounded noise has no Renyi divergences; it costs what it was calibrated for. */
    struct plan_claim claim = {.only = plan->bounded};
    dpn_status status = budget_amount(&claim.epsilon, arguments, "--epsilon", false, why);
    if (!status) status = budget_amount(&claim.delta, arguments, "--delta", true, why);
    if (status) return status;
    /* A histogram was read under a relation, and moves further under another. */
    if (!arguments_have(arguments, "--relation") && !arguments_have(arguments, "--histogram"))
        told->relation = set.relation = account->relation;
    if (!arguments_have(arguments, "--unit")) told->unit = set.unit = account->unit;
    return plan_charge_find(out, plan, &set, plan->times, account, &claim, why);
}

static dpn_status spend(struct addition *addition, struct budget *budget, const char *name, dpn_error *why) {
    const struct arguments *arguments = budget->arguments;
    struct plan_charge cost = {0};
    dpn_account account;
    char user[DPN_LEDGER_NAME_SIZE];
    dpn_status status = dpn_ledger_account(&account, budget->ledger, name, why);
    if (status) return status;
    status = find_cost(&cost, addition, arguments, &account, why);
    dpn_account_free(&account);
    if (status) return status;
    budget_user(user);
    dpn_ledger_charge charge = {.name = name,
                                .user = user,
                                .note = arguments_value(arguments, "--note"),
                                .charge = cost.charge,
                                .relation = cost.relation,
                                .unit = cost.unit,
                                .plan = addition->text,
                                .specification = addition->text,
                                .specification_length = strlen(addition->text)};
    dpn_receipt receipt;
    status = dpn_ledger_spend(&receipt, budget->ledger, &charge, why);
    if (status == DPN_EBUDGET) return budget_refused(budget, name, why);
    if (!status) dpn_head_print(addition->head, &receipt.head);
    return status;
}

dpn_status add_charge(struct addition *addition, const struct arguments *arguments, dpn_error *why) {
    const char *name = arguments_value(arguments, "--dataset");
    static const char *const others[] = {"--ledger", "--ledger-key", "--wait", "--note"};
    for (size_t i = 0; i < sizeof others / sizeof *others && !name; i++)
        if (arguments_have(arguments, others[i]))
            return refuse(why, DPN_EPARSE, "%s needs to know which budget to charge: give --dataset", others[i]);
    if (!name) return DPN_OK;
    struct budget budget = {.arguments = arguments};
    dpn_status status = budget_places(&budget, why);
    if (!status) status = budget_open(&budget, why);
    if (!status) status = spend(addition, &budget, name, why);
    dpn_ledger_close(budget.ledger);
    return status;
}
