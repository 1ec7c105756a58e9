/* A step whose losses are atoms alone, seen by a Poisson sample: all of its atoms, for the contour sum.
 *
 * Noise on the integers, staircases and mechanisms known by their epsilon have such losses; those of several of them add up. An atom
 * (L, P, Q) of the step becomes log(1 - q + q e^L), with the masses qP + (1-q)Q if the person is present and Q if absent.
 * docs/proofs/privacy/sampling.md says what rounding costs.
 */
#ifndef DPN_PRIVACY_SAMPLED_LIST_H
#define DPN_PRIVACY_SAMPLED_LIST_H

#include "privacy/compose/contour.h"

#include <dpnoise/sampling.h>

/* Index 0: person present against absent; 1: absent against present. */
typedef struct dpn_sampled_list {
    dpn_loss loss[2]; /* explicit ones, which refer to room */
    dpn_doubt doubt;
    double lost;       /* at most this mass is in no atom of the list */
    double largest[2]; /* finite loss, rounded up; +inf if there is none */
    double *room;
} dpn_sampled_list;

/* Free the list also after an error.
 * Errors   DPN_EUNSUPPORTED if the step has other losses than atoms, infinite ones, or too many; DPN_ENOMEM. */
dpn_status dpn_sampled_list_make(dpn_sampled_list *out, const dpn_step *step, dpn_error *why);
void dpn_sampled_list_free(dpn_sampled_list *list);

#endif
