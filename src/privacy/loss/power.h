/* The segments of a loss whose noise has psi(s) = weight |s|^p, p > 1, s in units of the sensitivity.
 *
 * The half s >= -1/2 (loss/shape.h) is two segments, both measured from the point s = 0 where psi is not analytic:
 *
 *     side -1:  noise -s, 0 <= s <= 1/2,   L = psi(1 - s) - psi(s), which decreases with s;
 *     side  1:  noise  s, 0 <= s,          L = psi(1 + s) - psi(s), which increases with s.
 *
 * psi(s) is called the near one, psi(1 + side s) the far one. The log density is -psi(s), and tilted by kappa it is
 * q(s) = kappa far - (1 + kappa) near.
 */
#ifndef DPN_PRIVACY_LOSS_POWER_H
#define DPN_PRIVACY_LOSS_POWER_H

#include "privacy/loss/shape.h"

/* Accuracy bounded: the relative error of psi and of L is at most 20 units of rounding (docs/proofs/privacy/contour.md,
 * section 6). */
double dpn_power_psi(const dpn_power *power, double s);
double dpn_power_loss(const dpn_power *power, double s);

/* |dL/ds|. */
double dpn_power_loss_slope(const dpn_power *power, double s);

/* q and dq/ds. */
double dpn_power_tilted(const dpn_power *power, double kappa, double s);
double dpn_power_tilted_slope(const dpn_power *power, double kappa, double s);

/* Where q is largest on [a, b]: it has one local maximum. b is +inf for side 1 only, and kappa at least 0 then. */
double dpn_power_top(const dpn_power *power, double kappa, double a, double b);

/* For side 1 and kappa >= 0: a point beyond which the integral of exp(q) is at most exp(*log_mass), itself at most
 * exp(log_goal). +inf, and *log_mass not set, if there is none among numbers of a reasonable size. */
double dpn_power_cut(const dpn_power *power, double kappa, double log_goal, double *log_mass);

#endif
