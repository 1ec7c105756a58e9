/* The least noise, and the most steps, for releases from Poisson samples. */
#include "base/error.h"
#include "law/facts.h"

#include <dpnoise/calibrate.h>
#include <dpnoise/sampling.h>
#include <float.h>
#include <math.h>

/* The scale is the least to this: by the contour sum, which takes a millisecond, and by the FFT. */
#define TOLERANCE_CONTOUR 1e-9
#define TOLERANCE_FFT 1e-4
#define ACCURACY_FFT 1e-3

/* Far from the least scale delta is asked for with this accuracy; and if near it none better than FINE is reached, which takes long to find out, with
 * ACCURACY_SEEN from then on, the scale being the least to TOLERANCE_SEEN. */
#define ACCURACY_FAR 0.05
#define NEAR 0.02
#define FINE 1e-5
#define ACCURACY_SEEN 1e-3
#define TOLERANCE_SEEN 1e-5
enum { MOST_ROUNDS = 200 };

/* No smaller rate is tried. */
#define LEAST_RATE 1e-15

/* B/N, rounded up. */
static double rate_of(const dpn_training *training) {
    if (training->batch == 0) return training->rate;
    if (training->batch == training->population) return 1;
    return fmin(1, nextafter((double)training->batch / (double)training->population, 2));
}

static bool by_contour(const dpn_law *law, const dpn_training *training) {
    return training->relation == DPN_ADD_REMOVE && dpn_law_gaussian(law) > 0;
}

static dpn_status replace_delta(dpn_delta *out, dpn_argument *argument, const dpn_law *law, double epsilon,
                                const dpn_training *training, const dpn_accounting_options *options,
                                dpn_workspace *workspace, dpn_error *why) {
    dpn_replace_step step = {.rate = rate_of(training), .times = training->steps, .fixed = training->batch > 0};
    dpn_status status = dpn_loss_law(&step.replaced, law, training->sensitivity, why);
    if (!status) status = dpn_loss_law(&step.present, law, step.fixed ? training->sensitivity : training->present, why);
    return status ? status : dpn_sampling_replace_delta(out, argument, workspace, &step, 1, epsilon, options, why);
}

static dpn_status steps_delta(dpn_delta *out, dpn_argument *argument, const dpn_law *law, double epsilon,
                              const dpn_training *training, double accuracy, dpn_workspace *workspace, dpn_error *why) {
    dpn_accounting_options options = dpn_accounting_options_init();
    options.accuracy = by_contour(law, training) ? accuracy : ACCURACY_FFT;
    if (training->relation == DPN_REPLACE)
        return replace_delta(out, argument, law, epsilon, training, &options, workspace, why);
    dpn_part part = {.times = 1};
    dpn_status status = dpn_loss_law(&part.loss, law, training->sensitivity, why);
    dpn_step step = {&part, 1, training->rate, training->steps};
    if (!status) status = dpn_sampling_delta(out, workspace, &step, 1, epsilon, &options, why);
    if (!status && argument) *argument = DPN_ARGUMENT_CORNER;
    return status;
}

/* 1 - (1 - q)^n, rounded up: whoever is in no sample changes nothing. Two functions and a product err by a few units. */
static double seen_upper(const dpn_training *training) {
    double seen = -expm1((double)training->steps * log1p(-rate_of(training)));
    return fmin(1, seen * (1 + 16 * DBL_EPSILON));
}

/* Where the noise is far too small for the accountant, delta is at most what a secret that is told whenever it is seen would cost. accuracy:
 * of Gaussian noise, 0 is the best. */
static dpn_status certify(dpn_delta *out, dpn_argument *argument, const dpn_law *law, double epsilon,
                          const dpn_training *training, double accuracy, dpn_workspace *workspace, dpn_error *why) {
    dpn_status status = steps_delta(out, argument, law, epsilon, training, accuracy, workspace, why);
    double seen = seen_upper(training);
    if (status == DPN_EACCURACY && argument) *argument = DPN_ARGUMENT_BOUND;
    if (status == DPN_EACCURACY) *out = (dpn_delta){0, seen, -INFINITY, fmin(0, nextafter(log(seen), INFINITY))};
    return status == DPN_EACCURACY ? DPN_OK : status;
}

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

/* ---- the least scale ---- */

/* The search for the least scale whose certified delta is not above the target: high will do, low will not. */
typedef struct search {
    const struct dpn_family *family;
    const dpn_training *training;
    dpn_workspace *workspace;
    double epsilon, log_target;
    double accuracy;                           /* that is asked for */
    double low, high, low_height, high_height; /* logarithms of the scale, and of delta over the target */
    dpn_law law;                               /* at high, and its delta */
    dpn_delta delta;
} search;

