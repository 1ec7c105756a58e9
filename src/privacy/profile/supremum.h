/* The least upper bound of the finite losses of a law at a shift. */
#ifndef DPN_PRIVACY_SUPREMUM_H
#define DPN_PRIVACY_SUPREMUM_H

#include "law/facts.h"

/* (x/g)(y/h), exactly. */
typedef struct dpn_quotient {
    double x, g, y, h;
} dpn_quotient;

/* The least upper bound at a shift > 0, of bounded noise on the whole numbers rounded up by 1e-12 of it; x is +inf if there is none. Returns false, and +inf, if the family does not
 * tell: it has neither pieces nor stairs nor a slope. */
bool dpn_loss_supremum(dpn_quotient *out, const dpn_law *law, double shift);

#endif
