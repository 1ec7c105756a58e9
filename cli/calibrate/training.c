/* dpnoise calibrate FAMILY --sample-rate Q --steps N: the least noise for releases from random samples; and with a LAW the most steps, the
 * largest rate or the largest batch. */
#include "calibrate/calibrate.h"
#include "input/training.h"
#include "kit/fact.h"
#include "kit/fail.h"
#include "kit/waiting.h"
#include "words/delta.h"
#include "words/law.h"

#include <dpnoise/number.h>
#include <inttypes.h>
#include <math.h>
#include <string.h>

/* What is searched. */
enum wanted { LEAST_NOISE, MOST_STEPS, MOST_RATE, MOST_BATCH };

struct trained {
    const struct calibration *asked;
    const char *family; /* NULL: the law is given */
    enum wanted wanted;
    dpn_training training;
    const char *present; /* as it was written, or NULL */
    dpn_law law;
    dpn_delta delta, next; /* as it is answered, and with one more; of a rate with a thousandth more */
    dpn_argument argument;
    char note[DPN_PLAN_NOTE_SIZE];
    bool has_next; /* there is one more */
};

/* ---- Reading ---- */

bool training_asked(const struct arguments *arguments) {
    return arguments_have(arguments, "--sample-rate") || arguments_have(arguments, "--batch");
}

static bool is_most(const struct arguments *arguments, const char *option) {
    const char *text = arguments_value(arguments, option);
    return text && strcmp(text, "most") == 0;
}

static dpn_status read_up(double *out, const char *option, const char *text, dpn_error *why) {
    dpn_error reason;
    dpn_status status = dpn_number_parse_up(out, text, &reason);
    if (status) return refuse(why, status, "%s: %s", option, reason.sentence);
    return *out > 0 ? DPN_OK : refuse(why, DPN_EDOMAIN, "%s must be positive: what cannot move needs no noise", option);
}

/* The sensitivity of the one answer, or of the vector under an l2 bound, rounded up. */
static dpn_status read_sensitivity(dpn_training *out, const struct calibration *asked,
                                   const struct arguments *arguments, dpn_error *why) {
    out->vector = asked->sensitivity.set.dimension > 1 || arguments_have(arguments, "--l2");
    const char *option = out->vector ? "--l2" : "--sensitivity", *text = arguments_value(arguments, option);
    if (asked->assumed && !out->vector) text = "1";
    if (!text) return refuse(why, DPN_EPARSE, "--sample-rate: give %s, the distance of one row's move", option);
    return read_up(&out->sensitivity, option, text, why);
}

static bool is_law(const char *family) {
    for (size_t i = 0; dpn_family_name(i); i++)
        if (strcmp(dpn_family_name(i), family) == 0) return true;
    return false;
}

static dpn_status check_options(const struct trained *trained, const struct arguments *arguments, dpn_error *why) {
    if (trained->family && !is_law(trained->family))
        return refuse(why, DPN_EUNSUPPORTED, "%s does not go with %s noise, which is not calibrated for samples",
                      arguments_have(arguments, "--batch") ? "--batch" : "--sample-rate", trained->family);
    static const char *const not_here[] = {"--condition",     "--identical", "--weights",   "--times",   "--plot",
                                           "--sensitivities", "--vertices",  "--histogram", "--max-rows"};
    const struct calibration *asked = trained->asked;
    for (size_t i = 0; i < sizeof not_here / sizeof *not_here; i++)
        if (arguments_have(arguments, not_here[i]))
            return refuse(why, DPN_EPARSE, "%s does not go with --sample-rate or --batch", not_here[i]);
    int most = is_most(arguments, "--steps") + is_most(arguments, "--sample-rate") + is_most(arguments, "--batch");
    if (most > 1) return refuse(why, DPN_EPARSE, "one of --steps, --sample-rate and --batch can be the most, not two");
    if (most && trained->family)
        return refuse(why, DPN_EPARSE,
                      "the most that noise allows is asked of a law: write 'gaussian(sigma=1)' or the like");
    if (!most && !trained->family)
        return refuse(why, DPN_EPARSE,
                      "a law leaves nothing to calibrate: write most for --steps, --sample-rate or --batch, or ask "
                      "dpnoise profile for its epsilon");
    if (asked->of_error)
        return refuse(
            why, DPN_EPARSE,
            "samples get the noise for an epsilon: give --epsilon, or ask dpnoise profile for the epsilon of a law");
    if (asked->delta == 0) return refuse(why, DPN_EPARSE, "--sample-rate needs --delta, which must be positive");
    return DPN_OK;
}

