/* The profile of discrete-laplace(scale). With q = e^(-1/scale) the loss is (2k + D)/scale for -D <= k <= 0 and
 * constant beyond, so that, K being the number of k < 0 where it exceeds epsilon and rest the excess at k = -K,
 *     delta(epsilon) = [(1 - q) sum_{j=1..K} q^j (1 - e^(-rest - 2(K-j)/scale)) + 1 - e^(epsilon - D/scale)]/(1 + q).
 */
#include "privacy/profile/closed-forms.h"
#include "privacy/profile/excess.h"
#include "privacy/profile/ladder.h"

/* A few operations on values of exp and expm1 that are right to an ulp. */
#define ERROR 1e-13

static double scale_of(const dpn_profile *profile) {
    return profile->law.parameter[0];
}

/* epsilon less the loss x/scale. */
static double excess_of(const dpn_profile *profile, double epsilon, double x) {
    return x > 0 ? dpn_excess(epsilon, x, scale_of(profile), 1, 1).hi : epsilon;
}

/* The largest K >= 0 with D - 2K > epsilon scale, given that D is. The guess is off by rounding only. */
static double count_below(const dpn_profile *profile, double epsilon) {
    double d = profile->sensitivity, k = fmax(0, ceil(0.5 * (d - epsilon * scale_of(profile))) - 1);
    for (int i = 0; i < 4 && k > 0 && excess_of(profile, epsilon, d - 2 * k) >= 0; i++) k--;
    for (int i = 0; i < 4 && excess_of(profile, epsilon, d - 2 * (k + 1)) < 0; i++) k++;
    return k;
}

static dpn_estimate delta(const dpn_profile *profile, double epsilon) {
    double d = profile->sensitivity, top = excess_of(profile, epsilon, d), rate = 1 / scale_of(profile);
    if (top >= 0) return (dpn_estimate){0, dpn_two(0), 0};
    double below = count_below(profile, epsilon), rest = -excess_of(profile, epsilon, d - 2 * below);
    if (!(rest > 0 && below < 0x1p52)) return (dpn_estimate){1, dpn_two(0), INFINITY}; /* no longer whole numbers */
    double sum = -expm1(-rate) * dpn_ladder(rate, below, rest) - expm1(top);
    return (dpn_estimate){sum / (1 + exp(-rate)), dpn_two(0), ERROR};
}

const struct dpn_closed_form dpn_closed_discrete_laplace = {
    .family = &dpn_discrete_laplace,
    .delta = delta,
};
