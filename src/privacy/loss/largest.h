/* The largest finite loss of a composition, where it has one: from there on delta is the mass at infinity. */
#ifndef DPN_PRIVACY_LARGEST_H
#define DPN_PRIVACY_LARGEST_H

#include "base/twofold.h"
#include "privacy/loss/loss.h"

#include <stdbool.h>

/* The sum of the largest finite losses of all parts, to a relative 2^-90; +inf if a loss is unbounded. If reversed,
 * of the losses with P and Q exchanged. */
dpn_twofold dpn_largest_loss(const dpn_part *part, size_t parts, bool reversed);

/* Whether epsilon >= 0 is at or above it, so that delta is the mass at infinity. The answer is exact if the
 * composition has one distinct loss. Otherwise it is also true within a relative 2^-88 below it, where the finite
 * losses add less than *slack to delta; *slack is 0 elsewhere. */
bool dpn_largest_reached(const dpn_part *part, size_t parts, bool reversed, double epsilon, double *slack);

#endif
