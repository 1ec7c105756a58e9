/* A plan from a file. */
#include "input/plan-file.h"

#include "kit/fail.h"
#include "kit/file.h"
#include "words/decimal.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

/* ---- Reading ---- */

static dpn_status read_text(struct plan_file *out, const char *text, size_t length, dpn_error *why) {
    dpn_status status = dpn_plan_read(&out->plan, text, length, why);
    if (!status) status = dpn_plan_write(&out->text, NULL, &out->plan, why);
    if (status) return status;
    out->given = true;
    out->times = out->plan.times ? out->plan.times : 1;
    return DPN_OK;
}

/* The file is read once: it may be a pipe. */
dpn_status plan_file_read_any(struct plan_file *out, struct training_file *training, const char *file, dpn_error *why) {
    char *text = NULL;
    size_t length;
    dpn_error reason;
    dpn_status status = file_read(&text, &length, file, FILE_MOST, "--plan: ", why);
    if (status) return status;
    if (training) status = training_file_read(training, text, length, &reason);
    if (!status && !(training && training->given)) status = read_text(out, text, length, &reason);
    free(text);
    return status ? refuse(why, status, "--plan: '%.60s': %.160s", file, reason.sentence) : DPN_OK;
}

dpn_status plan_file_read(struct plan_file *out, const char *file, dpn_error *why) {
    return plan_file_read_any(out, NULL, file, why);
}

void plan_file_free(struct plan_file *file) {
    dpn_plan_free(&file->plan);
    free(file->text);
}

static dpn_status set_of_plan(struct sensitivity *out, const struct plan_file *file, dpn_error *why) {
    dpn_error reason;
    dpn_sensitivity set;
    dpn_status status = dpn_plan_sensitivity(&set, &file->plan, &reason);
    if (status)
        return refuse(why, status, "--plan: %.120s; give --sensitivities, --linf, --vertices or the like",
                      reason.sentence);
    if (set.vertices) {
        double *vertex = malloc(set.vertices * set.dimension * sizeof *vertex);
        if (!vertex) return refuse(why, DPN_ENOMEM, "out of memory");
        memcpy(vertex, set.vertex, set.vertices * set.dimension * sizeof *vertex);
        set.vertex = vertex;
        *out = (struct sensitivity){.set = set, .vertex = vertex, .dimension_known = true};
        return DPN_OK;
    }
    size_t equal = 1;
    while (equal < set.dimension && set.bound[equal] == set.bound[0]) equal++;
    if (equal == set.dimension && set.bound[0] > 0) { /* no memory that grows with the dimension, and short words */
        set.linf = set.bound[0];
        set.bound = NULL;
        *out = (struct sensitivity){.set = set, .dimension_known = true};
        return DPN_OK;
    }
    double *bound = malloc(set.dimension * sizeof *bound);
    if (!bound) return refuse(why, DPN_ENOMEM, "out of memory");
    memcpy(bound, set.bound, set.dimension * sizeof *bound);
    set.bound = bound;
    *out = (struct sensitivity){.set = set, .bound = bound, .dimension_known = true};
    return DPN_OK;
}

/* --times repeats for the sake of compositions; a plan takes it once. */
static dpn_status read_times(uint64_t *out, const struct arguments *arguments, dpn_error *why) {
    size_t given = 0;
    for (size_t i = 0; i < arguments->givens; i++) given += strcmp(arguments->given[i].option->name, "--times") == 0;
    if (given > 1) return refuse(why, DPN_EPARSE, "--times is given twice");
    return arguments_count(out, arguments, "--times", why);
}

dpn_status plan_file_read_set(struct sensitivity *out, struct plan_file *file, const struct arguments *arguments,
                              dpn_error *why) {
    const dpn_plan *plan = &file->plan;
    dpn_sensitivity said;
    dpn_status status = read_times(&file->times, arguments, why);
    if (!status) status = sensitivity_read_neighbours(&said, arguments, why);
    if (!status && sensitivity_given(arguments))
        return sensitivity_read_of(out, arguments, plan->dimension, plan->relation, plan->unit, why);
    if (!status) status = set_of_plan(out, file, why);
    if (status) return status;
    out->set.relation = arguments_have(arguments, "--relation") ? said.relation : plan->relation;
    out->set.unit = arguments_have(arguments, "--unit") ? said.unit : plan->unit;
    return DPN_OK;
}

/* ---- Telling ---- */

char *block_print_answers(char text[BLOCK_SIZE], const dpn_block *block) {
    enum { SHOWN = 36 };
    size_t used = 0;
    text[0] = '\0';
    for (size_t i = 0, last = 0; i < block->count; i = last + 1) {
        last = i;
        while (last + 1 < block->count && block->coordinate[last + 1] == block->coordinate[last] + 1) last++;
        const char *comma = i ? "," : "";
        if (used > SHOWN) {
            snprintf(text + used, BLOCK_SIZE - used, ",...");
            break;
        }
        used += (size_t)snprintf(text + used, BLOCK_SIZE - used, "%s%zu", comma, block->coordinate[i]);
        if (last > i) used += (size_t)snprintf(text + used, BLOCK_SIZE - used, "-%zu", block->coordinate[last]);
    }
    return text;
}

char *block_print_noise(char text[BLOCK_SIZE], const dpn_block *block) {
    enum { DIGITS = 15 };
    return dpn_block_print(text, block, DIGITS);
}

void plan_file_describe(FILE *out, const struct plan_file *file) {
    const dpn_plan *plan = &file->plan;
    fprintf(out, "plan of %zu block%s on %zu answer%s", plan->blocks, plan->blocks == 1 ? "" : "s", plan->dimension,
            plan->dimension == 1 ? "" : "s");
    if (file->times > 1) fprintf(out, ", %" PRIu64 " releases", file->times);
}

void plan_file_print(FILE *out, const struct plan_file *file) {
    enum { SHOWN = 20 };
    const dpn_plan *plan = &file->plan;
    char answers[BLOCK_SIZE], noise[BLOCK_SIZE];
    for (size_t b = 0; b < plan->blocks && b < SHOWN; b++)
        fprintf(out, "  %-12s  %s: %s\n", b ? "" : "noise", block_print_answers(answers, &plan->block[b]),
                block_print_noise(noise, &plan->block[b]));
    if (plan->blocks > SHOWN) fprintf(out, "  %-12s  and %zu blocks more\n", "", plan->blocks - SHOWN);
}

void plan_file_json(struct json *json, const struct plan_file *file) {
    json_value(json, "plan", file->text);
    json_count(json, "times", file->times);
}
