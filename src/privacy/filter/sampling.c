/* What a training run costs: all its steps in one charge. */
#include "privacy/filter/filter.h"

#include "base/error.h"

#include <dpnoise/renyi.h>
#include <math.h>

/* Known only as (epsilon, delta)-private: pure after delta. */
static dpn_status as_approximate(dpn_charge *out, const dpn_filter *filter, const dpn_step *step, size_t steps,
                                 const dpn_decimal *delta, dpn_workspace *workspace, dpn_error *why) {
    dpn_epsilon epsilon;
    dpn_decimal least;
    /* An epsilon for less delta holds for more. */
    dpn_status status = dpn_sampling_epsilon(&epsilon, workspace, step, steps, dpn_decimal_lower(delta), NULL, why);
    if (!status && !isfinite(epsilon.upper))
        status = dpn_fail(why, DPN_EDOMAIN, "the steps have an unbounded loss at this delta");
    if (!status) status = dpn_decimal_from_upper(&least, epsilon.upper, why);
    if (!status) *out = dpn_charge_pure(filter, &least, delta);
    return status;
}

/* As (epsilon, delta) of what is left, exactly: steps that were calibrated to a budget fit it to the digit. */
static dpn_status as_the_rest(dpn_charge *out, const dpn_filter *filter, const dpn_step *step, size_t steps,
                              const dpn_remaining *left, dpn_workspace *workspace, dpn_error *why) {
    dpn_delta delta;
    dpn_status status =
        dpn_sampling_delta(&delta, workspace, step, steps, dpn_decimal_lower(&left->epsilon), NULL, why);
    if (status) return status;
    if (!(delta.upper <= dpn_decimal_lower(&left->delta)))
        return dpn_fail(why, DPN_EBUDGET, "the steps are not known to be private by what is left");
    *out = dpn_charge_pure(filter, &left->epsilon, &left->delta);
    return DPN_OK;
}

/* The divergences, and if the largest loss is bounded that the steps are pure. */
static dpn_status as_divergences(dpn_charge *out, const dpn_filter *filter, const dpn_step *step, size_t steps,
                                 dpn_error *why) {
    dpn_divergence divergence[DPN_FILTER_ORDERS], largest = {.upper = INFINITY};
    double infinite = INFINITY;
    size_t orders = filter->plan.orders;
    bool worth = false;
    dpn_charge charge = {.pure = false};
    dpn_status status = dpn_renyi_sampling(divergence, step, steps, filter->plan.order, orders, why);
    if (!status) status = dpn_renyi_sampling(&largest, step, steps, &infinite, 1, why);
    if (!status && isfinite(largest.upper)) {
        dpn_decimal epsilon;
        static const dpn_decimal none;
        status = dpn_decimal_from_upper(&epsilon, largest.upper, why);
        if (!status) charge = dpn_charge_pure(filter, &epsilon, &none);
    }
    if (status) return status;
    for (size_t i = 0; i < orders; i++) {
        charge.divergence[i] = charge.pure ? fmin(charge.divergence[i], divergence[i].upper) : divergence[i].upper;
        worth = worth || isfinite(charge.divergence[i]);
    }
    if (!worth && !charge.pure)
        return dpn_fail(why, DPN_EUNSUPPORTED,
                        orders ? "this noise has no Renyi divergence that a budget could count; give a delta, to "
                                 "charge it as (epsilon, delta)"
                               : "the loss of this noise is unbounded, and a budget without delta for Renyi sums takes "
                                 "pure charges only");
    *out = charge;
    return DPN_OK;
}

static bool fits(const dpn_filter *filter, const dpn_charge *charge) {
    dpn_cost cost;
    return !dpn_filter_preview(&cost, filter, charge, NULL) && cost.fits;
}

/* What the choice depends on is public: the steps and the filter. */
dpn_status dpn_charge_sampling(dpn_charge *out, const dpn_filter *filter, const dpn_step *step, size_t steps,
                               const dpn_decimal *delta, dpn_workspace *workspace, dpn_error *why) {
    dpn_charge charge = {.pure = false}, other = {.pure = false};
    if (delta && !dpn_decimal_is_zero(delta)) return as_approximate(out, filter, step, steps, delta, workspace, why);
    dpn_status status = as_divergences(&charge, filter, step, steps, why);
    if (status && status != DPN_EUNSUPPORTED) return status;
    dpn_remaining left = dpn_filter_remaining(filter);
    bool some = !dpn_decimal_is_zero(&left.epsilon) && !dpn_decimal_is_zero(&left.delta), found = false;
    if (some && (status || !fits(filter, &charge))) {
        found = !as_approximate(&other, filter, step, steps, &left.delta, workspace, NULL) && fits(filter, &other);
        if (!found) found = !as_the_rest(&other, filter, step, steps, &left, workspace, NULL) && fits(filter, &other);
    }
    if (found) charge = other;
    if (status && !found) return status;
    *out = charge;
    return DPN_OK;
}
