/* What a training run guarantees: certified bounds of its delta, and of the chance to be in any sample. */
#ifndef DPN_CALIBRATE_TRAINING_DELTA_H
#define DPN_CALIBRATE_TRAINING_DELTA_H

#include <dpnoise/calibrate.h>

/* The rate of the samples: B/N, rounded up, of batches. */
double dpn_run_rate(const dpn_training *training);

/* Whether delta comes from the contour sum, which takes a millisecond. */
bool dpn_run_by_contour(const dpn_law *law, const dpn_training *training);

/* 1 - (1 - q)^n, rounded up: whoever is in no sample changes nothing. */
double dpn_run_seen_upper(const dpn_training *training);

/* The bounds of delta at epsilon, and what they rest on if argument is not NULL. Where the noise is far too small for the accountant, delta
 * is at most what a secret that is told whenever it is seen would cost. accuracy: relative, 0: the best of Gaussian noise, the usual of other. */
dpn_status dpn_run_delta(dpn_delta *out, dpn_argument *argument, const dpn_law *law, double epsilon,
                         const dpn_training *training, double accuracy, dpn_workspace *workspace, dpn_error *why);

#endif
