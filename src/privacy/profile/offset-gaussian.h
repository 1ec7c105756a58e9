/* The profile of osgt(m,sigma), of which gaussian(sigma) is the case m = 0: members of a closed form. */
#ifndef DPN_PRIVACY_OFFSET_GAUSSIAN_H
#define DPN_PRIVACY_OFFSET_GAUSSIAN_H

#include "privacy/profile/profile.h"

void dpn_offset_prepare(dpn_profile *profile, double m, double sigma);
dpn_estimate dpn_offset_delta(const dpn_profile *profile, double epsilon);
dpn_twofold dpn_offset_centre(const dpn_profile *profile, double nu);
dpn_twofold dpn_offset_difference(double m, double sigma, dpn_twofold from, dpn_twofold to);

#endif
