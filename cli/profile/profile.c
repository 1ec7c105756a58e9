/* dpnoise profile: the guarantee that noise gives. */
#include "profile/profile.h"

#include "kit/command.h"
#include "kit/fail.h"
#include "kit/gnuplot.h"
#include "kit/progress.h"
#include "kit/waiting.h"

#include <dpnoise/number.h>
#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

static const char *const methods[] = {"auto", "contour", "fft", NULL};

const char *method_name(dpn_method method) {
    return methods[method];
}

/* ---- The engine ---- */

static dpn_step step_of(const struct question *question) {
    return (dpn_step){question->mechanisms.composition.loss, question->mechanisms.composition.losses, question->rate,
                      question->steps};
}

static dpn_status find_delta(dpn_delta *out, dpn_argument *argument, const struct question *question, size_t mechanism,
                             double epsilon, dpn_error *why) {
    if (question->mechanisms.laws)
        return dpn_sensitivity_delta(out, argument, question->workspace, &question->mechanisms.law[mechanism], 1,
                                     &question->mechanisms.sensitivity.set, epsilon, &question->options, why);
    if (question->mechanisms.plan.given)
        return dpn_plan_delta(out, argument, question->workspace, &question->mechanisms.plan.plan,
                              &question->mechanisms.sensitivity.set, question->mechanisms.plan.times, epsilon,
                              &question->options, why);
    if (argument && question->shuffled) *argument = DPN_ARGUMENT_BOUND;
    if (question->shuffled) return dpn_shuffle_delta(out, question->shuffled, question->rate, epsilon, why);
    if (question->replaced)
        return dpn_sampling_replace_delta(out, argument, question->workspace, &question->replace, 1, epsilon,
                                          &question->options, why);
    if (argument) *argument = DPN_ARGUMENT_CORNER; /* each part at its sensitivity */
    const struct training_file *training = &question->mechanisms.training;
    if (training->given)
        return dpn_sampling_delta(out, question->workspace, training->step, training->plan.phases, epsilon,
                                  &question->options, why);
    dpn_step step = step_of(question);
    if (question->sampled)
        return dpn_sampling_delta(out, question->workspace, &step, 1, epsilon, &question->options, why);
    const struct composition *all = &question->mechanisms.composition;
    return dpn_compose_known_delta(out, argument, question->workspace, all->loss, all->losses, all->known, all->knowns,
                                   epsilon, &question->options, why);
}

static dpn_status find_epsilon(dpn_epsilon *out, dpn_argument *argument, const struct question *question,
                               size_t mechanism, double delta, dpn_error *why) {
    if (question->mechanisms.laws)
        return dpn_sensitivity_epsilon(out, argument, question->workspace, &question->mechanisms.law[mechanism], 1,
                                       &question->mechanisms.sensitivity.set, delta, &question->options, why);
    if (question->mechanisms.plan.given)
        return dpn_plan_epsilon(out, argument, question->workspace, &question->mechanisms.plan.plan,
                                &question->mechanisms.sensitivity.set, question->mechanisms.plan.times, delta,
                                &question->options, why);
    if (argument && question->shuffled) *argument = DPN_ARGUMENT_BOUND;
    if (question->shuffled) return dpn_shuffle_epsilon(out, question->shuffled, question->rate, delta, why);
    if (question->replaced)
        return dpn_sampling_replace_epsilon(out, argument, question->workspace, &question->replace, 1, delta,
                                            &question->options, why);
    if (argument) *argument = DPN_ARGUMENT_CORNER;
    const struct training_file *training = &question->mechanisms.training;
    if (training->given)
        return dpn_sampling_epsilon(out, question->workspace, training->step, training->plan.phases, delta,
                                    &question->options, why);
    dpn_step step = step_of(question);
    if (question->sampled)
        return dpn_sampling_epsilon(out, question->workspace, &step, 1, delta, &question->options, why);
    const struct composition *all = &question->mechanisms.composition;
    return dpn_compose_known_epsilon(out, argument, question->workspace, all->loss, all->losses, all->known,
                                     all->knowns, delta, &question->options, why);
}