/* A rate, or a batch of fixed size. */
static dpn_status read_sampling(struct trained *out, const struct arguments *arguments, dpn_error *why) {
    dpn_training *training = &out->training;
    bool batch = arguments_have(arguments, "--batch");
    if (batch && arguments_have(arguments, "--sample-rate"))
        return refuse(why, DPN_EPARSE, "--batch is a batch of fixed size, --sample-rate one of random size: give one");
    if (batch != arguments_have(arguments, "--population"))
        return refuse(why, DPN_EPARSE, "a batch of fixed size has --batch B rows of --population N");
    if (batch) {
        training->batch = 1;
        dpn_status status = arguments_count(&training->population, arguments, "--population", why);
        if (!status && out->wanted != MOST_BATCH) status = arguments_count(&training->batch, arguments, "--batch", why);
        if (status) return status;
        if (training->batch > training->population || training->population > (uint64_t)1 << 53)
            return refuse(why, DPN_EDOMAIN,
                          "--batch must be at least 1 and at most --population, which is at most 2^53");
        return DPN_OK;
    }
    training->rate = 1;
    if (out->wanted == MOST_RATE) return DPN_OK;
    dpn_error reason;
    dpn_status status = dpn_number_parse_up(&training->rate, arguments_value(arguments, "--sample-rate"), &reason);
    if (status) return refuse(why, status, "--sample-rate: %s", reason.sentence);
    if (!(training->rate > 0 && training->rate <= 1))
        return refuse(why, DPN_EDOMAIN, "--sample-rate must be positive and at most 1");
    return DPN_OK;
}

static dpn_status read_relation(struct trained *out, const struct arguments *arguments, dpn_error *why) {
    bool batch = out->training.batch > 0;
    out->training.relation = batch ? DPN_REPLACE : DPN_ADD_REMOVE;
    out->present = arguments_value(arguments, "--present");
    dpn_status status = relation_read(&out->training.relation, arguments, why);
    if (status) return status;
    if (batch && out->training.relation != DPN_REPLACE)
        return refuse(why, DPN_EUNSUPPORTED,
                      "a batch of fixed size has no table with one row less: --relation replace");
    if (batch && out->present)
        return refuse(why, DPN_EPARSE, "--present is about --sample-rate: a batch of fixed size replaces rows alone");
    if (out->training.relation != DPN_REPLACE && out->present)
        return refuse(why, DPN_EPARSE, "--present belongs to --relation replace");
    if (out->training.relation != DPN_REPLACE || batch) return DPN_OK;
    if (!out->present)
        return refuse(why, DPN_EPARSE,
                      "--relation replace: --sensitivity is the move if a row is replaced; give --present too, the "
                      "move if it is removed");
    status = read_up(&out->training.present, "--present", out->present, why);
    return status ? status : present_check(out->training.present, out->training.sensitivity, why);
}

static void take_options(struct trained *out) {
    const dpn_calibration_options *options = &out->asked->options;
    dpn_training *training = &out->training;
    training->shape_min = options->shape_min;
    training->shape_max = options->shape_max;
    training->objective = options->objective;
}

static dpn_status read_training(struct trained *out, const struct arguments *arguments, dpn_error *why) {
    out->training = dpn_training_init();
    out->training.steps = 1;
    out->wanted = is_most(arguments, "--steps")         ? MOST_STEPS
                  : is_most(arguments, "--sample-rate") ? MOST_RATE
                  : is_most(arguments, "--batch")       ? MOST_BATCH
                                                        : LEAST_NOISE;
    dpn_status status = check_options(out, arguments, why);
    if (!status && !out->family) status = law_read(&out->law, arguments->operand[0], why);
    if (!status) status = read_sensitivity(&out->training, out->asked, arguments, why);
    if (!status) status = read_sampling(out, arguments, why);
    if (!status) status = read_relation(out, arguments, why);
    if (status) return status;
    if (out->family) take_options(out);
    if (out->wanted == MOST_STEPS) return DPN_OK;
    return arguments_count(&out->training.steps, arguments, "--steps", why);
}

/* ---- Answering ---- */

/* The training with one more of what was searched; false if there is none. */
static bool one_more(dpn_training *out, const struct trained *trained) {
    *out = trained->training;
    if (trained->wanted == MOST_STEPS) out->steps++;
    if (trained->wanted == MOST_BATCH && ++out->batch > out->population) return false;
    if (trained->wanted == MOST_RATE) {
        if (out->rate == 1) return false;
        out->rate = fmin(1, 1.001 * out->rate);
    }
    return trained->wanted != LEAST_NOISE;
}

