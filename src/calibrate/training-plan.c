/* Training runs as text, and what they cost. */
#include "calibrate/plan-read.h"

#include "base/error.h"
#include "base/text/json-write.h"

#include <dpnoise/plan.h>
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

void dpn_training_plan_free(dpn_training_plan *plan) {
    if (!plan) return;
    free(plan->phase);
    *plan = (dpn_training_plan){0};
}

/* ---- Writing ---- */

static void put_phase(dpn_text *out, const dpn_training_phase *phase) {
    char law[DPN_LAW_TEXT_SIZE], steps[32];
    dpn_text_comma(out);
    dpn_text_put(out, "{");
    dpn_text_member(out, "law");
    dpn_text_quote(out, dpn_law_print(law, &phase->law));
    dpn_text_member(out, "sensitivity");
    dpn_text_number(out, phase->sensitivity);
    dpn_text_member(out, "sample_rate");
    dpn_text_number(out, phase->rate);
    dpn_text_member(out, "steps");
    snprintf(steps, sizeof steps, "%" PRIu64, phase->steps);
    dpn_text_put(out, steps);
    dpn_text_put(out, "}");
}

dpn_status dpn_training_plan_write(char **out, size_t *length, const dpn_training_plan *plan, dpn_error *why) {
    dpn_text words = {0};
    dpn_text_put(&words, "{");
    dpn_text_member(&words, "training");
    dpn_text_put(&words, "[");
    for (size_t i = 0; i < plan->phases; i++) put_phase(&words, &plan->phase[i]);
    dpn_text_put(&words, "]");
    dpn_text_member(&words, "relation");
    dpn_text_quote(&words, dpn_relation_name(plan->relation));
    dpn_text_member(&words, "unit");
    dpn_text_quote(&words, dpn_unit_name(plan->unit));
    dpn_text_put(&words, "}");
    if (words.failed) {
        free(words.at);
        return dpn_fail(why, DPN_ENOMEM, "no memory for the text of the training run");
    }
    *out = words.at;
    if (length) *length = words.length;
    return DPN_OK;
}

/* ---- Reading ---- */

typedef dpn_plan_reader reader;

static dpn_status refuse(const reader *r, dpn_status status, const char *member, const char *reason) {
    return dpn_fail(r->why, status, "phase %zu of the training run: %s: %.160s", r->index, member, reason);
}

static dpn_status read_number(double *out, const reader *r, const dpn_json_value *phase, const char *name) {
    const dpn_json_value *value;
    dpn_error reason;
    dpn_status status = dpn_plan_find(&value, r, phase, name);
    if (status) return status;
    if (!value) return refuse(r, DPN_EPARSE, name, "it is missing");
    status = dpn_json_number(out, &r->json, value, &reason);
    return status ? refuse(r, status, name, reason.sentence) : DPN_OK;
}

static dpn_status read_law(dpn_law *out, const reader *r, const dpn_json_value *phase) {
    char text[DPN_LAW_TEXT_SIZE];
    const dpn_json_value *value;
    dpn_error reason;
    dpn_status status = dpn_plan_find(&value, r, phase, "law");
    if (status) return status;
    if (!value) return refuse(r, DPN_EPARSE, "law", "it is missing");
    status = dpn_json_string(text, sizeof text, &r->json, value, &reason);
    if (!status) status = dpn_law_parse(out, text, &reason);
    return status ? refuse(r, status, "law", reason.sentence) : DPN_OK;
}

/* What it does not know it must not pass over: a member may say that there is less privacy. */
static dpn_status check_members(const reader *r, const dpn_json_value *object, const char *const *known,
                                size_t members) {
    size_t found = 0;
    for (size_t i = 0; i < members; i++) {
        const dpn_json_value *value;
        dpn_status status = dpn_plan_find(&value, r, object, known[i]);
        if (status) return status;
        found += value != NULL;
    }
    if (found == object->count) return DPN_OK;
    return refuse(r, DPN_EPARSE, "training", "it has a member that this version does not know");
}

static dpn_status check_phase(const dpn_training_phase *phase, double steps, const reader *r) {
    if (!(phase->sensitivity > 0 && isfinite(phase->sensitivity)))
        return refuse(r, DPN_EDOMAIN, "sensitivity", "it must be positive and finite");
    if (!(phase->rate > 0 && phase->rate <= 1))
        return refuse(r, DPN_EDOMAIN, "sample_rate", "it must be positive and at most 1");
    if (!(steps >= 1 && steps <= 0x1p53 && steps == floor(steps)))
        return refuse(r, DPN_EDOMAIN, "steps", "a whole number from 1 to 2^53 is expected");
    return DPN_OK;
}