/* Where the accuracy asked for cannot be had, the one that can; false: the refusal stands. */
static bool ask_for_less(struct question *less, const struct question *question, dpn_status status) {
    *less = *question;
    less->options.accuracy = 0;
    return status == DPN_EACCURACY && question->options.accuracy > 0 && question->options.method == DPN_METHOD_AUTO;
}

dpn_status profile_delta(dpn_delta *out, dpn_argument *argument, const struct question *question, size_t mechanism,
                         double epsilon, dpn_error *why) {
    struct question less;
    dpn_status status = find_delta(out, argument, question, mechanism, epsilon, why);
    if (!ask_for_less(&less, question, status)) return status;
    return find_delta(out, argument, &less, mechanism, epsilon, why);
}

dpn_status profile_epsilon(dpn_epsilon *out, dpn_argument *argument, const struct question *question, size_t mechanism,
                           double delta, dpn_error *why) {
    struct question less;
    dpn_status status = find_epsilon(out, argument, question, mechanism, delta, why);
    if (!ask_for_less(&less, question, status)) return status;
    return find_epsilon(out, argument, &less, mechanism, delta, why);
}

/* ---- At the points asked ---- */

static dpn_status answer_at(struct guarantee *out, const struct question *question, size_t mechanism, double x,
                            dpn_error *why) {
    return question->of_delta ? profile_epsilon(&out->epsilon, &out->argument, question, mechanism, x, why)
                              : profile_delta(&out->delta, &out->argument, question, mechanism, x, why);
}

/* What stands for --accuracy if it is not given: what the engine aims at. */
static double default_accuracy(const struct question *question) {
    if (question->replaced) return 1e-4;
    if (question->sampled && question->mechanisms.composition.parts > 1) return 1e-2;
    return 1e-5;
}

/* Whether the ends are further apart than was asked for, whatever the reason, a bound among them. Those of delta by their ratio; those of
 * epsilon by their distance, or by the deltas that belong to them. */
static dpn_status mark_wide(struct guarantee *out, const struct question *question, size_t mechanism, dpn_error *why) {
    dpn_delta delta = out->delta;
    if (question->of_delta) {
        dpn_epsilon epsilon = out->epsilon;
        double narrow = fmin(question->accuracy, 1e-6) * fmax(1, epsilon.upper);
        if (epsilon.upper == epsilon.lower || epsilon.upper - epsilon.lower <= narrow) return DPN_OK;
        dpn_delta first;
        dpn_status status = profile_delta(&first, NULL, question, mechanism, epsilon.lower, why);
        if (!status) status = profile_delta(&delta, NULL, question, mechanism, epsilon.upper, why);
        if (status) return status;
        delta.log_upper = first.log_upper;
    }
    /* an epsilon is found with deltas at a few places, each with its own error */
    double allowed = (question->of_delta ? 8 : 1) * log1p(question->accuracy) * (1 + 1e-9) + 1e-12;
    out->wide = delta.log_upper > -INFINITY && !(delta.log_upper - delta.log_lower <= allowed);
    return DPN_OK;
}

/* Whether the lower end of an epsilon also holds between its delta and the next double, as that of samples does (dpnoise/sampling.h). */
static bool holds_between(const struct question *question, double delta) {
    const struct training_file *training = &question->mechanisms.training;
    bool some = question->sampled && question->rate > 0 && question->rate < 1 && question->steps > 0;
    for (size_t i = 0; training->given && i < training->plan.phases; i++) {
        const dpn_step *step = &training->step[i];
        some = some || (step->rate > 0 && step->rate < 1 && step->times > 0);
    }
    return question->of_delta && delta >= DBL_MIN && some;
}

/* delta decreases with epsilon and epsilon with delta, so the upper end is that of the double not above the decimal,
 * the lower end that of the double not below, which is asked only if it may be another: sampled steps can take seconds. */
