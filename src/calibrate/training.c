/* The least noise, and the most steps, for releases from Poisson samples. */
#include "base/error.h"
#include "calibrate/training-shape.h"
#include "law/facts.h"

#include <math.h>

/* No smaller rate is tried. */
#define LEAST_RATE 1e-15

static dpn_status check_replace(const dpn_training *training, dpn_error *why) {
    bool fixed = training->batch > 0 || training->population > 0;
    if (training->relation != DPN_REPLACE && (fixed || training->present != 0))
        return dpn_fail(why, DPN_EDOMAIN, "batches of fixed size and `present` are about replacing a person");
    if (training->relation != DPN_REPLACE) return DPN_OK;
    if (fixed &&
        (training->batch < 1 || training->batch > training->population || training->population > (uint64_t)1 << 53))
        return dpn_fail(why, DPN_EDOMAIN, "a batch must be at least 1 and at most the population, at most 2^53");
    if (fixed && training->present != 0)
        return dpn_fail(why, DPN_EDOMAIN, "nobody is absent from a batch of fixed size: `present` must be 0");
    if (!fixed && !(training->present > 0 && isfinite(training->present)))
        return dpn_fail(why, DPN_EDOMAIN, "under replace `present`, the move of one who leaves, must be positive");
    return DPN_OK;
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
    if (training->batch == 0 && !(training->rate > 0 && training->rate <= 1))
        return dpn_fail(why, DPN_EDOMAIN, "the sampling rate must be positive and at most 1");
    if (training->steps == 0) return dpn_fail(why, DPN_EDOMAIN, "there must be at least one step");
    return check_replace(training, why);
}

static dpn_status check_shape(const dpn_training *training, const struct dpn_family *family, dpn_error *why) {
    double least = training->shape_min, most = training->shape_max, shape = training->shape;
    if (training->objective < DPN_OBJECTIVE_MSE || training->objective > DPN_OBJECTIVE_INTERVAL95)
        return dpn_fail(why, DPN_EDOMAIN, "objective must be one of DPN_OBJECTIVE_*");
    if (least == 0 && most == 0 && shape == 0) return DPN_OK;
    if (!family->shape) return dpn_fail(why, DPN_EDOMAIN, "%s noise has no shape to be given", family->name);
    if (shape != 0 && (least != 0 || most != 0))
        return dpn_fail(why, DPN_EDOMAIN, "a shape that is given is not searched: shape_min and shape_max must be 0");
    if (!(least >= 0 && (most == 0 || least <= most) && isfinite(most) && isfinite(least)))
        return dpn_fail(why, DPN_EDOMAIN, "shape_min and shape_max must be finite and in order");
    return DPN_OK;
}

dpn_status dpn_calibrate_training(dpn_law *law, dpn_delta *certified, const char *family, double epsilon, double delta,
                                  const dpn_training *training, dpn_workspace *workspace, dpn_error *why) {
    dpn_status status = check(epsilon, delta, training, workspace, why);
    if (status) return status;
    dpn_scale_search s = {.family = family ? dpn_family_find(family) : NULL,
                          .width = 1,
                          .shape = training->shape_min == training->shape_max && training->shape_min > 0
                                       ? training->shape_min
                                       : training->shape,
                          .training = training,
                          .workspace = workspace,
                          .epsilon = epsilon,
                          .log_target = log(delta)};
    if (!s.family) return dpn_fail(why, DPN_EPARSE, "there is no family '%.40s'", family ? family : "");
    dpn_law unit;
    bool gaussian = !s.family->shape && !dpn_family_tune(&unit, s.family, 0, 1, 1, NULL) && dpn_law_gaussian(&unit) > 0;
    if (training->vector && !gaussian)
        return dpn_fail(why, DPN_EUNSUPPORTED, "a vector of answers has Gaussian noise; %s noise serves one answer",
                        s.family->name);
    if (dpn_run_seen_upper(training) <= delta)
        return dpn_fail(
            why, DPN_EDOMAIN,
            "delta must be less than %.6g, the probability that a person is in a sample at all: for a larger "
            "one any noise will do, however little",
            dpn_run_seen_upper(training));
    status = check_shape(training, s.family, why);
    if (status) return status;
    if (training->note) *training->note = '\0';
    status = s.family->shape && s.shape == 0 ? dpn_shape_find(&s, why) : dpn_scale_find(&s, why);
    if (status) return status;
    if (!(s.delta.upper <= delta)) return dpn_fail(why, DPN_EACCURACY, "delta is too close to the smallest double");
    *law = s.law;
    *certified = s.delta;
    return DPN_OK;
}

