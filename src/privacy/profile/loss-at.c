/* The privacy loss at a point, and its inverse. */
#include "privacy/profile/loss-at.h"

#include "privacy/profile/closed-forms.h"
#include "privacy/profile/integer.h"

/* Beyond this thresholds count as infinite. */
#define FAR 1e300

/* The slope of psi at x > 0, for the part of a point that its leading double leaves out, at most 2^-53 of x. The step
 * of the difference bounds its error at a bend, and psi, a twofold number, loses little by it elsewhere. */
static double slope(const dpn_law *law, double x) {
    double step = ldexp(1, ilogb(x) - 48);
    dpn_twofold above = law->family->psi(law, x + step), below = law->family->psi(law, x - step);
    if (isfinite(above.hi)) return dpn_two_value(dpn_two_subtract(above, below)) / (2 * step);
    return dpn_two_value(dpn_two_subtract(law->family->psi(law, x), below)) / step;
}

/* psi(x) for a twofold x. */
static dpn_twofold psi_at(const dpn_law *law, dpn_twofold x) {
    if (x.hi < 0) x = dpn_two_negate(x);
    double support = dpn_law_support(law);
    if (x.hi > support || (x.hi == support && x.lo > 0)) return dpn_two(INFINITY);
    dpn_twofold psi = law->family->psi(law, x.hi);
    if (x.lo == 0 || !isfinite(psi.hi)) return psi;
    return dpn_two_add(psi, dpn_two_product(slope(law, x.hi), x.lo));
}

/* ---- psi made of pieces ---- */

static dpn_twofold size_of(dpn_twofold x) {
    return x.hi < 0 ? dpn_two_negate(x) : x;
}

static bool less(dpn_twofold a, dpn_twofold b) {
    return dpn_two_subtract(a, b).hi < 0;
}

/* psi(to) - psi(from) for 0 <= from <= to, from to - from: the loss may be constant on long stretches, or nearly so, and
 * epsilon may lie within a rounding of that constant. */
static dpn_twofold rise(const dpn_pieces *psi, dpn_twofold from, dpn_twofold to) {
    dpn_twofold sum = {0, 0};
    for (size_t k = dpn_pieces_find(psi, from);; k++) {
        const dpn_piece *piece = &psi->piece[k];
        bool last = k + 1 == psi->count || !less(dpn_two(psi->piece[k + 1].from), to);
        dpn_twofold end = last ? to : dpn_two(psi->piece[k + 1].from), length = dpn_two_subtract(end, from);
        dpn_twofold middle = dpn_two_subtract(dpn_two_scale(dpn_two_add(from, end), 0.5), dpn_two(piece->from));
        dpn_twofold slope = dpn_two_add(dpn_two(piece->slope), dpn_two_times(middle, piece->curvature));
        slope = dpn_two_divide(slope, psi->unit[1]);
        sum = dpn_two_add(sum, dpn_two_multiply(dpn_two_divide(length, psi->unit[0]), slope));
        if (last) return sum;
        from = end;
    }
}

static dpn_twofold piecewise(const dpn_pieces *psi, dpn_twofold from, dpn_twofold to) {
    from = size_of(from);
    to = size_of(to);
    return less(to, from) ? dpn_two_negate(rise(psi, to, from)) : rise(psi, from, to);
}

static bool find_pieces(dpn_pieces *psi, const dpn_law *law) {
    return isinf(dpn_law_support(law)) && dpn_law_pieces(psi, law);
}

bool dpn_psi_piecewise(const dpn_law *law) {
    dpn_pieces psi;
    return find_pieces(&psi, law);
}

dpn_twofold dpn_psi_difference(const dpn_law *law, const struct dpn_closed_form *form, dpn_twofold from,
                               dpn_twofold to) {
    dpn_pieces psi;
    if (form && form->psi_difference) return form->psi_difference(law, from, to);
    if (find_pieces(&psi, law)) return piecewise(&psi, from, to);
    dpn_twofold a = psi_at(law, from), b = psi_at(law, to);
    if (!isinf(a.hi) || !isinf(b.hi)) return dpn_two_subtract(b, a);
    /* Both densities vanish, or psi exceeds the largest double at both points. */
    double farther = fabs(to.hi) - fabs(from.hi);
    if (!isinf(dpn_law_support(law))) return dpn_two(NAN);
    return dpn_two(farther == 0 ? 0 : copysign(INFINITY, farther));
}

static dpn_twofold centred(const dpn_law *law, const struct dpn_closed_form *form, double shift, double t) {
    double half = 0.5 * shift;
    return dpn_psi_difference(law, form, dpn_two_sum(t, -half), dpn_two_sum(t, half));
}

/* The centred loss at t less the threshold. NaN, where both densities vanish, lies beyond it. */
static double excess_at(const dpn_profile *profile, double nu, double t) {
    return dpn_two_subtract(centred(&profile->law, profile->form, profile->sensitivity, t), dpn_two(nu)).hi;
}

/* Whether t belongs to the points below the threshold. */
static bool below(const dpn_profile *profile, double nu, bool strict, double t) {
    double rest = excess_at(profile, nu, t);
    return strict ? rest < 0 : rest <= 0;
}

/* Narrow a bracket of the threshold to a relative width of 2^-44: chords, moved towards the middle so that both ends
 * follow, and held to what bisection would have reached (Oliveira and Takahashi 2020). Then widen it a little, by more
 * than the rounding of the loss, so that points outside are on the same side as its ends. */
