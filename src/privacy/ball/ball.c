/* The least of the bounds over an l2 ball (docs/proofs/privacy/ball.md). */
#include "privacy/ball/ball.h"

#include "law/facts.h"
#include "privacy/ball/directions.h"
#include "privacy/condition/condition.h"
#include "privacy/convert/renyi.h"
#include "privacy/convert/zcdp.h"
#include "privacy/interval.h"
#include "privacy/renyi/ball.h"

#include <float.h>
#include <math.h>

/* ---- the ball ---- */

/* Moves of so many releases are one move of as many times the coordinates. */
static void repeat(dpn_norms *norms, double times) {
    double up = 1 + 4 * DBL_EPSILON;
    if (times == 1) return;
    norms->changed *= times;
    norms->l1 *= times * up;
    norms->l2 *= sqrt(times) * up;
    norms->corner = false;
}

/* Whether the set is all of its ball, so that every direction is one of its moves: no other bound cuts any off. norms->l1 itself is at most that bound. */
static bool is_whole(const dpn_sensitivity *set, const dpn_norms *norms) {
    double longest = sqrt(norms->changed) * set->l2 * (1 + 4 * DBL_EPSILON); /* l1 norm of a move of the ball */
    return !set->bound && !set->vertices && norms->linf >= set->l2 && (set->l1 == 0 || set->l1 >= longest);
}

bool dpn_ball_make(dpn_ball *ball, dpn_argument argument, const dpn_law *law, size_t laws, const dpn_sensitivity *set,
                   uint64_t times) {
    *ball = (dpn_ball){.law = law, .zcdp = {0, INFINITY}};
    if (argument != DPN_ARGUMENT_BOUND || laws != 1 || !(set->l2 > 0 && isfinite(set->l2))) return false;
    if (!dpn_law_is_log_concave(law) || dpn_norms_of(&ball->norms, set, NULL) || !(ball->norms.l2 > 0)) return false;
    double n = (double)times * (1 + 2 * DBL_EPSILON);
    dpn_zcdp one;
    if (!dpn_zcdp_sensitivity(&one, NULL, law, laws, set, NULL) && one.rho > 0)
        ball->zcdp = (dpn_zcdp){one.xi * n, one.rho * n};
    ball->whole = times == 1 && is_whole(set, &ball->norms);
    repeat(&ball->norms, (double)times);
    return true;
}

/* ---- Renyi divergences at the best order ---- */

#define ROUGH 5e-4 /* of a divergence, while the order is searched, */
#define FINE 5e-5  /* and at the order that is best */

/* What is asked: delta at an epsilon or, where that is NaN, epsilon at a delta of e^-l. */
typedef struct question {
    const dpn_ball *ball;
    double epsilon, l;
    bool guess; /* divergences are guessed at: enough to find an order */
} question;

static double convert(const question *q, double order, double divergence, dpn_rule rule) {
    return isnan(q->epsilon) ? dpn_renyi_epsilon_upper(order, divergence, q->l, rule)
                             : dpn_renyi_log_delta_upper(order, divergence, q->epsilon, rule);
}

/* The answer by one order, 1 + e^x; +inf where there is none. */
static double at_order(const question *q, double x) {
    double divergence = INFINITY, order = 1 + exp(x);
    if (q->guess)
        divergence = dpn_renyi_ball_guess(q->ball->law, &q->ball->norms, order);
    else if (dpn_renyi_ball_upper(&divergence, q->ball->law, &q->ball->norms, order, ROUGH, NULL))
        return INFINITY;
    if (!isfinite(divergence)) return INFINITY;
    return convert(q, order, divergence, DPN_RULE_CANONNE_KAMATH_STEINKE);
}

/* Downhill in steps of h until x is between two that are worse, then to the lowest point of the parabola, with smaller steps
 * again. Any order gives a bound: the search can only miss some of its sharpness. NaN if no order says anything. */
static double best_order(const question *q, double start, double h) {
    const double least = log(1e-3), most = log(1e7);
    enum { WALK = 24 };
    double x = fmin(fmax(log(start - 1), least), most), value = at_order(q, x), left = NAN, right = NAN;
    for (int i = 0; i < WALK; i++) {
        if (isnan(right)) right = x + h < most ? at_order(q, x + h) : INFINITY;
        if (right < value) {
            left = value;
            value = right;
            right = NAN;
            x += h;
            continue;
        }
        if (isnan(left)) left = x - h > least ? at_order(q, x - h) : INFINITY;
        if (!(left < value)) break;
        right = value;
        value = left;
        left = NAN;
        x -= h;
    }
    if (!isfinite(value)) return NAN;
    double bend = left - 2 * value + right, move = 0.5 * h * (left - right) / bend;
    if (isfinite(move) && fabs(move) <= h && at_order(q, x + move) < value) x += move;
    return 1 + exp(x);
}

