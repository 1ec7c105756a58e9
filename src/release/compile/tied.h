/* Sums that one row moves together: the hull of what it can add to them. docs/proofs/release/tied.md */
#ifndef DPN_COMPILE_TIED_H
#define DPN_COMPILE_TIED_H

#include "release/compile/query.h"

/* Vertices, rows of a number for each moment, whose hull with their negatives holds every move of one unit in one group; to be
 * freed with free(). bound: how far each moment moves, as the release has it. None, and *vertex NULL, where the box of the
 * bounds is as good, and where there would be too many to make a hull of.
 * Errors   DPN_ENOMEM. */
dpn_status dpn_tied_vertices(double **vertex, size_t *vertices, const dpn_query *query, const double *bound,
                             dpn_error *why);

/* Take noise of that hull for a release of the box, if its error is less by 1% or more. The options are those of the release;
 * without `hulls` in its calibration nothing is done, nor where its family or what it excludes leave K-norm noise out.
 * Errors   DPN_ENOMEM, and those of a search that was stopped. On error *release stays as it was. */
dpn_status dpn_tied_release(dpn_release **release, const dpn_query *query, const dpn_release_options *options,
                            dpn_error *why);

#endif
