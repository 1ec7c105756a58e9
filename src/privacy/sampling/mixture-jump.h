/* One step whose loss is by itself more than epsilon: what lies beyond a window of the steps' noise, in closed form.
 *
 * With windows V and W the product of them over all steps, delta is the integral of W (p - e^epsilon n)+ and of (1 - W)(p - e^epsilon n)+, p and n
 * the densities of present and absent. The first is summed along a line. The second is
 *
 *     X = [1 - (integral of V p)^N] - e^epsilon [1 - (integral of V n)^N],
 *
 * and a remainder between 0 and R: where some step is far enough right, the loss of all steps is above epsilon whatever the others are,
 * since no loss is below log(1 - q). docs/proofs/privacy/near-atoms.md, section 5.
 */
#ifndef DPN_PRIVACY_SAMPLING_MIXTURE_JUMP_H
#define DPN_PRIVACY_SAMPLING_MIXTURE_JUMP_H

#include "privacy/sampling/mixture-line.h"

/* Bounds of the masses beyond the windows: of present and of absent. */
typedef struct dpn_mixture_jump {
    double present[2], absent[2]; /* lower, upper */
} dpn_mixture_jump;

/* Whether a single loss above epsilon is worth counting: the person is seen rarely, and noise that is not too far out makes it. */
bool dpn_mixture_jump_serves(const dpn_mixtures *all, double epsilon);

/* A steepness with which the window ends soon after the loss that decides, and that does not take many points. */
double dpn_mixture_jump_steep(const dpn_mixtures *all, double epsilon);

/* The windows' cut such that R <= e^log_goal, +inf if there is none. */
double dpn_mixture_jump_cut(const dpn_mixtures *all, double steep, double epsilon, double log_goal);

/* The masses beyond the cut of the mixtures' windows, which all have. False if they cannot be computed. */
bool dpn_mixture_jump_make(dpn_mixture_jump *out, const dpn_mixtures *all);

/* log of X from below, -inf if it may be negative, and of X + R from above. */
void dpn_mixture_jump_delta(double *log_lower, double *log_upper, const dpn_mixture_jump *jump, const dpn_mixtures *all,
                            double epsilon);

/* E (1 - exp(-e^(steep (Z - at)))), Z standard normal, and a bound of its relative error; steep >= 1. False if it is too small. */
bool dpn_mixture_far_mass(double *mass, double *error, double steep, double at);

#endif
