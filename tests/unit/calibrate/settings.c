/* What the tests of calibration share. */
#include "settings.h"

#include <math.h>
#include <string.h>

double uniform(uint64_t *seed) {
    *seed = *seed * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
    return (double)(*seed >> 11) * 0x1p-53;
}

double error_of_law(const dpn_law *law, dpn_objective objective) {
    if (objective == DPN_OBJECTIVE_MSE) return dpn_law_variance(law);
    return objective == DPN_OBJECTIVE_MAE ? dpn_law_mean_abs(law) : dpn_law_isf(law, 0.025);
}

double shape_of_law(const dpn_law *law) {
    static const char *const ratios[][3] = {{"flipped-huber", "alpha", "gamma"},
                                            {"huber", "alpha", "gamma"},
                                            {"osgt", "m", "sigma"},
                                            {"truncated-laplace", "bound", "scale"}};
    const char *family = dpn_law_family(law);
    for (size_t i = 0; i < sizeof ratios / sizeof *ratios; i++)
        if (!strcmp(family, ratios[i][0]))
            return dpn_law_parameter(law, ratios[i][1]) / dpn_law_parameter(law, ratios[i][2]);
    if (!strcmp(family, "subbotin")) return dpn_law_parameter(law, "p");
    if (!strcmp(family, "staircase")) return dpn_law_parameter(law, "gamma");
    return NAN;
}
