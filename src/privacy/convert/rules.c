/* The names of rules, and where their theorems stand. */
#include <dpnoise/convert.h>

static const struct {
    const char *name, *theorem;
} table[] = {
    [DPN_RULE_TIGHTEST] = {"tightest", "the least of all rules that apply"},
    [DPN_RULE_BUN_STEINKE] = {"bun-steinke", "Bun, Steinke 2016, Lemma 3.5 and Proposition 3.3"},
    [DPN_RULE_CANONNE_KAMATH_STEINKE] = {"canonne-kamath-steinke", "Canonne, Kamath, Steinke 2020, Proposition 12"},
    [DPN_RULE_OPTIMAL] = {"optimal", "Asoodeh et al. 2021, by duality"},
    [DPN_RULE_RANDOMISED_RESPONSE] = {"randomised-response", "Kairouz, Oh, Viswanath 2015"},
    [DPN_RULE_GAUSSIAN] = {"gaussian", "Dong, Roth, Su 2022, Corollary 1; Balle, Wang 2018, Theorem 8"},
    [DPN_RULE_DEFINITION] = {"definition", "by definition"},
    [DPN_RULE_GROUP] = {"group", "a chain of neighbours; for zCDP Bun, Steinke 2016, Proposition 1.9"},
    [DPN_RULE_NEEDED] = {"needed", "the other way round: whatever has this guarantee has the one given"},
};

static bool known(dpn_rule rule) {
    return (int)rule >= 0 && (size_t)rule < sizeof table / sizeof *table;
}

const char *dpn_rule_name(dpn_rule rule) {
    return known(rule) ? table[rule].name : NULL;
}

const char *dpn_rule_theorem(dpn_rule rule) {
    return known(rule) ? table[rule].theorem : NULL;
}
