/* dpnoise renyi: Renyi divergences and concentrated differential privacy. */
#include "renyi/renyi.h"

#include "kit/command.h"
#include "kit/fail.h"
#include "kit/gnuplot.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- The engine ---- */

dpn_status renyi_divergences(dpn_divergence *out, dpn_argument *argument, const struct renyi_question *question,
                             size_t mechanism, const double *order, size_t orders, dpn_error *why) {
    if (question->mechanisms.laws)
        return dpn_renyi_sensitivity(out, argument, &question->mechanisms.law[mechanism], 1,
                                     &question->mechanisms.sensitivity.set, order, orders, why);
    if (question->mechanisms.plan.given)
        return dpn_plan_renyi(out, argument, &question->mechanisms.plan.plan, &question->mechanisms.sensitivity.set,
                              question->mechanisms.plan.times, order, orders, why);
    const struct training_file *training = &question->mechanisms.training;
    if (training->given) {
        *argument = DPN_ARGUMENT_CORNER;
        return dpn_renyi_sampling(out, training->step, training->plan.phases, order, orders, why);
    }
    const struct composition *all = &question->mechanisms.composition;
    *argument = all->knowns ? DPN_ARGUMENT_BOUND : DPN_ARGUMENT_CORNER; /* each part at its sensitivity */
    return dpn_compose_known_renyi(out, all->loss, all->losses, all->known, all->knowns, order, orders, why);
}

static dpn_status zcdp_of(dpn_zcdp *out, const struct renyi_question *question, size_t mechanism, dpn_error *why) {
    if (question->mechanisms.laws)
        return dpn_zcdp_sensitivity(out, NULL, &question->mechanisms.law[mechanism], 1,
                                    &question->mechanisms.sensitivity.set, why);
    if (question->mechanisms.plan.given)
        return dpn_plan_zcdp(out, &question->mechanisms.plan.plan, &question->mechanisms.sensitivity.set,
                             question->mechanisms.plan.times, why);
    if (question->mechanisms.training.given)
        return refuse(why, DPN_EUNSUPPORTED, "the divergences of samples are not below a line that is known");
    const struct composition *all = &question->mechanisms.composition;
    return dpn_compose_known_zcdp(out, all->loss, all->losses, all->known, all->knowns, why);
}

/* The divergence increases with the order: its upper end is that of the double not below the decimal, its lower end that
 * of the double not above. */
static dpn_status answer_one(struct renyi_answer *out, const struct renyi_question *question, size_t mechanism,
                             dpn_error *why) {
    size_t count = question->order.nearest.count;
    out->divergence = calloc(count + 1, sizeof *out->divergence);
    dpn_divergence *lower = calloc(count + 1, sizeof *lower);
    dpn_status status = out->divergence && lower ? DPN_OK : refuse(why, DPN_ENOMEM, "out of memory");
    dpn_argument *argument = &out->argument;
    if (!status)
        status =
            renyi_divergences(out->divergence, argument, question, mechanism, question->order.above.at, count, why);
    if (!status) status = renyi_divergences(lower, argument, question, mechanism, question->order.below.at, count, why);
    for (size_t i = 0; i < count && !status; i++) out->divergence[i].lower = lower[i].lower;
    free(lower);
    out->bound = calloc(count * question->bounds + 1, sizeof *out->bound);
    if (!status && !out->bound) status = refuse(why, DPN_ENOMEM, "out of memory");
    for (size_t i = 0; i < count * question->bounds && !status; i++)
        status = renyi_bound_at(&out->bound[i], question, mechanism, i % question->bounds,
                                question->order.above.at[i / question->bounds], why);
    if (status) return status;

    dpn_error reason;
    dpn_status known = zcdp_of(&out->zcdp, question, mechanism, &reason);
    out->has_zcdp = known == DPN_OK;
    if (known == DPN_EUNSUPPORTED) {
        snprintf(out->no_zcdp, sizeof out->no_zcdp, "%s", reason.sentence);
        return DPN_OK;
    }
    if (known) *why = reason;
    return known;
}

/* ---- Reading the question ---- */

static dpn_status read_orders(struct renyi_question *out, const struct arguments *arguments, dpn_error *why) {
    if (!arguments_have(arguments, "--order") && !out->plot)
        return refuse(why, DPN_EPARSE, "the question is missing: give --order or --plot");
    dpn_status status = arguments_decimals(&out->order, arguments, "--order", why);
    for (size_t i = 0; i < out->order.nearest.count && !status; i++)
        if (!(out->order.below.at[i] >= 1))
            status = refuse(why, DPN_EDOMAIN,
                            "--order must be at least 1 (1 is the Kullback-Leibler divergence, inf the largest loss)");
    return status;
}

