/* Charges of releases that are known by a guarantee. */
#include "privacy/filter/filter.h"

#include "base/error.h"
#include "privacy/convert/pure.h"
#include "privacy/convert/upper.h"

dpn_charge dpn_charge_pure(const dpn_filter *filter, const dpn_decimal *epsilon, const dpn_decimal *delta) {
    dpn_charge charge = {.delta = *delta, .pure = true, .epsilon = *epsilon};
    double upper = dpn_decimal_upper(epsilon);
    for (size_t i = 0; i < filter->plan.orders; i++)
        charge.divergence[i] = dpn_pure_renyi_upper(upper, filter->plan.order[i]);
    return charge;
}

dpn_status dpn_charge_zcdp(dpn_charge *out, const dpn_filter *filter, double xi, double rho, const dpn_decimal *delta,
                           dpn_error *why) {
    if (!(xi >= 0 && rho >= 0 && isfinite(xi) && isfinite(rho)))
        return dpn_fail(why, DPN_EDOMAIN, "xi and rho of zCDP must be finite and not negative");
    dpn_charge charge = {.delta = *delta};
    for (size_t i = 0; i < filter->plan.orders; i++)
        charge.divergence[i] = xi == 0 && rho == 0 ? 0 : dpn_upper(xi + filter->plan.order[i] * rho);
    *out = charge;
    return DPN_OK;
}
