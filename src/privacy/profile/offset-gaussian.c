/* In units of sigma: a = D/sigma, b = m/sigma, psi(u) = u^2/2 + b|u|, P(X > u) = e^-psi(u) M(b + u)/2M(b) for u >= 0.
 * The loss at u exceeds epsilon for u > u1, and u2 = u1 + a, so that psi(u2) - psi(u1) = epsilon. With these,
 *
 *   epsilon >= a (a/2 + b):  u1 = epsilon/a - a/2 - b >= 0,
 *       delta = e^-psi(u1) [M(b + u1) - M(b + u2)] / 2M(b);
 *   else  u1 = -n < 0:  n = a/2 - epsilon/(a + 2b),  u2 = a - n,
 *       delta = {M(b) - M(b + n) + M(b) - M(b + u2) + (1 - e^-psi(n)) [M(b + n) + M(b + u2)]} / 2M(b).
 *
 * Every term is positive: nothing cancels.
 */
#include "privacy/profile/offset-gaussian.h"

#include "law/special.h"
#include "privacy/profile/excess.h"
#include "privacy/profile/mills-drop.h"
#include "privacy/profile/twofold-root.h"

/* Measured: docs/proofs/privacy/one-dimension.md. */
#define ERROR 5e-12

/* Pairs are twofold numbers. */
enum { A, B = A + 2, SUM = B + 2, M = SUM + 2, SIGMA, TWICE_MILLS, END };
_Static_assert((int)END <= (int)DPN_PROFILE_CONSTANTS, "the constants fit");

static dpn_twofold pair(const dpn_profile *profile, int which) {
    return dpn_two_load(&profile->constant[which]);
}

void dpn_offset_prepare(dpn_profile *profile, double m, double sigma) {
    double *constant = profile->constant;
    dpn_twofold a = dpn_two_quotient(profile->sensitivity, sigma), b = dpn_two_quotient(m, sigma);
    dpn_two_store(&constant[A], a);
    dpn_two_store(&constant[B], b);
    dpn_two_store(&constant[SUM], dpn_two_add(a, dpn_two_scale(b, 2)));
    constant[M] = m;
    constant[SIGMA] = sigma;
    constant[TWICE_MILLS] = 2 * dpn_mills(b.hi);
}

static dpn_estimate two_sided(const dpn_profile *profile, double n, double u2) {
    double b = profile->constant[B];
    double drops = dpn_mills_drop(b, n) + dpn_mills_drop(b, u2);
    double rest = -expm1(-n * (0.5 * n + b)) * (dpn_mills(b + n) + dpn_mills(b + u2));
    return (dpn_estimate){(drops + rest) / profile->constant[TWICE_MILLS], dpn_two(0), ERROR};
}

static dpn_estimate one_sided(const dpn_profile *profile, dpn_twofold u1) {
    dpn_twofold b = pair(profile, B);
    dpn_twofold psi = dpn_two_multiply(u1, dpn_two_add(b, dpn_two_scale(u1, 0.5)));
    double drop = dpn_mills_drop(b.hi + u1.hi, profile->constant[A]);
    return (dpn_estimate){drop / profile->constant[TWICE_MILLS], psi, ERROR};
}

/* u1 comes from epsilon - ab - a^2/2, in which the first difference is exact however much cancels. */
dpn_estimate dpn_offset_delta(const dpn_profile *profile, double epsilon) {
    dpn_twofold a = pair(profile, A), excess = dpn_two(epsilon);
    double m = profile->constant[M], sigma = profile->constant[SIGMA];
    if (m > 0) excess = dpn_excess(epsilon, m, sigma, profile->sensitivity, sigma);
    excess = dpn_two_subtract(excess, dpn_two_half_square(a));
    if (excess.hi >= 0) return one_sided(profile, dpn_two_ratio(excess, a));
    double u2 = 0.5 * a.hi + epsilon / profile->constant[SUM];
    return two_sided(profile, -excess.hi / profile->constant[SUM], u2);
}

/* u1 + a/2, odd in nu. */
dpn_twofold dpn_offset_centre(const dpn_profile *profile, double nu) {
    dpn_twofold size = dpn_two(fabs(nu));
    dpn_twofold inner = dpn_two_ratio(size, pair(profile, SUM)), centre = inner;
    if (inner.hi > 0.5 * profile->constant[A])
        centre = dpn_two_subtract(dpn_two_ratio(size, pair(profile, A)), pair(profile, B));
    centre = dpn_two_times(centre, profile->constant[SIGMA]);
    return nu < 0 ? dpn_two_negate(centre) : centre;
}

/* psi(r) - psi(s) = (r - s) ((r + s)/2 + m)/sigma^2 with the sizes r and s of the points: r - s keeps its digits. */
dpn_twofold dpn_offset_difference(double m, double sigma, dpn_twofold from, dpn_twofold to) {
    dpn_twofold s = from.hi < 0 ? dpn_two_negate(from) : from, r = to.hi < 0 ? dpn_two_negate(to) : to;
    dpn_twofold gap = dpn_two_subtract(r, s), mean = dpn_two_add(dpn_two_scale(r, 0.5), dpn_two_scale(s, 0.5));
    if (gap.hi == 0) return dpn_two(0);
    return dpn_two_multiply(dpn_two_divide(gap, sigma), dpn_two_divide(dpn_two_add(mean, dpn_two(m)), sigma));
}
