/* dpnoise sample. */
#ifndef DPNOISE_CLI_SAMPLE_SAMPLE_H
#define DPNOISE_CLI_SAMPLE_SAMPLE_H

#include "input/plan-file.h"
#include "kit/command.h"

/* Draws of the plan in a file, as --count, --grid and --json say. */
dpn_status sample_plan(const struct arguments *arguments, const char *file, dpn_error *why);

#endif
