/* delta(epsilon) of one release: the choice between closed form and generic path, and the checks. */
#include "privacy/profile/profile.h"

#include "base/error.h"
#include "privacy/profile/closed-forms.h"
#include "privacy/profile/excess.h"
#include "privacy/profile/generic.h"
#include "privacy/profile/loss-at.h"
#include "privacy/profile/supremum.h"

#include <float.h>
#include <math.h>

/* Mantissas below this may have lost digits to underflow, and so may all that is made of a sensitivity that is less
 * than this part of the noise. */
#define LEAST_MANTISSA 1e-290

static const dpn_estimate nothing = {0, {0, 0}, 0}, everything = {1, {0, 0}, 0}, unknown = {1, {0, 0}, INFINITY};

void dpn_profile_prepare(dpn_profile *profile, const dpn_law *law, double sensitivity) {
    *profile = (dpn_profile){.law = *law, .sensitivity = sensitivity, .form = dpn_closed_form_of(law)};
    if (sensitivity > 0 && profile->form && profile->form->prepare) profile->form->prepare(profile);
}

/* As the formulas have it, for sensitivity > 0. */
static dpn_estimate by_formula(const dpn_profile *profile, double epsilon) {
    const struct dpn_closed_form *form = profile->form;
    if (isinf(epsilon))
        return form && form->at_infinity ? form->at_infinity(profile) : dpn_generic_at_infinity(profile);
    return form && form->delta ? form->delta(profile, epsilon) : dpn_generic_delta(profile, epsilon);
}

/* For epsilon >= 0. */
static dpn_estimate right_half(const dpn_profile *profile, double epsilon) {
    if (profile->sensitivity == 0) return nothing;
    dpn_estimate delta = by_formula(profile, epsilon);
    if (delta.error == 0) return delta;
    /* delta(epsilon) <= delta(0) = P(|X| < D/2) <= D pdf(0). */
    if (profile->sensitivity * profile->law.constant[DPN_PDF0] < LEAST_MANTISSA)
        return (dpn_estimate){LEAST_MANTISSA, dpn_two(0), INFINITY};
    if (!(delta.mantissa >= LEAST_MANTISSA)) {
        if (!(delta.mantissa >= 0)) return unknown;
        delta.mantissa = LEAST_MANTISSA;
        delta.error = INFINITY;
    }
    return delta;
}

dpn_estimate dpn_profile_at(const dpn_profile *profile, double epsilon) {
    if (epsilon >= 0) return right_half(profile, epsilon);
    if (isinf(epsilon)) return everything;
    /* delta(-e) = 1 - e^-e + e^-e delta(e): the pair is the mirror image of itself. */
    dpn_estimate mirror = right_half(profile, -epsilon);
    if (mirror.error == 0 && mirror.mantissa == 1) return everything;
    double below = -expm1(epsilon);
    double rest = dpn_two_exp_scaled(exp(epsilon) * mirror.mantissa, mirror.exponent), value = below + rest;
    /* An error counts as far as delta(e) does; a large one is one of the logarithm. */
    double error = fmin(mirror.error, 1) * rest;
    if (mirror.error > 1 && !isinf(mirror.error)) error = exp(dpn_estimate_log(mirror) + epsilon + mirror.error);
    return (dpn_estimate){value, dpn_two(0), error / value + 1e-14};
}

void dpn_profile_supremum(const dpn_profile *profile, double *lower, double *upper) {
    dpn_quotient q;
    bool known = dpn_loss_supremum(&q, &profile->law, profile->sensitivity);
    *upper = isinf(q.x) ? INFINITY : 0;
    *lower = known ? *upper : 0;
    if (q.x > 0 && q.y > 0 && isfinite(q.x)) dpn_quotient_bounds(lower, upper, q.x, q.g, q.y, q.h);
}

/* Where the centred loss exceeds epsilon, or is at least epsilon. The points at which it equals epsilon lie between the
 * centres of epsilon and, mirrored, of -epsilon. */
static dpn_twofold centre_of(const dpn_profile *profile, double epsilon, bool at_least) {
    dpn_twofold centre = dpn_profile_centre(profile, at_least ? -epsilon : epsilon);
    if (!at_least) return centre;
    centre = dpn_two_negate(centre);
    /* On the integers the mirror image of "more than" is "at least": one point more. */
    return profile->law.family->integer ? dpn_two_subtract(centre, dpn_two(1)) : centre;
}

