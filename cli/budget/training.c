/* What a training run costs. */
#include "budget/budget.h"

#include "input/sensitivity.h"
#include "input/training.h"
#include "kit/fail.h"

#include <stdlib.h>

bool training_charged(const struct arguments *arguments) {
    return arguments_have(arguments, "--sample-rate") || arguments_have(arguments, "--law") ||
           arguments_have(arguments, "--steps") || arguments_have(arguments, "--sensitivity");
}

/* A run is about adding or removing one row, or what the options say. */
static dpn_status read_neighbours(dpn_training_plan *plan, const struct arguments *arguments, dpn_error *why) {
    dpn_sensitivity said;
    dpn_status status = sensitivity_read_neighbours(&said, arguments, why);
    if (status) return status;
    if (said.relation != DPN_ADD_REMOVE)
        return refuse(why, DPN_EUNSUPPORTED,
                      "a training run is charged for --relation add-remove; for replace ask profile --relation replace "
                      "and charge its --epsilon and --delta");
    if (arguments_have(arguments, "--unit")) plan->unit = said.unit;
    return DPN_OK;
}

/* The ledger converts pure charges alone to replace. */
static dpn_status check_relation(const dpn_charge *charge, const dpn_account *account, dpn_error *why) {
    if (account->relation == DPN_ADD_REMOVE || charge->pure) return DPN_OK;
    return refuse(why, DPN_EUNSUPPORTED,
                  "the budget is about replace and the run about add-remove: give --delta, to charge it as (epsilon, "
                  "delta) of two steps");
}

static dpn_status find_charge(struct plan_charge *out, const dpn_training_plan *plan, const struct arguments *arguments,
                              const dpn_account *account, dpn_error *why) {
    dpn_decimal delta = {{0}};
    dpn_workspace *workspace = NULL;
    char *text = NULL;
    dpn_status status = budget_amount(&delta, arguments, "--delta", true, why);
    if (!status && dpn_workspace_new(&workspace)) status = refuse(why, DPN_ENOMEM, "out of memory");
    if (!status) status = dpn_training_plan_write(&text, NULL, plan, why);
    if (!status) status = dpn_training_plan_charge(&out->charge, plan, account->filter, &delta, workspace, why);
    if (!status) status = check_relation(&out->charge, account, why);
    dpn_workspace_free(workspace);
    if (status) {
        free(text);
        return status;
    }
    out->relation = plan->relation;
    out->unit = plan->unit;
    out->text = text;
    return DPN_OK;
}

dpn_status training_charge_read(struct plan_charge *out, const struct arguments *arguments, const dpn_account *account,
                                dpn_error *why) {
    dpn_training_plan plan = {0};
    dpn_status status = training_read(&plan, arguments, why);
    plan.unit = account->unit;
    if (!status) status = read_neighbours(&plan, arguments, why);
    if (!status) status = find_charge(out, &plan, arguments, account, why);
    dpn_training_plan_free(&plan);
    return status;
}

dpn_status training_charge_planned(struct plan_charge *out, dpn_training_plan *plan, const struct arguments *arguments,
                                   const dpn_account *account, dpn_error *why) {
    static const char *const not_here[] = {"--times", "--epsilon"};
    for (size_t i = 0; i < 2; i++)
        if (arguments_have(arguments, not_here[i]))
            return refuse(why, DPN_EPARSE, "--plan: a training run is charged by itself: leave out %s", not_here[i]);
    dpn_status status = read_neighbours(plan, arguments, why);
    return status ? status : find_charge(out, plan, arguments, account, why);
}
