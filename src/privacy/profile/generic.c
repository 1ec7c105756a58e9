/* The profile of any symmetric log-concave law. The loss L increases, so delta(epsilon) = P(X > t1) - e^epsilon P(X >
 * t2) with t1 the threshold where L reaches epsilon and t2 = t1 + D. Where the two terms nearly cancel, the same is
 * the integral of g(t) (1 - e^(epsilon - L(t))) over t > t1, whose integrand is positive.
 */
#include "privacy/profile/generic.h"

#include "privacy/profile/closed-forms.h"
#include "privacy/profile/integer.h"
#include "privacy/profile/loss-at.h"
#include "privacy/profile/smooth-sum.h"

#include <float.h>

/* A thousand times what the tails of the laws (docs/accuracy.md) and the sums here were seen to err: measured,
 * docs/proofs/privacy/one-dimension.md. The exponent of a law may be rounded to one double. */
#define TAIL_ERROR 1.25e-12
#define INTEGRATED_TAIL_ERROR 1e-10 /* of laws without a tail of their own: law/generic.h */
#define SMOOTH_SUM_ERROR 1e-9
#define PLAIN_SUM_ERROR 1e-11
#define EXPONENT_ERROR (16 * DBL_EPSILON)

/* Whole numbers up to here, and their sums, are exact. */
#define EXACT 0x1p52

/* The difference, which is a hundred times faster than the sum, is taken where it leaves at least this part of the
 * first term, and errs by no more than a few times what the sum does. */
#define LEAST_DIFFERENCE 0.01
#define WORST_DIFFERENCE 4e-9

static double tail_error(const dpn_profile *profile) {
    if (profile->form && profile->form->tail_error > 0) return profile->form->tail_error;
    return profile->law.family->tail ? TAIL_ERROR : INTEGRATED_TAIL_ERROR;
}

/* All that is known: a bound. */
static dpn_estimate at_most(dpn_estimate bound) {
    bound.error = INFINITY;
    return bound;
}

dpn_estimate dpn_tail_estimate(const dpn_profile *profile, dpn_twofold t) {
    const dpn_law *law = &profile->law;
    if (isinf(t.hi)) return (dpn_estimate){t.hi < 0, dpn_two(0), 0};
    double x = t.hi, low = t.lo, error = tail_error(profile);
    bool reflect = x < 0;
    if (reflect) {
        x = law->family->integer ? -x - 1 : -x;
        low = -low;
    }
    dpn_tail tail = dpn_law_tail(law, x);
    double mantissa = tail.mantissa;
    if (low != 0 && !law->family->integer) {
        dpn_twofold rise = dpn_two_subtract(law->family->psi(law, x), tail.exponent);
        mantissa = fmax(0, mantissa - law->constant[DPN_PDF0] * dpn_two_exp_minus(rise) * low);
    }
    if (!reflect) return (dpn_estimate){mantissa, tail.exponent, error + EXPONENT_ERROR * tail.exponent.hi};
    /* The error of 1 - P is at most that of P, whose exponent is then of no concern. */
    return (dpn_estimate){1 - dpn_two_exp_scaled(mantissa, tail.exponent), dpn_two(0), error};
}

dpn_estimate dpn_generic_at_infinity(const dpn_profile *profile) {
    double support = dpn_law_support(&profile->law);
    if (isinf(support)) return (dpn_estimate){0, dpn_two(0), 0};
    if (2 * support <= profile->sensitivity) return (dpn_estimate){1, dpn_two(0), 0};
    return dpn_tail_estimate(profile, dpn_two_sum(support, -profile->sensitivity));
}

/* g(t) (1 - e^(epsilon - L(t))), g divided by its value at the point `start`. */
struct integrand {
    const dpn_profile *profile;
    double epsilon, start;
};

