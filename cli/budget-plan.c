/* What a plan costs. */
#include "budget.h"

#include "fail.h"
#include "plan-file.h"

#include <dpnoise/convert.h>
#include <dpnoise/plan.h>
#include <math.h>
#include <stdlib.h>

/* A plan that is only (epsilon, delta)-private for the budget: pure after delta. */
static dpn_status as_approximate(dpn_charge *out, const struct plan_file *file, const dpn_sensitivity *set,
                                 const dpn_account *account, const dpn_decimal *delta, dpn_error *why) {
    dpn_epsilon epsilon;
    dpn_decimal decimal;
    dpn_status status =
        dpn_plan_epsilon(&epsilon, NULL, NULL, &file->plan, set, file->times, dpn_decimal_lower(delta), NULL, why);
    if (!status && !isfinite(epsilon.upper))
        status = refuse(why, DPN_EDOMAIN, "the plan has an unbounded loss at this --delta");
    if (!status) status = dpn_decimal_from_upper(&decimal, epsilon.upper, why);
    if (!status) *out = dpn_charge_pure(&account->filter, &decimal, delta);
    return status;
}

/* Gaussian noise and the like against a budget for the group of two: by zCDP, which has a group property. */
static dpn_status as_group(dpn_charge *out, const struct plan_file *file, const dpn_sensitivity *set,
                           const dpn_account *account, dpn_error *why) {
    dpn_zcdp zcdp;
    dpn_conversion step;
    dpn_decimal none = {{0}};
    dpn_status status = dpn_plan_zcdp(&zcdp, &file->plan, set, file->times, why);
    dpn_guarantee one = {.notion = DPN_ZCDP};
    if (!status) one = (dpn_guarantee){.notion = DPN_ZCDP, .xi = zcdp.xi, .rho = zcdp.eta};
    if (!status) status = dpn_convert_to_replace(&step, &one, why);
    if (!status) status = dpn_charge_zcdp(out, &account->filter, step.guarantee.xi, step.guarantee.rho, &none, why);
    return status;
}

/* Its Renyi divergences, and its largest loss if that is bounded. */
static dpn_status as_divergences(dpn_charge *out, const struct plan_file *file, const dpn_sensitivity *set,
                                 const dpn_account *account, dpn_error *why) {
    dpn_divergence divergence[DPN_FILTER_ORDERS];
    dpn_epsilon epsilon;
    dpn_decimal none = {{0}}, decimal;
    const dpn_filter_plan *plan = &account->filter.plan;
    dpn_charge charge = {.delta = none};
    dpn_status status = DPN_OK;
    if (plan->orders)
        status = dpn_plan_renyi(divergence, NULL, &file->plan, set, file->times, plan->order, plan->orders, why);
    for (size_t i = 0; i < plan->orders && !status; i++) charge.divergence[i] = divergence[i].upper;
    if (!status) status = dpn_plan_epsilon(&epsilon, NULL, NULL, &file->plan, set, file->times, 0, NULL, why);
    if (status) return status;
    if (isfinite(epsilon.upper)) {
        status = dpn_decimal_from_upper(&decimal, epsilon.upper, why);
        if (status) return status;
        charge.pure = true;
        charge.epsilon = decimal;
        dpn_charge pure = dpn_charge_pure(&account->filter, &decimal, &none);
        for (size_t i = 0; i < plan->orders; i++) charge.divergence[i] = fmin(charge.divergence[i], pure.divergence[i]);
    }
    *out = charge;
    return DPN_OK;
}

static bool claims_something(const dpn_charge *charge, size_t orders) {
    bool some = charge->pure;
    for (size_t i = 0; i < orders; i++) some = some || isfinite(charge->divergence[i]);
    return some;
}

dpn_status plan_charge_read(struct plan_charge *out, const struct arguments *arguments, const dpn_account *account,
                            dpn_error *why) {
    struct plan_file file = {0};
    struct sensitivity set = {0};
    dpn_decimal delta = {{0}};
    dpn_charge charge = {0};
    dpn_status status = plan_file_read(&file, arguments_value(arguments, "--plan"), why);
    if (!status) status = plan_file_read_set(&set, &file, arguments, why);
    if (!status) status = budget_amount(&delta, arguments, "--delta", true, why);
    out->relation = set.set.relation;
    out->unit = set.set.unit;
    bool group = set.set.relation == DPN_ADD_REMOVE && account->relation == DPN_REPLACE;
    if (!status && !dpn_decimal_is_zero(&delta))
        status = as_approximate(&charge, &file, &set.set, account, &delta, why);
    else if (!status)
        status = as_divergences(&charge, &file, &set.set, account, why);
    if (!status && group && !charge.pure) {
        status = as_group(&charge, &file, &set.set, account, why);
        out->relation = DPN_REPLACE;
    }
    if (!status && !charge.pure && account->filter.plan.orders == 0)
        status =
            refuse(why, DPN_EUNSUPPORTED,
                   "--plan: the loss of this noise is unbounded, and a budget without delta takes pure charges only");
    if (!status && !claims_something(&charge, account->filter.plan.orders))
        status =
            refuse(why, DPN_EUNSUPPORTED,
                   "--plan: this noise has no Renyi divergence that the budget could count; add --delta D to charge "
                   "it as (epsilon, D)");
    out->charge = charge;
    if (!status) {
        out->text = file.text;
        file.text = NULL;
    }
    sensitivity_free(&set);
    plan_file_free(&file);
    return status;
}
