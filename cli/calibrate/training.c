/* dpnoise calibrate FAMILY --sample-rate Q --steps N: the least noise for releases from random samples. */
#include "calibrate/calibrate.h"
#include "kit/fail.h"
#include "words/delta.h"

#include <dpnoise/number.h>
#include <inttypes.h>

struct trained {
    const struct calibration *asked;
    const char *family;
    dpn_training training;
    dpn_law law;
    dpn_delta delta;
};

/* The sensitivity of the one answer, or of the vector under an l2 bound, rounded up. */
static dpn_status read_sensitivity(dpn_training *out, const struct calibration *asked,
                                   const struct arguments *arguments, dpn_error *why) {
    out->vector = asked->sensitivity.set.dimension > 1 || arguments_have(arguments, "--l2");
    const char *option = out->vector ? "--l2" : "--sensitivity", *text = arguments_value(arguments, option);
    dpn_error reason;
    if (!text) return refuse(why, DPN_EPARSE, "--sample-rate: give %s, the distance of one row's move", option);
    dpn_status status = dpn_number_parse_up(&out->sensitivity, text, &reason);
    if (status) return refuse(why, status, "%s: %s", option, reason.sentence);
    return out->sensitivity > 0
               ? DPN_OK
               : refuse(why, DPN_EDOMAIN, "%s must be positive: what cannot move needs no noise", option);
}

static dpn_status check_options(const struct calibration *asked, const struct arguments *arguments, dpn_error *why) {
    static const char *const not_here[] = {"--condition", "--identical",     "--weights",  "--times",     "--objective",
                                           "--plot",      "--sensitivities", "--vertices", "--histogram", "--max-rows"};
    for (size_t i = 0; i < sizeof not_here / sizeof *not_here; i++)
        if (arguments_have(arguments, not_here[i]))
            return refuse(why, DPN_EPARSE, "%s does not go with --sample-rate", not_here[i]);
    if (asked->of_error) return refuse(why, DPN_EPARSE, "--sample-rate finds the noise for an epsilon: give --epsilon");
    if (asked->delta == 0) return refuse(why, DPN_EPARSE, "--sample-rate needs --delta, which must be positive");
    if (asked->sensitivity.set.relation != DPN_ADD_REMOVE)
        return refuse(why, DPN_EUNSUPPORTED,
                      "--sample-rate is exact for --relation add-remove; what is (E, D)-private under it is (2E, "
                      "(1+e^E)D)-private under replace: see dpnoise convert");
    return DPN_OK;
}

static dpn_status read_training(struct trained *out, const struct arguments *arguments, dpn_error *why) {
    dpn_error reason;
    const dpn_calibration_options *options = &out->asked->options;
    out->training = dpn_training_init();
    out->training.steps = 1;
    dpn_status status = check_options(out->asked, arguments, why);
    if (!status) status = read_sensitivity(&out->training, out->asked, arguments, why);
    if (status) return status;
    status = dpn_number_parse_up(&out->training.rate, arguments_value(arguments, "--sample-rate"), &reason);
    if (status) return refuse(why, status, "--sample-rate: %s", reason.sentence);
    if (!(out->training.rate > 0 && out->training.rate <= 1))
        return refuse(why, DPN_EDOMAIN, "--sample-rate must be positive and at most 1");
    if (options->shape_min != options->shape_max)
        return refuse(why, DPN_EUNSUPPORTED, "--shape must be one number with --sample-rate: it is not searched");
    out->training.shape = options->shape_max;
    if (dpn_family_shape(out->family) && out->training.shape == 0)
        return refuse(why, DPN_EUNSUPPORTED, "--sample-rate: give --shape, the %s of %s noise, which is not searched",
                      dpn_family_shape(out->family), out->family);
    return arguments_count(&out->training.steps, arguments, "--steps", why);
}

static void print_json(const struct trained *trained) {
    char text[DPN_LAW_TEXT_SIZE];
    struct json object = json_begin(stdout);
    json_string(&object, "family", trained->family);
    json_string(&object, "law", dpn_law_print(text, &trained->law));
    json_number(&object, "variance", dpn_law_variance(&trained->law));
    json_number(&object, "sensitivity", trained->training.sensitivity);
    json_number(&object, "epsilon", trained->asked->asked_epsilon);
    json_number(&object, "delta", trained->delta.upper);
    json_number(&object, "delta_lower", trained->delta.lower);
    json_number(&object, "log_delta", trained->delta.log_upper);
    json_number(&object, "log_delta_lower", trained->delta.log_lower);
    json_number(&object, "sample_rate", trained->training.rate);
    json_number(&object, "steps", (double)trained->training.steps);
    json_string(&object, "relation", "add-remove");
    json_end(&object);
}

static void print_text(const struct trained *trained) {
    char text[DPN_LAW_TEXT_SIZE], number[DPN_NUMBER_SIZE], lower[DELTA_SIZE];
    printf("%s\n", dpn_law_print(text, &trained->law));
    printf("  (%s, ", dpn_number_print(number, trained->asked->asked_epsilon));
    printf("%s)-differentially private\n\n", dpn_number_print(number, trained->asked->asked_delta));
    printf("  variance      %.10g\n", dpn_law_variance(&trained->law));
    printf("  delta         at most %s, at least ", delta_print_upper(text, &trained->delta, 10));
    printf("%s\n", delta_print_lower(lower, &trained->delta, 10));
    printf("  sampling      %" PRIu64 " step%s, each on a secret sample of rate %.10g\n", trained->training.steps,
           trained->training.steps == 1 ? "" : "s", trained->training.rate);
    printf("  sensitivity   %.10g\n", trained->training.sensitivity);
    puts("  neighbours    one row is added or removed");
}

dpn_status calibrate_training(const struct calibration *asked, const char *family, const struct arguments *arguments,
                              dpn_error *why) {
    struct trained trained = {.asked = asked, .family = family};
    dpn_error reason;
    dpn_status status = read_training(&trained, arguments, why);
    if (status) return status;
    status = dpn_calibrate_training(&trained.law, &trained.delta, family, asked->epsilon, asked->delta,
                                    &trained.training, asked->options.workspace, &reason);
    if (status) return refuse(why, status, "%s", reason.sentence);
    if (arguments_have(arguments, "--json"))
        print_json(&trained);
    else
        print_text(&trained);
    return DPN_OK;
}
