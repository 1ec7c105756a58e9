/* How far a start box has grown: the hidden size t of its noise.
 *
 * The density of the noise at v is proportional to exp(-epsilon t(v)), t(v) = max (|v_i|/lambda_i - c_i)_+ (start-box), or to
 * exp(-epsilon ceil t(v)) (start-staircase). Given the hidden size t the coordinates are independent and uniform on
 * [-lambda_i (c_i + t), lambda_i (c_i + t)], and t has the density (or, on 0, 1, 2 .., the probability) proportional to
 * exp(-epsilon t) (c_1 + t) .. (c_m + t). docs/proofs/calibrate/start-box.md
 */
#ifndef DPN_CALIBRATE_START_LAW_H
#define DPN_CALIBRATE_START_LAW_H

#include <dpnoise/calibrate.h>

/* Offsets that several coordinates share. */
typedef struct dpn_start_group {
    double c; /* >= 0 and finite */
    double count;
} dpn_start_group;

/* The law of t as points and their shares, which add up to 1: of the staircase the points themselves, of the box those of a
 * quadrature that is exact but for rounding on what is asked of it. */
typedef struct dpn_start_law {
    size_t points, room;
    double *size, *share;
    double mean, square; /* E t, E t^2 */
    double at_start;     /* of the box: the density of t at 0 */
} dpn_start_law;

/* The law for these offsets; one that is all zero, or was made before, provides the memory. Free with dpn_start_law_free.
 * Domain   epsilon > 0; some group has a count above 0; of the staircase the offsets are positive.
 * Accuracy measured: moments to a relative 1e-13 (tests/unit/calibrate/t-start-box.c).
 * Errors   DPN_EDOMAIN for an epsilon or offsets beyond doubles; DPN_EUNSUPPORTED for a staircase of more steps than are
 *          worth adding up: below some epsilon it is the box, but for a relative epsilon^2; DPN_ENOMEM. */
dpn_status dpn_start_law_make(dpn_start_law *law, bool stairs, double epsilon, const dpn_start_group *group,
                              size_t groups, dpn_error *why);
void dpn_start_law_free(dpn_start_law *law);

/* The error of a coordinate of sensitivity 1 with the offset c. */
double dpn_start_law_error(const dpn_start_law *law, double c, dpn_objective objective);

/* P(X > x) of that coordinate, x >= 0. */
double dpn_start_law_sf(const dpn_start_law *law, double c, double x);

/* Give a block of a start box, whose epsilon, coordinates and offsets are set, the law of its size. Where that is not to be
 * had it stays NULL: the error of the block is not known. Errors: DPN_ENOMEM. */
dpn_status dpn_start_block_measure(dpn_block *block, dpn_error *why);

#endif
