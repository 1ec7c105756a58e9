/* Every other log-concave law, by its psi and the family's bounds of e^psi. */
#include "random/density.h"

#include <math.h>

static bool prepare(dpn_density *density) {
    return dpn_law_is_log_concave(&density->law) && dpn_law_has_inverse(&density->law);
}

static double exponent(const dpn_density *density, double x) {
    return density->law.family->psi(&density->law, ldexp(x, density->unit_exponent)).hi;
}

static bool inverse(const dpn_density *density, dpn_rounding how, const dpn_wide *x, dpn_wide *out) {
    return dpn_law_inverse(out, &density->law, how, x);
}

const dpn_density_kind dpn_density_psi = {prepare, exponent, inverse, NULL};