/* Guess where to begin: the divergence is about as that of Gaussian noise near the order 2. */
static double first_order(const dpn_ball *ball, double epsilon, double l) {
    double divergence = dpn_renyi_ball_guess(ball->law, &ball->norms, 2);
    if (!(divergence > 0 && isfinite(divergence))) return 2;
    double rho = 0.5 * divergence, theta = isnan(epsilon) ? sqrt(l / rho) : 0.5 * (epsilon - rho) / rho;
    return 1 + fmin(fmax(theta, 0.1), 1e6);
}

static double by_renyi(dpn_ball *ball, double epsilon, double l) {
    question q = {ball, epsilon, l, true};
    double order = ball->order, divergence;
    bool known = order > 1; /* from a look nearby: a search, which wants no certificate yet */
    order = known ? best_order(&q, order, 0.25) : best_order(&q, first_order(ball, epsilon, l), 0.8);
    q.guess = false;
    if (!known && order > 1) order = best_order(&q, order, 0.25);
    if (isnan(order) || dpn_renyi_ball_upper(&divergence, ball->law, &ball->norms, order, FINE, NULL)) return INFINITY;
    ball->order = order;
    return fmin(convert(&q, order, divergence, DPN_RULE_CANONNE_KAMATH_STEINKE),
                convert(&q, order, divergence, DPN_RULE_OPTIMAL));
}

/* ---- the papers' conditions ---- */

static double by_norms(const dpn_ball *ball, double epsilon) {
    dpn_condition_function *condition = dpn_condition_of_norms(ball->law);
    dpn_condition_question q = {.law = ball->law, .laws = 1, .norms = ball->norms, .epsilon = epsilon};
    dpn_conditioned found;
    if (!condition || condition(&found, &q, NULL)) return 0;
    return fmin(found.log_delta, 0);
}

/* The epsilon for delta, up to `most`, by bisection: the upper end always holds. */
static double epsilon_by_norms(const dpn_ball *ball, double log_delta, double most) {
    double low = 0, high = isfinite(most) ? most : 1e6;
    if (!dpn_condition_of_norms(ball->law) || !(by_norms(ball, high) <= log_delta)) return INFINITY;
    for (int i = 0; i < 60 && high - low > 1e-12 * high; i++) {
        double middle = 0.5 * (low + high);
        *(by_norms(ball, middle) <= log_delta ? &high : &low) = middle;
    }
    return high;
}

static void keep(double *least, dpn_argument *argument, double value, dpn_argument which) {
    if (!(value < *least)) return;
    *least = value;
    *argument = which;
}

double dpn_ball_log_delta_upper(dpn_ball *ball, double epsilon, dpn_argument *argument) {
    double least = 0;
    keep(&least, argument, by_norms(ball, epsilon), DPN_ARGUMENT_THEOREM_8);
    if (isfinite(ball->zcdp.rho))
        keep(&least, argument,
             dpn_zcdp_log_delta_upper(ball->zcdp.xi, ball->zcdp.rho, epsilon, DPN_RULE_CANONNE_KAMATH_STEINKE, NULL),
             DPN_ARGUMENT_ZCDP);
    keep(&least, argument, by_renyi(ball, epsilon, NAN), DPN_ARGUMENT_RENYI);
    return least;
}

static double epsilon_upper(dpn_ball *ball, double l, double most, dpn_argument *argument) {
    double least = INFINITY;
    keep(&least, argument, epsilon_by_norms(ball, -l, most), DPN_ARGUMENT_THEOREM_8);
    if (isfinite(ball->zcdp.rho))
        keep(&least, argument,
             dpn_zcdp_epsilon_upper(ball->zcdp.xi, ball->zcdp.rho, l, DPN_RULE_CANONNE_KAMATH_STEINKE, NULL),
             DPN_ARGUMENT_ZCDP);
    keep(&least, argument, by_renyi(ball, NAN, l), DPN_ARGUMENT_RENYI);
    return least;
}

/* ---- directions ---- */

enum { LOOKS = 160, LOOKS_EACH = 60, ROUNDS = 6 };
#define CLOSE 1e-3 /* of log delta */

/* A composition at moves of the ball. */
typedef struct composed {
    const dpn_law *law;
    dpn_workspace *workspace;
    double epsilon;
    dpn_accounting_options options;
} composed;

