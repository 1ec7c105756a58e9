/* A command of the tool. A new one is a directory whose file ends in such a row, and its line in kit/commands.def. */
#ifndef DPNOISE_CLI_KIT_COMMAND_H
#define DPNOISE_CLI_KIT_COMMAND_H

#include "kit/options.h"

struct command {
    const char *name;
    const char *summary;     /* a few words for the list of commands */
    const char *synopsis;    /* what follows the name on the command line */
    const char *description; /* a paragraph */
    const char *example;     /* command lines that run as they stand; long ones are broken when they are printed */
    const struct option *options;

    /* Do it. Standard output is written only when nothing can fail any more; a failure is told through why. An answer that
     * is a failure itself is printed, and told by the status and a sentence, with why->status DPN_OK. */
    dpn_status (*run)(const struct arguments *arguments, dpn_error *why);
};

#define COMMAND(name) extern const struct command name##_command;
#include "kit/commands.def"
#undef COMMAND

#endif
