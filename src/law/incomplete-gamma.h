/* The incomplete gamma functions of order 0 < a <= 1, scaled so that they neither overflow nor underflow:
 *
 *   lower(a,z) = int_0^z x^(a-1) e^-x dx,   upper(a,z) = int_z^inf x^(a-1) e^-x dx,   lower + upper = Gamma(a).
 *
 * Three forms share the work. Below DPN_GAMMA_SERIES_TO the lower function has a short series, from 1 on the upper one
 * has a short continued fraction, and below 1 the upper one keeps its digits also where a is small and the lower one
 * takes nearly all of Gamma(a). Accuracy: measured, tests/unit/law/t-incomplete-gamma.c.
 */
#ifndef DPN_LAW_INCOMPLETE_GAMMA_H
#define DPN_LAW_INCOMPLETE_GAMMA_H

/* a z^-a e^z lower(a,z) = 1 + z/(a+1) + z^2/(a+1)(a+2) + ..., for 0 <= z <= DPN_GAMMA_SERIES_TO. */
#define DPN_GAMMA_SERIES_TO 2.25
double dpn_gamma_lower_scaled(double a, double z);

/* z^-a e^z upper(a,z), for 1 <= z <= 1e20; like 1/z at infinity, and 1/z for a = 1. */
double dpn_gamma_upper_scaled(double a, double z);

/* (Gamma(1+a) - 1)/a, which is -0.577... at a = 0. */
double dpn_gamma_excess(double a);

/* upper(a,z) for 0 < z <= 1. The caller gives the excess above and the logarithm of z^a, which may be known better than
 * z is. */
double dpn_gamma_upper_below_one(double a, double z, double log_power, double excess);

#endif
