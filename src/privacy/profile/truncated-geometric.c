/* The profile of truncated-geometric(epsilon,n,theta): psi(k) = e |k| for |k| < n and e n + drop at the end, e its epsilon.
 * At the shift D the loss psi(k + D) - psi(k) is, from the right, where it may be positive,
 *
 *     infinite for k > n - D,
 *     e min(D, 2n - D) + drop at k = n - D, one point,
 *     e D for 0 <= k < n - D,
 *     e (D - 2j) at k = -j for max(1, D - n + 1) <= j < D/2,
 *
 * and delta(epsilon) is the sum of p(k) (1 - e^(epsilon - loss)) over the losses above epsilon, each part in closed form and
 * without a term that is negative. docs/proofs/law/truncated-geometric.md
 */
#include "law/facts.h"
#include "privacy/profile/closed-forms.h"
#include "privacy/profile/excess.h"
#include "privacy/profile/generic.h"
#include "privacy/profile/ladder.h"

/* A few operations on values of exp, expm1 and log1p that are right to an ulp, times 1000. */
#define ERROR 1e-12

static double rate_of(const dpn_law *law) {
    return law->parameter[0];
}

/* What psi has at the end beside e n. */
static double drop_of(const dpn_law *law) {
    return dpn_two_value(dpn_two_subtract(law->family->psi(law, dpn_law_support(law)),
                                          dpn_two_product(dpn_law_support(law), rate_of(law))));
}

/* epsilon less e x. */
static double excess_of(const dpn_profile *profile, double epsilon, double x) {
    return x > 0 ? dpn_excess(epsilon, x, 1, rate_of(&profile->law), 1).hi : epsilon;
}

static dpn_estimate at_infinity(const dpn_profile *profile) {
    double end = dpn_law_support(&profile->law), first = end - profile->sensitivity;
    if (first < -end) return (dpn_estimate){1, dpn_two(0), 0};
    return dpn_tail_estimate(profile, dpn_two(first));
}

/* The largest j >= 0 with e (D - 2j) > epsilon, given that e D is. The guess is off by rounding only. */
static double count_below(const dpn_profile *profile, double epsilon) {
    double d = profile->sensitivity, j = fmax(0, ceil(0.5 * (d - epsilon / rate_of(&profile->law))) - 1);
    for (int i = 0; i < 4 && j > 0 && excess_of(profile, epsilon, d - 2 * j) >= 0; i++) j--;
    for (int i = 0; i < 4 && excess_of(profile, epsilon, d - 2 * (j + 1)) < 0; i++) j++;
    return j;
}

/* What the straight part of psi has, in units of pdf(0): the atom and the ladder below it. */
static double straight_part(const dpn_profile *profile, double epsilon) {
    double d = profile->sensitivity, e = rate_of(&profile->law), n = dpn_law_support(&profile->law);
    double top = excess_of(profile, epsilon, d), sum = 0;
    if (top >= 0) return 0;
    if (n > d) sum += -expm1(top) * (expm1(-(n - d) * e) / expm1(-e));
    double last = count_below(profile, epsilon), before = fmax(0, d - n);
    if (last > before)
        sum += exp(-before * e) * dpn_ladder(e, last - before, -excess_of(profile, epsilon, d - 2 * last));
    return sum;
}

/* The point k = n - D, in the same units, and how wrong it may be. */
static double end_part(const dpn_profile *profile, double epsilon, double *doubt) {
    const dpn_law *law = &profile->law;
    double d = profile->sensitivity, n = dpn_law_support(law), drop = drop_of(law);
    *doubt = 0;
    if (d >= 2 * n) return 0; /* the loss is 0, or there is none */
    double excess = drop - excess_of(profile, epsilon, fmin(d, 2 * n - d));
    double weight = dpn_two_exp_minus(law->family->psi(law, fabs(n - d))), size = ERROR * (drop + fabs(excess));
    if (!(excess > -size)) return 0;
    *doubt = weight * exp(-fmax(excess, 0)) * size;
    return excess > 0 ? -weight * expm1(-excess) : 0;
}

static dpn_estimate delta(const dpn_profile *profile, double epsilon) {
    double doubt, pdf0 = profile->law.constant[DPN_PDF0];
    dpn_estimate beyond = at_infinity(profile);
    if (beyond.error == 0 || !(profile->sensitivity < 0x1p51)) return beyond;
    double rest = pdf0 * (straight_part(profile, epsilon) + end_part(profile, epsilon, &doubt));
    if (rest == 0 && doubt == 0) return beyond;
    /* In the unit of what is infinite: it may be too small for a double, the others are larger than it or of no account. */
    double top = fmin(beyond.exponent.hi, 600),
           least = dpn_two_exp_scaled(beyond.mantissa, dpn_two_subtract(beyond.exponent, dpn_two(top)));
    double sum = rest * exp(top) + least;
    return (dpn_estimate){sum, dpn_two(top), beyond.error + ERROR + pdf0 * doubt * exp(top) / sum};
}

/* psi(to) - psi(from) at whole numbers: the straight part from to - from. */
static dpn_twofold psi_difference(const dpn_law *law, dpn_twofold from, dpn_twofold to) {
    double n = dpn_law_support(law), a = fabs(from.hi), b = fabs(to.hi);
    if (a > n || b > n) return dpn_two(a > n && b > n ? NAN : b > n ? INFINITY : -INFINITY);
    dpn_twofold rise = dpn_two_product(b - a, rate_of(law));
    return dpn_two_add(rise, dpn_two(((b == n) - (a == n)) * drop_of(law)));
}

const struct dpn_closed_form dpn_closed_truncated_geometric = {
    .family = &dpn_truncated_geometric,
    .delta = delta,
    .at_infinity = at_infinity,
    .psi_difference = psi_difference,
    .difference_error = ERROR,
    .tail_error = ERROR,
};
