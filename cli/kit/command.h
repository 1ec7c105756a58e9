/* A command of the tool. A new one is a file that ends in such a row, and its name in the table of main.c. */
#ifndef DPNOISE_CLI_KIT_COMMAND_H
#define DPNOISE_CLI_KIT_COMMAND_H

#include "kit/options.h"

struct command {
    const char *name;
    const char *summary;     /* a few words for the list of commands */
    const char *synopsis;    /* what follows the name on the command line */
    const char *description; /* whole lines */
    const char *example;     /* command lines that run as they stand */
    const struct option *options;

    /* Do it. Standard output is written only when nothing can fail any more; a failure is told through why. An answer that
     * is a failure itself is printed, and told by the status and a sentence, with why->status DPN_OK. */
    dpn_status (*run)(const struct arguments *arguments, dpn_error *why);
};

extern const struct command add_command;
extern const struct command audit_command;
extern const struct command budget_command;
extern const struct command calibrate_command;
extern const struct command compare_command;
extern const struct command convert_command;
extern const struct command knorm_command;
extern const struct command law_command;
extern const struct command profile_command;
extern const struct command release_command;
extern const struct command renyi_command;
extern const struct command sample_command;

#endif