static dpn_status value_at(double *lower, double *upper, const double *move, size_t dimension, void *context,
                           dpn_error *why) {
    const composed *c = context;
    dpn_part part[DPN_DIRECTIONS_MOST];
    size_t parts = 0;
    dpn_status status = DPN_OK;
    for (size_t i = 0; i < dimension && !status; i++) {
        if (!(move[i] > 0)) continue;
        part[parts].times = 1;
        status = dpn_loss_law(&part[parts++].loss, c->law, move[i], why);
    }
    dpn_delta delta;
    if (!status) status = dpn_compose_delta(&delta, c->workspace, part, parts, c->epsilon, &c->options, why);
    if (status) return status;
    *lower = delta.log_lower;
    *upper = delta.log_upper;
    return DPN_OK;
}

/* Whether moves have few coordinates. Noise on the integers has no quasi-convex profile. */
static bool has_directions(const dpn_ball *ball, const dpn_workspace *workspace) {
    return workspace && ball->norms.changed <= DPN_DIRECTIONS_MOST && !dpn_law_is_integer(ball->law);
}

/* Bounds of log delta over the ball; false if a composition was refused. */
static bool by_directions(double *lower, double *upper, const dpn_ball *ball, dpn_workspace *workspace, double epsilon,
                          const dpn_accounting_options *options, int looks) {
    composed c = {ball->law, workspace, epsilon, {.size = sizeof c.options, .accuracy = 1e-4}};
    if (options) c.options.accuracy = fmax(c.options.accuracy, options->accuracy);
    return !dpn_directions(lower, upper, (size_t)ball->norms.changed, ball->norms.l2, value_at, &c, CLOSE, looks, NULL);
}

void dpn_ball_improve_delta(dpn_delta *delta, dpn_argument *argument, dpn_ball *ball, dpn_workspace *workspace,
                            double epsilon, const dpn_accounting_options *options) {
    if (!(epsilon >= 0 && isfinite(epsilon)) || delta->upper == 0) return;
    dpn_argument which = DPN_ARGUMENT_BOUND, by = which;
    double least = delta->log_upper, most = delta->log_lower, low, high, found;
    found = dpn_ball_log_delta_upper(ball, epsilon, &by);
    keep(&least, &which, found, by);
    if (has_directions(ball, workspace) && by_directions(&low, &high, ball, workspace, epsilon, options, LOOKS)) {
        keep(&least, &which, high, DPN_ARGUMENT_DIRECTIONS);
        if (ball->whole) most = fmax(most, low);
    }
    dpn_delta between = dpn_delta_between(fmin(most, least), least);
    if (least < delta->log_upper) *delta = between;
    if (between.lower > delta->lower) {
        delta->lower = between.lower;
        delta->log_lower = between.log_lower;
    }
    if (which != DPN_ARGUMENT_BOUND) *argument = which;
}

/* The epsilon for delta, less than `most` or that: log delta is nearly a line in epsilon. What is above a lower end that
 * was found raises *lower. */
static double epsilon_by_directions(double *lower, double most, const dpn_ball *ball, dpn_workspace *workspace,
                                    double log_delta, const dpn_accounting_options *options) {
    double low = *lower, high = most, low_excess = NAN, high_excess = NAN, x = low;
    for (int i = 0; i < ROUNDS && high - low > CLOSE * high; i++) {
        double below, above;
        if (!by_directions(&below, &above, ball, workspace, x, options, LOOKS_EACH)) break;
        if (ball->whole && below > log_delta) *lower = fmax(*lower, x);
        double excess = above - log_delta;
        if (excess <= 0) {
            high = x;
            high_excess = excess;
        } else {
            low = x;
            low_excess = excess;
        }
        double chord = low + (high - low) * (low_excess / (low_excess - high_excess)), near = 0.05 * (high - low);
        x = isfinite(chord) ? fmin(fmax(chord + 0.3 * CLOSE * high, low + near), high - near) : 0.5 * (low + high);
    }
    return high;
}

void dpn_ball_improve_epsilon(dpn_epsilon *epsilon, dpn_argument *argument, dpn_ball *ball, dpn_workspace *workspace,
                              double delta, const dpn_accounting_options *options) {
    if (!(delta > 0 && delta < 1) || epsilon->upper <= 0) return;
    dpn_argument which = DPN_ARGUMENT_BOUND, by = which;
    double least = epsilon->upper, l = -log(delta) * (1 + 4 * DBL_EPSILON), found;
    found = epsilon_upper(ball, l, epsilon->upper, &by);
    keep(&least, &which, found, by);
    if (has_directions(ball, workspace) && isfinite(least)) {
        found = epsilon_by_directions(&epsilon->lower, least, ball, workspace, -l, options);
        keep(&least, &which, found, DPN_ARGUMENT_DIRECTIONS);
    }
    epsilon->upper = least;
    if (which != DPN_ARGUMENT_BOUND) *argument = which;
}
