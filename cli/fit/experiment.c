/* dpnoise fit --experiment: tuned and standardised on the rows themselves, to compare with papers. NOT PRIVATE. */
#include "fit/fit.h"

#include "kit/fact.h"
#include "kit/fail.h"
#include "kit/json.h"

#include <inttypes.h>
#include <stdio.h>

static void json_measured(struct json *json, const char *name, dpn_measured measured) {
    json_open_object(json, name);
    json_number(json, "mean", measured.mean);
    json_number(json, "error", measured.error);
    json_close_object(json);
}

static void print_json(const struct fitting *fitting, const dpn_experiment *found) {
    struct json object = json_begin(stdout);
    json_string(&object, "fit", dpn_fit_kind_name(fitting->options.kind));
    json_bool(&object, "private", false);
    json_string(&object, "warning", "NOT PRIVATE: standardised and tuned on the rows themselves");
    json_count(&object, "rows", found->rows);
    json_count(&object, "passes", found->passes);
    json_number(&object, "step", found->step);
    json_number(&object, "clip", found->clip);
    json_number(&object, "noise", found->noise);
    json_number(&object, "tuned", found->tuned);
    json_measured(&object, "nmse", found->nmse);
    json_measured(&object, "distance", found->distance);
    json_measured(&object, "test", found->test);
    json_number(&object, "plain_test", found->plain_test);
    json_end(&object);
}

static void print_text(const struct fitting *fitting, const dpn_experiment *found) {
    bool linear = fitting->options.kind == DPN_FIT_LINEAR;
    fact_print(stdout, "  ",
               "NOT PRIVATE: columns are standardised and passes, step and clip tuned on the rows themselves");
    printf("\n  fitted     %zu rows; %" PRIu64 " passes, step %g, clip %g\n", found->rows, found->passes, found->step,
           found->clip);
    fact_print(stdout, "  NMSE       ",
               "%.4g +- %.2g to the fit without noise; %.4g in the runs that chose, which is too good",
               found->nmse.mean, found->nmse.error, found->tuned);
    printf("  distance   %.4g +- %.2g\n", found->distance.mean, found->distance.error);
    printf("  test       %.4g +- %.2g %s; %.4g without noise\n", found->test.mean, found->test.error,
           linear ? "of the sum of squares" : "of the labels are wrong", found->plain_test);
}

/* What --fine tries, all of it with all; without it the library's own 75 settings. */
static const uint64_t fine_passes[] = {1, 2, 5, 10, 20, 50};
static const double fine_step[] = {0.05, 0.1, 0.2, 0.3, 0.5, 0.8, 1, 1.5};
static const double fine_clip[] = {0.03, 0.06, 0.1, 0.2, 0.3, 0.6, 1, 2, 3, 6, 10};

static void set_fine(dpn_experiment_options *options) {
    options->passes = fine_passes;
    options->passes_count = sizeof fine_passes / sizeof *fine_passes;
    options->step = fine_step;
    options->steps = sizeof fine_step / sizeof *fine_step;
    options->clip = fine_clip;
    options->clips = sizeof fine_clip / sizeof *fine_clip;
}

dpn_status fit_experiment(const struct fitting *fitting, dpn_error *why) {
    const struct arguments *arguments = fitting->release.arguments;
    dpn_experiment_options options = dpn_experiment_options_init();
    dpn_experiment found;
    dpn_rng *rng = NULL;
    options.as_declared = arguments_have(arguments, "--as-declared");
    if (arguments_have(arguments, "--fine")) set_fine(&options);
    dpn_status status = arguments_count(&options.trials, arguments, "--trials", why);
    if (!status && fitting->options.passes > 0) {
        options.passes = &fitting->options.passes;
        options.passes_count = 1;
    }
    if (!status && fitting->options.step > 0) {
        options.step = &fitting->options.step;
        options.steps = 1;
    }
    if (!status && fitting->options.clip > 0) {
        options.clip = &fitting->options.clip;
        options.clips = 1;
    }
    if (!status) status = dpn_rng_new(&rng, why);
    if (!status) status = dpn_fit_experiment(&found, fitting->fit, &options, rng, why);
    dpn_rng_free(rng);
    if (status) return status;
    if (arguments_have(arguments, "--json"))
        print_json(fitting, &found);
    else
        print_text(fitting, &found);
    return DPN_OK;
}
