/* The profile of flipped-huber(alpha,gamma). In units of gamma: a = D/gamma, b = alpha/gamma, psi(u) = b|u| for
 * |u| <= b and (u^2 + b^2)/2 beyond, w = 2 [(1 - e^(-b^2))/b + M(b) e^(-b^2)], P(X > u) = e^-psi(u) M(u)/w for u >= b.
 * The loss exceeds epsilon from u1 on, u2 = u1 + a, psi(u2) - psi(u1) = epsilon. The five cases are those of FH,
 * Theorem 3; here each is a sum of positive terms. r(u) = 1 - uM(u) is positive too.
 *
 *   i    u1 < -b, u2 > b             n = -u1 = a/2 - epsilon/a
 *        w delta = 2 (1 - e^(-b^2))/b + e^(-b^2/2) int_b^n e^(-s^2/2) ds + e^(-b^2) [M(b) - M(u2)]
 *                  + e^(-b^2) (1 - e^(-(n^2-b^2)/2)) M(u2)
 *   ii   -b <= u1 < 0 < u2 <= b      u1 = epsilon/2b - a/2
 *        delta = 1 - e^((epsilon-ab)/2)
 *                + r(b)/(bw) [e^(epsilon-b^2) (1 - e^(-epsilon/2))^2 + 2 e^(epsilon/2-b^2) (1 - e^(-ab/2))]
 *   iii  -b <= u1 <= 0, u2 > b       k = -u1 = a + b - sqrt(2(epsilon + ab))
 *        w delta = e^(-b^2) [M(b) - M(u2)] + 2 (1 - e^(-bk))/b + e^(-bk) (1 - e^(-b(b-k)))/b [1 - bM(u2)]
 *   iv   0 <= u1 <= b < u2           q = u2 - b = sqrt(2(epsilon - ab)), h = a - q = b - u1
 *        w delta = e^(-b u1) {e^(-bh) [M(b) - M(b + q)] + (1 - e^(-bh))/b (q + b r(u2))/u2}
 *   v    u1 >= b                     u1 = epsilon/a - a/2 = b + (epsilon - ab)/a - a/2
 *        w delta = e^(-psi(u1)) [M(u1) - M(u1 + a)]
 */
#include "law/special.h"
#include "privacy/profile/closed-forms.h"
#include "privacy/profile/excess.h"
#include "privacy/profile/mills-drop.h"
#include "privacy/profile/twofold-root.h"

/* Measured: docs/proofs/privacy/one-dimension.md. */
#define ERROR 5e-12

#define ALPHA profile->law.parameter[0]
#define GAMMA profile->law.parameter[1]

/* Pairs are twofold numbers. */
enum { A, B = A + 2, AB = B + 2, B2 = AB + 2, W = B2 + 2, MILLS, CORNER /* e^(-b^2) */, GAP /* r(b) */, END };
_Static_assert((int)END <= (int)DPN_PROFILE_CONSTANTS, "the constants fit");
#define C(name) profile->constant[name]

static dpn_twofold pair(const dpn_profile *profile, int which) {
    return dpn_two_load(&profile->constant[which]);
}

static void prepare(dpn_profile *profile) {
    dpn_twofold a = dpn_two_quotient(profile->sensitivity, GAMMA), b = dpn_two_quotient(ALPHA, GAMMA);
    dpn_twofold square = dpn_two_multiply(b, b);
    dpn_two_store(&C(A), a);
    dpn_two_store(&C(B), b);
    dpn_two_store(&C(AB), dpn_two_multiply(a, b));
    dpn_two_store(&C(B2), square);
    C(MILLS) = dpn_mills(b.hi);
    C(GAP) = dpn_mills_slope(b.hi);
    C(CORNER) = dpn_two_exp_minus(square);
    C(W) = 2 * (b.hi * dpn_exprel_minus(square.hi) + C(MILLS) * C(CORNER));
}

/* (1 - e^(-bx))/b, also for b = 0. */
static double integral(double b, double x) {
    return x * dpn_exprel_minus(b * x);
}

