/* dpnoise calibrate: the noise of one family with the least error for a guarantee. */
#include "calibrate/calibrate.h"

#include "kit/command.h"
#include "kit/fail.h"
#include "kit/gnuplot.h"
#include "kit/nearest.h"
#include "law/law.h"

#include <dpnoise/number.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

const dpn_law *plan_common_law(const dpn_plan *plan) {
    return plan->blocks == 1 ? dpn_block_law(&plan->block[0]) : NULL;
}

/* ---- Reading ---- */

static dpn_status unknown_family(const char *name, dpn_error *why) {
    struct nearest search = nearest_to(name, strlen(name));
    for (size_t i = 0; dpn_mechanism_name(i); i++) nearest_try(&search, dpn_mechanism_name(i));
    if (search.name) return refuse(why, DPN_EPARSE, "there is no family '%.40s'; did you mean %s?", name, search.name);
    return refuse(why, DPN_EPARSE,
                  "there is no family '%.40s'; dpnoise law --list shows them, and there are k-norm, blocks, start-box, "
                  "start-staircase, random-box, spherical, truncated-staircase and discrete-staircase",
                  name);
}

static dpn_status read_family(struct calibrated *out, const struct arguments *arguments, dpn_error *why) {
    if (arguments->operands == 0)
        return refuse(why, DPN_EPARSE,
                      "FAMILY is missing; write for example dpnoise calibrate gaussian --epsilon 1 --delta 1e-6 "
                      "--sensitivity 1");
    if (arguments->operands > 1)
        return refuse(why, DPN_EPARSE, "calibrate takes one family, not also '%.40s'; dpnoise compare takes all",
                      arguments->operand[1]);
    for (size_t i = 0; dpn_mechanism_name(i); i++)
        if (strcmp(dpn_mechanism_name(i), arguments->operand[0]) == 0) out->family = dpn_mechanism_name(i);
    if (training_asked(arguments) && strchr(arguments->operand[0], '(')) return DPN_OK; /* a law */
    return out->family ? DPN_OK : unknown_family(arguments->operand[0], why);
}

/* "X" or "LO:HI". */
static dpn_status read_shape(struct calibrated *out, const struct arguments *arguments, dpn_error *why) {
    const char *text = arguments_value(arguments, "--shape"), *name = dpn_family_shape(out->family);
    dpn_calibration_options *options = &out->asked.options;
    dpn_error reason;
    if (!text) return DPN_OK;
    if (!out->family) return refuse(why, DPN_EPARSE, "--shape: a law has its shape");
    if (!name) return refuse(why, DPN_EDOMAIN, "--shape: %s noise has none, its scale is all there is", out->family);
    char low[1100];
    size_t length = strcspn(text, ":");
    const char *high = text[length] ? text + length + 1 : low;
    if (length >= sizeof low) return refuse(why, DPN_EPARSE, "--shape: the number is too long");
    memcpy(low, text, length);
    low[length] = '\0';
    dpn_status status = dpn_number_parse(&options->shape_min, low, &reason);
    if (!status) status = dpn_number_parse(&options->shape_max, high, &reason);
    if (status) return refuse(why, status, "--shape: %s", reason.sentence);
    if (!(options->shape_min >= 0 && options->shape_max > 0 && options->shape_min <= options->shape_max))
        return refuse(why, DPN_EDOMAIN, "--shape, which is %s, must be positive, and LO:HI ascending", name);
    return DPN_OK;
}

/* ---- The picture ---- */

/* The densities of the first few different laws. */
static dpn_status plot(const struct calibrated *calibrated, dpn_error *why) {
    enum { MOST = 14 };
    dpn_law law[MOST];
    struct inquiry inquiry = {.law = law, .plot = calibrated->plot};
    for (size_t b = 0; b < calibrated->plan.blocks && inquiry.laws < MOST; b++)
        if (dpn_block_law(&calibrated->plan.block[b])) law[inquiry.laws++] = calibrated->plan.block[b].law;
    if (inquiry.laws == 0 && calibrated->plan.mse > 0)
        return refuse(why, DPN_EUNSUPPORTED, "--plot: noise that answers share has no density of one answer to draw");
    if (inquiry.laws == 0) return refuse(why, DPN_EDOMAIN, "--plot: there is no noise to draw, since nothing can move");
    return law_plot(&inquiry, why);
}

/* ---- The command ---- */

static double half_width(const void *of, size_t answer) {
    const dpn_plan *plan = of;
    return dpn_plan_error(plan, dpn_plan_block(plan, answer), answer, DPN_OBJECTIVE_INTERVAL95);
}

static dpn_status measure(struct calibrated *out, dpn_error *why) {
    out->interval95 = calloc(out->plan.dimension, sizeof *out->interval95);
    if (!out->interval95) return refuse(why, DPN_ENOMEM, "out of memory");
    calibration_interval95(out->interval95, &out->plan, half_width, &out->plan);
    return DPN_OK;
}

