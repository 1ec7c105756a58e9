/* What a training run guarantees. */
#include "calibrate/training-delta.h"

#include "law/facts.h"

#include <dpnoise/sampling.h>
#include <float.h>
#include <math.h>

/* What is asked of noise that is not Gaussian. */
#define ACCURACY_FFT 1e-3

double dpn_run_rate(const dpn_training *training) {
    if (training->batch == 0) return training->rate;
    if (training->batch == training->population) return 1;
    return fmin(1, nextafter((double)training->batch / (double)training->population, 2));
}

bool dpn_run_by_contour(const dpn_law *law, const dpn_training *training) {
    return training->relation == DPN_ADD_REMOVE && dpn_law_gaussian(law) > 0;
}

static dpn_status replace_delta(dpn_delta *out, dpn_argument *argument, const dpn_law *law, double epsilon,
                                const dpn_training *training, const dpn_accounting_options *options,
                                dpn_workspace *workspace, dpn_error *why) {
    dpn_replace_step step = {.rate = dpn_run_rate(training), .times = training->steps, .fixed = training->batch > 0};
    dpn_status status = dpn_loss_law(&step.replaced, law, training->sensitivity, why);
    if (!status) status = dpn_loss_law(&step.present, law, step.fixed ? training->sensitivity : training->present, why);
    return status ? status : dpn_sampling_replace_delta(out, argument, workspace, &step, 1, epsilon, options, why);
}

static dpn_status steps_delta(dpn_delta *out, dpn_argument *argument, const dpn_law *law, double epsilon,
                              const dpn_training *training, double accuracy, dpn_workspace *workspace, dpn_error *why) {
    dpn_accounting_options options = dpn_accounting_options_init();
    options.accuracy = accuracy > 0 || dpn_run_by_contour(law, training) ? accuracy : ACCURACY_FFT;
    if (training->relation == DPN_REPLACE)
        return replace_delta(out, argument, law, epsilon, training, &options, workspace, why);
    dpn_part part = {.times = 1};
    dpn_status status = dpn_loss_law(&part.loss, law, training->sensitivity, why);
    dpn_step step = {&part, 1, training->rate, training->steps};
    if (!status) status = dpn_sampling_delta(out, workspace, &step, 1, epsilon, &options, why);
    if (!status && argument) *argument = DPN_ARGUMENT_CORNER;
    return status;
}

/* Two functions and a product err by a few units. */
double dpn_run_seen_upper(const dpn_training *training) {
    double seen = -expm1((double)training->steps * log1p(-dpn_run_rate(training)));
    return fmin(1, seen * (1 + 16 * DBL_EPSILON));
}

dpn_status dpn_run_delta(dpn_delta *out, dpn_argument *argument, const dpn_law *law, double epsilon,
                         const dpn_training *training, double accuracy, dpn_workspace *workspace, dpn_error *why) {
    dpn_status status = steps_delta(out, argument, law, epsilon, training, accuracy, workspace, why);
    double seen = dpn_run_seen_upper(training);
    if (status == DPN_EACCURACY && argument) *argument = DPN_ARGUMENT_BOUND;
    if (status == DPN_EACCURACY) *out = (dpn_delta){0, seen, -INFINITY, fmin(0, nextafter(log(seen), INFINITY))};
    return status == DPN_EACCURACY ? DPN_OK : status;
}
