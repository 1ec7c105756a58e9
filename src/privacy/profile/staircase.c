/* The profile of staircase(epsilon0,D0,gamma) at any sensitivity D. In units of D0 the density is h q^N at |t|,
 * q = e^-epsilon0, where the level N = floor(|t| + 1 - gamma); the loss is epsilon0 times a difference of levels. The
 * law is not log-concave, but delta of every symmetric unimodal law increases with the shift, so D itself is the worst.
 *
 * Let D/D0 = n + f, n whole, 0 <= f < 1. The loss is positive
 *   at t >= 0, where the levels differ by n + 1 or n; the masses are those of one period divided by 1 - q;
 *   in -D < t < 0. With E + phi = n + f + 1 - 2 gamma, E whole, 0 <= phi < 1, at level k >= 1 of |t| the levels differ
 *   by E - 2k on a length 1 - phi and by E + 1 - 2k on a length phi; at level 0, whose length is gamma, on the lengths
 *   min(gamma, 1 - phi) and what is left of gamma.
 */
#include "law/special.h"
#include "privacy/profile/closed-forms.h"
#include "privacy/profile/ladder.h"

/* A few operations on values of exp and expm1 that are right to an ulp. */
#define ERROR 1e-13

#define EPSILON0 law->parameter[0]
#define D0 law->parameter[1]
#define GAMMA law->parameter[2]

/* Masses at one level difference, and masses that go on: by a factor q for every two levels less. */
enum { SINGLES = 4, FLIGHTS = SINGLES + 2 };
enum { TOP, MASS = TOP + FLIGHTS, END = MASS + FLIGHTS };
_Static_assert((int)END <= (int)DPN_PROFILE_CONSTANTS, "the constants fit");

static void set(dpn_profile *profile, int which, double top, double mass) {
    profile->constant[TOP + which] = top;
    profile->constant[MASS + which] = mass;
}

static void prepare(dpn_profile *profile) {
    const dpn_law *law = &profile->law;
    double left = fmod(profile->sensitivity, D0), n = round((profile->sensitivity - left) / D0), gamma = GAMMA;
    double q = exp(-EPSILON0), fall = -expm1(-EPSILON0), h = 0.5 * fall / (gamma + q * (1 - gamma));
    if (!(n < 0x1p50)) h = NAN; /* the quotient may round to another whole number: no accuracy */

    dpn_twofold f = dpn_two_quotient(left, D0), one = dpn_two(1);
    double past = dpn_two_subtract(f, dpn_two(gamma)).hi, to_next = dpn_two_subtract(one, f).hi;
    set(profile, 0, n + 1, h / fall * (fmin(f.hi, gamma) + q * fmax(past, 0)));
    set(profile, 1, n, h / fall * (fmax(-past, 0) + q * fmin(1 - gamma, to_next)));

    /* f + 1 - 2 gamma = whole + phi: its distance from the nearest whole numbers is kept to the last digit. */
    dpn_twofold from_one = dpn_two_subtract(f, dpn_two(2 * gamma)), from_zero = dpn_two_add(from_one, one), phi, rest;
    double whole;
    if (from_one.hi >= 0) {
        whole = 1;
        phi = from_one;
        rest = dpn_two_subtract(one, from_one);
    } else if (from_zero.hi >= 0) {
        whole = 0;
        phi = from_zero;
        rest = dpn_two_negate(from_one);
    } else {
        whole = -1;
        phi = dpn_two_add(from_zero, one);
        rest = dpn_two_negate(from_zero);
    }
    double gained = dpn_two_subtract(dpn_two(gamma), rest).hi; /* of level 0, what lies beyond 1 - phi */
    set(profile, 2, n + whole, h * fmin(gamma, rest.hi));
    set(profile, 3, n + whole + 1, h * fmax(gained, 0));
    set(profile, 4, n + whole, h * rest.hi);
    set(profile, 5, n + whole + 1, h * phi.hi);
}

/* j epsilon0 - epsilon. */
static double excess_of(const dpn_law *law, double j, double epsilon) {
    return dpn_two_subtract(dpn_two_product(j, EPSILON0), dpn_two(epsilon)).hi;
}

/* The least whole j with j epsilon0 > epsilon (at_least: >= epsilon), epsilon >= 0; the quotient is off by rounding
 * only. */
static double least_difference(const dpn_law *law, double epsilon, bool at_least) {
    double j = floor(epsilon / EPSILON0);
    if (!(j < 0x1p53)) return INFINITY;
    for (;; j++) {
        double excess = excess_of(law, j, epsilon);
        if (excess > 0 || (at_least && excess == 0)) return j;
    }
}

