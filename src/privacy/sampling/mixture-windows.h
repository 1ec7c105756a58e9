/* How the measure of sampled steps is cut into far, big and small losses: docs/proofs/privacy/near-atoms.md, sections 1 to 3. */
#ifndef DPN_PRIVACY_SAMPLING_MIXTURE_WINDOWS_H
#define DPN_PRIVACY_SAMPLING_MIXTURE_WINDOWS_H

#include "privacy/sampling/mixture-line.h"

/* How the measure is cut: what lies far right is left out if `cut`, with a mass of e^log_lost, or, if `above` > 0, with that
 * remainder after losses that are above it by themselves were counted (mixture-jump.h); the sum of losses smaller than `small` is taken
 * apart if that is not 0. */
typedef struct dpn_mixture_cutting {
    bool cut;
    double log_lost, small, above;
} dpn_mixture_cutting;

/* The windows of all mixtures. */
void dpn_mixture_set_windows(dpn_mixtures *all, const dpn_mixture_cutting *how);

/* The small losses alone: the window that ended them becomes the cut. */
void dpn_mixture_keep_small(dpn_mixtures *all);

/* The noise where the loss of present against absent is this. */
double dpn_mixture_loss_at(const dpn_mixture *mixture, double loss);

#endif