static void free_question(struct renyi_question *question) {
    for (size_t i = 0; question->answer && i < mechanisms_count(&question->mechanisms); i++) {
        free(question->answer[i].divergence);
        free(question->answer[i].bound);
    }
    free(question->bound);
    free(question->answer);
    mechanisms_free(&question->mechanisms);
    decimals_free(&question->order);
}

static dpn_status answer_all(struct renyi_question *question, dpn_error *why) {
    size_t count = mechanisms_count(&question->mechanisms);
    question->answer = calloc(count, sizeof *question->answer);
    if (!question->answer) return refuse(why, DPN_ENOMEM, "out of memory");
    if (question->mechanisms.laws) sensitivity_warn(&question->mechanisms.sensitivity, "renyi");
    dpn_status status = DPN_OK;
    for (size_t i = 0; i < count && !status; i++) status = answer_one(&question->answer[i], question, i, why);
    return status;
}

/* Whether orders were asked for and no divergence is finite: an answer that a script must not take for a guarantee. */
static bool none_finite(const struct renyi_question *question) {
    size_t orders = question->order.nearest.count, count = mechanisms_count(&question->mechanisms);
    bool none = orders > 0;
    for (size_t i = 0; i < count && none; i++)
        for (size_t j = 0; j < orders && none; j++) none = isinf(question->answer[i].divergence[j].upper);
    return none;
}

static bool asks_for_list(const struct arguments *arguments) {
    for (size_t i = 0; i < arguments->givens; i++)
        if (!strcmp(arguments->given[i].option->name, "--bound") && !strcmp(arguments->given[i].value, "list"))
            return true;
    return false;
}

static dpn_status run(const struct arguments *arguments, dpn_error *why) {
    if (asks_for_list(arguments)) {
        renyi_list_bounds(arguments_have(arguments, "--json"));
        return DPN_OK;
    }
    struct renyi_question question = {0};
    const char *file = arguments_value(arguments, "--export");
    question.plot = arguments_value(arguments, "--plot");
    dpn_status status = question.plot ? gnuplot_check_name(question.plot, why) : DPN_OK;
    if (!status)
        status = mechanisms_read(&question.mechanisms, arguments,
                                 "dpnoise renyi 'gaussian(sigma=5)' --sensitivity 1 --order 2", why);
    if (!status) status = read_orders(&question, arguments, why);
    if (!status) status = renyi_read_bounds(&question, arguments, why);
    if (!status) status = answer_all(&question, why);
    if (!status && question.plot) status = renyi_plot(&question, why);
    if (!status && file) status = composition_export(&question.mechanisms.composition, file, why);
    if (!status && arguments_have(arguments, "--json"))
        renyi_print_json(&question);
    else if (!status)
        status = renyi_print_text(&question, why);
    if (!status && none_finite(&question)) {
        status = refuse(why, DPN_EACCURACY, "no divergence is finite at this order");
        why->status = DPN_OK; /* it is the answer: kit/command.h */
    }
    free_question(&question);
    return status;
}

/* ---- The row ---- */

static const struct option options[] = {
    {"--order", "A[,A...]", true, "the order, 1 or more: 1 is the Kullback-Leibler divergence, inf the largest loss"},
    {"--bound", "NAME", true, "beside it a bound that a paper states; list prints them"},
    SENSITIVITY_OPTIONS,
    COMPOSITION_OPTIONS,
    PLAN_OPTION,
    {"--plot", "FILE", false, "draw the divergence against the order: FILE ends in .svg, .png or .pdf"},
    {NULL, NULL, false, NULL},
};

const struct command renyi_command = {
    .name = "renyi",
    .summary = "Renyi divergences of noise, and zCDP",
    .synopsis = "LAW [LAW...] (sensitivity set) --order A [--bound NAME]... [--plot FILE] [--json]\n"
                "       dpnoise renyi --law LAW --sensitivity S [--times N] [--law ...] --order A ...\n"
                "       dpnoise renyi --plan FILE [(sensitivity set)] [--times N] --order A ...",
    .description =
        "Noise of a LAW on answers that one row of the table moves no further than the sensitivity set allows: print\n"
        "the Renyi divergence of each order as an interval that contains the true value; its upper end is the "
        "guarantee. And\n"
        "print (xi, eta) such that no order a has a divergence above xi + a eta (zCDP), where such a line is known.\n",
    .example = "  dpnoise renyi 'gaussian(sigma=5)' --sensitivity 1 --order 2,8,32\n"
               "  dpnoise renyi 'osgt(m=15,sigma=25)' --sensitivity 1 --dim 8 --order 71.66 --bound osgt-16 --json\n"
               "  dpnoise renyi --law 'laplace(scale=10)' --sensitivity 1 --times 100 --pure 0.1 --order 4\n",
    .options = options,
    .run = run,
};
