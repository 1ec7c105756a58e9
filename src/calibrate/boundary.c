/* The least scale with which noise of a given shape satisfies the guarantee: a bracketed secant on log delta. */
#include "calibrate/boundary.h"

#include "base/error.h"
#include "calibrate/condition.h"
#include "calibrate/tuning.h"
#include "law/facts.h"
#include "law/special.h"

#include <float.h>
#include <math.h>

/* ---- the laws of a candidate ---- */

/* For pure Laplace noise sum lambda/scale is fixed, for Gaussian noise sum (lambda/scale)^2; the error is the sum of
 * weight * scale^q. Lagrange: scale^(q+1) ~ lambda/weight, scale^(q+2) ~ lambda^2/weight (INID Theorems 8 and 5). */
static double share(const dpn_problem *p, double mix, const dpn_coordinates *group) {
    if (mix == 0) return 1;
    double q = p->options.objective == DPN_OBJECTIVE_MSE ? 2 : 1;
    double a1 = 1 / (q + 1), c1 = a1, a2 = 2 / (q + 2), c2 = 1 / (q + 2);
    double a = mix <= 1 ? mix * a1 : a1 + (mix - 1) * (a2 - a1), c = mix <= 1 ? mix * c1 : c1 + (mix - 1) * (c2 - c1);
    return pow(group->bound / p->largest, a) / pow(group->weight / p->group[0].weight, c);
}

size_t dpn_candidate_stride(const dpn_candidate *candidate) {
    return candidate->spread || candidate->mix > 0 ? 1 : 0;
}

dpn_status dpn_candidate_laws(dpn_law *law, const dpn_problem *p, const dpn_candidate *candidate, dpn_error *why) {
    size_t count = dpn_candidate_stride(candidate) ? p->groups : 1;
    dpn_status status = DPN_OK;
    for (size_t g = 0; g < count && !status; g++) {
        const dpn_spread *spread = candidate->spread;
        double power = spread ? pow(p->group[g].bound / p->largest, candidate->mix) : 0;
        double scale = candidate->scale * (spread ? spread->scale[g] * power : share(p, candidate->mix, &p->group[g]));
        double shape = spread ? spread->shape[g] : candidate->shape;
        double period = p->group[g].bound * (candidate->width > 0 ? candidate->width : 1);
        status = dpn_family_tune(&law[g], candidate->family, shape, scale, period, why);
    }
    return status;
}

/* ---- how far a scale is from the boundary ---- */

dpn_status dpn_candidate_excess(double *excess, dpn_candidate *candidate, dpn_law *law, const dpn_problem *p,
                                dpn_effort effort, dpn_error *why) {
    dpn_status status = dpn_candidate_laws(law, p, candidate, why);
    if (status) return status;
    double target = log(p->delta);
    if (p->options.condition != DPN_CONDITION_EXACT) {
        double bound;
        status = dpn_condition_log_delta(&bound, p, law, why);
        if (!status) *excess = bound - target;
        return status;
    }
    dpn_delta delta;
    status = dpn_problem_delta(&delta, &candidate->argument, p, law, dpn_candidate_stride(candidate), effort, why);
    if (status) return status;
    candidate->delta = delta;
    bool known = p->argument < DPN_ARGUMENT_BOUND; /* from below too */
    if (effort.middle && known && isfinite(delta.log_lower)) {
        *excess = 0.5 * (delta.log_lower + delta.log_upper) - target;
        return DPN_OK;
    }
    bool certified = p->delta >= DBL_MIN ? delta.upper <= p->delta : delta.log_upper <= target;
    double value = delta.log_upper - target;
    *excess = certified ? fmin(value, 0) : fmax(value, DBL_MIN);
    return DPN_OK;
}

static dpn_status excess_at(double *excess, dpn_candidate *candidate, dpn_law *law, const dpn_problem *p,
                            double log_scale, dpn_effort effort, dpn_error *why) {
    candidate->scale = exp(log_scale);
    return dpn_candidate_excess(excess, candidate, law, p, effort, why);
}

/* The same where delta has a kink, with no more digits than are needed: far from the boundary a few tell where it is, and where the accountant
 * refuses more they are better than none, which would have to be guessed at. */
