/* The filter. docs/proofs/privacy/filter.md */
#include "privacy/filter/filter.h"

#include "base/error.h"
#include "base/twofold.h"
#include "privacy/convert/upper.h"
#include "privacy/filter/sum.h"

#include <dpnoise/number.h>
#include <string.h>

/* ---- The beginning ---- */

static dpn_status check_budget(const dpn_filter_terms *plan, dpn_error *why) {
    dpn_decimal one;
    dpn_status status = dpn_decimal_parse(&one, "1", why);
    if (status) return status;
    if (dpn_decimal_compare(&plan->delta, &one) >= 0) return dpn_fail(why, DPN_EDOMAIN, "delta must be less than 1");
    if (dpn_decimal_compare(&plan->delta_renyi, &plan->delta) > 0)
        return dpn_fail(why, DPN_EDOMAIN, "delta_renyi must not exceed delta");
    if (dpn_decimal_compare(&plan->delta_first, &plan->delta) > 0)
        return dpn_fail(why, DPN_EDOMAIN, "delta_first must not exceed delta");
    if (plan->orders > DPN_FILTER_ORDERS)
        return dpn_fail(why, DPN_EDOMAIN, "a filter takes at most %d orders", DPN_FILTER_ORDERS);
    dpn_decimal sum = {{0}};
    for (size_t i = 0; i < plan->orders && !status; i++) status = dpn_decimal_add(&sum, &sum, &plan->weight[i], why);
    if (!status && dpn_decimal_compare(&sum, &one) > 0)
        status = dpn_fail(why, DPN_EDOMAIN, "the weights of the orders sum to more than 1");
    return status;
}

static dpn_status check_orders(const dpn_filter_terms *plan, dpn_error *why) {
    for (size_t i = 0; i < plan->orders; i++) {
        if (!(plan->order[i] >= 1 + 1e-6 && plan->order[i] <= 1e9))
            return dpn_fail(why, DPN_EDOMAIN, "an order must lie in [1.000001, 1e9]");
        if (i > 0 && plan->order[i] <= plan->order[i - 1])
            return dpn_fail(why, DPN_EDOMAIN, "the orders must increase");
        if (dpn_decimal_is_zero(&plan->weight[i]))
            return dpn_fail(why, DPN_EDOMAIN, "the weight of an order must be positive");
    }
    return DPN_OK;
}

/* (log(1/(w delta')) - log a)/(a-1) + log(1 - 1/a), rounded up: step 4 of the proof. */
static double conversion_cost(double order, double weight_lower, double delta_lower) {
    if (weight_lower == 0 || delta_lower == 0) return INFINITY;
    double less = order - 1, weight = -log(weight_lower), delta = -log(delta_lower), tail = dpn_log_less_over(order);
    double size = (weight + delta + log(order)) / less - tail;
    return dpn_above((weight + delta - log(order)) / less + tail, size);
}

dpn_status dpn_filter_begin(dpn_filter *out, const dpn_filter_terms *plan, dpn_error *why) {
    dpn_status status = check_budget(plan, why);
    if (!status) status = check_orders(plan, why);
    if (status) return status;
    dpn_filter filter = {.plan = *plan, .sums.pure = true};
    double epsilon = dpn_decimal_lower(&plan->epsilon), delta = dpn_decimal_lower(&plan->delta_renyi);
    for (size_t i = 0; i < plan->orders; i++) {
        filter.cost[i] = conversion_cost(plan->order[i], dpn_decimal_lower(&plan->weight[i]), delta);
        filter.limit[i] = isinf(filter.cost[i]) ? -INFINITY : nextafter(epsilon - filter.cost[i], -INFINITY);
    }
    *out = filter;
    return DPN_OK;
}

/* ---- A charge ---- */

static dpn_status check_charge(const dpn_filter *filter, const dpn_charge *charge, dpn_error *why) {
    for (size_t i = 0; i < filter->plan.orders; i++)
        if (!(charge->divergence[i] >= 0))
            return dpn_fail(why, DPN_EDOMAIN, "the Renyi divergences of a charge must not be negative or NaN");
    if (!charge->pure && !dpn_decimal_is_zero(&charge->epsilon))
        return dpn_fail(why, DPN_EDOMAIN, "a charge with an epsilon must be pure");
    return DPN_OK;
}

static double divergence_of(const dpn_filter_sums *sums, size_t i) {
    return dpn_sum_value(dpn_two_load(sums->divergence[i]));
}