static dpn_status answer_one(struct guarantee *out, const struct question *question, size_t mechanism, size_t point,
                             dpn_error *why) {
    double below = question->asked.below.at[point], above = question->asked.above.at[point];
    out->asked = question->asked.nearest.at[point];
    out->between = below != above;
    dpn_status status = answer_at(out, question, mechanism, below, why);
    struct guarantee lower;
    bool again = out->between && !holds_between(question, below);
    if (!status && again) status = answer_at(&lower, question, mechanism, above, why);
    if (!status && again && question->of_delta) out->epsilon.lower = lower.epsilon.lower;
    if (!status && again && !question->of_delta) {
        out->delta.lower = lower.delta.lower;
        out->delta.log_lower = lower.delta.log_lower;
    }
    if (!status) status = mark_wide(out, question, mechanism, why);
    if (status || !question->condition) return status;
    if (question->mechanisms.plan.given)
        return dpn_plan_condition(&out->condition, question->condition, question->workspace,
                                  &question->mechanisms.plan.plan, &question->mechanisms.sensitivity.set, below, why);
    return dpn_condition_delta(&out->condition, question->condition, question->workspace,
                               &question->mechanisms.law[mechanism], 1, &question->mechanisms.sensitivity.set, below,
                               why);
}

static dpn_status answer_all(struct question *question, dpn_error *why) {
    size_t points = question->asked.nearest.count, total = points * mechanisms_count(&question->mechanisms);
    question->guarantee = calloc(total + 1, sizeof *question->guarantee);
    if (!question->guarantee) return refuse(why, DPN_ENOMEM, "out of memory");
    struct progress progress = progress_start("profile", total);
    dpn_status status = DPN_OK;
    for (size_t i = 0; i < total && !status; i++) {
        struct waiting waiting; /* one answer may take long, and does not tell how far it is */
        waiting_start(&waiting, "profile");
        status = answer_one(&question->guarantee[i], question, i / points, i % points, why);
        waiting_end(&waiting);
        progress_step(&progress);
    }
    progress_end(&progress);
    return status;
}

/* ---- Reading the question ---- */

/* B/N, rounded up. */
static dpn_status read_batch(struct question *out, const struct arguments *arguments, dpn_error *why) {
    if (!arguments_have(arguments, "--batch") || !arguments_have(arguments, "--population"))
        return refuse(why, DPN_EPARSE, "a batch of fixed size has --batch B rows of --population N");
    if (arguments_have(arguments, "--sample-rate"))
        return refuse(why, DPN_EPARSE, "--batch is a batch of fixed size, --sample-rate one of random size: give one");
    dpn_status status = arguments_count(&out->batch, arguments, "--batch", why);
    if (!status) status = arguments_count(&out->population, arguments, "--population", why);
    if (status) return status;
    if (out->batch < 1 || out->batch > out->population || out->population > (uint64_t)1 << 53)
        return refuse(why, DPN_EDOMAIN, "--batch must be at least 1 and at most --population, which is at most 2^53");
    out->rate = fmin(1, nextafter((double)out->batch / (double)out->population, 2));
    if (out->batch == out->population) out->rate = 1;
    return DPN_OK;
}

/* More sampling is less privacy: the rate is rounded up. */
static dpn_status read_rate(struct question *out, const char *text, dpn_error *why) {
    dpn_error reason;
    if (dpn_number_parse_up(&out->rate, text, &reason))
        return refuse(why, DPN_EPARSE, "--sample-rate: %s", reason.sentence);
    if (!(out->rate >= 0 && out->rate <= 1)) return refuse(why, DPN_EDOMAIN, "--sample-rate must lie between 0 and 1");
    return DPN_OK;
}

