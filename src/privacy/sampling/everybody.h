/* Steps that see everybody: a plain composition, which also bounds what samples lose. */
#ifndef DPN_PRIVACY_SAMPLING_EVERYBODY_H
#define DPN_PRIVACY_SAMPLING_EVERYBODY_H

#include <dpnoise/sampling.h>

/* Whether no step samples, and there is one at least. */
bool dpn_everybody_seen(const dpn_step *step, size_t steps);

/* All steps as if their rates were 1; those of rate 0 are left out. Errors: those of the composition. */
dpn_status dpn_everybody_delta(dpn_delta *out, dpn_workspace *workspace, const dpn_step *step, size_t steps,
                               double epsilon, const dpn_accounting_options *options, dpn_error *why);
dpn_status dpn_everybody_epsilon(dpn_epsilon *out, dpn_workspace *workspace, const dpn_step *step, size_t steps,
                                 double delta, const dpn_accounting_options *options, dpn_error *why);

/* Upper ends for the samples: the delta above times the chance that a person is in any sample, and the epsilon that belongs to it. Without an
 * answer of the composition they say nothing, 0 and +inf. Errors: DPN_ENOMEM, DPN_ECANCELLED. */
dpn_status dpn_everybody_log_upper(double *log_delta, dpn_workspace *workspace, const dpn_step *step, size_t steps,
                                   double epsilon, dpn_error *why);
dpn_status dpn_everybody_epsilon_upper(double *epsilon, dpn_workspace *workspace, const dpn_step *step, size_t steps,
                                       double delta, dpn_error *why);

/* Whether the ends of an answer are so near to each other that a bound of another kind is not worth a look. */
bool dpn_delta_is_narrow(const dpn_delta *delta);
bool dpn_epsilon_is_narrow(const dpn_epsilon *epsilon);

/* The upper end of a wide answer about samples becomes what the same steps lose without samples, if that is less. Errors: as above, and the answer stays. */
dpn_status dpn_everybody_undercut_delta(dpn_delta *answer, dpn_workspace *workspace, const dpn_step *step, size_t steps,
                                        double epsilon, dpn_error *why);
dpn_status dpn_everybody_undercut_epsilon(dpn_epsilon *answer, dpn_workspace *workspace, const dpn_step *step,
                                          size_t steps, double delta, dpn_error *why);

#endif
