/* What a pure guarantee implies for groups: discrete Laplace noise is the worst. docs/proofs/privacy/convert.md, 8 */
#include <dpnoise/convert.h>

#include "privacy/convert/guarantee.h"
#include "privacy/convert/upper.h"

#include <dpnoise/privacy.h>

/* Whether the answer for a group of several goes by noise; *epsilon is that of one member. */
static bool by_noise(const dpn_guarantee *from, uint64_t k, double *epsilon) {
    dpn_guarantee simplest = dpn_guarantee_simplest(from);
    *epsilon = simplest.epsilon;
    return k > 1 && simplest.notion == DPN_APPROXIMATE && simplest.delta == 0 && simplest.epsilon > 0;
}

/* The noise whose loss at a shift of 1 is at least epsilon. */
static dpn_status noise_of(dpn_law *law, double epsilon) {
    double scale = nextafter(1 / epsilon, 0);
    return dpn_law_make(law, "discrete-laplace", &scale, 1, NULL);
}

/* By the guarantee of the group alone. */
static bool stays_exact(const dpn_conversion *group, const dpn_guarantee *from, uint64_t k) {
    return group->exact && (k == 1 || from->notion == DPN_GDP);
}

dpn_status dpn_convert_group_to_delta(dpn_conversion *out, const dpn_guarantee *from, uint64_t k, double epsilon,
                                      dpn_rule rule, dpn_error *why) {
    dpn_conversion group, answer;
    dpn_delta delta;
    dpn_law law;
    double one;
    dpn_status status = dpn_convert_to_group(&group, from, k, why);
    if (!status) status = dpn_convert_to_delta(&answer, &group.guarantee, 1, epsilon, rule, why);
    if (status) return status;
    answer.exact = answer.exact && stays_exact(&group, from, k);
    if (by_noise(from, k, &one) && rule == DPN_RULE_TIGHTEST) {
        if (answer.guarantee.delta == 0) { /* from the largest loss on */
            answer.exact = true;
        } else if (!noise_of(&law, one) && !dpn_profile_delta(&delta, &law, (double)k, epsilon, NULL) &&
                   delta.log_upper <= answer.log_delta) {
            answer.guarantee.delta = delta.upper;
            answer.log_delta = delta.log_upper;
            answer.exact = true;
        }
        answer.rule = DPN_RULE_GROUP;
    }
    *out = answer;
    return DPN_OK;
}

dpn_status dpn_convert_group_to_epsilon(dpn_conversion *out, const dpn_guarantee *from, uint64_t k, double delta,
                                        dpn_rule rule, dpn_error *why) {
    dpn_conversion group, answer;
    dpn_epsilon epsilon;
    dpn_law law;
    double one;
    dpn_status status = dpn_convert_to_group(&group, from, k, why);
    if (!status) status = dpn_convert_to_epsilon(&answer, &group.guarantee, 1, delta, rule, why);
    if (status) return status;
    answer.exact = answer.exact && stays_exact(&group, from, k);
    if (by_noise(from, k, &one) && rule == DPN_RULE_TIGHTEST) {
        if (delta == 0) {
            answer.exact = true;
        } else if (!noise_of(&law, one) && !dpn_profile_epsilon(&epsilon, &law, (double)k, delta, NULL) &&
                   epsilon.upper <= answer.guarantee.epsilon) {
            answer.guarantee.epsilon = epsilon.upper;
            answer.exact = true;
        }
        answer.rule = DPN_RULE_GROUP;
    }
    *out = answer;
    return DPN_OK;
}

/* The z with P(N > z) = e^(-j epsilon)/(1 + e^-epsilon), rounded up; infinite where that is no normal double. */
static double quantile_upper(const dpn_law *normal, double epsilon, double j) {
    double tail = dpn_lower(exp(-j * epsilon) / (1 + exp(-epsilon)));
    /* The exponent may be off by an ulp of itself, which is less than 2^-42 of the tail where that is normal. */
    tail *= 1 - 0x1p-42;
    return tail < DBL_MIN ? INFINITY : dpn_above(dpn_law_isf(normal, tail), 64);
}

dpn_status dpn_convert_group_to_gdp(dpn_conversion *out, const dpn_guarantee *from, uint64_t k, dpn_error *why) {
    dpn_conversion group, answer;
    dpn_law normal;
    double one, sigma = 1;
    dpn_status status = dpn_convert_to_group(&group, from, k, why);
    if (!status) status = dpn_convert_to_gdp(&answer, &group.guarantee, why);
    if (!status) status = dpn_law_make(&normal, "gaussian", &sigma, 1, why);
    if (status) return status;
    answer.exact = answer.exact && stays_exact(&group, from, k);
    if (by_noise(from, k, &one)) {
        double low = (double)((k + 1) / 2), high = (double)(k + 1 - (k + 1) / 2);
        double mu = quantile_upper(&normal, one, low) + quantile_upper(&normal, one, high);
        answer.exact = isfinite(mu) && mu <= answer.guarantee.mu;
        if (answer.exact) answer.guarantee.mu = nextafter(mu, INFINITY);
        answer.rule = DPN_RULE_GROUP;
    }
    *out = answer;
    return DPN_OK;
}
