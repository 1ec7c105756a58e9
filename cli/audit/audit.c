/* dpnoise audit: samples against a claim. */
#include "audit/audit.h"

#include "input/grid.h"
#include "kit/command.h"
#include "kit/fail.h"
#include "words/decimal.h"
#include "words/law.h"

#include <dpnoise/number.h>
#include <stdlib.h>
#include <string.h>

double audit_least_delta(const struct inspection *inspection) {
    return 10 / (double)inspection->audit.samples;
}

/* ---- Reading the question ---- */

static dpn_status read_law(struct inspection *out, const struct arguments *arguments, dpn_error *why) {
    if (arguments->operands != 1)
        return refuse(why, DPN_EPARSE,
                      "audit takes one LAW; write for example dpnoise audit 'laplace(scale=1)' --sensitivity 1");
    dpn_status status = DPN_OK;
    if (audit_is_ball(arguments->operand[0])) {
        status = sensitivity_read(&out->sensitivity, arguments, why);
        if (!status && !out->sensitivity.dimension_known)
            return refuse(why, DPN_EDOMAIN, "give --dim: K-norm noise depends on the number of answers");
        return status ? status : audit_read_ball(out, arguments->operand[0], why);
    }
    out->law = calloc(1, sizeof *out->law);
    if (!out->law) return refuse(why, DPN_ENOMEM, "out of memory");
    out->options.laws = 1;
    status = law_read(out->law, arguments->operand[0], why);
    if (!status) status = sensitivity_read(&out->sensitivity, arguments, why);
    return status ? status : sensitivity_check(&out->sensitivity, out->law, why);
}

static dpn_status read_plan(struct inspection *out, const struct arguments *arguments, dpn_error *why) {
    if (arguments->operands) return refuse(why, DPN_EPARSE, "--plan takes the place of a LAW: give one of them");
    dpn_status status = plan_file_read(&out->plan, arguments_value(arguments, "--plan"), why);
    if (!status) status = plan_file_read_set(&out->sensitivity, &out->plan, arguments, why);
    if (!status && out->plan.times > 1)
        return refuse(why, DPN_EUNSUPPORTED, "--plan: an audit is of one release, and the plan is for %zu",
                      (size_t)out->plan.times);
    out->options.plan = &out->plan.plan;
    return status;
}

/* A claim of a decimal that is no double is that of the double above it. */
static dpn_status read_claim(dpn_audit_options *out, const struct arguments *arguments, dpn_error *why) {
    const char *epsilon = arguments_value(arguments, "--epsilon"), *delta = arguments_value(arguments, "--delta");
    dpn_error reason;
    out->claimed = epsilon != NULL;
    out->at_delta = delta != NULL;
    if (epsilon && dpn_number_parse_up(&out->epsilon, epsilon, &reason))
        return refuse(why, DPN_EPARSE, "--epsilon: %.200s", reason.sentence);
    if (epsilon && !(out->epsilon >= 0)) return refuse(why, DPN_EDOMAIN, "--epsilon must not be negative");
    if (delta && (epsilon ? dpn_number_parse_up : dpn_number_parse)(&out->delta, delta, &reason))
        return refuse(why, DPN_EPARSE, "--delta: %.200s", reason.sentence);
    if (delta && !(out->delta >= 0 && out->delta < 1))
        return refuse(why, DPN_EDOMAIN, "--delta must be at least 0 and less than 1");
    return DPN_OK;
}

static dpn_status read_samples(uint64_t *out, const struct arguments *arguments, dpn_error *why) {
    *out = 1000000;
    dpn_status status = arguments_count(out, arguments, "--samples", why);
    if (!status && (*out < 1000 || *out > 1000000000000))
        return refuse(why, DPN_EDOMAIN, "--samples must lie between 1000 and 1e12");
    return status;
}

static dpn_status read_question(struct inspection *out, const struct arguments *arguments, dpn_error *why) {
    if (arguments_have(arguments, "--release")) {
        dpn_status claim = read_claim(&out->options, arguments, why);
        return claim ? claim : audit_read_release(out, arguments, why);
    }
    if (arguments_have(arguments, "--confidence"))
        return refuse(why, DPN_EPARSE, "--confidence belongs to --release; that of other audits is 0.999");
    bool plan = arguments_have(arguments, "--plan");
    dpn_status status = plan ? read_plan(out, arguments, why) : read_law(out, arguments, why);
    if (!status) status = read_claim(&out->options, arguments, why);
    if (!status) status = read_samples(&out->options.samples, arguments, why);
    if (!status) status = grid_read(&out->options.grid_exponent, &out->options.has_grid, arguments, why);
    if (!status) status = audit_read_hull(out, why);
    out->options.size = sizeof out->options;
    out->options.law = out->law;
    out->options.set = &out->sensitivity.set;
    return status;
}

/* ---- The command ---- */

