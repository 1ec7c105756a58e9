/* Hostile decimals and guarantees. An input is a text, and after a zero byte raw doubles: an epsilon, a delta, an
 * order. Whatever the input, nothing may crash; a decimal must survive printing, its doubles must lie on their sides;
 * and what follows from a guarantee must be a guarantee, none better by a weaker rule.
 */
#include <dpnoise/convert.h>
#include <dpnoise/decimal.h>
#include <dpnoise/number.h>
#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void promise(bool kept, const char *what, const char *text) {
    if (kept) return;
    fprintf(stderr, "%.200s: broken promise: %s\n", text, what);
    abort();
}

static void check_decimal(const char *text) {
    dpn_decimal a, again, sum;
    dpn_error why = {DPN_OK, ""};
    dpn_status status = dpn_decimal_parse(&a, text, &why);
    promise(!status || (why.status == status && why.sentence[0]), "no refusal without a reason", text);
    if (status) return;
    char printed[DPN_DECIMAL_TEXT_SIZE];
    promise(!dpn_decimal_parse(&again, dpn_decimal_print(printed, &a), NULL), "the print is read", text);
    promise(dpn_decimal_compare(&a, &again) == 0, "the print is the same number", text);
    double lower = dpn_decimal_lower(&a), upper = dpn_decimal_upper(&a);
    promise(dpn_number_compare(printed, lower) >= 0 && dpn_number_compare(printed, upper) <= 0, "sides", text);
    promise(upper == lower || upper == nextafter(lower, INFINITY), "neighbours", text);
    if (!dpn_decimal_from_upper(&again, lower, NULL)) promise(dpn_decimal_upper(&again) >= lower, "from upper", text);
    if (dpn_decimal_add(&sum, &a, &a, NULL)) return;
    promise(!dpn_decimal_subtract(&sum, &sum, &a, NULL) && dpn_decimal_compare(&sum, &a) == 0, "a + a - a = a", text);
}

static double take_double(const uint8_t **at, size_t *left, double fallback) {
    double x = fallback;
    if (*left < sizeof x) return fallback;
    memcpy(&x, *at, sizeof x);
    *at += sizeof x;
    *left -= sizeof x;
    return x;
}

static void check_rules(const dpn_guarantee *g, double epsilon, double delta, const char *text) {
    dpn_conversion best, other;
    if (!dpn_convert_to_delta(&best, g, 1, epsilon, DPN_RULE_TIGHTEST, NULL)) {
        promise(best.guarantee.delta >= 0 && best.guarantee.delta <= 1 && best.log_delta <= 0, "a delta", text);
        for (dpn_rule rule = DPN_RULE_BUN_STEINKE; rule <= DPN_RULE_OPTIMAL; rule++)
            if (!dpn_convert_to_delta(&other, g, 1, epsilon, rule, NULL))
                promise(best.log_delta <= other.log_delta, "the tightest delta", text);
    }
    if (!dpn_convert_to_epsilon(&best, g, 1, delta, DPN_RULE_TIGHTEST, NULL)) {
        promise(best.guarantee.epsilon >= 0, "an epsilon", text);
        for (dpn_rule rule = DPN_RULE_BUN_STEINKE; rule <= DPN_RULE_OPTIMAL; rule++)
            if (!dpn_convert_to_epsilon(&other, g, 1, delta, rule, NULL))
                promise(best.guarantee.epsilon <= other.guarantee.epsilon, "the tightest epsilon", text);
    }
}

static void check_guarantee(const char *text, const uint8_t *at, size_t left) {
    dpn_guarantee g, again;
    dpn_error why = {DPN_OK, ""};
    dpn_status status = dpn_guarantee_parse(&g, text, &why);
    promise(!status || (why.status == status && why.sentence[0]), "no refusal without a reason", text);
    if (status) return;
    char printed[DPN_GUARANTEE_TEXT_SIZE];
    promise(!dpn_guarantee_parse(&again, dpn_guarantee_print(printed, &g), NULL), "the print is read", text);
    double epsilon = take_double(&at, &left, 1), delta = take_double(&at, &left, 1e-6),
           order = take_double(&at, &left, 2);
    check_rules(&g, epsilon, delta, text);
    dpn_conversion out;
    if (!dpn_convert_to_zcdp(&out, &g, DPN_RULE_TIGHTEST, NULL))
        promise(out.guarantee.rho >= 0 && out.guarantee.xi >= 0, "zCDP", text);
    if (!dpn_convert_to_renyi(&out, &g, order, NULL)) promise(out.guarantee.divergence >= 0, "a divergence", text);
    if (!dpn_convert_to_gdp(&out, &g, NULL)) promise(out.guarantee.mu >= 0, "mu", text);
    if (!dpn_convert_to_replace(&out, &g, NULL)) promise(out.guarantee.epsilon >= g.epsilon, "replace", text);
    if (!dpn_convert_to_add_remove(&out, &g, NULL)) promise(out.guarantee.delta <= g.delta, "add-remove", text);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    const uint8_t *end = size ? memchr(data, 0, size) : NULL;
    size_t length = end ? (size_t)(end - data) : size;
    char *text = malloc(length + 1); /* of exactly this size, so that a read beyond the end is seen */
    if (!text) abort();
    if (length) memcpy(text, data, length);
    text[length] = '\0';
    check_decimal(text);
    size_t used = length < size ? length + 1 : length;
    check_guarantee(text, data + used, size - used);
    free(text);
    return 0;
}
