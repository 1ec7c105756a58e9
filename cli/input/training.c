/* A training run from options, and in words. */
#include "input/training.h"

#include "kit/fail.h"
#include "words/law.h"

#include <dpnoise/number.h>
#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* ---- Reading ---- */

/* A number that means less privacy the larger it is: rounded up. */
static dpn_status read_up(double *out, const char *option, const char *text, double most, dpn_error *why) {
    dpn_error reason;
    if (*out > 0) return refuse(why, DPN_EPARSE, "%s is given twice for one --law", option);
    dpn_status status = dpn_number_parse_up(out, text, &reason);
    if (status) return refuse(why, status, "%s: %s", option, reason.sentence);
    if (*out > 0 && *out <= most) return DPN_OK;
    return refuse(why, DPN_EDOMAIN, most == 1 ? "%s must be positive and at most 1" : "%s must be positive and finite",
                  option);
}

static dpn_status read_steps(uint64_t *out, const char *text, dpn_error *why) {
    dpn_error reason;
    if (*out > 0) return refuse(why, DPN_EPARSE, "--steps is given twice for one --law");
    dpn_status status = read_count(out, text, &reason);
    if (status) return refuse(why, status, "--steps: %s", reason.sentence);
    return *out <= (uint64_t)1 << 53 ? DPN_OK : refuse(why, DPN_EDOMAIN, "--steps is at most 2^53");
}

/* One option about the phase at hand, NULL before the first. */
static dpn_status take(dpn_training_phase *phase, const char *name, const char *value, dpn_error *why) {
    bool sensitivity = strcmp(name, "--sensitivity") == 0, rate = strcmp(name, "--sample-rate") == 0;
    bool steps = strcmp(name, "--steps") == 0;
    if (!sensitivity && !rate && !steps) return DPN_OK;
    if (!phase) return refuse(why, DPN_EPARSE, "%s %.40s belongs to no --law; write it after its --law", name, value);
    if (sensitivity) return read_up(&phase->sensitivity, name, value, HUGE_VAL, why);
    if (rate) return read_up(&phase->rate, name, value, 1, why);
    return read_steps(&phase->steps, value, why);
}

static dpn_status finish(dpn_training_phase *phase, dpn_error *why) {
    if (!(phase->sensitivity > 0 && isfinite(phase->sensitivity)))
        return refuse(why, DPN_EPARSE, "--law: give --sensitivity, how far one row in the sample moves the answer");
    if (!(phase->rate > 0))
        return refuse(why, DPN_EPARSE, "--law: give --sample-rate, the probability that a row is in the sample");
    if (phase->steps == 0) return refuse(why, DPN_EPARSE, "--law: give --steps, how many there are of them");
    return DPN_OK;
}

dpn_status training_read(dpn_training_plan *out, const struct arguments *arguments, dpn_error *why) {
    dpn_training_plan plan = {.phase = calloc(arguments->givens + 1, sizeof *plan.phase)};
    dpn_status status = plan.phase ? DPN_OK : refuse(why, DPN_ENOMEM, "out of memory");
    for (size_t i = 0; i < arguments->givens && !status; i++) {
        const char *name = arguments->given[i].option->name, *value = arguments->given[i].value;
        dpn_error reason;
        if (strcmp(name, "--law") != 0) {
            status = take(plan.phases ? &plan.phase[plan.phases - 1] : NULL, name, value, why);
        } else if ((status = law_read(&plan.phase[plan.phases++].law, value, &reason)) != DPN_OK) {
            status = refuse(why, status, "--law: %s", reason.sentence);
        }
    }
    if (!status && plan.phases == 0)
        status = refuse(why, DPN_EPARSE, "--sample-rate: give --law, the noise of each step");
    for (size_t i = 0; i < plan.phases && !status; i++) status = finish(&plan.phase[i], why);
    if (status)
        dpn_training_plan_free(&plan);
    else
        *out = plan;
    return status;
}

/* ---- From a file ---- */

static dpn_status find_steps(struct training_file *out, dpn_error *why) {
    out->step = calloc(out->plan.phases, sizeof *out->step);
    out->part = calloc(out->plan.phases, sizeof *out->part);
    if (!out->step || !out->part) return refuse(why, DPN_ENOMEM, "out of memory");
    return dpn_training_plan_steps(out->step, out->part, &out->plan, why);
}

/* Whether a text that nothing ends has a word. */
static bool has_word(const char *text, size_t length, const char *word) {
    size_t size = strlen(word);
    for (size_t i = 0; i + size <= length; i++)
        if (memcmp(text + i, word, size) == 0) return true;
    return false;
}

dpn_status training_file_read(struct training_file *out, const char *text, size_t length, dpn_error *why) {
    out->given = has_word(text, length, "\"training\"");
    if (!out->given) return DPN_OK;
    dpn_status status = dpn_training_plan_read(&out->plan, text, length, why);
    return status ? status : find_steps(out, why);
}

bool training_has_phases(const struct arguments *arguments) {
    size_t rates = 0;
    for (size_t i = 0; i < arguments->givens; i++)
        rates += strcmp(arguments->given[i].option->name, "--sample-rate") == 0;
    return rates > 1;
}

dpn_status training_phases_read(struct training_file *out, const struct arguments *arguments, dpn_error *why) {
    dpn_status status = training_read(&out->plan, arguments, why);
    out->given = status == DPN_OK;
    return status ? status : find_steps(out, why);
}

void training_file_free(struct training_file *file) {
    dpn_training_plan_free(&file->plan);
    free(file->step);
    free(file->part);
}

/* ---- Telling ---- */

void training_json(struct json *json, const dpn_training_plan *plan) {
    json_open_array(json, "training");
    for (size_t i = 0; i < plan->phases; i++) {
        char law[DPN_LAW_TEXT_SIZE];
        json_open_object(json, NULL);
        json_string(json, "law", dpn_law_print(law, &plan->phase[i].law));
        json_number(json, "sensitivity", plan->phase[i].sensitivity);
        json_number(json, "sample_rate", plan->phase[i].rate);
        json_count(json, "steps", plan->phase[i].steps);
        json_close_object(json);
    }
    json_close_array(json);
}

char *training_print(char text[TRAINING_SIZE], const dpn_training_plan *plan) {
    enum { SHOWN = 2 };
    size_t used = 0;
    text[0] = '\0';
    for (size_t i = 0; i < plan->phases && i < SHOWN && used < TRAINING_SIZE; i++) {
        const dpn_training_phase *phase = &plan->phase[i];
        char law[DPN_LAW_TEXT_SIZE];
        used += (size_t)snprintf(text + used, TRAINING_SIZE - used,
                                 "%s%" PRIu64 " step%s of %.70s on samples of rate %.6g", i ? ", " : "", phase->steps,
                                 phase->steps == 1 ? "" : "s", dpn_law_print(law, &phase->law), phase->rate);
    }
    if (plan->phases > SHOWN && used < TRAINING_SIZE)
        snprintf(text + used, TRAINING_SIZE - used, ", and %zu phases more", plan->phases - SHOWN);
    return text;
}
