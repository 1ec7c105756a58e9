/* The profile of gaussian(sigma). */
#include "privacy/profile/closed-forms.h"
#include "privacy/profile/offset-gaussian.h"

static void prepare(dpn_profile *profile) {
    dpn_offset_prepare(profile, 0, profile->law.parameter[0]);
}

static dpn_twofold psi_difference(const dpn_law *law, dpn_twofold from, dpn_twofold to) {
    return dpn_offset_difference(0, law->parameter[0], from, to);
}

const struct dpn_closed_form dpn_closed_gaussian = {
    .family = &dpn_gaussian,
    .prepare = prepare,
    .delta = dpn_offset_delta,
    .centre = dpn_offset_centre,
    .psi_difference = psi_difference,
    .difference_error = 0x1p-98,
};
