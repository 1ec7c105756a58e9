/* Renyi divergences over an l2 ball: a Lagrange multiplier and chords (docs/proofs/privacy/ball.md, section 2).
 *
 * D(d), the divergence of one coordinate that moves by d, is convex in d: on an interval it is at most its chord. For every
 * lambda >= 0 a move of n coordinates has
 *
 *     sum D(d_i) <= lambda l2^2 + sum (D(d_i) - lambda d_i^2) <= lambda l2^2 + n max over d of (chord(d) - lambda d^2).
 *
 * The best lambda costs no further divergence; then the chords that decide are halved.
 */
#include "privacy/renyi/ball.h"

#include "law/facts.h"
#include "privacy/loss/loss.h"
#include "privacy/renyi/curve.h"

#include <float.h>
#include <math.h>
#include <stdbool.h>

enum { MOST_KNOTS = 96, BISECTIONS = 60 };

/* Of the moves that are tried: how many coordinates go far, at how many places, how many times closer. */
enum { MOST_FAR = 3, PLACES = 6, LOOKS = 4 };

typedef struct knot {
    double at, divergence; /* rounded up */
} knot;

typedef struct search {
    const dpn_law *law;
    const dpn_norms *norms;
    double order, close; /* chords so near to the divergence are short enough */
    bool integer;
    knot knot[MOST_KNOTS]; /* in order; the first is at 0 */
    size_t knots;
} search;

/* ---- the knots ---- */

static dpn_status divergence_at(dpn_divergence *out, const search *s, double at, dpn_error *why) {
    dpn_loss loss;
    dpn_curve curve;
    dpn_divergence found = {0, INFINITY};
    dpn_status status = dpn_loss_law(&loss, s->law, at, why);
    if (status) return status;
    status = dpn_curve_make(&curve, &loss, why);
    if (!status) status = dpn_curve_at(&found, &curve, s->order, why);
    dpn_curve_free(&curve);
    if (!status) *out = found;
    return status;
}

/* A knot near a place between two others, on the integers at a whole number. Nothing happens where there is one. */
static dpn_status add_knot(search *s, double at, dpn_error *why) {
    if (s->integer) at = fmax(1, round(at));
    if (s->knots == MOST_KNOTS) return DPN_OK;
    size_t i = s->knots;
    while (i > 0 && s->knot[i - 1].at >= at) i--;
    if (i < s->knots && s->knot[i].at == at) return DPN_OK;
    dpn_divergence here;
    dpn_status status = divergence_at(&here, s, at, why);
    if (status) return status;
    knot fresh = {at, here.upper};
    for (size_t j = s->knots++; j > i; j--) s->knot[j] = s->knot[j - 1];
    s->knot[i] = fresh;
    return DPN_OK;
}

/* Coordinates that move far less than their equal share matter little, whatever they do. */
static dpn_status first_knots(search *s, double most, dpn_error *why) {
    double even = fmin(most, s->norms->l2 / sqrt(s->norms->changed));
    const double at[] = {1e-3 * even, 0.1 * even, 0.5 * even, even, sqrt(even * most), most};
    dpn_status status = DPN_OK;
    s->knots = 1;
    for (size_t i = 0; i < sizeof at / sizeof *at && !status; i++)
        status = add_knot(s, s->integer || at[i] < most ? fmin(at[i], most) : most, why);
    return status;
}

/* ---- the multiplier ---- */

/* Where chord(d) - lambda d^2 is largest. */
typedef struct peak {
    double value, at, chord;
    size_t left; /* the knot at or before it */
} peak;

/* Whether a move can end strictly between the knots i and i + 1. */
static bool has_inside(const search *s, size_t i) {
    return !s->integer || s->knot[i + 1].at - s->knot[i].at > 1;
}

static void look(peak *best, size_t left, double at, double chord, double lambda) {
    double value = chord - lambda * at * at;
    if (value > best->value) *best = (peak){value, at, chord, left};
}

static peak highest(const search *s, double lambda) {
    peak best = {0, 0, 0, 0};
    for (size_t i = 0; i + 1 < s->knots; i++) {
        const knot *a = &s->knot[i], *b = &s->knot[i + 1];
        look(&best, i, b->at, b->divergence, lambda);
        double slope = fmax(0, (b->divergence - a->divergence) / (b->at - a->at)), at = 0.5 * slope / lambda;
        if (has_inside(s, i) && at > a->at && at < b->at)
            look(&best, i, at, a->divergence + slope * (at - a->at), lambda);
    }
    return best;
}

/* What lambda proves, rounded up. The roundings are a few ulps of the terms, which do not cancel much: a chord at a place that
 * one coordinate may reach is at most the whole. */
static double bound_by(const search *s, double lambda, const peak *top) {
    double n = s->norms->changed, whole = lambda * (s->norms->l2 * s->norms->l2);
    return (whole + n * fmax(0, top->value)) * (1 + 16 * DBL_EPSILON) +
           8 * DBL_EPSILON * n * (top->chord + lambda * top->at * top->at);
}

/* The least over lambda of a convex function, whose slope is l2^2 - n d^2 at the highest d. side[] are the peaks on both
 * sides of it, the nearer one first. */
