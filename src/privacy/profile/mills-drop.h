/* Differences of the Mills ratio M (law/special.h): what the profiles of laws with Gaussian tails are made of. */
#ifndef DPN_PRIVACY_MILLS_DROP_H
#define DPN_PRIVACY_MILLS_DROP_H

/* M(y) - M(y + a) for y, a >= 0: positive, and without cancellation for the smallest a. */
double dpn_mills_drop(double y, double a);

/* -M'(x) = 1 - x M(x) for x >= 0: dpn_mills_gap in the time of one polynomial. */
double dpn_mills_slope(double x);

#endif
