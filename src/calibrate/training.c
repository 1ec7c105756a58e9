/* The least noise, and the most steps, for releases from Poisson samples. */
#include "base/error.h"
#include "law/facts.h"

#include <dpnoise/calibrate.h>
#include <dpnoise/sampling.h>
#include <math.h>

/* The scale is the least to this: by the contour sum, which takes a millisecond, and by the FFT. */
#define TOLERANCE_CONTOUR 1e-9
#define TOLERANCE_FFT 1e-4
#define ACCURACY_FFT 1e-3
enum { MOST_ROUNDS = 200 };

/* delta(epsilon) of the steps with this law. What the accountant cannot bound, because the noise is far too small, is 1. */
static dpn_status certify(dpn_delta *out, const dpn_law *law, double epsilon, const dpn_training *training,
                          dpn_workspace *workspace, dpn_error *why) {
    dpn_part part = {.times = 1};
    dpn_status status = dpn_loss_law(&part.loss, law, training->sensitivity, why);
    if (status) return status;
    dpn_step step = {&part, 1, training->rate, training->steps};
    dpn_accounting_options options = dpn_accounting_options_init();
    if (!(dpn_law_gaussian(law) > 0)) options.accuracy = ACCURACY_FFT;
    status = dpn_sampling_delta(out, workspace, &step, 1, epsilon, &options, why);
    if (status == DPN_EACCURACY) *out = (dpn_delta){0, 1, -INFINITY, 0};
    return status == DPN_EACCURACY ? DPN_OK : status;
}

static dpn_status check(double epsilon, double delta, const dpn_training *training, const dpn_workspace *workspace,
                        dpn_error *why) {
    if (!training || training->size != sizeof *training)
        return dpn_fail(why, DPN_EDOMAIN, "training must come from dpn_training_init");
    if (!workspace) return dpn_fail(why, DPN_EDOMAIN, "sampling needs a workspace");
    if (!(epsilon >= 0 && isfinite(epsilon)))
        return dpn_fail(why, DPN_EDOMAIN, "epsilon must be finite and not negative");
    if (!(delta > 0 && delta < 1)) return dpn_fail(why, DPN_EDOMAIN, "delta must lie between 0 and 1");
    if (!(training->sensitivity > 0 && isfinite(training->sensitivity)))
        return dpn_fail(why, DPN_EDOMAIN, "the sensitivity must be positive and finite");
    if (!(training->rate > 0 && training->rate <= 1))
        return dpn_fail(why, DPN_EDOMAIN, "the sampling rate must be positive and at most 1");
    if (training->steps == 0) return dpn_fail(why, DPN_EDOMAIN, "there must be at least one step");
    return DPN_OK;
}

/* ---- the least scale ---- */

/* The search for the least scale whose certified delta is not above the target: high will do, low will not. */
typedef struct search {
    const struct dpn_family *family;
    const dpn_training *training;
    dpn_workspace *workspace;
    double epsilon, log_target;
    double low, high, low_height, high_height; /* logarithms of the scale, and of delta over the target */
    dpn_law law;                               /* at high, and its delta */
    dpn_delta delta;
} search;

static dpn_status look(search *s, double log_scale, dpn_error *why) {
    dpn_law law;
    dpn_delta delta;
    dpn_status status = dpn_family_tune(&law, s->family, s->training->shape, exp(log_scale) * s->training->sensitivity,
                                        s->training->sensitivity, why);
    if (!status) status = certify(&delta, &law, s->epsilon, s->training, s->workspace, why);
    if (status) return status;
    double height = delta.log_upper - s->log_target;
    if (height <= 0) {
        s->high = log_scale;
        s->high_height = height;
        s->law = law;
        s->delta = delta;
    } else {
        s->low = log_scale;
        s->low_height = height;
    }
    return DPN_OK;
}

static dpn_status find_scale(search *s, double tolerance, dpn_error *why) {
    s->low = -INFINITY;
    s->high = INFINITY;
    double x = 0, stride = 1;
    for (int i = 0; i < MOST_ROUNDS && (isinf(s->low) || isinf(s->high)); i++, stride *= 1.5) {
        dpn_status status = look(s, x, why);
        if (status) return status;
        x += s->high <= x ? -stride : stride;
        if (fabs(x) > 600) return dpn_fail(why, DPN_EUNSUPPORTED, "no noise of the family gives the guarantee");
    }
    for (int i = 0; i < MOST_ROUNDS && s->high - s->low > tolerance; i++) {
        double middle = 0.5 * (s->low + s->high), chord = middle, margin = 0.4 * tolerance;
        if (isfinite(s->low_height) && isfinite(s->high_height) && i % 3 != 2)
            chord = s->low + (s->high - s->low) * (s->low_height / (s->low_height - s->high_height));
        dpn_status status = look(s, fmin(fmax(chord, s->low + margin), s->high - margin), why);
        if (status) return status;
    }
    return DPN_OK;
}

dpn_status dpn_calibrate_training(dpn_law *law, dpn_delta *certified, const char *family, double epsilon, double delta,
                                  const dpn_training *training, dpn_workspace *workspace, dpn_error *why) {
    dpn_status status = check(epsilon, delta, training, workspace, why);
    if (status) return status;
    search s = {.family = family ? dpn_family_find(family) : NULL,
                .training = training,
                .workspace = workspace,
                .epsilon = epsilon,
                .log_target = log(delta)};
    if (!s.family) return dpn_fail(why, DPN_EPARSE, "there is no family '%.40s'", family ? family : "");
    if (s.family->shape && training->shape == 0)
        return dpn_fail(why, DPN_EUNSUPPORTED, "the shape of %s noise on samples is not searched: it must be given",
                        s.family->name);
    dpn_law unit;
    bool gaussian = !s.family->shape && !dpn_family_tune(&unit, s.family, 0, 1, 1, NULL) && dpn_law_gaussian(&unit) > 0;
    if (training->vector && !gaussian)
        return dpn_fail(why, DPN_EUNSUPPORTED, "a vector of answers has Gaussian noise; %s noise serves one answer",
                        s.family->name);
    status = find_scale(&s, gaussian ? TOLERANCE_CONTOUR : TOLERANCE_FFT, why);
    if (status) return status;
    if (!(s.delta.upper <= delta)) return dpn_fail(why, DPN_EACCURACY, "delta is too close to the smallest double");
    *law = s.law;
    *certified = s.delta;
    return DPN_OK;
}

/* ---- the most steps ---- */

dpn_status dpn_training_steps(uint64_t *out, const dpn_law *law, double epsilon, double delta,
                              const dpn_training *training, dpn_workspace *workspace, dpn_error *why) {
    dpn_status status = check(epsilon, delta, training, workspace, why);
    if (!status && !law) status = dpn_fail(why, DPN_EDOMAIN, "law must not be NULL");
    uint64_t low = 0, high = 1, most = (uint64_t)1 << 53;
    dpn_training some = training ? *training : (dpn_training){0};
    for (bool bracketed = false; !status && low + 1 < most && !(bracketed && low + 1 >= high);) {
        dpn_delta delta_of;
        some.steps = bracketed ? low + (high - low) / 2 : high;
        status = certify(&delta_of, law, epsilon, &some, workspace, why);
        if (status) break;
        if (delta_of.upper > delta) {
            bracketed = true;
            high = some.steps;
        } else {
            low = some.steps;
            if (!bracketed) high = 2 * some.steps < most ? 2 * some.steps : most;
        }
    }
    if (!status) *out = low;
    return status;
}