static dpn_status look_at(double *excess, dpn_candidate *candidate, dpn_law *law, const dpn_problem *p,
                          double log_scale, dpn_effort effort, dpn_error *why) {
    const double far = 1;
    dpn_effort few = effort;
    few.accuracy = fmax(effort.accuracy, 0.05);
    dpn_status status = excess_at(excess, candidate, law, p, log_scale, few, why);
    if (few.accuracy == effort.accuracy || (!status && fabs(*excess) > far)) return status;
    double finer;
    dpn_status fine = excess_at(&finer, candidate, law, p, log_scale, effort, why);
    if (!fine) *excess = finer;
    return fine && status ? fine : DPN_OK;
}

/* ---- pure guarantees ---- */

static dpn_status pure_boundary(dpn_candidate *candidate, dpn_law *law, const dpn_problem *p, dpn_error *why) {
    size_t stride = dpn_candidate_stride(candidate);
    candidate->scale = p->largest;
    double largest = INFINITY;
    for (int round = 0; round < 6;
         round++) { /* the largest loss is inversely proportional to the scale, or nearly so */
        dpn_status status = dpn_candidate_laws(law, p, candidate, why);
        if (status) return status;
        largest = dpn_problem_largest_loss(p, law, stride);
        if (!isfinite(largest))
            return dpn_fail(why, DPN_EUNSUPPORTED,
                            "the privacy loss of %s noise is unbounded: it needs a delta above 0",
                            candidate->family->name);
        if (fabs(largest / p->epsilon - 1) < 1e-14) break;
        candidate->scale *= largest / p->epsilon;
    }
    for (double nudge = DBL_EPSILON; nudge < 1e-9; nudge *= 2) {
        dpn_delta delta;
        dpn_status status = dpn_candidate_laws(law, p, candidate, why);
        bool within = !status && dpn_problem_within_epsilon(p, law, stride); /* or a composition would tell, slowly */
        if (within) status = dpn_problem_delta(&delta, &candidate->argument, p, law, stride, (dpn_effort){0}, why);
        if (status) return status;
        if (within && delta.upper == 0) {
            candidate->delta = delta;
            candidate->error = dpn_problem_error(p, law, stride);
            return DPN_OK;
        }
        candidate->scale *= 1 + nudge;
    }
    return dpn_fail(why, DPN_EACCURACY, "the largest loss of %s noise cannot be certified", candidate->family->name);
}

/* ---- where delta has a kink ---- */

/* Where the density starts as that of Laplace noise and then falls faster, as flipped Huber noise does beyond alpha: the start
 * is wider than the shift d, the loss has an atom at the slope of psi times d. */
static bool starts_straight(dpn_pieces *pieces, const dpn_law *law) {
    return dpn_law_pieces(pieces, law) && pieces->count > 1 && pieces->piece[0].slope > 0 &&
           pieces->piece[0].curvature == 0 && pieces->piece[1].curvature > 0;
}

/* The logarithm of the scale at which the largest sum of atoms, of any move, is at epsilon, or beyond it by so much that it alone has delta. If
 * all atoms together have less mass than delta, they do not matter. */
static double log_atom(dpn_candidate candidate, dpn_law *law, const dpn_problem *p, bool beyond) {
    dpn_pieces pieces;
    candidate.scale = 1;
    if (!candidate.family->pieces || candidate.family->integer || !(p->epsilon > 0) || p->groups == 0) return NAN;
    if (p->argument == DPN_ARGUMENT_BOUND) return NAN; /* another curve may decide */
    if (dpn_family_tune(law, candidate.family, candidate.shape, 1, p->largest, NULL)) return NAN;
    if (!candidate.spread && !starts_straight(&pieces, law)) return NAN;
    if (dpn_candidate_laws(law, p, &candidate, NULL)) return NAN;
    size_t stride = dpn_candidate_stride(&candidate);
    double most = 0;
    for (size_t m = 0; m < p->moves; m++) {
        double sum = 0, log_mass = 0;
        for (size_t i = p->move[m].first; i < p->move[m].first + p->move[m].count; i++) {
            const dpn_law *one = &law[stride * p->shift[i].group];
            if (!starts_straight(&pieces, one)) return NAN;
            double slope = pieces.piece[0].slope, end = pieces.piece[1].from, unit = pieces.unit[0] * pieces.unit[1];
            sum += (double)p->shift[i].times * p->shift[i].distance * slope / unit;
            log_mass += (double)p->shift[i].times * log(0.5 - dpn_law_sf(one, end)); /* d is small against the end */
        }
        if (!(log_mass > log(p->delta))) continue;
        double gap = beyond ? -log1p(-p->delta / exp(log_mass)) : 0; /* mass (1 - e^-gap) = delta */
        most = fmax(most, sum / (p->epsilon + gap));
    }
    return most > 0 ? log(most) : NAN;
}