/* The move of --present; a pure part has an epsilon instead. */
static dpn_status read_present(dpn_loss *out, const struct question *question, const char *text, dpn_error *why) {
    const struct part_words *words = &question->mechanisms.composition.words[0];
    dpn_error reason;
    double number, replaced = 0;
    dpn_status status = dpn_number_parse_up(&number, text, &reason);
    if (!status) status = dpn_number_parse_up(&replaced, words->number, &reason);
    if (!status)
        status = words->kind == PART_LAW ? dpn_loss_law(out, &words->law, number, &reason)
                                         : dpn_loss_pure(out, number, &reason);
    if (status) return refuse(why, status, "--present: %.200s", reason.sentence);
    return present_check(number, replaced, why);
}

static dpn_status read_replaced(struct question *out, const struct arguments *arguments, dpn_error *why) {
    const struct composition *composition = &out->mechanisms.composition;
    if (composition->losses != 1 || composition->loss[0].times != 1)
        return refuse(why, DPN_EUNSUPPORTED, "samples under --relation replace have one --law or --pure in each step");
    out->replaced = true;
    out->mechanisms.sensitivity.set.relation = DPN_REPLACE;
    out->present = arguments_value(arguments, "--present");
    out->replace =
        (dpn_replace_step){composition->loss[0].loss, composition->loss[0].loss, out->rate, out->steps, out->batch > 0};
    if (out->batch && out->present)
        return refuse(why, DPN_EPARSE, "--present is about --sample-rate: a batch of fixed size replaces rows alone");
    if (out->batch) return DPN_OK;
    if (!out->present)
        return refuse(
            why, DPN_EPARSE,
            "--relation replace: --sensitivity is the move if a row is replaced; give --present too, the move if "
            "it is removed");
    return read_present(&out->replace.present, out, out->present, why);
}

static dpn_status read_sampling(struct question *out, const struct arguments *arguments, dpn_error *why) {
    const char *text = arguments_value(arguments, "--sample-rate");
    bool batch = arguments_have(arguments, "--batch") || arguments_have(arguments, "--population");
    dpn_relation relation = batch ? DPN_REPLACE : DPN_ADD_REMOVE;
    if (training_has_phases(arguments)) return DPN_OK;
    size_t steps = 0;
    for (size_t i = 0; i < arguments->givens; i++) steps += strcmp(arguments->given[i].option->name, "--steps") == 0;
    if (steps > 1)
        return refuse(why, DPN_EPARSE, "--steps is given twice: in phases each --law has its own --sample-rate too");
    if (!text && !batch && arguments_have(arguments, "--steps"))
        return refuse(why, DPN_EPARSE, "--steps counts sampled steps: give --sample-rate too");
    if (!text && !batch && arguments_have(arguments, "--present"))
        return refuse(why, DPN_EPARSE, "--present is about samples: give --sample-rate too");
    if (!text && !batch) return DPN_OK;
    if (out->mechanisms.laws || out->mechanisms.plan.given || out->mechanisms.training.given)
        return refuse(why, DPN_EPARSE,
                      "--sample-rate samples a composition: write --law LAW --sensitivity S --times K");
    if (out->mechanisms.composition.knowns)
        return refuse(why, DPN_EUNSUPPORTED,
                      "--sample-rate is about noise; what is (E, D)-private is (log(1 + Q(e^E - 1)), Q D)-private on a "
                      "sample of rate Q: write that --guarantee, and --times");
    dpn_status status = relation_read(&relation, arguments, why);
    if (!status && batch && relation != DPN_REPLACE)
        return refuse(why, DPN_EUNSUPPORTED,
                      "a batch of fixed size has no table with one row less: --relation replace");
    if (!status && relation != DPN_REPLACE && arguments_have(arguments, "--present"))
        return refuse(why, DPN_EPARSE, "--present belongs to --relation replace");
    if (!status) status = batch ? read_batch(out, arguments, why) : read_rate(out, text, why);
    out->steps = 1;
    out->sampled = true;
    if (!status) status = arguments_count(&out->steps, arguments, "--steps", why);
    return status || relation != DPN_REPLACE ? status : read_replaced(out, arguments, why);
}

