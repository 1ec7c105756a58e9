#include "privacy/profile/supremum.h"

#include "privacy/profile/closed-forms.h"

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
    if (isfinite(end)) return pieces && within(out, &psi, end, shift);
    dpn_slope slope =
        dpn_law_slope(law); /* psi is convex: it is the slope at infinity, and the loss comes near to it */
    const struct dpn_closed_form *form = dpn_closed_form_of(law);
    if (isinf(slope.top)) return pieces || (form && form->unbounded);
    *out = (dpn_quotient){slope.top, slope.unit[0], shift, slope.unit[1]};
    return true;
}
