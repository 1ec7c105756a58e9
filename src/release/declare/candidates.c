/* Candidates in equal steps. */
#include "release/declare/candidates.h"

#include "base/decimal.h"
#include "base/error.h"
#include "release/declare/signed.h"

#include <math.h>

dpn_status dpn_candidates_steps(uint32_t *out, const char *lower, const char *upper, const char *step, dpn_error *why) {
    dpn_signed from, width, each;
    dpn_status status = dpn_signed_read(&from, lower, why);
    if (!status) status = dpn_signed_read(&width, upper, why);
    if (!status) status = dpn_signed_read(&each, step, why);
    if (!status) status = dpn_signed_add(&width, &width, &(dpn_signed){!from.negative, from.size}, why);
    if (status) return status;
    if (each.negative || dpn_decimal_is_zero(&each.size))
        return dpn_fail(why, DPN_EDOMAIN, "step must be above 0, as 1 for every whole number from lower to upper");
    if (width.negative || dpn_decimal_is_zero(&width.size))
        return dpn_fail(why, DPN_EDOMAIN, "lower must be less than upper");
    double steps = nearbyint(dpn_decimal_lower(&width.size) / dpn_decimal_lower(&each.size));
    if (!(steps <= DPN_DECLARATION_CELLS))
        return dpn_fail(why, DPN_EDOMAIN, "step is too small: there are more than %d candidates; take a larger one",
                        DPN_DECLARATION_CELLS);
    dpn_decimal exact;
    if (steps < 1 || !dpn_decimal_divide(&exact, &width.size, (uint32_t)steps) ||
        dpn_decimal_compare(&exact, &each.size) != 0)
        return dpn_fail(why, DPN_EDOMAIN, "step must divide upper - lower, as 0.5 from 0 to 10; choose another one");
    *out = (uint32_t)steps;
    return DPN_OK;
}