/* Reports of one local randomizer, whose epsilon is rounded up. */
static dpn_status read_shuffling(struct question *out, const struct arguments *arguments, dpn_error *why) {
    const struct composition *composition = &out->mechanisms.composition;
    dpn_relation relation = DPN_REPLACE;
    dpn_error reason;
    if (!arguments_have(arguments, "--shuffle")) return DPN_OK;
    if (composition->parts != 1 || composition->losses != 1 || composition->words[0].kind != PART_PURE ||
        composition->loss[0].times != 1)
        return refuse(why, DPN_EPARSE,
                      "--shuffle is about reports of one local randomizer: write --pure E --shuffle N");
    if (out->sampled) return refuse(why, DPN_EPARSE, "--shuffle does not go with --sample-rate or --batch");
    dpn_status status = relation_read(&relation, arguments, why);
    if (!status && relation != DPN_REPLACE)
        return refuse(why, DPN_EUNSUPPORTED, "the number of shuffled reports is known: --relation replace");
    if (!status) status = arguments_count(&out->shuffled, arguments, "--shuffle", why);
    if (status) return status;
    out->mechanisms.sensitivity.set.relation = DPN_REPLACE;
    status = dpn_number_parse_up(&out->rate, composition->words[0].number, &reason);
    return status ? refuse(why, status, "--pure: %s", reason.sentence) : DPN_OK;
}

static dpn_status read_points(struct question *out, const struct arguments *arguments, dpn_error *why) {
    bool epsilon = arguments_have(arguments, "--epsilon");
    out->of_delta = arguments_have(arguments, "--delta");
    if (epsilon && out->of_delta)
        return refuse(why, DPN_EPARSE,
                      "--epsilon and --delta exclude each other: one is given, the other is the answer");
    if (!epsilon && !out->of_delta && !out->plot && !out->export)
        return refuse(why, DPN_EPARSE, "the question is missing: give --epsilon, --delta, --plot or --export");
    dpn_status status = arguments_decimals(&out->asked, arguments, out->of_delta ? "--delta" : "--epsilon", why);
    for (size_t i = 0; out->of_delta && i < out->asked.nearest.count && !status; i++)
        if (!(out->asked.below.at[i] >= 0 && out->asked.below.at[i] < 1))
            status = refuse(why, DPN_EDOMAIN, "--delta must be at least 0 and less than 1");
    return status;
}

static dpn_status read_how(dpn_accounting_options *out, const struct arguments *arguments, dpn_error *why) {
    size_t method = DPN_METHOD_AUTO;
    *out = dpn_accounting_options_init();
    dpn_status status = arguments_number(&out->accuracy, arguments, "--accuracy", why);
    if (!status && arguments_have(arguments, "--accuracy") && !(out->accuracy > 0 && out->accuracy <= 1))
        status = refuse(why, DPN_EDOMAIN, "--accuracy must be positive and at most 1");
    if (!status) status = arguments_choice(&method, arguments, "--method", methods, why);
    out->method = (dpn_method)method;
    return status;
}

/* ---- What nobody said ---- */

/* Deltas that answer a question without --epsilon and --delta. */
#define USUAL_DELTAS "1e-4,1e-6,1e-8,1e-10"

static bool have_any(const struct arguments *arguments, const char *const *names) {
    bool any = false;
    for (; *names; names++) any = any || arguments_have(arguments, *names);
    return any;
}

/* A LAW without a set moves by at most 1. What is written to a file says it itself. */
static bool assumes_one(const struct arguments *arguments) {
    static const char *const files[] = {"--plan", "--export", NULL};
    return arguments->operands > 0 && !sensitivity_said(arguments) && !have_any(arguments, files) &&
           !composition_given(arguments);
}

static bool asks_nothing(const struct arguments *arguments) {
    static const char *const questions[] = {"--epsilon", "--delta", "--plot", "--export", "--condition", NULL};
    return !have_any(arguments, questions);
}

static const struct option *option_named(const struct option *options, const char *name) {
    while (strcmp(options->name, name) != 0) options++;
    return options;
}

