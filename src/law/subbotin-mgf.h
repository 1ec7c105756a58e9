/* The moment generating function of the Subbotin law. */
#ifndef DPN_LAW_SUBBOTIN_MGF_H
#define DPN_LAW_SUBBOTIN_MGF_H

#include "base/twofold.h"

/* E u^n/n! of u = |t|/scale, whose density is proportional to exp(-u^p/p) on u > 0. */
double dpn_subbotin_moment(double p, int n);

/* log E cosh(tau u) for p > 1, tau > 0: +inf only where it exceeds the largest double. */
double dpn_subbotin_log_mgf(double p, dpn_twofold tau);

#endif
