/* The option --grid: a power of two. */
#ifndef DPNOISE_CLI_INPUT_GRID_H
#define DPNOISE_CLI_INPUT_GRID_H

#include "kit/options.h"

/* The exponent of the power of two that --grid was given; *given tells whether it was, and *exponent stays if not.
 * Errors   DPN_EPARSE, DPN_EDOMAIN. */
dpn_status grid_read(int *exponent, bool *given, const struct arguments *arguments, dpn_error *why);

#endif