/* 1 - bM(u) for u >= b: (u - b + b r(u))/u, by the first form where it cancels little. */
static double one_less(double b, double u, double gap) {
    return u < 1 ? 1 - b * dpn_mills(u) : (gap + b * dpn_mills_slope(u)) / u;
}

/* epsilon - ab. */
static dpn_twofold excess_of(const dpn_profile *profile, double epsilon) {
    if (!(ALPHA > 0)) return dpn_two(epsilon);
    return dpn_excess(epsilon, ALPHA, GAMMA, profile->sensitivity, GAMMA);
}

/* Whether epsilon is below a boundary that is a twofold number. */
static bool below(double epsilon, dpn_twofold boundary) {
    return dpn_two_subtract(dpn_two(epsilon), boundary).hi < 0;
}

/* The formulas do not continue each other: a case that is off by one rounding of a large epsilon costs a times as much.
 * So the boundaries are twofold numbers, and D is compared with alpha itself. */
static int case_of(const dpn_profile *profile, double epsilon, dpn_twofold excess) {
    dpn_twofold a = pair(profile, A), b = pair(profile, B), half_square = dpn_two_half_square(a);
    if (dpn_two_subtract(excess, half_square).hi >= 0) return 5;
    if (profile->sensitivity <= ALPHA) return excess.hi < 0 ? 2 : 4;
    if (!below(epsilon, dpn_two_add(half_square, dpn_two_half_square(b)))) return 4;
    dpn_twofold inner = dpn_two_divide(dpn_two_sum(2 * ALPHA, -profile->sensitivity), GAMMA); /* 2b - a */
    if (inner.hi >= 0) return below(epsilon, dpn_two_multiply(inner, b)) ? 2 : 3;
    return below(epsilon, dpn_two_multiply(a, dpn_two_scale(inner, -0.5))) ? 1 : 3;
}

static double case_i(const dpn_profile *profile, double epsilon) {
    dpn_twofold a = pair(profile, A), shift = dpn_two_ratio(dpn_two(epsilon), a);
    double b = C(B), n = fmax(b, dpn_two_subtract(dpn_two_scale(a, 0.5), shift).hi), u2 = 0.5 * a.hi + shift.hi;
    double middle = DPN_SQRT_PI_2 * (erf(n * DPN_SQRT_1_2) - erf(b * DPN_SQRT_1_2)) * exp(-0.5 * C(B2));
    double rise = dpn_mills_drop(b, u2 - b) - expm1(-0.5 * (n - b) * (n + b)) * dpn_mills(u2);
    return (2 * integral(b, b) + middle + C(CORNER) * rise) / C(W);
}

static double case_ii(const dpn_profile *profile, double epsilon, dpn_twofold excess) {
    double a = C(A), b = C(B), half = 0.5 * epsilon;
    double near = dpn_two_exp_minus(dpn_two_subtract(pair(profile, B2), dpn_two(epsilon)));
    double far = dpn_two_exp_minus(dpn_two_subtract(pair(profile, B2), dpn_two(half)));
    double fall = half * dpn_exprel_minus(half); /* 1 - e^(-epsilon/2) */
    double rest = near * fall * (fall / b) + 2 * far * integral(b, 0.5 * a);
    return -expm1(0.5 * excess.hi) + C(GAP) / C(W) * rest;
}

/* Exponents b x with an x of the size of `root` carry the error of x, a few 2^-104 of it. */
static double error_from(double b, double root) {
    return ERROR + 0x1p-100 * b * root;
}

static dpn_estimate case_iii(const dpn_profile *profile, double epsilon) {
    dpn_twofold a = pair(profile, A), b = pair(profile, B);
    dpn_twofold root = dpn_two_sqrt(dpn_two_scale(dpn_two_add(dpn_two(epsilon), pair(profile, AB)), 2));
    double k = fmin(dpn_two_gap(dpn_two_add(a, b), root).hi, b.hi);
    double gap = dpn_two_gap(root, dpn_two_scale(b, 2)).hi, u2 = b.hi + gap;
    double sum = C(CORNER) * dpn_mills_drop(b.hi, gap) + 2 * integral(b.hi, k);
    sum += exp(-b.hi * k) * integral(b.hi, b.hi - k) * one_less(b.hi, u2, gap);
    return (dpn_estimate){sum / C(W), dpn_two(0), error_from(b.hi, root.hi)};
}

