/* A filter inside: what a handle points to. As a plain value it can be copied to keep a state. */
#ifndef DPN_PRIVACY_FILTER_FILTER_H
#define DPN_PRIVACY_FILTER_FILTER_H

#include <dpnoise/filter.h>

/* What is fixed at the start: dpn_filter_plan with its arrays. */
typedef struct dpn_filter_terms {
    dpn_decimal epsilon, delta, delta_renyi, delta_first;
    size_t orders;
    double order[DPN_FILTER_ORDERS];       /* strictly increasing, 1 + 1e-6 to 1e9 */
    dpn_decimal weight[DPN_FILTER_ORDERS]; /* positive, their sum at most 1, exactly */
} dpn_filter_terms;

/* The charges so far. */
typedef struct dpn_filter_sums {
    uint64_t charges;
    bool pure;                               /* whether all of them were */
    bool plain;                              /* the first one gave up delta': it is 0, and no order counts */
    dpn_decimal delta, epsilon;              /* exact sums; epsilon up to the first charge that is not pure */
    double divergence[DPN_FILTER_ORDERS][2]; /* sums of D_a as twofold numbers, rounded up */
} dpn_filter_sums;

struct dpn_filter {
    dpn_filter_terms plan;
    double cost[DPN_FILTER_ORDERS];  /* what the conversion at each order adds to the sum of D_a, rounded up */
    double limit[DPN_FILTER_ORDERS]; /* what the sum of D_a may reach, rounded down */
    dpn_filter_sums sums;
};

/* The terms of a plan, with no more orders than there is room for.
 * Errors   DPN_EDOMAIN. On error *out is not written. */
dpn_status dpn_filter_terms_of(dpn_filter_terms *out, const dpn_filter_plan *plan, dpn_error *why);

/* What dpn_filter_new_default says.
 * Errors   DPN_EDOMAIN. On error *out is not written. */
dpn_status dpn_filter_terms_default(dpn_filter_terms *out, const dpn_decimal *epsilon, const dpn_decimal *delta,
                                    dpn_error *why);

/* An empty filter.
 * Errors   DPN_EDOMAIN for terms that break a rule stated above, or delta >= 1. On error *out is not written. */
dpn_status dpn_filter_begin(dpn_filter *out, const dpn_filter_terms *terms, dpn_error *why);

#endif