/* What the most is, and how far from the target it and one more are. */
static dpn_status find_most(struct trained *out, dpn_error *why) {
    const struct calibration *asked = out->asked;
    dpn_training *training = &out->training, more;
    dpn_workspace *workspace = asked->options.workspace;
    dpn_status status;
    if (out->wanted == MOST_STEPS)
        status =
            dpn_training_steps(&training->steps, &out->law, asked->epsilon, asked->delta, training, workspace, why);
    else if (out->wanted == MOST_BATCH)
        status =
            dpn_training_batch(&training->batch, &out->law, asked->epsilon, asked->delta, training, workspace, why);
    else
        status = dpn_training_rate(&training->rate, &out->law, asked->epsilon, asked->delta, training, workspace, why);
    if (status) return status;
    if (training->steps == 0 || (training->population ? training->batch == 0 : training->rate == 0))
        return refuse(why, DPN_EUNSUPPORTED, "this noise is too little for the guarantee: not even %s is certified",
                      out->wanted == MOST_STEPS   ? "one step"
                      : out->wanted == MOST_BATCH ? "a batch of one row"
                                                  : "a rate of 1e-15");
    status = dpn_training_delta(&out->delta, &out->argument, &out->law, asked->epsilon, training, workspace, why);
    out->has_next = one_more(&more, out);
    if (!status && out->has_next)
        status = dpn_training_delta(&out->next, NULL, &out->law, asked->epsilon, &more, workspace, why);
    return status;
}

static dpn_status find_noise(struct trained *out, dpn_error *why) {
    const struct calibration *asked = out->asked;
    out->training.note = out->note;
    dpn_status status = dpn_calibrate_training(&out->law, &out->delta, out->family, asked->epsilon, asked->delta,
                                               &out->training, asked->options.workspace, why);
    dpn_delta again; /* for its argument */
    return status ? status
                  : dpn_training_delta(&again, &out->argument, &out->law, asked->epsilon, &out->training,
                                       asked->options.workspace, why);
}

/* ---- Printing ---- */

static const char *wanted_name(enum wanted wanted) {
    static const char *const names[] = {"noise", "steps", "sample_rate", "batch"};
    return names[wanted];
}

static double rate_of(const dpn_training *training) {
    return training->batch ? (double)training->batch / (double)training->population : training->rate;
}

/* The error that was minimised, of one answer. */
static double error_of(const struct trained *trained) {
    switch (trained->training.objective) {
    case DPN_OBJECTIVE_MAE:
        return dpn_law_mean_abs(&trained->law);
    case DPN_OBJECTIVE_INTERVAL95:
        return dpn_law_isf(&trained->law, 0.025);
    default:
        return dpn_law_variance(&trained->law);
    }
}

static void json_delta(struct json *json, const dpn_delta *delta) {
    json_number(json, "delta", delta->upper);
    json_number(json, "delta_lower", delta->lower);
    json_number(json, "log_delta", delta->log_upper);
    json_number(json, "log_delta_lower", delta->log_lower);
}

/* The run as a plan, for --plan: under add-remove, where it is one. */
static void json_run(struct json *json, const struct trained *trained) {
    const dpn_training *training = &trained->training;
    dpn_training_phase phase = {trained->law, training->sensitivity, training->rate, training->steps};
    dpn_training_plan plan = {.phase = &phase, .phases = 1};
    if (training->relation == DPN_ADD_REMOVE) training_json(json, &plan);
}

