/* dpnoise loss: the privacy loss of noise at points, its inverse and its bounds. */
#include "loss/loss.h"

#include "kit/command.h"
#include "kit/fail.h"
#include "kit/gnuplot.h"
#include "words/law.h"

#include <math.h>
#include <stdlib.h>

/* ---- The engine ---- */

dpn_status loss_threshold_at(struct loss_threshold *out, const struct loss_curve *curve, double epsilon,
                             uint64_t dimension, dpn_error *why) {
    double size = fabs(curve->shift);
    struct loss_threshold found = {.z = dpn_privacy_loss_centred_inverse(&curve->law, size, epsilon)};
    found.t1 = found.z - 0.5 * size;
    found.t2 = found.z + 0.5 * size;
    dpn_status status = dpn_profile_delta(&found.delta, &curve->law, size, epsilon, why);
    if (!status && curve->has_terms && epsilon >= 0 && isfinite(epsilon))
        status = dpn_flipped_huber_case(&found.table_case, &curve->law, size, epsilon, why);
    if (!status && dimension)
        status = dpn_flipped_huber_algorithm_2(&found.corrected, &found.printed, NULL, &curve->law, size, dimension,
                                               epsilon, why);
    if (!status) *out = found;
    return status;
}

double loss_bound_centred(const struct loss_curve *curve, double t) {
    return curve->has_affine ? curve->affine.slope * t + curve->affine.offset : NAN;
}

double loss_bound(const struct loss_curve *curve, double t) {
    return loss_bound_centred(curve, t + 0.5 * curve->shift);
}

/* ---- Reading the question ---- */

static void make_curve(struct loss_curve *out, const dpn_law *law, double shift) {
    *out = (struct loss_curve){.law = *law, .shift = shift};
    out->has_affine = dpn_privacy_loss_affine(&out->affine, law, shift, NULL) == DPN_OK;
    out->has_terms = dpn_flipped_huber_terms_of(&out->terms, law, NULL) == DPN_OK;
    if (out->has_terms) out->r = dpn_flipped_huber_r(fabs(shift), dpn_law_parameter(law, "alpha"));
}

static dpn_status check_shift(const dpn_law *law, double shift, dpn_error *why) {
    if (shift == 0) return refuse(why, DPN_EDOMAIN, "--shift: a shift of 0 loses nothing");
    if (dpn_law_is_integer(law) && shift != floor(shift))
        return refuse(why, DPN_EDOMAIN, "--shift: on the integers a shift is a whole number");
    return DPN_OK;
}

static dpn_status read_curves(struct loss_question *out, const struct arguments *arguments, dpn_error *why) {
    struct numbers shift = {0};
    if (arguments->operands == 0)
        return refuse(why, DPN_EPARSE, "LAW is missing; write for example dpnoise loss 'laplace(scale=1)' --shift 1");
    if (!arguments_have(arguments, "--shift")) return refuse(why, DPN_EPARSE, "--shift is missing");
    dpn_status status = arguments_numbers(&shift, arguments, "--shift", NUMBER_FINITE, why);
    if (!status) {
        out->curve = calloc(arguments->operands * shift.count, sizeof *out->curve);
        if (!out->curve) status = refuse(why, DPN_ENOMEM, "out of memory");
    }
    for (size_t l = 0; l < arguments->operands && !status; l++) {
        dpn_law law;
        status = law_read(&law, arguments->operand[l], why);
        for (size_t s = 0; s < shift.count && !status; s++) {
            status = check_shift(&law, shift.at[s], why);
            if (!status) make_curve(&out->curve[out->curves++], &law, shift.at[s]);
        }
    }
    free(shift.at);
    return status;
}