static void narrow(const dpn_profile *profile, double nu, bool strict, double *low, double *high) {
    double a = *low, b = *high, start = b - a, reach = start;
    double at_a = excess_at(profile, nu, a), at_b = excess_at(profile, nu, b);
    for (int i = 0; i < 60 && b - a > 0x1p-45 * b; i++) {
        double middle = a + 0.5 * (b - a), chord = a - at_a * ((b - a) / (at_b - at_a));
        if (!(chord > a && chord < b)) chord = middle;
        double side = middle >= chord ? 1 : -1, push = fmax(0.2 / start * (b - a) * (b - a), 0x1p-47 * b);
        double x = push < fabs(middle - chord) ? chord + side * push : middle;
        double radius = fmax(0, reach - 0.5 * (b - a)); /* reach halves at every step */
        if (fabs(x - middle) > radius) x = middle - side * radius;
        if (!(x > a && x < b)) break;
        double at_x = excess_at(profile, nu, x);
        if (strict ? at_x < 0 : at_x <= 0)
            a = x, at_a = at_x;
        else
            b = x, at_b = at_x;
        reach *= 0.5;
    }
    *low = fmax(*low, a - 0x1p-46 * b);
    *high = fmin(*high, b + 0x1p-46 * b);
}

/* A bracket of the threshold, of which the ends were tried: powers of two of the law's own scale. False: *low is the threshold itself. */
static bool bracket(const dpn_profile *profile, double nu, bool strict, double *low, double *high) {
    *low = 1 / profile->law.constant[DPN_PDF0];
    if (below(profile, nu, strict, *low)) {
        for (*high = 2 * *low; below(profile, nu, strict, *high); *high *= 2) {
            *low = *high;
            if (*high > FAR) {
                *low = INFINITY;
                return false;
            }
        }
    } else {
        for (*high = *low; !below(profile, nu, strict, *low); *low *= 0x1p-8) {
            if (*low == 0) return false;
            *high = *low;
        }
    }
    return true;
}

double dpn_centre_by_bisection(const dpn_profile *profile, double nu, bool strict) {
    double low, high;
    if (!bracket(profile, nu, strict, &low, &high)) return low;
    double known_below = low, known_above = high;
    narrow(profile, nu, strict, &known_below, &known_above);
    for (;;) { /* bisection, told of what is known */
        double middle = high > 4 * low ? sqrt(low) * sqrt(high) : low + 0.5 * (high - low);
        if (!(middle > low && middle < high)) return strict ? high : low;
        if (middle <= known_below || (middle < known_above && below(profile, nu, strict, middle)))
            low = middle;
        else
            high = middle;
    }
}

double dpn_centre_beyond(const dpn_profile *profile, double nu, double *away) {
    double low, high;
    *away = 0;
    if (!bracket(profile, nu, false, &low, &high)) return low;
    narrow(profile, nu, false, &low, &high);
    *away = high - low;
    return high;
}

dpn_twofold dpn_generic_centre(const dpn_profile *profile, double nu) {
    if (profile->law.family->integer)
        return dpn_two_sum(dpn_integer_threshold(profile, nu) - 1, 0.5 * profile->sensitivity);
    double lower, upper;
    dpn_profile_supremum(profile, &lower, &upper);
    if (fabs(nu) > upper || (nu == upper && lower == upper)) return dpn_two(copysign(INFINITY, nu));
    /* The loss is odd: sup{t : loss <= nu} = -sup{t : loss < -nu} for a negative nu. */
    double t = dpn_centre_by_bisection(profile, fabs(nu), nu < 0);
    return dpn_two(nu < 0 ? -t : t);
}

dpn_twofold dpn_profile_centre(const dpn_profile *profile, double nu) {
    bool closed = profile->form && profile->form->centre;
    return closed ? profile->form->centre(profile, nu) : dpn_generic_centre(profile, nu);
}

static bool whole(double t) {
    return t == floor(t);
}

double dpn_privacy_loss(const dpn_law *law, double shift, double t) {
    if (!isfinite(shift) || !isfinite(t)) return NAN;
    if (dpn_law_is_integer(law) && !(whole(shift) && whole(t))) return NAN;
    return dpn_two_value(dpn_psi_difference(law, dpn_closed_form_of(law), dpn_two(t), dpn_two_sum(t, shift)));
}

double dpn_privacy_loss_centred(const dpn_law *law, double shift, double t) {
    if (!isfinite(shift) || !isfinite(t)) return NAN;
    if (dpn_law_is_integer(law) && !(whole(shift) && whole(t - 0.5 * shift))) return NAN;
    return dpn_two_value(centred(law, dpn_closed_form_of(law), shift, t));
}

double dpn_privacy_loss_centred_inverse(const dpn_law *law, double shift, double nu) {
    if (!(shift > 0 && isfinite(shift)) || isnan(nu) || !dpn_law_is_log_concave(law)) return NAN;
    if (dpn_law_is_integer(law) && !whole(shift)) return NAN;
    /* +inf bounds every loss; the loss is -inf only where the first density has ended and the second has not. */
    if (isinf(nu)) return nu > 0 ? nu : -fabs(dpn_law_support(law) - 0.5 * shift);
    dpn_profile profile;
    dpn_profile_prepare(&profile, law, shift);
    return dpn_two_value(dpn_profile_centre(&profile, nu));
}
