/* How far epsilon is above a quotient at which a profile changes its form. */
#ifndef DPN_PRIVACY_EXCESS_H
#define DPN_PRIVACY_EXCESS_H

#include "base/twofold.h"

/* epsilon - (x/g)(y/h) for epsilon >= 0 and x, y, g, h > 0. The sign is exact, and so is 0; the relative error is below
 * 2^-60 however much cancels, unless the answer is below 1e-250 or so. (Where the quotient exceeds the largest double
 * the answer is -inf.) */
dpn_twofold dpn_excess(double epsilon, double x, double g, double y, double h);

/* The largest double at most (x/g)(y/h) and the least double at least it. */
void dpn_quotient_bounds(double *lower, double *upper, double x, double g, double y, double h);

#endif
