/* The plan of a filter: the orders and their weights. */
#include "privacy/filter/filter.h"

#include "base/decimal.h"
#include "base/error.h"

#include <math.h>

enum { DEFAULTS = 13, MIDDLE = 8, ASIDE = 50, FIRST = 5 };
static const char *const weights[DEFAULTS] = {"0.02", "0.02", "0.02", "0.03", "0.03", "0.05", "0.07",
                                              "0.1",  "0.4",  "0.1",  "0.08", "0.05", "0.03"};

/* x > 0 to three digits. */
static double three_digits(double x) {
    double unit = pow(10, floor(log10(x)) - 2);
    return unit < 1 ? round(x / unit) / round(1 / unit) : round(x / unit) * unit;
}

/* How far from 1 the order lies that has the most room for charges with D_a = a rho when the budget is full: the
 * greatest (epsilon - cost)/a, cost as in the rule with the weight of the middle order. To two percent, which is
 * enough. */
static double best_distance(double epsilon, double l) {
    double best = 0, room = -INFINITY;
    for (double less = 1e-2; less < 1e5; less *= 1.02) {
        double cost = (l - log(0.4) - log1p(less)) / less - log1p(1 / less);
        double here = (epsilon - cost) / (1 + less);
        if (here <= room) continue;
        room = here;
        best = less;
    }
    return best;
}

dpn_status dpn_filter_terms_default(dpn_filter_terms *out, const dpn_decimal *epsilon, const dpn_decimal *delta,
                                    dpn_error *why) {
    dpn_filter_terms plan = {.epsilon = *epsilon, .delta = *delta};
    double e = dpn_decimal_lower(epsilon), d = dpn_decimal_upper(delta);
    if (d >= 1) return dpn_fail(why, DPN_EDOMAIN, "delta must be less than 1");
    if (e > 0 && d > 0) {
        plan.delta_renyi = dpn_decimal_hundredths_down(delta, ASIDE);
        plan.delta_first = dpn_decimal_hundredths_down(delta, FIRST);
        double distance = best_distance(e, -log(ASIDE / 100.0 * d));
        plan.orders = DEFAULTS;
        for (int i = 0; i < DEFAULTS; i++) {
            plan.order[i] = 1 + three_digits(distance * exp2(0.5 * (i - MIDDLE)));
            dpn_status status = dpn_decimal_parse(&plan.weight[i], weights[i], why);
            if (status) return status;
        }
    }
    *out = plan;
    return DPN_OK;
}
