/* The mechanisms that a command asks about: LAWs, each on a sensitivity set, or one composition, or one plan. */
#ifndef DPNOISE_CLI_INPUT_MECHANISMS_H
#define DPNOISE_CLI_INPUT_MECHANISMS_H

#include "input/composition.h"
#include "input/plan-file.h"
#include "input/sensitivity.h"

/* Read them from the operands, from the options of a composition, or from the file of --plan; *law and *plan are to be
 * freed by the caller, also after an error. example is what a person who gave nothing might write.
 * Errors   DPN_EPARSE, DPN_EDOMAIN, DPN_EUNSUPPORTED, DPN_ENOMEM, DPN_EIO. */
dpn_status mechanisms_read(dpn_law **law, size_t *laws, struct sensitivity *sensitivity,
                           struct composition *composition, struct plan_file *plan, const struct arguments *arguments,
                           const char *example, dpn_error *why);

#endif
