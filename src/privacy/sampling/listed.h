/* Sampled steps whose losses are atoms alone, by the contour sum over the lists of them. */
#ifndef DPN_PRIVACY_SAMPLING_LISTED_H
#define DPN_PRIVACY_SAMPLING_LISTED_H

#include "privacy/sampling/sampled-list.h"

/* The steps that count; atoms are the losses of each direction, as in sampled-list.h. */
typedef struct dpn_listed {
    size_t count;
    dpn_sampled_list *list;
    dpn_part *atoms[2];
    dpn_doubt *doubt;
} dpn_listed;

/* Close it also after an error.
 * Errors   DPN_EUNSUPPORTED if there is another loss than atoms, or one step alone, whose profile is closed; DPN_ENOMEM. */
dpn_status dpn_listed_open(dpn_listed *out, const dpn_step *step, size_t steps, dpn_error *why);
void dpn_listed_close(dpn_listed *listed);

/* The largest loss of a direction, rounded up; +inf if there is none. No loss is infinite. */
double dpn_listed_largest(const dpn_listed *listed, int direction);

/* delta(epsilon), epsilon >= 0 and finite, of one direction, or the larger one; accuracy, enough and work as in contour.h.
 * Errors   DPN_EACCURACY, also next to the largest loss, where the atoms are not known well enough; DPN_ENOMEM. */
dpn_status dpn_listed_direction(dpn_delta *out, const dpn_listed *listed, int direction, double epsilon,
                                double accuracy, double enough, double work, dpn_error *why);
dpn_status dpn_listed_delta(dpn_delta *out, const dpn_listed *listed, double epsilon, double accuracy, double work,
                            dpn_error *why);

#endif
