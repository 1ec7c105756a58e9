/* The functions of the flipped Huber papers that bound its privacy loss by an affine function. */
#ifndef DPN_PRIVACY_RENYI_FLIPPED_HUBER_H
#define DPN_PRIVACY_RENYI_FLIPPED_HUBER_H

/* R_D(alpha) = alpha^2 - [alpha - D]_+^2 for D > 0, alpha >= 0 (FH (18)): the loss of flipped Huber noise at a shift d
 * is at most (t d + d^2/2 + R_|d|(alpha)/2)/gamma^2. Increasing in both. */
double dpn_fh_r(double sensitivity, double alpha);

/* The alpha with R_D(alpha) = nu >= 0 (FH (21)). */
double dpn_fh_r_inverse(double sensitivity, double nu);

/* theta = gamma Q^-1(sqrt(pi/2)/omega) >= 0 (FH (22)): flipped Huber noise is stochastically below N(theta, gamma^2).
 * Accuracy measured: relative error below 1e-12, also for small alpha/gamma, where theta ~ (alpha/gamma)^3 gamma/6. */
double dpn_fh_theta(double alpha, double gamma);

#endif
