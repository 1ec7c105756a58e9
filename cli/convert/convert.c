/* dpnoise convert: from one notion of privacy to another. */
#include "convert/convert.h"

#include "kit/command.h"
#include "kit/fail.h"

#include <dpnoise/number.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* ---- Reading the question ---- */

static dpn_status read_guarantees(struct conversion *out, const struct arguments *arguments, dpn_error *why) {
    if (arguments->operands == 0)
        return refuse(why, DPN_EPARSE,
                      "GUARANTEE is missing; write for example dpnoise convert 'zcdp(rho=0.1)' --delta 1e-6");
    out->from = calloc(arguments->operands, sizeof *out->from);
    if (!out->from) return refuse(why, DPN_ENOMEM, "out of memory");
    dpn_status status = DPN_OK;
    out->text = arguments->operand;
    for (; out->count < arguments->operands && !status; out->count++)
        status = dpn_guarantee_parse(&out->from[out->count], out->text[out->count], why);
    return status;
}

/* Of what does not imply the notion asked for, it is told what would imply it: then it is a target. */
static dpn_status read_again_as_target(struct conversion *out, dpn_error *why) {
    bool target = out->target == TO_ADD_REMOVE || (out->target == TO_GDP && out->from->notion == DPN_APPROXIMATE);
    return target ? dpn_guarantee_parse_target(out->from, out->text[0], why) : DPN_OK;
}

static dpn_status read_asked(struct conversion *out, const struct arguments *arguments, const char *name,
                             dpn_error *why) {
    const char *text = arguments_value(arguments, name);
    dpn_error reason;
    dpn_status status = dpn_number_parse(&out->asked, text, &reason);
    if (!status) status = dpn_number_parse_down(&out->asked_below, text, &reason);
    return status ? refuse(why, status, "%s: %s", name, reason.sentence) : DPN_OK;
}

static dpn_status read_target(struct conversion *out, const struct arguments *arguments, dpn_error *why) {
    static const char *const words[] = {"zcdp", "renyi", "gdp", "replace-one", "add-remove", NULL};
    size_t word = 0;
    dpn_status status = arguments_choice(&word, arguments, "--to", words, why);
    if (status) return status;
    bool epsilon = arguments_have(arguments, "--epsilon"), delta = arguments_have(arguments, "--delta");
    bool to = arguments_have(arguments, "--to"), order = arguments_have(arguments, "--order");
    if (epsilon + delta + to > 1)
        return refuse(why, DPN_EPARSE, "--epsilon, --delta and --to exclude each other: each is a question");
    if (!epsilon && !delta && !to && !arguments_have(arguments, "--group"))
        return refuse(why, DPN_EPARSE, "the question is missing: give --epsilon, --delta, --to or --group");
    out->target = epsilon ? TO_DELTA : delta ? TO_EPSILON : to ? (enum convert_target)(TO_ZCDP + word) : TO_GROUP;
    if (order != (out->target == TO_RENYI)) return refuse(why, DPN_EPARSE, "--order and --to renyi belong together");
    if (epsilon) status = read_asked(out, arguments, "--epsilon", why);
    if (delta) status = read_asked(out, arguments, "--delta", why);
    if (order) status = read_asked(out, arguments, "--order", why);
    return status;
}

static dpn_status read_question(struct conversion *out, const struct arguments *arguments, dpn_error *why) {
    static const char *const rules[] = {"tightest", "bun-steinke", "canonne-kamath-steinke", "optimal", NULL};
    size_t rule = DPN_RULE_TIGHTEST;
    out->group = 1;
    dpn_status status = read_guarantees(out, arguments, why);
    if (!status) status = read_target(out, arguments, why);
    if (!status) status = arguments_choice(&rule, arguments, "--rule", rules, why);
    if (!status) status = arguments_count(&out->group, arguments, "--group", why);
    out->rule = (dpn_rule)rule;
    if (status) return status;
    if (out->rule != DPN_RULE_TIGHTEST && out->target > TO_ZCDP)
        return refuse(why, DPN_EPARSE, "--rule belongs to --epsilon, --delta and --to zcdp");
    if (out->count > 1 && out->target > TO_EPSILON)
        return refuse(why, DPN_EPARSE, "several guarantees are converted together to --epsilon or --delta only");
    if (out->group > 1 && out->target == TO_ADD_REMOVE)
        return refuse(why, DPN_EPARSE, "--group and --to add-remove exclude each other");
    return read_again_as_target(out, why);
}

/* ---- Answering ---- */

static dpn_status answer(struct conversion *c, const dpn_guarantee *from, dpn_error *why) {
    switch (c->target) {
    case TO_DELTA:
        return dpn_convert_to_delta(&c->result, from, c->count, c->asked_below, c->rule, why);
    case TO_EPSILON:
        return dpn_convert_to_epsilon(&c->result, from, c->count, c->asked_below, c->rule, why);
    case TO_ZCDP:
        return dpn_convert_to_zcdp(&c->result, from, c->rule, why);
    case TO_RENYI:
        return dpn_convert_to_renyi(&c->result, from, c->asked, why);
    case TO_GDP:
        return dpn_convert_to_gdp(&c->result, from, why);
    case TO_REPLACE:
        return dpn_convert_to_replace(&c->result, from, why);
    case TO_ADD_REMOVE:
        return dpn_convert_to_add_remove(&c->result, from, why);
    case TO_GROUP:
        break;
    }
    return dpn_convert_to_group(&c->result, &c->from[0], c->group, why);
}