static dpn_status read_phase(dpn_training_phase *out, const reader *r, const dpn_json_value *value) {
    static const char *const known[] = {"law", "sensitivity", "sample_rate", "steps"};
    double steps;
    if (value->kind != DPN_JSON_OBJECT) return refuse(r, DPN_EPARSE, "training", "an object is expected");
    dpn_status status = check_members(r, value, known, sizeof known / sizeof *known);
    if (!status) status = read_law(&out->law, r, value);
    if (!status) status = read_number(&out->sensitivity, r, value, "sensitivity");
    if (!status) status = read_number(&out->rate, r, value, "sample_rate");
    if (!status) status = read_number(&steps, r, value, "steps");
    if (!status) status = check_phase(out, steps, r);
    if (!status) out->steps = (uint64_t)steps;
    return status;
}

static dpn_status read_whole(dpn_training_plan *plan, reader *r, const dpn_json_value *whole) {
    const dpn_json_value *list = NULL;
    size_t relation = 0, unit = 0;
    dpn_status status = whole->kind == DPN_JSON_OBJECT ? dpn_plan_find(&list, r, whole, "training") : DPN_OK;
    if (!status && (!list || list->kind != DPN_JSON_ARRAY || list->count == 0))
        status =
            dpn_fail(r->why, DPN_EPARSE, "a training run is an object with the member 'training', a list of phases");
    if (!status) status = dpn_plan_read_choice(&relation, r, whole, "relation", dpn_plan_relations);
    if (!status) status = dpn_plan_read_choice(&unit, r, whole, "unit", dpn_plan_units);
    if (!status && relation != DPN_ADD_REMOVE)
        status = dpn_fail(r->why, DPN_EUNSUPPORTED, "a training run as text is about add-remove");
    if (status) return status;
    plan->relation = (dpn_relation)relation;
    plan->unit = (dpn_unit)unit;
    plan->phase = calloc(list->count, sizeof *plan->phase);
    if (!plan->phase) return dpn_fail(r->why, DPN_ENOMEM, "no memory for the training run");
    plan->phases = list->count;
    const dpn_json_value *value = dpn_json_first(list);
    for (r->index = 0; r->index < plan->phases && !status; r->index++, value = dpn_json_next(&r->json, value))
        status = read_phase(&plan->phase[r->index], r, value);
    return status;
}

dpn_status dpn_training_plan_read(dpn_training_plan *out, const char *text, size_t length, dpn_error *why) {
    reader r = {.why = why};
    dpn_training_plan plan = {0};
    dpn_status status = dpn_json_read(&r.json, text, length, why);
    if (status) return status;
    status = read_whole(&plan, &r, r.json.value);
    dpn_json_free(&r.json);
    if (status)
        dpn_training_plan_free(&plan);
    else
        *out = plan;
    return status;
}

/* ---- What it costs ---- */

dpn_status dpn_training_plan_steps(dpn_step *step, dpn_part *part, const dpn_training_plan *plan, dpn_error *why) {
    for (size_t i = 0; i < plan->phases; i++) {
        const dpn_training_phase *phase = &plan->phase[i];
        dpn_status status = dpn_loss_law(&part[i].loss, &phase->law, phase->sensitivity, why);
        if (status) return status;
        part[i].times = 1;
        step[i] = (dpn_step){.part = &part[i], .parts = 1, .rate = phase->rate, .times = phase->steps};
    }
    return DPN_OK;
}

dpn_status dpn_training_plan_charge(dpn_charge *out, const dpn_training_plan *plan, const dpn_filter *filter,
                                    const dpn_decimal *delta, dpn_workspace *workspace, dpn_error *why) {
    if (plan->relation != DPN_ADD_REMOVE)
        return dpn_fail(why, DPN_EUNSUPPORTED, "a training run is charged under add-remove");
    dpn_step *step = calloc(plan->phases + 1, sizeof *step);
    dpn_part *part = calloc(plan->phases + 1, sizeof *part);
    dpn_status status = step && part ? dpn_training_plan_steps(step, part, plan, why)
                                     : dpn_fail(why, DPN_ENOMEM, "no memory for %zu phases", plan->phases);
    if (!status) status = dpn_charge_sampling(out, filter, step, plan->phases, delta, workspace, why);
    free(step);
    free(part);
    return status;
}
