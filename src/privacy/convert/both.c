/* Divergences that are bounded in both directions: the worst coin is that of randomised response. docs/proofs/privacy/convert.md */
#include "privacy/convert/both.h"

#include "privacy/convert/pure.h"
#include "privacy/convert/upper.h"

/* An e >= 0 whose randomised response has a divergence of at least the one given, next to the least such e. Divergences grow with
 * the order, and that of order 1, e tanh(e/2), is at least e - 0.6. */
static double response(double order, double divergence) {
    double low = 0, high = divergence + 0.7;
    if (!(dpn_pure_renyi_lower(high, order) >= divergence)) return INFINITY;
    for (int i = 0; i < 200 && high > low; i++) {
        double middle = low + 0.5 * (high - low);
        if (middle <= low || middle >= high) break;
        if (dpn_pure_renyi_lower(middle, order) >= divergence)
            high = middle;
        else
            low = middle;
    }
    return high;
}

/* The logarithm of kappa, up to which it is the worst, rounded down: of (a-1) sinh(a e)/(a sinh((a-1) e)), and of sinh(e)/e for order 1.
 * It is never negative. */
static double reach(double order, double e) {
    double rise = log(-expm1(-2 * order * e)), fall, tail;
    if (order == 1) {
        fall = log(2) + log(e);
        tail = 0;
    } else {
        fall = log(-expm1(-2 * (order - 1) * e));
        tail = dpn_log_less_over(order);
    }
    return fmax(0, dpn_below(e + rise - fall + tail, 1 + e + fabs(rise) + fabs(fall) - tail));
}

double dpn_both_delta_upper(double order, double divergence, double epsilon) {
    double e = response(order, divergence);
    if (!isfinite(e) || epsilon > reach(order, e)) return INFINITY;
    return epsilon >= e ? 0 : dpn_upper(-expm1(epsilon - e) / (1 + exp(-e)));
}

/* Solved for epsilon: e^epsilon = e^e - delta (1 + e^e). */
double dpn_both_epsilon_upper(double order, double divergence, double delta) {
    double e = response(order, divergence);
    if (!isfinite(e)) return INFINITY;
    double fall = dpn_lower(delta * (1 + exp(-e)));
    double epsilon = fall >= 1 ? 0 : fmax(0, dpn_above(e + log1p(-fall), e - log1p(-fall)));
    return epsilon <= reach(order, e) ? epsilon : INFINITY;
}
