/* Filters as handles. */
#include "privacy/filter/filter.h"

#include "base/error.h"

#include <stdlib.h>
#include <string.h>

dpn_status dpn_filter_terms_of(dpn_filter_terms *out, const dpn_filter_plan *plan, dpn_error *why) {
    if (plan->orders > DPN_FILTER_ORDERS)
        return dpn_fail(why, DPN_EDOMAIN, "a filter takes at most %d orders", DPN_FILTER_ORDERS);
    if (plan->orders > 0 && !(plan->order && plan->weight))
        return dpn_fail(why, DPN_EDOMAIN, "the orders of a filter or their weights are missing");
    dpn_filter_terms terms = {.epsilon = plan->epsilon,
                              .delta = plan->delta,
                              .delta_renyi = plan->delta_renyi,
                              .delta_first = plan->delta_first,
                              .orders = plan->orders};
    for (size_t i = 0; i < plan->orders; i++) {
        terms.order[i] = plan->order[i];
        terms.weight[i] = plan->weight[i];
    }
    *out = terms;
    return DPN_OK;
}

/* Put a filter that is begun where the caller gets it. */
static dpn_status give(dpn_filter **out, const dpn_filter *filter, dpn_error *why) {
    dpn_filter *copy = malloc(sizeof *copy);
    if (!copy) return dpn_fail(why, DPN_ENOMEM, "out of memory");
    *copy = *filter;
    *out = copy;
    return DPN_OK;
}

dpn_status dpn_filter_new(dpn_filter **out, const dpn_filter_plan *plan, dpn_error *why) {
    dpn_filter_terms terms;
    dpn_filter filter;
    if (!out || !plan) return dpn_fail(why, DPN_EDOMAIN, "a filter needs a plan and a place to put it");
    dpn_status status = dpn_filter_terms_of(&terms, plan, why);
    if (!status) status = dpn_filter_begin(&filter, &terms, why);
    return status ? status : give(out, &filter, why);
}

dpn_status dpn_filter_new_default(dpn_filter **out, const dpn_decimal *epsilon, const dpn_decimal *delta,
                                  dpn_error *why) {
    dpn_filter_terms terms;
    dpn_filter filter;
    if (!out || !epsilon || !delta)
        return dpn_fail(why, DPN_EDOMAIN, "a filter needs an epsilon, a delta and a place to put it");
    dpn_status status = dpn_filter_terms_default(&terms, epsilon, delta, why);
    if (!status) status = dpn_filter_begin(&filter, &terms, why);
    return status ? status : give(out, &filter, why);
}

dpn_status dpn_filter_copy(dpn_filter **out, const dpn_filter *filter, dpn_error *why) {
    if (!out || !filter) return dpn_fail(why, DPN_EDOMAIN, "there is no filter to copy, or no place for it");
    return give(out, filter, why);
}

void dpn_filter_free(dpn_filter *filter) {
    free(filter);
}

dpn_filter_plan dpn_filter_plan_of(const dpn_filter *filter) {
    const dpn_filter_terms *terms = &filter->plan;
    return (dpn_filter_plan){.epsilon = terms->epsilon,
                             .delta = terms->delta,
                             .delta_renyi = terms->delta_renyi,
                             .delta_first = terms->delta_first,
                             .orders = terms->orders,
                             .order = terms->order,
                             .weight = terms->weight};
}
