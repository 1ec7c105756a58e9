/* dpnoise/filter.h - a budget for charges that are chosen as one goes: a privacy filter.
 *
 * An analyst looks at earlier answers before choosing the next question, its noise, and whether there is a next one.
 * Theorems about compositions that are fixed in advance do not cover this. A filter does: it holds a total (epsilon,
 * delta), admits or refuses each charge, and whatever the analyst does, all the admitted releases together are
 * (epsilon, delta)-private.
 *
 * Example
 *     dpn_decimal epsilon, delta, tenth, none = {{0}};
 *     dpn_filter *filter;
 *     dpn_error why;
 *     if (dpn_decimal_parse(&epsilon, "1", &why) || dpn_decimal_parse(&delta, "1e-6", &why) ||
 *         dpn_decimal_parse(&tenth, "0.1", &why) || dpn_filter_new_default(&filter, &epsilon, &delta, &why))
 *         return puts(why.sentence);
 *     dpn_charge charge = dpn_charge_pure(filter, &tenth, &none);
 *     if (dpn_filter_admit(filter, &charge, &why)) puts(why.sentence); // DPN_EBUDGET: it does not fit, do not release
 *     else puts("paid");                                               // release
 *     dpn_filter_free(filter);
 *
 * The rule (docs/proofs/privacy/filter.md). Fixed at the start: epsilon, delta, a part delta' <= delta, and orders a >
 * 1 with weights w_a that sum to at most 1. A charge is (delta_0; D_a for each order; a pure epsilon or none). A charge
 * is admitted if afterwards
 *
 *     sum of delta_0 + delta' <= delta,   and   either for some order a
 *     sum of D_a + (log(1/(w_a delta')) - log a)/(a - 1) + log(1 - 1/a) <= epsilon,
 *     or every charge is pure and their epsilons sum to at most epsilon.
 *
 * There is one exception, for the first charge alone: if it takes more than delta - delta' of delta, or is pure and takes more
 * than a limit fixed at the start, then delta' is 0 from there on. So a release of exactly (epsilon, delta) fits an empty
 * budget of (epsilon, delta), and whoever begins with charges of that kind spends delta as plain sums. A later charge cannot ask for it, because it may depend on answers:
 * that rule would be wrong.
 *
 * Without the weights ("some order fits") the rule is wrong: an analyst can steer which order survives. Recomposing the
 * exact losses of past charges to admit the next one is wrong for the same reason.
 * tests/unit/privacy/t-filter-adversary.c breaks both.
 *
 * Everything is rounded against the analyst: epsilon, delta, delta_0 and pure epsilons are exact decimals; sums of D_a
 * are upper bounds. A filter is a handle of 8.5 KiB; dpn_filter_copy keeps a state. Admitting the same charges in the same order to the same plan gives the same state, bit by bit:
 * that is how a ledger rebuilds it.
 */
#ifndef DPNOISE_FILTER_H
#define DPNOISE_FILTER_H

#include <dpnoise/decimal.h>
#include <dpnoise/sampling.h>
#include <dpnoise/status.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

enum { DPN_FILTER_ORDERS = 32 };

/* What is fixed at the start. With delta_renyi = 0 (delta' of the rule) or no orders only pure charges fit. The arrays are
 * the caller's, and copied. */
typedef struct dpn_filter_plan {
    dpn_decimal epsilon, delta, delta_renyi;
    dpn_decimal
        delta_first;     /* a first charge that is pure and has more delta than this gives up delta_renyi; 0: only one
                              * that has more than delta - delta_renyi does */
    size_t orders;       /* up to DPN_FILTER_ORDERS */
    const double *order; /* strictly increasing, 1 + 1e-6 to 1e9 */
    const dpn_decimal *weight; /* positive, their sum at most 1, exactly */
} dpn_filter_plan;

typedef struct dpn_filter dpn_filter;

/* An empty filter for a plan.
 * Errors   DPN_EDOMAIN for a plan that breaks a rule stated above, or delta >= 1; DPN_ENOMEM. On error *out is not written. */