/* P(X > t - D/2) and P(X > t + D/2) for the centre t. */
dpn_loss_tails dpn_profile_tails(const dpn_profile *profile, double epsilon, bool at_least) {
    if (profile->form && profile->form->tails) return profile->form->tails(profile, epsilon, at_least);
    if (!dpn_law_is_log_concave(&profile->law)) return (dpn_loss_tails){unknown, unknown};
    dpn_twofold half = dpn_two(0.5 * profile->sensitivity), centre = centre_of(profile, epsilon, at_least);
    return (dpn_loss_tails){dpn_tail_estimate(profile, dpn_two_subtract(centre, half)),
                            dpn_tail_estimate(profile, dpn_two_add(centre, half))};
}

dpn_estimate dpn_profile_tail(const dpn_profile *profile, double epsilon, bool at_least) {
    if (profile->form && profile->form->tails) return profile->form->tails(profile, epsilon, at_least).q;
    if (!dpn_law_is_log_concave(&profile->law)) return unknown;
    dpn_twofold half = dpn_two(0.5 * profile->sensitivity);
    return dpn_tail_estimate(profile, dpn_two_add(centre_of(profile, epsilon, at_least), half));
}

double dpn_estimate_value(dpn_estimate estimate) {
    return dpn_two_exp_scaled(estimate.mantissa, estimate.exponent);
}

double dpn_estimate_log(dpn_estimate estimate) {
    return (log(estimate.mantissa) - estimate.exponent.hi) - estimate.exponent.lo;
}

/* The value and its logarithm carry a few roundings of their own, below the smallest normal double a few of its
 * units. */
void dpn_estimate_log_interval(double *lower, double *upper, dpn_estimate estimate) {
    double log_value = dpn_estimate_log(estimate);
    if (isinf(estimate.error)) { /* a bound, up to rounding */
        *lower = -INFINITY;
        *upper = log_value == -INFINITY ? log_value : fmin(0, log_value + 1e-8 + 4 * DBL_EPSILON * fabs(log_value));
        return;
    }
    double width = estimate.error == 0 ? 0 : estimate.error + 4 * DBL_EPSILON;
    if (width < 0.5) width += width * width; /* -log(1 - width) <= width + width^2; a large one is a logarithm's */
    if (width > 0) width += 4 * DBL_EPSILON * fabs(log_value);
    *lower = log_value == -INFINITY ? log_value : log_value - width;
    *upper = log_value == -INFINITY ? log_value : fmin(0, log_value + width);
}

dpn_delta dpn_estimate_interval(dpn_estimate estimate) {
    dpn_delta delta;
    dpn_estimate_log_interval(&delta.log_lower, &delta.log_upper, estimate);
    double value = dpn_estimate_value(estimate), width = estimate.error + 4 * DBL_EPSILON;
    delta.lower = delta.upper = value;
    if (estimate.error == 0) return delta;
    double lower = value * (1 - width), upper = value * (1 + width) + (value > 0 ? 4 : 1) * DBL_TRUE_MIN;
    delta.lower = lower > DBL_MIN ? lower : 0;
    delta.upper = fmin(1, upper);
    return delta;
}

bool dpn_estimate_usable(dpn_estimate estimate) {
    if (estimate.error == 0) return true;
    return estimate.error < DPN_PROFILE_ACCURACY + 64 * DBL_EPSILON * fabs(dpn_estimate_log(estimate));
}

dpn_status dpn_profile_check(const dpn_law *law, double sensitivity, dpn_error *why) {
    if (!law) return dpn_fail(why, DPN_EDOMAIN, "the law is missing");
    if (!(sensitivity >= 0 && isfinite(sensitivity)))
        return dpn_fail(why, DPN_EDOMAIN, "sensitivity must be a finite number, 0 or more");
    if (dpn_law_is_integer(law) && sensitivity != floor(sensitivity))
        return dpn_fail(why, DPN_EDOMAIN, "sensitivity must be a whole number for noise on the integers");
    return DPN_OK;
}

dpn_status dpn_profile_out_of_reach(double epsilon, dpn_error *why) {
    return dpn_fail(why, DPN_EACCURACY, "delta(%g) cannot be computed to one part in a million here", epsilon);
}

dpn_status dpn_profile_delta(dpn_delta *out, const dpn_law *law, double sensitivity, double epsilon, dpn_error *why) {
    dpn_status status = dpn_profile_check(law, sensitivity, why);
    if (status) return status;
    if (isnan(epsilon)) return dpn_fail(why, DPN_EDOMAIN, "epsilon must be a number");
    dpn_profile profile;
    dpn_profile_prepare(&profile, law, sensitivity);
    dpn_estimate delta = dpn_profile_at(&profile, epsilon);
    if (!dpn_estimate_usable(delta)) return dpn_profile_out_of_reach(epsilon, why);
    *out = dpn_estimate_interval(delta);
    return DPN_OK;
}