static double least_bound(const search *s, peak side[2]) {
    double reach = s->norms->l2 / sqrt(s->norms->changed), unit = 0, best = INFINITY;
    for (size_t i = 1; i < s->knots; i++) unit = fmax(unit, s->knot[i].divergence / (s->knot[i].at * s->knot[i].at));
    double low = log(unit) - 60, high = log(unit) + 1;
    for (int i = 0; i < BISECTIONS; i++) {
        double middle = 0.5 * (low + high), lambda = exp(middle);
        peak top = highest(s, lambda);
        best = fmin(best, bound_by(s, lambda, &top));
        bool far = top.at > reach;
        side[far] = top;
        *(far ? &low : &high) = middle;
    }
    return best;
}

/* ---- the search ---- */

/* The chord at a peak against the divergence, which becomes a knot: true if they are close, or nothing lies between. */
static dpn_status refine(bool *close, search *s, const peak *top, dpn_error *why) {
    *close = true;
    if (top->value <= 0 || top->left + 1 >= s->knots || !has_inside(s, top->left)) return DPN_OK;
    double a = s->knot[top->left].at, b = s->knot[top->left + 1].at, at = top->at;
    if (at == b || at == a) return DPN_OK; /* a knot itself */
    at = fmin(fmax(at, a + 0.1 * (b - a)), b - 0.1 * (b - a));
    size_t before = s->knots;
    dpn_status status = add_knot(s, at, why);
    if (status || s->knots == before) return status;
    const knot *left = &s->knot[top->left], *fresh = left + 1, *right = left + 2;
    double part = (fresh->at - left->at) / (right->at - left->at);
    double chord = left->divergence + part * (right->divergence - left->divergence);
    *close = chord <= fresh->divergence * (1 + s->close);
    return DPN_OK;
}

dpn_status dpn_renyi_ball_upper(double *out, const dpn_law *law, const dpn_norms *norms, double order, double close,
                                dpn_error *why) {
    search s = {.law = law, .norms = norms, .order = order, .close = close, .integer = dpn_law_is_integer(law)};
    double most = fmin(norms->linf, norms->l2);
    if (s.integer) most = floor(most);
    if (!(most > 0)) {
        *out = 0;
        return DPN_OK;
    }
    dpn_status status = first_knots(&s, most, why);
    double best = INFINITY;
    bool done = false;
    while (!status && !done && isfinite(s.knot[s.knots - 1].divergence)) {
        peak side[2] = {{0, 0, 0, 0}, {0, 0, 0, 0}};
        bool near[2];
        best = fmin(best, least_bound(&s, side));
        status = refine(&near[1], &s, &side[1], why); /* the farther one first: it does not move the other's knots */
        if (!status) status = refine(&near[0], &s, &side[0], why);
        done = status || (near[0] && near[1]) || s.knots == MOST_KNOTS;
    }
    if (!status) *out = best;
    return status;
}

/* ---- what moves of the ball reach ---- */

/* `far` coordinates move by `at` each and the others share what is left of the norm; 0 where that is no move of the ball. */
static double reached(const search *s, double far, double at) {
    const dpn_norms *norms = s->norms;
    double left = (norms->l2 * norms->l2 * (1 - 4 * DBL_EPSILON) - far * at * at) / (norms->changed - far);
    double rest = left > 0 ? fmin(sqrt(left) * (1 - 2 * DBL_EPSILON), norms->linf) : 0;
    if (s->integer) rest = floor(rest);
    dpn_divergence one, other = {0, 0};
    if (!(left >= 0) || divergence_at(&one, s, at, NULL)) return 0;
    if (rest > 0 && divergence_at(&other, s, rest, NULL)) return 0;
    return (far * one.lower + (norms->changed - far) * other.lower) * (1 - 4 * DBL_EPSILON);
}

double dpn_renyi_ball_lower(const dpn_law *law, const dpn_norms *norms, double order) {
    search s = {.law = law, .norms = norms, .order = order, .integer = dpn_law_is_integer(law)};
    double best = 0;
    for (double far = 1; far <= MOST_FAR && far < norms->changed; far++) {
        double least = norms->l2 / sqrt(norms->changed),
               most = fmin(norms->linf, norms->l2 / sqrt(far) * (1 - 8 * DBL_EPSILON)), top = 0, at = 0;
        for (int round = 0; round < LOOKS && most > least; round++) { /* a few places, then closer around the best */
            double step = (most - least) / PLACES;
            for (int i = 1; i <= PLACES; i++) {
                double place = s.integer ? fmax(1, floor(least + i * step)) : least + i * step;
                double here = reached(&s, far, place);
                if (here > top) top = here, at = place;
            }
            if (!(top > 0)) break;
            least = fmax(least, at - step);
            most = fmin(most, at + step);
        }
        best = fmax(best, top);
    }
    return best;
}

double dpn_renyi_ball_guess(const dpn_law *law, const dpn_norms *norms, double order) {
    search s = {.law = law, .norms = norms, .order = order, .integer = dpn_law_is_integer(law)};
    double most = fmin(norms->linf, norms->l2), even = fmin(most, norms->l2 / sqrt(norms->changed));
    dpn_divergence all, one;
    if (s.integer) {
        most = floor(most);
        even = fmax(1, round(even));
    }
    if (!(most > 0) || divergence_at(&all, &s, even, NULL) || divergence_at(&one, &s, most, NULL)) return INFINITY;
    double l2 = norms->l2;
    return fmax(fmin(norms->changed, l2 / even * (l2 / even)) * all.upper, l2 / most * (l2 / most) * one.upper);
}