/* What the orders keep of delta: delta' of the rule. */
static dpn_decimal set_aside(const dpn_filter *filter, const dpn_filter_sums *sums) {
    static const dpn_decimal nothing;
    return sums->plain || sums->charges == 0 ? nothing : filter->plan.delta_renyi;
}

/* a + b <= c, exactly. */
static bool sum_within(const dpn_decimal *a, const dpn_decimal *b, const dpn_decimal *c) {
    dpn_decimal sum;
    return !dpn_decimal_add(&sum, a, b, NULL) && dpn_decimal_compare(&sum, c) <= 0;
}

/* Whether a first charge ends Renyi sums, so that delta is a plain sum: step 5 of the proof. */
static bool gives_up(const dpn_filter *filter, const dpn_charge *charge) {
    const dpn_filter_terms *plan = &filter->plan;
    if (!sum_within(&charge->delta, &plan->delta_renyi, &plan->delta)) return true;
    bool limited = charge->pure && !dpn_decimal_is_zero(&plan->delta_first);
    return limited && dpn_decimal_compare(&charge->delta, &plan->delta_first) > 0;
}

/* The sums after a charge, whether it fits or not. Before the first one nothing was answered, so that it may still
 * decide what delta' is; the second may not. */
static dpn_status add_charge(dpn_filter_sums *sums, const dpn_filter *filter, const dpn_charge *charge,
                             dpn_error *why) {
    *sums = filter->sums;
    if (sums->charges == 0) sums->plain = gives_up(filter, charge);
    sums->charges++;
    sums->pure = sums->pure && charge->pure;
    for (size_t i = 0; i < filter->plan.orders; i++)
        dpn_two_store(sums->divergence[i], dpn_sum_upper(dpn_two_load(sums->divergence[i]), charge->divergence[i]));
    dpn_status status = dpn_decimal_add(&sums->delta, &sums->delta, &charge->delta, why);
    if (!status && sums->pure) status = dpn_decimal_add(&sums->epsilon, &sums->epsilon, &charge->epsilon, why);
    return status;
}

static bool delta_fits(const dpn_filter *filter, const dpn_filter_sums *sums) {
    dpn_decimal aside = set_aside(filter, sums);
    return sum_within(&sums->delta, &aside, &filter->plan.delta);
}

/* How many orders count. */
static size_t open_orders(const dpn_filter *filter, const dpn_filter_sums *sums) {
    return sums->plain ? 0 : filter->plan.orders;
}

static bool epsilon_fits(const dpn_filter *filter, const dpn_filter_sums *sums) {
    if (sums->pure && dpn_decimal_compare(&sums->epsilon, &filter->plan.epsilon) <= 0) return true;
    for (size_t i = 0; i < open_orders(filter, sums); i++)
        if (divergence_of(sums, i) <= filter->limit[i]) return true;
    return false;
}

static dpn_spent spent_by(const dpn_filter *filter, const dpn_filter_sums *sums) {
    dpn_spent spent = {.epsilon = INFINITY,
                       .delta = sums->delta,
                       .aside = set_aside(filter, sums),
                       .order = filter->plan.orders,
                       .charges = sums->charges};
    if (sums->pure) spent.epsilon = dpn_decimal_upper(&sums->epsilon);
    for (size_t i = 0; i < open_orders(filter, sums); i++) {
        double epsilon = fmax(0, nextafter(divergence_of(sums, i) + filter->cost[i], INFINITY));
        if (epsilon >= spent.epsilon) continue;
        spent.epsilon = epsilon;
        spent.order = i;
    }
    return spent;
}

/* a - b, or 0 if that is negative. */
static dpn_decimal positive_difference(const dpn_decimal *a, const dpn_decimal *b) {
    dpn_decimal out = {{0}};
    dpn_status negative = dpn_decimal_subtract(&out, a, b, NULL); /* which leaves out as it is */
    (void)negative;
    return out;
}

/* In the room that a sentence has: digits that are cut off would take the exponent with them. */
static const char *brief(char text[DPN_DECIMAL_TEXT_SIZE], const dpn_decimal *a, bool up) {
    dpn_decimal_print(text, a);
    if (strlen(text) <= 24) return text;
    return up ? dpn_number_print_up(text, dpn_decimal_upper(a), 6)
              : dpn_number_print_down(text, dpn_decimal_lower(a), 6);
}

