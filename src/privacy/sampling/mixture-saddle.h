/* The line of the contour sum that passes through the saddle point, and what it tells of delta before a node is computed. */
#ifndef DPN_PRIVACY_SAMPLING_MIXTURE_SADDLE_H
#define DPN_PRIVACY_SAMPLING_MIXTURE_SADDLE_H

#include "privacy/sampling/mixture-line.h"

/* Sets the line to the least point of K(x) - x epsilon - log|x (1 + x)|, to a tenth of its width, from `start` if that is not 0; that
 * between -1 and 0 if `middle`. Errors: DPN_EACCURACY, DPN_ENOMEM. */
dpn_status dpn_mixture_saddle(dpn_mixture_line *line, dpn_mixtures *all, bool middle, double epsilon, double start,
                              dpn_error *why);

/* log of the unit e^(K(theta) - theta epsilon) of the line, and of about its answer. */
double dpn_mixture_log_unit(const dpn_mixture_line *line, double epsilon);
double dpn_mixture_log_estimate(const dpn_mixture_line *line, double epsilon);

/* log of the Chernoff bound of the line: an upper bound of delta, of 1 - delta on the middle line. */
double dpn_mixture_log_most(const dpn_mixture_line *line, double epsilon);

#endif