static double integrand_at(const void *context, double t) {
    const struct integrand *at = context;
    const dpn_profile *profile = at->profile;
    const dpn_law *law = &profile->law;
    if (fabs(t) > dpn_law_support(law)) return 0;
    dpn_twofold here = dpn_two(t), fall = dpn_psi_difference(law, profile->form, dpn_two(at->start), here);
    dpn_twofold loss = dpn_psi_difference(law, profile->form, here, dpn_two_sum(t, profile->sensitivity));
    double excess = dpn_two_subtract(loss, dpn_two(at->epsilon)).hi;
    return excess > 0 ? dpn_two_exp_minus(fall) * -expm1(-excess) : 0;
}

/* The points where psi(t) or psi(t + D) bends, as far as they are known; on the integers both neighbours of each. Those
 * that are not known cost halvings. */
enum { BENDS = 8 * DPN_PIECES };

static int bends(const dpn_profile *profile, double *bend) {
    dpn_pieces psi;
    if (!dpn_law_pieces(&psi, &profile->law)) psi = (dpn_pieces){.count = 1}; /* the centre alone */
    double d = profile->sensitivity;
    int count = 0;
    for (size_t k = 0; k < psi.count; k++) {
        double from = psi.piece[k].from, at[] = {-from - d, from - d, -from, from};
        for (int i = 0; i < 4; i++) {
            bend[count++] = profile->law.family->integer ? floor(at[i]) : at[i];
            if (profile->law.family->integer) bend[count++] = ceil(at[i]);
        }
    }
    return count;
}

static double next_bend(const double *bend, int count, double after, double otherwise) {
    double next = otherwise;
    for (int i = 0; i < count; i++)
        if (bend[i] > after && bend[i] < next) next = bend[i];
    return next;
}

/* What is left from t >= 0 on: P(X > t), on the integers P(X >= t) for t > 0, divided by g where psi = reference. */
static double relative_tail(const dpn_law *law, double t, dpn_twofold reference) {
    dpn_tail tail = dpn_law_tail(law, law->family->integer && t > 0 ? t - 1 : t);
    return dpn_two_exp_scaled(tail.mantissa / law->constant[DPN_PDF0], dpn_two_subtract(tail.exponent, reference));
}

/* By how much the loss may be wrong, absolutely: beside a loss that hardly exceeds epsilon it counts. */
static double loss_rounding(const dpn_profile *profile, double epsilon, double t) {
    const dpn_law *law = &profile->law;
    if (profile->form && profile->form->psi_difference) return profile->form->difference_error * epsilon;
    if (dpn_psi_piecewise(law)) return DPN_PIECES_ERROR * epsilon;
    return DPN_PSI_ERROR * (1 + law->family->psi(law, t + profile->sensitivity).hi);
}

dpn_estimate dpn_positive_sum(const dpn_profile *profile, double epsilon, double first) {
    const dpn_law *law = &profile->law;
    bool integer = law->family->integer;
    double start = fmax(first, 0), bend[BENDS];
    if (integer && fabs(first) > EXACT) return at_most(dpn_tail_estimate(profile, dpn_two(first - 1)));
    struct integrand integrand = {profile, epsilon, start};
    dpn_summand summand = {integrand_at, &integrand, integer};
    dpn_twofold reference = law->family->psi(law, start);
    int count = bends(profile, bend);

    /* The hazard rate of a log-concave law does not fall: a stretch of two mean residual lives holds most of what is
     * left. A first try without halving tells the size of the sum. */
    double mass = relative_tail(law, start, reference), length = 2 * mass;
    if (integer) length = fmax(1, ceil(length));
    dpn_smooth_total rough = {0, 0, 1}, total = {0, 0, 4000};
    dpn_smooth_add(&rough, &summand, first, first + length, 0);
    double all = (first < 0 ? 2 : 1) * (integer && start == 0 ? mass + 1 : mass); /* at least P(X >= first)/g(start) */
    double rounding = loss_rounding(profile, epsilon, start) * all, goal = 1e-12 * rough.sum + rounding;
    for (double low = first; total.budget > 0;) {
        double high = next_bend(bend, count, low, low + length);
        if (!(high > low)) return at_most(dpn_tail_estimate(profile, dpn_two(integer ? first - 1 : first)));
        dpn_smooth_add(&total, &summand, low, high, goal);
        low = high;
        if (low >= 0 && relative_tail(law, low, reference) <= 1e-15 * total.sum) break;
    }
    if (total.budget <= 0) return at_most(dpn_tail_estimate(profile, dpn_two(integer ? first - 1 : first)));
    /* Where the doubt about the loss is as large as its excess, there may be none. */
    if (!(rounding < 0.5 * total.sum)) return at_most(dpn_tail_estimate(profile, dpn_two(integer ? first - 1 : first)));
    double error = total.error > 0 ? SMOOTH_SUM_ERROR + 10 * total.error / total.sum : PLAIN_SUM_ERROR;
    error += EXPONENT_ERROR * reference.hi + rounding / total.sum;
    return (dpn_estimate){law->constant[DPN_PDF0] * total.sum, reference, error};
}

