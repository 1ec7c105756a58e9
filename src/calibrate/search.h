/* The shape and the spread over the coordinates with the least error. */
#ifndef DPN_CALIBRATE_SEARCH_H
#define DPN_CALIBRATE_SEARCH_H

#include "calibrate/boundary.h"

enum { DPN_SEARCH_SPREADS = 4 };

/* The families that compete with one whose shape is free, or free in a range that holds them: those in its limits, and that of
 * some of its members; NULL where there is none. */
enum { DPN_FAMILY_KIN = 3 };
void dpn_family_kin(const struct dpn_family *kin[DPN_FAMILY_KIN], const struct dpn_family *family,
                    const dpn_calibration_options *options);

/* Find the candidate of the family with the least error, its scale to a relative 1e-9 and certified. law is room for
 * the laws of the groups and holds those of the result; room is for DPN_SEARCH_SPREADS spreads, to one of which the
 * result may point. Where the shape is free the families in its limits and of its members compete too, and best->family
 * tells who won; but not where the moves of the problem are only bounded, since those of other families may be known.
 * `loose`: the scale and error are those of an estimate, and nothing is certified.
 * Errors   those of dpn_boundary if no shape has a certified scale.
 */
dpn_status dpn_search(dpn_candidate *best, dpn_law *law, dpn_spread *room, const dpn_problem *problem,
                      const struct dpn_family *family, bool loose, dpn_error *why);

#endif
