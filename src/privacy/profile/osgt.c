/* The profile of osgt(m,sigma). */
#include "privacy/profile/closed-forms.h"
#include "privacy/profile/offset-gaussian.h"

static void prepare(dpn_profile *profile) {
    dpn_offset_prepare(profile, profile->law.parameter[0], profile->law.parameter[1]);
}

const struct dpn_closed_form dpn_closed_osgt = {
    .family = "osgt",
    .prepare = prepare,
    .delta = dpn_offset_delta,
    .centre = dpn_offset_centre,
};
