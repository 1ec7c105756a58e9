/* The candidates of a quantile for which none are listed. */
#ifndef DPN_COMPILE_EDGES_H
#define DPN_COMPILE_EDGES_H

#include <dpnoise/status.h>
#include <stddef.h>

enum { DPN_EDGES_STEPS = 1000 };

/* The decimals lower, lower + s, ..., upper with s = (upper - lower)/1000, exactly; the array and its texts are freed by the
 * caller.
 * Domain   lower < upper, decimals.
 * Errors   DPN_EPARSE, DPN_EDOMAIN, DPN_ENOMEM. On error nothing is written. */
dpn_status dpn_edges_make(char ***edge, size_t *edges, const char *lower, const char *upper, dpn_error *why);

/* The edges of a tree: "-inf", lower, lower + step, ..., upper.
 * Domain   what dpn_candidates_steps accepts.
 * Errors   as above. */
dpn_status dpn_edges_step(char ***edge, size_t *edges, const char *lower, const char *upper, const char *step,
                          dpn_error *why);

#endif