double dpn_candidate_log_kink(dpn_candidate candidate, dpn_law *law, const dpn_problem *p) {
    return log_atom(candidate, law, p, false) + 1e-12;
}

double dpn_candidate_log_least(dpn_candidate candidate, dpn_law *law, const dpn_problem *p) {
    return log_atom(candidate, law, p, true);
}

/* ---- the search ---- */

/* log delta of Gaussian noise at sensitivity/sigma = mu, by its closed form, and its derivative with respect to log mu. */
static double gaussian_log_delta(double mu, double epsilon, double *slope) {
    double a = epsilon / mu - 0.5 * mu, first = dpn_log_q(a), gap = epsilon + dpn_log_q(a + mu) - first;
    double value = first + log(-expm1(gap));
    *slope = mu * exp(-0.5 * a * a - 0.9189385332046727 - value);
    return value;
}

/* The sigma of Gaussian noise to the last digits, by Newton's steps in logarithms from a larger one, which never step beyond it as the
 * curve is concave; the given one if they fail. */
static double gaussian_sigma(const dpn_problem *p, double sigma) {
    double x = log(p->l2 / sigma), target = log(p->delta), slope;
    for (int round = 0; round < 30; round++) {
        double step = (target - gaussian_log_delta(exp(x), p->epsilon, &slope)) / slope;
        if (!isfinite(step)) return sigma;
        x += step;
        if (fabs(step) < 1e-8) return p->l2 * exp(-x); /* what is left is its square */
    }
    return sigma;
}

/* A scale of about the right size: the variance of the better of Gaussian noise, by zCDP, and pure Laplace noise. */
static double first_guess(const dpn_problem *p, const dpn_candidate *candidate, dpn_law *law) {
    double gauss, laplace, deviation = dpn_problem_deviation(p, &gauss, &laplace);
    if (dpn_family_is_gaussian(candidate->family))
        return dpn_candidate_stride(candidate) ? gauss : gaussian_sigma(p, gauss);
    if (dpn_family_is_laplace(candidate->family)) return laplace;
    dpn_error ignored;
    double guess = deviation;
    for (int round = 0; round < 3; round++) { /* laws on the integers and staircases do not scale: approach */
        if (dpn_family_tune(law, candidate->family, candidate->shape, guess, p->largest, &ignored)) return deviation;
        double variance = dpn_law_variance(law);
        if (!(variance > 0)) return deviation;
        guess *= deviation / sqrt(variance);
    }
    return guess;
}

typedef struct bracket {
    double low, low_excess;   /* log scale that is not certified; delta's excess there, relative */
    double high, high_excess; /* certified */
    dpn_delta high_delta;
    dpn_argument high_argument;
} bracket;

/* From the excess of log delta to that of delta, in which the boundary is straighter where the loss has atoms; large
 * ones are kept down. */
static double relative_excess(double log_excess) {
    return log_excess < 1 ? expm1(log_excess) : 1.718 * log_excess;
}

static dpn_status find_bracket(bracket *b, dpn_candidate *candidate, dpn_law *law, const dpn_problem *p, double start,
                               double step, dpn_effort effort, dpn_error *why) {
    double x = start, excess;
    *b = (bracket){.low = -INFINITY, .high = INFINITY};
    for (int round = 0; round < 80; round++) {
        dpn_status status = excess_at(&excess, candidate, law, p, x, effort, why);
        if (status) return status;
        if (excess > 0) {
            b->low = x;
            b->low_excess = relative_excess(excess);
        } else {
            b->high = x;
            b->high_excess = relative_excess(excess);
            b->high_delta = candidate->delta;
            b->high_argument = candidate->argument;
        }
        if (isfinite(b->low) && isfinite(b->high)) return DPN_OK;
        x += excess > 0 ? step : -step;
        step *= 3;
        if (x < -340 || x > 340) break;
    }
    return dpn_fail(why, DPN_EUNSUPPORTED, "no scale of %s noise gives this guarantee", candidate->family->name);
}

