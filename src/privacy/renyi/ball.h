/* Renyi divergences of independent noise over an l2 ball (docs/proofs/privacy/ball.md, section 2). */
#ifndef DPN_PRIVACY_RENYI_BALL_H
#define DPN_PRIVACY_RENYI_BALL_H

#include "privacy/sensitivity/norms.h"

#include <dpnoise/law.h>

/* An upper bound of the divergence of this order over all moves of at most norms->changed coordinates by at most
 * norms->linf each, and by norms->l2 in all, for log-concave noise that is the same on each. It exceeds the least such
 * bound that separates the coordinates, changed times the concave envelope of s -> D(sqrt s) at l2^2/changed, by about `close`
 * relatively, or, if that is less, by a few parts in 10^3, of a million coordinates one in 10^2. +inf if there is no finite one. The order was checked.
 * Errors   those of the divergences: DPN_EACCURACY, DPN_EUNSUPPORTED, DPN_ENOMEM. */
dpn_status dpn_renyi_ball_upper(double *out, const dpn_law *law, const dpn_norms *norms, double order, double close,
                                dpn_error *why);

/* What some of these moves reach: few coordinates that go far and equal shares of what is left for the others. */
double dpn_renyi_ball_lower(const dpn_law *law, const dpn_norms *norms, double order);

/* About as much, by two divergences: equal shares of the norm, or as few coordinates as may have it. It bounds nothing; +inf if there is none. */
double dpn_renyi_ball_guess(const dpn_law *law, const dpn_norms *norms, double order);

#endif
