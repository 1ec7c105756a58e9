/* delta of sampled steps along one line, with one choice of windows. */
#ifndef DPN_PRIVACY_SAMPLING_MIXTURE_ATTEMPT_H
#define DPN_PRIVACY_SAMPLING_MIXTURE_ATTEMPT_H

#include "privacy/sampling/mixture-jump.h"
#include "privacy/sampling/mixture-windows.h"

/* A line, and bounds of what it leaves out: of the sum of small losses e^(log_small - small_theta epsilon), and e^log_lost. */
typedef struct dpn_attempt {
    dpn_mixtures *all;
    dpn_mixture_cutting how;
    double accuracy, work, width; /* width: of epsilon over max(1, epsilon), 0 if the accuracy alone counts */
    double finest, goal;          /* the accuracy that is asked for at most, for the width that is wanted */
    double epsilon, rate;         /* that were seen last: rate is that at which log delta falls */
    dpn_mixture_line line;
    double log_small, small_theta;
    dpn_mixture_jump jump; /* if how.above > 0 */
    bool bounded;          /* no node is needed: Chernoff's bound of the line is small beside the jump */
} dpn_attempt;

/* The windows of a->how. Errors: DPN_EACCURACY. */
dpn_status dpn_attempt_cut(dpn_attempt *attempt, dpn_error *why);

/* The interval at an epsilon near that of the line. */
dpn_delta dpn_attempt_delta(const dpn_attempt *attempt, double epsilon);
bool dpn_attempt_accurate(const dpn_delta *delta, double accuracy);

/* The nodes, again with less tolerance if the answer is smaller than was thought; unless it is for certain not the one that is looked for,
 * e^log_target, if that is not NaN. Errors: DPN_EACCURACY, DPN_ENOMEM. */
dpn_status dpn_attempt_line(dpn_attempt *attempt, double epsilon, double log_target, dpn_error *why);

/* A bound of the sum of small losses alone, the least at epsilon. Errors: as above. */
dpn_status dpn_attempt_bound_small(dpn_attempt *attempt, double epsilon, dpn_error *why);

/* Windows, line and nodes for this epsilon. Errors: as above. */
dpn_status dpn_attempt_forward(dpn_attempt *attempt, double epsilon, dpn_error *why);

/* Frees the line and takes the windows away. */
void dpn_attempt_end(dpn_attempt *attempt);

#endif
