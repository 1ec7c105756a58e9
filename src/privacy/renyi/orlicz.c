/* E exp(s X^2/2 v), v the variance of the Gaussian tails: on every piece of psi the integrand is the exponential of a
 * quadratic, which never exceeds 1. */
#include <dpnoise/loss.h>

#include "base/error.h"
#include "law/facts.h"
#include "privacy/renyi/exp-quadratic.h"

#include <math.h>

/* The integral over piece k of exp(s x^2/2v - psi(x)), x in the unit that the pieces are given in. psi(from) is `base`. */
static double over_piece(const dpn_pieces *psi, size_t k, double s, double base) {
    const dpn_piece *piece = &psi->piece[k];
    double unit = psi->unit[0], tail = psi->piece[psi->count - 1].curvature, ratio = unit / psi->unit[1];
    double from = piece->from / unit, to = k + 1 < psi->count ? psi->piece[k + 1].from / unit : INFINITY;
    dpn_quadratic q = {{0.5 * s * tail * ratio * from * from - base,
                        -piece->slope / psi->unit[1] + s * tail * ratio * from,
                        -0.5 * ratio * (piece->curvature - s * tail)}};
    dpn_scaled integral = dpn_exp_quadratic(&q, to - from);
    return integral.mantissa * exp(integral.exponent);
}

dpn_status dpn_law_orlicz(double *out, const dpn_law *law, double s, dpn_error *why) {
    dpn_pieces psi;
    if (!(s >= 0 && s < 1)) return dpn_fail(why, DPN_EDOMAIN, "the Orlicz function is finite for 0 <= s < 1");
    bool known = !dpn_law_is_integer(law) && isinf(dpn_law_support(law)) && dpn_law_pieces(&psi, law);
    if (!known || psi.piece[psi.count - 1].curvature == 0)
        return dpn_fail(why, DPN_EUNSUPPORTED, "%s noise has no Gaussian tails", law->family->name);
    double sum = 0;
    for (size_t k = 0; k < psi.count; k++)
        sum += over_piece(&psi, k, s, dpn_two_value(dpn_pieces_psi(&psi, dpn_two(psi.piece[k].from))));
    *out = 2 * (law->constant[DPN_PDF0] * psi.unit[0]) * sum;
    return DPN_OK;
}
