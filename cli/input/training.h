/* A training run: steps on random samples, in phases. */
#ifndef DPNOISE_CLI_INPUT_TRAINING_H
#define DPNOISE_CLI_INPUT_TRAINING_H

#include "kit/options.h"

#include <dpnoise/plan.h>
#include <stdio.h>

/* The phases that options describe: each --law begins one, and its --sensitivity, --sample-rate and --steps follow. Release with
 * dpn_training_plan_free.
 * Errors   DPN_EPARSE, DPN_EDOMAIN, DPN_ENOMEM; then nothing needs to be released. */
dpn_status training_read(dpn_training_plan *out, const struct arguments *arguments, dpn_error *why);

/* "1000 steps of gaussian(sigma=1.1) on samples of rate 0.01", and so on for each phase. */
enum { TRAINING_SIZE = 256 };
char *training_print(char text[TRAINING_SIZE], const dpn_training_plan *plan);

#endif
