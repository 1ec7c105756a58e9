/* Moments of a sampled loss, from the profile before sampling: what is left where sums of samples cannot be composed. */
#ifndef DPN_PRIVACY_SAMPLED_MOMENTS_H
#define DPN_PRIVACY_SAMPLED_MOMENTS_H

#include "privacy/sampling/base.h"

enum { DPN_SAMPLED_CELLS = 1024 };

/* The profile h of a step at s = e^nu, up to the last node S. Beyond it h(S) counts as infinite loss. */
typedef struct dpn_sampled_moments {
    double rate, times;
    double nu[DPN_SAMPLED_CELLS + 1];
    double log_g[DPN_SAMPLED_CELLS + 1]; /* h - h(S) */
    double log_x[DPN_SAMPLED_CELLS + 1]; /* of 1 - q + qs */
    double log_y[DPN_SAMPLED_CELLS + 1]; /* of 1 - q + q/s */
    double log_right[DPN_SAMPLED_CELLS],
        fall[DPN_SAMPLED_CELLS];        /* of h - h(S): times the width, and its ratio across */
    double log_left[DPN_SAMPLED_CELLS]; /* trapezoids of h/s^3 */
    double log_rest;                    /* h(S) */
} dpn_sampled_moments;

/* Errors: those of the profile. */
dpn_status dpn_sampled_moments_make(dpn_sampled_moments *out, const dpn_base *base, double rate, double times,
                                    dpn_error *why);

/* K at the order 1 + theta, theta > 0, of the person present (direction 0) against absent, or the other way round (1), without the infinite loss. */
double dpn_sampled_moments_cumulant(const dpn_sampled_moments *of, int direction, double theta);

/* log delta(epsilon) of all steps is at most this, epsilon >= 0; and delta(result) <= e^log_delta, +inf if nothing is known. */
double dpn_sampled_moments_log_upper(const dpn_sampled_moments *step, size_t steps, double epsilon);
double dpn_sampled_moments_epsilon_upper(const dpn_sampled_moments *step, size_t steps, double log_delta);

#endif
