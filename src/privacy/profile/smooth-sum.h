/* Integrals of positive functions, and sums over many whole numbers as if they were integrals. */
#ifndef DPN_PRIVACY_SMOOTH_SUM_H
#define DPN_PRIVACY_SMOOTH_SUM_H

#include <stdbool.h>

/* f, smooth but at a few points, which are found by halving. */
typedef struct dpn_summand {
    double (*f)(const void *context, double x);
    const void *context;
    bool whole; /* sum over the whole numbers low <= x < high, both ends whole; else integrate from low to high */
} dpn_summand;

/* A running sum with a bound of its error and the number of stretches that may still be tried. */
typedef struct dpn_smooth_total {
    double sum, error;
    int budget;
} dpn_smooth_total;

/* Add the sum (integral) over a stretch, low <= high. Parts are halved until the two values that the last extrapolation
 * combines agree to `goal`, absolute, or to rounding, or the budget is spent; their differences go to the error. */
void dpn_smooth_add(dpn_smooth_total *total, const dpn_summand *summand, double low, double high, double goal);

#endif
