/* The error of Gauss-Legendre rules on one panel [c - h, c + h] of a segment, bounded on ellipses around it.
 *
 * The rule with N points errs by at most (64/15) h B rho^(-2N)/(1 - rho^-2) if |integrand| <= B on the ellipse with
 * foci at the ends of the panel and semi-axes (rho + 1/rho)/2, (rho - 1/rho)/2 in units of h; the least over a few rho
 * is taken. docs/proofs/privacy/contour.md, section 4, proves all of it.
 */
#ifndef DPN_PRIVACY_LOSS_ELLIPSE_H
#define DPN_PRIVACY_LOSS_ELLIPSE_H

#include "privacy/loss/gauss-legendre.h"
#include "privacy/loss/shape.h"

enum { DPN_ELLIPSES = 9 };

/* A segment seen from a panel: quadratics in x = (s - c)/h, and on each ellipse bounds of what the log density and the
 * loss differ from them by, +inf where they are not analytic. A segment that is quadratic differs by nothing. */
typedef struct dpn_panel {
    double half; /* h */
    dpn_quadratic log_density, loss;
    double density_rest[DPN_ELLIPSES], loss_rest[DPN_ELLIPSES];
    double dropped; /* psi(s) was left out of the above, and is at most this on the panel */
} dpn_panel;

dpn_panel dpn_panel_make(const dpn_segment *segment, double from, double to);

/* Bounds of the error for exp(log_density + kappa loss) e^(i w loss), |w| <= omega, by rule. */
typedef struct dpn_panel_errors {
    double log_bound[DPN_GAUSS_RULES];
} dpn_panel_errors;
dpn_panel_errors dpn_panel_error(const dpn_panel *panel, double kappa, double omega);

#endif
