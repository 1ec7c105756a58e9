/* Renyi divergences of noise on the integers from its psi: sums. */
#include "privacy/renyi/terms.h"

#include "law/facts.h"
#include "privacy/profile/loss-at.h"
#include "privacy/profile/smooth-sum.h"
#include "privacy/renyi/segments.h"

#include <float.h>
#include <math.h>

/* The most terms that are added one by one. */
enum { FEW_TERMS = 1 << 13 };

static const dpn_growth unknown = {INFINITY, INFINITY};

/* One law at one shift and order. */
typedef struct subject {
    const dpn_law *law;
    double shift, theta;
} subject;

/* The loss at k and the logarithm of its mass. */
static double loss_at(const subject *at, double k, double *log_mass) {
    const struct dpn_family *family = at->law->family;
    dpn_twofold here = family->psi(at->law, fabs(k));
    *log_mass = -dpn_two_value(here);
    return dpn_two_value(dpn_two_subtract(family->psi(at->law, k + at->shift), here));
}

/* Past the corner psi(k) and psi(k + d) are one quadratic, and the tilted masses e^(theta L - psi) those of a Gaussian of
 * the quadratic's width around a peak. If the piece before is straight, from its start to corner - d the loss is constant and
 * the masses fall. Stretches whose masses are below e^-42 of the largest, and rise or fall throughout, are jumped over.
 */
typedef struct stretch {
    double flat, flat_end, corner, peak, width;
} stretch;

static const double drop = 42, reach = 9.5; /* e^(-reach^2/2) is below e^-drop */

static double exponent_at(const subject *at, double k) {
    double mass, loss = loss_at(at, k, &mass);
    return mass + at->theta * loss;
}

/* Without an end that is quadratic: psi is straight from the last corner on, where the masses fall; or there are no
 * pieces, the tilted masses of a regular law rise up to one point and form a log-concave sequence from there on
 * (docs/proofs/privacy/renyi.md, section 4), and their width is what they need for a fall by e^-42. */
static stretch stretch_of_any(const subject *at, double corner) {
    double low = 0, high = 1;
    if (corner > 0) return (stretch){0, 0, corner, corner, drop / at->law->constant[DPN_PDF0] / reach};
    while (exponent_at(at, high + 1) > exponent_at(at, high) && high < 0x1p52) high *= 2;
    while (high - low > 1) { /* the masses rise at low, or it is 0; they do not at high */
        double middle = floor(low + 0.5 * (high - low));
        *(exponent_at(at, middle + 1) > exponent_at(at, middle) ? &low : &high) = middle;
    }
    double top = exponent_at(at, high), right = 1, left = 1;
    while (exponent_at(at, high + right) > top - drop && right < 0x1p52) right *= 2;
    while (left < high && exponent_at(at, high - left) > top - drop) left *= 2;
    return (stretch){0, 0, 0, high, fmax(left, right) / reach};
}

static stretch stretch_of(const subject *at) {
    dpn_pieces psi;
    if (!dpn_law_pieces(&psi, at->law)) return stretch_of_any(at, 0);
    const dpn_piece *last = &psi.piece[psi.count - 1], *before = psi.count > 1 ? last - 1 : NULL;
    if (!(last->curvature > 0)) return stretch_of_any(at, fmax(1, ceil(last->from)));
    double centre = last->from - last->slope / last->curvature + at->theta * at->shift;
    double width = psi.unit[0] == psi.unit[1] && last->curvature == 1
                       ? psi.unit[0]
                       : sqrt(psi.unit[0] / last->curvature) * sqrt(psi.unit[1]);
    bool straight = before && before->curvature == 0;
    return (stretch){straight ? before->from : 0, straight ? last->from - at->shift : 0, last->from, centre, width};
}

/* The next k to be added after k, whose tilted mass is e^exponent; +inf at the end. */
static double next_term(const stretch *at, double k, double exponent, double top) {
    bool negligible = exponent < top - drop;
    if (k >= at->corner && k + 1 < at->peak - reach * at->width) return floor(at->peak - reach * at->width);
    if (k >= fmax(at->corner, at->peak) && negligible) return INFINITY;
    if (k >= at->flat && k + 1 < at->flat_end && negligible) return floor(at->flat_end);
    return k + 1;
}

static dpn_growth sum_of_terms(const subject *at, const stretch *along) {
    dpn_tilted tilt = dpn_tilted_begin(at->theta, true);
    double exponent, top = -INFINITY;
    for (double k = ceil(-0.5 * at->shift); k < INFINITY; k = next_term(along, k, exponent, top)) {
        double mass, loss = loss_at(at, k, &mass);
        dpn_tilted_add(&tilt, loss, mass, 2 * k == -at->shift ? 0.5 : 1, -mass);
        exponent = mass + at->theta * loss;
        top = fmax(top, exponent);
    }
    /* What was left out is below (4 + width) e^-drop of the whole: geometric series and tails of Gaussians. */
    return dpn_tilted_divergence(&tilt, 1 / at->law->constant[DPN_PDF0], DPN_PLAIN_ERROR + 1e-17 * (4 + along->width));
}

