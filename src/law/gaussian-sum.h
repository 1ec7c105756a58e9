/* Half sums of Gaussians over the integers. With h = 1/sigma and y >= 0
 *
 *     T(y) = sum_{j>=0} w_j,  w_j = exp(-j h y - j^2 h^2/2),
 *
 * is to the discrete Gaussian what the Mills ratio is to the Gaussian: sum_{k>=K} exp(-k^2/2sigma^2) is the first of
 * its terms times T(K/sigma). Two routes, chosen by the bounds of docs/proofs/law/discrete-sums.md: the terms
 * themselves, at most 52 of them, or the Mills ratio and a polynomial by Euler-Maclaurin summation.
 * Accuracy: measured, relative error <= 4e-15 (tests/unit/law/t-gaussian-sum.c).
 */
#ifndef DPN_LAW_GAUSSIAN_SUM_H
#define DPN_LAW_GAUSSIAN_SUM_H

#include "law/bernoulli.h"
#include "law/family.h"
#include "law/power-sums.h"

/* What dpn_half_sum_prepare keeps in law->constant: h^2 as a twofold number, h, exp(-h^2/2) and the polynomial. A
 * family has the constants from DPN_AFTER_HALF_SUM on for itself. */
enum {
    DPN_RATE_HI = DPN_FIRST_CONSTANT,
    DPN_RATE_LO,
    DPN_STEP,
    DPN_DECAY,
    DPN_SERIES,
    DPN_AFTER_HALF_SUM = DPN_SERIES + DPN_BERNOULLI_TERMS,
};

void dpn_half_sum_prepare(dpn_law *law, double sigma);

/* h^2 = 1/sigma^2. */
static inline dpn_twofold dpn_rate(const dpn_law *law) {
    return (dpn_twofold){law->constant[DPN_RATE_HI], law->constant[DPN_RATE_LO]};
}

/* T(y) for y >= 0, 1 at infinity. */
double dpn_half_sum(const dpn_law *law, double y);

/* The two routes to T(y). The direct one holds for every y >= 0 but takes about 37/(h y) or 9/h terms, whichever is
 * less, and its rounding errors grow with their square; the other holds where dpn_half_sum_is_smooth says so. */
bool dpn_half_sum_is_smooth(const dpn_law *law, double y);
double dpn_half_sum_direct(const dpn_law *law, double y);
double dpn_half_sum_smooth(const dpn_law *law, double y);

/* sum w_j, sum j w_j, sum j^2 w_j for y >= 0. */
dpn_power_sums dpn_half_sum_powers(const dpn_law *law, double y);

/* sum_{j>=0} exp(-j d - j^2 h^2/2) for any d of either sign. sigma is the one that was prepared. */
dpn_tail dpn_half_sum_tilted(const dpn_law *law, double sigma, dpn_twofold d);

#endif
