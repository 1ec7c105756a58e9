/* Finite geometric sums, in forms that neither cancel nor overflow. */
#ifndef DPN_LAW_GEOMETRIC_SUM_H
#define DPN_LAW_GEOMETRIC_SUM_H

#include "law/family.h"
#include "law/power-sums.h"

/* sum w_j, sum j w_j, sum j^2 w_j over 0 <= j < n with w_j = exp(-a j), for a > 0 and a whole n >= 1.
 * Accuracy: measured, relative error <= 1e-14 (tests/unit/law/t-geometric-sum.c). */
dpn_power_sums dpn_geometric_powers(double a, double n);

/* sum over 1 <= k <= n of exp(-d k) for any d of either sign and a whole n >= 0. */
dpn_tail dpn_geometric_tilted(dpn_twofold d, double n);

#endif
