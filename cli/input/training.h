/* A training run: steps on random samples, in phases. */
#ifndef DPNOISE_CLI_INPUT_TRAINING_H
#define DPNOISE_CLI_INPUT_TRAINING_H

#include "kit/json.h"
#include "kit/options.h"

#include <dpnoise/plan.h>
#include <stdio.h>

/* The phases that options describe: each --law begins one, and its --sensitivity, --sample-rate and --steps follow. Release with
 * dpn_training_plan_free.
 * Errors   DPN_EPARSE, DPN_EDOMAIN, DPN_ENOMEM; then nothing needs to be released. */
dpn_status training_read(dpn_training_plan *out, const struct arguments *arguments, dpn_error *why);

/* A run from the file of --plan, as calibrate --sample-rate --json prints it, or from options, and its steps for the engine. */
struct training_file {
    bool given; /* else there is no training run */
    dpn_training_plan plan;
    dpn_step *step; /* plan.phases of them, which refer to part */
    dpn_part *part;
};

/* Read the text of a file if it holds a training run. Release with training_file_free, also after an error.
 * Errors   DPN_EPARSE, DPN_EDOMAIN, DPN_EUNSUPPORTED, DPN_ENOMEM. */
dpn_status training_file_read(struct training_file *out, const char *text, size_t length, dpn_error *why);

/* The same of the phases that options describe, and whether they describe several: a --sample-rate each. Errors as training_read. */
dpn_status training_phases_read(struct training_file *out, const struct arguments *arguments, dpn_error *why);
bool training_has_phases(const struct arguments *arguments);
void training_file_free(struct training_file *file);

/* The member `training`: the phases. */
void training_json(struct json *json, const dpn_training_plan *plan);

/* "1000 steps of gaussian(sigma=1.1) on samples of rate 0.01", and so on for each phase. */
enum { TRAINING_SIZE = 256 };
char *training_print(char text[TRAINING_SIZE], const dpn_training_plan *plan);

#endif
