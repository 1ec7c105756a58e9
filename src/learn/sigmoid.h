/* The logistic function in whole numbers: the same on every machine, with an error that is proved. */
#ifndef DPN_LEARN_SIGMOID_H
#define DPN_LEARN_SIGMOID_H

#include "base/dyadic.h"

#include <stdint.h>

__extension__ typedef unsigned __int128 dpn_uint128;

/* 1/(1 + e^x) for x >= 0, which is at most 1/2, in steps of 2^-62; x is a whole number of steps of 2^-64.
 * Accuracy bounded: off by less than 2^-59 (docs/proofs/learn/objective.md, O6). */
enum { DPN_SIGMOID_LOG = 62 };
int64_t dpn_sigmoid_tail(dpn_uint128 x);

#endif
