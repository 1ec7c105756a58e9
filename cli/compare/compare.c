/* dpnoise compare: every family of noise, the one with the least error first. */
#include "compare/compare.h"

#include "kit/command.h"
#include "kit/fail.h"
#include "kit/gnuplot.h"
#include "kit/guard.h"

static dpn_status compare(struct compared *out, dpn_error *why) {
    struct calibration *asked = &out->asked;
    const dpn_sensitivity *set = &asked->sensitivity.set;
    calibration_start(asked, "compare");
    dpn_status status =
        asked->of_error ? dpn_compare_epsilon(&out->comparison, asked->error, asked->delta, set, &asked->options, why)
                        : dpn_compare(&out->comparison, asked->epsilon, asked->delta, set, &asked->options, why);
    calibration_done(asked);
    if (!status && out->comparison.plans == 0)
        status = refuse(why, DPN_EUNSUPPORTED, "no family of noise can do that; of %s noise: %.180s",
                        out->comparison.row[0].family, out->comparison.row[0].why.sentence);
    return status;
}

static dpn_status run(const struct arguments *arguments, dpn_error *why) {
    struct compared compared = {.plot = arguments_value(arguments, "--plot")};
    const char *report = arguments_value(arguments, "--report");
    if (arguments->operands)
        return refuse(why, DPN_EPARSE,
                      "compare takes every family, so '%.40s' is out of place; dpnoise calibrate takes one",
                      arguments->operand[0]);
    dpn_status status = compared.plot ? gnuplot_check_name(compared.plot, why) : DPN_OK;
    if (!status) status = guard_apart("--plot", compared.plot, "--report", report, why);
    if (!status) status = calibration_read(&compared.asked, arguments, true, why);
    if (!status) status = compare(&compared, why);
    if (!status && compared.plot) status = compare_plot(&compared, why);
    if (!status && report) status = compare_write_report(&compared, report, why);
    if (!status)
        status = arguments_have(arguments, "--json") ? compare_print_json(&compared, why)
                                                     : compare_print_text(&compared, why);
    dpn_comparison_free(&compared.comparison);
    calibration_free(&compared.asked);
    return status;
}

static const struct option options[] = {
    CALIBRATION_OPTIONS,
    {"--plot", "FILE", false, "draw error against epsilon, and densities: FILE ends in .svg, .png or .pdf"},
    {"--report", "FILE", false, "also write a page in HTML: a picture, the table, and what each family is"},
    {NULL, NULL, false, NULL},
};

const struct command compare_command = {
    .name = "compare",
    .summary = "every family of noise, the best first",
    .synopsis = "--epsilon E [--delta D] (sensitivity set) [--objective O] [--plot FILE] [--json]\n"
                "       dpnoise compare (--mse X | --mae X | --interval95 X) [--delta D] (sensitivity set) ...",
    .description =
        "Calibrate every family as dpnoise calibrate does and rank them: by the error at an epsilon, or by the least\n"
        "epsilon for an error. Families that cannot give the guarantee follow, each with the reason. Without a\n"
        "sensitivity set the answers, of which there are K (--dim), move by at most 1 each.\n",
    .example = "  dpnoise compare --epsilon 0.5 --delta 1e-6 --sensitivity 1\n"
               "  dpnoise compare --epsilon 1 --sensitivity 1 --objective interval95 --json\n"
               "  dpnoise compare --interval95 20 --delta 1e-6 --sensitivity 1 --plot compare.svg\n",
    .options = options,
    .run = run,
};
