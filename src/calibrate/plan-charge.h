/* What a plan costs a budget, with something beside its noise. */
#ifndef DPN_CALIBRATE_PLAN_CHARGE_H
#define DPN_CALIBRATE_PLAN_CHARGE_H

#include <dpnoise/plan.h>

/* dpn_plan_charge_best for a release that is not only the noise: with a probability of at most `apart`, under each of two
 * neighbours, something else happens (a key shows that only one of them has), and given that it does not, the release is
 * post-processing of the noise. docs/proofs/privacy/filter.md
 * Errors   those of dpn_plan_charge_best, and DPN_EDOMAIN for a sum of deltas that no decimal holds. */
dpn_status dpn_plan_charge_beside(dpn_charge *out, const dpn_plan *plan, const dpn_sensitivity *set, uint64_t times,
                                  const dpn_filter *filter, const dpn_decimal *epsilon, const dpn_decimal *delta,
                                  const dpn_decimal *apart, dpn_error *why);

#endif
