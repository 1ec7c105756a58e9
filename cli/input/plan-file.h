/* A plan from a file: --plan takes the place of a LAW. */
#ifndef DPNOISE_CLI_INPUT_PLAN_FILE_H
#define DPNOISE_CLI_INPUT_PLAN_FILE_H

#include "input/sensitivity.h"
#include "input/training.h"
#include "kit/json.h"

#include <dpnoise/plan.h>

struct plan_file {
    bool given;
    dpn_plan plan;
    uint64_t times; /* how many releases: --times, or what the file says, or 1 */
    char *text;     /* its blocks as JSON */
};

/* A row of a table of options. */
/* clang-format off */
#define PLAN_OPTION {"--plan", "FILE", false, "noise from the plan in FILE, as calibrate --json prints it, in place of a LAW"}
/* clang-format on */

/* Read the file of --plan. Release with plan_file_free, also after an error.
 * Errors   DPN_EIO, DPN_EPARSE, DPN_EDOMAIN, DPN_ENOMEM. */
dpn_status plan_file_read(struct plan_file *out, const char *file, dpn_error *why);
void plan_file_free(struct plan_file *file);

/* The same where a training run is welcome too: one of the two is given then. */
dpn_status plan_file_read_any(struct plan_file *out, struct training_file *training, const char *file, dpn_error *why);

/* The set that options describe, else that of the plan; its relation and unit; and how many releases.
 * Errors   DPN_EPARSE, DPN_EDOMAIN, DPN_EUNSUPPORTED, DPN_EIO, DPN_ENOMEM. */
dpn_status plan_file_read_set(struct sensitivity *out, struct plan_file *file, const struct arguments *arguments,
                              dpn_error *why);

/* "plan of 2 blocks on 20 answers, 10 releases". */
void plan_file_describe(FILE *out, const struct plan_file *file);

/* The blocks as lines of "answers", for people; and the members `plan` and `times`. */
void plan_file_print(FILE *out, const struct plan_file *file);
void plan_file_json(struct json *json, const struct plan_file *file);

/* The answers of a block as in the text of a plan, "0-4,7", cut where they are many; its noise as in that text. */
enum { BLOCK_SIZE = DPN_BLOCK_TEXT_SIZE };
char *block_print_answers(char text[BLOCK_SIZE], const dpn_block *block);
char *block_print_noise(char text[BLOCK_SIZE], const dpn_block *block);

#endif
