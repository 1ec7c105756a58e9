/* Sums over the points of a privacy loss L that give its Renyi divergences.
 *
 * With theta = order - 1, M = E e^(theta L) and m as in loss/shape.h, the divergence is log(M)/theta, and
 *
 *     M - 1 = integral of (e^(theta L) - 1) (1 - e^(-(1+theta) L)) m(dL)  over L >= 0,
 *
 * whose integrand is positive: divided by theta it keeps all its digits for weak losses and for orders near 1, where
 * it becomes that of the Kullback-Leibler divergence. Where M is not near 1 its logarithm is taken from the sum of the
 * tilted masses themselves, which do not overflow in the unit e^top.
 */
#ifndef DPN_PRIVACY_RENYI_TILTED_H
#define DPN_PRIVACY_RENYI_TILTED_H

#include "base/twofold.h"

#include <stdbool.h>

typedef struct dpn_tilted {
    double theta;
    bool symmetric; /* points are L >= 0 and stand for -L too; else a point stands for itself alone */
    double top;
    dpn_twofold tilted, gain;        /* M in the unit e^top; (M - 1)/theta; both times `plain` below */
    double tilted_error, gain_error; /* what they may have lost by rounding, and what the caller adds */
} dpn_tilted;

/* A divergence known up to a factor between 1 - error and 1 + error. */
typedef struct dpn_growth {
    double value, error;
} dpn_growth;

/* theta >= 0. */
dpn_tilted dpn_tilted_begin(double theta, bool symmetric);

/* Add a point of mass weight * exp(log_mass); magnitude is the size of the numbers that log_mass was made of. */
void dpn_tilted_add(dpn_tilted *tilt, double loss, double log_mass, double weight, double magnitude);

/* What a point at L >= 0 of mass 1 adds to the gain of a symmetric loss. */
double dpn_tilted_gain(double theta, double loss);

/* The divergence; plain is the total of the masses m (1 + e^-L), known up to the relative error plain_error. */
dpn_growth dpn_tilted_divergence(const dpn_tilted *tilt, double plain, double plain_error);

/* log(M)/theta for M - 1 = theta gain > 0. */
double dpn_tilted_of_gain(double theta, double gain);

/* Below this value of M - 1, or of log M, the gain is used, else the logarithm. */
#define DPN_WEAK 1

#endif
