/* The loss of a release from a Poisson sample, in the direction of adding or of removing a person.
 *
 * The release has the pair (P, Q) if the person's record counts; it counts with probability q. With x = e^epsilon and H
 * the profile of (P, Q), which is symmetric,
 *
 *     person present against absent   (qP + (1-q)Q, Q):  q H(1 + (x-1)/q)                     and 1 - x for x <= 1-q,
 *     absent against present          (Q, qP + (1-q)Q):  a H(qx/a), a = 1 - (1-q)x,           and 0 for x >= 1/(1-q).
 */
#ifndef DPN_PRIVACY_SAMPLED_H
#define DPN_PRIVACY_SAMPLED_H

#include "privacy/sampling/base.h"

typedef struct dpn_sampled {
    const dpn_base *base;
    double rate;
} dpn_sampled;

/* The view refers to *sampled, 0 < rate <= 1. */
dpn_loss_view dpn_sampled_present(const dpn_sampled *sampled);
dpn_loss_view dpn_sampled_absent(const dpn_sampled *sampled);

/* An interval of log(1 + (x-1)/q), x = e^nu, nu finite; -inf where that is not positive. */
void dpn_sampled_argument(double *low, double *high, double q, double nu);

/* log(1 - q + q e^loss), up to 16 units of rounding. */
double dpn_sampled_loss(double q, double loss);

/* log(1 - q + q e^loss), rounded away from 0 by more than all roundings of a sum of 64 of them. */
double dpn_sampled_loss_away(double q, double loss);

#endif
