/* The shape and the spread over the coordinates with the least error. */
#ifndef DPN_CALIBRATE_SEARCH_H
#define DPN_CALIBRATE_SEARCH_H

#include "calibrate/boundary.h"

enum { DPN_SEARCH_SPREADS = 3 };

/* Find the candidate of the family with the least error, its scale to a relative 1e-9 and certified. law is room for
 * the laws of the groups and holds those of the result; room is for DPN_SEARCH_SPREADS spreads, to one of which the
 * result may point. Where the shape is free the families in its limits compete too, and best->family tells who won.
 * `loose`: the scale and error are those of an estimate, and nothing is certified.
 * Errors   those of dpn_boundary if no shape has a certified scale.
 */
dpn_status dpn_search(dpn_candidate *best, dpn_law *law, dpn_spread *room, const dpn_problem *problem,
                      const struct dpn_family *family, bool loose, dpn_error *why);

#endif
