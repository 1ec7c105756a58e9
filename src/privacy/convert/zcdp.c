/* From (xi, rho)-zCDP to (epsilon, delta). docs/proofs/privacy/convert.md */
#include "privacy/convert/zcdp.h"

#include "privacy/convert/renyi.h"
#include "privacy/convert/upper.h"

/* What is asked at each order: epsilon for l, or log delta for epsilon. */
typedef struct question {
    double xi, rho, l, epsilon;
    bool of_delta;
} question;

static double answer_at(const question *q, double order, dpn_rule rule) {
    double divergence = dpn_upper(q->xi + order * q->rho);
    if (q->of_delta) return dpn_renyi_epsilon_upper(order, divergence, q->l, rule);
    return dpn_renyi_log_delta_upper(order, divergence, q->epsilon, rule);
}

/* The order that is best by Proposition 12, by a golden section in log(a - 1) from 1e-9 to 1e12. log delta is convex in
 * the order, so that the section finds its least value (where it is cut off at 0, the lower orders do better); in any
 * case every order is safe. The optimal rule is then asked at that order: there it gains little, and the search
 * would be long. */
static double best_order(const question *q) {
    static const double ratio = 0.61803398874989485;
    double low = log(1e-9), high = log(1e12);
    for (int i = 0; i < 80; i++) {
        double left = high - ratio * (high - low), right = low + ratio * (high - low);
        double at_left = answer_at(q, 1 + exp(left), DPN_RULE_CANONNE_KAMATH_STEINKE);
        double at_right = answer_at(q, 1 + exp(right), DPN_RULE_CANONNE_KAMATH_STEINKE);
        if (at_left < at_right || (at_left == at_right && at_left == 0))
            high = right;
        else
            low = left;
    }
    return 1 + exp(0.5 * (low + high));
}

double dpn_zcdp_epsilon_upper(double xi, double rho, double l, dpn_rule rule, double *order) {
    if (order) *order = 0;
    if (rule == DPN_RULE_BUN_STEINKE) return dpn_upper(xi + rho + 2 * sqrt(rho) * sqrt(l));
    question q = {.xi = xi, .rho = rho, .l = l, .of_delta = true};
    double best = best_order(&q);
    if (order) *order = best;
    return answer_at(&q, best, rule);
}

double dpn_zcdp_log_delta_upper(double xi, double rho, double epsilon, dpn_rule rule, double *order) {
    if (order) *order = 0;
    if (rule == DPN_RULE_BUN_STEINKE) {
        double beyond = dpn_below(epsilon - xi - rho, epsilon + xi + rho);
        /* With rho > 0 no delta is 0: a square that overflows becomes the largest double. */
        return beyond <= 0 ? 0 : rho > 0 ? -fmin(dpn_lower(beyond * (beyond / (4 * rho))), DBL_MAX) : -INFINITY;
    }
    question q = {.xi = xi, .rho = rho, .epsilon = epsilon};
    double best = best_order(&q);
    if (order) *order = best;
    return answer_at(&q, best, rule);
}
