/* The profile of logistic(scale). With a = D/scale the loss lies in (-a, a), and
 *     delta(epsilon) = (1 - e^((epsilon - a)/2))^2 / (1 - e^-a) below a, 0 from a on. */
#include "privacy/profile/closed-forms.h"
#include "privacy/profile/excess.h"

/* A few operations on values of expm1 that are right to an ulp. */
#define ERROR 1e-14

static double scale_of(const dpn_profile *profile) {
    return profile->law.parameter[0];
}

static dpn_twofold excess_of(const dpn_profile *profile, double epsilon) {
    return dpn_excess(epsilon, profile->sensitivity, scale_of(profile), 1, 1);
}

static dpn_estimate delta(const dpn_profile *profile, double epsilon) {
    dpn_twofold excess = excess_of(profile, epsilon);
    if (excess.hi >= 0) return (dpn_estimate){0, dpn_two(0), 0};
    double below = -expm1(0.5 * excess.hi), whole = -expm1(-profile->sensitivity / scale_of(profile));
    return (dpn_estimate){below * (below / whole), dpn_two(0), ERROR};
}

/* tanh(t/2) = tanh(nu/4)/tanh(a/4), t in units of the scale; far out t = nu/2 + log of a quotient of expm1. */
static dpn_twofold centre(const dpn_profile *profile, double nu) {
    double size = fabs(nu), a = profile->sensitivity / scale_of(profile);
    dpn_twofold excess = excess_of(profile, size);
    double t = INFINITY;
    if (excess.hi < 0) {
        double ratio = tanh(0.25 * size) / tanh(0.25 * a);
        t = ratio < 0.5 ? 2 * atanh(ratio) : 0.5 * size + log(expm1(-0.5 * (a + size)) / expm1(0.5 * excess.hi));
    }
    return dpn_two(copysign(t * scale_of(profile), nu));
}

/* With r >= p the sizes of the points, psi(r) - psi(p) is 2 log(cosh(r/2)/cosh(p/2)): near the centre by
 * cosh(r/2) = cosh(p/2) + 2 sinh((r+p)/4) sinh((r-p)/4), beyond as r - p + 2 log((1 + e^-r)/(1 + e^-p)). */
static dpn_twofold rise(const dpn_law *law, dpn_twofold p, dpn_twofold r) {
    dpn_twofold gap = dpn_two_divide(dpn_two_subtract(r, p), law->parameter[0]);
    double from = p.hi / law->parameter[0], to = r.hi / law->parameter[0];
    if (to < 4) return dpn_two(2 * log1p(2 * sinh(0.25 * (to + from)) * sinh(0.25 * gap.hi) / cosh(0.5 * from)));
    return dpn_two_add(gap, dpn_two(2 * log1p(exp(-from) * expm1(-gap.hi) / (1 + exp(-from)))));
}

static dpn_twofold size_of(dpn_twofold x) {
    return x.hi < 0 ? dpn_two_negate(x) : x;
}

static dpn_twofold psi_difference(const dpn_law *law, dpn_twofold from, dpn_twofold to) {
    dpn_twofold p = size_of(from), r = size_of(to);
    bool falls = dpn_two_subtract(r, p).hi < 0;
    return falls ? dpn_two_negate(rise(law, r, p)) : rise(law, p, r);
}

const struct dpn_closed_form dpn_closed_logistic = {
    .family = &dpn_logistic,
    .delta = delta,
    .centre = centre,
    .psi_difference = psi_difference,
    .difference_error = 2e-15,
};