/* The questions about one guarantee that have answers of their own for groups. */
static dpn_status answer_of_group(struct conversion *c, dpn_error *why) {
    if (c->target == TO_DELTA)
        return dpn_convert_group_to_delta(&c->result, c->from, c->group, c->asked_below, c->rule, why);
    if (c->target == TO_EPSILON)
        return dpn_convert_group_to_epsilon(&c->result, c->from, c->group, c->asked_below, c->rule, why);
    return dpn_convert_group_to_gdp(&c->result, c->from, c->group, why);
}

/* Groups come first: the question is then asked of what holds for them. What is exact for groups, as k epsilon of a pure guarantee,
 * need not be so in another notion; that of zCDP and of Gaussian DP is, as Gaussian noise has it. */
static dpn_status answer_for_groups(struct conversion *c, dpn_error *why) {
    if (c->group == 1 || c->target == TO_GROUP) return answer(c, c->from, why);
    if (c->count == 1 && (c->target <= TO_EPSILON || c->target == TO_GDP)) return answer_of_group(c, why);
    dpn_guarantee *group = calloc(c->count, sizeof *group);
    dpn_status status = group ? DPN_OK : refuse(why, DPN_ENOMEM, "out of memory");
    bool exact = true;
    for (size_t i = 0; i < c->count && !status; i++) {
        dpn_conversion step;
        status = dpn_convert_to_group(&step, &c->from[i], c->group, why);
        if (!status) group[i] = step.guarantee;
        exact = exact && !status && step.exact &&
                (c->target == TO_REPLACE || c->from[i].notion == DPN_GDP || c->from[i].notion == DPN_ZCDP);
    }
    if (!status) status = answer(c, group, why);
    if (!status) c->result.exact = c->result.exact && exact;
    free(group);
    return status;
}

/* Whether an epsilon was asked for and none is finite: an answer that a script must not take for a guarantee. */
static bool none_finite(const struct conversion *c) {
    return c->target == TO_EPSILON && isinf(c->result.guarantee.epsilon);
}

static dpn_status run(const struct arguments *arguments, dpn_error *why) {
    struct conversion conversion = {0};
    dpn_status status = read_question(&conversion, arguments, why);
    if (!status) status = answer_for_groups(&conversion, why);
    if (!status && arguments_have(arguments, "--json"))
        convert_print_json(&conversion);
    else if (!status)
        convert_print_text(&conversion);
    if (!status && none_finite(&conversion)) {
        status = refuse(why, DPN_EACCURACY, "no epsilon is finite at this delta");
        why->status = DPN_OK; /* it is the answer: kit/command.h */
    }
    free(conversion.from);
    return status;
}

/* ---- The row ---- */

static const struct option options[] = {
    {"--epsilon", "E", false, "the delta of (E, delta)-differential privacy"},
    {"--delta", "D", false, "the epsilon of (epsilon, D)-differential privacy"},
    {"--to", "NOTION", false, "zcdp, renyi, gdp, replace-one or add-remove"},
    {"--order", "A", false, "the order of --to renyi"},
    {"--group", "K", false, "for groups of K rows; with another question, asked for them"},
    {"--rule", "R", false, "tightest (default), bun-steinke, canonne-kamath-steinke or optimal"},
    {NULL, NULL, false, NULL},
};

const struct command convert_command = {
    .name = "convert",
    .summary = "from one notion of privacy to another",
    .synopsis = "GUARANTEE [GUARANTEE...] (--epsilon E | --delta D | --to NOTION | --group K) [--rule R] [--json]",
    .description = "A GUARANTEE is pure(epsilon=E), approximate(epsilon=E,delta=D), zcdp(xi=X,rho=R), "
                   "renyi(order=A,divergence=V)\n"
                   "or gdp(mu=M). Several that hold at once give the best that one of them implies. The result is an "
                   "upper bound;\n"
                   "it is exact if nothing better follows from the guarantee alone, and names its theorem.\n",
    .example = "  dpnoise convert 'zcdp(rho=0.02)' --delta 1e-6\n"
               "  dpnoise convert 'zcdp(xi=0.1,rho=0.02)' --delta 1e-6 --rule bun-steinke --json\n"
               "  dpnoise convert 'renyi(order=2,divergence=0.1)' 'renyi(order=8,divergence=0.4)' --epsilon 1\n"
               "  dpnoise convert 'gdp(mu=0.5)' --group 2 --epsilon 1\n"
               "  dpnoise convert 'approximate(epsilon=1,delta=1e-6)' --to replace-one\n",
    .options = options,
    .run = run,
};