/* Where the two densities are compared: t2 = t1 + D, and how far the loss psi(t2) - psi(t1) is above epsilon. */
struct threshold {
    dpn_twofold t1, excess;
    double t2;
};

static struct threshold threshold_at(const dpn_profile *profile, double epsilon, double t2) {
    dpn_twofold t1 = dpn_two_sum(t2, -profile->sensitivity);
    dpn_twofold loss = dpn_psi_difference(&profile->law, profile->form, t1, dpn_two(t2));
    return (struct threshold){t1, dpn_two_subtract(loss, dpn_two(epsilon)), t2};
}

/* P(X > t1) - e^epsilon P(X > t2), if enough of the first term is left. The exponents differ by the loss, which is
 * known better than either, and by what they have besides psi. */
static dpn_estimate difference(const dpn_profile *profile, double epsilon, struct threshold at) {
    const dpn_law *law = &profile->law;
    dpn_estimate first = dpn_tail_estimate(profile, at.t1), second = dpn_tail_estimate(profile, dpn_two(at.t2));
    if (!(second.mantissa > 0) || isinf(second.exponent.hi)) return first;
    dpn_twofold rounded = dpn_psi_difference(law, profile->form, at.t1, dpn_two(at.t1.hi));
    dpn_twofold own1 = dpn_two_subtract(first.exponent, law->family->psi(law, fabs(at.t1.hi)));
    dpn_twofold own2 = dpn_two_subtract(second.exponent, law->family->psi(law, fabs(at.t2)));
    dpn_twofold rise = dpn_two_add(dpn_two_subtract(at.excess, rounded), dpn_two_subtract(own2, own1));
    double ratio = second.mantissa / first.mantissa * dpn_two_exp_minus(rise), rest = 1 - ratio;
    double error = (tail_error(profile) * (1 + ratio) + loss_rounding(profile, epsilon, fabs(at.t1.hi)) * ratio) / rest;
    if (!(error < WORST_DIFFERENCE && rest > LEAST_DIFFERENCE)) return at_most(first);
    return (dpn_estimate){first.mantissa * rest, first.exponent, error + EXPONENT_ERROR * first.exponent.hi};
}

/* With first < 0 the term e^epsilon P(X > t2) is at most P(X >= |first|): at first the loss exceeds epsilon, so
 * e^epsilon g(first + D) < g(|first|), and from first + D >= |first| on a log-concave g falls no slower than from
 * |first| on. Where that is nothing, delta is P(X >= first). */
static bool all_but_certain(const dpn_profile *profile, double first) {
    return first < 0 && dpn_estimate_value(dpn_tail_estimate(profile, dpn_two(-first - 1))) < 1e-4 * TAIL_ERROR;
}

/* Where whole numbers are no longer exact. */
static dpn_estimate far_out(const dpn_profile *profile, double epsilon, double first) {
    dpn_estimate bound = dpn_tail_estimate(profile, dpn_two(first - 1));
    bound.error += 2e-4 * TAIL_ERROR;
    if (all_but_certain(profile, first)) return bound;
    return fabs(first) > EXACT ? at_most(bound) : dpn_positive_sum(profile, epsilon, first);
}

