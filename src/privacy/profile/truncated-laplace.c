/* The profile of truncated-laplace(scale,bound). With a = D/scale, b = bound/scale and c = 1/2(1 - e^-b), the finite
 * losses lie in [-m, m], m = min(a, 2b - a); the loss is infinite beyond bound - D, where the other density vanishes:
 *
 *     epsilon < m:   delta(epsilon) = c [2 (1 - e^((epsilon - a)/2)) + e^-b (e^epsilon - 1)],
 *     from m on:     delta(epsilon) = c e^-b (e^a - 1) if a <= b, c [1 - e^-b + 1 - e^(b - a)] if b < a < 2b, else 1.
 */
#include "privacy/profile/closed-forms.h"
#include "privacy/profile/excess.h"

/* A few operations on values of exp and expm1 that are right to an ulp. */
#define ERROR 1e-13

static double scale_of(const dpn_profile *profile) {
    return profile->law.parameter[0];
}

static double bound_of(const dpn_profile *profile) {
    return profile->law.parameter[1];
}

/* 2 bound - D: the length of the interval where both densities live. */
static double overlap(const dpn_profile *profile) {
    return 2 * bound_of(profile) - profile->sensitivity;
}

/* An estimate of c times sum e^-exponent. */
static dpn_estimate normalised(const dpn_profile *profile, double sum, dpn_twofold exponent) {
    return (dpn_estimate){-0.5 * sum / expm1(-bound_of(profile) / scale_of(profile)), exponent, ERROR};
}

static dpn_estimate at_infinity(const dpn_profile *profile) {
    if (overlap(profile) <= 0) return (dpn_estimate){1, dpn_two(0), 0};
    double scale = scale_of(profile);
    dpn_twofold inside = dpn_two_divide(dpn_two_sum(bound_of(profile), -profile->sensitivity), scale); /* b - a */
    if (inside.hi >= 0) return normalised(profile, -expm1(-profile->sensitivity / scale), inside);
    return normalised(profile, -expm1(-bound_of(profile) / scale) - expm1(inside.hi), dpn_two(0));
}

static dpn_estimate delta(const dpn_profile *profile, double epsilon) {
    double excess = dpn_excess(epsilon, profile->sensitivity, scale_of(profile), 1, 1).hi;
    if (excess >= 0 || !(epsilon < overlap(profile) / scale_of(profile))) return at_infinity(profile);
    /* e^-b (e^epsilon - 1) = e^(epsilon - b) (1 - e^-epsilon), and epsilon <= m <= b. */
    dpn_twofold b = dpn_two_quotient(bound_of(profile), scale_of(profile));
    double rest = -expm1(-epsilon) * dpn_two_exp_minus(dpn_two_subtract(b, dpn_two(epsilon)));
    return normalised(profile, rest - 2 * expm1(0.5 * excess), dpn_two(0));
}

/* The centred loss is 2t/scale for |t| <= D/2, constant from there to bound - D/2, and infinite beyond. Where the
 * supports do not meet it is -inf up to bound - D/2, which is negative. */
static dpn_twofold centre(const dpn_profile *profile, double nu) {
    double excess = dpn_excess(fabs(nu), profile->sensitivity, scale_of(profile), 1, 1).hi;
    dpn_twofold last = dpn_two_sum(bound_of(profile), -0.5 * profile->sensitivity);
    dpn_twofold inner = dpn_two_scale(dpn_two_product(nu, scale_of(profile)), 0.5);
    bool outside = excess > 0 || (excess == 0 && nu > 0) || fabs(inner.hi) >= last.hi;
    if (!outside) return inner;
    return nu < 0 && last.hi > 0 ? dpn_two_negate(last) : last;
}

const struct dpn_closed_form dpn_closed_truncated_laplace = {
    .family = &dpn_truncated_laplace,
    .delta = delta,
    .at_infinity = at_infinity,
    .centre = centre,
};
