/* Profiles in closed form, one row per family that has one. A family without a row is served by the generic path
 * (generic.c, integer.c); the tests hold the two against each other.
 */
#ifndef DPN_PRIVACY_CLOSED_FORMS_H
#define DPN_PRIVACY_CLOSED_FORMS_H

#include "privacy/profile/profile.h"

/* Every member but family is optional: NULL asks for the generic way. They are called for sensitivity > 0 and finite
 * epsilon or nu. docs/proofs/privacy/one-dimension.md derives the formulas and says what their errors rest on. */
struct dpn_closed_form {
    const struct dpn_family *family;

    /* Fill in profile->constant. */
    void (*prepare)(dpn_profile *profile);

    /* delta(epsilon) for epsilon >= 0. */
    dpn_estimate (*delta)(const dpn_profile *profile, double epsilon);

    /* The mass of infinite loss, delta(+inf). */
    dpn_estimate (*at_infinity)(const dpn_profile *profile);

    /* sup{t : centred loss at t <= nu} for any nu, log-concave laws; +-inf where the loss stays below or above nu. */
    dpn_twofold (*centre)(const dpn_profile *profile, double nu);

    /* As dpn_profile_tails; NULL: from the centre. */
    dpn_loss_tails (*tails)(const dpn_profile *profile, double epsilon, bool at_least);

    /* psi(to) - psi(from), where the family's psi alone would not keep the digits of a small difference, and a bound
     * of its relative error. */
    dpn_twofold (*psi_difference)(const dpn_law *law, dpn_twofold from, dpn_twofold to);
    double difference_error;

    /* What the law's tail may err, relative; 0: as little as that of most laws (generic.c). */
    double tail_error;

    /* The losses are known to have no bound, though the family's row has no pieces that say so. */
    bool unbounded;

    /* Most values of the profile are integrals: compositions rather use the contour sum at length. */
    bool slow;
};

/* The members delta and centre of laplace(scale), which is a case of other families. */
dpn_estimate dpn_laplace_delta(double sensitivity, double scale, double epsilon);
dpn_twofold dpn_laplace_centre(double sensitivity, double scale, double nu);

/* The row of a family, NULL if it has none. */
const struct dpn_closed_form *dpn_closed_form_of(const dpn_law *law);

#endif