/* The arguments with what stands for those that are missing; release with free(out->given). */
static dpn_status complete(struct arguments *out, const struct arguments *arguments, const struct option *options,
                           dpn_error *why) {
    *out = *arguments;
    out->given = malloc((arguments->givens + 2) * sizeof *out->given);
    if (!out->given) return refuse(why, DPN_ENOMEM, "out of memory");
    for (size_t i = 0; i < arguments->givens; i++) out->given[i] = arguments->given[i];
    if (assumes_one(arguments)) out->given[out->givens++] = (struct given){option_named(options, "--sensitivity"), "1"};
    if (asks_nothing(arguments))
        out->given[out->givens++] = (struct given){option_named(options, "--delta"), USUAL_DELTAS};
    return DPN_OK;
}

static dpn_status read_question(struct question *out, const struct arguments *arguments, dpn_error *why) {
    out->plot = arguments_value(arguments, "--plot");
    out->export = arguments_value(arguments, "--export");
    out->condition = arguments_value(arguments, "--condition");
    dpn_status status = out->plot ? gnuplot_check_name(out->plot, why) : DPN_OK;
    if (!status)
        status = mechanisms_read(&out->mechanisms, arguments,
                                 "dpnoise profile 'gaussian(sigma=5)' --sensitivity 1 --epsilon 1", why);
    if (!status) status = read_sampling(out, arguments, why);
    if (!status) status = read_shuffling(out, arguments, why);
    if (!status) status = read_points(out, arguments, why);
    if (!status) status = read_how(&out->options, arguments, why);
    out->accuracy = out->options.accuracy > 0 ? out->options.accuracy : default_accuracy(out);
    if (!status) status = condition_check(out, why);
    return status;
}

/* Whether epsilons were asked for and none is finite: an answer that a script must not take for a guarantee. */
static bool none_finite(const struct question *question) {
    size_t points = question->asked.nearest.count * mechanisms_count(&question->mechanisms);
    bool none = question->of_delta;
    for (size_t i = 0; i < points && none; i++) none = isinf(question->guarantee[i].epsilon.upper);
    return none;
}

static void free_question(struct question *question) {
    mechanisms_free(&question->mechanisms);
    decimals_free(&question->asked);
    free(question->guarantee);
    dpn_workspace_free(question->workspace);
}

static dpn_status answer(struct question *question, dpn_error *why) {
    dpn_status status = dpn_workspace_new(&question->workspace);
    if (status) return refuse(why, status, "out of memory");
    if (question->mechanisms.laws) sensitivity_warn(&question->mechanisms.sensitivity, "profile");
    status = answer_all(question, why);
    if (!status && question->plot) status = profile_plot(question, why);
    if (!status && question->export)
        status = composition_export(&question->mechanisms.composition, question->export, why);
    return status;
}

/* ---- The row ---- */

static const struct option options[] = {
    {"--epsilon", "E[,E...]", true, "the delta of (E, delta)-differential privacy"},
    {"--delta", "D[,D...]", true, "the epsilon of (epsilon, D)-differential privacy"},
    SENSITIVITY_OPTIONS,
    COMPOSITION_OPTIONS,
    PLAN_OPTION,
    {"--sample-rate", "Q", true,
     "the composition is released from a random sample, which a row enters with probability Q"},
    {"--steps", "N", true, "how many times, each from a fresh sample (1); with several --sample-rate those are phases"},
    {"--present", "S", false,
     "with --sample-rate and --relation replace: how far a row moves the answer that is removed,\n"
     "beside --sensitivity, how far one that is replaced does"},
    {"--batch", "B", false, "each sample is a batch of B rows, every one as likely, of which one is replaced, ..."},
    {"--population", "N", false, "... of a table of N rows"},
    {"--shuffle", "N", false,
     "N persons send one report each of a randomizer that is --pure E, and nobody knows whose it is"},
    {"--condition", "NAME", false, "beside it the delta of a condition that a paper states; list prints them"},
    {"--accuracy", "A", false, "how far the two ends of delta may differ, relative (1e-5, often closer)"},
    {"--method", "M", false, "auto (default), contour or fft"},
    {"--plot", "FILE", false, "draw delta against epsilon: FILE ends in .svg, .png or .pdf"},
    {NULL, NULL, false, NULL},
};

