#include "law/generic.h"

#include "law/facts.h"
#include "law/tanh-sinh.h"

/* ---- a tilted density e^(s x - psi(x)), which is log-concave, on one side of a point ---- */

typedef double weight_at(const dpn_law *law, double x);

typedef struct side {
    const dpn_law *law;
    double s;              /* the tilt */
    weight_at *weight;     /* NULL: 1 */
    double origin, sign;   /* x = origin + sign y */
    dpn_twofold reference; /* the exponent at the origin */
} side;

/* How deep below its peak a density is followed. */
static const double deepest = 60;

static dpn_twofold exponent(const dpn_law *law, double s, double x) {
    dpn_twofold psi = law->family->psi(law, x);
    return s == 0 || !isfinite(psi.hi) ? psi : dpn_two_subtract(psi, dpn_two_product(s, x));
}

/* By how much the exponent has risen at y. */
static double rise(const side *at, double y) {
    double x = at->origin + at->sign * y;
    return dpn_two_value(dpn_two_subtract(exponent(at->law, at->s, x), at->reference));
}

static double value(const void *context, double y) {
    const side *at = context;
    double density = exp(-rise(at, y));
    return at->weight && density > 0 ? density * at->weight(at->law, at->origin + at->sign * y) : density;
}

/* The y where the exponent has risen by depth, to a hundredth, or most if that is less. The exponent is convex. */
static double reach(const side *at, double depth, double most) {
    int low = -1074, high = 1023; /* too near, and far enough, as powers of two */
    while (high - low > 1) {
        int middle = low + (high - low) / 2;
        if (rise(at, ldexp(1, middle)) < depth)
            low = middle;
        else
            high = middle;
    }
    double from = ldexp(1, low), to = ldexp(1, high);
    for (int i = 0; i < 7; i++) {
        double middle = 0.5 * (from + to);
        if (rise(at, middle) < depth)
            from = middle;
        else
            to = middle;
    }
    return fmin(to, most);
}

/* ---- the area or the sum over y from 0 to an end, where psi is smooth ---- */

/* Laws on the integers with at most N terms are added up one by one. */
enum { FEW = 20000, DIFFERENCES = 5 };

static double sum_of_terms(const side *at, double from, double to) {
    double sum = 0;
    for (double y = to; y >= from; y--) sum += value(at, y); /* the smallest first, mostly */
    return sum;
}

/* What Gregory's formula adds at an end for the sum in the place of the integral: f/2 - D/12 + D^2/24 - ..., the
 * differences looking inwards. Of FEW terms that fall by e^-60 neighbours differ by 60/FEW of themselves or less, where it
 * matters. */
static double correction(const side *at, double end, double inwards) {
    static const double factor[DIFFERENCES] = {1.0 / 2, -1.0 / 12, 1.0 / 24, -19.0 / 720, 3.0 / 160};
    double f[DIFFERENCES], sum = 0;
    for (int i = 0; i < DIFFERENCES; i++) f[i] = value(at, end + inwards * i);
    for (int k = 0; k < DIFFERENCES; k++) {
        sum += factor[k] * f[0];
        for (int i = 0; i + 1 < DIFFERENCES - k; i++) f[i] = f[i + 1] - f[i];
    }
    return sum;
}

/* A part of a side: y from an offset on. */
typedef struct part {
    const side *at;
    double from;
} part;

static double value_in_part(const void *context, double y) {
    const part *in = context;
    return value(in->at, in->from + y);
}

static double area(const side *at, double from, double to) {
    part in = {at, from};
    return to > from ? dpn_integrate(value_in_part, &in, to - from) : 0;
}

/* The terms from <= y <= to, both whole. */
static double sum_of_stretch(const side *at, double from, double to) {
    if (to - from < FEW) return sum_of_terms(at, from, to);
    return area(at, from, to) + correction(at, from, 1) + correction(at, to, -1);
}

/* The whole side, up to y = end, cut at the corners of psi. */
static double total(const side *at, double end) {
    bool integer = at->law->family->integer;
    dpn_pieces pieces = {.count = 0};
    if (!dpn_law_pieces(&pieces, at->law)) pieces.count = 0;
    double sum = 0, from = 0;
    for (size_t i = 1; i < pieces.count; i++) {
        size_t k = at->sign > 0 ? i : pieces.count - i; /* in the order of y */
        double cut = at->sign * (pieces.piece[k].from - at->origin);
        if (integer) cut = floor(cut);
        if (!(cut > from && cut < end)) continue;
        sum += integer ? sum_of_stretch(at, from, cut) : area(at, from, cut);
        from = integer ? cut + 1 : cut;
    }
    return sum + (integer ? sum_of_stretch(at, from, floor(end)) : area(at, from, end));
}