/* How many of top - 2, top - 4, ... are at least `least`. */
static double rungs(double top, double least) {
    return top - 2 >= least ? floor(0.5 * (top - least)) : 0;
}

/* The steps of t and t + D differ by n, or by n + 1 somewhere if D is not a multiple of D0. */
static dpn_estimate delta(const dpn_profile *profile, double epsilon) {
    const dpn_law *law = &profile->law;
    const double *top = &profile->constant[TOP], *mass = &profile->constant[MASS];
    double least = least_difference(law, epsilon, false), total = 0;
    for (int i = 0; i < SINGLES; i++)
        if (top[i] >= least) total -= mass[i] * expm1(-excess_of(law, top[i], epsilon));
    for (int i = SINGLES; i < FLIGHTS; i++) {
        double count = rungs(top[i], least);
        if (count > 0) total += mass[i] * dpn_ladder(EPSILON0, count, excess_of(law, top[i] - 2 * count, epsilon));
    }
    if (isnan(mass[0])) return (dpn_estimate){1, dpn_two(0), INFINITY};
    double lower, upper;
    dpn_profile_supremum(profile, &lower, &upper);
    return (dpn_estimate){total, dpn_two(0), epsilon >= upper ? 0 : ERROR}; /* without losses above it, exactly 0 */
}

/* P(L >= least epsilon0) and Q(L >= least epsilon0), least > 0. */
static void positive_tails(const dpn_profile *profile, double least, double *p, double *q) {
    const dpn_law *law = &profile->law;
    const double *top = &profile->constant[TOP], *mass = &profile->constant[MASS];
    *p = *q = 0;
    for (int i = 0; i < SINGLES; i++) {
        if (top[i] < least) continue;
        *p += mass[i];
        *q += mass[i] * exp(-top[i] * EPSILON0);
    }
    for (int i = SINGLES; i < FLIGHTS; i++) {
        double count = rungs(top[i], least), climb = mass[i] * expm1(-count * EPSILON0) / expm1(-EPSILON0);
        *p += climb * exp(-EPSILON0);
        *q += climb * exp(-(top[i] - count) * EPSILON0);
    }
}

/* 1 - p, which has the absolute error of p. */
static dpn_estimate complement(double p) {
    double rest = fmax(1 - p, ERROR);
    return (dpn_estimate){rest, dpn_two(0), ERROR / rest};
}

/* Below zero by the mirror image: P(L > -e) = 1 - Q(L >= e), Q(L > -e) = 1 - P(L >= e). */
static dpn_loss_tails tails(const dpn_profile *profile, double epsilon, bool at_least) {
    bool mirror = epsilon < 0 || (epsilon == 0 && at_least);
    double p, q, least = least_difference(&profile->law, fabs(epsilon), mirror ? !at_least : at_least);
    positive_tails(profile, least, &p, &q);
    if (mirror) return (dpn_loss_tails){complement(q), complement(p)};
    return (dpn_loss_tails){{p, dpn_two(0), ERROR}, {q, dpn_two(0), ERROR}};
}

/* |x| less the largest multiple of D0 in it: remainders are exact however far out x lies. */
static dpn_twofold rest_of(const dpn_law *law, dpn_twofold x) {
    dpn_twofold rest = dpn_two_sum(fmod(x.hi, D0), fmod(x.lo, D0)), beyond = dpn_two_subtract(rest, dpn_two(D0));
    if (rest.hi < 0) return dpn_two_add(rest, dpn_two(D0));
    return beyond.hi < 0 ? rest : beyond;
}

/* The levels themselves may exceed all whole doubles where their difference is small: it comes from the difference of the points
 * and of their rests. */
static dpn_twofold psi_difference(const dpn_law *law, dpn_twofold from, dpn_twofold to) {
    if (from.hi < 0) from = dpn_two_negate(from);
    if (to.hi < 0) to = dpn_two_negate(to);
    dpn_twofold rest0 = rest_of(law, from), rest1 = rest_of(law, to), first = dpn_two_product(GAMMA, D0);
    dpn_twofold apart = dpn_two_add(dpn_two_sum(to.hi, -from.hi), dpn_two_sum(to.lo, -from.lo));
    double periods = round(dpn_two_value(dpn_two_subtract(apart, dpn_two_subtract(rest1, rest0))) / D0);
    int second0 = dpn_two_subtract(rest0, first).hi >= 0, second1 = dpn_two_subtract(rest1, first).hi >= 0;
    return dpn_two_product(periods + (second1 - second0), EPSILON0);
}

const struct dpn_closed_form dpn_closed_staircase = {
    .family = &dpn_staircase,
    .prepare = prepare,
    .delta = delta,
    .tails = tails,
    .psi_difference = psi_difference,
    .difference_error = 0x1p-100,
};
