/* Logarithms to twice the precision of a double, for powers whose exponential is taken. */
#ifndef DPN_LAW_TWOFOLD_LOG_H
#define DPN_LAW_TWOFOLD_LOG_H

#include "base/twofold.h"

/* log x for a finite x > 0. Accuracy: measured, absolute error at most 2^-80 and 2^-102 of the value
 * (tests/unit/law/t-twofold-log.c). */
dpn_twofold dpn_two_log(double x);

#endif
