#include "privacy/profile/supremum.h"

#include "privacy/profile/closed-forms.h"

/* Of a psi that is a sum of few terms without cancellation. */
#define MARGIN 1e-12

/* How many steps, which lie one period apart, a staircase descends at most over a shift. */
static double steps(double shift, double period) {
    double left = fmod(shift, period), whole = round((shift - left) / period);
    return whole + (left > 0);
}

/* Both densities live where |t| and |t + shift| are at most the end of the support. There the loss of a law with one
 * straight piece is its slope times |t + shift| - |t|; for others nothing is known. */
static bool within(dpn_quotient *out, const dpn_pieces *psi, double end, double shift) {
    const dpn_piece *piece = &psi->piece[0];
    if (psi->count != 1 || piece->curvature != 0) return false;
    double most = shift > end ? fmax(0, 2 * end - shift) : shift;
    *out = (dpn_quotient){piece->slope, psi->unit[0], most, psi->unit[1]};
    return true;
}

/* On the whole numbers psi(k + shift) - psi(k) grows with k, psi being convex: it is largest at the last k, end - shift. Where psi is
 * straight up to there it is exact; else the margin covers the rounding of psi. */
static bool within_whole(dpn_quotient *out, const dpn_law *law, double end, double shift) {
    dpn_twofold first = law->family->psi(law, 1);
    double most = shift > end ? fmax(0, 2 * end - shift) : shift;
    if (shift != floor(shift) || !(end < 0x1p52) || !(shift < 0x1p52)) return false;
    if (dpn_law_straight(law) >= end && first.lo == 0) {
        *out = (dpn_quotient){first.hi, 1, most, 1};
        return true;
    }
    if (shift >= 2 * end) {
        *out = (dpn_quotient){0, 1, 1, 1};
        return true;
    }
    dpn_twofold rise = dpn_two_subtract(law->family->psi(law, end), law->family->psi(law, fabs(end - shift)));
    *out = (dpn_quotient){dpn_two_value(rise) * (1 + MARGIN), 1, 1, 1};
    return true;
}

bool dpn_loss_supremum(dpn_quotient *out, const dpn_law *law, double shift) {
    dpn_pieces psi;
    dpn_stairs stairs;
    bool pieces = dpn_law_pieces(&psi, law);
    double end = dpn_law_support(law);
    *out = (dpn_quotient){INFINITY, 1, 1, 1};
    if (dpn_law_stairs(&stairs, law)) {
        *out = (dpn_quotient){stairs.height, 1, steps(shift, stairs.period), 1};
        return true;
    }
    if (!dpn_law_is_log_concave(law)) return false;
    if (isfinite(end) && dpn_law_is_integer(law)) return within_whole(out, law, end, shift);
    if (isfinite(end)) return pieces && within(out, &psi, end, shift);
    dpn_slope slope =
        dpn_law_slope(law); /* psi is convex: it is the slope at infinity, and the loss comes near to it */
    const struct dpn_closed_form *form = dpn_closed_form_of(law);
    if (isinf(slope.top)) return pieces || (form && form->unbounded);
    *out = (dpn_quotient){slope.top, slope.unit[0], shift, slope.unit[1]};
    return true;
}
