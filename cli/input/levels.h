/* Levels as they are typed: region=north,south or region=@FILE. */
#ifndef DPNOISE_CLI_INPUT_LEVELS_H
#define DPNOISE_CLI_INPUT_LEVELS_H

#include <dpnoise/declaration.h>

/* The column of region=..., which may stand in double quotes, two of which stand for one. Returns what follows the equals
 * sign, NULL if there is none. */
const char *levels_column(char *out, size_t size, const char *text);

/* Add the levels in a file, one on each line that is not empty. Sentences name the option.
 * Errors   DPN_EIO, DPN_EPARSE, DPN_ENOMEM; the levels before the error stay. */
dpn_status levels_read_file(dpn_grouping *grouping, const char *option, const char *name, dpn_error *why);

#endif
