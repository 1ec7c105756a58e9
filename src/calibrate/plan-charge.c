/* What a plan costs a budget. */
#include "calibrate/plan-charge.h"

#include "base/error.h"
#include "privacy/filter/filter.h"

#include <dpnoise/convert.h>
#include <dpnoise/plan.h>
#include <math.h>

/* Losses that are all atoms, as those of truncated-geometric noise, compose by FFT alone, which needs one. */
static dpn_status open_workspace(dpn_workspace **out, dpn_error *why) {
    *out = NULL;
    return dpn_workspace_new(out) ? dpn_fail(why, DPN_ENOMEM, "no memory for a workspace") : DPN_OK;
}

dpn_status dpn_plan_charge_as(dpn_charge *out, const dpn_plan *plan, const dpn_sensitivity *set, uint64_t times,
                              const dpn_filter *filter, const dpn_decimal *epsilon, const dpn_decimal *delta,
                              dpn_error *why) {
    dpn_delta found;
    dpn_workspace *workspace;
    dpn_status status = open_workspace(&workspace, why);
    if (!status)
        status = dpn_plan_delta(&found, NULL, workspace, plan, set, times, dpn_decimal_lower(epsilon), NULL, why);
    dpn_workspace_free(workspace);
    if (status) return status;
    if (!(found.upper <= dpn_decimal_lower(delta)))
        return dpn_fail(why, DPN_EDOMAIN, "the noise is not known to be (epsilon, delta)-private");
    *out = dpn_charge_pure(filter, epsilon, delta);
    return DPN_OK;
}

/* Known only as (epsilon, delta)-private: pure after delta. The least epsilon is rounded up, and may pass what is left of a
 * budget that the plan was calibrated to: then that is tried. */
static dpn_status as_approximate(dpn_charge *out, const dpn_plan *plan, const dpn_sensitivity *set, uint64_t times,
                                 const dpn_filter *filter, const dpn_decimal *delta, dpn_error *why) {
    dpn_epsilon epsilon = {0, INFINITY};
    dpn_decimal least, left = dpn_filter_remaining(filter).epsilon;
    dpn_workspace *workspace;
    dpn_status status = open_workspace(&workspace, why);
    if (!status) /* an epsilon for less delta holds for more */
        status = dpn_plan_epsilon(&epsilon, NULL, workspace, plan, set, times, dpn_decimal_lower(delta), NULL, why);
    dpn_workspace_free(workspace);
    if (!status && !isfinite(epsilon.upper))
        status = dpn_fail(why, DPN_EDOMAIN, "the plan has an unbounded loss at this delta");
    if (!status) status = dpn_decimal_from_upper(&least, epsilon.upper, why);
    if (status) return status;
    if (!dpn_decimal_is_zero(&left) && dpn_decimal_compare(&least, &left) > 0 &&
        epsilon.lower <= dpn_decimal_upper(&left) &&
        !dpn_plan_charge_as(out, plan, set, times, filter, &left, delta, NULL))
        return DPN_OK;
    *out = dpn_charge_pure(filter, &least, delta);
    return DPN_OK;
}

/* The largest loss, if it is bounded: then the divergences are no larger than those of randomised response either. */
static dpn_status add_largest_loss(dpn_charge *charge, const dpn_plan *plan, const dpn_sensitivity *set, uint64_t times,
                                   const dpn_filter *filter, dpn_error *why) {
    dpn_epsilon epsilon;
    dpn_status status = dpn_plan_epsilon(&epsilon, NULL, NULL, plan, set, times, 0, NULL, why);
    if (status || !isfinite(epsilon.upper)) return status;
    status = dpn_decimal_from_upper(&charge->epsilon, epsilon.upper, why);
    if (status) return status;
    charge->pure = true;
    dpn_charge pure = dpn_charge_pure(filter, &charge->epsilon, &charge->delta);
    for (size_t i = 0; i < filter->plan.orders; i++)
        charge->divergence[i] = fmin(charge->divergence[i], pure.divergence[i]);
    return DPN_OK;
}

static dpn_status check_worth(const dpn_charge *charge, size_t orders, dpn_error *why) {
    if (charge->pure) return DPN_OK;
    if (orders == 0)
        return dpn_fail(why, DPN_EUNSUPPORTED,
                        "the loss of this noise is unbounded, and a budget without delta takes pure charges only");
    for (size_t i = 0; i < orders; i++)
        if (isfinite(charge->divergence[i])) return DPN_OK;
    return dpn_fail(
        why, DPN_EUNSUPPORTED,
        "this noise has no Renyi divergence that a budget could count; give a delta, to charge it as (epsilon, "
        "delta)");
}