/* From a point on, to the right. */
static double right_of(const dpn_law *law, double from, double s, weight_at *weight) {
    side at = {law, s, weight, from, 1, exponent(law, s, from)};
    return total(&at, reach(&at, deepest, dpn_law_support(law) - from));
}

/* ---- the constants and the tail ---- */

void dpn_generic_prepare(dpn_law *law) {
    double half = right_of(law, 0, 0, NULL), whole = law->family->integer ? 2 * half - 1 : 2 * half;
    law->constant[DPN_PDF0] = 1 / whole;
    law->constant[DPN_LOG_PDF0] = -log(whole);
}

dpn_tail dpn_generic_tail(const dpn_law *law, double t) {
    double from = law->family->integer ? t + 1 : t, end = dpn_law_support(law);
    if (law->family->integer ? from > end : from >= end) return (dpn_tail){0, dpn_two(0)};
    dpn_twofold psi = law->family->psi(law, from);
    if (!isfinite(psi.hi)) return (dpn_tail){0, psi};
    return (dpn_tail){law->constant[DPN_PDF0] * right_of(law, from, 0, NULL), psi};
}

/* ---- quantiles ---- */

static const double last_step = 1e-9; /* Newton's method: what is left after it is its square */

/* The t with a given area between 0 and t. It is concave in t, so from the left the iterates stay there. */
static double central_inverse(const dpn_law *law, double goal) {
    double t = goal;
    for (int i = 0; i < 60; i++) {
        side at = {law, 0, NULL, 0, 1, {0, 0}};
        double step = (goal - total(&at, t)) * exp(dpn_two_value(law->family->psi(law, t)));
        t += step;
        if (!(fabs(step) > last_step * t)) break;
    }
    return t;
}

/* The logarithm of the tail is concave and decreasing, so from the right the iterates stay there; a step from the left
 * lands there. Where psi is so steep that this does not hold after rounding, the way back to the left is halved. Steps
 * beyond the end of the support are taken as if the density were constant up to it. */
static double outer_inverse(const dpn_law *law, double p) {
    double goal = log(p), left = 0, t = 0, end = dpn_law_support(law);
    for (int i = 0; i < 2000 && t < end; i++) {
        dpn_tail tail = dpn_generic_tail(law, t);
        double gap = (log(tail.mantissa) - tail.exponent.hi - goal) - tail.exponent.lo;
        double next = t + gap * (tail.mantissa / law->constant[DPN_PDF0]);
        if (gap > 0) left = t;
        if (next >= end) next = end - (end - t) * (p / dpn_two_exp_scaled(tail.mantissa, tail.exponent));
        if (!(next > left) && gap != 0) next = 0.5 * (left + t);
        double step = fabs(next - t);
        t = next;
        if (!(step > last_step * t)) break;
    }
    return t;
}

double dpn_generic_tail_inverse(const dpn_law *law, double p) {
    return p >= 0.25 ? central_inverse(law, (0.5 - p) / law->constant[DPN_PDF0]) : outer_inverse(law, p);
}

/* ---- moments ---- */

static double mean(const dpn_law *law, weight_at *weight) {
    return 2 * law->constant[DPN_PDF0] * right_of(law, 0, 0, weight); /* the weights vanish at 0 */
}

/* Powers in units of 1/pdf(0), lest they underflow. */
static double plain(const dpn_law *law, double x) {
    return x * law->constant[DPN_PDF0];
}

static double square(const dpn_law *law, double x) {
    return plain(law, x) * plain(law, x);
}

static double psi_value(const dpn_law *law, double x) {
    return dpn_two_value(law->family->psi(law, x));
}

double dpn_generic_variance(const dpn_law *law) {
    return mean(law, square) / law->constant[DPN_PDF0] / law->constant[DPN_PDF0];
}

double dpn_generic_mean_abs(const dpn_law *law) {
    return mean(law, plain) / law->constant[DPN_PDF0];
}

double dpn_generic_entropy(const dpn_law *law) {
    return mean(law, psi_value) - law->constant[DPN_LOG_PDF0];
}

