/* The profile of one law at one sensitivity, prepared once and asked at many epsilons. Nothing here checks its
 * arguments: dpnoise/privacy.h does, and the engines that compose losses know what they ask.
 */
#ifndef DPN_PRIVACY_PROFILE_H
#define DPN_PRIVACY_PROFILE_H

#include <dpnoise/privacy.h>

#include "law/family.h"

/* A value mantissa * exp(-exponent), known up to a factor between 1 - error and 1 + error; exact if error is 0, and
 * only a bound from above, up to rounding, if error is infinite. */
typedef struct dpn_estimate {
    double mantissa;
    dpn_twofold exponent;
    double error;
} dpn_estimate;

/* Whether it is known well enough to be shown: to DPN_PROFILE_ACCURACY, and in a logarithm of large size to a few of
 * its ulps. */
bool dpn_estimate_usable(dpn_estimate estimate);
#define DPN_PROFILE_ACCURACY 4e-7

/* Probabilities of an event under P and under Q. */
typedef struct dpn_loss_tails {
    dpn_estimate p, q;
} dpn_loss_tails;

enum { DPN_PROFILE_CONSTANTS = 16 };

typedef struct dpn_profile {
    dpn_law law;
    double sensitivity;
    const struct dpn_closed_form *form;     /* NULL: the generic path */
    double constant[DPN_PROFILE_CONSTANTS]; /* what the closed form computes once */
} dpn_profile;

/* What the public functions refuse: a sensitivity that is negative, infinite, NaN, or on the integers not whole. */
dpn_status dpn_profile_check(const dpn_law *law, double sensitivity, dpn_error *why);

/* The failure of those that meet an estimate without accuracy at this epsilon. */
dpn_status dpn_profile_out_of_reach(double epsilon, dpn_error *why);

void dpn_profile_prepare(dpn_profile *profile, const dpn_law *law, double sensitivity);

/* delta(epsilon) for any epsilon but NaN. */
dpn_estimate dpn_profile_at(const dpn_profile *profile, double epsilon);

/* P(L > epsilon) and Q(L > epsilon), or with at_least P(L >= epsilon) and Q(L >= epsilon), for the loss L = log
 * dP/dQ, P the law and Q the law moved by the sensitivity; sensitivity > 0, epsilon finite. -Q(L > epsilon) and -Q(L
 * >= epsilon) are the slopes of delta, as a function of e^epsilon, to the right and to the left. */
dpn_loss_tails dpn_profile_tails(const dpn_profile *profile, double epsilon, bool at_least);

/* The second of them alone. */
dpn_estimate dpn_profile_tail(const dpn_profile *profile, double epsilon, bool at_least);

/* Doubles around the least upper bound of the finite losses, equal if it is a double; +inf if there is none, and 0 and +inf
 * if it is not known. sensitivity > 0. */
void dpn_profile_supremum(const dpn_profile *profile, double *lower, double *upper);

/* The interval that an estimate stands for, as dpnoise/privacy.h shows it. */
dpn_delta dpn_estimate_interval(dpn_estimate estimate);
void dpn_estimate_log_interval(double *lower, double *upper, dpn_estimate estimate);
double dpn_estimate_value(dpn_estimate estimate);
double dpn_estimate_log(dpn_estimate estimate);

#endif
