/* From any guarantee to (epsilon, delta). docs/proofs/privacy/convert.md */
#include <dpnoise/convert.h>

#include "base/error.h"
#include "privacy/convert/both.h"
#include "privacy/convert/guarantee.h"
#include "privacy/convert/renyi.h"
#include "privacy/convert/upper.h"
#include "privacy/convert/zcdp.h"
#include "privacy/interval.h"

/* One answer: an upper bound of epsilon or of log delta. */
typedef struct answer {
    double value, order;
    bool exact;
    dpn_rule rule;
    double delta; /* beside log delta, where it is known directly */
} answer;

/* What is asked: log delta for epsilon, or epsilon for delta. */
typedef struct question {
    bool of_delta;
    double epsilon, delta, l; /* l is log(1/delta), rounded up */
} question;

/* ---- Each notion ---- */

/* step 1: e^x = e^epsilon - (delta_x - delta)(1 + e^epsilon)/(1 - delta), x not below 0. */
static double approximate_epsilon(const dpn_guarantee *from, double delta) {
    double e = from->epsilon, share = dpn_lower((delta - from->delta) / (1 - from->delta));
    double fall = dpn_lower(share * (1 + exp(-e)));
    if (delta < from->delta) return INFINITY;
    if (delta == from->delta) return e;
    return fall >= 1 ? 0 : fmin(e, fmax(0, dpn_above(e + log1p(-fall), e - log1p(-fall))));
}

/* step 1: delta + (1 - delta)(e^epsilon - e^x)/(1 + e^epsilon) for x < epsilon, delta from there on. */
static double approximate_delta(const dpn_guarantee *from, double epsilon) {
    if (epsilon >= from->epsilon) return from->delta;
    double jump = -expm1(epsilon - from->epsilon) / (1 + exp(-from->epsilon));
    return dpn_upper(from->delta + (1 - from->delta) * jump);
}

static answer from_approximate(const dpn_guarantee *from, const question *q) {
    answer out = {.exact = true, .rule = DPN_RULE_RANDOMISED_RESPONSE};
    if (q->of_delta) {
        out.value = approximate_epsilon(from, q->delta);
    } else {
        out.delta = approximate_delta(from, q->epsilon);
        out.value = out.delta == 0 ? -INFINITY : dpn_above(log(out.delta), fabs(log(out.delta)));
    }
    return out;
}

/* The rule by itself, or the best of those that a Renyi divergence has. */
static bool takes(dpn_rule asked, dpn_rule rule) {
    return asked == DPN_RULE_TIGHTEST || asked == rule;
}

static void keep_least(answer *out, double value, double order, bool exact, dpn_rule rule) {
    if (!(value < out->value)) return;
    *out = (answer){value, order, exact, rule, 0};
}

/* step 5: where the other direction matters. */
static void from_both(answer *out, double order, double divergence, const question *q, bool exact) {
    double value = q->of_delta ? dpn_both_epsilon_upper(order, divergence, q->delta)
                               : dpn_both_delta_upper(order, divergence, q->epsilon);
    double direct = q->of_delta ? 0 : value;
    if (!q->of_delta) value = value == 0 ? -INFINITY : dpn_above(log(value), fabs(log(value)));
    if (!(value < out->value)) return;
    *out = (answer){value, order, exact, DPN_RULE_OPTIMAL, direct};
}

static void from_renyi(answer *out, const dpn_guarantee *from, const question *q, dpn_rule rule) {
    static const dpn_rule rules[] = {DPN_RULE_OPTIMAL, DPN_RULE_CANONNE_KAMATH_STEINKE};
    for (int i = 0; i < 2; i++) {
        if (!takes(rule, rules[i])) continue;
        double value = q->of_delta ? isinf(q->l)
                                         ? (from->divergence == 0 ? 0 : INFINITY)
                                         : dpn_renyi_epsilon_upper(from->order, from->divergence, q->l, rules[i])
                                   : dpn_renyi_log_delta_upper(from->order, from->divergence, q->epsilon, rules[i]);
        keep_least(out, value, from->order, rules[i] == DPN_RULE_OPTIMAL, rules[i]);
    }
    if (takes(rule, DPN_RULE_OPTIMAL) && from->divergence > 0) from_both(out, from->order, from->divergence, q, true);
}

static void from_zcdp(answer *out, const dpn_guarantee *from, const question *q, dpn_rule rule) {
    static const dpn_rule rules[] = {DPN_RULE_OPTIMAL, DPN_RULE_CANONNE_KAMATH_STEINKE, DPN_RULE_BUN_STEINKE};
    for (int i = 0; i < 3; i++) {
        if (!takes(rule, rules[i])) continue;
        double order = 0, value;
        if (q->of_delta)
            value = isinf(q->l) ? INFINITY : dpn_zcdp_epsilon_upper(from->xi, from->rho, q->l, rules[i], &order);
        else
            value = dpn_zcdp_log_delta_upper(from->xi, from->rho, q->epsilon, rules[i], &order);
        keep_least(out, value, order, false, rules[i]);
    }
    if (takes(rule, DPN_RULE_OPTIMAL)) from_both(out, 1, dpn_upper(from->xi + from->rho), q, from->xi == 0);
}