static dpn_status read_ball(struct calibrated *out, const struct arguments *arguments, dpn_error *why) {
    const char *name = arguments_value(arguments, "--ball");
    if (!name) return DPN_OK;
    if (!out->family || strcmp(out->family, "k-norm") != 0)
        return refuse(why, DPN_EPARSE, "--ball is that of k-norm noise; %s noise has none to choose",
                      arguments->operand[0]);
    return calibration_read_ball(&out->asked, "--ball", name, "", why);
}

static dpn_status calibrate(struct calibrated *out, dpn_error *why) {
    struct calibration *asked = &out->asked;
    const dpn_sensitivity *set = &asked->sensitivity.set;
    asked->repeats = asked->of_error;
    calibration_start(asked, "calibrate");
    dpn_status status =
        asked->of_error
            ? dpn_calibrate_epsilon(&out->plan, out->family, asked->error, asked->delta, set, &asked->options, why)
            : dpn_calibrate(&out->plan, out->family, asked->epsilon, asked->delta, set, &asked->options, why);
    calibration_done(asked);
    if (!status) status = dpn_plan_write(&out->text, NULL, &out->plan, why);
    return status ? status : measure(out, why);
}

void calibrated_free(struct calibrated *calibrated) {
    dpn_plan_free(&calibrated->plan);
    free(calibrated->text);
    free(calibrated->interval95);
    calibration_free(&calibrated->asked);
}

static dpn_status read_question(struct calibrated *out, const struct arguments *arguments, dpn_error *why) {
    dpn_status status = read_family(out, arguments, why);
    if (!status) status = calibration_read(&out->asked, arguments, true, why);
    if (!status) status = read_ball(out, arguments, why);
    return status ? status : read_shape(out, arguments, why);
}

dpn_status calibrate_one(struct calibrated *out, const struct arguments *arguments, dpn_error *why) {
    dpn_status status = read_question(out, arguments, why);
    return status ? status : calibrate(out, why);
}

/* That options which belong together stand together. */
static dpn_status check_options(const struct arguments *arguments, dpn_error *why) {
    static const char *const sampled_only[] = {"--steps", "--present", "--population"};
    bool sampled = training_asked(arguments);
    for (size_t i = 0; i < 3 && !sampled; i++)
        if (arguments_have(arguments, sampled_only[i]))
            return refuse(why, DPN_EPARSE, "%s is about sampled steps: give --sample-rate or --batch too",
                          sampled_only[i]);
    if (sampled && (grid_asked(arguments) || design_asked(arguments)))
        return refuse(why, DPN_EPARSE, "sampled steps have one --epsilon and one --delta, and nothing else is asked");
    if (arguments_have(arguments, "--scale") && !arguments_have(arguments, "--variance"))
        return refuse(why, DPN_EPARSE, "--scale goes with --variance");
    return DPN_OK;
}

/* The questions that are not about one guarantee. */
static dpn_status run_other(const struct arguments *arguments, dpn_error *why) {
    struct calibrated named = {0};
    bool vectors = arguments_have(arguments, "--inequality") || arguments_have(arguments, "--majorises");
    dpn_status status = vectors ? DPN_OK : read_family(&named, arguments, why);
    if (status) return status;
    return design_asked(arguments) ? calibrate_design(named.family, arguments, why)
                                   : calibrate_grid(named.family, arguments, why);
}

static dpn_status run(const struct arguments *arguments, dpn_error *why) {
    struct calibrated calibrated = {.plot = arguments_value(arguments, "--plot")};
    dpn_status status = calibrated.plot ? gnuplot_check_name(calibrated.plot, why) : DPN_OK;
    if (!status && (grid_asked(arguments) || design_asked(arguments)) && !training_asked(arguments)) {
        status = check_options(arguments, why);
        return status ? status : run_other(arguments, why);
    }
    if (!status) status = read_question(&calibrated, arguments, why);
    if (!status) status = check_options(arguments, why);
    if (!status && training_asked(arguments)) {
        status = calibrate_training(&calibrated.asked, calibrated.family, arguments, why);
        calibration_free(&calibrated.asked);
        return status;
    }
    if (!status) status = calibrate(&calibrated, why);
    if (!status && calibrated.plot) status = plot(&calibrated, why);
    if (!status && arguments_have(arguments, "--json"))
        calibrate_print_json(&calibrated);
    else if (!status)
        status = calibrate_print_text(&calibrated, why);
    calibrated_free(&calibrated);
    return status;
}

