/* Affine bounds of the loss (docs/proofs/privacy/affine-loss.md).
 *
 * psi(x) = c x^2/2 + h(x), c the curvature of the last piece. Where h is concave and does not fall, the centred loss
 * c t d + h(|t + d/2|) - h(|t - d/2|) is at most c t d + h(|d|), with equality at t = d/2. */
#include <dpnoise/loss.h>

#include "base/error.h"
#include "law/facts.h"

#include <float.h>
#include <math.h>

/* h'(x) on piece k, in its own unit. */
static double rest(const dpn_pieces *psi, size_t k, double x) {
    const dpn_piece *piece = &psi->piece[k];
    return piece->slope + piece->curvature * (x - piece->from) - psi->piece[psi->count - 1].curvature * x;
}

/* Whether h is concave and does not fall. On each piece h' is affine: its ends tell. */
static bool is_concave(const dpn_pieces *psi) {
    double before = INFINITY;
    for (size_t k = 0; k < psi->count; k++) {
        double first = rest(psi, k, psi->piece[k].from);
        double last = k + 1 < psi->count ? rest(psi, k, psi->piece[k + 1].from) : first;
        if (!(first <= before && last <= first && last >= 0)) return false;
        before = last;
    }
    return true;
}

/* h(d), rounded up: sums of products of lengths and slopes in the middle, all of them positive. */
static double h_upper(const dpn_pieces *psi, double d) {
    double sum = 0;
    for (size_t k = 0; k < psi->count && psi->piece[k].from < d; k++) {
        double from = psi->piece[k].from, to = k + 1 < psi->count ? fmin(d, psi->piece[k + 1].from) : d;
        sum += (to - from) / psi->unit[0] * (rest(psi, k, 0.5 * (from + to)) / psi->unit[1]);
    }
    return sum * (1 + 32 * DBL_EPSILON);
}

dpn_status dpn_privacy_loss_affine(dpn_affine *out, const dpn_law *law, double shift, dpn_error *why) {
    dpn_pieces psi;
    if (!isfinite(shift)) return dpn_fail(why, DPN_EDOMAIN, "the shift must be finite");
    if (isfinite(dpn_law_support(law)) || !dpn_law_pieces(&psi, law))
        return dpn_fail(why, DPN_EUNSUPPORTED, "no affine bound of the loss of %s noise is known", law->family->name);
    double size = fabs(shift), curvature = psi.piece[psi.count - 1].curvature;
    if (is_concave(&psi)) {
        dpn_twofold ratio = dpn_two_divide(dpn_two_quotient(shift, psi.unit[0]), psi.unit[1]);
        double slope = dpn_two_value(dpn_two_times(ratio, curvature));
        if (!isfinite(slope)) slope = curvature * (shift / psi.unit[0]) / psi.unit[1];
        *out = (dpn_affine){.slope = slope, .offset = h_upper(&psi, size), .touches = true};
        return DPN_OK;
    }
    dpn_slope most = dpn_law_slope(law);
    if (curvature != 0 || !isfinite(most.top))
        return dpn_fail(why, DPN_EUNSUPPORTED, "no affine bound of the loss of %s noise is known", law->family->name);
    *out = (dpn_affine){.offset = most.top * (size / most.unit[0]) / most.unit[1] * (1 + 8 * DBL_EPSILON)};
    return DPN_OK;
}
