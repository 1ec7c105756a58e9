/* The loss of spherical noise (docs/proofs/privacy/spherical.md). */
#ifndef DPN_PRIVACY_LOSS_SPHERICAL_H
#define DPN_PRIVACY_LOSS_SPHERICAL_H

#include "privacy/loss/loss.h"

/* epsilon is alpha, sensitivity beta, count the dimension; total is the logarithm of the integral over all losses, and law.constant[0] a bound of its
 * error. */
extern const struct dpn_loss_kind dpn_loss_kind_spherical;

#endif
