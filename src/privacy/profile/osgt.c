/* The profile of osgt(m,sigma). */
#include "privacy/profile/closed-forms.h"
#include "privacy/profile/offset-gaussian.h"

static void prepare(dpn_profile *profile) {
    dpn_offset_prepare(profile, profile->law.parameter[0], profile->law.parameter[1]);
}

static dpn_twofold psi_difference(const dpn_law *law, dpn_twofold from, dpn_twofold to) {
    return dpn_offset_difference(law->parameter[0], law->parameter[1], from, to);
}

const struct dpn_closed_form dpn_closed_osgt = {
    .family = &dpn_osgt,
    .prepare = prepare,
    .delta = dpn_offset_delta,
    .centre = dpn_offset_centre,
    .psi_difference = psi_difference,
    .difference_error = 0x1p-98,
};