static void show_progress(void *context, double done) {
    progress_share(context, done);
}

static dpn_status audit(struct inspection *inspection, dpn_error *why) {
    dpn_rng *rng = NULL;
    inspection->progress = progress_start("audit", 1);
    inspection->options.progress = show_progress;
    inspection->options.context = &inspection->progress;
    inspection->release.progress = show_progress;
    inspection->release.context = &inspection->progress;
    dpn_status status = dpn_rng_new(&rng, why);
    if (!status && inspection->declared)
        status = dpn_audit_release(&inspection->audit, &inspection->release, rng, why);
    else if (!status)
        status = dpn_audit_run(&inspection->audit, &inspection->options, rng, why);
    dpn_rng_free(rng);
    progress_end(&inspection->progress);
    return status;
}

/* The verdict after the answer was printed: there is no other, and no error object. */
dpn_status audit_verdict(const dpn_audit *audit, dpn_error *why) {
    if (audit->pass) return DPN_OK;
    char lower[DPN_NUMBER_SIZE], claimed[DPN_NUMBER_SIZE], delta[DPN_NUMBER_SIZE];
    refuse(why, DPN_OK, "the claim is refuted: at delta %s epsilon is at least %s, not %s",
           decimal_print_down(delta, audit->at.delta, 6), decimal_print_down(lower, audit->at.epsilon_lower, 6),
           decimal_print_up(claimed, audit->at.epsilon, 6));
    return DPN_EACCURACY;
}

static dpn_status run(const struct arguments *arguments, dpn_error *why) {
    struct inspection inspection = {0};
    dpn_status status = read_question(&inspection, arguments, why);
    if (!status) status = audit(&inspection, why);
    if (!status && arguments_have(arguments, "--json"))
        audit_print_json(&inspection);
    else if (!status)
        status = audit_print_text(&inspection, why);
    if (!status) status = audit_verdict(&inspection.audit, why);
    dpn_declaration_free(&inspection.declaration);
    free(inspection.declared);
    plan_file_free(&inspection.plan);
    dpn_ball_sampler_free(inspection.sampler);
    dpn_ball_free(inspection.ball);
    free(inspection.law);
    sensitivity_free(&inspection.sensitivity);
    return status;
}

static const struct option options[] = {
    {"--release", "SPEC", false,
     "audit whole releases by this specification (dpnoise release --save-spec), on tables that\n"
     "are made up and differ by one unit"},
    {"--samples", "N", false, "draws from each input (1e6; of releases 20000)"},
    {"--confidence", "C", false, "with --release: how sure a refutation is (0.999)"},
    {"--epsilon", "E", false, "the claim is (E, D)-differential privacy, in place of the certified profile"},
    {"--delta", "D", false,
     "the D of the claim (0); without --epsilon, where the certified epsilon is taken\n"
     "(0 if the loss is bounded, else 1e-6)"},
    SENSITIVITY_OPTIONS,
    PLAN_OPTION,
    {"--grid", "G", false, "answers and noise are multiples of G, a power of two (as add chooses it)"},
    {NULL, NULL, false, NULL},
};

const struct command audit_command = {
    .name = "audit",
    .summary = "samples of the noise against its guarantee",
    .synopsis = "NOISE (sensitivity set) [--samples N] [--epsilon E] [--delta D] [--grid G] [--json]\n"
                "       dpnoise audit --plan FILE [(sensitivity set)] ...\n"
                "       dpnoise audit --release SPEC [--samples N] [--confidence C] [--epsilon E [--delta D]]",
    .description =
        "NOISE is a law, or joint noise k-norm(ball=B,epsilon=E) with B box (of --sensitivities), l2 (of --l2) or hull "
        "(of\n"
        "--vertices). Draw noise from the sampler that releases use, on neighbouring answers, and count events that "
        "tell them\n"
        "apart. Bounds on their probabilities, all of them true at once with confidence 0.999, give lower bounds of\n"
        "epsilon and delta at every point of the privacy profile; the exit code is 4 if one exceeds what is claimed.\n"
        "An audit can refute a claim, not prove it: deltas below about 10/N rest on the certified interval alone.\n",
    .example = "  dpnoise audit 'laplace(scale=1)' --sensitivity 1 --samples 1e5\n"
               "  dpnoise audit 'gaussian(sigma=2)' --sensitivity 1 --dim 3 --delta 1e-5 --json\n"
               "  dpnoise audit 'k-norm(ball=box,epsilon=1)' --sensitivities 1,2 --samples 1e5\n"
               "  dpnoise audit 'laplace(scale=0.9)' --sensitivity 1 --epsilon 1.2 --samples 1e5\n"
               "  echo '{\"statistics\": [{\"kind\": \"count\"}], \"epsilon\": \"1\"}' >spec.json\n"
               "  dpnoise audit --release spec.json --samples 2000\n",
    .options = options,
    .run = run,
};