/* Whether the laws are those that --orlicz and --r-inverse are about, so that later nothing is refused. */
static dpn_status check_question(const struct loss_question *question, dpn_error *why) {
    for (size_t i = 0; i < question->r_inverse.count; i++)
        if (!(question->r_inverse.at[i] >= 0)) return refuse(why, DPN_EDOMAIN, "--r-inverse must not be negative");
    for (size_t c = 0; c < question->curves; c++)
        for (size_t i = 0; i < question->orlicz.count; i++) {
            double value;
            dpn_status status = dpn_law_orlicz(&value, &question->curve[c].law, question->orlicz.at[i], why);
            if (status) return status;
        }
    return DPN_OK;
}

static dpn_status read_question(struct loss_question *out, const struct arguments *arguments, dpn_error *why) {
    dpn_status status = read_curves(out, arguments, why);
    if (!status) status = arguments_numbers(&out->at, arguments, "--at", NUMBER_FINITE, why);
    if (!status) status = arguments_numbers(&out->epsilon, arguments, "--epsilon", NUMBER_FINITE, why);
    if (!status) status = arguments_numbers(&out->orlicz, arguments, "--orlicz", NUMBER_FINITE, why);
    if (!status) status = arguments_numbers(&out->r_inverse, arguments, "--r-inverse", NUMBER_FINITE, why);
    if (!status) status = arguments_count(&out->dimension, arguments, "--dim", why);
    if (!status && out->dimension && !out->epsilon.count)
        status = refuse(why, DPN_EPARSE, "--dim is about Algorithm 2 at an --epsilon");
    return status ? status : check_question(out, why);
}

static void free_question(struct loss_question *question) {
    free(question->curve);
    free(question->at.at);
    free(question->epsilon.at);
    free(question->orlicz.at);
    free(question->r_inverse.at);
}

static dpn_status run(const struct arguments *arguments, dpn_error *why) {
    struct loss_question question = {.plot = arguments_value(arguments, "--plot")};
    dpn_status status = question.plot ? gnuplot_check_name(question.plot, why) : DPN_OK;
    if (!status) status = read_question(&question, arguments, why);
    if (!status && question.plot) status = loss_plot(&question, why);
    if (!status)
        status =
            arguments_have(arguments, "--json") ? loss_print_json(&question, why) : loss_print_text(&question, why);
    free_question(&question);
    return status;
}

/* ---- The row ---- */

static const struct option options[] = {
    {"--shift", "D[,D...]", true, "how far the answer moves, of either sign"},
    {"--at", "T[,T...]", true, "loss log pdf(T)/pdf(T + D), centred loss log pdf(T - D/2)/pdf(T + D/2), their bounds"},
    {"--epsilon", "E[,E...]", true, "where the centred loss exceeds E, the points t1 and t2 of the profile, and delta"},
    {"--dim", "K", false,
     "flipped-huber: delta of K answers at E by the paper's Algorithm 2, as printed and corrected"},
    {"--orlicz", "S[,S...]", true, "E exp(S X^2/2 v), v the variance of Gaussian tails, 0 <= S < 1"},
    {"--r-inverse", "NU[,NU...]", true, "flipped-huber: the alpha with R_D(alpha) = NU"},
    {"--plot", "FILE", false, "draw the centred losses and their bounds: FILE ends in .svg, .png or .pdf"},
    {NULL, NULL, false, NULL},
};

const struct command loss_command = {
    .name = "loss",
    .summary = "privacy loss of noise at points, its inverse and bounds",
    .synopsis = "LAW [LAW...] --shift D [--at T]... [--epsilon E]... [--orlicz S]... [--plot FILE] [--json]",
    .description =
        "Print the privacy loss of noise of a LAW for an answer that moves by D, its affine bound, and the functions\n"
        "that the papers bound it with: R_D, omega, theta and the Orlicz function. Several laws and shifts stand\n"
        "below each other.\n",
    .example = "  dpnoise loss 'flipped-huber(alpha=2,gamma=1)' --shift 1,3,5 --at 0.5,2 --plot loss.svg\n"
               "  dpnoise loss 'osgt(m=3,sigma=6.3)' --shift 1 --epsilon 0.5,1 --json\n",
    .options = options,
    .run = run,
};