DPN_API DPN_MUST_CHECK dpn_status dpn_filter_new(dpn_filter **out, const dpn_filter_plan *plan, dpn_error *why);

/* An empty filter for a budget of which nothing more is known: delta_renyi = delta/2, and 13 orders around the one that
 * has the most room for Gaussian noise when the budget is full, which is near 1 + 2 log(1/delta)/epsilon: from a sixteenth
 * of its distance to 1 up to four times that, each sqrt 2 times the one before, rounded to three digits. The middle one
 * has the weight 0.4, its neighbours 0.1 each, the others 0.02 to 0.08. So Gaussian noise gets 84 to 93 percent of the
 * rho that the best single order, named in advance with all of delta, would admit (t-filter.c), and charges whose best
 * order is within those bounds are never far from one. The other half of delta is for charges with a delta of
 * their own: releases with unknown keys take at most half of theirs, so that as many fit as their epsilons and deltas sum to
 * the budget. delta_first = delta/20: whoever begins with an amount of (epsilon, delta) that is a larger part than this spends
 * plain sums from there on, and n <= 19 equal parts of the budget fit (docs/proofs/privacy/filter.md). Who charges many small
 * amounts of (epsilon, delta) takes delta_renyi = 0. If epsilon or delta is 0 there are no orders.
 * Domain   delta < 1.
 * Errors   DPN_EDOMAIN, DPN_ENOMEM. On error *out is not written. */
DPN_API DPN_MUST_CHECK dpn_status dpn_filter_new_default(dpn_filter **out, const dpn_decimal *epsilon,
                                                         const dpn_decimal *delta, dpn_error *why);

/* Another filter with the same plan and the same charges, to keep a state or to try something.
 * Errors   DPN_EDOMAIN for NULL, DPN_ENOMEM. On error *out is not written. */
DPN_API DPN_MUST_CHECK dpn_status dpn_filter_copy(dpn_filter **out, const dpn_filter *filter, dpn_error *why);

/* Accepts NULL. */
DPN_API void dpn_filter_free(dpn_filter *filter);

/* The plan of a filter. Its arrays are the filter's and live as long. */
DPN_API dpn_filter_plan dpn_filter_plan_of(const dpn_filter *filter);

/* What one release costs. The caller promises: for all neighbouring tables, with P and Q the distributions of the
 * release given everything before it, there are distributions P', Q' with (1 - delta) P' <= P and (1 - delta) Q' <= Q
 * such that the Renyi divergences of P' from Q' of the filter's orders are at most divergence[i] (+inf: nothing is
 * claimed), and, if pure, the loss log P'/Q' is at most epsilon. For noise with outputs of infinite loss (truncated
 * Laplace, thresholds) delta is their probability and P', Q' are what remains, renormalised. An (epsilon,
 * delta)-private release always has such P', Q'. */
typedef struct dpn_charge {
    dpn_decimal delta;
    bool pure;
    dpn_decimal epsilon; /* 0 if not pure */
    double divergence[DPN_FILTER_ORDERS];
} dpn_charge;

/* The charge of a release that is known to be (epsilon, delta)-private: pure after delta, with the Renyi divergences of
 * randomised response, which are the largest possible. */
DPN_API dpn_charge dpn_charge_pure(const dpn_filter *filter, const dpn_decimal *epsilon, const dpn_decimal *delta);

/* The charge of a release that is delta-approximately (xi, rho)-zCDP; Gaussian noise has xi = 0, rho = (l2/sigma)^2/2.
 * Domain   xi >= 0, rho >= 0, finite.
 * Errors   DPN_EDOMAIN. On error *out is not written. */
DPN_API DPN_MUST_CHECK dpn_status dpn_charge_zcdp(dpn_charge *out, const dpn_filter *filter, double xi, double rho,
                                                  const dpn_decimal *delta, dpn_error *why);

