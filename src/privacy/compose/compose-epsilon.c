/* epsilon(delta) of a composition. */
#include "base/error.h"
#include "privacy/compose/compose.h"
#include "privacy/compose/invert.h"
#include "privacy/loss/largest.h"

#include <math.h>

static dpn_status delta_at(dpn_delta *out, void *context, double epsilon, double accuracy, dpn_error *why) {
    dpn_composition *composition = context;
    composition->options.accuracy = accuracy;
    return dpn_composition_delta(out, composition, epsilon, why);
}

static dpn_status epsilon_of(dpn_epsilon *out, dpn_composition *composition, double delta, dpn_error *why) {
    dpn_delta infinite;
    dpn_status status = dpn_composition_delta(&infinite, composition, INFINITY, why);
    if (status) return status;
    if (infinite.lower > delta) {
        *out = (dpn_epsilon){INFINITY, INFINITY};
        return DPN_OK;
    }
    if (infinite.upper > delta) return dpn_fail(why, DPN_EACCURACY, "delta is too close to the mass of infinite loss");
    if (delta <= infinite.upper) { /* only the largest loss will do */
        dpn_twofold largest = dpn_largest_loss(composition->part, composition->parts, false);
        *out = (dpn_epsilon){largest.lo < 0 ? nextafter(largest.hi, 0) : largest.hi,
                             largest.lo > 0 ? nextafter(largest.hi, INFINITY) : largest.hi};
        return DPN_OK;
    }
    if (delta == 1) {
        *out = (dpn_epsilon){0, 0};
        return DPN_OK;
    }
    double largest = dpn_two_value(dpn_largest_loss(composition->part, composition->parts, false)), slack,
           end = largest;
    if (isfinite(largest)) {
        bool exact = dpn_largest_reached(composition->part, composition->parts, false, largest, &slack) && slack == 0;
        end = exact ? largest : nextafter(largest, INFINITY);
    }
    dpn_inversion inversion = {delta_at, composition, composition->options.accuracy, end, 0, 0};
    return dpn_invert(out, &inversion, delta, why);
}

dpn_status dpn_compose_epsilon(dpn_epsilon *out, dpn_workspace *workspace, const dpn_part *part, size_t parts,
                               double delta, const dpn_accounting_options *options, dpn_error *why) {
    if (!(delta >= 0 && delta <= 1)) return dpn_fail(why, DPN_EDOMAIN, "delta must lie in [0, 1]");
    dpn_composition composition;
    dpn_epsilon epsilon;
    dpn_status status = dpn_composition_open(&composition, workspace, part, parts, options, why);
    if (status) return status;
    status = epsilon_of(&epsilon, &composition, delta, why);
    if (status == DPN_EACCURACY && composition.options.method == DPN_METHOD_AUTO) { /* no engine serves: bounds do */
        composition.bounds = true;
        composition.options.accuracy = 0;
        if (!epsilon_of(&epsilon, &composition, delta, NULL)) status = DPN_OK;
    }
    if (!status) *out = epsilon;
    dpn_composition_close(&composition);
    return status;
}