/* u1 = (alpha - D)/gamma + q, whose first term is exact however close alpha and D are. */
static dpn_estimate case_iv(const dpn_profile *profile, dpn_twofold excess) {
    dpn_twofold b = pair(profile, B), q = dpn_two_sqrt(dpn_two_scale(excess, 2));
    dpn_twofold apart = dpn_two_divide(dpn_two_sum(ALPHA, -profile->sensitivity), GAMMA);
    dpn_twofold u1 = dpn_two_gap(q, dpn_two_negate(apart));
    double h = dpn_two_gap(pair(profile, A), q).hi, u2 = b.hi + q.hi;
    double sum = exp(-b.hi * h) * dpn_mills_drop(b.hi, q.hi) + integral(b.hi, h) * one_less(b.hi, u2, q.hi);
    return (dpn_estimate){sum / C(W), dpn_two_multiply(b, u1), error_from(b.hi, q.hi)};
}

/* With v = u1 - b the exponent is b^2 + bv + v^2/2. */
static dpn_estimate case_v(const dpn_profile *profile, dpn_twofold excess) {
    dpn_twofold a = pair(profile, A), b = pair(profile, B);
    dpn_twofold v = dpn_two_subtract(dpn_two_ratio(excess, a), dpn_two_scale(a, 0.5));
    if (!(v.hi > 0)) v = dpn_two(0);
    dpn_twofold rise = dpn_two_multiply(v, dpn_two_add(b, dpn_two_scale(v, 0.5)));
    return (dpn_estimate){dpn_mills_drop(b.hi + v.hi, a.hi) / C(W), dpn_two_add(pair(profile, B2), rise), ERROR};
}

static dpn_estimate delta(const dpn_profile *profile, double epsilon) {
    dpn_twofold excess = excess_of(profile, epsilon);
    switch (case_of(profile, epsilon, excess)) {
    case 1:
        return (dpn_estimate){case_i(profile, epsilon), dpn_two(0), ERROR};
    case 2:
        return (dpn_estimate){case_ii(profile, epsilon, excess), dpn_two(0), ERROR};
    case 3:
        return case_iii(profile, epsilon);
    case 4:
        return case_iv(profile, excess);
    default:
        return case_v(profile, excess);
    }
}

/* u1 + a/2. For a negative nu the loss is odd, but at nu = -ab it is constant from -(b - a/2) to -a/2, where case ii
 * ends: the right end counts. */
static dpn_twofold centre(const dpn_profile *profile, double nu) {
    double size = fabs(nu);
    dpn_twofold excess = excess_of(profile, size), a = pair(profile, A), b = pair(profile, B), t;
    int which = case_of(profile, size, excess);
    if (which == 4 && nu < 0 && excess.hi == 0 && a.hi <= b.hi) which = 2;
    switch (which) {
    case 2:
        t = dpn_two_scale(dpn_two_ratio(dpn_two(size), b), 0.5);
        break;
    case 3:
        t = dpn_two_sqrt(dpn_two_scale(dpn_two_add(dpn_two(size), pair(profile, AB)), 2));
        t = dpn_two_subtract(t, dpn_two_add(b, dpn_two_scale(a, 0.5)));
        break;
    case 4:
        t = dpn_two_add(dpn_two_sqrt(dpn_two_scale(excess, 2)), dpn_two_subtract(b, dpn_two_scale(a, 0.5)));
        break;
    default:
        t = dpn_two_ratio(dpn_two(size), a);
    }
    t = dpn_two_times(t, GAMMA);
    return nu < 0 ? dpn_two_negate(t) : t;
}

const struct dpn_closed_form dpn_closed_flipped_huber = {
    .family = &dpn_flipped_huber,
    .prepare = prepare,
    .delta = delta,
    .centre = centre,
};
