/* Privacy losses to twice the precision, at points that are twofold numbers. */
#ifndef DPN_PRIVACY_LOSS_AT_H
#define DPN_PRIVACY_LOSS_AT_H

#include "law/facts.h"
#include "privacy/profile/profile.h"

/* psi(to) - psi(from): +-inf where one density vanishes, NaN where both do. form is the row of the law's family. */
dpn_twofold dpn_psi_difference(const dpn_law *law, const struct dpn_closed_form *form, dpn_twofold from,
                               dpn_twofold to);

/* Whether it comes from the pieces of psi, without end of the support: then its relative error is at most DPN_PIECES_ERROR,
 * a thousand times that of a twofold operation.
 * Without them, and without a closed form, that of psi itself is taken to be at most DPN_PSI_ERROR: a few ulps of a double. */
bool dpn_psi_piecewise(const dpn_law *law);
#define DPN_PIECES_ERROR 0x1p-94
#define DPN_PSI_ERROR 0x1p-48

/* The largest double t with centred loss <= nu, or, if strict, the least with centred loss >= nu, for a log-concave
 * continuous law, sensitivity > 0 and nu >= 0; +inf if there is none below 1e300. */
double dpn_centre_by_bisection(const dpn_profile *profile, double nu, bool strict);

/* A point beyond the largest t with centred loss <= nu, or that point, by at most *away, about 2^-44 of itself: for a third fewer
 * losses. */
double dpn_centre_beyond(const dpn_profile *profile, double nu, double *away);

/* sup{t : centred loss at t <= nu} for any log-concave law and finite nu: by bisection, and from the closed form if
 * there is one. */
dpn_twofold dpn_generic_centre(const dpn_profile *profile, double nu);
dpn_twofold dpn_profile_centre(const dpn_profile *profile, double nu);

#endif