dpn_status dpn_plan_charge(dpn_charge *out, const dpn_plan *plan, const dpn_sensitivity *set, uint64_t times,
                           const dpn_filter *filter, const dpn_decimal *delta, dpn_error *why) {
    dpn_divergence divergence[DPN_FILTER_ORDERS];
    dpn_charge charge = {.pure = false};
    size_t orders = filter->plan.orders;
    if (delta && !dpn_decimal_is_zero(delta)) return as_approximate(out, plan, set, times, filter, delta, why);
    dpn_status status = DPN_OK;
    if (orders) status = dpn_plan_renyi(divergence, NULL, plan, set, times, filter->plan.order, orders, why);
    for (size_t i = 0; i < orders && !status; i++) charge.divergence[i] = divergence[i].upper;
    if (!status) status = add_largest_loss(&charge, plan, set, times, filter, why);
    if (!status) status = check_worth(&charge, orders, why);
    if (!status) *out = charge;
    return status;
}

/* By what is left, all charges so far being pure. */
static dpn_status by_the_rest(dpn_charge *out, const dpn_plan *plan, const dpn_sensitivity *set, uint64_t times,
                              const dpn_filter *filter) {
    dpn_remaining left = dpn_filter_remaining(filter);
    if (dpn_decimal_is_zero(&left.epsilon) || dpn_decimal_is_zero(&left.delta)) return DPN_EBUDGET;
    return as_approximate(out, plan, set, times, filter, &left.delta, NULL);
}

/* What happens beside the noise with a probability of at most `apart`, and is no part of P' and Q', adds to delta. */
static dpn_status set_apart(dpn_charge *charge, const dpn_decimal *apart, dpn_error *why) {
    return dpn_decimal_add(&charge->delta, &charge->delta, apart, why);
}

enum { MANY = 200 };

/* How many charges like this one fit, up to many. */
static int copies_that_fit(const dpn_filter *filter, const dpn_charge *charge) {
    dpn_filter copy = *filter;
    int count = 0;
    while (count < MANY && !dpn_filter_admit(&copy, charge, NULL)) count++;
    return count;
}

/* What the choice depends on is public: the plan, the set, the filter and the claim. */
dpn_status dpn_plan_charge_beside(dpn_charge *out, const dpn_plan *plan, const dpn_sensitivity *set, uint64_t times,
                                  const dpn_filter *filter, const dpn_decimal *epsilon, const dpn_decimal *delta,
                                  const dpn_decimal *apart, dpn_error *why) {
    dpn_charge charge, other;
    bool claimed = epsilon && delta && !dpn_decimal_is_zero(epsilon) && !dpn_decimal_is_zero(delta), found = false;
    dpn_status status = dpn_plan_charge(&charge, plan, set, times, filter, NULL, why);
    if (status == DPN_EUNSUPPORTED && claimed) { /* no divergence, or a budget without orders */
        status = dpn_plan_charge_as(&charge, plan, set, times, filter, epsilon, delta, why);
        if (!status) status = set_apart(&charge, apart, why);
        if (!status) *out = charge;
        return status;
    }
    if (!status) status = set_apart(&charge, apart, why);
    if (status) return status;
    int fit = copies_that_fit(filter, &charge);
    if (claimed && fit < MANY)
        found = !dpn_plan_charge_as(&other, plan, set, times, filter, epsilon, delta, NULL);
    else if (fit == 0 && dpn_decimal_is_zero(apart))
        found = !by_the_rest(&other, plan, set, times, filter);
    if (found) found = !set_apart(&other, apart, NULL);
    *out = found && copies_that_fit(filter, &other) > fit ? other : charge;
    return DPN_OK;
}

dpn_status dpn_plan_charge_best(dpn_charge *out, const dpn_plan *plan, const dpn_sensitivity *set, uint64_t times,
                                const dpn_filter *filter, const dpn_decimal *epsilon, const dpn_decimal *delta,
                                dpn_error *why) {
    static const dpn_decimal nothing;
    return dpn_plan_charge_beside(out, plan, set, times, filter, epsilon, delta, &nothing, why);
}

dpn_status dpn_plan_charge_group(dpn_charge *out, const dpn_plan *plan, const dpn_sensitivity *set, uint64_t times,
                                 const dpn_filter *filter, dpn_error *why) {
    dpn_zcdp zcdp;
    dpn_conversion two;
    dpn_decimal none = {{0}};
    dpn_status status = dpn_plan_zcdp(&zcdp, plan, set, times, why);
    if (status) return status;
    dpn_guarantee one = {.notion = DPN_ZCDP, .xi = zcdp.xi, .rho = zcdp.rho};
    status = dpn_convert_to_replace(&two, &one, why);
    return status ? status : dpn_charge_zcdp(out, filter, two.guarantee.xi, two.guarantee.rho, &none, why);
}
