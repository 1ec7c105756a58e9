/* The answer of `dpnoise profile --json`. */
#include "kit/json.h"
#include "profile/profile.h"

#include <dpnoise/number.h>
#include <math.h>

static void write_guarantee(struct json *json, const struct question *question, const struct guarantee *guarantee) {
    if (question->of_delta) {
        json_number(json, "epsilon", guarantee->epsilon.upper);
        json_number(json, "epsilon_lower", guarantee->epsilon.lower);
        json_number(json, "delta", guarantee->asked);
    } else {
        json_number(json, "epsilon", guarantee->asked);
        json_number(json, "delta", guarantee->delta.upper);
        json_number(json, "delta_lower", guarantee->delta.lower);
        json_number(json, "log_delta", guarantee->delta.log_upper);
        json_number(json, "log_delta_lower", guarantee->delta.log_lower);
    }
    json_string(json, "argument", dpn_argument_name(guarantee->argument));
    json_bool(json, "accuracy_met", !guarantee->wide);
    if (!question->condition) return;
    json_number(json, "condition_delta", guarantee->condition.delta);
    json_number(json, "condition_log_delta", guarantee->condition.log_delta);
    json_bool(json, "condition_exact", guarantee->condition.exact);
}

/* The sensitivity, or the epsilon of a pure part, as it was written. */
static double present_of(const struct question *question) {
    double number;
    return dpn_number_parse(&number, question->present, NULL) ? NAN : number;
}

/* One guarantee stands in the object itself, several in an array. */
static void write_answer(struct json *json, const void *of, size_t mechanism) {
    const struct question *question = of;
    size_t points = question->asked.nearest.count;
    const struct guarantee *guarantee = question->guarantee + mechanism * points;
    if (points == 1) write_guarantee(json, question, guarantee);
    if (points > 1) json_open_array(json, "profile");
    for (size_t i = 0; points > 1 && i < points; i++) {
        json_open_object(json, NULL);
        write_guarantee(json, question, &guarantee[i]);
        json_close_object(json);
    }
    if (points > 1) json_close_array(json);
    if (question->shuffled) json_count(json, "shuffle", question->shuffled);
    if (!question->sampled) return;
    json_number(json, "sample_rate", question->rate);
    if (question->present) json_number(json, "present", present_of(question));
    if (question->batch) {
        json_count(json, "batch", question->batch);
        json_count(json, "population", question->population);
    }
    json_number(json, "steps", (double)question->steps);
}

void profile_print_json(const struct question *question) {
    struct json object = json_begin(stdout);
    mechanisms_json(&object, &question->mechanisms, write_answer, question);
    if (question->condition) json_string(&object, "condition", question->condition);
    if (question->assumed) json_bool(&object, "sensitivity_assumed", true);
    mechanisms_json_neighbours(&object, &question->mechanisms);
    json_string(&object, "method", method_name(question->options.method));
    if (question->asked.nearest.count) json_number(&object, "accuracy", question->accuracy);
    if (question->plot) json_string(&object, "plot", question->plot);
    if (question->export) json_string(&object, "export", question->export);
    json_end(&object);
}
