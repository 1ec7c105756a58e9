/* The conditions of papers about the noise of a plan. */
#include "base/error.h"
#include "privacy/sensitivity/norms.h"

#include <dpnoise/plan.h>
#include <math.h>
#include <stdlib.h>

/* The laws of the coordinates, one for all if they share it. A coordinate without noise must not move; then any law will do. */
static dpn_status laws_of(dpn_law **law, size_t *laws, const dpn_plan *plan, const dpn_sensitivity *set,
                          dpn_error *why) {
    const dpn_law *any = NULL;
    size_t different = 0;
    for (size_t b = 0; b < plan->blocks; b++) {
        const dpn_law *own = dpn_block_law(&plan->block[b]);
        if (!own && !dpn_block_is_silent(&plan->block[b]))
            return dpn_fail(why, DPN_EUNSUPPORTED, "a condition is about independent noise, which block %zu has not",
                            b);
        if (own) different++;
        if (own) any = own;
    }
    if (!any) return dpn_fail(why, DPN_EUNSUPPORTED, "a condition is about noise, and the plan has none");
    for (size_t i = 0; i < plan->dimension; i++)
        if (!dpn_plan_law(plan, i) && dpn_coordinate_bound(set, i) > 0)
            return dpn_fail(why, DPN_EDOMAIN, "coordinate %zu has no noise, but it can move", i);
    *laws = different == 1 ? 1 : plan->dimension;
    *law = calloc(*laws, sizeof **law);
    if (!*law) return dpn_fail(why, DPN_ENOMEM, "out of memory");
    for (size_t i = 0; i < *laws; i++) {
        const dpn_law *own = dpn_plan_law(plan, i);
        (*law)[i] = *laws > 1 && own ? *own : *any;
    }
    return DPN_OK;
}

dpn_status dpn_plan_condition(dpn_conditioned *out, const char *name, dpn_workspace *workspace, const dpn_plan *plan,
                              const dpn_sensitivity *set, double epsilon, dpn_error *why) {
    dpn_law *law = NULL;
    size_t laws = 0;
    if (set->dimension != plan->dimension)
        return dpn_fail(why, DPN_EDOMAIN, "the plan has %zu coordinates and the set %zu", plan->dimension,
                        set->dimension);
    dpn_status status = laws_of(&law, &laws, plan, set, why);
    if (!status) status = dpn_condition_delta(out, name, workspace, law, laws, set, epsilon, why);
    free(law);
    return status;
}
