/* Between zCDP, Renyi divergences, Gaussian DP and pure DP. docs/proofs/privacy/convert.md */
#include <dpnoise/convert.h>

#include "base/error.h"
#include "base/twofold.h"
#include "privacy/convert/guarantee.h"
#include "privacy/convert/pure.h"
#include "privacy/convert/upper.h"

#include <dpnoise/privacy.h>

static dpn_status unsupported(const dpn_guarantee *from, const char *to, dpn_error *why) {
    return dpn_fail(why, DPN_EUNSUPPORTED, "%s does not imply %s", dpn_notion_name(from->notion), to);
}

/* Whether it is pure DP in the dress of another notion; *epsilon is then its epsilon. */
static bool is_pure(const dpn_guarantee *from, double *epsilon) {
    dpn_guarantee simplest = dpn_guarantee_simplest(from);
    *epsilon = simplest.epsilon;
    return simplest.notion == DPN_APPROXIMATE && simplest.delta == 0;
}

static dpn_conversion converted(dpn_guarantee guarantee, bool exact, dpn_rule rule) {
    return (dpn_conversion){.guarantee = guarantee, .log_delta = -INFINITY, .exact = exact, .rule = rule};
}

/* The least double not below x^2/2; a little more for x below 1e-150. */
static double half_square_upper(double x) {
    return x == 0 ? 0 : x < 1e-150 ? 1e-300 : 0.5 * dpn_square_upper(x);
}

/* step 6 */
dpn_status dpn_convert_to_zcdp(dpn_conversion *out, const dpn_guarantee *from, dpn_rule rule, dpn_error *why) {
    double epsilon;
    dpn_guarantee zcdp = {.notion = DPN_ZCDP};
    dpn_status status = dpn_guarantee_check(from, why);
    if (status) return status;
    if (rule != DPN_RULE_TIGHTEST && !(rule == DPN_RULE_BUN_STEINKE && is_pure(from, &epsilon)))
        return dpn_fail(why, DPN_EUNSUPPORTED, "this rule does not lead from %s to zcdp",
                        dpn_notion_name(from->notion));
    if (from->notion == DPN_ZCDP) {
        *out = converted(*from, true, DPN_RULE_DEFINITION);
    } else if (from->notion == DPN_GDP) {
        zcdp.rho = half_square_upper(from->mu);
        *out = converted(zcdp, true, DPN_RULE_DEFINITION);
    } else if (is_pure(from, &epsilon)) {
        bool tight = rule == DPN_RULE_TIGHTEST;
        zcdp.rho = !tight ? half_square_upper(epsilon) : epsilon == 0 ? 0 : dpn_upper(epsilon * tanh(0.5 * epsilon));
        *out = converted(zcdp, tight, tight ? DPN_RULE_RANDOMISED_RESPONSE : DPN_RULE_BUN_STEINKE);
    } else {
        return unsupported(from, "zcdp", why);
    }
    return DPN_OK;
}

dpn_status dpn_convert_to_renyi(dpn_conversion *out, const dpn_guarantee *from, double order, dpn_error *why) {
    double epsilon;
    dpn_guarantee renyi = {.notion = DPN_RENYI, .order = order};
    dpn_status status = dpn_guarantee_check(from, why);
    if (status) return status;
    if (!(order > 1)) return dpn_fail(why, DPN_EDOMAIN, "order must be more than 1");
    bool exact = true;
    dpn_rule rule = DPN_RULE_DEFINITION;
    if (is_pure(from, &epsilon)) {
        renyi.divergence = dpn_pure_renyi_upper(epsilon, order);
        rule = DPN_RULE_RANDOMISED_RESPONSE;
    } else if (from->notion == DPN_ZCDP && isfinite(order)) {
        renyi.divergence = dpn_upper(from->xi + order * from->rho); /* rho > 0, or it were pure */
    } else if (from->notion == DPN_GDP && (isfinite(order) || from->mu == 0)) {
        renyi.divergence = from->mu == 0 ? 0 : dpn_upper(order * half_square_upper(from->mu));
    } else if (from->notion == DPN_RENYI && order <= from->order) {
        renyi.divergence = from->divergence; /* divergences grow with the order */
        exact = order == from->order;
    } else {
        return unsupported(from, "a finite Renyi divergence of this order", why);
    }
    *out = converted(renyi, exact, rule);
    return DPN_OK;
}

/* The largest mu, as far as bisection finds it, whose profile is proved to be at most delta at epsilon. */
static dpn_status gdp_needed(double *mu, double epsilon, double delta, dpn_error *why) {
    double low = 0, high = 1, sigma = 1;
    dpn_law law;
    dpn_delta at;
    dpn_status status = dpn_law_make(&law, "gaussian", &sigma, 1, why);
    if (!status) status = dpn_profile_delta(&at, &law, high, epsilon, why);
    while (!status && at.upper <= delta && high < 1e100) {
        low = high;
        high *= 2;
        status = dpn_profile_delta(&at, &law, high, epsilon, why);
    }
    for (int i = 0; i < 4000 && !status && high > 1e-300 && high - low > 1e-14 * high; i++) {
        double middle = low > 0 ? 0.5 * (low + high) : high / 16; /* down by factors until one will do */
        status = dpn_profile_delta(&at, &law, middle, epsilon, why);
        if (!status && at.upper <= delta)
            low = middle;
        else
            high = middle;
    }
    if (status) return status;
    if (low == 0 && delta > 0) return dpn_fail(why, DPN_EACCURACY, "mu is too small to compute with");
    *mu = low;
    return DPN_OK;
}

/* step 7 */
dpn_status dpn_convert_to_gdp(dpn_conversion *out, const dpn_guarantee *from, dpn_error *why) {
    double epsilon;
    dpn_guarantee gdp = {.notion = DPN_GDP};
    dpn_status status = dpn_guarantee_check(from, why);
    if (status) return status;
    if (from->notion == DPN_GDP) {
        *out = converted(*from, true, DPN_RULE_DEFINITION);
    } else if (is_pure(from, &epsilon)) {
        dpn_law law;
        double sigma = 1;
        if (epsilon > 680) return dpn_fail(why, DPN_EDOMAIN, "epsilon must be at most 680 to give Gaussian DP");
        status = dpn_law_make(&law, "gaussian", &sigma, 1, why);
        if (status) return status;
        /* The quantile is accurate to a few ulps, docs/accuracy.md; near 0, where it vanishes, to those of 1. */
        gdp.mu = epsilon == 0 ? 0 : dpn_above(2 * dpn_law_isf(&law, 1 / (1 + exp(epsilon))), 64);
        *out = converted(gdp, true, DPN_RULE_GAUSSIAN);
    } else if (from->notion == DPN_APPROXIMATE) {
        status = gdp_needed(&gdp.mu, from->epsilon, from->delta, why);
        if (!status) *out = converted(gdp, true, DPN_RULE_NEEDED);
    } else {
        return unsupported(from, "Gaussian DP", why);
    }
    return status;
}
