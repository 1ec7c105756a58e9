/* What the generic path is told of subbotin(p,scale): psi(t) = (|t|/scale)^p/p, of which the law computes one double,
 * too little for small differences. (For p = 1 psi has a piece, and the loss is bounded.) */
#include "privacy/profile/closed-forms.h"
#include "privacy/profile/excess.h"
#include "privacy/profile/generic.h"
#include "privacy/profile/loss-at.h"

#define P law->parameter[0]
#define SCALE law->parameter[1]

static dpn_twofold size_of(dpn_twofold x) {
    return x.hi < 0 ? dpn_two_negate(x) : x;
}

static dpn_twofold psi(const dpn_law *law, dpn_twofold x) {
    dpn_twofold value = law->family->psi(law, x.hi);
    return x.hi > 0 ? dpn_two_add(value, dpn_two(P * value.hi * (x.lo / x.hi))) : value;
}

/* psi(r) - psi(s), r >= s >= 0: where they are close, psi(s) ((r/s)^p - 1). */
static dpn_twofold rise(const dpn_law *law, dpn_twofold s, dpn_twofold r) {
    double gap = dpn_two_subtract(r, s).hi, growth = s.hi > 0 ? P * log1p(gap / s.hi) : INFINITY;
    if (gap == 0) return dpn_two(0);
    dpn_twofold from = psi(law, s);
    if (growth < 0.7 && from.hi < 1e300) return dpn_two(from.hi * expm1(growth)); /* psi(r) < 3 psi(s) is finite too */
    dpn_twofold to = psi(law, r);
    if (isinf(to.hi)) return dpn_two(INFINITY);
    return growth < 0.7 ? dpn_two(from.hi * expm1(growth)) : dpn_two_subtract(to, from);
}

static dpn_twofold psi_difference(const dpn_law *law, dpn_twofold from, dpn_twofold to) {
    dpn_twofold s = size_of(from), r = size_of(to);
    bool falls = dpn_two_subtract(r, s).hi < 0;
    return falls ? dpn_two_negate(rise(law, r, s)) : rise(law, s, r);
}

/* p = 1 is the Laplace law. */
static dpn_estimate delta(const dpn_profile *profile, double epsilon) {
    const dpn_law *law = &profile->law;
    if (P > 1) return dpn_generic_delta(profile, epsilon);
    return dpn_laplace_delta(profile->sensitivity, SCALE, epsilon);
}

static dpn_twofold centre(const dpn_profile *profile, double nu) {
    const dpn_law *law = &profile->law;
    if (P > 1) return dpn_generic_centre(profile, nu);
    return dpn_laplace_centre(profile->sensitivity, SCALE, nu);
}

const struct dpn_closed_form dpn_closed_subbotin = {
    .family = &dpn_subbotin,
    .delta = delta,
    .centre = centre,
    .psi_difference = psi_difference,
    .difference_error = 2e-15,
    .tail_error = 6e-12,
    .unbounded = true,
    .slow = true,
};