dpn_status dpn_boundary(dpn_candidate *candidate, dpn_law *law, const dpn_problem *p, double tolerance,
                        dpn_effort effort, dpn_error *why) {
    bool laplace = dpn_family_is_laplace(candidate->family);
    if (p->delta == 0 || (laplace && p->options.condition == DPN_CONDITION_SUFFICIENT))
        return pure_boundary(candidate, law, p, why);
    bool warm = candidate->scale > 0;
    double start = log(warm ? candidate->scale : first_guess(p, candidate, law));
    bool closed = (laplace && p->l1 == p->largest) || dpn_family_is_gaussian(candidate->family);
    bool sharp = !warm && closed && !dpn_candidate_stride(candidate); /* the first guess has all digits */
    double step = sharp ? 0.6 * tolerance : !warm ? 0.1 : tolerance < 1e-8 ? 2e-5 : 0.02;
    double kink = dpn_candidate_log_kink(*candidate, law, p);
    if (sharp) start += 0.3 * tolerance;
    if (fabs(start - kink) < 50 * step) { /* delta is steep there, so that the boundary is not far */
        start = kink;
        step = fmin(step, 1e-6);
    }
    bracket b;
    dpn_status status = find_bracket(&b, candidate, law, p, start, step, effort, why);
    double low_weight = 1, high_weight = 1; /* Illinois: an end that stays a second time loses weight */
    int last = 0;
    for (int round = 0; round < 200 && !status && b.high - b.low > tolerance; round++) {
        double width = b.high - b.low, near = fmin(0.9 * tolerance, 0.5 * width);
        double l = low_weight * b.low_excess, h = -high_weight * b.high_excess;
        double x = b.low + width * (l / (l + h));
        if (!(x > b.low && x < b.high) || (round > 0 && round % 12 == 0)) x = 0.5 * (b.low + b.high);
        x = fmin(fmax(x, b.low + near), b.high - near);
        double excess;
        status = excess_at(&excess, candidate, law, p, x, effort, why);
        if (status) break;
        if (excess > 0) {
            b.low = x;
            b.low_excess = relative_excess(excess);
            low_weight = 1;
            if (last > 0) high_weight *= 0.5;
            last = 1;
        } else {
            b.high = x;
            b.high_excess = relative_excess(excess);
            b.high_delta = candidate->delta;
            b.high_argument = candidate->argument;
            high_weight = 1;
            if (last < 0) low_weight *= 0.5;
            last = -1;
        }
    }
    if (status) return status;
    candidate->scale = exp(b.high);
    candidate->delta = b.high_delta;
    candidate->argument = b.high_argument;
    status = dpn_candidate_laws(law, p, candidate, why);
    if (!status) candidate->error = dpn_problem_error(p, law, dpn_candidate_stride(candidate));
    return status;
}

/* ---- estimates ---- */

/* What is known about the boundary during an estimate. */
typedef struct sight {
    double low, high;              /* log scales, too small and large enough */
    double low_delta, high_delta;  /* in units of the delta asked for */
    double x, excess, slope, step; /* the last look, d excess/dx, and the next step down if delta is 0 */
    double weight;                 /* of the end that was not moved by the last looks */
} sight;

/* Newton's step while one end is open. Then the chord: log delta is concave, which the weight makes up for, and may be
 * steep at the upper end. A kink is looked at when the step would pass it, and then a little below it. */
static double next_look(const sight *s, double kink, double below) {
    double next = isfinite(s->excess) ? s->x - fmin(fmax(s->excess / s->slope, -1), 1) : s->x - s->step;
    if (isfinite(s->low) && isfinite(s->high)) {
        double l = log(s->low_delta), h = fmin(-log(s->high_delta), 4 * (1 + l));
        *(s->x == s->low ? &h : &l) *= s->weight;
        next = s->low + (s->high - s->low) * l / (l + h);
    }
    if (!(next > s->low && next < s->high)) next = 0.5 * (s->low + s->high);
    if (s->low < kink && kink < s->high && ((s->x - kink) * (next - kink) <= 0 || fabs(next - kink) < 0.01))
        return kink;
    if (s->high == kink && kink - below > s->low && next > kink - 100 * below) return kink - below;
    return next;
}

