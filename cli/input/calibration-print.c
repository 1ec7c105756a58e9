/* What calibrate and compare have in common in their answers. */
#include "input/calibration.h"
#include "kit/fact.h"
#include "words/decimal.h"
#include "words/delta.h"

#include <inttypes.h>
#include <math.h>

enum { DIGITS = 10, FEW = 4 };

const char *objective_words(dpn_objective objective) {
    static const char *const words[] = {"mean squared error", "mean absolute error", "95% half-width"};
    return words[objective];
}

double calibration_epsilon(const struct calibration *asked, const dpn_plan *plan) {
    return asked->of_error ? plan->epsilon : asked->asked_epsilon;
}

void calibration_print_claim(const struct calibration *asked, const dpn_plan *plan) {
    char epsilon[DPN_NUMBER_SIZE], delta[DELTA_SIZE];
    if (asked->of_error)
        decimal_print_up(epsilon, plan->epsilon, DIGITS);
    else
        dpn_number_print(epsilon, asked->asked_epsilon);
    printf("(%s, %s)-differentially private%s", epsilon, delta_print_upper(delta, &plan->delta, FEW),
           plan->pure ? " (pure)" : "");
    if (plan->times > 1) printf(", %" PRIu64 " releases together", plan->times);
}

void calibration_print_question(const struct calibration *asked) {
    sensitivity_print(stdout, &asked->sensitivity);
    if (asked->assumed) sensitivity_print_assumed(stdout, &asked->sensitivity.set);
    fact_print(stdout, "  neighbours    ", "%s", neighbours_words(&asked->sensitivity.set));
}

void calibration_json(struct json *json, const struct calibration *asked) {
    json_number(json, "delta_asked", asked->asked_delta);
    if (asked->of_error) json_number(json, "error_asked", asked->asked_error);
    json_string(json, "objective", dpn_objective_name(asked->options.objective));
    if (asked->weights.at) {
        json_open_array(json, "weights");
        for (size_t i = 0; i < asked->weights.count; i++) json_number(json, NULL, asked->weights.at[i]);
        json_close_array(json);
    }
    json_string(json, "condition", dpn_calibration_condition_name(asked->options.condition));
    json_bool(json, "identical", asked->options.identical);
    json_count(json, "times", asked->options.times);
    sensitivity_json(json, "sensitivity", &asked->sensitivity);
    if (asked->assumed) json_bool(json, "sensitivity_assumed", true);
    json_string(json, "relation", relation_name(&asked->sensitivity.set));
    json_string(json, "unit", unit_name(&asked->sensitivity.set));
}
