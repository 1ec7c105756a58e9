/* The shape and the spread over the coordinates with the least error. */
#ifndef DPN_CALIBRATE_SEARCH_H
#define DPN_CALIBRATE_SEARCH_H

#include "calibrate/boundary.h"

/* Find the candidate of the family with the least error, its scale to a relative 1e-9 and certified. law is room for
 * the laws of the groups and holds those of the result. `limits`, the shape is free at both ends: then the families in
 * its limits compete too, and best->family tells who won.
 * Errors   those of dpn_boundary if no shape has a certified scale.
 */
dpn_status dpn_search(dpn_candidate *best, dpn_law *law, const dpn_problem *problem, const dpn_tuning *family,
                      dpn_error *why);

/* The accuracy that the last step asked of the accountant, for the same laws. */
dpn_status dpn_search_certify(dpn_delta *out, const dpn_candidate *best, const dpn_law *law, const dpn_problem *problem,
                              dpn_error *why);

#endif
