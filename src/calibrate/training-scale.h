/* The least scale of noise of one family and shape for a training run. */
#ifndef DPN_CALIBRATE_TRAINING_SCALE_H
#define DPN_CALIBRATE_TRAINING_SCALE_H

#include "calibrate/training-delta.h"
#include "law/family.h"

/* The search for the least scale whose certified delta is not above the target: high will do, low will not. */
typedef struct dpn_scale_search {
    const struct dpn_family *family;
    double shape; /* of a family that has one */
    double width; /* of its steps, in sensitivities, if it has those: staircases */
    const dpn_training *training;
    dpn_workspace *workspace;
    double epsilon, log_target;
    double accuracy; /* that is asked for */
    double slope; /* of estimates: how the logarithm of delta falls with that of the scale, as last seen; 0: unknown */
    double low, high, low_height,
        high_height; /* logarithms of the scale, in sensitivities, and of delta over the target */
    dpn_law law;     /* at high, and its delta */
    dpn_delta delta;
} dpn_scale_search;

/* How far, relative, a scale or rate that is found may be from the least or largest one that is certified. */
double dpn_scale_tolerance(bool by_contour);

/* The logarithm of the least scale that there is, where steps end it: -inf for other noise. Noise in steps as wide as is asked for has no less error than that. */
double dpn_scale_least(const dpn_scale_search *search);

/* The law with this scale. */
dpn_status dpn_scale_law(dpn_law *law, const dpn_scale_search *search, double log_scale, dpn_error *why);

/* About the scale at which delta is the target, from `log_scale` on, which becomes it: nothing is certified. accuracy: that delta is
 * asked for with. What is learnt of the slope serves the next estimate. */
dpn_status dpn_scale_estimate(double *log_scale, dpn_scale_search *search, double accuracy, dpn_error *why);

/* About the variance of Gaussian noise that will do, or the square of the sensitivity if none is found; and the logarithm of the scale of other
 * noise of that variance, in sensitivities: where to start.
 * Errors   DPN_ECANCELLED, DPN_ENOMEM. */
dpn_status dpn_scale_usual_variance(double *variance, const dpn_scale_search *search, dpn_error *why);
double dpn_scale_start(const dpn_scale_search *search, double shape, double variance);

/* The least scale, certified, in search->law and ->delta: from nothing, or from an estimate. To a relative 1e-9 for Gaussian noise under
 * add-remove, else to 1e-4.
 * Errors   DPN_ECANCELLED; DPN_EUNSUPPORTED if no scale will do; those of the accountant. */
dpn_status dpn_scale_find(dpn_scale_search *search, dpn_error *why);
dpn_status dpn_scale_find_near(dpn_scale_search *search, double log_scale, dpn_error *why);

#endif
