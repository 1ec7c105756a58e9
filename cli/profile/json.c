/* The answer of `dpnoise profile --json`. */
#include "kit/json.h"
#include "profile/profile.h"

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
    if (!question->condition) return;
    json_number(json, "condition_delta", guarantee->condition.delta);
    json_number(json, "condition_log_delta", guarantee->condition.log_delta);
    json_bool(json, "condition_exact", guarantee->condition.exact);
}

/* One guarantee stands in the object itself, several in an array. */
static void write_guarantees(struct json *json, const struct question *question, size_t mechanism) {
    size_t points = question->asked.count;
    const struct guarantee *guarantee = question->guarantee + mechanism * points;
    if (points == 1) write_guarantee(json, question, guarantee);
    if (points < 2) return;
    json_open_array(json, "profile");
    for (size_t i = 0; i < points; i++) {
        json_open_object(json, NULL);
        write_guarantee(json, question, &guarantee[i]);
        json_close_object(json);
    }
    json_close_array(json);
}

static void write_law(struct json *json, const struct question *question, size_t law) {
    char text[DPN_LAW_TEXT_SIZE];
    json_string(json, "law", dpn_law_print(text, &question->law[law]));
    write_guarantees(json, question, law);
}

void profile_print_json(const struct question *question) {
    const dpn_sensitivity *set = &question->sensitivity.set;
    struct json object = json_begin(stdout);
    if (question->plan.given) {
        plan_file_json(&object, &question->plan);
        write_guarantees(&object, question, 0);
    } else if (question->laws == 0) {
        composition_json(&object, "parts", &question->composition);
        write_guarantees(&object, question, 0);
        if (question->sampled) {
            json_number(&object, "sample_rate", question->rate);
            json_number(&object, "steps", (double)question->steps);
        }
    } else if (question->laws == 1) {
        write_law(&object, question, 0);
    } else {
        json_open_array(&object, "laws");
        for (size_t i = 0; i < question->laws; i++) {
            json_open_object(&object, NULL);
            write_law(&object, question, i);
            json_close_object(&object);
        }
        json_close_array(&object);
    }
    if (question->laws || question->plan.given) sensitivity_json(&object, "sensitivity", &question->sensitivity);
    if (question->condition) json_string(&object, "condition", question->condition);
    json_string(&object, "relation", relation_name(set));
    json_string(&object, "unit", unit_name(set));
    json_string(&object, "method", method_name(question->options.method));
    if (question->plot) json_string(&object, "plot", question->plot);
    if (question->export) json_string(&object, "export", question->export);
    json_end(&object);
}