/* psi' by central differences of halved steps and Richardson's extrapolation; from the pieces if there are any. */
static double slope_at(const dpn_law *law, double x) {
    enum { LEVELS = 5 };
    dpn_pieces pieces;
    if (dpn_law_pieces(&pieces, law)) {
        const dpn_piece *piece = &pieces.piece[dpn_pieces_find(&pieces, dpn_two(x))];
        return (piece->slope + piece->curvature * (x - piece->from)) / pieces.unit[0] / pieces.unit[1];
    }
    double estimate[LEVELS], step = fmin(x, 1 / law->constant[DPN_PDF0]) / 32;
    for (int i = 0; i < LEVELS; i++, step *= 0.5) {
        double above = x + step, below = x - step;
        estimate[i] = dpn_two_value(dpn_two_subtract(law->family->psi(law, above), law->family->psi(law, below))) /
                      (above - below);
    }
    double power = 4;
    for (int order = 1; order < LEVELS; order++, power *= 4)
        for (int i = 0; i + order < LEVELS; i++)
            estimate[i] = estimate[i + 1] + (estimate[i + 1] - estimate[i]) / (power - 1);
    return estimate[0];
}

static double slope_square(const dpn_law *law, double x) {
    double slope = slope_at(law, x) / law->constant[DPN_PDF0];
    return slope * slope;
}

/* A density that jumps to 0 where the support ends has none. */
double dpn_generic_fisher(const dpn_law *law) {
    double end = dpn_law_support(law);
    if (law->family->integer) return NAN;
    if (law->family->not_log_concave || (isfinite(end) && isfinite(law->family->psi(law, end).hi))) return INFINITY;
    return mean(law, slope_square) * law->constant[DPN_PDF0] * law->constant[DPN_PDF0];
}

/* ---- the moment generating function ---- */

/* The slope of psi at infinity, if it has settled to one: that of the last doubling is that of earlier ones. */
double dpn_generic_mgf_bound(const dpn_law *law) {
    dpn_slope slope = dpn_law_slope(law);
    if (isfinite(dpn_law_support(law))) return INFINITY;
    if (isfinite(slope.top)) return slope.top / slope.unit[0] / slope.unit[1];
    double far = 0x1p50 / law->constant[DPN_PDF0], settled = 0;
    for (int i = 0; i < 3; i++, far *= 0x1p50) {
        double here = dpn_two_value(dpn_two_subtract(law->family->psi(law, 2 * far), law->family->psi(law, far))) / far;
        if (!(fabs(here - settled) <= 1e-15 * here) && i > 0) return INFINITY;
        settled = here;
    }
    return settled;
}

/* A point near the peak of e^(s x - psi(x)), s > 0; +inf if it never falls. */
static double peak_of(const dpn_law *law, double s) {
    double end = dpn_law_support(law), x = law->family->integer ? 1 : 0.5 / law->constant[DPN_PDF0];
    side at = {law, s, NULL, 0, 1, {0, 0}};
    while (x < end && rise(&at, 2 * x) < rise(&at, x))
        if ((x *= 2) > 1e300) return INFINITY;
    double from = 0, to = fmin(2 * x, end);
    for (int i = 0; i < 90; i++) { /* thirds of a convex function */
        double third = (to - from) / 3, left = from + third, right = to - third;
        if (rise(&at, left) > rise(&at, right))
            from = left;
        else
            to = right;
    }
    double peak = 0.5 * (from + to);
    return law->family->integer ? floor(peak) : peak;
}

/* The sum or integral of e^(s x - psi(x)) over x >= 0, as mantissa e^-exponent. */
static dpn_tail growing(const dpn_law *law, double s) {
    double peak = peak_of(law, s);
    if (isinf(peak)) return (dpn_tail){1, dpn_two(-INFINITY)};
    dpn_twofold top = exponent(law, s, peak);
    side right = {law, s, NULL, peak, 1, top}, left = {law, s, NULL, peak, -1, top};
    double sum = total(&right, reach(&right, deepest, dpn_law_support(law) - peak));
    if (peak > 0) sum += total(&left, reach(&left, deepest, peak)) - law->family->integer; /* the peak is in both */
    return (dpn_tail){sum, top};
}

/* Near s = 0 it is s^2 variance/2, to 1e-8 of itself. */
double dpn_generic_log_mgf(const dpn_law *law, double s) {
    if (s < 1e-4 * law->constant[DPN_PDF0]) return 0.5 * s * (s * dpn_law_variance(law));
    if (s >= dpn_generic_mgf_bound(law)) return INFINITY;
    dpn_tail up = growing(law, s);
    if (isinf(up.exponent.hi)) return INFINITY;
    double down = right_of(law, 0, -s, NULL) - law->family->integer; /* 0 is in both */
    double sum = up.mantissa + dpn_two_exp_scaled(down, dpn_two_negate(up.exponent));
    return ((log(sum) + law->constant[DPN_LOG_PDF0]) - up.exponent.lo) - up.exponent.hi;
}
