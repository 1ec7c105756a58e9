/* A family of noise that an option names. */
#ifndef DPNOISE_CLI_INPUT_FAMILY_H
#define DPNOISE_CLI_INPUT_FAMILY_H

#include <dpnoise/status.h>

/* Whether there is a family of that name; "best", and no name at all (NULL), leave the choice to the library.
 * Errors   DPN_EPARSE, with the name that is near. */
dpn_status family_check(const char *option, const char *name, dpn_error *why);

#endif