static bool list_asked(const struct arguments *arguments) {
    const char *condition = arguments_value(arguments, "--condition");
    return condition && !strcmp(condition, "list");
}

static dpn_status run(const struct arguments *arguments, dpn_error *why) {
    if (list_asked(arguments)) {
        condition_list(arguments_have(arguments, "--json"));
        return DPN_OK;
    }
    struct question question = {.assumed = assumes_one(arguments)};
    struct arguments completed;
    dpn_status status = complete(&completed, arguments, options, why);
    if (status) return status;
    status = read_question(&question, &completed, why);
    if (!status) status = answer(&question, why);
    if (!status && arguments_have(arguments, "--json"))
        profile_print_json(&question);
    else if (!status)
        status = profile_print_text(&question, why);
    if (!status && none_finite(&question)) {
        status = refuse(why, DPN_EACCURACY, "no epsilon is finite at this delta");
        why->status = DPN_OK; /* it is the answer: kit/command.h */
    }
    free_question(&question);
    free(completed.given);
    return status;
}

const struct command profile_command = {
    .name = "profile",
    .summary = "the guarantee that noise gives, and compositions",
    .synopsis =
        "LAW [LAW...] [(sensitivity set)] [--epsilon E | --delta D] [--plot FILE] [--json]\n"
        "       dpnoise profile --law LAW --sensitivity S [--times N] [--law ...] (--epsilon E | --delta D) ...\n"
        "       dpnoise profile --plan FILE [(sensitivity set)] [--times N] (--epsilon E | --delta D) ...",
    .description =
        "Noise of a LAW on answers that one row of the table moves no further than the sensitivity set allows: print\n"
        "delta for an epsilon, or epsilon for a delta, as an interval that contains the true value; its upper end is "
        "the\n"
        "guarantee. Several LAWs are answered one by one; --law, --pure, --block, --guarantee and --import\n"
        "make a composition, and so does one LAW with --times.\n"
        "A plan brings its own sensitivity set; options replace it. Without a sensitivity set a LAW's answer moves by "
        "at\n"
        "most 1, and the answer says that this was assumed; without --epsilon and --delta a few deltas are answered.\n",
    .example =
        "  dpnoise profile 'gaussian(sigma=5)' --sensitivity 1 --delta 1e-6\n"
        "  dpnoise profile 'gaussian(sigma=50)' --times 1000\n"
        "  dpnoise profile 'gaussian(sigma=50)' --sensitivity 1 --times 1000 --delta 1e-6\n"
        "  dpnoise profile 'osgt(m=15,sigma=25)' --sensitivity 1 --dim 8 --epsilon 0.5,0.9 --json\n"
        "  dpnoise profile --law 'laplace(scale=10)' --sensitivity 1 --times 100 --pure 0.1 --epsilon 1\n"
        "  dpnoise profile --guarantee 'approximate(epsilon=1,delta=0.001)' --times 30 --delta 0.06\n"
        "  dpnoise profile --law 'gaussian(sigma=1)' --sensitivity 1 --sample-rate 0.01 --steps 1000 --delta 1e-6\n"
        "  dpnoise profile --law 'gaussian(sigma=1)' --sensitivity 2 --present 1 --relation replace "
        "--sample-rate 0.01 --steps 100 --delta 1e-6\n"
        "  dpnoise profile --law 'gaussian(sigma=2)' --sensitivity 2 --batch 100 --population 10000 --steps 50 --delta "
        "1e-6\n"
        "  dpnoise profile --pure 1 --shuffle 10000 --delta 1e-6\n"
        "  dpnoise profile 'gaussian(sigma=4)' 'laplace(scale=2.8)' --sensitivity 1 --plot profiles.svg\n",
    .options = options,
    .run = run,
};