/* What does not fit, what was asked and what is left. */
static dpn_status refuse_delta(const dpn_filter *filter, const dpn_filter_sums *after, const dpn_charge *charge,
                               dpn_error *why) {
    char asked[DPN_DECIMAL_TEXT_SIZE], rest[DPN_DECIMAL_TEXT_SIZE];
    dpn_decimal aside = set_aside(filter, after), left = positive_difference(&filter->plan.delta, &aside);
    left = positive_difference(&left, &filter->sums.delta);
    return dpn_fail(why, DPN_EBUDGET, "the charge exceeds what is left of delta: %.24s asked, %.24s left",
                    brief(asked, &charge->delta, true), brief(rest, &left, false));
}

static dpn_status refuse_epsilon(const dpn_filter *filter, const dpn_filter_sums *after, const dpn_charge *charge,
                                 dpn_error *why) {
    char asked[DPN_DECIMAL_TEXT_SIZE], rest[DPN_DECIMAL_TEXT_SIZE];
    if (!after->pure)
        return dpn_fail(why, DPN_EBUDGET, "the charge exceeds what is left of epsilon: %.6g of %.24s would be spent",
                        spent_by(filter, after).epsilon, dpn_decimal_print(rest, &filter->plan.epsilon));
    dpn_decimal left = positive_difference(&filter->plan.epsilon, &filter->sums.epsilon);
    return dpn_fail(why, DPN_EBUDGET, "the charge exceeds what is left of epsilon: %.24s asked, %.24s left",
                    brief(asked, &charge->epsilon, true), brief(rest, &left, false));
}

dpn_status dpn_filter_admit(dpn_filter *filter, const dpn_charge *charge, dpn_error *why) {
    dpn_filter_sums after;
    dpn_status status = check_charge(filter, charge, why);
    if (status) return status;
    /* Sums beyond all decimals do not fit either. */
    if (add_charge(&after, filter, charge, why)) return dpn_fail(why, DPN_EBUDGET, "the charge exceeds every budget");
    if (after.plain && !after.pure)
        return dpn_fail(why, DPN_EBUDGET, "the first charge took all of delta that charges which are not pure need");
    if (!delta_fits(filter, &after)) return refuse_delta(filter, &after, charge, why);
    if (!epsilon_fits(filter, &after)) return refuse_epsilon(filter, &after, charge, why);
    filter->sums = after;
    return DPN_OK;
}

/* ---- Accounts ---- */

dpn_spent dpn_filter_spent(const dpn_filter *filter) {
    return spent_by(filter, &filter->sums);
}

dpn_status dpn_filter_preview(dpn_cost *out, const dpn_filter *filter, const dpn_charge *charge, dpn_error *why) {
    dpn_filter_sums after;
    dpn_status status = check_charge(filter, charge, why);
    if (status) return status;
    dpn_cost cost = {.before = dpn_filter_spent(filter)};
    bool counted = !add_charge(&after, filter, charge, NULL); /* sums beyond all decimals do not fit */
    cost.fits = counted && delta_fits(filter, &after) && epsilon_fits(filter, &after);
    cost.after = counted ? spent_by(filter, &after) : cost.before;
    if (!counted) cost.after.epsilon = INFINITY;
    *out = cost;
    return DPN_OK;
}

/* How far the sum at an order may grow. A few ulps of the limit are kept back, so that what is said to be left fits
 * after the sum is rounded. */
static double room_at(const dpn_filter *filter, size_t i) {
    double room = filter->limit[i] - divergence_of(&filter->sums, i) - 4 * DBL_EPSILON * fabs(filter->limit[i]);
    return room > 0 ? dpn_lower(room) : 0;
}

dpn_remaining dpn_filter_remaining(const dpn_filter *filter) {
    const dpn_filter_terms *plan = &filter->plan;
    dpn_decimal aside = set_aside(filter, &filter->sums), delta = positive_difference(&plan->delta, &aside);
    dpn_remaining left = {.delta = positive_difference(&delta, &filter->sums.delta), .best = plan->orders};
    if (filter->sums.pure) left.epsilon = positive_difference(&plan->epsilon, &filter->sums.epsilon);
    for (size_t i = 0; i < open_orders(filter, &filter->sums); i++) {
        left.divergence[i] = room_at(filter, i);
        double rho = dpn_lower(left.divergence[i] / plan->order[i]);
        if (rho <= left.rho) continue;
        left.rho = rho;
        left.best = i;
    }
    return left;
}
