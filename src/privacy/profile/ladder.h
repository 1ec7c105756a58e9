/* Sums over the rungs of a geometric law whose loss falls by two steps from rung to rung. */
#ifndef DPN_PRIVACY_LADDER_H
#define DPN_PRIVACY_LADDER_H

#include <math.h>

/* sum over k = 1 ... rungs of e^(-k rate) (1 - e^(-rest - 2 (rungs-k) rate)) for rate, rest > 0 and whole rungs >= 0.
 * With q = e^-rate this is (1 - q^rungs)/(1 - q) [q - q^rungs + q^rungs (1 - e^-rest)]: no term cancels. */
static inline double dpn_ladder(double rate, double rungs, double rest) {
    if (!(rungs >= 1)) return 0;
    double climb = expm1(-rungs * rate) / expm1(-rate);
    return climb * (-exp(-rate) * expm1(-(rungs - 1) * rate) - exp(-rungs * rate) * expm1(-rest));
}

#endif
