/* The noise of a query: how the guarantee is divided, the plan, the threshold. */
#ifndef DPN_COMPILE_NOISE_H
#define DPN_COMPILE_NOISE_H

#include "release/compile/query.h"

/* The share of delta that unknown keys may take, in hundredths; noise that is not pure gets the rest. The default plan of a
 * filter sets as much aside (src/privacy/filter/plan.c), so that releases with unknown keys sum up to a budget. */
enum { DPN_THRESHOLD_SHARE = 50 };

/* Fill in moved_groups, release, threshold, quantile_epsilon and the cells of a compiled query. docs/proofs/release/statistics.md
 * has the argument. */
dpn_status dpn_query_add_noise(dpn_query *query, const dpn_calibration_options *options, dpn_error *why);

#endif
