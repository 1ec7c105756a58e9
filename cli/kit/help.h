/* Help, printed from the table of commands. */
#ifndef DPNOISE_CLI_KIT_HELP_H
#define DPNOISE_CLI_KIT_HELP_H

#include "kit/command.h"

#include <stdio.h>

/* What to type first. */
void help_start(FILE *out);

/* Of the tool: its commands, a table ended by NULL. */
void help_tool(FILE *out, const struct command *const *commands);

/* Of one command. */
void help_command(FILE *out, const struct command *command);

#endif
