/* The answer of `dpnoise convert`. What bounds from above is never rounded down. */
#include "convert/convert.h"

#include "kit/fact.h"
#include "kit/json.h"
#include "words/decimal.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

enum { DIGITS = 10 };

/* The numbers that the result consists of, by name. */
struct member {
    const char *name;
    double value;
};

static int members(struct member out[2], const dpn_guarantee *g) {
    switch (g->notion) {
    case DPN_PURE:
        out[0] = (struct member){"epsilon", g->epsilon};
        return 1;
    case DPN_APPROXIMATE:
        out[0] = (struct member){"epsilon", g->epsilon};
        out[1] = (struct member){"delta", g->delta};
        return 2;
    case DPN_ZCDP:
        out[0] = (struct member){"xi", g->xi};
        out[1] = (struct member){"rho", g->rho};
        return 2;
    case DPN_RENYI:
        out[0] = (struct member){"order", g->order};
        out[1] = (struct member){"divergence", g->divergence};
        return 2;
    case DPN_GDP:
        out[0] = (struct member){"mu", g->mu};
        return 1;
    }
    return 0;
}

/* The result as the question spells it: what was asked for is shown as it was written. */
static dpn_guarantee shown(const struct conversion *c) {
    dpn_guarantee g = c->result.guarantee;
    if (c->target == TO_DELTA) g.epsilon = c->asked;
    if (c->target == TO_EPSILON) g.delta = c->asked;
    return g;
}

static const char *label(const struct conversion *c) {
    return c->result.exact ? "exact" : "bound";
}

void convert_print_json(const struct conversion *c) {
    char text[DPN_GUARANTEE_TEXT_SIZE];
    struct member member[2];
    dpn_guarantee to = shown(c);
    struct json object = json_begin(stdout);
    json_open_array(&object, "from");
    for (size_t i = 0; i < c->count; i++) json_string(&object, NULL, c->text[i]);
    json_close_array(&object);
    if (c->group > 1) json_count(&object, "group", c->group);
    json_string(&object, "to", dpn_guarantee_print(text, &to));
    int count = members(member, &to);
    for (int i = 0; i < count; i++) json_number(&object, member[i].name, member[i].value);
    if (to.notion == DPN_APPROXIMATE) json_number(&object, "log_delta", c->result.log_delta);
    json_string(&object, "label", label(c));
    json_string(&object, "rule", dpn_rule_name(c->result.rule));
    json_string(&object, "theorem", dpn_rule_theorem(c->result.rule));
    if (c->result.order > 0) json_number(&object, "best_order", c->result.order);
    json_end(&object);
}

/* A number of the result, rounded up, or down where it is what is needed; as given where it was. */
static void number_text(char *out, size_t size, const struct conversion *c, const struct member *member) {
    char number[DPN_NUMBER_SIZE];
    bool given = (c->target == TO_DELTA && strcmp(member->name, "epsilon") == 0) ||
                 (c->target == TO_EPSILON && strcmp(member->name, "delta") == 0) || strcmp(member->name, "order") == 0;
    if (given)
        dpn_number_print(number, member->value);
    else if (c->result.rule == DPN_RULE_NEEDED)
        decimal_print_down(number, member->value, DIGITS);
    else
        decimal_print_up(number, member->value, DIGITS);
    bool tiny = strcmp(member->name, "delta") == 0 && c->target == TO_DELTA && c->result.log_delta < -667 &&
                !isinf(c->result.log_delta);
    if (tiny) /* where the digits of a double end */
        snprintf(out, size, "10^%.2f", ceil(100 * c->result.log_delta / log(10)) / 100);
    else
        snprintf(out, size, "%s", number);
}

static void print_claim(const struct conversion *c) {
    char text[2][64];
    struct member member[2];
    dpn_guarantee to = shown(c);
    int count = members(member, &to);
    for (int i = 0; i < count; i++) number_text(text[i], sizeof text[i], c, &member[i]);
    const char *who = c->result.rule == DPN_RULE_NEEDED ? "needs " : "";
    if (to.notion == DPN_APPROXIMATE && isinf(to.epsilon))
        printf("  no epsilon follows for the delta %s\n", text[1]);
    else if (to.notion == DPN_APPROXIMATE)
        printf("  %s(%s, %s)-differentially private\n", who, text[0], text[1]);
    else if (to.notion == DPN_PURE)
        printf("  %s%s-differentially private (pure)\n", who, text[0]);
    else if (to.notion == DPN_ZCDP)
        printf("  %s(%s, %s)-zCDP\n", who, text[0], text[1]);
    else if (to.notion == DPN_RENYI)
        printf("  Renyi divergence of order %s at most %s\n", text[0], text[1]);
    else
        printf("  %s%s-Gaussian differentially private\n", who, text[0]);
}

void convert_print_text(const struct conversion *c) {
    for (size_t i = 0; i < c->count; i++) printf("%s\n", c->text[i]);
    print_claim(c);
    putchar('\n');
    if (c->group > 1) printf("  group    of %llu rows\n", (unsigned long long)c->group);
    if (c->result.order > 0) printf("  order    %.6g\n", c->result.order);
    fact_print(stdout, "  rule     ", "%s: %s", dpn_rule_name(c->result.rule), dpn_rule_theorem(c->result.rule));
    bool needed = c->result.rule == DPN_RULE_NEEDED;
    printf("  label    %s\n", needed && c->result.exact ? "exact: nothing weaker would do"
                              : needed                  ? "bound: something weaker may do"
                              : c->result.exact         ? "exact: nothing better follows from the guarantee alone"
                                                        : "bound: something better may be true");
}