/* ---- the same for wide noise: many terms at a time (profile/smooth-sum.h) ---- */

typedef struct wide {
    const subject *at;
    double top; /* 0: the summand is the gain; else the tilted masses in the unit e^top */
} wide;

static double summand_at(const void *context, double k) {
    const wide *w = context;
    double mass, loss = loss_at(w->at, k, &mass), theta = w->at->theta;
    double half = 2 * k == -w->at->shift ? 0.5 : 1;
    if (w->top == 0) return half * exp(mass) * dpn_tilted_gain(theta, loss);
    return half * (exp(mass + theta * loss - w->top) + exp(mass - (1 + theta) * loss - w->top));
}

/* The points where psi(k) or psi(k + d) bends, both neighbours of each: between them the summand is smooth. */
static double next_bend(const subject *at, const stretch *along, double k, double otherwise) {
    double bend[] = {-along->corner, 0, along->corner - at->shift, along->corner, ceil(-0.5 * at->shift) + 1};
    for (int i = 0; i < 5; i++) {
        if (floor(bend[i]) > k) otherwise = fmin(otherwise, floor(bend[i]));
        if (floor(bend[i]) + 1 > k) otherwise = fmin(otherwise, floor(bend[i]) + 1);
    }
    return otherwise;
}

static dpn_growth sum_of_stretches(const subject *at, const stretch *along) {
    double plain = 1 / at->law->constant[DPN_PDF0], piece = ceil(2 * fmin(along->width, plain));
    double largest = fmax(exponent_at(at, 0), exponent_at(at, fmax(0, floor(along->peak))));
    double top = -INFINITY;
    wide w = {at, largest > 100 ? largest : 0}; /* e^(theta L) does not overflow before */
    dpn_summand summand = {summand_at, &w, true};
    dpn_smooth_total total = {0, 0, 20000};
    double noise = w.top == 0 ? 0 : 32 * DBL_EPSILON * w.top * piece; /* of the exponents; the summands are at most 2 */
    for (double k = ceil(-0.5 * at->shift); k < INFINITY;) {
        double next = next_bend(at, along, k, k + piece);
        dpn_smooth_add(&total, &summand, k, next, noise);
        if (total.budget <= 0) return unknown;
        double exponent = exponent_at(at, next - 1);
        top = fmax(top, fmax(exponent, exponent_at(at, k)));
        k = next_term(along, next - 1, exponent, top);
    }
    double error = DPN_SMOOTH_ERROR + 10 * total.error / total.sum;
    if (w.top == 0) return (dpn_growth){dpn_tilted_of_gain(at->theta, total.sum / plain), error};
    double cumulant = w.top + log(total.sum / plain);
    return (dpn_growth){cumulant / at->theta, error / cumulant + 16 * DBL_EPSILON};
}

dpn_growth dpn_terms_few(const dpn_law *law, double shift, double theta) {
    subject at = {law, shift, theta};
    stretch along = stretch_of(&at);
    return sum_of_terms(&at, &along);
}

dpn_growth dpn_terms_many(const dpn_law *law, double shift, double theta) {
    subject at = {law, shift, theta};
    stretch along = stretch_of(&at);
    return sum_of_stretches(&at, &along);
}

/* What the losses, of a psi that is right to a few ulps alone, may add to the error: at most (theta + 2/L) dL, as in
 * integral.c, looked at a width beyond the peak. */
static double doubt_of_losses(const subject *at, const stretch *along) {
    double k = floor(fmax(along->peak, 0) + fmin(along->width, 1 / at->law->constant[DPN_PDF0])), mass;
    double loss = loss_at(at, k, &mass);
    return dpn_psi_piecewise(at->law) ? 0 : 16 * DPN_PSI_ERROR * (at->theta + 2 / loss) * (loss - 2 * mass);
}

dpn_growth dpn_terms_divergence(const dpn_law *law, double shift, double theta) {
    subject at = {law, shift, theta};
    stretch along = stretch_of(&at);
    double half = reach * along.width, alone = fmin(half, drop / law->constant[DPN_PDF0]); /* without a peak */
    double terms = 0.5 * shift + along.corner + (along.peak > along.corner ? 2 * half : alone);
    if (!(shift + fabs(along.peak) + along.corner + 50 * along.width < 0x1p52)) return unknown;
    dpn_growth growth = terms < FEW_TERMS ? sum_of_terms(&at, &along) : sum_of_stretches(&at, &along);
    growth.error += doubt_of_losses(&at, &along) / fmax(1, theta * growth.value);
    return growth;
}
