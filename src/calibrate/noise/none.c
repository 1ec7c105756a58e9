/* No noise, for coordinates that cannot move. */
#include "calibrate/noise/kind.h"

#include "base/error.h"
#include "calibrate/set-norm.h"

#include <math.h>

static double error(const dpn_plan *plan, const dpn_block *block, size_t place, dpn_objective objective) {
    (void)plan;
    (void)block;
    (void)place;
    (void)objective;
    return 0;
}

static dpn_status check(const dpn_plan_view *view, const dpn_block *block, dpn_error *why) {
    for (size_t i = 0; i < block->count; i++) {
        double reach = dpn_set_reach(view->set, block->coordinate[i]);
        if ((view->whole ? floor(reach) : reach) > 0)
            return dpn_fail(why, DPN_EDOMAIN, "coordinate %zu can move and has no noise", block->coordinate[i]);
    }
    return DPN_OK;
}

const struct dpn_noise_kind dpn_noise_none = {
    .name = "none",
    .silent = true,
    .opening = "none",
    .error = error,
    .check = check,
};
