/* The least epsilon for a given error: the error falls as epsilon grows. */
#include "base/error.h"

#include <dpnoise/calibrate.h>
#include <math.h>

enum { MOST_ROUNDS = 60 };
#define TOLERANCE 1e-6
#define LEAST 1e-9
#define MOST 1e6

dpn_status dpn_calibrate_epsilon(dpn_plan *plan, const char *family, double error, double delta,
                                 const dpn_sensitivity *set, const dpn_calibration_options *options, dpn_error *why) {
    if (!(error > 0 && isfinite(error))) return dpn_fail(why, DPN_EDOMAIN, "the error must be positive and finite");
    dpn_plan best = {0};
    double low = log(LEAST), high = log(MOST), x = 0, low_error = NAN, high_error = NAN; /* logarithms */
    dpn_status status = DPN_OK;
    for (int round = 0; round < MOST_ROUNDS && high - low > TOLERANCE; round++) {
        dpn_plan one;
        status = dpn_calibrate(&one, family, exp(x), delta, set, options, why);
        if (status) break;
        double excess = one.error > 0 ? log(one.error / error) : -INFINITY;
        if (excess <= 0) {
            dpn_plan_free(&best);
            best = one;
            high = x;
            high_error = excess;
        } else {
            dpn_plan_free(&one);
            low = x;
            low_error = excess;
        }
        /* The error is about a power -1 to -2 of epsilon: aim by the chord, or with the power -2 from one end. */
        double aim = isfinite(low_error) && isfinite(high_error)
                         ? low + (high - low) * (low_error / (low_error - high_error))
                         : x + 0.5 * excess + (excess > 0 ? 0.1 : -0.1);
        if (round % 4 == 3 && isfinite(low_error) && isfinite(high_error)) aim = 0.5 * (low + high);
        double near = fmin(0.9 * TOLERANCE, 0.5 * (high - low));
        x = isfinite(aim) ? fmin(fmax(aim, low + near), high - near) : 0.5 * (low + high);
    }
    if (!status && !best.family)
        status = dpn_fail(why, DPN_EUNSUPPORTED, "no epsilon up to %g gives an error as small as %g", MOST, error);
    if (status) {
        dpn_plan_free(&best);
        return status;
    }
    *plan = best;
    return DPN_OK;
}