/* The charge of a training run: all its steps on Poisson samples (dpnoise/sampling.h) in one, under add/remove of one person. Their Renyi
 * divergences, and, if their largest loss is bounded, that they are pure; or, where that does not fit the filter and the run does, as
 * (epsilon, delta) by the exact profile with what is left of delta. With a delta > 0 (NULL stands for 0) always as (epsilon(delta), delta).
 * The steps are fixed before the first of them: a run whose rates or noise are chosen on the way is charged in pieces.
 * Whether it fits is for dpn_filter_admit to say.
 * Errors   those of dpn_renyi_sampling and dpn_sampling_epsilon; DPN_EUNSUPPORTED if the filter could count nothing of it. On error *out is
 *          not written.
 * Cost     a millisecond for Gaussian noise, tens of milliseconds for other noise, as much again as a profile if divergences do not fit. */
DPN_API DPN_MUST_CHECK dpn_status dpn_charge_sampling(dpn_charge *out, const dpn_filter *filter, const dpn_step *step,
                                                      size_t steps, const dpn_decimal *delta, dpn_workspace *workspace,
                                                      dpn_error *why);

/* Admit a charge.
 * Guarantee  all releases whose charges were admitted are together (epsilon, delta)-private, for any way of choosing
 *          releases, charges and the moment to stop from the answers before. Not covered: what is released without an
 *          admitted charge, and whether a charge was admitted as a function of secrets (charges must be chosen from
 *          public knowledge and earlier answers alone).
 * Errors   DPN_EBUDGET if it does not fit, DPN_EDOMAIN for a charge that is not one (negative or NaN divergences, an
 *          epsilon that is not pure). Then the filter is as before. */
DPN_API DPN_MUST_CHECK dpn_status dpn_filter_admit(dpn_filter *filter, const dpn_charge *charge, dpn_error *why);

/* What has been spent, and what would have been after one more charge. `epsilon` is the least number for which the rule
 * holds, rounded up: 0 at the start, and for pure charges alone at most the double above their sum. In all statements
 * that hold when the budget is full it may stand for the total epsilon (it is a privacy odometer; filter.md). */
typedef struct dpn_spent {
    double epsilon;    /* an upper bound */
    dpn_decimal delta; /* the sum of delta_0 */
    dpn_decimal aside; /* delta' of the rule, which it adds; 0 before the first charge, and if that gave it up */
    size_t order;      /* the index of the order that gives epsilon, or `orders` of the plan for the pure rule */
    uint64_t charges;  /* how many were counted */
} dpn_spent;

typedef struct dpn_cost {
    bool fits;
    dpn_spent before, after; /* after.epsilon exceeds the budget where it does not fit, or delta does */
} dpn_cost;

DPN_API dpn_spent dpn_filter_spent(const dpn_filter *filter);

/* The cost of one more charge, which is not admitted by this.
 * Errors   DPN_EDOMAIN as above. On error *out is not written. */
DPN_API DPN_MUST_CHECK dpn_status dpn_filter_preview(dpn_cost *out, const dpn_filter *filter, const dpn_charge *charge,
                                                     dpn_error *why);

/* What is left. */
typedef struct dpn_remaining {
    dpn_decimal delta;   /* for the delta_0 of pure charges, exactly; of others, at the start, less by delta_renyi */
    dpn_decimal epsilon; /* for pure charges by the pure rule, exactly; 0 if one was not pure */
    size_t best;         /* the order with the most room for a zCDP charge; `orders` if there is none */
    double rho;          /* a charge with D_a = a rho, such as Gaussian noise, fits; rounded down */
    double divergence[DPN_FILTER_ORDERS]; /* how far each D_a may still grow, rounded down; 0 if it may not */
} dpn_remaining;

DPN_API dpn_remaining dpn_filter_remaining(const dpn_filter *filter);

/* The most that one more pure charge without delta can have, whichever rule admits it: `epsilon` above, exactly, or where an order
 * has more room, as after Gaussian noise, a number of seven digits that fits, within a few millionths of the largest. 0 if less than a
 * billionth of the budget fits. */
DPN_API dpn_decimal dpn_filter_largest_pure(const dpn_filter *filter);

#ifdef __cplusplus
}
#endif

#endif
