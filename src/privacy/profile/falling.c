/* The profile of noise on the integers at epsilons that fall. */
#include "privacy/profile/falling.h"

#include "privacy/profile/closed-forms.h"
#include "privacy/profile/generic.h"
#include "privacy/profile/integer.h"
#include "privacy/profile/loss-at.h"

#include <float.h>
#include <math.h>

/* A step adds at most STEP_ERROR (1 + d), some roundings of exp, expm1, products and sums; this many steps 3e-12. */
#define STEP_ERROR (8 * DBL_EPSILON)
enum { STEPS = 2000, MOST_TERMS = 64 };

/* Of terms that are added one by one, and of an exponent that is rounded to one double: as generic.c has them. */
#define TERM_ERROR 1e-11
#define EXPONENT_ERROR (16 * DBL_EPSILON)

/* Thresholds beyond are left to dpn_profile_at. Sums of whole numbers up to here are exact. */
#define EXACT 0x1p50

bool dpn_falling_serves(const dpn_profile *profile) {
    const dpn_law *law = &profile->law;
    return law->family->integer && !(profile->form && profile->form->delta) && dpn_psi_piecewise(law) &&
           dpn_law_is_log_concave(law) && isinf(dpn_law_support(law)) && profile->sensitivity < EXACT;
}

/* The value in units of e^-exponent. */
static double in_units(double mantissa, dpn_twofold own, dpn_twofold exponent) {
    return dpn_two_exp_scaled(mantissa, dpn_two_subtract(own, exponent));
}

/* By how much a loss near epsilon may be wrong, absolutely. Of a larger one what exceeds epsilon errs relative to itself. */
static double loss_rounding(double epsilon) {
    return 4 * DPN_PIECES_ERROR * fabs(epsilon);
}

/* With the rounding of all losses from the threshold on. */
static dpn_estimate rounded(const dpn_falling *d) {
    dpn_estimate delta = d->delta;
    double mass = in_units(d->tail.mantissa, d->tail.exponent, delta.exponent);
    delta.error += loss_rounding(d->epsilon) * mass / delta.mantissa;
    return delta;
}

static dpn_twofold loss_at(const dpn_profile *profile, double k) {
    dpn_twofold to = dpn_two_sum(k, profile->sensitivity);
    return dpn_psi_difference(&profile->law, profile->form, dpn_two(k), to);
}

static void move_to(dpn_falling *d, double first) {
    d->first = first;
    d->below = loss_at(d->profile, first - 1);
    d->tail = dpn_tail_estimate(d->profile, dpn_two(first - 1));
}

static dpn_estimate begin(dpn_falling *d, double epsilon) {
    dpn_estimate delta = dpn_profile_at(d->profile, epsilon);
    d->left = 0;
    if (!(delta.error < 1e-6 && delta.mantissa > 0)) return delta;
    double first = dpn_integer_threshold(d->profile, epsilon);
    if (!(fabs(first) < EXACT)) return delta;
    move_to(d, first);
    d->epsilon = epsilon;
    d->delta = delta;
    d->left = STEPS;
    return delta;
}

/* The terms between the threshold of last and the one of epsilon, *first, in units of e^-exponent; *error is raised to theirs.
 * False if there are too many, or if rounding hides on which side of epsilon a loss is. */
static bool add_terms(double *sum, double *error, double *first, const dpn_falling *last, double epsilon) {
    const dpn_law *law = &last->profile->law;
    dpn_twofold loss = last->below;
    double doubt = loss_rounding(epsilon);
    for (int terms = 0; terms < MOST_TERMS; terms++) {
        double k = *first - 1, excess = dpn_two_subtract(loss, dpn_two(epsilon)).hi;
        if (excess < -doubt) return true;
        if (!(excess > doubt)) return false;
        dpn_twofold psi = law->family->psi(law, fabs(k));
        *sum += in_units(law->constant[DPN_PDF0], psi, last->delta.exponent) * -expm1(-excess);
        *error = fmax(*error, TERM_ERROR + EXPONENT_ERROR * psi.hi);
        *first = k;
        loss = loss_at(last->profile, k - 1);
    }
    return false;
}

dpn_estimate dpn_falling_at(dpn_falling *d, double epsilon) {
    double down = d->epsilon - epsilon, first = d->first, terms = 0, error = fmax(d->delta.error, d->tail.error);
    dpn_twofold exponent = d->delta.exponent;
    if (d->left <= 0 || !(down >= 0 && down < 1) || !add_terms(&terms, &error, &first, d, epsilon))
        return begin(d, epsilon);
    double mass = in_units(d->tail.mantissa, d->tail.exponent, exponent);
    double sum = exp(-down) * d->delta.mantissa - expm1(-down) * mass + terms;
    if (!(sum < 1e200)) return begin(d, epsilon);
    if (first < d->first) move_to(d, first);
    d->delta = (dpn_estimate){sum, exponent, error + STEP_ERROR};
    d->epsilon = epsilon;
    d->left--;
    return rounded(d);
}
