/* The offsets of a start box with the least error. Any offsets are as private as any others: what is found here decides the error
 * alone. docs/proofs/calibrate/start-box.md, claim 5. */
#ifndef DPN_CALIBRATE_START_OFFSETS_H
#define DPN_CALIBRATE_START_OFFSETS_H

#include "calibrate/start-law.h"

/* Offsets c[i] for `count` coordinates whose error is key[i] times that of one of sensitivity 1: the weight times the square of
 * the sensitivity for the mean square, times the sensitivity for the mean absolute value. degree is 2 or 1 for these.
 * Domain   epsilon > 0, keys positive and finite, count >= 1.
 * Result   a local minimum of the error, found from two starts by its exact gradient, to a relative 1e-9 of the error. Above 192
 *          different keys neighbouring ones are searched together and offsets between them interpolated.
 * Errors   those of dpn_start_law_make. */
dpn_status dpn_start_offsets(double *c, bool stairs, double epsilon, const double *key, size_t count, int degree,
                             dpn_error *why);

#endif