static const struct option options[] = {
    CALIBRATION_OPTIONS,
    {"--shape", "X|LO:HI", false,
     "fix the shape that is searched beside the scale, or keep it in a range: m/sigma (osgt),\n"
     "alpha/gamma (flipped-huber, huber), p (subbotin), gamma (staircase), bound/scale\n"
     "(truncated-laplace), alpha (discrete-flipped-huber), m (discrete-osgt),\n"
     "epsilon (n-1+theta) (truncated-geometric)"},
    {"--ball", "B", false,
     "k-norm noise of this ball: box, l1, l2, linf or hull, that of the vertices (the one with\n"
     "the least error)"},
    {"--grid", NULL, false, "with lists of --epsilon and --delta, which give a table: print it as CSV"},
    {"--against", "FAMILY", false, "beside it the error of another family, and the ratio in dB"},
    {"--variance", "V", false, "no guarantee: the law with this variance, and with this --shape or this ..."},
    {"--scale", "S", false, "... scale, gamma of flipped-huber and sigma of osgt"},
    {"--construction", "C", false,
     "flipped-huber noise made of Gaussian noise for one answer: gamma-sigma, with gamma = sigma"},
    {"--inequality", NULL, false,
     "no guarantee: Gini coefficient of --sensitivities, and what noise of its own for each gains"},
    {"--majorises", "A,B", false, "... and whether their squares majorise those of these numbers"},
    {"--sample-rate", "Q", false,
     "the least noise for releases from random samples, which a row enters with probability Q; most, of a\n"
     "LAW: the largest"},
    {"--steps", "N", false, "how many such releases, each from a fresh sample (1); most, of a LAW: as many as fit"},
    {"--present", "S", false,
     "with --sample-rate and --relation replace: how far a row moves the answer that is removed,\n"
     "beside --sensitivity, how far one that is replaced does"},
    {"--batch", "B", false,
     "each sample is a batch of B rows, every one as likely, of which one is replaced; most, of a LAW:\n"
     "the largest, ..."},
    {"--population", "N", false, "... of a table of N rows"},
    {"--plot", "FILE", false, "draw the densities: FILE ends in .svg, .png or .pdf"},
    {NULL, NULL, false, NULL},
};

const struct command calibrate_command = {
    .name = "calibrate",
    .summary = "the least noise of a family for a guarantee",
    .synopsis =
        "FAMILY --epsilon E [--delta D] (sensitivity set) [--objective O] [--json]\n"
        "       dpnoise calibrate FAMILY (--mse X | --mae X | --interval95 X) [--delta D] (sensitivity set) ...\n"
        "       dpnoise calibrate FAMILY --epsilon E,E... --delta D,D... (sensitivity set) [--against FAMILY] [--grid] "
        "...\n"
        "       dpnoise calibrate FAMILY --variance V [--shape X | --scale S] [--json]\n"
        "       dpnoise calibrate --sensitivities A,B... --inequality [--majorises A,B...] [--json]\n"
        "       dpnoise calibrate FAMILY (--sample-rate Q | --batch B --population N) --steps N --epsilon E --delta D "
        "...\n"
        "       dpnoise calibrate LAW --sample-rate Q --steps most --epsilon E --delta D --sensitivity S [--json]",
    .description =
        "The noise of a FAMILY (dpnoise law lists them) with the least error that makes answers (E, D)-differentially\n"
        "private, certified: the delta printed is an upper bound, computed for the noise as it is printed. Where the\n"
        "sensitivities differ, so does the noise, unless --identical is given. The JSON is a plan, for --plan; that "
        "of\n"
        "a run on samples is one where rows are added or removed. Six more families are joint noise, for answers that\n"
        "move together: k-norm, whose density falls with a norm, that of the\n"
        "box of sensitivities, of the hull of --vertices, or of an l1 or l2 ball around the moves, whichever has the "
        "least\n"
        "error; blocks, the noise of boxes on each of several blocks of answers; start-box, whose density falls with "
        "the\n"
        "distance to a box; start-staircase, the same in steps; random-box, in a box of random size, with a delta; "
        "and\n"
        "spherical, of an l2 ball, between k-norm and gaussian noise, with a delta.\n"
        "Two are for one answer that moves: truncated-staircase, a mixture of two staircases that end, with a delta, "
        "and\n"
        "discrete-staircase, on the integers, for counts that move by 2 or more.\n",
    .example = "  dpnoise calibrate gaussian --epsilon 1 --delta 1e-6 --sensitivity 0.5 --dim 20\n"
               "  dpnoise calibrate laplace --epsilon 1 --delta 1e-6 --sensitivities 1,1,5 --json >plan.json\n"
               "  dpnoise profile --plan plan.json --epsilon 0.5,1\n"
               "  dpnoise calibrate staircase --epsilon 1 --sensitivity 1\n"
               "  dpnoise calibrate osgt --mse 25 --delta 1e-6 --sensitivity 1\n"
               "  dpnoise calibrate flipped-huber --epsilon 0.1,0.3,1 --delta 1e-6 --sensitivity 1 --against gaussian\n"
               "  dpnoise calibrate flipped-huber --variance 16 --scale 7\n"
               "  dpnoise calibrate gaussian --sample-rate 0.01 --steps 1000 --epsilon 2 --delta 1e-6 --sensitivity 1\n"
               "  dpnoise calibrate 'gaussian(sigma=1)' --sample-rate 0.01 --steps most --epsilon 2 --delta 1e-6 "
               "--sensitivity 1\n"
               "  dpnoise calibrate k-norm --epsilon 1 --linf 1 --dim 30 --max-changed 2 --ball l2\n",
    .options = options,
    .run = run,
};