/* ---- what a law allows ---- */

static dpn_status check_law(const dpn_law *law, double epsilon, double delta, const dpn_training *training,
                            const dpn_workspace *workspace, dpn_error *why) {
    dpn_status status = check(epsilon, delta, training, workspace, why);
    if (!status && !law) status = dpn_fail(why, DPN_EDOMAIN, "law must not be NULL");
    if (!status && training->vector && !(dpn_law_gaussian(law) > 0))
        status = dpn_fail(why, DPN_EUNSUPPORTED, "a vector of answers has Gaussian noise; %s noise serves one answer",
                          dpn_law_family(law));
    return status;
}

dpn_status dpn_training_delta(dpn_delta *out, dpn_argument *argument, const dpn_law *law, double epsilon,
                              const dpn_training *training, dpn_workspace *workspace, dpn_error *why) {
    dpn_status status = check_law(law, epsilon, 0.5, training, workspace, why);
    return status ? status : dpn_run_delta(out, argument, law, epsilon, training, 0, workspace, why);
}

/* The largest whole number up to `most` with which the training is certified, 0 if 1 is not; *counted is that number in `some`. The search
 * starts at `first` and goes up or down in strides that double: far from the target delta is tiny, and slow to compute. */
static dpn_status largest_count(uint64_t *out, uint64_t *counted, uint64_t first, uint64_t most, const dpn_law *law,
                                double epsilon, double delta, const dpn_training *some, dpn_workspace *workspace,
                                dpn_error *why) {
    uint64_t low = 0, high = most + 1; /* low fits, high does not */
    for (uint64_t at = first; low + 1 < high;) {
        dpn_delta found;
        *counted = at;
        dpn_status status = dpn_run_delta(&found, NULL, law, epsilon, some, 0, workspace, why);
        if (status) return status;
        if (found.upper > delta)
            high = at;
        else
            low = at;
        if (low == 0)
            at = high / 2;
        else
            at = high > most ? (low > most / 2 ? most : 2 * low) : low + (high - low) / 2;
    }
    *out = low;
    return DPN_OK;
}

dpn_status dpn_training_steps(uint64_t *out, const dpn_law *law, double epsilon, double delta,
                              const dpn_training *training, dpn_workspace *workspace, dpn_error *why) {
    dpn_status status = check_law(law, epsilon, delta, training, workspace, why);
    if (status) return status;
    dpn_training some = *training;
    return largest_count(out, &some.steps, 1, (uint64_t)1 << 53, law, epsilon, delta, &some, workspace, why);
}

dpn_status dpn_training_batch(uint64_t *out, const dpn_law *law, double epsilon, double delta,
                              const dpn_training *training, dpn_workspace *workspace, dpn_error *why) {
    dpn_status status = check_law(law, epsilon, delta, training, workspace, why);
    if (!status && training->population == 0)
        status = dpn_fail(why, DPN_EDOMAIN, "the largest batch is one of a population: it must be given");
    if (status) return status;
    dpn_training some = *training;
    return largest_count(out, &some.batch, some.population, some.population, law, epsilon, delta, &some, workspace,
                         why);
}

dpn_status dpn_training_rate(double *out, const dpn_law *law, double epsilon, double delta,
                             const dpn_training *training, dpn_workspace *workspace, dpn_error *why) {
    dpn_status status = check_law(law, epsilon, delta, training, workspace, why);
    if (!status && training->batch > 0)
        status = dpn_fail(why, DPN_EDOMAIN, "the largest rate is one of Poisson samples, not of batches");
    if (status) return status;
    dpn_training some = *training;
    double low = -INFINITY, high = 0, found = 0; /* logarithms of a rate that fits and of one that does not */
    double tolerance = dpn_scale_tolerance(dpn_run_by_contour(law, training));
    for (double at = 0; found < 1 && at > log(LEAST_RATE) && high - low > tolerance;) {
        dpn_delta bound;
        some.rate = exp(at);
        status = dpn_run_delta(&bound, NULL, law, epsilon, &some, 0, workspace, why);
        if (status) return status;
        if (bound.upper <= delta) {
            found = some.rate;
            low = at;
        } else
            high = at;
        at = isinf(low) ? high - 1 : 0.5 * (low + high); /* from above: far below delta is tiny, and slow to compute */
    }
    *out = found;
    return DPN_OK;
}
