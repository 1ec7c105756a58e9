/* The conditions other than the exact profile: upper bounds of delta for one common law. */
#ifndef DPN_CALIBRATE_CONDITION_H
#define DPN_CALIBRATE_CONDITION_H

#include "calibrate/problem.h"

/* log of a bound of delta(epsilon) by the problem's condition, which is not the exact one.
 * Errors   DPN_EUNSUPPORTED for laws that the condition does not know.
 */
dpn_status dpn_condition_log_delta(double *out, const dpn_problem *problem, const dpn_law *law, dpn_error *why);

#endif
