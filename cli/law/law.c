/* dpnoise law: evaluate, compare and draw noise laws. */
#include "law/law.h"

#include "input/plan-file.h"
#include "kit/command.h"
#include "kit/fail.h"
#include "words/law.h"

#include <stdlib.h>
#include <string.h>

size_t law_count_integers(const struct inquiry *inquiry) {
    size_t count = 0;
    for (size_t i = 0; i < inquiry->laws; i++) count += dpn_law_is_integer(&inquiry->law[i]);
    return count;
}

static dpn_status read_laws(struct inquiry *out, const struct arguments *arguments, dpn_error *why) {
    out->law = calloc(arguments->operands + 1, sizeof *out->law);
    if (!out->law) return refuse(why, DPN_ENOMEM, "out of memory");
    for (; out->laws < arguments->operands; out->laws++) {
        dpn_status status = law_read(&out->law[out->laws], arguments->operand[out->laws], why);
        if (status) return status;
    }
    return DPN_OK;
}

/* The laws of the blocks of a plan, each once, after those on the command line. */
static dpn_status add_laws(struct inquiry *out, const dpn_plan *plan, dpn_error *why) {
    dpn_law *larger = realloc(out->law, (out->laws + plan->blocks) * sizeof *larger);
    if (!larger) return refuse(why, DPN_ENOMEM, "out of memory");
    out->law = larger;
    size_t first = out->laws;
    for (size_t b = 0; b < plan->blocks; b++) {
        bool known = !dpn_block_law(&plan->block[b]);
        for (size_t i = first; i < out->laws && !known; i++)
            known = memcmp(&out->law[i], &plan->block[b].law, sizeof *out->law) == 0;
        if (!known) out->law[out->laws++] = plan->block[b].law;
    }
    return out->laws ? DPN_OK : refuse(why, DPN_EDOMAIN, "--plan: no block of the plan has noise of a law");
}

static dpn_status read_plan(struct inquiry *out, const struct arguments *arguments, dpn_error *why) {
    struct plan_file file = {0};
    if (!arguments_have(arguments, "--plan")) return DPN_OK;
    dpn_status status = plan_file_read(&file, arguments_value(arguments, "--plan"), why);
    if (!status) status = add_laws(out, &file.plan, why);
    plan_file_free(&file);
    return status;
}

static dpn_status read_inquiry(struct inquiry *out, const struct arguments *arguments, dpn_error *why) {
    dpn_status status = read_laws(out, arguments, why);
    if (!status) status = read_plan(out, arguments, why);
    if (!status) status = arguments_numbers(&out->at, arguments, "--at", NUMBER_OR_INFINITE, why);
    if (!status) status = arguments_numbers(&out->prob, arguments, "--prob", NUMBER_PROBABILITY, why);
    if (!status) status = arguments_numbers(&out->mgf, arguments, "--mgf", NUMBER_FINITE, why);
    out->plot = arguments_value(arguments, "--plot");
    return status;
}

static void free_inquiry(struct inquiry *inquiry) {
    free(inquiry->law);
    free(inquiry->at.at);
    free(inquiry->prob.at);
    free(inquiry->mgf.at);
}

/* The options that ask something of a law. */
static const char *const questions[] = {"--at", "--prob", "--mgf", "--plan", "--plot"};

static dpn_status list(const struct arguments *arguments, dpn_error *why) {
    if (arguments->operands)
        return refuse(why, DPN_EPARSE, "--list takes no law, but there is '%.40s'", arguments->operand[0]);
    for (size_t i = 0; i < sizeof questions / sizeof *questions; i++)
        if (arguments_have(arguments, questions[i]))
            return refuse(why, DPN_EPARSE, "--list does not go with %s, which needs a law", questions[i]);
    if (arguments_have(arguments, "--json"))
        law_list_json();
    else
        law_list_text();
    return DPN_OK;
}

static dpn_status run(const struct arguments *arguments, dpn_error *why) {
    bool only_json = arguments->givens == 1 && arguments_have(arguments, "--json");
    bool bare = arguments->operands == 0 && (arguments->givens == 0 || only_json);
    if (bare || arguments_have(arguments, "--list")) return list(arguments, why);
    if (arguments->operands == 0 && !arguments_have(arguments, "--plan"))
        return refuse(why, DPN_EPARSE, "LAW is missing; write for example dpnoise law 'gaussian(sigma=1)'");
    struct inquiry inquiry = {0};
    dpn_status status = read_inquiry(&inquiry, arguments, why);
    if (!status && inquiry.plot) status = law_plot(&inquiry, why);
    if (!status && arguments_have(arguments, "--json"))
        law_print_json(&inquiry);
    else if (!status)
        status = law_print_text(&inquiry, why);
    free_inquiry(&inquiry);
    return status;
}

static const struct option options[] = {
    {"--at", "T[,T...]", true, "density, distribution function and upper tail at T (inf, -inf allowed)"},
    {"--prob", "P[,P...]", true, "quantile and upper quantile for the probability P"},
    {"--mgf", "S[,S...]", true, "log E exp(S X)"},
    {"--plan", "FILE", false, "the laws of the plan in FILE, as calibrate --json prints it, beside the LAWs"},
    {"--plot", "FILE", false, "draw the densities, linear and log scale: FILE ends in .svg, .png or .pdf"},
    {"--list", NULL, false, "list the families with their parameters and formulas"},
    {NULL, NULL, false, NULL},
};

const struct command law_command = {
    .name = "law",
    .summary = "evaluate, compare and draw noise laws",
    .synopsis = "(LAW [LAW...] | --plan FILE) [--at T]... [--prob P]... [--mgf S]... [--plot FILE] [--json]",
    .description = "A LAW is written family(name=value,...), in quotes because of the shell. One law gets its moments\n"
                   "and what is asked of it; several stand side by side. Without a LAW the families are listed.\n",
    .example = "  dpnoise law 'flipped-huber(alpha=3,gamma=1)' --at 0.5 --prob 1e-12 --json\n"
               "  dpnoise law 'gaussian(sigma=4)' 'laplace(scale=2.8284271)' --prob 0.975 --plot laws.svg\n",
    .options = options,
    .run = run,
};