static void print_json(const struct trained *trained) {
    char text[DPN_LAW_TEXT_SIZE];
    const dpn_training *training = &trained->training;
    dpn_training more;
    struct json object = json_begin(stdout);
    json_string(&object, "family", dpn_law_family(&trained->law));
    json_string(&object, "law", dpn_law_print(text, &trained->law));
    json_number(&object, "variance", dpn_law_variance(&trained->law));
    json_number(&object, "sensitivity", training->sensitivity);
    if (trained->asked->assumed) json_bool(&object, "sensitivity_assumed", true);
    json_number(&object, "epsilon", trained->asked->asked_epsilon);
    json_delta(&object, &trained->delta);
    json_number(&object, "sample_rate", rate_of(training));
    json_number(&object, "steps", (double)training->steps);
    if (training->present > 0) json_number(&object, "present", training->present);
    if (training->batch) {
        json_count(&object, "batch", training->batch);
        json_count(&object, "population", training->population);
    }
    json_string(&object, "argument", dpn_argument_name(trained->argument));
    json_string(&object, "searched", wanted_name(trained->wanted));
    if (trained->wanted == LEAST_NOISE) {
        json_string(&object, "objective", dpn_objective_name(training->objective));
        json_number(&object, "error", error_of(trained));
        json_number(&object, "mse", dpn_law_variance(&trained->law));
        json_string(&object, "note", trained->note);
    }
    if (trained->has_next && one_more(&more, trained)) {
        json_open_object(&object, "next");
        if (trained->wanted == MOST_RATE)
            json_number(&object, "sample_rate", more.rate);
        else
            json_count(&object, wanted_name(trained->wanted), trained->wanted == MOST_STEPS ? more.steps : more.batch);
        json_delta(&object, &trained->next);
        json_bool(&object, "excluded", trained->next.lower > trained->asked->delta);
        json_close_object(&object);
    }
    json_string(&object, "relation", dpn_relation_name(training->relation));
    json_run(&object, trained);
    json_end(&object);
}

/* Whether one more is known not to fit. */
static void print_next(const struct trained *trained) {
    char text[DELTA_SIZE];
    static const char *const more[] = {"", "one step more", "a rate a thousandth larger", "one row more in each batch"};
    bool excluded = trained->next.lower > trained->asked->delta;
    if (excluded)
        fact_print(stdout, "  no more       ", "%s has a delta of at least %s", more[trained->wanted],
                   delta_print_lower(text, &trained->next, 10));
    else
        fact_print(stdout, "  no more       ", "%s has a delta of at most %s and may fit in truth: it is not certified",
                   more[trained->wanted], delta_print_upper(text, &trained->next, 10));
}

static void print_text(const struct trained *trained) {
    char text[DPN_LAW_TEXT_SIZE], number[DPN_NUMBER_SIZE], lower[DELTA_SIZE];
    const dpn_training *training = &trained->training;
    printf("%s\n", dpn_law_print(text, &trained->law));
    printf("  (%s, ", dpn_number_print(number, trained->asked->asked_epsilon));
    printf("%s)-differentially private\n\n", dpn_number_print(number, trained->asked->asked_delta));
    printf("  variance      %.10g\n", dpn_law_variance(&trained->law));
    if (training->objective != DPN_OBJECTIVE_MSE)
        printf("  minimised     %s, %.10g\n", objective_words(training->objective), error_of(trained));
    printf("  delta         at most %s, at least ", delta_print_upper(text, &trained->delta, 10));
    printf("%s\n", delta_print_lower(lower, &trained->delta, 10));
    printf("  sampling      %" PRIu64 " step%s, each on a secret ", training->steps, training->steps == 1 ? "" : "s");
    if (training->batch)
        printf("batch of %" PRIu64 " of %" PRIu64 " rows\n", training->batch, training->population);
    else
        printf("sample of rate %.10g\n", training->rate);
    if (trained->has_next) print_next(trained);
    printf("  sensitivity   %.10g\n", training->sensitivity);
    if (trained->asked->assumed) sensitivity_print_assumed(stdout, &trained->asked->sensitivity.set);
    if (trained->present)
        fact_print(stdout, "  present       ", "%s: the move if a row of the sample is removed", trained->present);
    if (trained->argument == DPN_ARGUMENT_BOUND)
        puts("  worst change  a bound over all rows; at least: what some rows reach (bound)");
    if (trained->note[0]) fact_print(stdout, "  note          ", "%s", trained->note);
    puts(training->relation == DPN_REPLACE ? "  neighbours    one row is replaced"
                                           : "  neighbours    one row is added or removed");
}

dpn_status calibrate_training(const struct calibration *asked, const char *family, const struct arguments *arguments,
                              dpn_error *why) {
    struct trained trained = {.asked = asked, .family = family};
    dpn_error reason;
    dpn_status status = read_training(&trained, arguments, why);
    if (status) return status;
    struct waiting waiting; /* one look may take long */
    waiting_start(&waiting, "calibrate");
    status = family ? find_noise(&trained, &reason) : find_most(&trained, &reason);
    waiting_end(&waiting);
    bool of_delta = status == DPN_EDOMAIN && strncmp(reason.sentence, "delta ", 6) == 0;
    if (status) return refuse(why, status, "%s%s", of_delta ? "--" : "", reason.sentence);
    if (arguments_have(arguments, "--json"))
        print_json(&trained);
    else
        print_text(&trained);
    return DPN_OK;
}
