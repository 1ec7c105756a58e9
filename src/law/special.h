/* Special functions that the laws share. M is the Mills ratio M(x) = Q(x)/phi(x) of the standard normal law with
 * density phi and upper tail Q (mills.c). Accuracy: measured, tests/unit/law/t-special.c.
 */
#ifndef DPN_LAW_SPECIAL_H
#define DPN_LAW_SPECIAL_H

#include "base/twofold.h"

#define DPN_SQRT_2PI 2.506628274631000502415765284811045253
#define DPN_LOG_SQRT_2PI 0.918938533204672741780329736405617640
#define DPN_SQRT_PI_2 1.253314137315500251207882642405522627
#define DPN_SQRT_1_2 0.707106781186547524400844362104849039

/* M(x) = sqrt(pi/2) erfcx(x/sqrt 2) for any x, positive and decreasing; +inf below about -37.6. */
double dpn_mills(double x);

/* With I_n(x) = int_0^inf u^n exp(-u^2/2 - x u) du, so that I_0 = M: for x >= 0
 * dpn_mills_gap(x) = I_1 = 1 - x M(x), positive, 1 at 0, like 1/x^2 at infinity;
 * dpn_mills_mean(x) = I_1/I_0 = 1/M(x) - x, positive, like 1/x at infinity;
 * dpn_mills_square(x) = I_2/I_0 = 1 - x (1/M(x) - x), positive, like 2/x^2 at infinity. */
double dpn_mills_gap(double x);
double dpn_mills_mean(double x);
double dpn_mills_square(double x);

/* Q(x) and log Q(x) for any x. */
double dpn_q(double x);
double dpn_log_q(double x);

/* The x >= 0 with Q(x) = p for 0 < p <= 1/2, and with log Q(x) = l for l <= log(1/2). Near log(1/2) the accuracy of the
 * second is absolute. */
double dpn_q_inverse(double p);
double dpn_log_q_inverse(double l);

/* The x >= 0 with Q(0) - Q(x) = mass, 0 <= mass < 1/2: exact near 0, where dpn_q_inverse would cancel. */
double dpn_q_central_inverse(double mass);

/* 1 - e^-y (1 + y) and 1 - e^-y (1 + y + y^2/2) for y >= 0: the regularised incomplete gamma functions P(2,y) and
 * P(3,y). */
double dpn_gamma_p2(double y);
double dpn_gamma_p3(double y);

/* (1 - exp(-x))/x for any x, 1 at 0. */
double dpn_exprel_minus(double x);

/* (x - 1 + exp(-x))/x^2 for x >= 0, 1/2 at 0. */
double dpn_exprel2_minus(double x);

#endif
