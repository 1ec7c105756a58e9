/* The least value of a function of one variable, by golden sections. */
#ifndef DPN_CALIBRATE_GOLDEN_H
#define DPN_CALIBRATE_GOLDEN_H

/* Look at f(context, x) at `looks` >= 2 places between low and high, the later ones around the least so far; return the place
 * with the least value. If f has one dip in the interval, the place is within 1.7 * 0.618^looks of its width from the bottom. */
double dpn_golden(double (*f)(void *context, double x), void *context, double low, double high, int looks);

#endif
