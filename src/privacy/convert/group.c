/* Groups, and the neighbouring relations: chains of neighbours. docs/proofs/privacy/convert.md */
#include <dpnoise/convert.h>

#include "base/error.h"
#include "privacy/convert/guarantee.h"
#include "privacy/convert/upper.h"

/* The least double not below k x, for whole k and x >= 0; the remainder of a product must not underflow. */
static double times_upper(double k, double x) {
    double product = k * x;
    if (product < 1e-250) return x == 0 ? 0 : dpn_upper(product);
    return fma(k, x, -product) > 0 ? nextafter(product, INFINITY) : product;
}

/* 1 + 1/2 + ... + 1/k, rounded up: the sum to 100 terms, which rounds 200 times, then log(k/100), which exceeds the
 * rest by at most 1/200. */
static double harmonic_upper(double k) {
    double sum = 0;
    for (double i = 1; i <= fmin(k, 100); i++) sum += 1 / i;
    return dpn_above(sum + (k > 100 ? log(k / 100) : 0), 2 * sum);
}

/* delta (e^(k e) - 1)/(e^e - 1), which is k delta at e = 0, as a logarithm. */
static double group_log_delta(double epsilon, double delta, double k) {
    double last = log(k);
    if (epsilon > 0) {
        double all = k * epsilon, above = all > 30 ? all : log(expm1(all)),
               below = epsilon > 30 ? epsilon : log(expm1(epsilon));
        if (epsilon > 30) below += log1p(-exp(-epsilon));
        last = dpn_above(above - below, 1 + fabs(above) + fabs(below));
    }
    return dpn_above(log(delta) + last, 1 - log(delta) + fabs(last));
}

dpn_status dpn_convert_to_group(dpn_conversion *out, const dpn_guarantee *from, uint64_t k, dpn_error *why) {
    dpn_status status = dpn_guarantee_check(from, why);
    if (status) return status;
    if (k < 1 || k > 1000000000) return dpn_fail(why, DPN_EDOMAIN, "a group has 1 to 1e9 members");
    if (from->notion == DPN_RENYI)
        return dpn_fail(why, DPN_EUNSUPPORTED, "a Renyi divergence of one order does not bound those of groups");
    double size = (double)k;
    dpn_conversion group = {.guarantee = *from, .log_delta = -INFINITY, .exact = true, .rule = DPN_RULE_GROUP};
    dpn_guarantee *to = &group.guarantee;
    to->epsilon = times_upper(size, from->epsilon);
    to->mu = times_upper(size, from->mu);
    to->rho = times_upper(size, times_upper(size, from->rho));
    to->xi = times_upper(size, from->xi); /* with rho = 0 it is pure, and losses add */
    if (from->xi > 0 && from->rho > 0) {
        to->xi = dpn_upper(from->xi * size * harmonic_upper(size));
        group.exact = k == 1;
    }
    if (from->delta > 0) {
        group.log_delta = group_log_delta(from->epsilon, from->delta, size);
        to->delta = dpn_upper(exp(group.log_delta));
        if (from->epsilon > 0 && to->epsilon < 700)
            to->delta = dpn_upper(from->delta * (expm1(to->epsilon) / expm1(from->epsilon)));
        group.exact = k == 1;
        if (!(to->delta < 1))
            return dpn_fail(why, DPN_EDOMAIN, "nothing is left for such groups: delta would be 1 or more");
    }
    if (k == 1) *to = *from;
    status = dpn_guarantee_check(to, why);
    if (!status) *out = group;
    return status;
}

dpn_status dpn_convert_to_replace(dpn_conversion *out, const dpn_guarantee *from, dpn_error *why) {
    return dpn_convert_to_group(out, from, 2, why);
}

dpn_status dpn_convert_to_add_remove(dpn_conversion *out, const dpn_guarantee *from, dpn_error *why) {
    dpn_status status = dpn_guarantee_check(from, why);
    if (status) return status;
    if (from->notion == DPN_RENYI || from->xi > 0)
        return dpn_fail(why, DPN_EUNSUPPORTED, "no such guarantee is known that would give %s(...)",
                        dpn_notion_name(from->notion));
    dpn_conversion needed = {.guarantee = *from, .log_delta = -INFINITY, .exact = false, .rule = DPN_RULE_NEEDED};
    dpn_guarantee *to = &needed.guarantee;
    to->epsilon = 0.5 * from->epsilon;
    to->mu = 0.5 * from->mu;
    to->rho = 0.25 * from->rho;
    if (from->delta > 0) {
        double log_delta = log(from->delta) - to->epsilon - log1p(exp(-to->epsilon));
        needed.log_delta = dpn_below(log_delta, 1 - log(from->delta) + to->epsilon);
        to->delta = dpn_lower(from->delta / (1 + exp(to->epsilon)));
    }
    *out = needed;
    return DPN_OK;
}
