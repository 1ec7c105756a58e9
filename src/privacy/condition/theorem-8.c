/* FH Theorem 8 (docs/proofs/privacy/conditions.md, section 2).
 *
 * For a move of the l2 norm s and the l1 norm l,
 *
 *     delta <= B(l, s) = Q(x1) - e^epsilon Q(x2),   x1 = (gamma epsilon - K R/2 gamma)/s - s/2 gamma >= 0,
 *                                                  x2 = (gamma epsilon + K R/2 gamma + theta l/gamma)/s + s/2 gamma.
 */
#include "law/special.h"
#include "privacy/condition/condition.h"
#include "privacy/profile/mills-drop.h"
#include "privacy/renyi/flipped-huber.h"

#include <float.h>
#include <math.h>

/* In units of gamma: the norms, K R and theta are divided by it. */
typedef struct bound {
    double epsilon, kr, theta, root; /* root: sqrt K */
    double l1, l2;
} bound;

static bound make_bound(const dpn_condition_question *question) {
    const dpn_norms *norms = &question->norms;
    double gamma = question->law->parameter[1], alpha = question->law->parameter[0] / gamma;
    double linf = norms->linf / gamma, up = 1 + 16 * DBL_EPSILON;
    return (bound){.epsilon = question->epsilon,
                   .kr = norms->changed * dpn_fh_r(linf, alpha) * up,
                   .theta = dpn_fh_theta(alpha, 1) * (1 + 4e-12),
                   .root = sqrt(norms->changed) * up,
                   .l1 = norms->l1 / gamma * up,
                   .l2 = norms->l2 / gamma * up};
}

/* The most by which rounding moves x1. */
static double error_of_x1(const bound *b, double s) {
    return 0x1p-49 * ((b->epsilon + 0.5 * b->kr) / s + s);
}

/* x1, rounded down: negative where the theorem says nothing. */
static double x1_lower(const bound *b, double s) {
    return (b->epsilon - 0.5 * b->kr) / s - 0.5 * s - error_of_x1(b, s);
}

/* log B, rounded up, for the moves of an l2 norm in [from, s] and an l1 norm of at most l1 and root times that. x1 is
 * that of s, and gap = x2 - x1 the largest. The difference has two positive terms,
 * B = phi(x1) (M(x1) - M(x2) + (1 - e^-extra) M(x2)),   extra = (x2^2 - x1^2)/2 - epsilon >= 0. */
static double log_bound(const bound *b, double from, double s) {
    double x1 = x1_lower(b, s), up = 1 + 32 * DBL_EPSILON;
    if (!(x1 >= 0)) return 0;
    double l1 = fmin(b->l1, b->root * s), push = b->kr + b->theta * l1, gap = (push / s + s) * up;
    double extra = (b->epsilon * (push / s) / s + 0.5 * b->theta * (l1 / s) * gap) * up;
    if (from < s) {
        /* Of the gap over the interval: the two terms that grow as s falls; l1/s stays while l1 is root s. */
        double fall = b->kr + (b->root * s <= b->l1 ? 0 : b->theta * b->l1);
        double more = fall * ((s - from) / from / s) * up;
        extra += more * (x1 + gap + 0.5 * more) * up;
        gap += more;
    }
    double inner = dpn_mills_drop(x1, gap) - expm1(-extra) * dpn_mills(x1 + gap);
    double value = -0.5 * x1 * x1 - DPN_LOG_SQRT_2PI + log(inner);
    /* B falls with x1 and grows with gap and extra, which were rounded accordingly; the rest is for the functions. */
    return value + 1e-11 + 4 * DBL_EPSILON * fabs(value);
}

/* step 3: where B need not increase with s, its largest value over all moves, by halving intervals of s on which it is
 * bounded until the bounds are within a factor of 1 + 1e-4 of values. Those of [s(1 - w), s] are within about
 * 1 + w (2 + x1)^2, and where the search goes x1 is below 40, so that it ends. */
typedef struct search {
    const bound *bound;
    double value; /* the largest seen */
    double upper; /* no part that was finished exceeds it */
} search;

static void finish(search *walk, double from, double to) {
    double upper = log_bound(walk->bound, from, to);
    walk->value = fmax(walk->value, log_bound(walk->bound, from, from));
    if (upper <= walk->value + 1e-4) {
        walk->upper = fmax(walk->upper, upper);
        return;
    }
    double middle = 0.5 * (from + to);
    finish(walk, middle, to);
    finish(walk, from, middle);
}

static double log_largest(const bound *b) {
    search walk = {b, log_bound(b, b->l2, b->l2), -INFINITY};
    double to = b->l2;
    /* Below `to` every B is at most Q(x1(to)). */
    while (to > DBL_MIN && dpn_log_q(x1_lower(b, to)) > walk.value) {
        finish(&walk, 0.5 * to, to);
        to *= 0.5;
    }
    return fmin(0, fmax(walk.upper, walk.value + 1e-11));
}

dpn_status dpn_condition_theorem_8(dpn_conditioned *out, const dpn_condition_question *question, dpn_error *why) {
    (void)why;
    bound b = make_bound(question);
    *out = (dpn_conditioned){.log_delta = 0};
    if (b.l2 == 0) {
        *out = (dpn_conditioned){.log_delta = -INFINITY, .exact = true};
    } else if (x1_lower(&b, b.l2) >= 0) {
        /* step 2: then B increases up to the norms of the set. */
        bool increases = (b.epsilon - 0.5 * b.kr) * (1 - 1e-14) >= b.l2;
        out->log_delta = question->norms.corner || increases ? log_bound(&b, b.l2, b.l2) : log_largest(&b);
    }
    return DPN_OK;
}