/* What a refusal of the accountant at a scale says about it: true if it is large enough. The accountant refuses where
 * delta is far smaller than what the loss has nearby: above a kink, and where epsilon is almost the largest loss. */
static bool refusal_means_enough(const sight *s, double kink, const dpn_candidate *candidate, const dpn_law *law,
                                 const dpn_problem *p) {
    double largest = dpn_problem_largest_loss(p, law, dpn_candidate_stride(candidate));
    return s->x >= kink || (largest > 0 && largest < 1.1 * p->epsilon);
}

/* Looks at log delta as a function of log scale. Just below a kink the accountant may refuse a few times. */
dpn_status dpn_boundary_estimate(dpn_candidate *candidate, dpn_law *law, const dpn_problem *p, dpn_effort effort,
                                 dpn_error *why) {
    enum { RETREATS = 6 };
    const double close = 0.05, at_once = 0.002, below = 1e-4;
    sight s = {.low = -INFINITY,
               .high = INFINITY,
               .slope = candidate->slope < 0 ? candidate->slope : -20,
               .step = 0.1,
               .weight = 1};
    double kink = dpn_candidate_log_kink(*candidate, law, p), last_x = NAN, last = NAN;
    int refusals = 0, retreats = 0;
    s.x = log(candidate->scale > 0 ? candidate->scale : first_guess(p, candidate, law));
    for (int round = 0;; round++) {
        if (!(fabs(s.x) < 340) || round == 40)
            return dpn_fail(why, DPN_EUNSUPPORTED, "no scale of %s noise gives this guarantee",
                            candidate->family->name);
        dpn_status status = isnan(kink) ? excess_at(&s.excess, candidate, law, p, s.x, effort, why)
                                        : look_at(&s.excess, candidate, law, p, s.x, effort, why);
        bool refused =
            status == DPN_EACCURACY || status == DPN_EUNSUPPORTED; /* the latter: too many different losses */
        bool enough = refused && refusal_means_enough(&s, kink, candidate, law, p);
        if (refused && !enough && isnan(kink) && !candidate->family->integer &&
            retreats < RETREATS) { /* far from the boundary delta is hard to tell */
            retreats++;
            s.x = isfinite(last_x) ? 0.5 * (s.x + last_x) : s.x - 0.05;
            continue;
        }
        if (status && !enough && (!refused || isnan(kink) || ++refusals > 4)) return status;
        double secant = status ? NAN : (s.excess - last) / (s.x - last_x);
        bool known = isfinite(secant) && secant < -0.1;
        if (status) s.excess = enough ? -INFINITY : 1;
        if (known) s.slope = secant;
        bool same_side = isfinite(last) && (s.excess > 0) == (last > 0);
        s.weight = same_side ? 0.5 * s.weight : 1;
        if (s.excess > 0) {
            s.low = s.x;
            s.low_delta = exp(fmin(s.excess, 700));
        } else {
            s.high = s.x;
            s.high_delta = exp(s.excess);
        }
        if (s.high - s.low <= 1.01 * below) { /* delta is about linear this near */
            s.slope = -(s.low_delta - s.high_delta) / (s.high - s.low);
            s.x = s.high + fmax((1 - s.high_delta) / s.slope, s.low - s.high);
            break;
        }
        bool at_kink = s.high == kink && s.excess <= 0; /* what is below it is another curve */
        if (!status && !at_kink && fabs(s.excess) <= (known ? close : at_once)) {
            s.x -= s.excess / s.slope;
            break;
        }
        last = status ? NAN : s.excess;
        last_x = s.x;
        double next = next_look(&s, kink, below);
        if (!isfinite(s.excess)) s.step *= 2;
        s.x = next;
    }
    candidate->slope = s.slope;
    candidate->scale = exp(s.x);
    dpn_status status = dpn_candidate_laws(law, p, candidate, why);
    if (!status) candidate->error = dpn_problem_error(p, law, dpn_candidate_stride(candidate));
    return status;
}
