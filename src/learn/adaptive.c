/* Noise for questions that follow each other. */
#include "learn/adaptive.h"

#include "base/error.h"

#include <dpnoise/plan.h>
#include <stdlib.h>

bool dpn_plan_serves_adaptively(const dpn_plan *plan) {
    for (size_t b = 0; b < plan->blocks; b++)
        if (!dpn_block_law(&plan->block[b]) && !dpn_block_is_silent(&plan->block[b])) return plan->pure;
    return true;
}

void dpn_fit_ask_for(dpn_release_options *options, const char *family) {
    if (!options->family) options->family = family;
}

/* What was made, if it serves. */
static dpn_status make(dpn_release **out, const dpn_release_options *options, dpn_error *why) {
    dpn_release *made;
    dpn_status status = dpn_release_new(&made, options, why);
    if (status) return status;
    if (dpn_plan_serves_adaptively(dpn_release_plan(made))) {
        *out = made;
        return DPN_OK;
    }
    dpn_release_free(made);
    return dpn_fail(why, DPN_EUNSUPPORTED, "joint noise on questions that follow each other has to be pure");
}

static dpn_status make_pure(dpn_release **out, const dpn_release_options *options, dpn_error *why) {
    dpn_release_options pure = *options;
    dpn_calibration_options calibration = *options->calibration;
    bool *alone = calloc(options->set->dimension, sizeof *alone); /* nobody is, but blocks are tried */
    if (!alone) return dpn_fail(why, DPN_ENOMEM, "no memory for the fit");
    if (!options->family) calibration.alone = alone;
    pure.delta = 0;
    pure.calibration = &calibration;
    dpn_status status = make(out, &pure, why);
    free(alone);
    return status;
}

/* The accountant that certifies a whole plan may know its delta less accurately than the one that calibrated: aim lower then. */
static dpn_status make_relaxed(dpn_release **out, const dpn_release_options *options, dpn_error *why) {
    dpn_release_options relaxed = *options;
    if (options->delta == 0) return dpn_fail(why, DPN_EUNSUPPORTED, "there is no delta to spend");
    relaxed.exclude |= DPN_EXCLUDE_JOINT;
    /* On many numbers no independent noise is better by more than some percents, and none is as quick to calibrate. */
    dpn_fit_ask_for(&relaxed, "gaussian");
    for (int trial = 0; trial < 4; trial++) {
        dpn_release *made;
        dpn_delta reached;
        dpn_status status = make(&made, &relaxed, why);
        if (status) return status;
        status = dpn_plan_delta(&reached, NULL, NULL, dpn_release_plan(made), dpn_release_sensitivity(made), 1,
                                options->epsilon, NULL, why);
        if (!status && reached.upper <= options->delta) {
            *out = made;
            return DPN_OK;
        }
        dpn_release_free(made);
        if (status) return status;
        relaxed.delta *= 0.999 * options->delta / reached.upper;
    }
    return dpn_fail(why, DPN_EACCURACY, "the noise of the fit cannot be certified");
}

/* Of both, the one with the less error; the other is freed. */
static dpn_release *better(dpn_release *one, dpn_release *other) {
    bool keep = one && (!other || dpn_release_plan(one)->error <= dpn_release_plan(other)->error);
    dpn_release_free(keep ? other : one);
    return keep ? one : other;
}

/* The best that serves: independent noise that spends delta, or pure noise. Where the composition of a family with a shape cannot be
 * computed for so many different bounds, the usual noise stands in for it. */
dpn_status dpn_fit_announce_adaptive(size_t *index, dpn_fit *fit, const char *what, const dpn_release_options *options,
                                     dpn_error *why) {
    dpn_release *relaxed = NULL, *pure = NULL;
    dpn_release_options usual = *options;
    bool exact = options->calibration->condition == DPN_CONDITION_EXACT;
    usual.family = NULL;
    dpn_status status = make_relaxed(&relaxed, options, why), other = DPN_EUNSUPPORTED;
    bool stands_in = status == DPN_EACCURACY && options->family && dpn_family_shape(options->family);
    if (stands_in && !make_relaxed(&relaxed, &usual, NULL)) status = DPN_OK;
    if (exact) other = make_pure(&pure, stands_in ? &usual : options, status && options->delta == 0 ? why : NULL);
    if (status && other) return options->delta == 0 && exact ? other : status;
    status = dpn_fit_announce_made(index, fit, what, 1, better(pure, relaxed), why);
    if (!status) fit->announced[*index].adaptive = true;
    return status;
}