static dpn_estimate on_the_integers(const dpn_profile *profile, double epsilon) {
    double first = dpn_integer_threshold(profile, epsilon); /* the loss exceeds epsilon from here on */
    double t2 = first - 1 + profile->sensitivity;
    if (!isfinite(first)) return at_most(dpn_tail_estimate(profile, dpn_two(0x1p53)));
    if (fabs(first) > EXACT || t2 > EXACT) return far_out(profile, epsilon, first);
    dpn_estimate delta = difference(profile, epsilon, threshold_at(profile, epsilon, t2));
    return delta.error < INFINITY ? delta : dpn_positive_sum(profile, epsilon, first);
}

/* The first double t2 beyond the threshold, as far as the rounding of a large psi lets it be known. */
static struct threshold threshold_of(const dpn_profile *profile, double epsilon) {
    double centre = dpn_centre_by_bisection(profile, epsilon, false);
    struct threshold at = threshold_at(profile, epsilon, centre + 0.5 * profile->sensitivity);
    for (int i = 0; i < 4 && !(at.excess.hi > 0); i++) at = threshold_at(profile, epsilon, nextafter(at.t2, INFINITY));
    if (!(at.excess.hi > 0)) at.excess = dpn_two(0);
    return at;
}

/* delta is the largest value of P(X > t) - e^epsilon P(X > t + D) over t, with slope -g(t) (1 - e^(epsilon - L(t))).
 * So the distance of t2 to the threshold, `away` and a few doubles at most, costs little: this much, relative to delta. */
static double rounding_of(const dpn_law *law, struct threshold at, double away, dpn_estimate delta) {
    double log_ratio = dpn_law_log_pdf(law, at.t1.hi) - dpn_estimate_log(delta);
    return -exp(log_ratio) * (2 * away + 8 * (at.t2 - nextafter(at.t2, 0))) * expm1(-at.excess.hi);
}

/* *charged: what the distance to the threshold adds to the error. */
static dpn_estimate delta_from(const dpn_profile *profile, double epsilon, struct threshold at, double away,
                               double *charged) {
    dpn_estimate delta = difference(profile, epsilon, at);
    if (!(delta.error < INFINITY)) delta = dpn_positive_sum(profile, epsilon, at.t1.hi);
    *charged = delta.error < INFINITY ? rounding_of(&profile->law, at, away, delta) : INFINITY;
    delta.error += *charged;
    return delta;
}

/* A threshold that is not exact is taken if it adds no more than this. */
#define LITTLE 1e-14

static dpn_estimate on_the_line(const dpn_profile *profile, double epsilon) {
    double away, charged, centre = dpn_centre_beyond(profile, epsilon, &away);
    struct threshold at = threshold_at(profile, epsilon, centre + 0.5 * profile->sensitivity);
    if (isfinite(at.t2) && at.excess.hi > 0) {
        dpn_estimate delta = delta_from(profile, epsilon, at, away, &charged);
        if (charged <= LITTLE) return delta;
    }
    at = threshold_of(profile, epsilon);
    if (!isfinite(at.t2)) return at_most(dpn_tail_estimate(profile, dpn_two(0x1p53)));
    return delta_from(profile, epsilon, at, 0, &charged);
}

dpn_estimate dpn_generic_delta(const dpn_profile *profile, double epsilon) {
    double lower, upper;
    if (!dpn_law_is_log_concave(&profile->law)) return at_most((dpn_estimate){1, dpn_two(0), 0});
    dpn_profile_supremum(profile, &lower, &upper);
    if (epsilon >= upper) return (dpn_estimate){0, dpn_two(0), 0};
    if (epsilon > lower && isfinite(upper)) return at_most((dpn_estimate){-expm1(epsilon - upper), dpn_two(0), 0});
    return profile->law.family->integer ? on_the_integers(profile, epsilon) : on_the_line(profile, epsilon);
}