static dpn_status from_gdp(answer *out, const dpn_guarantee *from, const question *q, dpn_error *why) {
    dpn_law law;
    double sigma = 1, value = 0, direct = 0;
    dpn_status status = dpn_law_make(&law, "gaussian", &sigma, 1, why);
    if (!status && q->of_delta) {
        dpn_epsilon epsilon;
        status = dpn_profile_epsilon(&epsilon, &law, from->mu, q->delta, why);
        if (!status) value = epsilon.upper;
    } else if (!status) {
        dpn_delta delta;
        status = dpn_profile_delta(&delta, &law, from->mu, q->epsilon, why);
        if (!status) value = delta.log_upper;
        if (!status) direct = delta.upper;
    }
    if (!status) *out = (answer){value, 0, true, DPN_RULE_GAUSSIAN, direct};
    return status;
}

/* ---- All of them ---- */

static dpn_status consider(answer *best, const dpn_guarantee *given, const question *q, dpn_rule rule, dpn_error *why) {
    answer out = {.value = INFINITY, .rule = DPN_RULE_TIGHTEST};
    dpn_guarantee from = dpn_guarantee_simplest(given);
    dpn_status status = dpn_guarantee_check(given, why);
    if (status) return status;
    if (from.notion == DPN_APPROXIMATE && rule == DPN_RULE_TIGHTEST) out = from_approximate(&from, q);
    if (from.notion == DPN_GDP && rule == DPN_RULE_TIGHTEST) status = from_gdp(&out, &from, q, why);
    if (from.notion == DPN_RENYI) from_renyi(&out, &from, q, rule);
    if (from.notion == DPN_ZCDP) from_zcdp(&out, &from, q, rule);
    if (status || out.rule == DPN_RULE_TIGHTEST) return status; /* this rule is silent here */
    if (best->rule == DPN_RULE_TIGHTEST || out.value < best->value) *best = out;
    return DPN_OK;
}

static dpn_status consider_all(answer *best, const dpn_guarantee *from, size_t count, const question *q, dpn_rule rule,
                               dpn_error *why) {
    *best = (answer){.value = INFINITY, .rule = DPN_RULE_TIGHTEST};
    if (count == 0) return dpn_fail(why, DPN_EDOMAIN, "a guarantee to convert is missing");
    if ((int)rule < DPN_RULE_TIGHTEST || rule > DPN_RULE_OPTIMAL)
        return dpn_fail(why, DPN_EDOMAIN, "no such rule can be asked for");
    for (size_t i = 0; i < count; i++) {
        dpn_status status = consider(best, &from[i], q, rule, why);
        if (status) return status;
    }
    best->exact = best->exact && count == 1;
    if (best->rule != DPN_RULE_TIGHTEST) return DPN_OK;
    /* A rule that applies and proves nothing finite leaves an infinite epsilon. */
    bool applies = rule == DPN_RULE_TIGHTEST;
    for (size_t i = 0; i < count; i++)
        applies |= from[i].notion == DPN_ZCDP || (from[i].notion == DPN_RENYI && rule != DPN_RULE_BUN_STEINKE);
    if (!applies)
        return dpn_fail(why, DPN_EUNSUPPORTED, "the rule %s does not apply to %s", dpn_rule_name(rule),
                        dpn_notion_name(from[0].notion));
    best->rule = rule;
    return DPN_OK;
}

dpn_status dpn_convert_to_delta(dpn_conversion *out, const dpn_guarantee *from, size_t count, double epsilon,
                                dpn_rule rule, dpn_error *why) {
    if (!(epsilon >= 0 && epsilon <= 1e100)) return dpn_fail(why, DPN_EDOMAIN, "epsilon must lie in [0, 1e100]");
    question q = {.epsilon = epsilon};
    answer best;
    dpn_status status = consider_all(&best, from, count, &q, rule, why);
    if (status) return status;
    double log_delta = fmin(0, best.value), delta = dpn_delta_between(log_delta, log_delta).upper;
    if (best.delta > 0) delta = fmin(1, best.delta);
    *out = (dpn_conversion){
        {.notion = DPN_APPROXIMATE, .epsilon = epsilon, .delta = delta}, log_delta, best.order, best.exact, best.rule};
    return DPN_OK;
}

dpn_status dpn_convert_to_epsilon(dpn_conversion *out, const dpn_guarantee *from, size_t count, double delta,
                                  dpn_rule rule, dpn_error *why) {
    if (!(delta >= 0 && delta < 1)) return dpn_fail(why, DPN_EDOMAIN, "delta must be at least 0 and less than 1");
    double log_delta = log(delta);
    question q = {.of_delta = true, .delta = delta, .l = dpn_above(-log_delta, -log_delta)};
    answer best;
    dpn_status status = consider_all(&best, from, count, &q, rule, why);
    if (status) return status;
    *out = (dpn_conversion){{.notion = DPN_APPROXIMATE, .epsilon = best.value, .delta = delta},
                            log_delta,
                            best.order,
                            best.exact,
                            best.rule};
    return DPN_OK;
}
