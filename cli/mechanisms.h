/* The mechanisms that a command asks about: LAWs, each on a sensitivity set, or one composition. */
#ifndef DPNOISE_CLI_MECHANISMS_H
#define DPNOISE_CLI_MECHANISMS_H

#include "composition.h"
#include "sensitivity.h"

/* Read them from the operands, or from the options of a composition; *law is to be freed by the caller, also after an error. example is
 * what a person who gave nothing might write.
 * Errors   DPN_EPARSE, DPN_EDOMAIN, DPN_ENOMEM, DPN_EIO. */
dpn_status mechanisms_read(dpn_law **law, size_t *laws, struct sensitivity *sensitivity, struct composition *composition,
                           const struct arguments *arguments, const char *example, dpn_error *why);

#endif