static dpn_status look(search *s, double log_scale, dpn_error *why) {
    dpn_law law;
    dpn_delta delta;
    if (s->training->cancelled && s->training->cancelled(s->training->context))
        return dpn_fail(why, DPN_ECANCELLED, "the search was cancelled");
    dpn_status status = dpn_family_tune(&law, s->family, s->training->shape, exp(log_scale) * s->training->sensitivity,
                                        s->training->sensitivity, why);
    if (!status) status = certify(&delta, NULL, &law, s->epsilon, s->training, s->accuracy, s->workspace, why);
    if (status) return status;
    double spread = delta.log_upper - delta.log_lower;
    if (s->accuracy == 0 && spread > FINE && isfinite(spread)) s->accuracy = ACCURACY_SEEN;
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

/* Narrower, to the tolerance. */
static dpn_status close_in(search *s, double tolerance, dpn_error *why) {
    for (int i = 0; i < MOST_ROUNDS && s->high - s->low > tolerance; i++) {
        double middle = 0.5 * (s->low + s->high), chord = middle, margin = 0.4 * tolerance;
        if (isfinite(s->low_height) && isfinite(s->high_height) && i % 3 != 2)
            chord = s->low + (s->high - s->low) * (s->low_height / (s->low_height - s->high_height));
        dpn_status status = look(s, fmin(fmax(chord, s->low + margin), s->high - margin), why);
        if (status) return status;
        if (s->accuracy == ACCURACY_SEEN) tolerance = fmax(tolerance, TOLERANCE_SEEN);
    }
    return DPN_OK;
}

/* From x on in strides. */
static dpn_status bracket(search *s, double x, double stride, dpn_error *why) {
    s->low = -INFINITY;
    s->high = INFINITY;
    for (int i = 0; i < MOST_ROUNDS && (isinf(s->low) || isinf(s->high)); i++, stride *= 1.5) {
        dpn_status status = look(s, x, why);
        if (status) return status;
        x += s->high <= x ? -stride : stride;
        if (fabs(x) > 600) return dpn_fail(why, DPN_EUNSUPPORTED, "no noise of the family gives the guarantee");
    }
    return DPN_OK;
}

/* A place to start: what one step needs for its share of delta, if that is less noise than the sensitivity. All steps need more, but not much if they are few and
 * rates small; there delta of noise as wide as the sensitivity may be so tiny that it takes seconds. */
static double first_scale(const search *s) {
    const dpn_training *training = s->training;
    double rate = rate_of(training), epsilon = log1p(expm1(s->epsilon) / rate);
    double share = exp(s->log_target) / ((double)training->steps * rate), low = log(0.05), high = 0;
    for (int i = 0; i < 12; i++) {
        dpn_law law;
        dpn_delta delta;
        double middle = 0.5 * (low + high);
        if (dpn_family_tune(&law, s->family, 0, exp(middle), 1, NULL) ||
            dpn_profile_delta(&delta, &law, 1, epsilon, NULL))
            return 0;
        *(delta.upper > share ? &low : &high) = middle;
    }
    return high;
}

/* With less accuracy first; what that found not certified may be, and the other way round. */
static dpn_status find_scale(search *s, bool gaussian, dpn_error *why) {
    s->accuracy = gaussian ? ACCURACY_FAR : 0;
    dpn_status status = bracket(s, gaussian ? first_scale(s) : 0, 1, why);
    if (!status && gaussian) status = close_in(s, NEAR, why);
    if (!status && gaussian) {
        s->accuracy = 0;
        status = bracket(s, s->high - 0.5 * fmin(NEAR, s->high - s->low), 0.5 * NEAR, why);
    }
    return status ? status : close_in(s, gaussian ? TOLERANCE_CONTOUR : TOLERANCE_FFT, why);
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
    if (seen_upper(training) <= delta)
        return dpn_fail(
            why, DPN_EDOMAIN,
            "delta must be less than %.6g, the probability that a person is in a sample at all: for a larger "
            "one any noise will do, however little",
            seen_upper(training));
    gaussian = gaussian && training->relation == DPN_ADD_REMOVE;
    status = find_scale(&s, gaussian, why);
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
    return status ? status : certify(out, argument, law, epsilon, training, 0, workspace, why);
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
        dpn_status status = certify(&found, NULL, law, epsilon, some, 0, workspace, why);
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
    double tolerance = by_contour(law, training) ? TOLERANCE_CONTOUR : TOLERANCE_FFT;
    for (double at = 0; found < 1 && at > log(LEAST_RATE) && high - low > tolerance;) {
        dpn_delta bound;
        some.rate = exp(at);
        status = certify(&bound, NULL, law, epsilon, &some, 0, workspace, why);
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
