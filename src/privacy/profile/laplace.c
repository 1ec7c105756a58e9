/* The profile of laplace(scale). With a = D/scale the loss lies in [-a, a], and delta(epsilon) = 1 - e^((epsilon -
 * a)/2) below a, 0 from a on. */
#include "privacy/profile/closed-forms.h"
#include "privacy/profile/excess.h"

/* One expm1 of an argument that is right to an ulp. */
#define ERROR 1e-14

static double scale_of(const dpn_profile *profile) {
    return profile->law.parameter[0];
}

dpn_estimate dpn_laplace_delta(double sensitivity, double scale, double epsilon) {
    double excess = dpn_excess(epsilon, sensitivity, scale, 1, 1).hi;
    if (excess >= 0) return (dpn_estimate){0, dpn_two(0), 0};
    return (dpn_estimate){-expm1(0.5 * excess), dpn_two(0), ERROR};
}

static dpn_estimate delta(const dpn_profile *profile, double epsilon) {
    return dpn_laplace_delta(profile->sensitivity, scale_of(profile), epsilon);
}

/* The centred loss is 2t/scale for |t| <= D/2 and constant beyond. */
dpn_twofold dpn_laplace_centre(double sensitivity, double scale, double nu) {
    double excess = dpn_excess(fabs(nu), sensitivity, scale, 1, 1).hi;
    if (excess > 0 || (excess == 0 && nu > 0)) return dpn_two(copysign(INFINITY, nu));
    return dpn_two_scale(dpn_two_product(nu, scale), 0.5);
}

static dpn_twofold centre(const dpn_profile *profile, double nu) {
    return dpn_laplace_centre(profile->sensitivity, scale_of(profile), nu);
}

const struct dpn_closed_form dpn_closed_laplace = {
    .family = &dpn_laplace,
    .delta = delta,
    .centre = centre,
};
