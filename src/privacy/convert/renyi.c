/* From a Renyi divergence to (epsilon, delta). docs/proofs/privacy/convert.md */
#include "privacy/convert/renyi.h"

#include "privacy/convert/upper.h"
#include "privacy/interval.h"

/* Proposition 12 of Canonne, Kamath and Steinke: log delta = (a-1)(D - epsilon) + (a-1) log(1 - 1/a) - log a. */
static double log_delta_by_proposition_12(double order, double divergence, double epsilon) {
    double less = order - 1, tail = less * dpn_log_less_over(order), last = log(order);
    double size = less * fabs(divergence - epsilon) - tail + last;
    return fmin(0, dpn_above(less * (divergence - epsilon) + tail - last, size));
}

static double epsilon_by_proposition_12(double order, double divergence, double l) {
    double less = order - 1, tail = dpn_log_less_over(order), last = log(order);
    double size = divergence - tail + (l + last) / less;
    return fmax(0, dpn_above(divergence + tail + (l - last) / less, size));
}

/* log(1 - e^-x) for x > 0. */
static double log_complement(double x) {
    return x < 0.7 ? log(-expm1(-x)) : log1p(-exp(-x));
}

/* The epsilon of step 3 of the proof for the likelihood ratio v = 1 - h off the event, 0 < h <= 1; h = 1 is Proposition
 * 12. Every h gives a true bound. */
static double epsilon_at(double order, double divergence, double l, double h) {
    double less = order - 1, log_v = log1p(-h), moment = less * divergence;
    /* 1 - v^(a-1) (a - (a-1) v) = 1 - exp(-fall). */
    double fall = h == 1 ? INFINITY : dpn_above(-less * log_v - log1p(less * h), -less * log_v + log1p(less * h));
    double rise = moment > 700 ? moment : log(expm1(moment) - expm1(-fmax(0, fall)));
    rise = dpn_above(rise, 1 + fabs(rise) + moment) + l - log(order);
    double power = h == 1 ? rise : dpn_log_add(less * log_v, rise);
    double log_u = dpn_above(power, 1 + (h == 1 ? 0 : -less * log_v) + fabs(rise) + fabs(l) + log(order)) / less;
    double tail = dpn_log_less_over(order), apart = log_u - log_v, value = log_u + tail, size = fabs(log_u) - tail;
    if (h < 1) {
        if (!(apart > 0)) return INFINITY;
        double above = log_complement(order * apart), below = log_complement(less * apart);
        value += above - below;
        /* above - below changes by no more than `apart` does: the mean of step 3 grows with u, and no faster. */
        size += 2 + fabs(above) + fabs(below) + fabs(log_u) - log_v;
    }
    return fmax(0, dpn_above(value, size));
}

/* step 4: for delta >= 1/a the worst event is certain on one side, and epsilon = D + log(1 - delta). */
static double epsilon_of_certainty(double order, double divergence, double l) {
    if (!(dpn_above(l, l) < log(order))) return INFINITY;
    double fall = log_complement(l);
    return fmax(0, dpn_above(divergence + fall, 1 + divergence - fall));
}

/* h = 10^t/(1 + 10^t), which is fine near 0 and near 1. */
static double epsilon_at_logit(double order, double divergence, double l, double t) {
    return epsilon_at(order, divergence, l, 1 / (1 + pow(10, -t)));
}

/* The least over h, found by a walk and a golden section. The search need not find it: every h is safe. */
static double epsilon_by_duality(double order, double divergence, double l) {
    static const double ratio = 0.61803398874989485, first = -16, last = 15, step = 0.5;
    double best = fmin(epsilon_at(order, divergence, l, 1), epsilon_of_certainty(order, divergence, l)), at = NAN;
    for (double t = first; t <= last; t += step) {
        double epsilon = epsilon_at_logit(order, divergence, l, t);
        if (epsilon >= best) continue;
        best = epsilon;
        at = t;
    }
    if (isnan(at)) return best;
    double low = at - step, high = at + step;
    while (high - low > 1e-7) {
        double left = high - ratio * (high - low), right = low + ratio * (high - low);
        double at_left = epsilon_at_logit(order, divergence, l, left);
        double at_right = epsilon_at_logit(order, divergence, l, right);
        best = fmin(best, fmin(at_left, at_right));
        if (at_left < at_right)
            high = right;
        else
            low = left;
    }
    return best;
}

double dpn_renyi_epsilon_upper(double order, double divergence, double l, dpn_rule rule) {
    if (divergence == 0) return 0;
    return rule == DPN_RULE_CANONNE_KAMATH_STEINKE ? epsilon_by_proposition_12(order, divergence, l)
                                                   : epsilon_by_duality(order, divergence, l);
}

/* The largest l whose epsilon is at most the one given, by bisection: the lower end is always proved. */
static double log_delta_by_duality(double order, double divergence, double epsilon) {
    double low = -log_delta_by_proposition_12(order, divergence, epsilon), high = fmax(2 * low, 1);
    while (high < 1e300 && epsilon_by_duality(order, divergence, high) <= epsilon) {
        low = high;
        high *= 2;
    }
    for (int i = 0; i < 60 && high - low > 1e-13 * high; i++) {
        double middle = 0.5 * (low + high);
        if (epsilon_by_duality(order, divergence, middle) <= epsilon)
            low = middle;
        else
            high = middle;
    }
    return -low;
}

double dpn_renyi_log_delta_upper(double order, double divergence, double epsilon, dpn_rule rule) {
    if (divergence == 0) return -INFINITY;
    return rule == DPN_RULE_CANONNE_KAMATH_STEINKE ? log_delta_by_proposition_12(order, divergence, epsilon)
                                                   : log_delta_by_duality(order, divergence, epsilon);
}
