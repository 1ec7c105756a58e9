/* What --plan costs. */
#include "budget/budget.h"

#include "input/plan-file.h"
#include "kit/fail.h"

#include <dpnoise/plan.h>

dpn_status plan_charge_find(struct plan_charge *out, const dpn_plan *plan, const dpn_sensitivity *set, uint64_t times,
                            const dpn_account *account, const struct plan_claim *claim, dpn_error *why) {
    const dpn_filter *filter = account->filter;
    out->relation = set->relation;
    out->unit = set->unit;
    dpn_status status;
    if (!claim->only && set->relation == account->relation)
        status = dpn_plan_charge_best(&out->charge, plan, set, times, filter, &claim->epsilon, &claim->delta, why);
    else if (claim->only && !dpn_decimal_is_zero(&claim->epsilon))
        status = dpn_plan_charge_as(&out->charge, plan, set, times, filter, &claim->epsilon, &claim->delta, why);
    else
        status = dpn_plan_charge(&out->charge, plan, set, times, filter, claim->only ? &claim->delta : NULL, why);
    bool group = set->relation == DPN_ADD_REMOVE && account->relation == DPN_REPLACE;
    if (status || !group || out->charge.pure) return status; /* the ledger converts what is pure */
    out->relation = DPN_REPLACE;
    return dpn_plan_charge_group(&out->charge, plan, set, times, filter, why);
}

dpn_status plan_charge_read(struct plan_charge *out, const struct arguments *arguments, const dpn_account *account,
                            dpn_error *why) {
    struct plan_file file = {0};
    struct training_file training = {0};
    struct sensitivity set = {0};
    struct plan_claim claim = {.only = arguments_have(arguments, "--delta") || arguments_have(arguments, "--epsilon")};
    dpn_error reason;
    dpn_status status = plan_file_read_any(&file, &training, arguments_value(arguments, "--plan"), why);
    if (!status && training.given) status = training_charge_planned(out, &training.plan, arguments, account, why);
    bool done = training.given;
    training_file_free(&training);
    if (done) return status;
    if (!status) status = plan_file_read_set(&set, &file, arguments, why);
    if (!status) status = budget_amount(&claim.epsilon, arguments, "--epsilon", false, why);
    if (!status) status = budget_amount(&claim.delta, arguments, "--delta", true, why);
    if (!status) {
        status = plan_charge_find(out, &file.plan, &set.set, file.times, account, &claim, &reason);
        if (status) status = refuse(why, status, "--plan: %s", reason.sentence);
    }
    if (!status) {
        out->text = file.text;
        file.text = NULL;
    }
    sensitivity_free(&set);
    plan_file_free(&file);
    return status;
}
